/* Messages in a trace of the interposer. */
#include <limits.h>
#include <stdlib.h>

#include "base/memory.h"
#include "harness/engine/trace/workload_trace.h"

#define MAX_BYTES (UINT64_C(1) << 40)

/* ---- from here on the rank is a graph ---- */

/* Begin a graph with the collectives that the rank ran before; they are read once more. */
static void begin_messages(struct trace_reader *reader)
{
  const struct workload *workload = reader->workload;
  struct workload_cursor cursor = {.at = 0};
  if (reader->has_messages)
    return;
  reader->has_messages = reader->any = true;
  reader->writer.graph = &reader->workload->ranks[reader->rank].graph;
  reader->writer.before = WORKLOAD_UNKNOWN;
  reader->writer.posted = false;
  reader->writer.requests.count = 0;
  for (uint64_t e = 0; e < reader->events; e++) {
    const struct workload_event event = tutti_workload_next(workload, reader->rank, &cursor);
    const struct own_shape shape = {.kind = OWN_COLLECTIVE, .index = (size_t)(event.shape - workload->shapes.items)};
    (void)tutti_trace_add_call(reader, &shape, event.compute, event.duration);
  }
}

/* ---- shapes ---- */

static bool read_collective(struct trace_reader *reader)
{
  uint64_t instance;
  if (!tutti_trace_take(reader, UINT32_MAX, &instance) || !tutti_trace_read_shape(reader))
    return false;
  struct own_shape *shape = &reader->shapes.items[reader->shapes.count - 1];
  shape->message = TRACE_ICOLLECTIVE;
  shape->instance = instance;
  return true;
}

bool tutti_trace_read_message(struct trace_reader *reader)
{
  const uint32_t ranks = reader->workload->rank_count;
  uint64_t kind, communicator, peer, tag, bytes;
  begin_messages(reader);
  if (!tutti_trace_take(reader, TRACE_MESSAGES - 1, &kind))
    return false;
  if (kind == TRACE_ICOLLECTIVE)
    return read_collective(reader);
  if (!tutti_trace_take(reader, reader->own.count - 1, &communicator) || !tutti_trace_take(reader, ranks, &peer) ||
      !tutti_trace_take(reader, UINT32_MAX, &tag) || !tutti_trace_take(reader, MAX_BYTES, &bytes))
    return false;
  if ((peer == 0 || tag == 0) && kind != TRACE_IRECV)
    return tutti_trace_fault(reader, "a message without the other rank, or without a tag"), false;
  const bool receives = kind == TRACE_RECV || kind == TRACE_IRECV;
  struct own_shape shape = {
      .kind = OWN_MESSAGE, .message = (enum trace_message)kind, .communicator = communicator + 1, .tag = tag};
  shape.op = (struct workload_op){.kind = receives ? WORKLOAD_RECV : WORKLOAD_SEND,
                                  .blocking = kind == TRACE_SEND || kind == TRACE_SSEND,
                                  .synchronous = kind == TRACE_SSEND || kind == TRACE_ISSEND,
                                  .peer = peer > 0 ? (uint32_t)peer - 1 : WORKLOAD_UNKNOWN,
                                  .amount = bytes};
  reader->workload->neighbors |= tag > (uint64_t)TRACE_NEIGHBOR_TAG; /* which counts from 1 */
  if (tag > 0)
    shape.op.channel = tutti_channel_of(&reader->channels, reader->own.items[communicator].index, tag - 1);
  tutti_xpush(&reader->shapes, shape);
  return true;
}

bool tutti_trace_read_wait(struct trace_reader *reader)
{
  uint64_t kind, count, folded, age = 0;
  begin_messages(reader);
  if (!tutti_trace_take(reader, TRACE_WAIT_KINDS - 1, &kind) ||
      !tutti_trace_take(reader, (uint64_t)(reader->end - reader->at), &count))
    return false;
  tutti_xpush(&reader->shapes, (struct own_shape){.kind = OWN_WAIT,
                                                  .wait = (enum trace_wait_kind)kind,
                                                  .index = reader->ages.count,
                                                  .count = (size_t)count});
  for (; count > 0; count--) {
    if (!tutti_trace_take(reader, UINT64_MAX, &folded))
      return false;
    age += (uint64_t)trace_unfold(folded);
    tutti_xpush(&reader->ages, age);
  }
  return true;
}

/* ---- calls ---- */

/* Number 0 is the first request, and the last one has age 1. */
static bool find_request(struct trace_reader *reader, uint64_t age, size_t *place)
{
  const uint64_t number = reader->started - age;
  if (number >= reader->places.count || reader->places.items[number] == WORKLOAD_UNKNOWN)
    return tutti_trace_fault(reader, "a request that is not under way"), false;
  *place = reader->places.items[number];
  return true;
}

/* The last request comes to the place of one that is waited for. */
static void forget_request(struct trace_reader *reader, size_t place)
{
  const struct workload_request *requests = reader->writer.requests.items;
  reader->places.items[requests[reader->writer.requests.count - 1].number] = (uint32_t)place;
  reader->places.items[requests[place].number] = WORKLOAD_UNKNOWN;
}

