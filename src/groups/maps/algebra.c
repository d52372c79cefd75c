/* Group algebra: union, intersection, difference, translation of ranks, groups by ranks of a group. NULL is the empty
   group throughout. */
#include <stdlib.h>

#include "base/numbers.h"
#include "groups/maps/bits.h"
#include "tutti/map.h"

/* A walk through the members of a map in order of ranks, some at a time. Smaller than 1 KiB: may be on the stack. */
struct member_cursor {
  const tutti_map *map;
  int first, count, at; /* ranks first .. first + count - 1 are in members, at is the next */
  int members[128];
};

/* Finds members: asks the map where that is fast, else an index. */
struct member_lookup {
  const tutti_map *map;
  uint64_t *index; /* [size] member << 32 | rank, ascending; NULL: ask the map */
};

/* Members of a result to be. */
struct member_list {
  int *members;
  int count, world;
};

static int map_size_of(const tutti_map *map)
{
  return map ? map->size : 0;
}

enum { FEW = 8 };

static void cursor_start(struct member_cursor *cursor, const tutti_map *map)
{
  cursor->map = map;
  cursor->first = cursor->count = cursor->at = 0;
}

/* The next member; false at the end. */
static bool cursor_peek(struct member_cursor *cursor, int *member)
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

static bool cursor_next(struct member_cursor *cursor, int *member)
{
  bool there = cursor_peek(cursor, member);
  cursor->at += there;
  return there;
}

static bool ranks_fast(const tutti_map *map)
{
  tutti_map_kind kind = tutti_map_kind_of(map);
  return map->ordered || kind == TUTTI_MAP_RANGE || kind == TUTTI_MAP_PERMUTED;
}

static void fill_index(struct member_lookup *lookup)
{
  struct member_cursor cursor;
  cursor_start(&cursor, lookup->map);
  for (int rank = 0, member; cursor_next(&cursor, &member); rank++)
    lookup->index[rank] = (uint64_t)member << 32 | (uint64_t)rank;
  qsort(lookup->index, (size_t)lookup->map->size, sizeof *lookup->index, tutti_compare_numbers);
}

/* @param queries  how many are to be expected: for few an index is not worth it */
static tutti_status lookup_make(struct member_lookup *lookup, const tutti_map *map, int queries, tutti_error *error)
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

static void lookup_free(struct member_lookup *lookup)
{
  free(lookup->index);
  lookup->index = NULL;
}

/* -1: none. */
static int lookup_rank(const struct member_lookup *lookup, int member)
{
  if (!lookup->map)
    return -1;
  if (!lookup->index)
    return tutti_map_rank(lookup->map, member);
  const int size = lookup->map->size;
  const int at = TUTTI_PARTITION_POINT(int, i, 0, size, (int)(lookup->index[i] >> 32) < member);
  return at < size && (int)(lookup->index[at] >> 32) == member ? (int)(lookup->index[at] & UINT32_MAX) : -1;
}

static tutti_status list_make(struct member_list *list, int64_t capacity, int world, tutti_error *error)
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

static tutti_status create_map(const struct member_list *list, const tutti_map_limits *limits, tutti_map **result,
                               tutti_error *error)
{
  tutti_map_kind kind = ascends(list) ? limits->set_kind : TUTTI_MAP_PERMUTED;
  tutti_status status = tutti_map_create(kind, list->members, list->count, list->world, limits, result, error);
  if (status == TUTTI_ERR_UNSUPPORTED)
    status = tutti_map_create(TUTTI_MAP_ARRAY, list->members, list->count, list->world, limits, result, error);
  return status;
}

/* The map of a list, which is freed; nothing is made if @p status is an error, which is returned. */
static tutti_status list_finish(struct member_list *list, tutti_status status, const tutti_map_limits *limits,
                                tutti_map **result, tutti_error *error)
{
  tutti_map_limits defaults = tutti_map_limits_default();
  tutti_map *made = NULL;
  if (status == TUTTI_OK && list->count > 0)
    status = create_map(list, limits ? limits : &defaults, &made, error);
  free(list->members);
  list->members = NULL;
  if (status == TUTTI_OK)
    *result = made;
  return status;
}

/* ---- union, intersection and difference ---- */

enum { MUCH_LARGER = 16 }; /* a look-up costs about as much as passing this many members */

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
  cursor_start(&from, a);
  cursor_start(&other, b);
  for (int member, against; cursor_next(&from, &member);) {
    bool more;
    while ((more = cursor_peek(&other, &against)) && against < member)
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
  tutti_status status = lookup_make(&lookup, b, map_size_of(a), error);
  if (status != TUTTI_OK)
    return status;
  cursor_start(&from, a);
  for (int member; cursor_next(&from, &member);)
    if ((lookup_rank(&lookup, member) >= 0) == inside)
      list->members[list->count++] = member;
  lookup_free(&lookup);
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
    status = list_make(&list, map_size_of(a), world_of(a, b), error);
  if (status == TUTTI_OK)
    status = filter(a, b, inside, &list, error);
  return list_finish(&list, status, limits, result, error);
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
  return list_make(list, (int64_t)map_size_of(a) + map_size_of(b), world_of(a, b), error);
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
  return list_finish(&list, status, limits, result, error);
}

