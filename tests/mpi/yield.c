/* Preloaded into MPICH programs with more ranks than cores: a rank that polls in vain lets another one run. MPICH 4.0
   on UCX never does, so that each message waits for the end of somebody's time slice. */
#include <dlfcn.h>
#include <sched.h>
#include <string.h>

unsigned ucp_worker_progress(void *worker);

unsigned ucp_worker_progress(void *worker)
{
  static unsigned (*real)(void *);
  if (!real) {
    void *symbol = dlsym(RTLD_NEXT, "ucp_worker_progress");
    memcpy(&real, &symbol, sizeof real);
  }
  unsigned events = real(worker);
  if (events == 0)
    sched_yield();
  return events;
}
