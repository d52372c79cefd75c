#include "interpose/record/trace_messages.h"

#include <stdlib.h>

#include "base/splitmix64.h"
#include "interpose/process.h"

double tutti_trace_now(void)
{
  return tutti_tick_clock_now(&tutti_process()->clock);
}

/* ---- shapes ---- */

/* The rank of the program; MPI_PROC_NULL where it is none. */
static int in_world(const struct trace *trace, MPI_Group members, int rank)
{
  int found = MPI_PROC_NULL;
  if (members == MPI_GROUP_NULL || rank < 0)
    return rank;
  return PMPI_Group_translate_ranks(members, 1, &rank, trace->world, &found) != MPI_SUCCESS || found == MPI_UNDEFINED
             ? MPI_PROC_NULL
             : found;
}

static bool is_message(const struct trace_message_shape *shape, const struct trace_message_shape *key)
{
  return shape->used && shape->kind == key->kind && shape->peer == key->peer && shape->tag == key->tag &&
         shape->communicator == key->communicator && shape->bytes == key->bytes;
}

static size_t place_of(uint64_t word)
{
  return tutti_hash_words(&word, 1) & (TRACE_MESSAGE_SHAPES - 1);
}

static void put_message(struct trace *trace, const struct trace_message_shape *shape, MPI_Comm comm)
{
  const MPI_Group members = tutti_trace_members(comm);
  tutti_trace_put(trace, TRACE_MESSAGE);
  tutti_trace_put(trace, shape->kind);
  tutti_trace_put(trace, shape->communicator - 1);
  tutti_trace_put(trace, shape->peer == MPI_ANY_SOURCE ? 0 : 1 + (uint64_t)in_world(trace, members, shape->peer));
  tutti_trace_put(trace, shape->tag == MPI_ANY_TAG ? 0 : 1 + (uint64_t)shape->tag);
  tutti_trace_put(trace, shape->bytes);
  tutti_trace_members_free(members);
}

uint64_t tutti_trace_message_shape(struct process *process, enum trace_message kind, const struct envelope *envelope)
{
  struct trace *trace = &process->trace;
  struct trace_messages *messages = &trace->messages;
  struct communicator *communicator = tutti_communicator_of(&process->known, envelope->comm);
  int size = 0;
  if (communicator && !communicator->trace.known)
    tutti_trace_define(trace, &communicator->trace, envelope->comm);
  if (!communicator || communicator->trace.number == 0) {
    process->unrecorded |= 1u << TRACE_INTERCOMMUNICATORS;
    return 0;
  }
  if (!messages->shapes)
    messages->shapes = calloc(TRACE_MESSAGE_SHAPES, sizeof *messages->shapes);
  PMPI_Type_size(envelope->type, &size);
  struct trace_message_shape key = {.used = true,
                                    .kind = kind,
                                    .peer = envelope->peer,
                                    .tag = envelope->tag,
                                    .communicator = communicator->trace.number,
                                    .bytes = envelope->count * (uint64_t)size};
  if (!messages->shapes)
    return 0;
  struct trace_message_shape *shape =
      &messages->shapes[place_of(key.bytes * 31 + (uint64_t)(unsigned)key.peer * 8 + key.kind +
                                 ((uint64_t)(unsigned)key.tag << 20) + (key.communicator << 40))];
  if (!is_message(shape, &key)) {
    key.number = trace->shape_count++;
    put_message(trace, &key, envelope->comm);
    *shape = key;
  }
  return shape->number + 1;
}

/* ---- messages ---- */

/* The message that a receive from any source got. */
static struct envelope matched(const struct envelope *envelope, const MPI_Status *status)
{
  struct envelope seen = *envelope;
  if (status && envelope->peer == MPI_ANY_SOURCE)
    seen.peer = status->MPI_SOURCE;
  if (status && envelope->tag == MPI_ANY_TAG)
    seen.tag = status->MPI_TAG;
  return seen;
}

static void append_message(struct process *process, enum trace_message kind, const struct envelope *envelope,
                           double start, double end)
{
  const uint64_t shape = tutti_trace_message_shape(process, kind, envelope);
  if (shape > 0)
    tutti_trace_again(&process->trace, shape, start, end);
}

int tutti_trace_blocking(enum trace_message kind, const struct envelope *envelope, const MPI_Status *status,
                         double start, int result)
{
  struct process *process = tutti_process_enter();
  const struct envelope seen = matched(envelope, status);
  if (result == MPI_SUCCESS && seen.peer >= 0 && seen.tag >= 0 && tutti_trace_is_recording(process))
    append_message(process, kind, &seen, start, tutti_tick_clock_now(&process->clock));
  tutti_process_leave(process);
  return result;
}

