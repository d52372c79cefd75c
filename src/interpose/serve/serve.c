#include "interpose/serve/serve.h"

#include <stddef.h>
#include <string.h>

#include "algorithms/mpi/collectives/operation.h"
#include "interpose/process.h"
#include "interpose/record/recorders.h"
#include "interpose/serve/communicator.h"

/* ---- what the process is in, for its watch ---- */

static inline void enter(struct process *process, struct communicator *communicator, const struct operation *operation,
                         struct watched_call call)
{
  if (!process->watch.on)
    return;
  tutti_watch_note(&communicator->watched, call);
  process->watch.now.operation = operation;
  process->watch.now.communicator = communicator;
}

static inline void leave(struct process *process)
{
  process->watch.now.communicator = NULL;
}

/* The library is to be called. */
static void enter_library(struct process *process, struct communicator *communicator, const struct arguments *arguments)
{
  tutti_ran_reset(&process->ran);
  if (communicator)
    enter(process, communicator, NULL, tutti_watch_describe(arguments, 0, true, false));
}

static inline tutti_status repeat(struct process *process, struct communicator *communicator,
                                  struct cached_operation *cached, tutti_error *error)
{
  enter(process, communicator, cached->operation, (struct watched_call){cached->bytes, cached->kind});
  const tutti_status status = tutti_cache_run(&communicator->cache, cached, error);
  leave(process);
  return status;
}

/* ---- serving ---- */

static tutti_status run_cached(struct process *process, struct call *call, struct cached_operation *cached,
                               tutti_error *error)
{
  if (!call->counts)
    return repeat(process, call->communicator, cached, error);
  if (call->known) {
    const tutti_status status = repeat(process, call->communicator, cached, error);
    tutti_count_again(process, call);
    return status;
  }
  const tutti_method method = cached->method; /* after a failure it is not kept */
  const uint64_t bytes = cached->bytes;
  const tutti_status status = repeat(process, call->communicator, cached, error);
  tutti_count_served(process, call, &method, bytes);
  return status;
}

/* It is one of the calls of its communicator, though it is not done. */
static tutti_status refuse(struct process *process, struct call *call, struct watched_call watched, tutti_status status)
{
  enter(process, call->communicator, NULL, watched);
  leave(process);
  return status;
}

/* Run an operation that cannot be cached. *ran: the method that ran. */
static tutti_status run_once(struct process *process, struct call *call, const tutti_method *method,
                             struct watched_call watched, tutti_method *ran, tutti_error *error)
{
  const tutti_view *view = &call->communicator->view;
  struct operation *operation;
  tutti_status status = tutti_operation_create(method, call->arguments, view, view->first_tag, ran, &operation, error);
  if (status != TUTTI_OK)
    return refuse(process, call, watched, status);
  enter(process, call->communicator, operation, watched);
  status = tutti_operation_run_once(operation);
  leave(process);
  return status;
}

tutti_status tutti_serve_once(struct process *process, struct call *call, const tutti_method *method, uint64_t bytes,
                              tutti_method *ran, tutti_error *error)
{
  return run_once(process, call, method, tutti_watch_describe(call->arguments, bytes, false, call->near), ran, error);
}

/* Prepare and run a call, and keep it if it can be kept. */
static tutti_status run_call(struct process *process, struct call *call, tutti_error *error)
{
  struct communicator *communicator = call->communicator;
  const struct arguments *arguments = call->arguments;
  const tutti_view *view = &communicator->view;
  const struct choice *choice = &communicator->choices[arguments->collective];
  const tutti_method method = tutti_policy_rounding(process->policy, &choice->method, tutti_call_rounds(arguments));
  struct cached_operation *cached = NULL;
  const struct watched_call watched = tutti_watch_describe(arguments, choice->bytes, false, false);
  tutti_method ran;
  tutti_status status = TUTTI_OK;
  if (tutti_operation_is_cacheable(arguments, view))
    status = tutti_cache_prepare(&communicator->cache, &method, arguments, choice->bytes, view, true, &cached, error);
  if (status != TUTTI_OK)
    return refuse(process, call, watched, status);
  if (cached) {
    cached->kind = watched.kind;
    cached->may_be_aliased = tutti_alias_distance(arguments, view, &cached->alias_distance);
    return run_cached(process, call, cached, error);
  }
  status = run_once(process, call, &method, watched, &ran, error);
  if (call->counts && status == TUTTI_OK)
    tutti_count_served(process, call, &ran, choice->bytes);
  return status;
}

