/* RANGES: a group as consecutive ranges, each with a stride of its own; 96 bits a range, 128 where the group is not
 * ordered. Taking each range as long as it goes gives the fewest of an ordered group: a range without its first member
 * is a range again. In other groups a member and one that has been moved make no range, so strides need three members
 * there; and no range may be among the members of another, so that RANK is a search.
 *
 * SELECT starts at the place of the range if all had the same length, then searches; RANK searches the ranges in order.
 */
#include <stdlib.h>

#include "groups/maps/map_private.h"

struct map_piece {
  int first, stride; /* the stride may be negative where the group is not ordered */
};

struct map_ranges {
  tutti_map map;
  int count;
  double pieces_per_rank;
  int *before; /* [count + 1] members of the ranges before, at last all */
  struct map_piece *pieces;
  int *ascending; /* [count] ranges by their members; NULL: as they are */
};

static const struct map_ranges *of(const tutti_map *map)
{
  return (const struct map_ranges *)map;
}

static size_t block_bytes(int count, bool ascending)
{
  return (size_t)count * (sizeof(struct map_piece) + (ascending ? 2 : 1) * sizeof(int)) + sizeof(int);
}

static size_t bytes(const tutti_map *map)
{
  return block_bytes(of(map)->count, of(map)->ascending);
}

/* Room for that many ranges, in one block. False: no memory. */
static bool make_room(struct map_ranges *ranges, int count, bool ascending)
{
  ranges->pieces = malloc(block_bytes(count, ascending));
  if (!ranges->pieces)
    return false;
  ranges->count = count;
  ranges->before = (int *)(ranges->pieces + count);
  ranges->ascending = ascending ? ranges->before + count + 1 : NULL;
  return true;
}

static void clear(tutti_map *map)
{
  free(((struct map_ranges *)map)->pieces);
}

/* ---- order ---- */

/* The smallest and the largest member of a range, for sorting. */
struct span {
  int low, high, piece;
};

static struct span span_of(const struct map_ranges *ranges, int piece)
{
  const struct map_piece *p = &ranges->pieces[piece];
  int last = p->first + (ranges->before[piece + 1] - ranges->before[piece] - 1) * p->stride;
  return p->stride < 0 ? (struct span){last, p->first, piece} : (struct span){p->first, last, piece};
}

static int compare(const void *left, const void *right)
{
  const struct span *a = left, *b = right;
  return (a->low > b->low) - (a->low < b->low);
}

/* Fill in the order of the ranges. False if the members of one are between those of another. */
static bool map_ranges_order(struct map_ranges *ranges)
{
  struct span *spans = malloc((size_t)ranges->count * sizeof *spans);
  bool apart = spans != NULL;
  for (int i = 0; spans && i < ranges->count; i++)
    spans[i] = span_of(ranges, i);
  if (spans)
    qsort(spans, (size_t)ranges->count, sizeof *spans, compare);
  for (int i = 0; apart && i < ranges->count; i++) {
    ranges->ascending[i] = spans[i].piece;
    apart = i == 0 || spans[i - 1].high < spans[i].low;
  }
  free(spans);
  return apart;
}

/* ---- creation ---- */

/* How many members from the first on have the distance of the first two. */
static int length_of(const int *members, int size, bool ordered)
{
  int length = size < 2 ? size : 2;
  while (length < size && (int64_t)members[length] - members[length - 1] == (int64_t)members[1] - members[0])
    length++;
  bool next = length > 1 && abs(members[1] - members[0]) == 1;
  return ordered || next || length > 2 ? length : 1;
}

static int count_pieces(const int *members, int size, bool ordered)
{
  int count = 0;
  for (int i = 0; i < size; count++)
    i += length_of(members + i, size - i, ordered);
  return count;
}

static void fill(struct map_ranges *ranges, const int *members, int size)
{
  for (int i = 0, at = 0; i < ranges->count; i++) {
    int length = length_of(members + at, size - at, !ranges->ascending);
    ranges->pieces[i] = (struct map_piece){members[at], length > 1 ? members[at + 1] - members[at] : 1};
    ranges->before[i] = at;
    at += length;
  }
  ranges->before[ranges->count] = size;
  ranges->pieces_per_rank = (double)ranges->count / size;
}

static tutti_status create(tutti_map *map, const int *members, const tutti_map_limits *limits, tutti_error *error)
{
  (void)limits;
  struct map_ranges *ranges = (struct map_ranges *)map;
  int count = count_pieces(members, map->size, map->ordered);
  if (count > 1 && block_bytes(count, !map->ordered) > block_bytes(0, false) + (size_t)map->size * sizeof *members)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "map \"ranges\": %d members make %d ranges, more than an array",
                      map->size, count);
  if (!make_room(ranges, count, !map->ordered))
    return tutti_map_no_memory(map, error);
  fill(ranges, members, map->size);
  if (!map->ordered && !map_ranges_order(ranges))
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "map \"ranges\": of %d ranges some lie within others", count);
  return TUTTI_OK;
}

/* ---- questions ---- */

