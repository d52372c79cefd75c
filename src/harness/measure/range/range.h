/* The parts of tutti-range: making groups, moving data on them, and one point on one process. */
#ifndef TUTTI_MEASURE_RANGE_H
#define TUTTI_MEASURE_RANGE_H

#include "harness/measure/program.h"
#include "harness/measure/range/range_points.h"
#include "tutti/collectives.h"

/* ---- range_data.c: doubles whose expected values every process can compute ---- */

/* The data of one process. */
struct range_data {
  double *input, *output; /* owned; a broadcast has the output only */
  size_t input_count, output_count;
};

/* Buffers for one operation of the point on `view`. TUTTI_ERR_UNSUPPORTED, the same on all ranks, if a simulation would
   take more memory than there is. Free with range_data_free() in any case. */
tutti_status range_data_open(const struct range_point *point, const tutti_view *view, struct range_data *data,
                             tutti_error *error);
void range_data_free(struct range_data *data);

/* Before the operation: other values each round. */
void range_data_fill(const struct range_point *point, const tutti_view *view, int round, struct range_data *data);

/* After it: TUTTI_ERR_FAULT names the element that is wrong. */
tutti_status range_data_check(const struct range_point *point, const tutti_view *view, int round,
                              const struct range_data *data, tutti_error *error);

/* The operation: nonblocking, then waited for, on a view with progress or by the library on a communicator. */
tutti_status range_collective(const struct range_point *point, tutti_view *view, const struct range_data *data,
                              tutti_error *error);
tutti_status range_collective_native(const struct range_point *point, MPI_Comm comm, const struct range_data *data,
                                     tutti_error *error);

/* ---- range_make.c: groups of processes, made in every way ---- */

/* Ranks first .. last of all processes. A split needs all processes, also those that are not members (color
   MPI_UNDEFINED); for the other ways a process has only the groups that it is a member of. */
struct range_creation {
  int first, last, color;
  bool member;
};

/* The groups that one process makes, in this order. */
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

/* The communicator or view from which groups are made. */
struct range_parent {
  tutti_view *all;
  MPI_Group group; /* of all */
  const struct points *points;
};

/* Make one group: the timed operation. */
tutti_status range_make(const struct range_parent *parent, enum range_way way, const struct range_creation *creation,
                        struct range_made *made, tutti_error *error);

/* Afterwards. Only where the process is a member. */
tutti_status range_made_view(struct range_made *made, const tutti_view *all, tutti_error *error);
void range_made_free(struct range_made *made);

/* ---- range_trial.c: one point on one process, and whether it was done right ---- */

struct range_trial {
  const struct range_parent *parent;
  const struct range_point *point;
  struct range_plan plan;
  struct range_made made[2]; /* in the order of the plan */
  tutti_view range;          /* of bcast, reduce, scan, gather: what they run on */
  struct range_data data;
  int inner;       /* how often one repetition makes the groups */
  uint64_t places; /* sizes and ranks of all that were made in one repetition, added up */
};

/* State of a launch. Do not copy: views point into it. */
struct range_bench {
  struct timing timing; /* the timed operation has the tags inside, and the progress */
  struct range_parent parent;
  struct range_trial trial; /* of the point that is timed */
};

/* Parts of struct program, of a struct range_bench. Errors of once() are TUTTI_ERR_FAULT, naming the fault, if a group
   is wrong or the data did not arrive. @{ */
tutti_status range_trial_open(void *bench, const void *point, tutti_error *error);
tutti_status range_trial_once(void *bench, const void *point, int round, double *seconds, tutti_error *error);
void range_trial_close(void *bench);
/** @} */

#endif
