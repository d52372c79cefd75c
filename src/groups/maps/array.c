/* ARRAY: 32 bits a member. SELECT O(1); RANK O(log n) by binary search if ordered, else a scan of O(n): an inverse
 * would take the same memory again. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "groups/maps/map_private.h"

struct array {
  tutti_map map;
  int32_t members[];
};

static const struct array *of(const tutti_map *map)
{
  return (const struct array *)map;
}

static size_t bytes_of(int size)
{
  return sizeof(struct array) + (size_t)size * sizeof(int32_t);
}

static size_t bytes(const tutti_map *map)
{
  return bytes_of(map->size);
}

static tutti_status create(const int *members, int size, int world, const tutti_map_limits *limits, tutti_map **map,
                           tutti_error *error)
{
  (void)world, (void)limits;
  struct array *array = malloc(bytes_of(size));
  if (!array)
    return tutti_map_no_memory(TUTTI_MAP_ARRAY, size, error);
  for (int i = 0; i < size; i++)
    array->members[i] = members[i];
  *map = &array->map;
  return TUTTI_OK;
}

static int select_one(const tutti_map *map, int rank)
{
  return of(map)->members[rank];
}

static int search(const int32_t *members, int size, int member)
{
  int low = 0, high = size;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (members[middle] < member)
      low = middle + 1;
    else
      high = middle;
  }
  return low < size && members[low] == member ? low : -1;
}

/* A search if members are ordered, else a scan. */
static int find_rank(const int32_t *members, int size, bool ordered, int member)
{
  if (ordered)
    return search(members, size, member);
  for (int i = 0; i < size; i++)
    if (members[i] == member)
      return i;
  return -1;
}

static void write_members(const int32_t *members, int size, FILE *stream)
{
  for (int i = 0; i < size; i++)
    tutti_map_write_number(stream, (uint64_t)members[i], 4);
}

static int rank(const tutti_map *map, int member)
{
  return find_rank(of(map)->members, map->size, map->ordered, member);
}

static void select_all(const tutti_map *map, int first, int count, int *members)
{
  static_assert(sizeof *members == sizeof(int32_t), "members are copied as they are");
  memcpy(members, of(map)->members + first, (size_t)count * sizeof *members);
}

static void write(const tutti_map *map, FILE *stream)
{
  write_members(of(map)->members, map->size, stream);
}

static tutti_status read(struct map_reader *reader, int size, int world, tutti_map **map, tutti_error *error)
{
  (void)world; /* members are checked by the caller */
  if (reader->length - reader->at < (size_t)size * 4)
    return tutti_map_malformed(TUTTI_MAP_ARRAY, "bytes end before the last member", error);
  struct array *array = malloc(bytes_of(size));
  if (!array)
    return tutti_map_no_memory(TUTTI_MAP_ARRAY, size, error);
  for (int i = 0; i < size; i++)
    array->members[i] = (int32_t)tutti_map_read_number(reader, 4);
  *map = &array->map;
  return TUTTI_OK;
}

const struct map_operations tutti_map_array = {.kind = TUTTI_MAP_ARRAY,
                                               .scans = true,
                                               .create = create,
                                               .select = select_one,
                                               .rank = rank,
                                               .select_all = select_all,
                                               .bytes = bytes,
                                               .write = write,
                                               .read = read,
                                               .free = tutti_map_free_block};

/* ARRAY in memory of others: as array.c, through a pointer, which array.c avoids because other representations are
 * compared with it. */

struct attached {
  tutti_map map;
  const int32_t *members; /* [size] */
};

static const struct attached *attached_of(const tutti_map *map)
{
  return (const struct attached *)map;
}

static int attached_select_one(const tutti_map *map, int rank)
{
  return attached_of(map)->members[rank];
}

static int attached_rank(const tutti_map *map, int member)
{
  return find_rank(attached_of(map)->members, map->size, map->ordered, member);
}

static void attached_select_all(const tutti_map *map, int first, int count, int *members)
{
  memcpy(members, attached_of(map)->members + first, (size_t)count * sizeof *members);
}

static size_t attached_bytes(const tutti_map *map)
{
  (void)map;
  return sizeof(struct attached);
}

static void attached_write(const tutti_map *map, FILE *stream)
{
  write_members(attached_of(map)->members, map->size, stream);
}

static tutti_status attached_read(struct map_reader *reader, int size, int world, tutti_map **map, tutti_error *error)
{
  (void)world; /* members are checked by the caller */
  const unsigned char *members = tutti_map_read_bytes(reader, (size_t)size * sizeof(int32_t));
  if (!members)
    return tutti_map_malformed(TUTTI_MAP_ARRAY, "bytes end before the last member", error);
  struct attached *attached = malloc(sizeof *attached);
  if (!attached)
    return tutti_map_no_memory(TUTTI_MAP_ARRAY, size, error);
  attached->members = (const int32_t *)(const void *)members;
  *map = &attached->map;
  return TUTTI_OK;
}

const struct map_operations tutti_map_array_attached = {.kind = TUTTI_MAP_ARRAY,
                                                        .scans = true,
                                                        .attaches = true,
                                                        .select = attached_select_one,
                                                        .rank = attached_rank,
                                                        .select_all = attached_select_all,
                                                        .bytes = attached_bytes,
                                                        .write = attached_write,
                                                        .read = attached_read,
                                                        .free = tutti_map_free_block};
