/* Receives from any rank, or with any tag: which message each gets. All ranks run without time: a message arrives when
   it is sent, a receive gets the first one that has arrived, and a message the receive that was posted first. So what
   is found can happen. */
#include <stdlib.h>

#include "base/memory.h"
#include "harness/engine/trace/workload_read.h"

/* A posted end of a message, in the order of posting. */
struct end {
  uint32_t rank, op;
  bool taken;
};

/* Ends, or ranks, that wait for the same. */
struct item {
  uint32_t value, next; /* WORKLOAD_UNKNOWN: the last one */
};
struct queue {
  uint32_t first, last;
};

struct any_rank {
  struct workload_order order;
  size_t segment; /* current */
  size_t left;    /* of its operations, not complete */
  bool has_any;
};

struct any_ready {
  uint32_t rank, op;
};

struct any {
  struct workload *workload;
  struct any_rank *ranks;
  struct {
    TUTTI_VECTOR(struct any_ready);
  } ready;
  size_t done; /* of ready */
  struct {
    TUTTI_VECTOR(struct end);
  } ends;
  struct {
    TUTTI_VECTOR(struct item);
  } items;
  struct {
    TUTTI_VECTOR(struct queue);
  } queues;
  struct workload_pairs names; /* of queues, from 1 on */
  struct workload_pairs calls; /* of a rank on a communicator; of ranks in a call */
};

static bool is_any(const struct workload_op *op)
{
  return op->kind == WORKLOAD_RECV && (op->peer == WORKLOAD_UNKNOWN || op->channel & WORKLOAD_ANY_TAG);
}

static struct workload_op *op_of(const struct any *any, uint32_t rank, uint32_t op)
{
  return &any->workload->ranks[rank].graph.ops.items[op];
}

/* ---- queues ---- */

static struct queue *queue_of(struct any *any, uint64_t first, uint64_t second)
{
  uint32_t *name = tutti_pair_number(&any->names, first, second);
  if (*name == 0) {
    tutti_xpush(&any->queues, ((struct queue){WORKLOAD_UNKNOWN, WORKLOAD_UNKNOWN}));
    *name = (uint32_t)any->queues.count;
  }
  return &any->queues.items[*name - 1];
}

static void append(struct any *any, struct queue *queue, uint32_t value)
{
  const uint32_t item = (uint32_t)any->items.count;
  tutti_xpush(&any->items, ((struct item){value, WORKLOAD_UNKNOWN}));
  if (queue->first == WORKLOAD_UNKNOWN)
    queue->first = item;
  else
    any->items.items[queue->last].next = item;
  queue->last = item;
}

/* The first end that is not taken, or WORKLOAD_UNKNOWN. */
static uint32_t first_of(const struct any *any, struct queue *queue)
{
  while (queue->first != WORKLOAD_UNKNOWN && any->ends.items[any->items.items[queue->first].value].taken)
    queue->first = any->items.items[queue->first].next;
  return queue->first == WORKLOAD_UNKNOWN ? WORKLOAD_UNKNOWN : any->items.items[queue->first].value;
}

/* Of ends at a receiver, from a rank on a channel, or any of these. */
static struct queue *ends_at(struct any *any, uint32_t receiver, uint32_t sender, uint32_t channel, bool send)
{
  return queue_of(any, (uint64_t)receiver << 32 | sender, (uint64_t)channel << 1 | send);
}

/* ---- operations that become ready ---- */

static void begin_segment(struct any *any, uint32_t rank)
{
  const struct workload_graph *graph = &any->workload->ranks[rank].graph;
  struct any_rank *r = &any->ranks[rank];
  if (r->segment == graph->segments.count)
    return;
  const size_t first = workload_segment_begin(graph, r->segment).ops, end = graph->segments.items[r->segment].ops;
  r->segment++;
  r->left = end - first;
  for (size_t o = first; o < end; o++)
    if (r->order.pending[o] == 0)
      tutti_xpush(&any->ready, ((struct any_ready){rank, (uint32_t)o}));
}

static void release(struct any *any, uint32_t rank, uint32_t op, bool posted)
{
  const struct workload_graph *graph = &any->workload->ranks[rank].graph;
  const struct workload_order *order = &any->ranks[rank].order;
  for (uint32_t e = order->first[op]; e < order->first[op + 1]; e++) {
    const struct workload_edge *edge = &graph->edges.items[order->edges[e]];
    if (edge->posted == posted && --order->pending[edge->after] == 0)
      tutti_xpush(&any->ready, ((struct any_ready){rank, edge->after}));
  }
}

static void complete(struct any *any, uint32_t rank, uint32_t op)
{
  release(any, rank, op, false);
  if (--any->ranks[rank].left == 0)
    begin_segment(any, rank);
}

/* ---- messages ---- */

static void match(struct any *any, uint32_t send, uint32_t receive)
{
  struct end *sent = &any->ends.items[send], *received = &any->ends.items[receive];
  const struct workload_op *message = op_of(any, sent->rank, sent->op);
  struct workload_op *op = op_of(any, received->rank, received->op);
  sent->taken = received->taken = true;
  if (is_any(op)) {
    op->peer = sent->rank;
    op->channel = message->channel;
    op->amount = message->amount;
  }
  complete(any, received->rank, received->op);
}

