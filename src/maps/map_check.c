#include "maps/map_private.h"

#include <stdlib.h>
#include <string.h>

enum {
  BLOCK = 256, /* members looked at together: 1 KiB of stack */
  SAMPLES = 8  /* ranks that are tried where RANK is a scan */
};

/* What has been seen of a list so far. */
struct walk {
  int world, count, last;
  bool ascends, descends;
};

static tutti_status see(struct walk *walk, const int *members, int count, tutti_error *error)
{
  for (int i = 0; i < count; i++, walk->count++) {
    if (members[i] < 0 || members[i] >= walk->world)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map: rank %d is member %d, outside the world of %d", walk->count,
                        members[i], walk->world);
    walk->ascends &= walk->count == 0 || members[i] > walk->last;
    walk->descends &= walk->count == 0 || members[i] < walk->last;
    walk->last = members[i];
  }
  return TUTTI_OK;
}

static int compare(const void *a, const void *b)
{
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* Sorts @p members. */
static tutti_status check_distinct(int *members, int size, tutti_error *error)
{
  qsort(members, (size_t)size, sizeof *members, compare);
  for (int i = 1; i < size; i++)
    if (members[i] == members[i - 1])
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map: member %d is there twice", members[i]);
  return TUTTI_OK;
}

static tutti_status no_memory(int size, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "map: no memory to look for duplicates among %d members", size);
}

tutti_status tutti_map_check_members(const int *members, int size, int world, bool *ordered, tutti_error *error)
{
  if (size < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map: a group has at least one member, not %d", size);
  struct walk walk = {.world = world, .ascends = true, .descends = true};
  tutti_status status = see(&walk, members, size, error);
  *ordered = walk.ascends;
  if (status != TUTTI_OK || walk.ascends || walk.descends)
    return status;
  int *sorted = malloc((size_t)size * sizeof *sorted);
  if (!sorted)
    return no_memory(size, error);
  memcpy(sorted, members, (size_t)size * sizeof *sorted);
  status = check_distinct(sorted, size, error);
  free(sorted);
  return status;
}

static tutti_status see_map(struct walk *walk, const tutti_map *map, tutti_error *error)
{
  int members[BLOCK];
  while (walk->count < map->size) {
    int left = map->size - walk->count, count = left < BLOCK ? left : BLOCK;
    tutti_map_select_all(map, walk->count, count, members);
    tutti_status status = see(walk, members, count, error);
    if (status != TUTTI_OK)
      return status;
  }
  return TUTTI_OK;
}

tutti_status tutti_map_check_select(const tutti_map *map, bool *ordered, tutti_error *error)
{
  struct walk walk = {.world = map->world, .ascends = true, .descends = true};
  tutti_status status = see_map(&walk, map, error);
  *ordered = walk.ascends;
  if (status != TUTTI_OK || walk.ascends || walk.descends || map->operations->distinct)
    return status;
  int *members = malloc((size_t)map->size * sizeof *members);
  if (!members)
    return no_memory(map->size, error);
  tutti_map_select_all(map, 0, map->size, members);
  status = check_distinct(members, map->size, error);
  free(members);
  return status;
}

static tutti_status check_rank(const tutti_map *map, int rank, tutti_error *error)
{
  int member = tutti_map_select(map, rank), back = tutti_map_rank(map, member);
  if (back == rank)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"%s\": rank %d is member %d, but that is rank %d",
                    tutti_map_kind_name(tutti_map_kind_of(map)), rank, member, back);
}

tutti_status tutti_map_validate(const tutti_map *map, tutti_error *error)
{
  if (map->size < 1 || map->size > map->world)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map: %d members of a world of %d", map->size, map->world);
  bool ordered;
  tutti_status status = tutti_map_check_select(map, &ordered, error);
  if (status == TUTTI_OK && ordered != map->ordered)
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "map: said to be %sordered, but is not", map->ordered ? "" : "un");
  /* Where RANK looks for what SELECT gives, distinct members are proof enough. */
  int step = map->operations->scans && !ordered && map->size > SAMPLES ? map->size / SAMPLES : 1;
  for (int64_t rank = 0; status == TUTTI_OK && rank < map->size; rank += step)
    status = check_rank(map, (int)rank, error);
  return status;
}
