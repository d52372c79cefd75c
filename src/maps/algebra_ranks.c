/* Groups by ranks of a group: include, exclude, and both by triplets. */
#include <stdlib.h>

#include "maps/algebra_private.h"
#include "maps/bits.h"

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
