#include "interpose/record/count.h"

void tutti_count_begin(struct process *process, struct call *call)
{
  const bool profiles = process->profile.comm != MPI_COMM_NULL, traces = process->trace.comm != MPI_COMM_NULL;
  call->known = !process->policy->verbose && (!profiles || call->row) && (!traces || call->shape);
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
    tutti_profile_add(
        &process->profile, &call->communicator->profile,
        &(struct profile_call){.size = call->communicator->view.size, .start = call->start, .row = call->row}, end);
  if (call->shape)
    tutti_trace_again(&process->trace, call->shape, call->start, end);
}

void tutti_count(struct process *process, struct call *call, const struct executor *executor)
{
  const double end = tutti_tick_clock_now(&process->clock);
  struct communicator *communicator = call->communicator;
  const bool alone = process->known.in_turn;
  const struct profile_call counted = {.site = call->site,
                                       .arguments = call->arguments,
                                       .executor = executor,
                                       .comm = communicator ? communicator->comm : MPI_COMM_NULL,
                                       .size = call->ranks,
                                       .bytes = call->bytes,
                                       .start = call->start,
                                       .row = call->row};
  if (!alone)
    pthread_mutex_lock(&process->lock);
  if (process->policy->verbose)
    tutti_usage_add(&process->usage, executor, call->sized ? call->ranks : 0, call->bytes, end - call->start);
  if (process->profile.comm != MPI_COMM_NULL && call->ranks > 0)
    call->row = tutti_profile_add(&process->profile, &communicator->profile, &counted, end);
  if (process->trace.comm != MPI_COMM_NULL && !executor->form) /* such calls count as computing of the program */
    call->shape = tutti_trace_add(&process->trace, communicator ? &communicator->trace : NULL, &counted, end);
  if (!alone)
    pthread_mutex_unlock(&process->lock);
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

void tutti_size_up(struct call *call)
{
  const struct communicator *communicator = call->communicator;
  const struct arguments *arguments = call->arguments;
  const tutti_view *view = communicator && !communicator->native ? &communicator->view : NULL;
  if (!view || !tutti_arguments_are_valid(arguments, view))
    return;
  call->sized = arguments->collective != TUTTI_COLL_ALLGATHERV || arguments->output.counts;
  if (!call->sized ||
      tutti_arguments_bytes(arguments, view->size, view->rank == arguments->root, &call->bytes, NULL) == TUTTI_OK)
    call->ranks = view->size;
}
