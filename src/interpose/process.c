/* The state of the interposer. MPI's functions take no argument that could carry it, so these are the
   mutable globals of what is linked into MPI programs:

   - the policy, read once and constant from then on: ranks of a simulation, which share it, would read the same;
   - whether a trace is written, which functions that do nothing else must know at once;
   - the state of the process, except under SMPI, where each simulated process keeps its own in SimGrid.

   progress_hook.c has what MPICH and Open MPI call without an argument. */
#include "interpose/process.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "interpose/beside.h"
#include "interpose/mpi_library.h"
#include "interpose/record/recorders.h"

#ifdef SMPI_HELPERS_H
#include <smpi/smpi.h>
#endif

enum {
  BAD_INPUT = 2, /* exit status */
#ifdef SMPI_HELPERS_H
  IS_SIMULATED = 1
#else
  IS_SIMULATED = 0
#endif
};

#ifdef TUTTI_STANDARD_ABI

/* ---- the library, the same as long as the process runs ---- */

static enum tutti_mpi_kind library_kind;
static pthread_once_t library_once = PTHREAD_ONCE_INIT;

static void find_library(void)
{
  library_kind = tutti_find_library_kind();
}

enum tutti_mpi_kind tutti_library_kind(void)
{
  pthread_once(&library_once, find_library);
  return library_kind;
}

#endif

/* ---- policy ---- */

static struct policy policy;
static tutti_error policy_error; /* status is TUTTI_OK if they are good */
static pthread_once_t policy_once = PTHREAD_ONCE_INIT, outputs_once = PTHREAD_ONCE_INIT;
bool tutti_traces;

/* Called before anything else is done with the MPI library. */
static void read_policy(void)
{
  tutti_refuse_other_mpi_library(BAD_INPUT);
  tutti_policy_read(&policy, &policy_error);
}

/* NULL, or why they are faulty. */
static const char *fault_of_policy(void)
{
  pthread_once(&policy_once, read_policy);
  return policy_error.status == TUTTI_OK ? NULL : policy_error.message;
}

/* Output files that cannot be written are refused before the program begins. */
static void check_outputs(void)
{
  if (policy_error.status == TUTTI_OK)
    tutti_policy_check_outputs(&policy, &policy_error);
}

#ifndef SMPI_HELPERS_H

/* Does not use fault_of_policy(), which may end the program. */
bool tutti_wants_report(void)
{
  if (!tutti_the_process)
    tutti_policy_read(&policy, &policy_error);
  return policy_error.status == TUTTI_OK &&
         (policy.verbose || policy.profile || policy.trace || policy.ran || policy.adapt);
}

#endif

static void abort_program(const char *reason)
{
  tutti_say(stderr, "tutti: %s\n", reason);
  fflush(stderr);
  PMPI_Abort(MPI_COMM_WORLD, BAD_INPUT);
}

/* ---- the process ---- */

static void close_sessions(void);

static void open_communicators(struct process *process)
{
  const char *fault = fault_of_policy(); /* which reads it */
  tutti_communicators_open(&process->known, &policy, fault, close_sessions);
  process->recent = (struct recent_calls){.calls = {{.site = NULL}}};
  process->usage.begun = PMPI_Wtime();
  process->profile.comm = process->trace.comm = MPI_COMM_NULL;
  process->started.reason = "no MPI_COMM_WORLD";
}

static struct process *process_create(void)
{
  struct process *process = calloc(1, sizeof *process);
  if (!process)
    abort_program("out of memory");
  process->policy = &policy;
  pthread_mutex_init(&process->lock, NULL);
  open_communicators(process);
  return process;
}

#ifdef SMPI_HELPERS_H

struct process *tutti_process(void)
{
  struct process *own = smpi_process_get_user_data();
  if (!own) {
    own = process_create();
    smpi_process_set_user_data(own);
  }
  return own;
}

#else

struct process *_Atomic tutti_the_process;
static pthread_mutex_t process_lock = PTHREAD_MUTEX_INITIALIZER;

static struct process *create_once(void)
{
  pthread_mutex_lock(&process_lock);
  if (!tutti_the_process)
    tutti_the_process = process_create();
  pthread_mutex_unlock(&process_lock);
  return tutti_the_process;
}

struct process *tutti_process(void)
{
  struct process *own = tutti_the_process;
  return own ? own : create_once();
}

#endif

static void close_sessions(void)
{
#if MPI_VERSION >= 4
  struct process *process = tutti_process();
  for (size_t i = 0; i < process->sessions.count; i++)
    PMPI_Session_finalize(&process->sessions.items[i]);
#endif
}

/* ---- from beginning to end ---- */

enum { NO_RANK = INT_MAX }; /* in a minimum that MPICH 4.0 takes of signed numbers */

