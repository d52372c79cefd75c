/* What a process of an interposed program keeps: policy, communicators, and how often each method ran. */
#ifndef TUTTI_INTERPOSE_PROCESS_H
#define TUTTI_INTERPOSE_PROCESS_H

#include <mpi.h>
#include <pthread.h>

#include "base/vector.h"
#include "interpose/communicator.h"
#include "interpose/policy.h"

/* Who did a call: a method, or the library, and why. */
struct executor {
  tutti_collective collective;
  const char *native; /* NULL: the method; else static storage */
  tutti_method method;
};

struct usage_row {
  struct executor executor;
  uint64_t calls, least, most; /* bytes */
  double seconds;
};

struct usage {
  size_t count;
  struct usage_row *rows;
};

/* Not thread-safe. Out of memory, a call is not counted. */
void tutti_usage_add(struct usage *usage, const struct executor *executor, uint64_t bytes, double seconds);

/* Rank 0 of MPI_COMM_WORLD writes the sum over all ranks on standard error. Collective. */
void tutti_usage_report(const struct usage *usage, const struct policy *policy);

/* The calling process writes its own. */
void tutti_usage_report_own(const struct usage *usage, const struct policy *policy);

void tutti_usage_free(struct usage *usage);

/* ---- what a process of an interposed program keeps ---- */

struct process {
  const struct policy *policy;
  struct communicators known;
  bool ended; /* MPI_Finalize() was called: what still calls collectives gets the library's */
#if MPI_VERSION >= 4
  struct {
    TUTTI_VECTOR(MPI_Session);
  } sessions;  /* that are open; they may be all there is of MPI */
  bool asleep; /* the last one is closed, and `known` with it */
#endif
  pthread_mutex_t lock; /* of what follows: several threads may be in collectives, on different communicators */
  struct usage usage;   /* counted only if the policy is verbose */
};

/* That of the calling process, made at the first call. */
struct process *tutti_process(void);

/* After MPI_Init(): see that the policy is good, and the same on all ranks; if not, say so once and end the
   program. Collective. */
void tutti_process_begin(void);

/* After MPI_Session_init() and before MPI_Session_finalize(): the last session of a process that has nothing else ends
   like MPI. Each process reports for itself: which others have sessions it does not know. @{ */
#if MPI_VERSION >= 4
void tutti_session_begin(MPI_Session session);
void tutti_session_end(MPI_Session session);
#endif
/* @} */

/* Before MPI_Finalize(): report if wanted, and free what is not needed again. Collective. */
void tutti_process_end(void);

#endif
