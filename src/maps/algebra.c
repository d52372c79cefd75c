/* Union, intersection and difference of groups. */
#include <stdlib.h>

#include "maps/algebra_private.h"

enum { MUCH_LARGER = 16 }; /* a look-up costs about as much as to pass by this many members */

static tutti_status check_worlds(const tutti_map *a, const tutti_map *b, tutti_error *error)
{
  if (!a || !b || a->world == b->world)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "group algebra: one group is of a world of %d, the other of %d",
                    a->world, b->world);
}

static int world_of(const tutti_map *a, const tutti_map *b)
{
  return a ? a->world : b ? b->world : 0;
}

static bool merges(const tutti_map *a, const tutti_map *b)
{
  return a && b && a->ordered && b->ordered && b->size / MUCH_LARGER <= a->size;
}

/* Append what of a is (not) in b; both are ordered. */
static void merge_filter(const tutti_map *a, const tutti_map *b, bool inside, struct member_list *list)
{
  struct member_cursor from, other;
  tutti_map_cursor_start(&from, a);
  tutti_map_cursor_start(&other, b);
  for (int member, against; tutti_map_cursor_next(&from, &member);) {
    bool more;
    while ((more = tutti_map_cursor_peek(&other, &against)) && against < member)
      other.at++;
    if ((more && against == member) == inside)
      list->members[list->count++] = member;
  }
}

static tutti_status lookup_filter(const tutti_map *a, const tutti_map *b, bool inside, struct member_list *list,
                                  tutti_error *error)
{
  struct member_lookup lookup;
  struct member_cursor from;
  tutti_status status = tutti_map_lookup_make(&lookup, b, map_size_of(a), error);
  if (status != TUTTI_OK)
    return status;
  tutti_map_cursor_start(&from, a);
  for (int member; tutti_map_cursor_next(&from, &member);)
    if ((tutti_map_lookup_rank(&lookup, member) >= 0) == inside)
      list->members[list->count++] = member;
  tutti_map_lookup_free(&lookup);
  return TUTTI_OK;
}

/* Append members of a that are (not) in b, in order of a. */
static tutti_status filter(const tutti_map *a, const tutti_map *b, bool inside, struct member_list *list,
                           tutti_error *error)
{
  if (!merges(a, b))
    return lookup_filter(a, b, inside, list, error);
  merge_filter(a, b, inside, list);
  return TUTTI_OK;
}

static tutti_status filtered(const tutti_map *a, const tutti_map *b, bool inside, const tutti_map_limits *limits,
                             tutti_map **result, tutti_error *error)
{
  struct member_list list = {0};
  tutti_status status = check_worlds(a, b, error);
  if (status == TUTTI_OK)
    status = tutti_map_list_make(&list, map_size_of(a), world_of(a, b), error);
  if (status == TUTTI_OK)
    status = filter(a, b, inside, &list, error);
  return tutti_map_list_finish(&list, status, limits, result, error);
}

tutti_status tutti_map_intersection(const tutti_map *a, const tutti_map *b, const tutti_map_limits *limits,
                                    tutti_map **result, tutti_error *error)
{
  return filtered(a, b, true, limits, result, error);
}

tutti_status tutti_map_difference(const tutti_map *a, const tutti_map *b, const tutti_map_limits *limits,
                                  tutti_map **result, tutti_error *error)
{
  return filtered(a, b, false, limits, result, error);
}

static tutti_status make_union_list(const tutti_map *a, const tutti_map *b, struct member_list *list,
                                    tutti_error *error)
{
  *list = (struct member_list){0};
  tutti_status status = check_worlds(a, b, error);
  if (status != TUTTI_OK)
    return status;
  return tutti_map_list_make(list, (int64_t)map_size_of(a) + map_size_of(b), world_of(a, b), error);
}

static tutti_status append_union(const tutti_map *a, const tutti_map *b, struct member_list *list, tutti_error *error)
{
  if (a)
    tutti_map_select_all(a, 0, a->size, list->members);
  list->count = map_size_of(a);
  return filter(b, a, false, list, error);
}

tutti_status tutti_map_union(const tutti_map *a, const tutti_map *b, const tutti_map_limits *limits, tutti_map **result,
                             tutti_error *error)
{
  struct member_list list;
  tutti_status status = make_union_list(a, b, &list, error);
  if (status == TUTTI_OK)
    status = append_union(a, b, &list, error);
  return tutti_map_list_finish(&list, status, limits, result, error);
}

