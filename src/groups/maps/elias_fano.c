/* ELIAS-FANO (Elias 1974; Fano 1971): members, counted from the first, are cut into low bits, kept as they are, and a
 * high part h, kept as a string in which member i is the one at place h + i: h zeros and i ones come before it. With
 * floor(log2(span / n)) low bits there are about n (2 + log2(span / n)) bits.
 *
 *   members 3 4 7 13, from the first 0 1 4 10, two low bits: low 0 1 0 2, high 0 0 1 2, string 11 0 1 0 1 0
 *
 * SELECT is that of the string; RANK finds the zeros around the members with the same high part, then searches their
 * low bits. Both O(log n), whatever the members. */
#include "bits.h"

#include <stdlib.h>

struct elias_fano {
  tutti_map map;
  int first, last;
  int width;            /* low bits of a member */
  struct map_bits high; /* ends with a 0 */
  uint64_t *low;        /* packed, with a word behind that is read but has no bits */
};

static const struct elias_fano *of(const tutti_map *map)
{
  return (const struct elias_fano *)map;
}

static int width_of(int first, int last, int size)
{
  int width = 0;
  for (int64_t ratio = ((int64_t)last - first + 1) / size; ratio > 1; ratio /= 2)
    width++;
  return width;
}

static uint64_t high_length(int first, int last, int size)
{
  return (uint64_t)size + ((uint64_t)(last - first) >> width_of(first, last, size)) + 1;
}

static size_t low_words(int size, int width)
{
  return (size_t)((uint64_t)size * (uint64_t)width / 64) + 2;
}

static void free_elias_fano(tutti_map *map)
{
  struct elias_fano *fano = (struct elias_fano *)map;
  map_bits_free(&fano->high);
  free(fano->low);
  free(fano);
}

/* All but the high bits. */
static struct elias_fano *make(int first, int last, int size)
{
  struct elias_fano *fano = calloc(1, sizeof *fano);
  if (!fano)
    return NULL;
  fano->first = first;
  fano->last = last;
  fano->width = width_of(first, last, size);
  fano->low = calloc(low_words(size, fano->width), sizeof *fano->low);
  if (fano->low)
    return fano;
  free(fano);
  return NULL;
}

static void put_low(struct elias_fano *fano, int i, uint64_t bits)
{
  uint64_t at = (uint64_t)i * (uint64_t)fano->width;
  fano->low[at / 64] |= bits << at % 64;
  if (at % 64)
    fano->low[at / 64 + 1] |= bits >> (64 - at % 64);
}

static inline uint64_t get_low(const struct elias_fano *fano, int i)
{
  uint64_t at = (uint64_t)i * (uint64_t)fano->width;
  uint64_t bits = fano->low[at / 64] >> at % 64 | fano->low[at / 64 + 1] << 1 << (63 - at % 64);
  return bits & ((UINT64_C(1) << fano->width) - 1);
}

static tutti_status create(const int *members, int size, int world, const tutti_map_limits *limits, tutti_map **map,
                           tutti_error *error)
{
  (void)world, (void)limits;
  int first = members[0], last = members[size - 1];
  struct elias_fano *fano = make(first, last, size);
  if (!fano || !map_bits_create(&fano->high, high_length(first, last, size))) {
    if (fano)
      free(fano->low);
    free(fano);
    return map_no_memory(TUTTI_MAP_ELIAS_FANO, size, error);
  }
  for (int i = 0; i < size; i++) {
    uint64_t member = (uint64_t)(members[i] - first);
    map_bits_set(&fano->high, (member >> fano->width) + (uint64_t)i);
    put_low(fano, i, member & ((UINT64_C(1) << fano->width) - 1));
  }
  map_bits_count(&fano->high);
  *map = &fano->map;
  return TUTTI_OK;
}

/* The member of a rank whose one is at a place; wide enough for whatever was read. */
static inline int64_t member_at(const struct elias_fano *fano, int rank, uint64_t at)
{
  return fano->first + (int64_t)((at - (uint64_t)rank) << fano->width | get_low(fano, rank));
}

static int select_one(const tutti_map *map, int rank)
{
  return (int)member_at(of(map), rank, map_bits_select(&of(map)->high, (uint64_t)rank));
}

