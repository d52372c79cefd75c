/* What MPICH does to make a communicator, on schedules of our own: the same messages, and in simulation the same work,
   for simulations at scale, where SMPI's own creation is neither like it nor feasible. No communicator comes of it:
   the caller makes a view of the group, which takes no message. */
#ifndef TUTTI_GROUPS_MPICH_H
#define TUTTI_GROUPS_MPICH_H

#include "tutti/view.h"

/* In simulation, seconds: for each entry of a table that is written or looked at, and for each comparison of a sort. */
struct mpich_cost {
  double entry, compare;
};

/* MPI_Comm_create_group() by the members of @p group: its table of ranks is written, the context id agreed on by an
   allreduce of the mask of those that are free. Collective over the group. */
tutti_status tutti_mpich_create_group(const struct mpich_cost *cost, const tutti_view *group, tutti_error *error);

/* MPI_Comm_split(): allgather of colour and key, the mask, the sort of the members of the own colour (MPI_UNDEFINED:
   none). Collective over @p parent. */
tutti_status tutti_mpich_split(const struct mpich_cost *cost, const tutti_view *parent, int colour, int key,
                               tutti_error *error);

#endif
