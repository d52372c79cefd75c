/* RANGE: first + rank * stride, stride of either sign (section 5.1). SELECT and RANK O(1). */
#include "groups/maps/map_private.h"

struct range {
  tutti_map map;
  int first, stride;
};

static const struct range *of(const tutti_map *map)
{
  return (const struct range *)map;
}

static tutti_status create(tutti_map *map, const int *members, const tutti_map_limits *limits, tutti_error *error)
{
  (void)limits;
  int stride = map->size > 1 ? members[1] - members[0] : 1;
  for (int i = 1; i < map->size; i++)
    if (members[i] - members[i - 1] != stride)
      return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "map \"range\": rank %d is member %d, not %lld", i, members[i],
                        (long long)members[i - 1] + stride);
  ((struct range *)map)->first = members[0];
  ((struct range *)map)->stride = stride;
  return TUTTI_OK;
}

static int select_one(const tutti_map *map, int rank)
{
  return (int)(of(map)->first + (int64_t)rank * of(map)->stride);
}

static int rank(const tutti_map *map, int member)
{
  int steps = (member - of(map)->first) / of(map)->stride;
  return steps >= 0 && steps < map->size && select_one(map, steps) == member ? steps : -1;
}

static void select_all(const tutti_map *map, int first, int count, int *members)
{
  int64_t member = select_one(map, first);
  for (int i = 0; i < count; i++, member += of(map)->stride)
    members[i] = (int)member;
}

static void write(const tutti_map *map, FILE *stream)
{
  tutti_map_write_number(stream, (uint32_t)of(map)->first, 4);
  tutti_map_write_number(stream, (uint32_t)of(map)->stride, 4);
}

static tutti_status read(tutti_map *map, struct map_reader *reader, tutti_error *error)
{
  int32_t first = (int32_t)tutti_map_read_number(reader, 4), stride = (int32_t)tutti_map_read_number(reader, 4);
  if (reader->failed)
    return tutti_map_malformed(map, "bytes end before the stride", error);
  int64_t last = first + (int64_t)(map->size - 1) * stride;
  if (stride == 0 || first < 0 || first >= map->world || last < 0 || last >= map->world)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"range\": %d + rank * %d leaves the world of %d", first, stride,
                      map->world);
  reader->proven = true;
  reader->ordered = map->size == 1 || stride > 0;
  ((struct range *)map)->first = first;
  ((struct range *)map)->stride = stride;
  return TUTTI_OK;
}

const struct map_operations tutti_map_range = {MAP_OPERATIONS(RANGE, range), .attaches = true};