/* Both ordered. */
static void merge_union(const tutti_map *a, const tutti_map *b, struct member_list *list)
{
  struct member_cursor left, right;
  tutti_map_cursor_start(&left, a);
  tutti_map_cursor_start(&right, b);
  for (;;) {
    int from_left, from_right;
    bool has_left = tutti_map_cursor_peek(&left, &from_left), has_right = tutti_map_cursor_peek(&right, &from_right);
    if (!has_left && !has_right)
      return;
    bool take_left = has_left && (!has_right || from_left <= from_right);
    bool take_right = has_right && (!has_left || from_right <= from_left);
    list->members[list->count++] = take_left ? from_left : from_right;
    left.at += take_left;
    right.at += take_right;
  }
}

static int compare(const void *a, const void *b)
{
  int left = *(const int *)a, right = *(const int *)b;
  return (left > right) - (left < right);
}

static bool is_set(const tutti_map *map)
{
  return !map || map->ordered;
}

tutti_status tutti_map_set_union(const tutti_map *a, const tutti_map *b, const tutti_map_limits *limits,
                                 tutti_map **result, tutti_error *error)
{
  struct member_list list;
  tutti_status status = make_union_list(a, b, &list, error);
  if (status == TUTTI_OK && is_set(a) && is_set(b)) {
    merge_union(a, b, &list);
  } else if (status == TUTTI_OK) {
    status = append_union(a, b, &list, error);
    qsort(list.members, (size_t)list.count, sizeof *list.members, compare);
  }
  return tutti_map_list_finish(&list, status, limits, result, error);
}

/* ---- two groups beside each other: the rank of the same member, and whether the members are the same ---- */

static tutti_status translate(const tutti_map *a, int rank, const struct member_lookup *b, int *translated,
                              tutti_error *error)
{
  if (rank < -1 || rank >= map_size_of(a))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d is outside the group of %d", rank, map_size_of(a));
  *translated = rank < 0 ? -1 : tutti_map_lookup_rank(b, tutti_map_select(a, rank));
  return TUTTI_OK;
}

tutti_status tutti_map_translate(const tutti_map *a, const int *ranks, int count, const tutti_map *b, int *translated,
                                 tutti_error *error)
{
  struct member_lookup lookup;
  tutti_status status = tutti_map_lookup_make(&lookup, b, count, error);
  for (int i = 0; status == TUTTI_OK && i < count; i++)
    status = translate(a, ranks[i], &lookup, &translated[i], error);
  tutti_map_lookup_free(&lookup);
  return status;
}

/* Of groups of one size. */
static bool same_order(const tutti_map *a, const tutti_map *b)
{
  struct member_cursor left, right;
  tutti_map_cursor_start(&left, a);
  tutti_map_cursor_start(&right, b);
  int from_left, from_right;
  while (tutti_map_cursor_next(&left, &from_left) && tutti_map_cursor_next(&right, &from_right))
    if (from_left != from_right)
      return false;
  return true;
}

static bool within(const tutti_map *a, const struct member_lookup *b)
{
  struct member_cursor cursor;
  tutti_map_cursor_start(&cursor, a);
  for (int member; tutti_map_cursor_next(&cursor, &member);)
    if (tutti_map_lookup_rank(b, member) < 0)
      return false;
  return true;
}

tutti_status tutti_map_compare(const tutti_map *a, const tutti_map *b, tutti_map_relation *relation, tutti_error *error)
{
  *relation = TUTTI_MAP_UNEQUAL;
  if (map_size_of(a) != map_size_of(b))
    return TUTTI_OK;
  if (same_order(a, b))
    *relation = TUTTI_MAP_IDENT;
  if (*relation == TUTTI_MAP_IDENT || (a->ordered && b->ordered))
    return TUTTI_OK; /* two sets with the same members are in the same order */
  const tutti_map *sought = b->ordered ? b : a, *walked = b->ordered ? a : b; /* sets need no index */
  struct member_lookup lookup;
  tutti_status status = tutti_map_lookup_make(&lookup, sought, sought->size, error);
  if (status == TUTTI_OK && within(walked, &lookup))
    *relation = TUTTI_MAP_SIMILAR;
  tutti_map_lookup_free(&lookup);
  return status;
}