static void select_all(const tutti_map *map, int first, int count, int *members)
{
  const struct elias_fano *fano = of(map);
  uint64_t at = map_bits_select(&fano->high, (uint64_t)first);
  members[0] = (int)member_at(fano, first, at);
  for (int i = 1; i < count; i++) {
    at = map_bits_next(&fano->high, at + 1);
    members[i] = (int)member_at(fano, first + i, at);
  }
}

static int rank(const tutti_map *map, int member)
{
  const struct elias_fano *fano = of(map);
  if (member < fano->first || member > fano->last)
    return -1;
  uint64_t from_first = (uint64_t)(member - fano->first), high = from_first >> fano->width;
  uint64_t wanted = from_first & ((UINT64_C(1) << fano->width) - 1);
  int begin = high ? (int)(map_bits_select_zero(&fano->high, high - 1) - (high - 1)) : 0;
  int end = (int)(map_bits_select_zero(&fano->high, high) - high), low = begin, top = end;
  while (low < top) {
    int middle = low + (top - low) / 2;
    if (get_low(fano, middle) < wanted)
      low = middle + 1;
    else
      top = middle;
  }
  return low < end && get_low(fano, low) == wanted ? low : -1;
}

static size_t bytes(const tutti_map *map)
{
  const struct elias_fano *fano = of(map);
  return sizeof *fano + map_bits_bytes(&fano->high) + low_words(map->size, fano->width) * sizeof *fano->low;
}

static void write(const tutti_map *map, FILE *stream)
{
  const struct elias_fano *fano = of(map);
  map_write_number(stream, (uint64_t)fano->first, 4);
  map_write_number(stream, (uint64_t)fano->last, 4);
  map_bits_write(&fano->high, stream);
  for (uint64_t at = 0; at < (uint64_t)map->size * (uint64_t)fano->width; at += 8)
    putc((int)(fano->low[at / 64] >> at % 64 & 0xff), stream);
}

/* After the high bits. Members ascend within the world if these do, and the last is what it was said to be. */
static tutti_status read_low(struct elias_fano *fano, struct map_reader *reader, int size, tutti_error *error)
{
  uint64_t length = (uint64_t)size * (uint64_t)fano->width;
  size_t count = (size_t)((length + 7) / 8);
  const unsigned char *from = map_read_bytes(reader, count);
  if (!from || (length % 8 && from[count - 1] >> length % 8))
    return map_malformed(TUTTI_MAP_ELIAS_FANO, "bytes end before the last low bit, or go on", error);
  for (size_t i = 0; i < count; i++)
    fano->low[i / 8] |= (uint64_t)from[i] << 8 * (i % 8);
  uint64_t begin = map_bits_select(&fano->high, 0), end = map_bits_select(&fano->high, (uint64_t)size - 1);
  if (member_at(fano, 0, begin) == fano->first && member_at(fano, size - 1, end) == fano->last)
    return TUTTI_OK;
  return map_malformed(TUTTI_MAP_ELIAS_FANO, "the first or the last member is another", error);
}

static tutti_status read(struct map_reader *reader, int size, int world, tutti_map **map, tutti_error *error)
{
  uint64_t first = map_read_number(reader, 4), last = map_read_number(reader, 4);
  if (reader->failed || last >= (uint64_t)world || first > last || last - first + 1 < (uint64_t)size)
    return map_malformed(TUTTI_MAP_ELIAS_FANO, "no room for members from the first to the last", error);
  struct map_bits high = {0};
  tutti_status status =
      map_bits_read(&high, TUTTI_MAP_ELIAS_FANO, reader, high_length((int)first, (int)last, size), size, error);
  if (status != TUTTI_OK)
    return status;
  struct elias_fano *fano = make((int)first, (int)last, size);
  if (!fano) {
    map_bits_free(&high);
    return map_no_memory(TUTTI_MAP_ELIAS_FANO, size, error);
  }
  fano->high = high;
  status = read_low(fano, reader, size, error);
  if (status == TUTTI_OK)
    *map = &fano->map;
  else
    free_elias_fano(&fano->map);
  return status;
}

const struct map_operations map_elias_fano = {.kind = TUTTI_MAP_ELIAS_FANO,
                                              .ordered_only = true,
                                              .create = create,
                                              .select = select_one,
                                              .rank = rank,
                                              .select_all = select_all,
                                              .bytes = bytes,
                                              .write = write,
                                              .read = read,
                                              .free = free_elias_fano};
