/* Nonblocking creation (Axtmann, Wiebigke, Sanders 2018, section VI): a range at once, another group by one broadcast
 * of its id. The id is one of the bits of rank 0, whose window nobody else has; when all are set, <a, b> of the paper
 * with b counted on from there, and a hashed window. */
#include <stdlib.h>

#include "communicators/joined.h"

/* What rank 0 tells. */
struct drawn {
  tutti_status status;
  int leader, index;
  int unused;
  uint64_t serial;
};

struct creation {
  struct joined joined;
  struct drawn drawn;
  tutti_request *request;
};

/* ---- the id ---- */

static tutti_context context_of(const struct drawn *drawn)
{
  return (tutti_context){.leader = drawn->leader, .index = drawn->index, .last = -1};
}

enum { TRIES = 8 }; /* hashed windows that live here already */

static void draw(tutti_comm *comm, struct drawn *drawn, tutti_error *error)
{
  tutti_space *space = comm->space;
  *drawn = (struct drawn){.leader = space->rank, .serial = tutti_space_next_serial(space)};
  for (int i = 0; i < TRIES; i++) {
    int index = leader_free_index(space->led);
    drawn->index = index >= 0 ? index : TUTTI_LEADER_CONTEXTS + space->more_ids++;
    tutti_context context = context_of(drawn);
    drawn->status = tutti_comm_claim(comm, &context, error);
    if (drawn->status != TUTTI_ERR_UNSUPPORTED)
      return;
  }
}

/* ---- the map ---- */

static tutti_status make_map(tutti_comm *comm, struct shared_map **shared, tutti_error *error)
{
  const struct joined *joined = &comm->creation->joined;
  tutti_map *map;
  tutti_status status = tutti_comm_translate_map(comm->space, joined->parent, joined->group, &map, error);
  if (status != TUTTI_OK)
    return status;
  *shared = tutti_shared_map_new(map, comm->space->rank);
  if (*shared)
    return TUTTI_OK;
  tutti_map_free(map);
  return tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for a map", comm->space->rank);
}

/* "Create or get": nobody waits, because everybody has the group. On real MPI each process has its own map, as nobody
 * knows yet which of the members live together. */
static tutti_status create_or_get(tutti_comm *comm, struct shared_map **shared, tutti_error *error)
{
  tutti_space *space = comm->space;
  const struct drawn *drawn = &comm->creation->drawn;
  struct pool_key key = {drawn->leader, drawn->index, drawn->serial, space->location};
  bool shares = tutti_pool_is_common() && space->options.sharing != TUTTI_SHARE_NOTHING;
  *shared = shares ? tutti_pool_find(space->pool, &key) : NULL;
  if (*shared)
    return TUTTI_OK;
  tutti_status status = make_map(comm, shared, error);
  if (status == TUTTI_OK && shares)
    tutti_pool_show(space->pool, &key, *shared);
  return status;
}

static tutti_status adopt(tutti_comm *comm, tutti_error *error)
{
  struct shared_map *shared;
  tutti_context context = context_of(&comm->creation->drawn);
  tutti_status status = comm->creation->drawn.status;
  if (status != TUTTI_OK)
    return tutti_fail(error, status, "process %d: the group's first process, %d, could not draw a context id",
                      comm->space->rank, context.leader);
  if (comm->window < 0)
    status = tutti_comm_claim(comm, &context, error);
  if (status == TUTTI_OK)
    status = create_or_get(comm, &shared, error);
  return status == TUTTI_OK ? tutti_comm_set_map(comm, shared, error) : status;
}

/* ---- beginning and completion ---- */

/* A view of one tag for a nonblocking operation, which takes the second one of a window of three. */
static void set_tag(tutti_view *view, int tag)
{
  view->first_tag = tag - 1;
  view->tag_count = 3;
}

static tutti_status begin(tutti_comm *comm, int tag, tutti_error *error)
{
  struct creation *creation = comm->creation;
  tutti_method binomial = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_BCAST, "binomial"));
  if (creation->joined.view.rank == 0)
    draw(comm, &creation->drawn, error);
  set_tag(&creation->joined.view, tag);
  return tutti_ibcast(&binomial, &creation->drawn, sizeof creation->drawn, MPI_BYTE, 0, &creation->joined.view,
                      &creation->request, error);
}

static tutti_status start(tutti_comm *parent, const tutti_map *group, int tag, tutti_comm **made, tutti_error *error)
{
  tutti_comm *comm = tutti_comm_new(parent->space);
  struct creation *creation = calloc(1, sizeof *creation);
  tutti_status status =
      comm && creation
          ? tutti_joined_make(&creation->joined, parent, group, error)
          : tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for a communicator", parent->space->rank);
  if (status == TUTTI_OK) {
    comm->creation = creation;
    status = begin(comm, comm_tag(parent, WINDOW_CREATIONS + tag), error);
  }
  if (status == TUTTI_OK) {
    *made = comm;
    return TUTTI_OK;
  }
  free(creation);
  if (comm)
    tutti_comm_abandon(comm);
  return status;
}

tutti_status tutti_icomm_create_group(tutti_comm *parent, const tutti_map *group, int tag, tutti_comm **made,
                                      tutti_error *error)
{
  int first, last;
  *made = NULL;
  if (tag < 0 || tag >= WINDOW_USER - WINDOW_CREATIONS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no tag %d for a creation: 0..%d", tag,
                      WINDOW_USER - WINDOW_CREATIONS - 1);
  if (tutti_joined_is_range(group, &first, &last))
    return tutti_comm_range(parent, first, last, made, error);
  return start(parent, group, tag, made, error);
}

static tutti_status finish(tutti_comm *comm, tutti_error *error)
{
  tutti_status status = adopt(comm, error);
  free(comm->creation);
  comm->creation = NULL;
  return status;
}

tutti_status tutti_comm_wait(tutti_comm *comm, tutti_error *error)
{
  if (!comm->creation)
    return TUTTI_OK;
  tutti_status status = tutti_wait(&comm->creation->request, error);
  return status == TUTTI_OK ? finish(comm, error) : status;
}

tutti_status tutti_comm_test(tutti_comm *comm, bool *done, tutti_error *error)
{
  *done = true;
  if (!comm->creation)
    return TUTTI_OK;
  tutti_status status = tutti_test(&comm->creation->request, done, error);
  return status == TUTTI_OK && *done ? finish(comm, error) : status;
}
