/* Group maps: the representations by kind, and what is the same for all of them. */
#include "maps/map_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[TUTTI_MAP_KINDS] = {"array", "range",   "ranges",     "bitmap",     "popcount", "bdd",
                                                   "bwt",   "roaring", "elias-fano", "complement", "permuted"};

/* A kind that is missing here is known by name, but not built. */
static const struct map_operations *const representations[TUTTI_MAP_KINDS] = {
    [TUTTI_MAP_ARRAY] = &tutti_map_array,
    [TUTTI_MAP_RANGE] = &tutti_map_range,
    [TUTTI_MAP_RANGES] = &tutti_map_ranges,
    [TUTTI_MAP_BITMAP] = &tutti_map_bitmap,
    [TUTTI_MAP_POPCOUNT] = &tutti_map_popcount,
    [TUTTI_MAP_ROARING] = &tutti_map_roaring,
    [TUTTI_MAP_ELIAS_FANO] = &tutti_map_elias_fano,
    [TUTTI_MAP_BDD] = &tutti_map_bdd,
    [TUTTI_MAP_BWT] = &tutti_map_bwt,
    [TUTTI_MAP_COMPLEMENT] = &tutti_map_complement,
    [TUTTI_MAP_PERMUTED] = &tutti_map_permuted,
};

const char *tutti_map_kind_name(tutti_map_kind kind)
{
  return (unsigned)kind < TUTTI_MAP_KINDS ? names[kind] : NULL;
}

tutti_status tutti_map_kind_parse(const char *name, tutti_map_kind *kind, tutti_error *error)
{
  for (int i = 0; i < TUTTI_MAP_KINDS; i++)
    if (strcmp(name, names[i]) == 0) {
      *kind = (tutti_map_kind)i;
      return TUTTI_OK;
    }
  char known[160] = "";
  size_t length = 0;
  for (int i = 0; i < TUTTI_MAP_KINDS; i++)
    length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", i ? ", " : "", names[i]);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no map representation \"%.100s\" (known: %s)", name, known);
}

tutti_map_limits tutti_map_limits_default(void)
{
  return (tutti_map_limits){.bdd_nodes = 200000, .runs = 65536, .set_kind = TUTTI_MAP_POPCOUNT};
}

tutti_status tutti_map_operations_of(tutti_map_kind kind, const struct map_operations **operations, tutti_error *error)
{
  const char *name = tutti_map_kind_name(kind);
  if (!name)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no map representation has the number %d", (int)kind);
  *operations = representations[kind];
  if (!*operations)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "map representation \"%s\" is not built", name);
  return TUTTI_OK;
}

tutti_status tutti_map_malformed(tutti_map_kind kind, const char *what, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"%s\": %s", names[kind], what);
}

tutti_status tutti_map_no_memory(tutti_map_kind kind, int size, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "map \"%s\": no memory for %d members", names[kind], size);
}

static tutti_status check_bytes(const tutti_map *map, const tutti_map_limits *limits, tutti_error *error)
{
  size_t bytes = tutti_map_bytes(map);
  if (limits->bytes == 0 || bytes <= limits->bytes)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "map \"%s\" of %d members takes %zu bytes, the limit is %zu",
                    names[map->operations->kind], map->size, bytes, limits->bytes);
}

/* @p members are checked. */
static tutti_status create(const struct map_operations *operations, const int *members, int size, int world,
                           const tutti_map_limits *limits, bool ordered, tutti_map **map, tutti_error *error)
{
  tutti_status status = operations->create(members, size, world, limits, map, error);
  if (status != TUTTI_OK)
    return status;
  (*map)->operations = operations;
  (*map)->size = size;
  (*map)->world = world;
  (*map)->ordered = ordered;
  status = check_bytes(*map, limits, error);
  if (status != TUTTI_OK)
    operations->free(*map);
  return status;
}

tutti_status tutti_map_create(tutti_map_kind kind, const int *members, int size, int world,
                              const tutti_map_limits *limits, tutti_map **map, tutti_error *error)
{
  const struct map_operations *operations;
  tutti_status status = tutti_map_operations_of(kind, &operations, error);
  if (status != TUTTI_OK)
    return status;
  bool ordered;
  status = tutti_map_check_members(members, size, world, &ordered, error);
  if (status != TUTTI_OK)
    return status;
  if (operations->ordered_only && !ordered)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "map \"%s\" holds ordered groups only: members do not ascend",
                      names[kind]);
  tutti_map_limits defaults = tutti_map_limits_default();
  tutti_map *made = NULL;
  status = create(operations, members, size, world, limits ? limits : &defaults, ordered, &made, error);
  if (status == TUTTI_OK)
    *map = made;
  return status;
}

void tutti_map_free_block(tutti_map *map)
{
  free(map);
}

void tutti_map_free(tutti_map *map)
{
  if (map)
    map->operations->free(map);
}

tutti_map_kind tutti_map_kind_of(const tutti_map *map)
{
  return map->operations->kind;
}

int tutti_map_size(const tutti_map *map)
{
  return map->size;
}

int tutti_map_world(const tutti_map *map)
{
  return map->world;
}

bool tutti_map_is_ordered(const tutti_map *map)
{
  return map->ordered;
}

int tutti_map_select(const tutti_map *map, int rank)
{
  return map->operations->select(map, rank);
}

int tutti_map_rank(const tutti_map *map, int member)
{
  return member >= 0 && member < map->world ? map->operations->rank(map, member) : -1;
}

bool tutti_map_contains(const tutti_map *map, int member)
{
  return tutti_map_rank(map, member) >= 0;
}

void tutti_map_select_all(const tutti_map *map, int first, int count, int *members)
{
  if (count <= 0)
    return;
  if (map->operations->select_all) {
    map->operations->select_all(map, first, count, members);
    return;
  }
  for (int i = 0; i < count; i++)
    members[i] = map->operations->select(map, first + i);
}

size_t tutti_map_bytes(const tutti_map *map)
{
  return map->operations->bytes(map);
}
