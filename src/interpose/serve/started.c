#include "interpose/serve/started.h"
#include "interpose/record/recorders.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/mpi/collectives/operation.h"
#include "interpose/process.h"
#include "interpose/serve/near.h"
#include "interpose/serve/serve.h"

enum { SLOTS = 64 }; /* of the table of persistent requests */

/* ---- at the beginning and the end ---- */

enum fitness { NO_HOOK, NO_MEMORY, NO_TAGS, THREADS, FIT };

/* The number of tags after the first one of each communicator, when all get the same number. */
static int tags_each(void)
{
  enum { MOST = 4096 };
  int found, *bound;
  if (PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, (void *)&bound, &found) != MPI_SUCCESS || !found)
    return 0;
  const int each = *bound / MAX_COMMUNICATORS - 1;
  return each < MOST ? each : MOST;
}

static enum fitness find_fitness(struct process *process)
{
  struct started_calls *started = &process->started;
  if (!process->known.in_turn)
    return THREADS;
  started->tags = tags_each();
  if (started->tags < 2 * TURNS)
    return NO_TAGS;
  if (PMPI_Comm_dup(MPI_COMM_SELF, &started->self) != MPI_SUCCESS)
    return NO_MEMORY;
  PMPI_Comm_set_errhandler(started->self, MPI_ERRORS_RETURN);
  return process->hooked ? FIT : NO_HOOK;
}

/* Whether any call may be served. */
static bool serves_some(const struct policy *policy)
{
  return policy->nonblocking || policy->reproducible;
}

void tutti_started_begin(struct process *process)
{
  static const char *const reasons[] = {[NO_HOOK] = "no access to the library's progress",
                                        [NO_MEMORY] = "no communicator left",
                                        [NO_TAGS] = "no tags left",
                                        [THREADS] = "MPI_THREAD_MULTIPLE"};
  struct started_calls *started = &process->started;
  if (!serves_some(process->policy))
    return;
  started->self = MPI_COMM_NULL;
  int fitness = (int)find_fitness(process);
  PMPI_Allreduce(MPI_IN_PLACE, &fitness, 1, MPI_INT, MPI_MIN, process->known.shadow);
  started->reason = fitness == FIT ? NULL : reasons[fitness];
  tutti_progress_init(&started->progress);
  if (!started->reason)
    tutti_started_welcome(process, MPI_COMM_WORLD);
}

/* The program has not waited for operations that are still active; the library may still use them. */
void tutti_started_end(struct process *process)
{
  struct started_calls *started = &process->started;
  if (started->reason)
    return;
  started->reason = "after the end";
  started->busy = true;
  PMPI_Comm_free(&started->self);
  while (started->unused) {
    struct started *next = started->unused->next;
    if (started->unused->operation)
      tutti_started_drop(started->unused);
    free(started->unused);
    started->unused = next;
  }
  if (!started->first)
    tutti_progress_free(&started->progress);
  free(started->slots);
  started->slots = NULL;
}

void tutti_started_welcome(struct process *process, MPI_Comm comm)
{
  if (!serves_some(process->policy) || process->ended || process->started.reason || comm == MPI_COMM_NULL)
    return;
  struct communicator *communicator = tutti_communicator_of(&process->known, comm);
  if (!communicator)
    return;
  tutti_communicator_open(&process->known, communicator);
  if (!communicator->native && tutti_policy_may_need_places(process->policy))
    tutti_communicator_find_places(&process->known, communicator);
}

/* ---- beginning ---- */

/* Whether calls of such a form may be served. */
static bool is_served(const struct policy *policy, tutti_collective collective, bool near)
{
  return near ? policy->nonblocking && policy->near != NEAR_NATIVE
              : policy->nonblocking || tutti_policy_keeps(policy, collective);
}

/* As other ranks see it; neighbors count their own blocks. */
static struct watched_call watched_of(const struct call *call, bool native)
{
  return tutti_watch_describe(call->arguments, call->near ? 0 : call->bytes, native, call->near);
}

