/* Bytes of RANGES: how many, then first member, stride and length of each. */
#include "maps/ranges.h"

#include <stdlib.h>

void tutti_map_ranges_write(const tutti_map *map, FILE *stream)
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
  *ordered = true;
  for (int i = 0; i < ranges->count; i++) {
    struct range range = read_range(reader);
    if (reader->failed || !is_within(&range, size - at, world))
      return false;
    *ordered = *ordered && range.first > last && range.stride > 0;
    last = range.first + (range.length - 1) * range.stride;
    ranges->pieces[i] = (struct map_piece){(int)range.first, (int)range.stride};
    ranges->before[i] = at;
    at += (int)range.length;
  }
  ranges->before[ranges->count] = size;
  ranges->pieces_per_rank = (double)ranges->count / size;
  return at == size;
}

tutti_status tutti_map_ranges_read(struct map_reader *reader, int size, int world, tutti_map **map, tutti_error *error)
{
  uint64_t count = tutti_map_read_number(reader, 4);
  if (reader->failed || count < 1 || count > (uint64_t)size || count > (reader->length - reader->at) / 12)
    return tutti_map_malformed(TUTTI_MAP_RANGES, "bytes end before the last range, or there is none", error);
  struct map_ranges *ranges = tutti_map_ranges_make((int)count, true);
  if (!ranges)
    return tutti_map_no_memory(TUTTI_MAP_RANGES, size, error);
  bool ordered, good = read_pieces(reader, size, world, ranges, &ordered);
  if (good && ordered)
    ranges->ascending = NULL; /* its place stays unused */
  if (!good || (!ordered && !tutti_map_ranges_order(ranges))) {
    free(ranges);
    return tutti_map_malformed(TUTTI_MAP_RANGES, "ranges overlap, leave the world or are not the size of the group",
                               error);
  }
  *map = &ranges->map;
  return TUTTI_OK;
}