static void send(struct any *any, uint32_t rank, uint32_t end, const struct workload_op *op)
{
  uint32_t first = WORKLOAD_UNKNOWN;
  const int ways = any->ranks[op->peer].has_any ? 4 : 1;
  for (int way = 0; way < ways; way++) {
    const uint32_t receive = first_of(any, ends_at(any, op->peer, way & 1 ? WORKLOAD_UNKNOWN : rank,
                                                   way & 2 ? WORKLOAD_ANY_TAG : op->channel, false));
    first = receive < first ? receive : first;
  }
  if (first != WORKLOAD_UNKNOWN) {
    match(any, end, first);
    return;
  }
  for (int way = 0; way < ways; way++)
    append(any,
           ends_at(any, op->peer, way & 1 ? WORKLOAD_UNKNOWN : rank, way & 2 ? WORKLOAD_ANY_TAG : op->channel, true),
           end);
}

static void receive(struct any *any, uint32_t rank, uint32_t end, const struct workload_op *op)
{
  const uint32_t sent = first_of(any, ends_at(any, rank, op->peer, op->channel, true));
  if (sent != WORKLOAD_UNKNOWN)
    match(any, sent, end);
  else
    append(any, ends_at(any, rank, op->peer, op->channel, false), end);
}

static void post(struct any *any, uint32_t rank, uint32_t number)
{
  const uint32_t end = (uint32_t)any->ends.count;
  const struct workload_op op = *op_of(any, rank, number);
  tutti_xpush(&any->ends, ((struct end){rank, number, false}));
  release(any, rank, number, true);
  if (op.kind == WORKLOAD_RECV) {
    receive(any, rank, end, &op);
    return;
  }
  send(any, rank, end, &op);
  complete(any, rank, number);
}

/* ---- collectives: all come before any goes on ---- */

static void call(struct any *any, uint32_t rank, uint32_t number)
{
  const struct workload_shape *shape = &any->workload->shapes.items[op_of(any, rank, number)->amount];
  release(any, rank, number, true);
  if (shape->communicator == WORKLOAD_UNKNOWN) {
    complete(any, rank, number);
    return;
  }
  const uint64_t communicator = (uint64_t)shape->communicator << 32;
  const uint32_t which = ++*tutti_pair_number(&any->calls, communicator | rank, 0);
  const uint32_t there = ++*tutti_pair_number(&any->calls, communicator, which);
  struct queue *queue = queue_of(any, communicator | which, UINT64_MAX);
  tutti_xpush(&any->ends, ((struct end){rank, number, false}));
  append(any, queue, (uint32_t)any->ends.count - 1);
  if (there < any->workload->communicators.items[shape->communicator].size)
    return;
  for (uint32_t item = queue->first; item != WORKLOAD_UNKNOWN; item = any->items.items[item].next) {
    const struct end *end = &any->ends.items[any->items.items[item].value];
    complete(any, end->rank, end->op);
  }
}

/* ---- all ---- */

static void run(struct any *any)
{
  for (; any->done < any->ready.count; any->done++) {
    const struct any_ready next = any->ready.items[any->done];
    const struct workload_op *op = op_of(any, next.rank, next.op);
    if (op->kind == WORKLOAD_SEND || op->kind == WORKLOAD_RECV)
      post(any, next.rank, next.op);
    else if (op->kind == WORKLOAD_COLLECTIVE)
      call(any, next.rank, next.op);
    else {
      release(any, next.rank, next.op, true);
      complete(any, next.rank, next.op);
    }
  }
}

static bool has_any(const struct workload_graph *graph)
{
  bool found = false;
  for (size_t o = 0; o < graph->ops.count && !found; o++)
    found = is_any(&graph->ops.items[o]);
  return found;
}

void tutti_workload_resolve(struct workload *workload)
{
  struct any any = {.workload = workload, .ranks = tutti_xcalloc(workload->rank_count, sizeof *any.ranks)};
  bool wanted = false;
  for (uint32_t r = 0; r < workload->rank_count; r++)
    wanted |= any.ranks[r].has_any = has_any(&workload->ranks[r].graph);
  for (uint32_t r = 0; r < workload->rank_count && wanted; r++)
    any.ranks[r].order = tutti_graph_order_of(&workload->ranks[r].graph);
  for (uint32_t r = 0; r < workload->rank_count && wanted; r++)
    begin_segment(&any, r);
  run(&any);
  for (uint32_t r = 0; r < workload->rank_count; r++)
    tutti_order_free(&any.ranks[r].order);
  tutti_pairs_free(&any.names);
  tutti_pairs_free(&any.calls);
  tutti_vector_free(&any.ready);
  tutti_vector_free(&any.ends);
  tutti_vector_free(&any.items);
  tutti_vector_free(&any.queues);
  free(any.ranks);
}
