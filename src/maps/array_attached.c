/* ARRAY in memory of others: as array.c, behind a pointer, which array.c does without because it is what the others are
 * compared with. */
#include "maps/map_private.h"

#include <stdlib.h>
#include <string.h>

struct attached {
  tutti_map map;
  const int32_t *members; /* [size] */
};

static const struct attached *of(const tutti_map *map)
{
  return (const struct attached *)map;
}

static int select_one(const tutti_map *map, int rank)
{
  return of(map)->members[rank];
}

static int rank(const tutti_map *map, int member)
{
  return tutti_map_array_rank(of(map)->members, map->size, map->ordered, member);
}

static void select_all(const tutti_map *map, int first, int count, int *members)
{
  memcpy(members, of(map)->members + first, (size_t)count * sizeof *members);
}

static size_t bytes(const tutti_map *map)
{
  (void)map;
  return sizeof(struct attached);
}

static void write(const tutti_map *map, FILE *stream)
{
  tutti_map_array_write(of(map)->members, map->size, stream);
}

static tutti_status read(struct map_reader *reader, int size, int world, tutti_map **map, tutti_error *error)
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
                                                        .select = select_one,
                                                        .rank = rank,
                                                        .select_all = select_all,
                                                        .bytes = bytes,
                                                        .write = write,
                                                        .read = read,
                                                        .free = tutti_map_free_block};
