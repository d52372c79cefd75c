#include "interpose/serve/watch.h"

#include <stdlib.h>
#include <time.h>

#include "algorithms/mpi/collectives/operation.h"
#include "interpose/process.h"

/* Seconds: between two looks for questions, before the first question, and between two of them at last. */
static const double LOOK = 0.25, FIRST = 1, LONGEST = 64;

/* The number of a persistent collective is this, its tag, and how often it was started. */
static const uint64_t PERSISTENT = UINT64_C(1) << 63;
enum { STARTS = 32 };

/* ---- answers ---- */

static int tag_of(uint64_t number)
{
  return (int)(number & INT32_MAX);
}

static uint64_t number_of(const struct started *s)
{
  return s->persistent ? PERSISTENT | s->starts % INT32_MAX << STARTS | (uint64_t)s->tag : s->number;
}

/* The own call of that number; NULL: it is not known. */
static const struct watched_call *find_call(const struct process *process, const struct communicator *communicator,
                                            uint64_t number)
{
  const struct watched_calls *watched = &communicator->watched;
  if (number & PERSISTENT) {
    const struct started *found = tutti_started_persistent(&process->started, communicator, tag_of(number));
    return found ? &found->watched : NULL;
  }
  return number < watched->count && watched->count - number <= WATCHED_CALLS ? &watched->calls[number % WATCHED_CALLS]
                                                                             : NULL;
}

/* Whether the call is still to come. */
static bool is_to_come(const struct process *process, const struct communicator *communicator, uint64_t number)
{
  if (!(number & PERSISTENT))
    return number >= communicator->watched.count;
  const struct started *found = tutti_started_persistent(&process->started, communicator, tag_of(number));
  return found ? number_of(found) < number
               : !tutti_started_has_prepared(&process->started, communicator, tag_of(number));
}

/* Whether the process is in that call. */
static bool is_in(const struct process *process, const struct communicator *communicator, uint64_t number)
{
  if (process->watch.now.communicator == communicator && number == communicator->watched.count - 1)
    return true;
  for (const struct started *first = process->started.first; first; first = first->next)
    for (const struct started *s = first; s; s = s->behind)
      if (s->communicator == communicator && number_of(s) == number)
        return true;
  return false;
}

