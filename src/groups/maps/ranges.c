/* RANGES: an ordered group as consecutive ranges, each with a stride of its own; 96 bits a range, SELECT and RANK by
 * binary search. Taking each range as long as it goes gives the fewest: what is left of a range when a member is taken
 * off its front is a range again. */
#include "map_private.h"

#include <stdlib.h>

struct piece {
  int first, stride;
  int before; /* members of the ranges before */
};

struct ranges {
  tutti_map map;
  int count;
  struct piece pieces[];
};

static const struct ranges *of(const tutti_map *map)
{
  return (const struct ranges *)map;
}

static size_t bytes_of(int count)
{
  return sizeof(struct ranges) + (size_t)count * sizeof(struct piece);
}

static size_t bytes(const tutti_map *map)
{
  return bytes_of(of(map)->count);
}

/* How many members from the first on have the distance of the first two. */
static int length_of(const int *members, int size)
{
  int length = size < 2 ? size : 2;
  while (length < size && members[length] - members[length - 1] == members[1] - members[0])
    length++;
  return length;
}

static int count_pieces(const int *members, int size)
{
  int count = 0;
  for (int i = 0; i < size; count++)
    i += length_of(members + i, size - i);
  return count;
}

static struct ranges *make(int count)
{
  struct ranges *ranges = malloc(bytes_of(count));
  if (ranges)
    ranges->count = count;
  return ranges;
}

static tutti_status create(const int *members, int size, int world, const tutti_map_limits *limits, tutti_map **map,
                           tutti_error *error)
{
  (void)world, (void)limits;
  int count = count_pieces(members, size);
  if (count > 1 && bytes_of(count) > sizeof(struct ranges) + (size_t)size * sizeof *members)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "map \"ranges\": %d members make %d ranges, more than an array",
                      size, count);
  struct ranges *ranges = make(count);
  if (!ranges)
    return map_no_memory(TUTTI_MAP_RANGES, size, error);
  for (int i = 0, at = 0; i < count; i++) {
    int length = length_of(members + at, size - at);
    ranges->pieces[i] = (struct piece){members[at], length > 1 ? members[at + 1] - members[at] : 1, at};
    at += length;
  }
  *map = &ranges->map;
  return TUTTI_OK;
}

static int end_of(const struct ranges *ranges, int size, int piece)
{
  return piece + 1 < ranges->count ? ranges->pieces[piece + 1].before : size;
}

/* The last range that begins at or before a rank. */
static int piece_of(const struct ranges *ranges, int rank)
{
  int low = 0, high = ranges->count;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (ranges->pieces[middle].before <= rank)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static int select_one(const tutti_map *map, int rank)
{
  const struct piece *piece = &of(map)->pieces[piece_of(of(map), rank)];
  return piece->first + (rank - piece->before) * piece->stride;
}

static int rank(const tutti_map *map, int member)
{
  const struct ranges *ranges = of(map);
  int low = 0, high = ranges->count;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (ranges->pieces[middle].first <= member)
      low = middle;
    else
      high = middle;
  }
  const struct piece *piece = &ranges->pieces[low];
  if (member < piece->first || (member - piece->first) % piece->stride != 0)
    return -1;
  int rank = piece->before + (member - piece->first) / piece->stride;
  return rank < end_of(ranges, map->size, low) ? rank : -1;
}

static void select_all(const tutti_map *map, int first, int count, int *members)
{
  const struct ranges *ranges = of(map);
  int rank = first;
  for (int i = piece_of(ranges, first); rank < first + count; i++) {
    const struct piece *piece = &ranges->pieces[i];
    int end = end_of(ranges, map->size, i);
    for (; rank < end && rank < first + count; rank++)
      *members++ = piece->first + (rank - piece->before) * piece->stride;
  }
}

static void write(const tutti_map *map, FILE *stream)
{
  const struct ranges *ranges = of(map);
  map_write_number(stream, (uint64_t)ranges->count, 4);
  for (int i = 0; i < ranges->count; i++) {
    map_write_number(stream, (uint64_t)ranges->pieces[i].first, 4);
    map_write_number(stream, (uint64_t)ranges->pieces[i].stride, 4);
    map_write_number(stream, (uint64_t)(end_of(ranges, map->size, i) - ranges->pieces[i].before), 4);
  }
}

/* One range after the others: whether it follows what came before. */
static bool read_piece(struct map_reader *reader, int size, int world, int64_t *after, int *at, struct piece *piece)
{
  uint64_t first = map_read_number(reader, 4), stride = map_read_number(reader, 4), length = map_read_number(reader, 4);
  if (reader->failed || stride < 1 || length < 1 || length > (uint64_t)(size - *at) || (int64_t)first < *after)
    return false;
  uint64_t last = first + (length - 1) * stride; /* below 2^64: each is below 2^32, length even below 2^31 */
  if (last >= (uint64_t)world || stride > INT32_MAX)
    return false;
  *piece = (struct piece){(int)first, (int)stride, *at};
  *after = (int64_t)last + 1;
  *at += (int)length;
  return true;
}

static tutti_status read(struct map_reader *reader, int size, int world, tutti_map **map, tutti_error *error)
{
  uint64_t count = map_read_number(reader, 4);
  if (reader->failed || count < 1 || count > (uint64_t)size || count > (reader->length - reader->at) / 12)
    return map_malformed(TUTTI_MAP_RANGES, "bytes end before the last range, or there is none", error);
  struct ranges *ranges = make((int)count);
  if (!ranges)
    return map_no_memory(TUTTI_MAP_RANGES, size, error);
  int64_t after = 0;
  int at = 0;
  bool good = true;
  for (int i = 0; good && i < (int)count; i++)
    good = read_piece(reader, size, world, &after, &at, &ranges->pieces[i]);
  if (!good || at != size) {
    free(ranges);
    return map_malformed(TUTTI_MAP_RANGES, "ranges overlap, leave the world or are not the size of the group", error);
  }
  *map = &ranges->map;
  return TUTTI_OK;
}

static void free_ranges(tutti_map *map)
{
  free(map);
}

const struct map_operations map_ranges = {.kind = TUTTI_MAP_RANGES,
                                          .ordered_only = true,
                                          .create = create,
                                          .select = select_one,
                                          .rank = rank,
                                          .select_all = select_all,
                                          .bytes = bytes,
                                          .write = write,
                                          .read = read,
                                          .free = free_ranges};
