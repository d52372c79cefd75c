/* Procedure 1 (Kamal, Mirtaheri, Wagner 2010, section 4). The root makes the map of a group once and sends it as bytes:
 * fewer than those of a list of members, the representation is chosen once and not at each place, and what arrives is
 * checked. Members are told their rank, so that nobody looks for it. */
#include <stdlib.h>

#include "communicators/root.h"
#include "communicators/share.h"

static tutti_method binomial(tutti_collective collective)
{
  return tutti_method_default(tutti_algorithm_find(collective, "binomial"));
}

/* Gather, decide, scatter. @param view  of those that take part; @param root  of rank 0 of it, made */
static tutti_status ask(tutti_space *space, const tutti_view *view, int color, int key, bool with_maps,
                        struct root *root, struct answer *answer, tutti_error *error)
{
  struct plea plea = {color, key, space->led, space->location};
  tutti_method gather = binomial(TUTTI_COLL_GATHER), scatter = binomial(TUTTI_COLL_SCATTER);
  tutti_status status =
      tutti_gather(&gather, &plea, sizeof plea, MPI_BYTE, root->pleas, sizeof plea, MPI_BYTE, 0, view, error);
  if (status != TUTTI_OK)
    return status;
  tutti_status decided = view->rank == 0 ? tutti_root_decide(space, root, with_maps, error) : TUTTI_OK;
  status = tutti_scatter(&scatter, root->answers, sizeof *answer, MPI_BYTE, answer, sizeof *answer, MPI_BYTE, 0, view,
                         error);
  return status == TUTTI_OK ? decided : status;
}

tutti_status tutti_split_ask(tutti_space *space, const tutti_view *view, struct answer *answer, tutti_error *error)
{
  struct root root = {.size = 0};
  tutti_status status = TUTTI_OK;
  if (view->rank == 0)
    status = tutti_root_make(&root, space, view, error);
  if (status == TUTTI_OK)
    status = ask(space, view, 0, view->rank, false, &root, answer, error);
  tutti_root_free(&root);
  return status;
}

/* The map of the group, at the first of those that live together. @param bytes  NULL: to be received */
static tutti_status take_map(tutti_comm *parent, const struct answer *answer, unsigned char *bytes, tutti_map **map,
                             tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  if (!bytes) {
    bytes = malloc(answer->map_bytes);
    status = bytes
                 ? tutti_share_receive(parent, bytes, answer->map_bytes, tutti_view_base_rank(&parent->view, 0), error)
                 : tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for a map of %llu bytes",
                              parent->space->rank, (unsigned long long)answer->map_bytes);
  }
  if (status == TUTTI_OK)
    status = tutti_map_deserialize(bytes, answer->map_bytes, map, error);
  free(bytes);
  return status;
}

/* What follows the answer. @param bytes  of the map, if it is here already; freed */
static tutti_status join(tutti_comm *parent, const struct answer *answer, unsigned char *bytes, tutti_comm **made,
                         tutti_error *error)
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
  return tutti_share_adopt(parent->space, answer, shared, made, error);
}

tutti_status tutti_comm_split(tutti_comm *parent, int color, int key, tutti_comm **made, tutti_error *error)
{
  struct root root = {.size = 0};
  struct answer answer;
  unsigned char *own = NULL;
  *made = NULL;
  tutti_status status = tutti_comm_check(parent, error);
  if (status == TUTTI_OK && parent->view.rank == 0)
    status = tutti_root_make(&root, parent->space, &parent->view, error);
  if (status == TUTTI_OK)
    status = ask(parent->space, &parent->view, color, key, true, &root, &answer, error);
  if (status == TUTTI_OK && parent->view.rank == 0)
    status = tutti_root_send_maps(parent, &root, &own, error);
  tutti_root_free(&root);
  return status == TUTTI_OK ? join(parent, &answer, own, made, error) : status;
}
