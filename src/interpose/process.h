/* State of a process of an interposed program: policy, communicators, and how often each method ran. */
#ifndef TUTTI_INTERPOSE_PROCESS_H
#define TUTTI_INTERPOSE_PROCESS_H

#include <mpi.h>
#include <pthread.h>

#include "base/vector.h"
#include "interpose/adapt/adapt.h"
#include "interpose/record/profile.h"
#include "interpose/record/ran.h"
#include "interpose/record/trace.h"
#include "interpose/record/unkept.h"
#include "interpose/record/usage.h"
#include "interpose/serve/communicator.h"
#include "interpose/serve/policy.h"
#include "interpose/serve/recent.h"
#include "interpose/serve/started.h"
#include "interpose/serve/watch.h"

/* ---- what a process of an interposed program keeps ---- */

struct process {
  const struct policy *policy;
  struct communicators known;
  struct recent_calls recent;
  struct started_calls started; /* only if the policy wants some served */
  struct watch watch;
  bool hooked; /* the library's progress calls tutti_progressed() */
  bool ended;  /* MPI_Finalize() was called: what still calls collectives gets the library's */
#if MPI_VERSION >= 4
  struct {
    TUTTI_VECTOR(MPI_Session);
  } sessions;  /* open ones; a program may use no other part of MPI */
  bool asleep; /* the last one is closed, and `known` with it */
#endif
  pthread_mutex_t
      lock; /* of the following members: several threads may be in collectives, on different communicators */
  struct tick_clock clock;
  struct usage usage; /* counted only if the policy is verbose */
  struct profile profile;
  struct adapt adapt;
  struct trace trace;
  struct ran ran;
  _Atomic unsigned unrecorded;           /* a bit for each enum trace_unrecorded that the program has used */
  _Atomic unsigned unkept[UNKEPT_FORMS]; /* a bit for each collective */
};

/* Whether calls are counted. */
static inline bool tutti_process_counts(const struct process *process)
{
  return process->policy->verbose || process->profile.comm != MPI_COMM_NULL || process->trace.comm != MPI_COMM_NULL ||
         process->ran.on;
}

/* The state of the calling process, made at the first call. */
struct process *tutti_process(void);

/* The same, once it was made. */
#ifdef SMPI_HELPERS_H
#define tutti_this_process tutti_process
#else
extern struct process *_Atomic tutti_the_process __attribute__((visibility("hidden")));
static inline struct process *tutti_this_process(void)
{
  return tutti_the_process;
}
#endif

/* One thread at a time, where several may be in MPI. @{ */
static inline struct process *tutti_process_enter(void)
{
  struct process *process = tutti_process();
  if (!process->known.in_turn)
    pthread_mutex_lock(&process->lock);
  return process;
}

static inline void tutti_process_leave(struct process *process)
{
  if (!process->known.in_turn)
    pthread_mutex_unlock(&process->lock);
}
/* @} */

/* How a call like it was done before, if that is found at once; else NULL. The arguments are as the program gave them.
 */
#ifdef SMPI_HELPERS_H
static inline const struct recent_call *tutti_recent(const void *site, const struct arguments *arguments, MPI_Comm comm)
{
  (void)site, (void)arguments, (void)comm;
  return NULL;
}
#else

TUTTI_IN_REGISTERS const struct recent_call *tutti_recent(const void *site, const struct arguments *arguments,
                                                          MPI_Comm comm)
{
  const struct process *process = tutti_the_process;
  if (!process || tutti_key_traits(arguments) & TUTTI_KEY_IRREGULAR)
    return NULL;
  const struct recent_call *found = &process->recent.calls[tutti_recent_place(site, arguments)];
  return tutti_recent_is_like(found, &process->known, site, arguments, comm) ? found : NULL;
}
#endif

/* ---- from beginning to end ---- */

/* After MPI_Init(): check that the policy is good, and the same on all ranks; if not, report it once and end the
   program. Collective. */
void tutti_process_begin(void);

/* Whether the variables ask for a report, a profile, a trace, messages or rules. For the end of a program whose
   MPI_Init() did not reach Tutti. */
bool tutti_wants_report(void);

/* After MPI_Session_init() and before MPI_Session_finalize(): the last session of a process that has nothing else ends
   like MPI. Each process reports for itself: which others have sessions it does not know. @{ */
#if MPI_VERSION >= 4
void tutti_session_begin(MPI_Session session);
void tutti_session_end(MPI_Session session);
#endif
/* @} */

/* Before MPI_Finalize(): report if wanted, and free what is not needed again. Collective. */
void tutti_process_end(void);

/* ---- the progress of the MPI library (progress_hook.c) ---- */

/* Once, after MPI_Init(): let the library call tutti_progressed() wherever it waits or tests. False: it has no hook for
   that, or did not call it in a trial, which probes for a message on `comm` several times, without messages. */
bool tutti_progress_hook_install(MPI_Comm comm);
void tutti_progressed(void);

#endif