/* The process, if it serves the call by *method; else NULL, and call->reason has the reason. */
static struct process *server_of(struct call *call, MPI_Comm comm, const char *form, bool near, tutti_method *method)
{
  struct process *process = tutti_process();
  tutti_note(call, comm, form, near);
  if (!is_served(process->policy, call->arguments->collective, near))
    return NULL;
  call->communicator = process->ended ? NULL : tutti_communicator_of(&process->known, comm);
  if (call->communicator && !near)
    tutti_arguments_normalize(call->arguments, call->communicator->view.rank);
  call->reason = process->started.reason;
  if (!call->reason)
    call->reason = near ? tutti_near_choose(process, call, method) : tutti_choose_method(process, call, method);
  if (!call->reason && call->communicator->tag < 0)
    call->reason = "no MPI_COMM_WORLD";
  if (call->reason)
    tutti_unkept_note(process, call);
  return call->reason ? NULL : process;
}

/* The first tag of a communicator. */
static int first_tag(const struct started_calls *started, const struct communicator *communicator)
{
  return MAX_COMMUNICATORS + communicator->tag * started->tags;
}

/* Create its operation, with tag @p number of its communicator: these tags come after those of all blocking
   collectives, and those for persistent ones after the first ones of a communicator. The caller resets `busy`. */
static struct started *create(struct process *process, struct call *call, const tutti_method *method, int number,
                              MPI_Comm comm, int *result)
{
  struct started_calls *started = &process->started;
  const int tag = first_tag(started, call->communicator) + number;
  started->busy = true;
  struct started *s = tutti_started_create(process, call, method, tag, comm, result);
  if (s)
    s->watched = watched_of(call, false);
  return s;
}

static bool serve_nonblocking(struct call *call, MPI_Comm comm, const char *form, bool near, MPI_Request *request,
                              int *result)
{
  tutti_method method;
  struct process *process = server_of(call, comm, form, near, &method);
  if (call->communicator && is_served(tutti_process()->policy, call->arguments->collective, near))
    tutti_watch_note(&call->communicator->watched, watched_of(call, !process));
  if (!process)
    return false;
  struct started_calls *started = &process->started;
  struct watched_calls *watched = &call->communicator->watched;
  const int turn = call->communicator->turn;
  call->communicator->turn = (turn + 1) % TURNS;
  struct started *s = create(process, call, &method, turn, comm, result);
  if (s) {
    s->turn = turn;
    s->number = watched->count - 1;
    const tutti_method ran = s->method; /* it may be complete at once */
    *result = PMPI_Irecv(NULL, 0, MPI_BYTE, 0, s->completion, started->self, request);
    tutti_started_activate(process, s);
    call->request = request;
    tutti_count_started(process, call, &ran);
  }
  started->busy = false;
  return true;
}

bool tutti_serve_nonblocking(struct call *call, MPI_Comm comm, const char *form, MPI_Request *request, int *result)
{
  return serve_nonblocking(call, comm, form, false, request, result);
}

bool tutti_serve_near_nonblocking(struct call *call, MPI_Comm comm, const char *form, MPI_Request *request, int *result)
{
  return serve_nonblocking(call, comm, form, true, request, result);
}

/* ---- persistent requests ---- */

static uint64_t bits_of(MPI_Request request)
{
  uint64_t bits = 0;
  memcpy(&bits, &request, sizeof request);
  return bits;
}

static struct started **slot_of(const struct started_calls *started, MPI_Request request)
{
  const uint64_t bits = bits_of(request);
  return &started->slots[(bits ^ bits >> 6 ^ bits >> 12) % SLOTS];
}

static struct started **place_of(const struct started_calls *started, MPI_Request request)
{
  struct started **place = slot_of(started, request);
  while (*place && (*place)->request != request)
    place = &(*place)->same_slot;
  return place;
}