/* NULL if the call was served, else why it is passed through. */
static const char *serve(struct process *process, struct call *call, tutti_status *status, tutti_error *error)
{
  uint64_t bytes;
  struct communicator *communicator = call->communicator;
  const tutti_collective collective = call->arguments->collective;
  if (communicator && process->known.shadow == MPI_COMM_NULL) /* it is not known yet whether all have a good policy */
    tutti_communicator_open(&process->known, communicator);
  const char *reason = tutti_why_native(process, collective, communicator);
  call->stays = reason && communicator;
  if (!reason)
    reason = tutti_why_not_serve(process, call, &communicator->choices[collective], &bytes);
  call->stays = call->stays || (reason && call->candidate && !call->trial);
  if (!reason)
    *status = run_call(process, call, error);
  return reason;
}

/* Whether the library would report that the buffers are one. */
static bool is_aliased(const struct cached_operation *cached, const struct arguments *arguments)
{
  return cached->may_be_aliased &&
         (uintptr_t)arguments->input.base - (uintptr_t)arguments->output.base == (uintptr_t)cached->alias_distance;
}

/* The buffers of a call, where they may be others than in the one before. */
__attribute__((always_inline)) static inline void use_buffers(const struct recent_call *recent, const void *input,
                                                              const void *output)
{
  tutti_cache_use(&recent->communicator->cache, recent->cached, recent->input_moves ? input : recent->input,
                  recent->output_moves ? output : recent->output);
}

SELDOM static int report_failure(const struct recent_call *recent, tutti_status status, const tutti_error *error)
{
  return tutti_report_failure(tutti_process(), recent->comm, recent->given.collective, status, error);
}

int tutti_serve_again(const struct recent_call *recent, const void *input, const void *output)
{
  tutti_error error;
  use_buffers(recent, input, output);
  const tutti_status status = repeat(tutti_this_process(), recent->communicator, recent->cached, &error);
  return status == TUTTI_OK ? MPI_SUCCESS : report_failure(recent, status, &error);
}

/* A call that differs in nothing but addresses from another one before, and is not simple; false: it is passed through.
 */
static bool serve_again(struct process *process, struct call *call, const struct recent_call *recent, int *result)
{
  struct cached_operation *cached = recent->cached;
  tutti_error error;
  call->communicator = recent->communicator;
  call->row = recent->row;
  call->shape = recent->shape;
  if (call->counts)
    tutti_count_begin(process, call);
  if (!cached) {
    enter_library(process, call->communicator, call->arguments);
    call->reason = recent->reason;
    call->ranks = recent->ranks;
    call->bytes = recent->bytes;
    call->sized = recent->sized;
    return false;
  }
  use_buffers(recent, call->arguments->input.base, call->arguments->output.base);
  const tutti_status status = run_cached(process, call, cached, &error);
  *result = status == TUTTI_OK
                ? MPI_SUCCESS
                : tutti_report_failure(process, recent->comm, call->arguments->collective, status, &error);
  return true;
}

/* The cached operation of the candidate for a call that has one cached, or NULL. */
static struct cached_operation *find_candidate(struct call *call, struct cached_operation *cached)
{
  struct communicator *communicator = call->communicator;
  call->candidate = tutti_adapt_pick(call, communicator, cached->bytes);
  if (tutti_method_is_native(call->candidate))
    return NULL;
  return tutti_method_compare(&cached->wanted, call->candidate) == 0
             ? cached
             : tutti_cache_find(&communicator->cache, call->arguments, call->candidate, &communicator->view);
}

