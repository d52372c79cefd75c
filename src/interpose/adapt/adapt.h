/* TUTTI_ADAPT=1|FILE: candidates for the calls of a program are tried while it runs (decision/adaptation.h), for each
   communicator, collective and class of sizes: 0 bytes, 1, 2 to 3, 4 to 7, ... Sums that round and other calls are
   different classes, since they may have different candidates. Calls whose counts are local to a rank (scatterv,
   gatherv, alltoallv, alltoallw) and collectives whose method a variable gives are not tried.

   The time of a trial is that from the last arrival to the end of the last rank, on the clock of rank 0. The ranks of a
   communicator exchange it in one MPI_Allreduce, of the maximum of at most 256 numbers, after 2, 4, 8, 16 and 32 trials
   of each candidate: five such messages for a class, and none once it is decided. */
#ifndef TUTTI_INTERPOSE_ADAPT_H
#define TUTTI_INTERPOSE_ADAPT_H

#include <mpi.h>

#include "algorithms/mpi/clock.h"
#include "base/vector.h"
#include "tutti/algorithm.h"

struct adapted_class;
struct adapted_classes;
struct call;
struct communicator;
struct process;

/* A row about the calls of a class, as it is sent. */
struct adapted_row {
  tutti_collective collective;
  int ranks, size_class;
  int decided; /* 1, or 0 */
  uint64_t calls;
  char method[TUTTI_METHOD_LENGTH];
};

struct adapted_rows {
  TUTTI_VECTOR(struct adapted_row);
};

/* State of a process. */
struct adapt {
  bool begun;
  struct clock clock;
  struct {
    TUTTI_VECTOR(struct adapted_classes *);
  } open;                   /* of communicators that were not freed */
  struct adapted_rows rows; /* of the others */
};

/* After MPI_Init() and in MPI_Finalize() (recorders.h): compare the clocks; rank 0 writes the rules into the file of
   the policy, if it names one. @{ */
void tutti_adapt_begin(struct process *process);
void tutti_adapt_end(struct process *process);
/* @} */

/* Whether the collective is tried on communicators. */
bool tutti_adapt_concerns(const struct adapt *adapt, tutti_collective collective);

/* The candidate that serves a call of @p bytes bytes, the same on all ranks; it may be native. Ends the program when
   out of memory, as the other ranks could not know of it. */
const tutti_method *tutti_adapt_pick(struct call *call, struct communicator *communicator, uint64_t bytes);

/* True if this candidate serves the next call of the class, outside of a trial. It counts as picked then. */
bool tutti_adapt_repeats(struct adapted_class *class, const tutti_method *candidate);

/* After a call that is a trial: note its time; all ranks agree at the end of a round. */
void tutti_adapt_end_trial(const struct call *call);

/* The communicator is freed. */
void tutti_adapt_forget(struct adapted_classes *classes);

/* ---- adapt_write.c ---- */

/* Rows of the same collective, ranks, sizes and method become one, in this order. */
void tutti_adapt_merge(struct adapted_rows *rows);

/* Rank 0 of MPI_COMM_WORLD writes the rows of all. Collective. */
void tutti_adapt_write(const struct adapted_rows *rows, const char *path);

#endif