/* Both ordered. */
static void merge_union(const tutti_map *a, const tutti_map *b, struct member_list *list)
{
  struct member_cursor left, right;
  cursor_start(&left, a);
  cursor_start(&right, b);
  for (;;) {
    int from_left = 0, from_right = 0;
    bool has_left = cursor_peek(&left, &from_left), has_right = cursor_peek(&right, &from_right);
    if (!has_left && !has_right)
      return;
    bool take_left = has_left && (!has_right || from_left <= from_right);
    bool take_right = has_right && (!has_left || from_right <= from_left);
    list->members[list->count++] = take_left ? from_left : from_right;
    left.at += take_left;
    right.at += take_right;
  }
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
    tutti_map_sort_members(list.members, list.count);
  }
  return list_finish(&list, status, limits, result, error);
}

/* ---- two groups beside each other: the rank of the same member, and whether the members are the same ---- */

static tutti_status translate(const tutti_map *a, int rank, const struct member_lookup *b, int *translated,
                              tutti_error *error)
{
  if (rank < -1 || rank >= map_size_of(a))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d is outside the group of %d", rank, map_size_of(a));
  *translated = rank < 0 ? -1 : lookup_rank(b, tutti_map_select(a, rank));
  return TUTTI_OK;
}

tutti_status tutti_map_translate(const tutti_map *a, const int *ranks, int count, const tutti_map *b, int *translated,
                                 tutti_error *error)
{
  struct member_lookup lookup;
  tutti_status status = lookup_make(&lookup, b, count, error);
  for (int i = 0; status == TUTTI_OK && i < count; i++)
    status = translate(a, ranks[i], &lookup, &translated[i], error);
  lookup_free(&lookup);
  return status;
}

/* Whether two groups of one size have the same order. */
static bool same_order(const tutti_map *a, const tutti_map *b)
{
  struct member_cursor left, right;
  cursor_start(&left, a);
  cursor_start(&right, b);
  int from_left, from_right;
  while (cursor_next(&left, &from_left) && cursor_next(&right, &from_right))
    if (from_left != from_right)
      return false;
  return true;
}

static bool within(const tutti_map *a, const struct member_lookup *b)
{
  struct member_cursor cursor;
  cursor_start(&cursor, a);
  for (int member; cursor_next(&cursor, &member);)
    if (lookup_rank(b, member) < 0)
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
  tutti_status status = lookup_make(&lookup, sought, sought->size, error);
  if (status == TUTTI_OK && within(walked, &lookup))
    *relation = TUTTI_MAP_SIMILAR;
  lookup_free(&lookup);
  return status;
}

/* ---- groups by ranks of a group: include, exclude, and both by triplets ---- */

/* Ranks of a group, each at most once. */
struct selection {
  const tutti_map *map;
  struct map_bits chosen; /* [size of the group] */
  struct member_list members;
};

static tutti_status selection_make(struct selection *selection, const tutti_map *map, tutti_error *error)
{
  int size = map_size_of(map);
  *selection = (struct selection){.map = map};
  if (!tutti_map_bits_create(&selection->chosen, size > 0 ? (uint64_t)size : 1))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "group algebra: no memory to mark %d ranks", size);
  return list_make(&selection->members, size, map ? map->world : 0, error);
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

static void include_the_others(struct selection *selection)
{
  struct member_cursor cursor;
  cursor_start(&cursor, selection->map);
  for (int member, rank = 0; cursor_next(&cursor, &member); rank++)
    if (!map_bits_get(&selection->chosen, (uint64_t)rank))
      selection->members.members[selection->members.count++] = member;
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

/* The members of these ranks, by number or by range, in that order, or the other members. */
static tutti_status select_ranks(const tutti_map *map, const int *ranks, const int (*ranges)[3], int count,
                                 bool included, const tutti_map_limits *limits, tutti_map **result, tutti_error *error)
{
  struct selection selection;
  rank_action action = included ? include : choose;
  tutti_status status = selection_make(&selection, map, error);
  for (int i = 0; status == TUTTI_OK && i < count; i++)
    status = ranks ? action(&selection, ranks[i], error) : for_range(&selection, ranges[i], action, error);
  if (status == TUTTI_OK && !included)
    include_the_others(&selection);
  tutti_map_bits_free(&selection.chosen);
  return list_finish(&selection.members, status, limits, result, error);
}

tutti_status tutti_map_include(const tutti_map *map, const int *ranks, int count, const tutti_map_limits *limits,
                               tutti_map **result, tutti_error *error)
{
  return select_ranks(map, ranks, NULL, count, true, limits, result, error);
}

tutti_status tutti_map_exclude(const tutti_map *map, const int *ranks, int count, const tutti_map_limits *limits,
                               tutti_map **result, tutti_error *error)
{
  return select_ranks(map, ranks, NULL, count, false, limits, result, error);
}

tutti_status tutti_map_range_include(const tutti_map *map, const int (*ranges)[3], int count,
                                     const tutti_map_limits *limits, tutti_map **result, tutti_error *error)
{
  return select_ranks(map, NULL, ranges, count, true, limits, result, error);
}

tutti_status tutti_map_range_exclude(const tutti_map *map, const int (*ranges)[3], int count,
                                     const tutti_map_limits *limits, tutti_map **result, tutti_error *error)
{
  return select_ranks(map, NULL, ranges, count, false, limits, result, error);
}
