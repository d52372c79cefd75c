/* Group maps: the representations by kind, and what is the same for all of them. */
#include "base/numbers.h"
#include "base/words.h"
#include "groups/maps/map_private.h"

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
  return tutti_word_of(names, TUTTI_MAP_KINDS, (int)kind);
}

tutti_status tutti_map_kind_parse(const char *name, tutti_map_kind *kind, tutti_error *error)
{
  const int found = tutti_word_find(names, TUTTI_MAP_KINDS, name);
  char known[160];
  if (found >= 0) {
    *kind = (tutti_map_kind)found;
    return TUTTI_OK;
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no map representation \"%.100s\" (known: %s)", name,
                    tutti_words_list(names, TUTTI_MAP_KINDS, known, sizeof known));
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

tutti_status tutti_map_malformed(const tutti_map *map, const char *what, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"%s\": %s", names[map->operations->kind], what);
}

tutti_status tutti_map_no_memory_for(tutti_map_kind kind, int size, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "map \"%s\": no memory for %d members", names[kind], size);
}

tutti_status tutti_map_no_memory(const tutti_map *map, tutti_error *error)
{
  return tutti_map_no_memory_for(map->operations->kind, map->size, error);
}

/* ---- checks ---- */

enum {
  BLOCK = 256, /* members looked at together: 1 KiB of stack */
  SAMPLES = 8  /* ranks that are tried where RANK is a scan */
};

/* State of walking through a list. */
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

void tutti_map_sort_members(int *members, int size)
{
  qsort(members, (size_t)size, sizeof *members, tutti_compare_ints);
}

/* Sorts @p members. */
static tutti_status check_distinct(int *members, int size, tutti_error *error)
{
  tutti_map_sort_members(members, size);
  for (int i = 1; i < size; i++)
    if (members[i] == members[i - 1])
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map: member %d is there twice", members[i]);
  return TUTTI_OK;
}

static tutti_status no_memory(int size, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "map: no memory to look for duplicates among %d members", size);
}

/* Check that @p members are distinct and within the world. @p ordered receives whether they ascend. O(n) time if they
 * ascend or descend, else O(n log n) time and 4n bytes. */
static tutti_status check_members(const int *members, int size, int world, bool *ordered, tutti_error *error)
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

static tutti_status check_select(const tutti_map *map, bool *ordered, tutti_error *error)
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

tutti_status tutti_map_check_read(const tutti_map *map, struct map_reader *reader, bool *ordered, tutti_error *error)
{
  bool proven = reader->proven;
  reader->proven = false;
  *ordered = reader->ordered;
  return proven ? TUTTI_OK : check_select(map, ordered, error);
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
  tutti_status status = check_select(map, &ordered, error);
  if (status == TUTTI_OK && ordered != map->ordered)
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "map: said to be %sordered, but is not", map->ordered ? "" : "un");
  /* Where RANK searches the results of SELECT, distinct members are proof enough. */
  int step = map->operations->scans && !ordered && map->size > SAMPLES ? map->size / SAMPLES : 1;
  for (int64_t rank = 0; status == TUTTI_OK && rank < map->size; rank += step)
    status = check_rank(map, (int)rank, error);
  return status;
}

/* ---- creation ---- */

static tutti_status check_bytes(const tutti_map *map, const tutti_map_limits *limits, tutti_error *error)
{
  size_t bytes = tutti_map_bytes(map);
  if (limits->bytes == 0 || bytes <= limits->bytes)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "map \"%s\" of %d members takes %zu bytes, the limit is %zu",
                    names[map->operations->kind], map->size, bytes, limits->bytes);
}

tutti_map *tutti_map_new(const struct map_operations *operations, int size, int world, bool ordered)
{
  tutti_map *map = malloc(operations->bytes_of_struct + (size_t)size * operations->bytes_of_member);
  if (map) {
    memset(map, 0, operations->bytes_of_struct);
    *map = (tutti_map){.operations = operations, .size = size, .world = world, .ordered = ordered};
  }
  return map;
}

/* Free a map that failed, else give it away. */
static tutti_status hand_over(tutti_map *made, tutti_status status, tutti_map **map)
{
  if (status == TUTTI_OK)
    *map = made;
  else
    tutti_map_free(made);
  return status;
}

tutti_status tutti_map_create_by(const struct map_operations *operations, const int *members, int size, int world,
                                 const tutti_map_limits *limits, bool ordered, tutti_map **map, tutti_error *error)
{
  tutti_map *made = tutti_map_new(operations, size, world, ordered);
  if (!made)
    return tutti_map_no_memory_for(operations->kind, size, error);
  return hand_over(made, operations->create(made, members, limits, error), map);
}

/* No more memory is asked for than bytes are there. */
tutti_status tutti_map_read_by(const struct map_operations *operations, struct map_reader *reader, int size, int world,
                               tutti_map **map, tutti_error *error)
{
  const tutti_map claimed = {.operations = operations, .size = size};
  if (reader->length - reader->at < (size_t)size * operations->bytes_of_member)
    return tutti_map_malformed(&claimed, "bytes end before the last member", error);
  tutti_map *made = tutti_map_new(operations, size, world, false);
  if (!made)
    return tutti_map_no_memory(&claimed, error);
  return hand_over(made, operations->read(made, reader, error), map);
}

/* @p members are checked. */
static tutti_status create_checked(const struct map_operations *operations, const int *members, int size, int world,
                                   const tutti_map_limits *limits, bool ordered, tutti_map **map, tutti_error *error)
{
  tutti_status status = tutti_map_create_by(operations, members, size, world, limits, ordered, map, error);
  if (status != TUTTI_OK)
    return status;
  status = check_bytes(*map, limits, error);
  if (status != TUTTI_OK)
    tutti_map_free(*map);
  return status;
}

tutti_status tutti_map_create(tutti_map_kind kind, const int *members, int size, int world,
                              const tutti_map_limits *limits, tutti_map **map, tutti_error *error)
{
  const struct map_operations *operations;
  tutti_status status = tutti_map_operations_of(kind, &operations, error);
  if (status != TUTTI_OK)
    return status;
  bool ordered = false;
  status = check_members(members, size, world, &ordered, error);
  if (status != TUTTI_OK)
    return status;
  if (operations->ordered_only && !ordered)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "map \"%s\" holds ordered groups only: members do not ascend",
                      names[kind]);
  tutti_map_limits defaults = tutti_map_limits_default();
  tutti_map *made = NULL;
  status = create_checked(operations, members, size, world, limits ? limits : &defaults, ordered, &made, error);
  if (status == TUTTI_OK)
    *map = made;
  return status;
}

/* ---- any map ---- */

void tutti_map_free(tutti_map *map)
{
  if (map && map->operations->clear)
    map->operations->clear(map);
  free(map);
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
  const struct map_operations *operations = map->operations;
  return operations->bytes_of_struct + (size_t)map->size * operations->bytes_of_member +
         (operations->bytes ? operations->bytes(map) : 0);
}