static uint64_t begin_shape(struct process *process, uint64_t shape, double start, double end)
{
  tutti_trace_again(&process->trace, shape, start, end);
  return ++process->trace.messages.count;
}

/* A nonblocking message has begun. Returns its number; 0: it is not recorded. */
static uint64_t begin_message(struct process *process, enum trace_message kind, const struct envelope *envelope,
                              double start, double end)
{
  const uint64_t shape = envelope->peer == MPI_PROC_NULL ? 0 : tutti_trace_message_shape(process, kind, envelope);
  return shape > 0 ? begin_shape(process, shape, start, end) : 0;
}

static struct trace_request request_of(enum trace_message kind, const struct envelope *envelope, MPI_Request handle)
{
  struct trace_request request = {.handle = handle, .used = true};
  request.any = kind == TRACE_IRECV && (envelope->peer == MPI_ANY_SOURCE || envelope->tag == MPI_ANY_TAG);
  if (request.any)
    request.members = tutti_trace_members(envelope->comm);
  return request;
}

int tutti_trace_nonblocking(enum trace_message kind, const struct envelope *envelope, const MPI_Request *request,
                            double start, int result)
{
  struct process *process = tutti_process_enter();
  if (result == MPI_SUCCESS && tutti_trace_is_recording(process)) {
    const uint64_t number = begin_message(process, kind, envelope, start, tutti_tick_clock_now(&process->clock));
    if (number > 0) {
      struct trace_request begun = request_of(kind, envelope, *request);
      begun.active = true;
      begun.number = number;
      tutti_trace_request_add(&process->trace.messages, &begun);
    }
  }
  tutti_process_leave(process);
  return result;
}

int tutti_trace_prepared(enum trace_message kind, const struct envelope *envelope, const MPI_Request *request,
                         int result)
{
  struct process *process = tutti_process_enter();
  if (result == MPI_SUCCESS && envelope->peer != MPI_PROC_NULL && tutti_trace_is_recording(process)) {
    const uint64_t shape = tutti_trace_message_shape(process, kind, envelope);
    if (shape > 0) {
      struct trace_request prepared = request_of(kind, envelope, *request);
      prepared.persistent = true;
      prepared.shape = shape;
      tutti_trace_request_add(&process->trace.messages, &prepared);
    }
  }
  tutti_process_leave(process);
  return result;
}

void tutti_trace_started(const MPI_Request *requests, int count, double start)
{
  struct process *process = tutti_process_enter();
  const double end = tutti_tick_clock_now(&process->clock);
  for (int i = 0; i < count && tutti_trace_is_recording(process); i++) {
    struct trace_request *request = tutti_trace_request_find(&process->trace.messages, requests[i]);
    if (!request || !request->persistent)
      continue;
    const double begun = i == 0 ? start : end;
    if (request->group)
      tutti_trace_start_group(process, request, begun, end);
    else
      request->number = begin_shape(process, request->shape, begun, end);
    request->active = request->number > 0;
  }
  tutti_process_leave(process);
}

/* ---- waiting ---- */

static uint64_t age_of(const struct trace *trace, uint64_t number)
{
  return trace->messages.count - number + 1;
}

/* Requests by their numbers. */
static void put_wait(struct trace *trace, enum trace_wait_kind kind, const uint64_t *numbers, int count, double start,
                     double end)
{
  struct trace_messages *messages = &trace->messages;
  uint64_t digest = ((uint64_t)count * 2 + kind) * UINT64_C(0x9e3779b97f4a7c15), before = 0;
  if (!messages->waits)
    messages->waits = calloc(TRACE_MESSAGE_SHAPES, sizeof *messages->waits);
  if (!messages->waits || count == 0)
    return;
  for (int i = 0; i < count; i++)
    digest = tutti_splitmix64(digest ^ age_of(trace, numbers[i]));
  struct trace_wait_shape *shape = &messages->waits[place_of(digest)];
  if (!shape->used || shape->digest != digest) {
    *shape = (struct trace_wait_shape){.used = true, .digest = digest, .number = trace->shape_count++};
    tutti_trace_put(trace, TRACE_WAIT);
    tutti_trace_put(trace, kind);
    tutti_trace_put(trace, (uint64_t)count);
    for (int i = 0; i < count; i++) {
      tutti_trace_put(trace, trace_fold((int64_t)(age_of(trace, numbers[i]) - before)));
      before = age_of(trace, numbers[i]);
    }
  }
  tutti_trace_again(trace, shape->number + 1, start, end);
}

/* The message that a receive from any source got, before the call that waited for it. */
static void put_match(struct trace *trace, const struct trace_request *request, const MPI_Status *status)
{
  const int peer = in_world(trace, request->members, status->MPI_SOURCE);
  if (peer < 0 || status->MPI_TAG < 0)
    return;
  tutti_trace_put(trace, TRACE_MATCH);
  tutti_trace_put(trace, age_of(trace, request->number));
  tutti_trace_put(trace, (uint64_t)peer);
  tutti_trace_put(trace, (uint64_t)status->MPI_TAG);
}