const struct started *tutti_started_persistent(const struct started_calls *started,
                                               const struct communicator *communicator, int tag)
{
  for (int slot = 0; started->slots && slot < SLOTS; slot++)
    for (const struct started *s = started->slots[slot]; s; s = s->same_slot)
      if (s->communicator == communicator && s->tag == tag)
        return s;
  for (const struct started *s = started->first; s; s = s->next) /* freed while it is active */
    if (s->persistent && s->communicator == communicator && s->tag == tag)
      return s;
  return NULL;
}

bool tutti_started_has_prepared(const struct started_calls *started, const struct communicator *communicator, int tag)
{
  return tag < first_tag(started, communicator) + TURNS + communicator->prepared;
}

static bool enlist(struct started_calls *started, struct started *s)
{
  if (!started->slots)
    started->slots = calloc(SLOTS, sizeof *started->slots);
  if (!started->slots)
    return false;
  struct started **slot = slot_of(started, s->request);
  s->same_slot = *slot;
  *slot = s;
  started->persistent++;
  return true;
}

static bool serve_persistent(struct call *call, MPI_Comm comm, const char *form, bool near, MPI_Request *request,
                             int *result)
{
  tutti_method method;
  struct process *process = server_of(call, comm, form, near, &method);
  if (!process)
    return false;
  struct started_calls *started = &process->started;
  if (call->communicator->prepared == started->tags - TURNS) {
    call->reason = "no tag left";
    tutti_unkept_note(process, call);
    return false;
  }
  struct started *s = create(process, call, &method, TURNS + call->communicator->prepared++, comm, result);
  if (s) {
    s->persistent = s->call.starts = true;
    *result = PMPI_Recv_init(NULL, 0, MPI_BYTE, 0, s->completion, started->self, &s->request);
    if (*result == MPI_SUCCESS && !enlist(started, s))
      *result = MPI_ERR_NO_MEM;
    *request = s->request;
    call->request = request;
    call->prepares = true;
    tutti_trace_served(process, call, &s->method);
  }
  started->busy = false;
  return true;
}

bool tutti_serve_persistent(struct call *call, MPI_Comm comm, const char *form, MPI_Request *request, int *result)
{
  return serve_persistent(call, comm, form, false, request, result);
}

bool tutti_serve_near_persistent(struct call *call, MPI_Comm comm, const char *form, MPI_Request *request, int *result)
{
  return serve_persistent(call, comm, form, true, request, result);
}

void tutti_started_start(struct process *process, MPI_Request request)
{
  struct started_calls *started = &process->started;
  struct started *s = started->slots ? *place_of(started, request) : NULL;
  if (!s || s->active)
    return;
  started->busy = true;
  s->starts++;
  s->call.counts = !s->communicator->gone && tutti_process_counts(process);
  s->call.start = s->call.counts ? tutti_tick_clock_now(&process->clock) : 0;
  tutti_started_activate(process, s);
  tutti_count_started(process, &s->call, &s->method);
  started->busy = false;
}

void tutti_started_forget(struct process *process, MPI_Request request)
{
  struct started_calls *started = &process->started;
  struct started **place = started->slots ? place_of(started, request) : NULL, *s = place ? *place : NULL;
  if (!s)
    return;
  *place = s->same_slot;
  started->persistent--;
  s->freed = true;
  if (!s->active)
    tutti_started_discard(process, s, s->operation->run.broken);
}

/* ---- operations of reductions ---- */

static bool uses(const struct started *s, MPI_Op op)
{
  return s->operation && s->kept.arguments.op == op &&
         tutti_collective_traits(s->kept.arguments.collective) & TUTTI_REDUCES;
}

static struct started *user_of(const struct started_calls *started, MPI_Op op)
{
  for (struct started *first = started->first; first; first = first->next)
    for (struct started *s = first; s; s = s->behind)
      if (uses(s, op))
        return s;
  for (int slot = 0; started->slots && slot < SLOTS; slot++)
    for (struct started *s = started->slots[slot]; s; s = s->same_slot)
      if (uses(s, op))
        return s;
  return NULL;
}

bool tutti_started_holds(struct process *process, MPI_Op op)
{
  struct started *user = user_of(&process->started, op);
  if (user)
    user->frees_op = true;
  return user;
}
