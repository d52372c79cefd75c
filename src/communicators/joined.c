#include "communicators/joined.h"

static int select_joined(const void *map, int rank)
{
  const struct joined *joined = map;
  return tutti_view_base_rank(joined->parent, tutti_map_select(joined->group, rank));
}

static int rank_joined(const void *map, int member)
{
  const struct joined *joined = map;
  int rank = tutti_view_rank_of(joined->parent, member);
  return rank >= 0 ? tutti_map_rank(joined->group, rank) : -1;
}

tutti_status tutti_joined_make(struct joined *joined, tutti_comm *parent, const tutti_map *group, tutti_error *error)
{
  tutti_space *space = parent->space;
  tutti_status status = tutti_comm_check(parent, error);
  if (status != TUTTI_OK)
    return status;
  if (tutti_map_world(group) > parent->view.size)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a group of %d ranks for a parent of %d", tutti_map_world(group),
                      parent->view.size);
  *joined = (struct joined){.group = group, .parent = &parent->view};
  joined->lookup = (tutti_lookup){joined, tutti_map_size(group), space->size, select_joined, rank_joined};
  status = tutti_view_mapped(&space->world.view, &joined->lookup, &joined->view, error);
  if (status != TUTTI_OK)
    return status;
  tutti_comm_set_tags(parent, &joined->view);
  if (joined->view.rank >= 0)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d of the parent creates a group that it is not in",
                    parent->view.rank);
}

bool tutti_joined_is_range(const tutti_map *group, int *first, int *last)
{
  *first = tutti_map_select(group, 0);
  *last = tutti_map_select(group, tutti_map_size(group) - 1);
  return tutti_map_is_ordered(group) && *last - *first + 1 == tutti_map_size(group);
}
