/* What a process of an interposed program keeps. */
#ifndef TUTTI_INTERPOSE_PROCESS_H
#define TUTTI_INTERPOSE_PROCESS_H

#include <mpi.h>
#include <pthread.h>

#include "interpose/communicator.h"
#include "interpose/settings.h"
#include "interpose/usage.h"

struct process {
  const struct settings *settings;
  struct communicators known;
  bool ended;           /* MPI_Finalize() was called: what still calls collectives gets the library's */
  pthread_mutex_t lock; /* of what follows: several threads may be in collectives, on different communicators */
  struct usage usage;   /* counted only if the settings are verbose */
};

/* That of the calling process, made at the first call. Faulty settings end the program here. */
struct process *tutti_process(void);

/* After MPI_Init(): see that the settings are good, and the same on all ranks; if not, say so once and end the
   program. Collective. */
void tutti_process_begin(void);

/* Before MPI_Finalize(): report if wanted, and free what the program cannot ask for again. Collective. */
void tutti_process_end(void);

#endif
