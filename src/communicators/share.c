#include "communicators/share.h"

tutti_status tutti_share_check(const tutti_comm *parent, const struct answer *answer, tutti_error *error)
{
  if (answer->status == TUTTI_ERR_UNSUPPORTED)
    return tutti_fail(error, answer->status,
                      "process %d: no context id for its group of %d: each of them leads %d contexts already",
                      parent->space->rank, answer->size, TUTTI_LEADER_CONTEXTS);
  if (answer->status != TUTTI_OK)
    return tutti_fail(error, answer->status, "process %d: the root could not decide on groups: %s", parent->space->rank,
                      tutti_status_name(answer->status));
  return TUTTI_OK;
}

/* ---- messages ---- */

tutti_view tutti_share_view(tutti_comm *parent)
{
  tutti_view view = parent->space->world.view;
  view.message_tag = comm_tag(parent, WINDOW_PROTOCOL);
  view.message_tags = 1;
  return view;
}

tutti_status tutti_share_send(tutti_comm *parent, const void *bytes, uint64_t length, int to, tutti_error *error)
{
  tutti_view view = tutti_share_view(parent);
  return tutti_send(bytes, length, MPI_BYTE, to, 0, &view, error);
}

tutti_status tutti_share_receive(tutti_comm *parent, void *bytes, uint64_t length, int from, tutti_error *error)
{
  tutti_view view = tutti_share_view(parent);
  return tutti_recv(bytes, length, MPI_BYTE, from, 0, &view, MPI_STATUS_IGNORE, error);
}

/* ---- the communicator ---- */

tutti_status tutti_share_adopt(tutti_space *space, const struct answer *answer, struct shared_map *shared,
                               tutti_comm **made, tutti_error *error)
{
  tutti_context context = {.leader = answer->leader, .index = answer->index, .last = -1};
  tutti_comm *comm = tutti_comm_new(space);
  tutti_status status =
      comm ? tutti_comm_claim(comm, &context, error)
           : tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for a communicator", space->rank);
  if (status == TUTTI_OK)
    status = tutti_comm_set_map(comm, shared, error);
  if (status == TUTTI_OK) {
    *made = comm;
    return TUTTI_OK;
  }
  tutti_shared_map_release(shared);
  if (comm)
    tutti_comm_abandon(comm);
  return status;
}