bool tutti_trace_read_match(struct trace_reader *reader)
{
  uint64_t age, peer, tag;
  size_t place;
  if (!tutti_trace_take(reader, UINT64_MAX, &age) ||
      !tutti_trace_take(reader, reader->workload->rank_count - 1, &peer) ||
      !tutti_trace_take(reader, UINT32_MAX - 1, &tag) || !find_request(reader, age, &place))
    return false;
  struct workload_op *op = &reader->writer.graph->ops.items[reader->writer.requests.items[place].op];
  if (op->kind != WORKLOAD_RECV)
    return tutti_trace_fault(reader, "a match of what is no receive"), false;
  op->peer = (uint32_t)peer;
  if (op->channel & WORKLOAD_ANY_TAG)
    op->channel = tutti_channel_of(&reader->channels, op->channel & ~WORKLOAD_ANY_TAG, tag);
  return true;
}

static bool add_wait(struct trace_reader *reader, const struct own_shape *shape)
{
  struct workload_writer *writer = &reader->writer;
  const uint32_t end = shape->wait == TRACE_WAITED
                           ? tutti_writer_add(writer, (struct workload_op){.kind = WORKLOAD_WORK})
                           : WORKLOAD_UNKNOWN;
  for (size_t i = 0; i < shape->count; i++) {
    size_t place;
    if (!find_request(reader, reader->ages.items[shape->index + i], &place))
      return false;
    forget_request(reader, place);
    if (end != WORKLOAD_UNKNOWN)
      tutti_writer_wait(writer, place, end);
    else
      writer->requests.items[place] = writer->requests.items[--writer->requests.count];
  }
  tutti_writer_end(writer);
  return true;
}

static void add_message(struct trace_reader *reader, const struct own_shape *shape)
{
  struct workload_op op = shape->op;
  if (shape->tag == 0)
    op.channel = reader->own.items[shape->communicator - 1].index | WORKLOAD_ANY_TAG;
  if (shape->message >= TRACE_ISEND) {
    tutti_xpush(&reader->places, (uint32_t)reader->writer.requests.count);
    tutti_writer_start(&reader->writer, op, reader->started++);
  } else {
    (void)tutti_writer_add(&reader->writer, op);
    tutti_writer_end(&reader->writer);
  }
}

/* The messages of collectives that may be under way at the same time have channels of their own: those that a
   communicator begins in turn, and those of each persistent request. */
static uint32_t channel_beside(struct trace_reader *reader, const struct own_shape *shape)
{
  enum { TURNS = 64 };
  struct own_communicator *own = &reader->own.items[shape->communicator - 1];
  const uint64_t turn = shape->instance > 0 ? TURNS + shape->instance : own->begun++ % TURNS;
  return tutti_channel_of(&reader->channels, own->index, (UINT64_C(1) << 32) + turn);
}

static void begin_collective(struct trace_reader *reader, const struct own_shape *shape)
{
  struct workload_op op = {.kind = WORKLOAD_WORK};
  if (shape->communicator > 0)
    op = (struct workload_op){
        .kind = WORKLOAD_COLLECTIVE, .channel = channel_beside(reader, shape), .amount = shape->index};
  tutti_xpush(&reader->places, (uint32_t)reader->writer.requests.count);
  tutti_writer_start(&reader->writer, op, reader->started++);
}

static void add_collective(struct trace_reader *reader, const struct own_shape *shape, uint64_t duration)
{
  struct workload_writer *writer = &reader->writer;
  tutti_writer_end(writer);
  if (reader->workload->shapes.items[shape->index].communicator == WORKLOAD_UNKNOWN)
    tutti_writer_work(writer, duration);
  else
    (void)tutti_writer_add(writer, (struct workload_op){.kind = WORKLOAD_COLLECTIVE, .amount = shape->index});
  tutti_writer_end(writer);
}

bool tutti_trace_add_call(struct trace_reader *reader, const struct own_shape *shape, uint64_t compute,
                          uint64_t duration)
{
  tutti_writer_work(&reader->writer, compute);
  if (shape->kind == OWN_WAIT)
    return add_wait(reader, shape);
  if (shape->kind == OWN_MESSAGE)
    add_message(reader, shape);
  else if (shape->message == TRACE_ICOLLECTIVE)
    begin_collective(reader, shape);
  else
    add_collective(reader, shape, duration);
  return true;
}

void tutti_trace_end_messages(struct trace_reader *reader, uint64_t compute)
{
  if (reader->has_messages) {
    tutti_writer_work(&reader->writer, compute);
    tutti_graph_end_segment(reader->writer.graph);
    reader->workload->ranks[reader->rank].bytes = NULL;
  }
  reader->has_messages = false;
  reader->events = reader->started = 0;
  reader->ages.count = reader->places.count = 0;
}

/* ---- both ends of each message ---- */

void tutti_trace_match_messages(struct trace_reader *reader)
{
  struct workload *workload = reader->workload;
  if (!reader->any)
    return;
  tutti_workload_match(workload);
  tutti_workload_number_channels(workload, reader->channels.used);
}
