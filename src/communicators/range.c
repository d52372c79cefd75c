/* Ranges: no message (Axtmann, Wiebigke, Sanders 2018, section VI). */
#include "communicators/space.h"

/* <a, b, f + f', f + l', c + 1> in the parent <a, b, f, l, c>. */
static tutti_context context_of(const tutti_context *parent, int first, int last)
{
  tutti_context context = *parent;
  bool agreed = parent->last < 0;
  context.first = (agreed ? 0 : parent->first) + first;
  context.last = (agreed ? 0 : parent->first) + last;
  context.count = (agreed ? 0 : parent->count) + 1;
  return context;
}

tutti_status tutti_comm_range(tutti_comm *parent, int first, int last, tutti_comm **made, tutti_error *error)
{
  tutti_view view;
  tutti_status status = tutti_comm_check(parent, error);
  if (status == TUTTI_OK)
    status = tutti_view_range(&parent->view, first, last, 1, &view, error);
  if (status != TUTTI_OK)
    return status;
  if (view.rank < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d is not in the range %d..%d", parent->view.rank, first, last);
  tutti_context context = context_of(&parent->context, first, last);
  tutti_comm *comm = tutti_comm_new(parent->space);
  if (!comm)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for a communicator", parent->space->rank);
  status = tutti_comm_claim(comm, &context, error);
  if (status != TUTTI_OK) {
    tutti_comm_abandon(comm);
    return status;
  }
  comm->view = view;
  tutti_comm_set_tags(comm, &comm->view);
  comm->map = parent->map;
  if (comm->map)
    tutti_shared_map_hold(comm->map);
  *made = comm;
  return TUTTI_OK;
}
