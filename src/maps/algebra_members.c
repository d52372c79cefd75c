#include <stdlib.h>

#include "maps/algebra_private.h"
#include "maps/bits.h"

enum { FEW = 8 };

void tutti_map_cursor_start(struct member_cursor *cursor, const tutti_map *map)
{
  cursor->map = map;
  cursor->first = cursor->count = cursor->at = 0;
}

bool tutti_map_cursor_peek(struct member_cursor *cursor, int *member)
{
  int capacity = (int)(sizeof cursor->members / sizeof *cursor->members);
  if (cursor->at == cursor->count) {
    cursor->first += cursor->count;
    int left = map_size_of(cursor->map) - cursor->first;
    cursor->count = left < capacity ? left : capacity;
    cursor->at = 0;
    if (cursor->count == 0)
      return false;
    tutti_map_select_all(cursor->map, cursor->first, cursor->count, cursor->members);
  }
  *member = cursor->members[cursor->at];
  return true;
}

bool tutti_map_cursor_next(struct member_cursor *cursor, int *member)
{
  bool there = tutti_map_cursor_peek(cursor, member);
  cursor->at += there;
  return there;
}

static bool ranks_fast(const tutti_map *map)
{
  tutti_map_kind kind = tutti_map_kind_of(map);
  return map->ordered || kind == TUTTI_MAP_RANGE || kind == TUTTI_MAP_PERMUTED;
}

static int compare(const void *a, const void *b)
{
  uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return (left > right) - (left < right);
}

static void fill_index(struct member_lookup *lookup)
{
  struct member_cursor cursor;
  tutti_map_cursor_start(&cursor, lookup->map);
  for (int rank = 0, member; tutti_map_cursor_next(&cursor, &member); rank++)
    lookup->index[rank] = (uint64_t)member << 32 | (uint64_t)rank;
  qsort(lookup->index, (size_t)lookup->map->size, sizeof *lookup->index, compare);
}

tutti_status tutti_map_lookup_make(struct member_lookup *lookup, const tutti_map *map, int queries, tutti_error *error)
{
  *lookup = (struct member_lookup){.map = map};
  if (!map || queries <= FEW || ranks_fast(map))
    return TUTTI_OK;
  lookup->index = malloc((size_t)map->size * sizeof *lookup->index);
  if (!lookup->index)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "group algebra: no memory for an index of %d members", map->size);
  fill_index(lookup);
  return TUTTI_OK;
}

void tutti_map_lookup_free(struct member_lookup *lookup)
{
  free(lookup->index);
  lookup->index = NULL;
}

int tutti_map_lookup_rank(const struct member_lookup *lookup, int member)
{
  if (!lookup->map)
    return -1;
  if (!lookup->index)
    return tutti_map_rank(lookup->map, member);
  int low = 0, high = lookup->map->size;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if ((int)(lookup->index[middle] >> 32) < member)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < lookup->map->size && (int)(lookup->index[low] >> 32) == member;
  return found ? (int)(lookup->index[low] & UINT32_MAX) : -1;
}

tutti_status tutti_map_list_make(struct member_list *list, int64_t capacity, int world, tutti_error *error)
{
  *list = (struct member_list){.world = world};
  if (capacity > world)
    capacity = world; /* distinct members are not more */
  list->members = malloc((size_t)(capacity > 0 ? capacity : 1) * sizeof *list->members);
  return list->members
             ? TUTTI_OK
             : tutti_fail(error, TUTTI_ERR_MEMORY, "group algebra: no memory for %lld members", (long long)capacity);
}

static bool ascends(const struct member_list *list)
{
  for (int i = 1; i < list->count; i++)
    if (list->members[i] < list->members[i - 1])
      return false;
  return true;
}

static tutti_status make(const struct member_list *list, const tutti_map_limits *limits, tutti_map **result,
                         tutti_error *error)
{
  tutti_map_kind kind = ascends(list) ? limits->set_kind : TUTTI_MAP_PERMUTED;
  tutti_status status = tutti_map_create(kind, list->members, list->count, list->world, limits, result, error);
  if (status == TUTTI_ERR_UNSUPPORTED)
    status = tutti_map_create(TUTTI_MAP_ARRAY, list->members, list->count, list->world, limits, result, error);
  return status;
}

tutti_status tutti_map_list_finish(struct member_list *list, tutti_status status, const tutti_map_limits *limits,
                                   tutti_map **result, tutti_error *error)
{
  tutti_map_limits defaults = tutti_map_limits_default();
  tutti_map *made = NULL;
  if (status == TUTTI_OK && list->count > 0)
    status = make(list, limits ? limits : &defaults, &made, error);
  free(list->members);
  list->members = NULL;
  if (status == TUTTI_OK)
    *result = made;
  return status;
}

/* ---- groups by ranks of a group: include, exclude, and both by triplets ---- */

