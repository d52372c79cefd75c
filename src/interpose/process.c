/* The state of the interposer. MPI's functions take no argument that could carry it, so this file alone of all that is
   linked into MPI programs has mutable globals:

   - the settings, read once and constant from then on: ranks of a simulation, which share them, would read the same;
   - the state of the process, except under SMPI, where each simulated process keeps its own in SimGrid. */
#include "interpose/process.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef SMPI_HELPERS_H
#include <smpi/smpi.h>
#endif

enum { BAD_INPUT = 2 }; /* exit status */

/* ---- settings ---- */

static struct settings settings;
static tutti_error settings_error; /* status is TUTTI_OK if they are good */
static pthread_once_t settings_once = PTHREAD_ONCE_INIT;

static void read_settings(void)
{
  tutti_settings_read(&settings, &settings_error);
}

/* NULL, or why they are faulty. */
static const char *fault_of_settings(void)
{
  pthread_once(&settings_once, read_settings);
  return settings_error.status == TUTTI_OK ? NULL : settings_error.message;
}

static void give_up(const char *reason)
{
  fprintf(stderr, "tutti: %s\n", reason);
  fflush(stderr);
  PMPI_Abort(MPI_COMM_WORLD, BAD_INPUT);
}

/* ---- the process ---- */

static struct process *process_create(void)
{
  const char *fault = fault_of_settings();
  struct process *process = calloc(1, sizeof *process);
  if (!process)
    give_up("out of memory");
  process->settings = &settings;
  pthread_mutex_init(&process->lock, NULL);
  tutti_communicators_open(&process->known, settings.digest, fault);
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

static struct process *_Atomic the_process;
static pthread_mutex_t process_lock = PTHREAD_MUTEX_INITIALIZER;

static struct process *create_once(void)
{
  pthread_mutex_lock(&process_lock);
  if (!the_process)
    the_process = process_create();
  pthread_mutex_unlock(&process_lock);
  return the_process;
}

struct process *tutti_process(void)
{
  struct process *own = the_process;
  return own ? own : create_once();
}

#endif

/* ---- from beginning to end ---- */

/* Ranks that decided differently would wait for each other for ever. A simulation has one environment. */
static void find_faults(uint64_t *first_faulty, bool *equal)
{
  uint64_t digest = fault_of_settings() ? 0 : settings.digest;
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  uint64_t least[3] = {settings_error.status == TUTTI_OK ? UINT64_MAX : (uint64_t)rank, digest, ~digest};
#ifndef SMPI_HELPERS_H
  PMPI_Allreduce(MPI_IN_PLACE, least, 3, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
#else
  least[0] = settings_error.status == TUTTI_OK ? UINT64_MAX : 0;
#endif
  *first_faulty = least[0];
  *equal = least[1] == ~least[2];
}

static const char *fault_to_tell(uint64_t first_faulty, bool equal, uint64_t rank)
{
  if (first_faulty == rank)
    return settings_error.message;
  if (first_faulty == UINT64_MAX && !equal && rank == 0)
    return "the TUTTI_ variables, or the file that TUTTI_DECISION names, are not the same on all ranks";
  return NULL;
}

/* All ranks come here, and one has something to say. */
static void end_program(const char *reason)
{
#ifdef SMPI_HELPERS_H
  if (reason)
    give_up(reason);
  PMPI_Barrier(MPI_COMM_WORLD); /* until the rank that speaks has ended the simulation */
#else
  /* Not MPI_Abort(): MPICH's launcher may then end before it has passed on what was said. */
  if (reason)
    fprintf(stderr, "tutti: %s\n", reason);
  PMPI_Finalize();
  exit(BAD_INPUT);
#endif
}

void tutti_process_begin(void)
{
  uint64_t first_faulty;
  bool equal;
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  find_faults(&first_faulty, &equal);
  if (first_faulty != UINT64_MAX || !equal)
    end_program(fault_to_tell(first_faulty, equal, (uint64_t)rank));
  tutti_communicators_share(&tutti_process()->known, tutti_settings_may_need_nodes(&settings));
}

static bool has_world(void)
{
  int begun = 0, ended = 0;
  PMPI_Initialized(&begun);
  PMPI_Finalized(&ended);
  return begun && !ended;
}

void tutti_session_begin(void)
{
  struct process *process = tutti_process();
  pthread_mutex_lock(&process->lock);
  if (process->asleep)
    tutti_communicators_open(&process->known, settings.digest, fault_of_settings());
  process->asleep = false;
  process->sessions++;
  pthread_mutex_unlock(&process->lock);
}

void tutti_session_end(void)
{
  struct process *process = tutti_process();
  pthread_mutex_lock(&process->lock);
  process->sessions--;
  if (process->sessions == 0 && !has_world() && !process->ended) {
    if (process->settings->verbose)
      tutti_usage_report_own(&process->usage, process->settings);
    tutti_usage_free(&process->usage);
    tutti_communicators_close(&process->known);
    process->asleep = true;
  }
  pthread_mutex_unlock(&process->lock);
}

void tutti_process_end(void)
{
  struct process *process = tutti_process();
  if (process->settings->verbose)
    tutti_usage_report(&process->usage, process->settings);
  process->ended = true;
  tutti_communicators_close(&process->known);
  tutti_usage_free(&process->usage);
}
