/* The progress of the MPI library, which it makes wherever it waits or tests, calls tutti_progressed() from then on.
   MPI has no function for that. The hooks:

   - opal_progress_register() of Open MPI (opal/runtime/opal_progress.h), by which its own nonblocking collectives
   advance;
   - ucp_worker_progress() of UCX, which MPICH's device ch4:ucx calls in each step of its progress
     (src/mpid/ch4/netmod/ucx/ucx_progress.h): the interposer has a function of that name. MPICH's library hides
     MPIR_Progress_hook_register(), by which its own collectives advance, and it differs between versions.

   None for SMPI, where the simulator waits. */
#ifndef TUTTI_INTERPOSE_PROGRESS_HOOK_H
#define TUTTI_INTERPOSE_PROGRESS_HOOK_H

#include <mpi.h>
#include <stdbool.h>

/* Once, after MPI_Init(). False: the library has no such hook, or did not call it in a trial, which probes for a
   message on `comm` several times, without messages. */
bool tutti_progress_hook_install(MPI_Comm comm);

/* Called by the hook: defined by process.c. */
void tutti_progressed(void);

#endif
