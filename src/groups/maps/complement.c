/* COMPLEMENT: an ordered group by the gaps in it, the ranks between its first and its last member that are not
 * members. For each gap it keeps the number of members before it, as a sequence of fano.h: a group with few gaps takes
 * 2 + log2(members / gaps) bits a gap.
 *
 *   members 3 4 7 8 9, gaps 5 6: before each 2 2; rank 3 has both before it and is 3 + 3 + 2 = 8
 *
 * SELECT counts the gaps before a rank, in the time of RANK in an Elias-Fano map; RANK searches the gaps. */
#include "base/numbers.h"
#include "groups/maps/bits.h"

enum { MAX_GAPS = 16 /* a member: more never pay */ };

struct complement {
  tutti_map map;
  int first;
  struct map_fano gaps; /* members before each */
};

static const struct complement *of(const tutti_map *map)
{
  return (const struct complement *)map;
}

static void clear(tutti_map *map)
{
  tutti_map_fano_free(&((struct complement *)map)->gaps);
}

static void put_gaps(struct complement *complement, const int *members, int size)
{
  int gap = 0;
  for (int i = 1; i < size; i++)
    for (int missing = members[i - 1] + 1; missing < members[i]; missing++)
      tutti_map_fano_put(&complement->gaps, gap++, (uint64_t)i);
  tutti_map_fano_seal(&complement->gaps);
}

static tutti_status create(tutti_map *map, const int *members, const tutti_map_limits *limits, tutti_error *error)
{
  (void)limits;
  struct complement *complement = (struct complement *)map;
  int size = map->size;
  int64_t gaps = (int64_t)members[size - 1] - members[0] + 1 - size;
  if (gaps == 0 || gaps / MAX_GAPS >= size)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "map \"complement\": %lld gaps among %d members", (long long)gaps,
                      size);
  if (!tutti_map_fano_create(&complement->gaps, (int)gaps, size))
    return tutti_map_no_memory(map, error);
  complement->first = members[0];
  put_gaps(complement, members, size);
  return TUTTI_OK;
}

static int select_one(const tutti_map *map, int rank)
{
  int passed = rank + 1 < map->size ? tutti_map_fano_below(&of(map)->gaps, (uint64_t)rank + 1) : of(map)->gaps.count;
  return of(map)->first + rank + passed;
}

static void select_all(const tutti_map *map, int first, int count, int *members)
{
  const struct map_fano *gaps = &of(map)->gaps;
  int member = select_one(map, first), gap = member - of(map)->first - first;
  bool any = gap < gaps->count;
  struct map_bits_walk walk = {0};
  if (any)
    walk = map_bits_walk(&gaps->high, tutti_map_bits_select(&gaps->high, (uint64_t)gap));
  int64_t next = any ? map_fano_at(gaps, gap, map_bits_next(&walk)) : map->size;
  for (int i = first; i < first + count; i++, member++) {
    for (; next <= i; member++)
      next = ++gap < gaps->count ? map_fano_at(gaps, gap, map_bits_next(&walk)) : map->size;
    members[i - first] = member;
  }
}

/* The number of gaps before a place counted from the first member; *is_gap: whether it is a gap. Gap i is at i and the
   members before it. */
static int gaps_before(const struct map_fano *gaps, int place, bool *is_gap)
{
  const int before = TUTTI_PARTITION_POINT(int, i, 0, gaps->count, tutti_map_fano_get(gaps, i) + i < place);
  *is_gap = before < gaps->count && tutti_map_fano_get(gaps, before) + before == place;
  return before;
}

static int rank(const tutti_map *map, int member)
{
  const struct complement *complement = of(map);
  int64_t place = (int64_t)member - complement->first;
  if (place < 0 || place >= (int64_t)map->size + complement->gaps.count)
    return -1;
  bool is_gap;
  int passed = gaps_before(&complement->gaps, (int)place, &is_gap);
  return is_gap ? -1 : (int)place - passed;
}

static size_t bytes(const tutti_map *map)
{
  return tutti_map_fano_bytes(&of(map)->gaps);
}

static void write(const tutti_map *map, FILE *stream)
{
  tutti_map_write_number(stream, (uint64_t)of(map)->first, 4);
  tutti_map_write_number(stream, (uint64_t)of(map)->gaps.count, 4);
  tutti_map_fano_write(&of(map)->gaps, stream);
}

/* Members before each gap do not descend, as the bits are, but within the same high part of the number. */
static bool is_sequence(const struct map_fano *gaps, int size)
{
  int64_t last = 1;
  struct map_bits_walk walk = map_bits_walk(&gaps->high, 0);
  for (int i = 0; i < gaps->count; i++) {
    int64_t before = map_fano_at(gaps, i, map_bits_next(&walk));
    if (before < last || before >= size)
      return false;
    last = before;
  }
  return true;
}

static tutti_status read(tutti_map *map, struct map_reader *reader, tutti_error *error)
{
  struct complement *complement = (struct complement *)map;
  uint64_t first = tutti_map_read_number(reader, 4), gaps = tutti_map_read_number(reader, 4),
           size = (uint64_t)map->size;
  if (reader->failed || gaps < 1 || gaps / MAX_GAPS >= size || first + size + gaps > (uint64_t)map->world)
    return tutti_map_malformed(map, "members and gaps leave the world, or no gap is there", error);
  complement->first = (int)first;
  tutti_status status = tutti_map_fano_read(&complement->gaps, map, reader, (int)gaps, map->size, error);
  reader->proven = reader->ordered = status == TUTTI_OK && is_sequence(&complement->gaps, map->size);
  if (status != TUTTI_OK || reader->proven)
    return status;
  return tutti_map_malformed(map, "gaps are not in order, or not among the members", error);
}

const struct map_operations tutti_map_complement = {MAP_OPERATIONS(COMPLEMENT, complement), MAP_OWNS_MEMORY,
                                                    .attaches = true, .ordered_only = true};