/* Ranks of a group, each at most once. */
struct selection {
  const tutti_map *map;
  struct map_bits chosen; /* [size of the group] */
  struct member_list members;
};

/* @param capacity  most members to be listed */
static tutti_status selection_make(struct selection *selection, const tutti_map *map, int64_t capacity,
                                   tutti_error *error)
{
  int size = map_size_of(map);
  *selection = (struct selection){.map = map};
  if (!tutti_map_bits_create(&selection->chosen, size > 0 ? (uint64_t)size : 1))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "group algebra: no memory to mark %d ranks", size);
  return tutti_map_list_make(&selection->members, capacity < size ? capacity : size, map ? map->world : 0, error);
}

static tutti_status selection_finish(struct selection *selection, tutti_status status, const tutti_map_limits *limits,
                                     tutti_map **result, tutti_error *error)
{
  if (selection->chosen.words)
    tutti_map_bits_free(&selection->chosen);
  return tutti_map_list_finish(&selection->members, status, limits, result, error);
}

static tutti_status choose(struct selection *selection, int64_t rank, tutti_error *error)
{
  int size = map_size_of(selection->map);
  if (rank < 0 || rank >= size)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %lld is outside the group of %d", (long long)rank, size);
  if (map_bits_get(&selection->chosen, (uint64_t)rank))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %lld is named twice", (long long)rank);
  map_bits_set(&selection->chosen, (uint64_t)rank);
  return TUTTI_OK;
}

static tutti_status include(struct selection *selection, int64_t rank, tutti_error *error)
{
  tutti_status status = choose(selection, rank, error);
  if (status == TUTTI_OK)
    selection->members.members[selection->members.count++] = tutti_map_select(selection->map, (int)rank);
  return status;
}

static void take_the_others(struct selection *selection)
{
  struct member_cursor cursor;
  tutti_map_cursor_start(&cursor, selection->map);
  for (int member, rank = 0; tutti_map_cursor_next(&cursor, &member); rank++)
    if (!map_bits_get(&selection->chosen, (uint64_t)rank))
      selection->members.members[selection->members.count++] = member;
}

tutti_status tutti_map_include(const tutti_map *map, const int *ranks, int count, const tutti_map_limits *limits,
                               tutti_map **result, tutti_error *error)
{
  struct selection selection;
  tutti_status status = selection_make(&selection, map, count, error);
  for (int i = 0; status == TUTTI_OK && i < count; i++)
    status = include(&selection, ranks[i], error);
  return selection_finish(&selection, status, limits, result, error);
}

tutti_status tutti_map_exclude(const tutti_map *map, const int *ranks, int count, const tutti_map_limits *limits,
                               tutti_map **result, tutti_error *error)
{
  struct selection selection;
  tutti_status status = selection_make(&selection, map, map_size_of(map), error);
  for (int i = 0; status == TUTTI_OK && i < count; i++)
    status = choose(&selection, ranks[i], error);
  if (status == TUTTI_OK)
    take_the_others(&selection);
  return selection_finish(&selection, status, limits, result, error);
}

typedef tutti_status (*rank_action)(struct selection *selection, int64_t rank, tutti_error *error);

/* A rank is refused the second time: no more steps than ranks. */
static tutti_status for_range(struct selection *selection, const int range[3], rank_action action, tutti_error *error)
{
  int64_t first = range[0], last = range[1], stride = range[2];
  if (stride == 0 || (first < last && stride < 0) || (first > last && stride > 0))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "range %d, %d, %d: the stride does not lead from first to last",
                      range[0], range[1], range[2]);
  tutti_status status = TUTTI_OK;
  for (int64_t rank = first; status == TUTTI_OK && (stride > 0 ? rank <= last : rank >= last); rank += stride)
    status = action(selection, rank, error);
  return status;
}

tutti_status tutti_map_range_include(const tutti_map *map, const int (*ranges)[3], int count,
                                     const tutti_map_limits *limits, tutti_map **result, tutti_error *error)
{
  struct selection selection;
  tutti_status status = selection_make(&selection, map, map_size_of(map), error);
  for (int i = 0; status == TUTTI_OK && i < count; i++)
    status = for_range(&selection, ranges[i], include, error);
  return selection_finish(&selection, status, limits, result, error);
}

tutti_status tutti_map_range_exclude(const tutti_map *map, const int (*ranges)[3], int count,
                                     const tutti_map_limits *limits, tutti_map **result, tutti_error *error)
{
  struct selection selection;
  tutti_status status = selection_make(&selection, map, map_size_of(map), error);
  for (int i = 0; status == TUTTI_OK && i < count; i++)
    status = for_range(&selection, ranges[i], choose, error);
  if (status == TUTTI_OK)
    take_the_others(&selection);
  return selection_finish(&selection, status, limits, result, error);
}
