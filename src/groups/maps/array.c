/* ARRAY: 32 bits a member. SELECT O(1); RANK O(log n) by binary search if ordered, else a scan of O(n): an inverse
 * would take the same memory again. */
#include <assert.h>
#include <string.h>

#include "base/numbers.h"
#include "groups/maps/map_private.h"

struct array {
  tutti_map map;
  int32_t members[];
};

static const struct array *of(const tutti_map *map)
{
  return (const struct array *)map;
}

static tutti_status create(tutti_map *map, const int *members, const tutti_map_limits *limits, tutti_error *error)
{
  (void)limits, (void)error;
  memcpy(((struct array *)map)->members, members, (size_t)map->size * sizeof *members);
  return TUTTI_OK;
}

static int select_one(const tutti_map *map, int rank)
{
  return of(map)->members[rank];
}

static int search(const int32_t *members, int size, int member)
{
  const int found = TUTTI_PARTITION_POINT(int, i, 0, size, members[i] < member);
  return found < size && members[found] == member ? found : -1;
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

/* Members are checked by the caller. */
static tutti_status read(tutti_map *map, struct map_reader *reader, tutti_error *error)
{
  (void)error;
  for (int i = 0; i < map->size; i++)
    ((struct array *)map)->members[i] = (int32_t)tutti_map_read_number(reader, 4);
  return TUTTI_OK;
}

const struct map_operations tutti_map_array = {MAP_OPERATIONS(ARRAY, array), .bytes_of_member = sizeof(int32_t),
                                               .scans = true};

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

static void attached_write(const tutti_map *map, FILE *stream)
{
  write_members(attached_of(map)->members, map->size, stream);
}

static tutti_status attached_read(tutti_map *map, struct map_reader *reader, tutti_error *error)
{
  const unsigned char *members = tutti_map_read_bytes(reader, (size_t)map->size * sizeof(int32_t));
  if (!members)
    return tutti_map_malformed(map, "bytes end before the last member", error);
  ((struct attached *)map)->members = (const int32_t *)(const void *)members;
  return TUTTI_OK;
}

const struct map_operations tutti_map_array_attached = {
    .kind = TUTTI_MAP_ARRAY,
    .bytes_of_struct = sizeof(struct attached),
    .scans = true,
    .attaches = true,
    .select = attached_select_one,
    .rank = attached_rank,
    .select_all = attached_select_all,
    .write = attached_write,
    .read = attached_read,
};