/* A few bytes, which are sent at once; if not, their memory stays. */
static void reply(const struct process *process, const struct watch_question *question, int asker)
{
  struct watch_question *copy = malloc(sizeof *copy);
  MPI_Request request;
  int done = 0;
  if (!copy)
    return;
  *copy = *question;
  copy->reply = true;
  if (PMPI_Isend(copy, sizeof *copy, MPI_BYTE, asker, process->watch.tag, process->known.shadow, &request) !=
      MPI_SUCCESS)
    done = 1;
  else if (PMPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
    PMPI_Request_free(&request);
  if (done)
    free(copy);
}

static void answer(struct process *process, const struct communicator *communicator,
                   const struct watch_question *question, int asker)
{
  const uint64_t number = question->number;
  const struct watched_call *own = find_call(process, communicator, number);
  const bool comes = is_to_come(process, communicator, number);
  if ((comes && process->watch.ending) ||
      (own && (own->bytes != question->call.bytes || own->kind != question->call.kind))) {
    int rank = 0;
    PMPI_Comm_rank(process->known.shadow, &rank);
    tutti_watch_report_difference(asker, &question->call, rank, comes ? NULL : own);
  } else if (!comes && !is_in(process, communicator, number))
    reply(process, question, asker);
}

static bool has_ranks(const struct process *process, const struct communicator *communicator, uint64_t stamp)
{
  uint64_t digest = 0;
  free(tutti_communicator_members(communicator->comm, process->known.world, communicator->view.size, &digest));
  return tutti_watch_stamp(process, digest) == stamp;
}

/* Only an agreement can leave a rank with a tag where another one has none yet. */
static void answer_without_tag(const struct process *process, const struct watch_question *question, int asker)
{
  const struct communicators *known = &process->known;
  int rank = 0;
  if (!process->watch.ending || known->freed_calls[0] > question->number ||
      (question->opening && known->freed_calls[1] > question->number))
    return;
  for (const struct communicator *c = known->first; c; c = c->next)
    if (c->watched.count > question->number && (c->tag < 0 || question->opening) && c->comm != MPI_COMM_WORLD &&
        has_ranks(process, c, question->stamp))
      return;
  PMPI_Comm_rank(known->shadow, &rank);
  tutti_watch_report_difference(asker, &question->call, rank, NULL);
}

/* Check that it is about the call that the process is in. */
static void note_left(struct watch *watch, const struct watch_question *question, int rank)
{
  const struct communicator *communicator = watch->seen.communicator;
  if (communicator && watch->left && communicator->tag == question->tag && watch->seen.number == question->number &&
      rank >= 0)
    watch->left[rank] = true;
}

static void handle_question(struct process *process, const struct watch_question *question, int source)
{
  if (question->tag == WATCH_NO_TAG) {
    answer_without_tag(process, question, source);
    return;
  }
  const struct communicator *communicator = process->known.by_tag[question->tag];
  if (!communicator || communicator->watched.stamp != question->stamp)
    return;
  if (question->reply)
    note_left(&process->watch, question, tutti_view_rank_of(&communicator->view, source));
  else
    answer(process, communicator, question, source);
}

static void answer_all(struct process *process)
{
  const MPI_Comm shadow = process->known.shadow;
  struct watch_question question;
  MPI_Status status;
  int found = 0;
  while (PMPI_Iprobe(MPI_ANY_SOURCE, process->watch.tag, shadow, &found, &status) == MPI_SUCCESS && found &&
         PMPI_Recv(&question, sizeof question, MPI_BYTE, status.MPI_SOURCE, process->watch.tag, shadow,
                   MPI_STATUS_IGNORE) == MPI_SUCCESS)
    handle_question(process, &question, status.MPI_SOURCE);
}

/* ---- looking ---- */

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The call that the process waits in: the blocking call, or the oldest of the others. */
static struct watched_wait find_wait(const struct process *process, struct watched_call *call)
{
  struct watched_wait wait = process->watch.now;
  const struct started *s = process->started.first;
  if (process->watch.opening) {
    wait.number = wait.communicator->watched.count;
    *call = tutti_watch_describe(process->watch.opening, 0, true, false);
  } else if (wait.communicator) {
    wait.number = wait.communicator->watched.count - 1;
    *call = wait.communicator->watched.calls[wait.number % WATCHED_CALLS];
  } else if (s) {
    wait = (struct watched_wait){s->communicator, s->operation, number_of(s)};
    *call = s->watched;
  }
  return wait;
}

static void ask_in_time(struct process *process, double time)
{
  struct watch *watch = &process->watch;
  struct watched_call call;
  const struct watched_wait wait = find_wait(process, &call), seen = watch->seen;
  if (!wait.communicator || wait.communicator != seen.communicator || wait.operation != seen.operation ||
      wait.number != seen.number) {
    free(watch->left);
    watch->left = NULL;
    watch->seen = wait;
    watch->interval = FIRST;
    watch->next_question = time + FIRST;
  } else if (time >= watch->next_question && !wait.communicator->native) {
    watch->interval = watch->interval < LONGEST ? 2 * watch->interval : LONGEST;
    watch->next_question = time + watch->interval;
    tutti_watch_ask(process, &wait, &call);
  }
}

void tutti_watch_look(struct process *process)
{
  struct watch *watch = &process->watch;
  const double time = now();
  if (watch->busy || time < watch->next_look)
    return;
  watch->busy = true;
  watch->next_look = time + LOOK;
  answer_all(process);
  ask_in_time(process, time);
  watch->busy = false;
}

void tutti_watch_open(struct process *process, struct communicator *communicator, const struct arguments *arguments)
{
  const struct watched_wait outside = process->watch.now;
  if (communicator->open)
    return;
  if (process->watch.on) {
    process->watch.now = (struct watched_wait){.communicator = communicator};
    process->watch.opening = arguments;
  }
  tutti_communicator_open(&process->known, communicator);
  process->watch.now = outside;
  process->watch.opening = NULL;
}

/* ---- the beginning and the end ---- */

void tutti_watch_begin(struct process *process)
{
  int found = 0, on, *bound;
  on =
      process->hooked && PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, (void *)&bound, &found) == MPI_SUCCESS && found;
  if (on)
    process->watch.tag = *bound; /* tags of calls end before: started.c */
  PMPI_Allreduce(MPI_IN_PLACE, &on, 1, MPI_INT, MPI_MIN, process->known.shadow);
  process->watch.on = on;
  if (on) /* its ranks need not agree */
    tutti_communicator_open(&process->known, tutti_communicator_of(&process->known, MPI_COMM_WORLD));
}

void tutti_watch_end(struct process *process)
{
  struct watch *watch = &process->watch;
  if (!watch->on)
    return;
  watch->ending = true;
  PMPI_Barrier(process->known.shadow);
  watch->on = false;
  answer_all(process);
  if (!tutti_watch_finish(watch))
    PMPI_Waitall(watch->round->count, watch->round->requests, MPI_STATUSES_IGNORE);
  free(watch->round);
  watch->round = NULL;
}
