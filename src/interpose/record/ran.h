/* What Open MPI does in collectives that are left to it: its component pml/monitoring calls a function for each
   message, which is here (ran.c), if the variable OMPI_MCA_pml_monitoring_enable turns it on. MPICH tells nothing of
   single calls. TUTTI_RAN=FILE: at the end rank 0 writes a line for each kind of call on all ranks
   (results/ran_file.h). */
#ifndef TUTTI_INTERPOSE_RAN_H
#define TUTTI_INTERPOSE_RAN_H

#include "decision/results/ran_file.h"

struct call;
struct executor;
struct process;

/* Of a message to a rank of MPI_COMM_WORLD. */
typedef void monitoring_function(int to, size_t bytes, int tag);

struct ran {
  bool on;
  struct ran_messages sent;  /* by this rank, in the call that it is in */
  uint64_t heard;            /* messages since the beginning; 0: the library tells nothing */
  uint64_t passed_over;      /* calls of which nothing is noted: on other communicators, of other forms, irregular */
  struct ran_rows rows;      /* in ascending order of their kinds */
  monitoring_function *next; /* the library's own */
};

/* A recorder (recorders.h). @{ */
void tutti_ran_begin(struct process *process);
void tutti_ran_call(struct process *process, struct call *call, const struct executor *executor, double end);
void tutti_ran_end(struct process *process);
/* @} */

/* The library is to be called. */
static inline void tutti_ran_reset(struct ran *ran)
{
  if (ran->on)
    ran->sent = (struct ran_messages){0};
}

#endif
