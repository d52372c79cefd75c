/* MPI has no function that makes its progress call another one. The hooks:

   - opal_progress_register() of Open MPI (opal/runtime/opal_progress.h), by which its own nonblocking collectives
     advance;
   - ucp_worker_progress() of UCX, which MPICH's device ch4:ucx calls in each step of its progress
     (src/mpid/ch4/netmod/ucx/ucx_progress.h): the interposer has a function of that name. MPICH's library hides
     MPIR_Progress_hook_register(), by which its own collectives advance, and it differs between versions.

   None for SMPI, where the simulator waits. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdatomic.h>
#include <string.h>

#include "interpose/mpi_library.h"
#include "interpose/process.h"

/* Steps of the progress that were seen since the trial began; not counted before and after. */
static atomic_bool on_trial;
static atomic_bool seen;

static inline void progressed(void)
{
  if (__builtin_expect(on_trial, 0))
    seen = true;
  else
    tutti_progressed();
}

#if defined OPEN_MPI || defined TUTTI_STANDARD_ABI

static int called_by_library(void)
{
  progressed();
  return 0; /* the number of completions is only statistics */
}

static bool install_in_openmpi(void)
{
  int (*add)(int (*)(void));
  void *found = dlsym(RTLD_DEFAULT, "opal_progress_register");
  memcpy(&add, &found, sizeof add);
  return found && add(called_by_library) == 0;
}

#endif

#if defined MPICH_VERSION || defined TUTTI_STANDARD_ABI

/* UCX's own, and whether what calls it is to call us. */
static unsigned (*ucx_progress)(void *);
static atomic_bool by_ucx;

unsigned ucp_worker_progress(void *worker);

/* A component of Open MPI may have loaded UCX for itself alone. */
static void find_ucx_progress(void)
{
  void *found = dlsym(RTLD_NEXT, "ucp_worker_progress");
  if (!found) {
    void *library = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD);
    found = library ? dlsym(library, "ucp_worker_progress") : NULL;
  }
  memcpy(&ucx_progress, &found, sizeof found);
}

unsigned ucp_worker_progress(void *worker)
{
  if (__builtin_expect(!ucx_progress, 0))
    find_ucx_progress();
  const unsigned count = ucx_progress(worker);
  if (by_ucx)
    progressed();
  return count;
}

static bool install_in_mpich(void)
{
  by_ucx = true;
  return true;
}

#endif

static bool install(void)
{
  switch (tutti_library_kind()) {
#if defined OPEN_MPI || defined TUTTI_STANDARD_ABI
  case TUTTI_MPI_OPENMPI:
    return install_in_openmpi();
#endif
#if defined MPICH_VERSION || defined TUTTI_STANDARD_ABI
  case TUTTI_MPI_MPICH:
    return install_in_mpich();
#endif
  default:
    return false;
  }
}

bool tutti_progress_hook_install(MPI_Comm comm)
{
  int found;
  on_trial = true;
  if (!install())
    return false;
  PMPI_Iprobe(MPI_ANY_SOURCE, 0, comm, &found, MPI_STATUS_IGNORE);
  on_trial = false;
  return seen;
}
