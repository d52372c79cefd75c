/* MPICH's steps to make a communicator, on our own schedules: the same messages, and in simulation the same work, for
   simulations at scale, where SMPI's own creation is neither similar nor feasible. They make no communicator: the
   caller makes a view of the group, which takes no message. MPICH's later steps that prepare a communicator for use
   (ranks on the same node) are left out.

   The steps are those of src/algorithms/mpi/comm/{comm_split,comm_create_group,contextid}.c of its versions 3 and 4,
   the methods those that it picks for the size (groups/mpich_methods.h). */
#ifndef TUTTI_GROUPS_MPICH_H
#define TUTTI_GROUPS_MPICH_H

#include "groups/mpich_methods.h"
#include "tutti/algorithm.h"
#include "tutti/view.h"

/* MPI_Comm_create_group() by the members of @p group: its table of ranks is written, the context id agreed on by an
   allreduce of the mask of the free ones. Collective over the group. */
tutti_status tutti_mpich_create_group(const struct mpich_cost *cost, const tutti_view *group, tutti_error *error);

/* MPI_Comm_split(): allgather of color and key, the mask, the sort of the members of the own color (MPI_UNDEFINED:
   none). Collective over @p parent. */
tutti_status tutti_mpich_split(const struct mpich_cost *cost, const tutti_view *parent, int color, int key,
                               tutti_error *error);

/* Result of a split at the calling process. */
struct mpich_group {
  int size, rank; /* 0 and -1 with MPI_UNDEFINED */
  int *members;   /* [size] ranks of the parent, in order; owned by the caller. NULL where processes of a simulation
                     share one table: then the members are counted, not sorted, which is charged all the same */
};

/* The same, by another allgather. *group is valid after success. */
tutti_status tutti_mpich_split_group(const struct mpich_cost *cost, const tutti_method *allgather,
                                     const tutti_view *parent, int color, int key, struct mpich_group *group,
                                     tutti_error *error);

#endif
