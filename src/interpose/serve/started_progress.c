/* Nonblocking and persistent collectives under way: they begin, advance in the library's progress, and complete the
   requests of the program. */
#include <stdio.h>
#include <stdlib.h>

#include "algorithms/mpi/collectives/operation.h"
#include "algorithms/mpi/collectives/operation_cache.h"
#include "base/say.h"
#include "interpose/mpi_library.h"
#include "interpose/process.h"
#include "interpose/serve/serve.h"
#include "interpose/serve/started.h"

/* ---- completing ---- */

/* The request of the program. MPICH's MPI_Wait() looks at it again when some request was freed
   (MPID_Request_free_hook()), which the one that is never started brings about. (From MPI_PROC_NULL MPICH 4.0.2 leaves
   it so that the next persistent collective of its own never ends.) */
static void complete_request(const struct started_calls *started, int tag, bool failed)
{
  static const char byte;
  MPI_Request sent;
  if (PMPI_Isend(&byte, failed, MPI_BYTE, 0, tag, started->self, &sent) == MPI_SUCCESS)
    PMPI_Request_free(&sent);
  MPI_Request poke;
  if (tutti_library_kind() == TUTTI_MPI_MPICH &&
      PMPI_Recv_init(NULL, 0, MPI_BYTE, 0, tag, started->self, &poke) == MPI_SUCCESS)
    PMPI_Request_free(&poke);
}

/* Free an operation that the program has freed before, unless another collective still uses it. */
static void free_op(struct process *process, const struct started *done)
{
  MPI_Op op = done->kept.arguments.op;
  if (done->frees_op && !tutti_started_holds(process, op))
    PMPI_Op_free(&op);
}

void tutti_started_drop(struct started *started)
{
  tutti_operation_free(started->operation);
  tutti_persistent_arguments_free(&started->kept);
  started->operation = NULL;
}

/* Whether it is worth caching for the next call that differs in nothing except addresses. */
static bool is_kept(const struct started_calls *started, const struct started *done)
{
  enum { MAX_SPARE = 32, MAX_BYTES = 1 << 14 };
  const struct arguments *arguments = &done->kept.arguments;
  return !done->persistent && started->spare < MAX_SPARE && done->operation->arena.reserved <= MAX_BYTES &&
         !(tutti_key_traits(arguments) & TUTTI_KEY_IRREGULAR) &&
         tutti_operation_is_cacheable(arguments, &done->communicator->view);
}

void tutti_started_discard(struct process *process, struct started *done, bool failed)
{
  struct started_calls *started = &process->started;
  struct communicator *communicator = done->communicator;
  if (failed)
    done->operation = NULL;
  else if (is_kept(started, done)) {
    started->spare++;
    done->dropped = process->known.budget.dropped;
  } else
    tutti_started_drop(done);
  free_op(process, done);
  tutti_communicator_release(&process->known, communicator);
  done->next = started->unused;
  started->unused = done;
}

static void append_active(struct started_calls *started, struct started *s)
{
  s->previous = started->last;
  s->next = NULL;
  *(started->last ? &started->last->next : &started->first) = s;
  started->last = s;
  started->active++;
}

static void unlink_active(struct started_calls *started, struct started *done)
{
  *(done->previous ? &done->previous->next : &started->first) = done->next;
  *(done->next ? &done->next->previous : &started->last) = done->previous;
  started->active--;
}

/* The place of the last operation that has the tag, or waits for it; of nonblocking ones. */
static struct started **holder_of(const struct started *s)
{
  return &s->communicator->turns[s->turn];
}

static void start_operation(struct started_calls *started, struct started *s)
{
  append_active(started, s);
  tutti_operation_start(s->operation);
}

static void complete(struct process *process, struct started *done)
{
  struct started_calls *started = &process->started;
  const struct communicator *communicator = done->communicator;
  tutti_status status = tutti_operation_finish(done->operation);
  if (status == TUTTI_OK && done->operation->run.broken)
    status = tutti_fail(&done->error, TUTTI_ERR_MPI, "the request cannot be started again: it has failed before");
  unlink_active(started, done);
  done->active = false;
  if (done->behind)
    start_operation(started, done->behind);
  else if (!done->persistent)
    *holder_of(done) = NULL;
  done->behind = NULL;
  if (status != TUTTI_OK)
    tutti_report_failure(process, communicator->gone ? MPI_COMM_WORLD : communicator->comm,
                         done->kept.arguments.collective, status, &done->error);
  complete_request(started, done->completion, status != TUTTI_OK);
  if (!done->persistent || done->freed)
    tutti_started_discard(process, done, status != TUTTI_OK);
}

/* ---- going on ---- */

/* Complete what is done, and begin what waited for that, which may be done at once. */
static void complete_done(struct process *process)
{
  struct started *next;
  bool begun;
  do {
    begun = false;
    for (struct started *s = process->started.first; s; s = next) {
      struct run *run = &s->operation->run;
      next = s->next;
      if (!tutti_run_done(run) && tutti_run_gives_up(run))
        tutti_progress_abandon(run);
      if (!tutti_run_done(run))
        continue;
      begun = begun || s->behind;
      complete(process, s);
    }
  } while (begun);
}

static void abort_program(const tutti_error *error)
{
  tutti_say(stderr, "tutti: nonblocking collectives: %s\n", error->message);
  PMPI_Abort(MPI_COMM_WORLD, 1);
}

void tutti_started_progress(struct process *process)
{
  struct started_calls *started = &process->started;
  tutti_error error;
  if (started->busy)
    return;
  started->busy = true;
  if (tutti_progress_poll(&started->progress, &error) != TUTTI_OK)
    abort_program(&error);
  complete_done(process);
  started->busy = false;
}

void tutti_started_activate(struct process *process, struct started *s)
{
  struct started_calls *started = &process->started;
  struct started **holder = s->persistent ? NULL : holder_of(s), *before = holder ? *holder : NULL;
  s->active = true;
  if (holder)
    *holder = s;
  if (before) {
    before->behind = s;
    return;
  }
  start_operation(started, s);
  if (tutti_run_done(&s->operation->run))
    complete(process, s);
}