/* Ranks that decided differently would wait for each other for ever. A simulation has one environment. */
static void find_faults(int rank, uint64_t *first_faulty, bool *equal)
{
  uint64_t digest = fault_of_policy() ? 0 : policy.digest;
  uint64_t least[3] = {policy_error.status == TUTTI_OK ? NO_RANK : (uint64_t)rank, digest, ~digest};
#ifndef SMPI_HELPERS_H
  PMPI_Allreduce(MPI_IN_PLACE, least, 3, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
#else
  least[0] = policy_error.status == TUTTI_OK ? NO_RANK : 0;
#endif
  *first_faulty = least[0];
  *equal = least[1] == ~least[2];
}

static const char *fault_to_tell(uint64_t first_faulty, bool equal, uint64_t rank)
{
  if (first_faulty == rank)
    return policy_error.message;
  if (first_faulty == NO_RANK && !equal && rank == 0)
    return "the TUTTI_ variables, or the files that TUTTI_DECISION, TUTTI_CANDIDATES and TUTTI_LEVELS "
           "name, are not the same on all ranks";
  return NULL;
}

/* All ranks come here, and one has a message. */
static void end_program(const char *reason)
{
#ifdef SMPI_HELPERS_H
  if (reason)
    abort_program(reason);
  PMPI_Barrier(MPI_COMM_WORLD); /* until the reporting rank has ended the simulation */
#else
  /* Not MPI_Abort(): MPICH's launcher may then end before it has forwarded the report. */
  if (reason)
    tutti_say(stderr, "tutti: %s\n", reason);
  PMPI_Finalize();
  exit(BAD_INPUT);
#endif
}

/* Commands of Tutti hand it to what they start. */
static void note_plugins(void)
{
  const char *plugins = getenv("TUTTI_PLUGINS");
  if (plugins && *plugins)
    tutti_say(stderr, "tutti: note: the interposer loads no plug-ins: TUTTI_PLUGINS is for the commands\n");
}

void tutti_process_begin(void)
{
  uint64_t first_faulty;
  bool equal;
  int rank;
  fault_of_policy(); /* it reads the policy, before any call to what may be another library */
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0 || IS_SIMULATED) /* in a simulation one does it for all */
    pthread_once(&outputs_once, check_outputs);
  find_faults(rank, &first_faulty, &equal);
  if (rank == 0)
    note_plugins();
  if (first_faulty != NO_RANK || !equal)
    end_program(fault_to_tell(first_faulty, equal, (uint64_t)rank));
  struct process *process = tutti_process();
#ifndef SMPI_HELPERS_H
  tutti_beside_begin();
#endif
  process->known.budget.dropped++; /* calls in a session before may be counted from now on */
  tutti_communicators_share(&process->known, tutti_policy_may_need_places(&policy));
  process->hooked = process->known.in_turn && process->known.shadow != MPI_COMM_NULL &&
                    tutti_progress_hook_install(process->known.shadow);
  if ((policy.profile || policy.trace) && process->known.in_turn)
    tutti_tick_clock_begin(&process->clock);
  if (process->known.shadow != MPI_COMM_NULL)
    tutti_recorders_begin(process);
  process->usage.begun = PMPI_Wtime();
  tutti_profile_start(&process->profile, process->usage.begun);
}

#if MPI_VERSION >= 4

static bool has_world(void)
{
  int begun = 0, ended = 0;
  PMPI_Initialized(&begun);
  PMPI_Finalized(&ended);
  return begun && !ended;
}

void tutti_session_begin(MPI_Session session)
{
  struct process *process = tutti_process();
  pthread_mutex_lock(&process->lock);
  if (process->asleep)
    open_communicators(process);
  process->asleep = false;
  if (!tutti_vector_push(&process->sessions, session))
    abort_program("out of memory");
  pthread_mutex_unlock(&process->lock);
}

static void forget_session(struct process *process, MPI_Session session)
{
  for (size_t i = 0; i < process->sessions.count; i++)
    if (process->sessions.items[i] == session) {
      process->sessions.items[i] = process->sessions.items[--process->sessions.count];
      return;
    }
}

void tutti_session_end(MPI_Session session)
{
  struct process *process = tutti_process();
  pthread_mutex_lock(&process->lock);
  forget_session(process, session);
  if (process->sessions.count == 0 && !has_world() && !process->ended) {
    if (process->policy->verbose)
      tutti_usage_report_own(&process->usage, process->policy);
    tutti_usage_free(&process->usage);
    tutti_vector_free(&process->sessions);
    tutti_communicators_close(&process->known);
    process->asleep = true;
  }
  pthread_mutex_unlock(&process->lock);
}

#endif

void tutti_progressed(void)
{
  struct process *process = tutti_process();
  if (process->started.active > 0)
    tutti_started_progress(process);
  tutti_watch_poll(&process->watch, process);
}

void tutti_process_end(void)
{
  struct process *process = tutti_process();
  process->usage.ended = PMPI_Wtime();
  tutti_recorders_end(process);
  process->ended = true;
  tutti_communicators_close(&process->known);
  tutti_usage_free(&process->usage);
}
