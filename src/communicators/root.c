#include "communicators/root.h"

#include <stdlib.h>

#include "communicators/share.h"

void tutti_root_free(struct root *root)
{
  for (int g = 0; root->maps && g < root->plan.group_count; g++)
    free(root->maps[g]);
  free(root->maps);
  free(root->lengths);
  tutti_plan_free(&root->plan);
  free(root->pleas);
  free(root->base);
  free(root->answers);
}

tutti_status tutti_root_make(struct root *root, const tutti_space *space, const tutti_view *view, tutti_error *error)
{
  size_t size = (size_t)view->size;
  *root = (struct root){.size = view->size,
                        .pleas = malloc(size * sizeof *root->pleas),
                        .base = malloc(size * sizeof *root->base),
                        .answers = calloc(size, sizeof *root->answers)};
  if (!root->pleas || !root->base || !root->answers)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for what %d processes ask", space->rank,
                      view->size);
  for (int r = 0; r < view->size; r++)
    root->base[r] = tutti_view_base_rank(view, r);
  return TUTTI_OK;
}

/* @p members has room for the group. */
static tutti_status make_map(const tutti_space *space, struct root *root, int g, int *members, tutti_error *error)
{
  const struct plan_group *group = &root->plan.groups[g];
  const int *ranks = root->plan.members + group->first;
  tutti_map *map;
  if (root->answers[ranks[0]].status != TUTTI_OK)
    return TUTTI_OK;
  for (int i = 0; i < group->size; i++)
    members[i] = root->base[ranks[i]];
  tutti_status status = tutti_comm_choose_map(space, members, group->size, &map, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_map_serialize(map, &root->maps[g], &root->lengths[g], error);
  tutti_map_free(map);
  for (int i = 0; i < group->size; i++)
    if (root->answers[ranks[i]].previous < 0)
      root->answers[ranks[i]].map_bytes = root->lengths[g];
  return status;
}

static tutti_status make_maps(tutti_space *space, struct root *root, tutti_error *error)
{
  size_t groups = (size_t)root->plan.group_count + 1;
  root->maps = calloc(groups, sizeof *root->maps);
  root->lengths = calloc(groups, sizeof *root->lengths);
  int *members = malloc((size_t)root->size * sizeof *members);
  tutti_status status = TUTTI_OK;
  if (!root->maps || !root->lengths || !members)
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for %zu groups", space->rank, groups);
  for (int g = 0; g < root->plan.group_count && status == TUTTI_OK; g++)
    status = make_map(space, root, g, members, error);
  free(members);
  return status;
}

tutti_status tutti_root_decide(tutti_space *space, struct root *root, bool with_maps, tutti_error *error)
{
  tutti_status status =
      tutti_plan_make(&root->plan, root->pleas, root->base, root->size, MPI_UNDEFINED, root->answers, error);
  if (status == TUTTI_OK && with_maps)
    status = make_maps(space, root, error);
  uint64_t serial = tutti_space_next_serial(space);
  for (int r = 0; r < root->size; r++)
    if (status != TUTTI_OK)
      root->answers[r] = (struct answer){.status = status};
    else
      root->answers[r].serial = serial;
  return status;
}

enum { OUTSTANDING = 16 };

/* The map of a group to the first of those that live together, but to this process itself. */
static tutti_status send_map(tutti_comm *parent, const struct root *root, int g, tutti_error *error)
{
  const struct plan_group *group = &root->plan.groups[g];
  const int *ranks = root->plan.members + group->first;
  tutti_view view = tutti_share_view(parent);
  tutti_request *requests[OUTSTANDING];
  tutti_status status = TUTTI_OK;
  size_t begun = 0;
  for (int i = 0; i < group->size && status == TUTTI_OK; i++) {
    const struct answer *answer = &root->answers[ranks[i]];
    if (answer->map_bytes == 0 || ranks[i] == parent->view.rank)
      continue;
    if (begun == OUTSTANDING) {
      status = tutti_waitall(begun, requests, error);
      begun = 0;
    }
    if (status == TUTTI_OK)
      status = tutti_isend(root->maps[g], root->lengths[g], MPI_BYTE, root->base[ranks[i]], 0, &view, &requests[begun],
                           error);
    begun += status == TUTTI_OK;
  }
  return status == TUTTI_OK ? tutti_waitall(begun, requests, error) : status;
}

tutti_status tutti_root_send_maps(tutti_comm *parent, struct root *root, unsigned char **own, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int g = 0; g < root->plan.group_count && status == TUTTI_OK; g++) {
    const struct plan_group *group = &root->plan.groups[g];
    status = send_map(parent, root, g, error);
    for (int i = 0; i < group->size && status == TUTTI_OK; i++)
      if (root->plan.members[group->first + i] == parent->view.rank && root->answers[parent->view.rank].map_bytes) {
        *own = root->maps[g];
        root->maps[g] = NULL;
      }
  }
  return status;
}
