/* In traces: collectives that are not blocking, and those of neighbors, which are messages to and from each. */
#include <stdlib.h>

#include "algorithms/mpi/collectives/arguments.h"
#include "interpose/process.h"
#include "interpose/serve/serve.h"

/* ---- neighbors ---- */

static void add_part(struct process *process, struct trace_group *group, enum trace_message kind,
                     const struct user_buffer *buffer, int block, const struct envelope *common)
{
  const MPI_Count count = buffer->counts ? tutti_count_at(buffer, block) : (MPI_Count)buffer->count;
  struct envelope envelope = *common;
  if (envelope.peer < 0 || count < 0)
    return;
  envelope.count = (uint64_t)count;
  envelope.type = buffer->types ? buffer->types[block] : buffer->type;
  const uint64_t shape = tutti_trace_message_shape(process, kind, &envelope);
  if (shape > 0)
    group->shapes[group->count++] = shape;
}

/* The messages of a neighborhood collective; NULL: they are not known. Owned. */
static struct trace_group *neighbor_messages(struct process *process, struct communicator *communicator,
                                             const struct arguments *arguments, uint64_t prepared)
{
  const struct neighbors *neighbors = tutti_neighbors_ask(&communicator->neighbors, communicator->comm);
  const tutti_neighbors *near = neighbors ? &neighbors->near : NULL;
  struct trace_group *group =
      near ? malloc(sizeof *group + ((size_t)near->in + (size_t)near->out) * sizeof *group->shapes) : NULL;
  if (!group)
    return NULL;
  struct envelope common = {.tag = TRACE_NEIGHBOR_TAG + (int64_t)prepared, .comm = communicator->comm};
  group->count = 0;
  for (int i = 0; i < near->in; i++) {
    const int from = near->order ? near->order[i] : i;
    common.peer = near->sources[from];
    add_part(process, group, TRACE_IRECV, &arguments->output, from, &common);
  }
  for (int i = 0; i < near->out; i++) {
    common.peer = near->destinations[i];
    add_part(process, group, TRACE_ISEND, &arguments->input, i, &common);
  }
  return group;
}

/* ---- beginning ---- */

void tutti_trace_start_group(struct process *process, struct trace_request *request, double start, double end)
{
  struct trace_messages *messages = &process->trace.messages;
  const struct trace_group *group = request->group;
  for (int i = 0; i < group->count; i++)
    tutti_trace_again(&process->trace, group->shapes[i], start, i == group->count - 1 ? end : start);
  messages->count += (uint64_t)group->count;
  request->number = group->count > 0 ? messages->count : 0;
  request->more = group->count - 1;
  messages->most = request->more > messages->most ? request->more : messages->most;
}

/* ---- calls ---- */

/* What the call does, or prepares. Owned; NULL: not known. */
static struct trace_group *group_of(struct process *process, const struct call *call, const struct executor *executor)
{
  struct communicator *communicator = call->communicator;
  const uint64_t prepared = call->prepares ? ++communicator->trace.prepared : 0;
  if (call->near)
    return neighbor_messages(process, communicator, call->arguments, prepared);
  struct trace_group *group = malloc(sizeof *group + sizeof *group->shapes);
  if (group) {
    group->count = 1;
    group->shapes[0] = 1 + tutti_trace_shape_of(&process->trace, call, executor, 1 + prepared);
  }
  return group;
}

void tutti_trace_form(struct process *process, struct call *call, const struct executor *executor, double end)
{
  struct trace_messages *messages = &process->trace.messages;
  if (call->failed || call->starts)
    return;
  struct trace_group *group = call->communicator ? group_of(process, call, executor) : NULL;
  if (!group) {
    process->unrecorded |= 1u << (call->near ? TRACE_NEIGHBORHOODS : TRACE_NONBLOCKING);
    return;
  }
  struct trace_request request = {.used = true};
  if (call->request)
    request.handle = *call->request;
  if (call->prepares) {
    request.persistent = true;
    request.group = group;
    tutti_trace_request_add(messages, &request);
    return;
  }
  request.group = group;
  tutti_trace_start_group(process, &request, call->start, call->request ? end : call->start);
  request.group = NULL;
  request.active = request.number > 0;
  if (!call->request)
    tutti_trace_wait_for_last(process, request.more + 1, call->start, end);
  else if (request.active)
    tutti_trace_request_add(messages, &request);
  free(group);
}
