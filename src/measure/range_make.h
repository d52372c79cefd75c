/* Making groups of processes, in every way. */
#ifndef TUTTI_MEASURE_RANGE_MAKE_H
#define TUTTI_MEASURE_RANGE_MAKE_H

#include "measure/range_points.h"

/* Ranks first .. last of all processes. A split asks all processes, those that are no members (color MPI_UNDEFINED),
   too; of the other ways there are only those that a process is a member of. */
struct range_creation {
  int first, last, color;
  bool member;
};

/* What one process has to make, in this order. */
struct range_plan {
  int count;
  struct range_creation creations[2];
};

/* The part of this process; the point has been checked. */
struct range_plan range_plan_of(const struct range_point *point, const tutti_view *all);

/* A group that was made: a view, and where the library made it, a communicator (else MPI_COMM_NULL), whose view is set
   by range_made_view(). */
struct range_made {
  tutti_view view;
  MPI_Comm comm;
};

/* What groups are made of. */
struct range_parent {
  tutti_view *all;
  MPI_Group group; /* of all */
  struct range_costs costs;
};

/* Make one: what is timed. */
tutti_status range_make(const struct range_parent *parent, enum range_way way, const struct range_creation *creation,
                        struct range_made *made, tutti_error *error);

/* Afterwards. Only where the process is a member. */
tutti_status range_made_view(struct range_made *made, const tutti_view *all, tutti_error *error);
void range_made_free(struct range_made *made);

#endif