static bool serve_first(struct process *process, struct call *call, MPI_Comm comm, int *result)
{
  struct arguments *arguments = call->arguments;
  tutti_status status = TUTTI_OK;
  tutti_error error;
  struct cached_operation *cached = NULL;
  call->given = *arguments;
  call->start = call->counts ? tutti_tick_clock_now(&process->clock) : 0.0;
  call->communicator = process->ended ? NULL : tutti_communicator_of(&process->known, comm);
  if (call->communicator) {
    tutti_arguments_normalize(arguments, call->communicator->view.rank);
    cached = tutti_cache_find(&call->communicator->cache, arguments, NULL, &call->communicator->view);
    if (cached && is_aliased(cached, arguments))
      cached = NULL;
    if (cached && tutti_adapt_concerns(&process->adapt, arguments->collective))
      cached = find_candidate(call, cached);
  }
  if (cached) {
    status = run_cached(process, call, cached, &error);
    if (status == TUTTI_OK && !call->trial)
      tutti_recent_note(&process->recent, &process->known, call, cached, tutti_process_counts(process));
  } else {
    call->reason = process->ended ? "after the end" : serve(process, call, &status, &error);
    if (call->reason) {
      tutti_unkept_note(process, call);
      if (call->counts)
        tutti_size_up(call);
      enter_library(process, call->communicator, arguments);
      return false;
    }
  }
  if (call->trial)
    tutti_adapt_end_trial(call);
  *result =
      status == TUTTI_OK ? MPI_SUCCESS : tutti_report_failure(process, comm, arguments->collective, status, &error);
  return true;
}

/* All but a call that is done again without being counted. `recent`: NULL, or how it is done again. */
__attribute__((noinline)) static bool serve_thoroughly(struct process *process, struct call *call, MPI_Comm comm,
                                                       const struct recent_call *recent, int *result)
{
  memset((char *)call + offsetof(struct call, reason), 0, sizeof *call - offsetof(struct call, reason));
  call->counts = tutti_process_counts(process);
  if (recent)
    return serve_again(process, call, recent, result);
  return serve_first(process, call, comm, result);
}

bool tutti_serve(struct call *call, MPI_Comm comm, const struct recent_call *recent, int *result)
{
  struct process *process = tutti_process();
  if (!recent)
    recent = tutti_recent_find(&process->recent, &process->known, call, comm);
  if (recent && ((recent->cached && is_aliased(recent->cached, call->arguments)) ||
                 (recent->adapted && !tutti_adapt_repeats(recent->adapted, recent->candidate))))
    recent = NULL;
  if (!recent || tutti_process_counts(process))
    return serve_thoroughly(process, call, comm, recent, result);
  if (recent->cached) {
    *result = tutti_serve_again(recent, call->arguments->input.base, call->arguments->output.base);
    return true;
  }
  enter_library(process, recent->communicator, call->arguments);
  call->counts = call->stays = false; /* no work is left after it */
  call->trial = NULL;
  return false;
}

void tutti_note(struct call *call, MPI_Comm comm, const char *form, bool near)
{
  struct process *process = tutti_process();
  *call = (struct call){.arguments = call->arguments, .site = call->site, .reason = "", .form = form, .near = near};
  call->counts = tutti_process_counts(process);
  if (!call->counts)
    return;
  call->start = tutti_tick_clock_now(&process->clock);
  call->communicator = process->ended ? NULL : tutti_communicator_of(&process->known, comm);
  if (call->communicator) {
    if (!near)
      tutti_arguments_normalize(call->arguments, call->communicator->view.rank);
    tutti_size_up(call);
  }
}

/* Whether the key of the call has all facts about it. */
static bool stays(const struct call *call)
{
  return call->stays && tutti_operation_is_cacheable(call->arguments, &call->communicator->view);
}

__attribute__((noinline)) static void note_passed(struct call *call)
{
  struct process *process = tutti_process();
  const struct executor executor = {
      .collective = call->arguments->collective, .native = call->reason, .form = call->form};
  if (call->counts && call->known)
    tutti_count_again(process, call);
  else if (call->counts)
    tutti_count(process, call, &executor);
  if (call->trial)
    tutti_adapt_end_trial(call);
  if (stays(call))
    tutti_recent_note(&process->recent, &process->known, call, NULL, tutti_process_counts(process));
}

int tutti_passed(struct call *call, MPI_Comm comm, int result)
{
  leave(tutti_this_process());
  call->failed = result != MPI_SUCCESS;
  if (call->counts || call->trial || call->stays)
    note_passed(call);
#ifdef SMPI_HELPERS_H /* its error handlers are called by the functions without P */
  if (result != MPI_SUCCESS && comm != MPI_COMM_NULL)
    return tutti_raise_error(comm, result);
#else
  (void)comm;
#endif
  return result;
}
