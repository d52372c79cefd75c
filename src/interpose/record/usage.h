/* TUTTI_VERBOSE=1: how often each method ran, for how long, and for which sizes. */
#ifndef TUTTI_INTERPOSE_USAGE_H
#define TUTTI_INTERPOSE_USAGE_H

#include <stdio.h>

#include "interpose/record/profile.h"
#include "interpose/serve/policy.h"

struct call;
struct process;

struct usage_row {
  struct executor executor;
  uint64_t calls, least, most; /* bytes; least > most: unknown for all calls */
  double seconds;
};

/* Calls of a size, of ranks that all know it. */
struct usage_size {
  tutti_collective collective;
  int ranks; /* of the communicator */
  uint64_t bytes, calls;
  double seconds;
};

struct usage {
  size_t count;
  struct usage_row *rows;
  struct usage_size *sizes; /* by hash; NULL: none yet */
  double begun, ended;      /* PMPI_Wtime() after MPI_Init(), and when MPI_Finalize() was called; 0: not yet. What
                               Tutti does before and after is no time of the program */
};

/* ---- a recorder (recorders.h); out of memory, a call is not counted ---- */

void tutti_usage_call(struct process *process, struct call *call, const struct executor *executor, double end);

/* Rank 0 of MPI_COMM_WORLD writes the sum over all ranks on standard error. */
void tutti_usage_end(struct process *process);

/* ---- usage_sizes.c ---- */

void tutti_usage_add_size(struct usage *usage, const struct usage_size *call);

/* Bring all sizes to the front; none can be added any more. Returns how many there are. */
int tutti_usage_pack_sizes(struct usage *usage);

/* Print those of all ranks, which are put in another order, as points of tutti compare. */
void tutti_usage_print_sizes(FILE *stream, struct usage_size *items, int count);

/* ---- the report ---- */

/* At rank 0 of MPI_COMM_WORLD the items of all ranks, which are to be freed, and their number; elsewhere none.
   Collective. */
void *tutti_gather_items(const void *own, int own_count, size_t bytes, int *count);

/* The calling process writes its own. */
void tutti_usage_report_own(struct usage *usage, const struct policy *policy);

/* How many calls were counted. */
uint64_t tutti_usage_calls(const struct usage *usage);

void tutti_usage_free(struct usage *usage);

#endif