/* The numbers of the messages of a request. Returns how many. */
static int put_numbers(const struct trace_request *request, uint64_t *numbers)
{
  int count = 0;
  for (int i = request->number > 0 ? request->more : -1; i >= 0; i--)
    numbers[count++] = request->number - (uint64_t)i;
  return count;
}

/* A request is complete. Sets the numbers of its messages, and returns how many: 0 if it is not one that is recorded.
 */
static int complete(struct process *process, MPI_Request handle, const MPI_Status *status, uint64_t *numbers)
{
  struct trace *trace = &process->trace;
  struct trace_request *request = tutti_trace_request_find(&trace->messages, handle);
  if (!request || !request->active)
    return 0;
  const int count = put_numbers(request, numbers);
  if (request->communicator > 0)
    tutti_trace_give_number(process, request->made, request->communicator);
  if (request->any && status)
    put_match(trace, request, status);
  if (request->persistent)
    request->active = false;
  else
    tutti_trace_request_remove(&trace->messages, request);
  return count;
}

void tutti_trace_wait_for_last(struct process *process, int count, double start, double end)
{
  struct trace *trace = &process->trace;
  const struct trace_request last = {.number = count > 0 ? trace->messages.count : 0, .more = count - 1};
  uint64_t few[TRACE_FEW] = {0}, *numbers = count > TRACE_FEW ? malloc((size_t)count * sizeof *numbers) : few;
  const int found = numbers ? put_numbers(&last, numbers) : 0;
  put_wait(trace, TRACE_WAITED, numbers, found, start, end);
  if (numbers != few)
    free(numbers);
}

int tutti_trace_both(const struct envelope *out, const struct envelope *in, const MPI_Status *status, double start,
                     int result)
{
  struct process *process = tutti_process_enter();
  const struct envelope seen = matched(in, status);
  if (result == MPI_SUCCESS && tutti_trace_is_recording(process)) {
    const double end = tutti_tick_clock_now(&process->clock);
    uint64_t numbers[2];
    int count = 0;
    for (int i = 0; i < 2; i++) {
      const bool sends = i == 0;
      const uint64_t number =
          !sends && (seen.peer < 0 || seen.tag < 0)
              ? 0
              : begin_message(process, sends ? TRACE_ISEND : TRACE_IRECV, sends ? out : &seen, start, start);
      if (number > 0)
        numbers[count++] = number;
    }
    put_wait(&process->trace, TRACE_WAITED, numbers, count, start, end);
  }
  tutti_process_leave(process);
  return result;
}

void tutti_trace_idle(double start)
{
  struct process *process = tutti_process_enter();
  if (tutti_trace_is_recording(process))
    tutti_trace_wait_for(&process->trace, start, tutti_tick_clock_now(&process->clock));
  tutti_process_leave(process);
}

void tutti_trace_released(MPI_Request handle)
{
  struct process *process = tutti_process_enter();
  struct trace_request *request =
      tutti_trace_is_recording(process) ? tutti_trace_request_find(&process->trace.messages, handle) : NULL;
  if (request) {
    const double now = tutti_tick_clock_now(&process->clock);
    for (int i = 0; request->active && request->communicator == 0 && i <= request->more; i++)
      put_wait(&process->trace, TRACE_RELEASED, &(uint64_t){request->number - (uint64_t)i}, 1, now, now);
    tutti_trace_request_remove(&process->trace.messages, request);
  }
  tutti_process_leave(process);
}

int tutti_trace_wait_end(struct trace_wait *wait, int done, const int *indices, int result)
{
  struct process *process = tutti_process_enter();
  struct trace *trace = &process->trace;
  const double end = tutti_tick_clock_now(&process->clock);
  const size_t room = (size_t)(done > 0 ? done : 0) * ((size_t)trace->messages.most + 1);
  uint64_t few[TRACE_FEW], *numbers = room > TRACE_FEW ? malloc(room * sizeof *numbers) : few;
  int count = 0;
  if (done == 0 && tutti_trace_is_recording(process))
    tutti_trace_wait_for(trace, wait->start, end);
  for (int i = 0; numbers && result == MPI_SUCCESS && i < done && tutti_trace_is_recording(process); i++) {
    const int index = indices ? indices[i] : i;
    if (index < wait->count)
      count += complete(process, wait->handles[index], &wait->statuses[i], numbers + count);
  }
  if (count > 0)
    put_wait(trace, TRACE_WAITED, numbers, count, wait->start, end);
  if (numbers != few)
    free(numbers);
  free(wait->owned);
  tutti_process_leave(process);
  return result;
}
