/* MPI_Comm_split by procedure 1: the root gathers, decides and answers. */
#include <stdlib.h>

#include "groups/communicators/context_pool.h"
#include "groups/communicators/plan.h"

/* State of the root: O(size) bytes. All zero: empty. */
struct root {
  int size;
  bool permutes;                     /* keys are the new ranks of one group */
  const struct shared_map *permuted; /* the map that it keeps; NULL: none */
  struct plea *pleas;                /* [size] */
  int *base;                         /* [size] ranks of the context pool */
  struct answer *answers;            /* [size] */
  struct plan plan;
  unsigned char **maps; /* [groups] serialized */
  size_t *lengths;      /* [groups] */
};

static void root_free(struct root *root)
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

/* For the ranks of a view. */
static tutti_status root_make(struct root *root, const tutti_context_pool *contexts, const tutti_view *view,
                              tutti_error *error)
{
  size_t size = (size_t)view->size;
  *root = (struct root){.size = view->size,
                        .pleas = malloc(size * sizeof *root->pleas),
                        .base = malloc(size * sizeof *root->base),
                        .answers = calloc(size, sizeof *root->answers)};
  if (!root->pleas || !root->base || !root->answers)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for what %d processes ask", contexts->rank,
                      view->size);
  for (int r = 0; r < view->size; r++)
    root->base[r] = tutti_view_base_rank(view, r);
  return TUTTI_OK;
}

/* @p members has room for the group. */
static tutti_status make_map(const tutti_context_pool *contexts, struct root *root, int g, int *members,
                             tutti_error *error)
{
  const struct plan_group *group = &root->plan.groups[g];
  const int *ranks = root->plan.members + group->first;
  tutti_map *map;
  if (root->answers[ranks[0]].status != TUTTI_OK)
    return TUTTI_OK;
  for (int i = 0; i < group->size; i++)
    members[i] = !root->permuted         ? root->base[ranks[i]]
                 : root->permuted->below ? tutti_map_select(root->permuted->map, ranks[i])
                                         : ranks[i];
  tutti_status status = tutti_map_choose(contexts->options.strategy, members, group->size,
                                         root->permuted ? root->size : contexts->size, NULL, &map, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_map_serialize(map, &root->maps[g], &root->lengths[g], error);
  tutti_map_free(map);
  for (int i = 0; i < group->size; i++)
    if (root->answers[ranks[i]].previous < 0)
      root->answers[ranks[i]].map_bytes = root->lengths[g];
  return status;
}

static tutti_status make_maps(tutti_context_pool *contexts, struct root *root, tutti_error *error)
{
  size_t groups = (size_t)root->plan.group_count + 1;
  root->maps = calloc(groups, sizeof *root->maps);
  root->lengths = calloc(groups, sizeof *root->lengths);
  int *members = malloc((size_t)root->size * sizeof *members);
  tutti_status status = TUTTI_OK;
  if (!root->maps || !root->lengths || !members)
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for %zu groups", contexts->rank, groups);
  for (int g = 0; g < root->plan.group_count && status == TUTTI_OK; g++)
    status = make_map(contexts, root, g, members, error);
  free(members);
  return status;
}

/* Check that the keys are 0 .. size - 1; members of the plan are in their order. */
static tutti_status check_permutation(const struct root *root, tutti_error *error)
{
  for (int i = 0; i < root->size; i++) {
    int rank = root->plan.members[i];
    if (root->pleas[rank].key != i)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "process %d: new rank %d of %d is outside or taken twice",
                        root->base[rank], root->pleas[rank].key, root->size);
  }
  return TUTTI_OK;
}

/* From the pleas to the answers, which also have an error. @param with_maps  also make the maps of the groups */
static tutti_status root_decide(tutti_context_pool *contexts, struct root *root, bool with_maps, tutti_error *error)
{
  tutti_status status =
      tutti_plan_make(&root->plan, root->pleas, root->base, root->size, MPI_UNDEFINED, root->answers, error);
  if (status == TUTTI_OK && root->permutes)
    status = check_permutation(root, error);
  if (status == TUTTI_OK && with_maps)
    status = make_maps(contexts, root, error);
  uint64_t serial = tutti_context_pool_next_serial(contexts);
  for (int r = 0; r < root->size; r++)
    if (status != TUTTI_OK)
      root->answers[r] = (struct answer){.status = status};
    else
      root->answers[r].serial = serial;
  return status;
}

enum { OUTSTANDING = 16 };

/* The map of a group to the first of its members on each node, except to this process itself. */
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

/* Send maps, each to the first member on a node. @param own  receives the bytes for this process if it is
   one of them, to be freed */
static tutti_status root_send_maps(tutti_comm *parent, struct root *root, unsigned char **own, tutti_error *error)
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

