#include "interpose/record/recorders.h"

#include "interpose/beside.h"

/* ---- the beginning and the end ---- */

struct recorder {
  void (*begin)(struct process *process);
  void (*call)(struct process *process, struct call *call, const struct executor *executor, double end);
  void (*end)(struct process *process);
};

/* In the order of their beginnings; they end in the opposite order. */
static const struct recorder recorders[] = {
    {tutti_started_begin, NULL, tutti_started_end},
    {tutti_adapt_begin, NULL, tutti_adapt_end},
    {tutti_profile_begin, tutti_profile_call, tutti_profile_end},
    {tutti_trace_begin, tutti_trace_call, tutti_trace_end},
    {tutti_ran_begin, tutti_ran_call, tutti_ran_end},
#ifndef SMPI_HELPERS_H
    {NULL, NULL, tutti_beside_end},
#endif
    {NULL, tutti_usage_call, tutti_usage_end},
    {NULL, NULL, tutti_unkept_end},
#ifndef SMPI_HELPERS_H /* a simulation finds deadlocks itself, and its time does not depend on this */
    {tutti_watch_begin, NULL, tutti_watch_end},
#endif
};

enum { RECORDERS = sizeof recorders / sizeof *recorders };

void tutti_recorders_begin(struct process *process)
{
  for (int r = 0; r < RECORDERS; r++)
    if (recorders[r].begin)
      recorders[r].begin(process);
}

void tutti_recorders_end(struct process *process)
{
  for (int r = RECORDERS; r-- > 0;)
    recorders[r].end(process);
}

/* ---- calls ---- */

void tutti_count_begin(struct process *process, struct call *call)
{
  const bool profiles = process->profile.comm != MPI_COMM_NULL, traces = process->trace.comm != MPI_COMM_NULL;
  call->known = !process->policy->verbose && !process->ran.on && (!profiles || call->row) && (!traces || call->shape);
  if (call->known && !traces)
    call->counts = !tutti_profile_skip(&process->profile, &call->communicator->profile, call->row, &process->clock);
  if (!call->counts)
    return;
  call->start = tutti_tick_clock_now(&process->clock);
  if (!call->known)
    tutti_arguments_normalize(call->arguments, call->communicator->view.rank);
}

void tutti_count_again(struct process *process, const struct call *call)
{
  const double end = tutti_tick_clock_now(&process->clock);
  if (call->row)
    tutti_profile_again(&process->profile, call, call->row, end);
  if (call->shape)
    tutti_trace_again(&process->trace, call->shape, call->start, end);
}

void tutti_count(struct process *process, struct call *call, const struct executor *executor)
{
  const double end = tutti_tick_clock_now(&process->clock);
  tutti_process_enter();
  for (int r = 0; r < RECORDERS; r++)
    if (recorders[r].call)
      recorders[r].call(process, call, executor, end);
  tutti_process_leave(process);
}

void tutti_count_served(struct process *process, struct call *call, const tutti_method *method, uint64_t bytes)
{
  const struct executor executor = {.collective = method->algorithm->collective, .method = *method};
  call->ranks = call->communicator->view.size;
  call->bytes = bytes;
  call->sized = true;
  tutti_count(process, call, &executor);
}

void tutti_count_started(struct process *process, struct call *call, const tutti_method *method)
{
  const struct executor executor = {.collective = method->algorithm->collective, .form = call->form, .method = *method};
  if (!call->counts)
    return;
  call->ranks = call->communicator->view.size;
  call->sized = true;
  tutti_count(process, call, &executor);
}

void tutti_trace_served(struct process *process, struct call *call, const tutti_method *method)
{
  const struct executor executor = {.collective = method->algorithm->collective, .form = call->form, .method = *method};
  if (process->trace.comm == MPI_COMM_NULL)
    return;
  call->ranks = call->communicator->view.size;
  tutti_process_enter();
  tutti_trace_call(process, call, &executor, call->start);
  tutti_process_leave(process);
}

/* Of neighbors only the length of equal blocks is known. */
static struct arguments known_part(const struct call *call)
{
  struct arguments part = *call->arguments;
  if (!call->near)
    return part;
  part.input = (struct user_buffer){.base = NULL};
  part.output = (struct user_buffer){.base = part.output.base,
                                     .count = part.output.counts ? 0 : part.output.count,
                                     .type = part.output.types ? MPI_BYTE : part.output.type};
  return part;
}

void tutti_size_up(struct call *call)
{
  const struct communicator *communicator = call->communicator;
  const struct arguments part = known_part(call), *arguments = &part;
  /* Also of a communicator whose calls are left to the library: of others than intracommunicators the size stays 0. */
  const tutti_view *view = communicator && communicator->view.size > 1 ? &communicator->view : NULL;
  if (!view || !tutti_arguments_are_valid(arguments, view))
    return;
  call->sized = arguments->collective != TUTTI_COLL_ALLGATHERV || arguments->output.counts;
  if (!call->sized ||
      tutti_arguments_bytes(arguments, view->size, view->rank == arguments->root, &call->bytes, NULL) == TUTTI_OK)
    call->ranks = view->size;
}