/* The last range that begins at or before a rank; without jumps that depend on the ranks. */
static int piece_of(const struct map_ranges *ranges, int rank)
{
  const int *before = ranges->before;
  int guess = (int)(rank * ranges->pieces_per_rank), low = 0;
  if (before[guess] <= rank && rank < before[guess + 1])
    return guess;
  for (int size = ranges->count; size > 1; size -= size / 2)
    low += before[low + size / 2] <= rank ? size / 2 : 0;
  return low;
}

static int select_one(const tutti_map *map, int rank)
{
  int at = piece_of(of(map), rank);
  return of(map)->pieces[at].first + (rank - of(map)->before[at]) * of(map)->pieces[at].stride;
}

static int least_of(const struct map_ranges *ranges, int place)
{
  return ranges->ascending ? span_of(ranges, ranges->ascending[place]).low : ranges->pieces[place].first;
}

static int rank(const tutti_map *map, int member)
{
  const struct map_ranges *ranges = of(map);
  int low = 0;
  for (int size = ranges->count; size > 1; size -= size / 2)
    low += least_of(ranges, low + size / 2) <= member ? size / 2 : 0;
  int at = ranges->ascending ? ranges->ascending[low] : low, length = ranges->before[at + 1] - ranges->before[at];
  int64_t distance = (int64_t)member - ranges->pieces[at].first, stride = ranges->pieces[at].stride;
  bool member_of = distance % stride == 0 && distance / stride >= 0 && distance / stride < length;
  return member_of ? ranges->before[at] + (int)(distance / stride) : -1;
}

static void select_all(const tutti_map *map, int first, int count, int *members)
{
  const struct map_ranges *ranges = of(map);
  int rank = first;
  for (int i = piece_of(ranges, first); rank < first + count; i++) {
    const struct map_piece piece = ranges->pieces[i];
    int end = ranges->before[i + 1];
    for (; rank < end && rank < first + count; rank++)
      *members++ = piece.first + (rank - ranges->before[i]) * piece.stride;
  }
}

/* ---- bytes of RANGES: how many, then first member, stride and length of each ---- */

static void write(const tutti_map *map, FILE *stream)
{
  const struct map_ranges *ranges = (const struct map_ranges *)map;
  tutti_map_write_number(stream, (uint64_t)ranges->count, 4);
  for (int i = 0; i < ranges->count; i++) {
    tutti_map_write_number(stream, (uint64_t)ranges->pieces[i].first, 4);
    tutti_map_write_number(stream, (uint64_t)ranges->pieces[i].stride, 4);
    tutti_map_write_number(stream, (uint64_t)(ranges->before[i + 1] - ranges->before[i]), 4);
  }
}

struct range {
  int64_t first, stride, length; /* below 2^32, so that nothing below overflows */
};

static struct range read_range(struct map_reader *reader)
{
  struct range range = {.first = (int64_t)tutti_map_read_number(reader, 4)};
  range.stride = (int32_t)tutti_map_read_number(reader, 4);
  range.length = (int64_t)tutti_map_read_number(reader, 4);
  return range;
}

static bool is_within(const struct range *range, int room, int world)
{
  int64_t last = range->first + (range->length - 1) * range->stride;
  return range->stride != 0 && range->length >= 1 && range->length <= room && range->first < world && last >= 0 &&
         last < world;
}

/* One range after the other. *ordered: do the members ascend? */
static bool read_pieces(struct map_reader *reader, int size, int world, struct map_ranges *ranges, bool *ordered)
{
  int at = 0;
  int64_t last = -1;
  *ordered = reader->ordered = true;
  for (int i = 0; i < ranges->count; i++) {
    struct range range = read_range(reader);
    if (reader->failed || !is_within(&range, size - at, world))
      return false;
    *ordered = *ordered && range.first > last && range.stride > 0;
    reader->ordered = reader->ordered && range.first > last && (range.stride > 0 || range.length == 1);
    last = range.first + (range.length - 1) * range.stride;
    ranges->pieces[i] = (struct map_piece){(int)range.first, (int)range.stride};
    ranges->before[i] = at;
    at += (int)range.length;
  }
  ranges->before[ranges->count] = size;
  ranges->pieces_per_rank = (double)ranges->count / size;
  return at == size;
}

static tutti_status read(tutti_map *map, struct map_reader *reader, tutti_error *error)
{
  struct map_ranges *ranges = (struct map_ranges *)map;
  uint64_t count = tutti_map_read_number(reader, 4);
  if (reader->failed || count < 1 || count > (uint64_t)map->size || count > (reader->length - reader->at) / 12)
    return tutti_map_malformed(map, "bytes end before the last range, or there is none", error);
  if (!make_room(ranges, (int)count, true))
    return tutti_map_no_memory(map, error);
  bool ordered, good = read_pieces(reader, map->size, map->world, ranges, &ordered);
  if (good && ordered)
    ranges->ascending = NULL; /* its place stays unused */
  if (!good || (!ordered && !map_ranges_order(ranges)))
    return tutti_map_malformed(map, "ranges overlap, leave the world or are not the size of the group", error);
  reader->proven = true;
  return TUTTI_OK;
}

const struct map_operations tutti_map_ranges = {MAP_OPERATIONS(RANGES, map_ranges), MAP_OWNS_MEMORY, .distinct = true};