/* Procedure 1 (Kamal, Mirtaheri, Wagner 2010, section 4). The root makes the map of a group once and sends it as bytes:
 * fewer than those of a list of members, the representation is chosen once and not at each place, and the receiver
 * checks it. Members receive their rank, so that no search is needed. */

static tutti_method binomial(tutti_collective collective)
{
  return tutti_method_default(tutti_algorithm_find(collective, "binomial"));
}

/* Gather, decide, scatter. @param view  of the participants; @param root  at its rank 0, made */
static tutti_status ask(tutti_context_pool *contexts, const tutti_view *view, int color, int key, bool with_maps,
                        struct root *root, struct answer *answer, tutti_error *error)
{
  struct plea plea = {color, key, contexts->led, contexts->location};
  tutti_method gather = binomial(TUTTI_COLL_GATHER), scatter = binomial(TUTTI_COLL_SCATTER);
  tutti_status status =
      tutti_gather(&gather, &plea, sizeof plea, MPI_BYTE, root->pleas, sizeof plea, MPI_BYTE, 0, view, error);
  if (status != TUTTI_OK)
    return status;
  tutti_status decided = view->rank == 0 ? root_decide(contexts, root, with_maps, error) : TUTTI_OK;
  status = tutti_scatter(&scatter, root->answers, sizeof *answer, MPI_BYTE, answer, sizeof *answer, MPI_BYTE, 0, view,
                         error);
  return status == TUTTI_OK ? decided : status;
}

tutti_status tutti_split_ask(tutti_context_pool *contexts, const tutti_view *view, struct answer *answer,
                             tutti_error *error)
{
  struct root root = {.size = 0};
  tutti_status status = TUTTI_OK;
  if (view->rank == 0)
    status = root_make(&root, contexts, view, error);
  if (status == TUTTI_OK)
    status = ask(contexts, view, 0, view->rank, false, &root, answer, error);
  root_free(&root);
  return status;
}

/* The map of the group, at the first member on a node. @param bytes  NULL: to be received */
static tutti_status take_map(tutti_comm *parent, const struct answer *answer, unsigned char *bytes, tutti_map **map,
                             tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  if (!bytes) {
    bytes = malloc(answer->map_bytes);
    status = bytes
                 ? tutti_share_receive(parent, bytes, answer->map_bytes, tutti_view_base_rank(&parent->view, 0), error)
                 : tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for a map of %llu bytes",
                              parent->contexts->rank, (unsigned long long)answer->map_bytes);
  }
  if (status == TUTTI_OK)
    status = tutti_map_deserialize(bytes, answer->map_bytes, map, error);
  free(bytes);
  return status;
}

/* The steps after the answer. @param bytes  of the map, if already received; freed @param permuted  the map whose ranks
   it has; NULL: it has ranks of the context pool */
static tutti_status join(tutti_comm *parent, const struct answer *answer, unsigned char *bytes,
                         struct shared_map *permuted, tutti_comm **made, tutti_error *error)
{
  tutti_map *map = NULL;
  struct shared_map *shared;
  tutti_status status = tutti_share_check(parent, answer, error);
  if (status != TUTTI_OK || answer->size == 0)
    return status;
  tutti_status taken = answer->previous < 0 ? take_map(parent, answer, bytes, &map, error) : TUTTI_OK;
  status = tutti_share_map(parent, answer, map, &shared, taken == TUTTI_OK ? error : NULL);
  if (taken != TUTTI_OK || status != TUTTI_OK)
    return taken != TUTTI_OK ? taken : status;
  if (permuted)
    tutti_shared_map_lay(shared, permuted->below ? permuted->below : permuted);
  return tutti_share_adopt(parent->contexts, answer, shared, made, error);
}

static tutti_status divide(tutti_comm *parent, int color, int key, bool permutes, tutti_comm **made, tutti_error *error)
{
  struct shared_map *permuted = permutes && parent->has_map ? parent->map : NULL;
  struct root root = {.size = 0};
  struct answer answer;
  unsigned char *own = NULL;
  *made = NULL;
  tutti_status status = tutti_comm_check(parent, error);
  if (status == TUTTI_OK && parent->view.rank == 0)
    status = root_make(&root, parent->contexts, &parent->view, error);
  root.permutes = permutes;
  root.permuted = permuted;
  if (status == TUTTI_OK)
    status = ask(parent->contexts, &parent->view, color, key, true, &root, &answer, error);
  if (status == TUTTI_OK && parent->view.rank == 0)
    status = root_send_maps(parent, &root, &own, error);
  root_free(&root);
  return status == TUTTI_OK ? join(parent, &answer, own, permuted, made, error) : status;
}

tutti_status tutti_comm_split(tutti_comm *parent, int color, int key, tutti_comm **made, tutti_error *error)
{
  return divide(parent, color, key, false, made, error);
}

tutti_status tutti_comm_permute(tutti_comm *parent, int rank, tutti_comm **made, tutti_error *error)
{
  return divide(parent, 0, rank, true, made, error);
}
