/* Two groups beside each other: the rank of the same member, and whether the members are the same. */
#include "maps/algebra_private.h"

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
