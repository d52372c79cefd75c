#include "maps/algebra_private.h"

#include <stdlib.h>

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
