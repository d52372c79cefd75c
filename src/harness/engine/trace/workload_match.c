/* Both ends of each message: the n-th receive from a rank on a channel gets the n-th message that was sent so. */
#include <stdlib.h>

#include "base/memory.h"
#include "harness/engine/trace/workload_read.h"

/* Messages from one rank to another one on a channel. */
struct flow {
  size_t first;            /* in sends[] */
  uint32_t sent, received; /* so far */
};

struct matcher {
  struct workload *workload;
  struct workload_pairs pairs; /* numbers of flows, from 1 on */
  struct {
    TUTTI_VECTOR(struct flow);
  } flows;
  struct workload_op **sends; /* of one flow after the other, in their order */
};

static struct flow *flow_of(struct matcher *matcher, uint32_t from, uint32_t to, uint32_t channel)
{
  uint32_t *number = tutti_pair_number(&matcher->pairs, (uint64_t)from << 32 | to, channel);
  if (*number == 0) {
    tutti_xpush(&matcher->flows, (struct flow){.first = 0});
    *number = (uint32_t)matcher->flows.count;
  }
  return &matcher->flows.items[*number - 1];
}

/* The flow of a message; NULL: not a message, or a receive without known details. */
static struct flow *flow_at(struct matcher *matcher, uint32_t rank, const struct workload_op *op)
{
  if ((op->kind != WORKLOAD_SEND && op->kind != WORKLOAD_RECV) || op->peer == WORKLOAD_UNKNOWN ||
      op->channel & WORKLOAD_ANY_TAG)
    return NULL;
  return op->kind == WORKLOAD_SEND ? flow_of(matcher, rank, op->peer, op->channel)
                                   : flow_of(matcher, op->peer, rank, op->channel);
}

static void each_op(struct matcher *matcher,
                    void (*visit)(struct matcher *matcher, struct flow *flow, struct workload_op *op))
{
  for (uint32_t r = 0; r < matcher->workload->rank_count; r++) {
    struct workload_graph *graph = &matcher->workload->ranks[r].graph;
    for (size_t o = 0; o < graph->ops.count; o++)
      visit(matcher, flow_at(matcher, r, &graph->ops.items[o]), &graph->ops.items[o]);
  }
}

static void count_send(struct matcher *matcher, struct flow *flow, struct workload_op *op)
{
  (void)matcher;
  if (flow && op->kind == WORKLOAD_SEND)
    flow->sent++;
}

static void note_send(struct matcher *matcher, struct flow *flow, struct workload_op *op)
{
  if (flow && op->kind == WORKLOAD_SEND)
    matcher->sends[flow->first + flow->sent++] = op;
}

static void leave_out(struct matcher *matcher, struct workload_op *op)
{
  *op = (struct workload_op){.kind = WORKLOAD_WORK};
  matcher->workload->unmatched++;
}

static void match_receive(struct matcher *matcher, struct flow *flow, struct workload_op *op)
{
  if (op->kind != WORKLOAD_RECV)
    return;
  if (flow && flow->received < flow->sent)
    op->amount = matcher->sends[flow->first + flow->received++]->amount;
  else
    leave_out(matcher, op);
}

void tutti_workload_match(struct workload *workload)
{
  struct matcher matcher = {.workload = workload};
  size_t sends = 0;
  each_op(&matcher, count_send);
  for (size_t f = 0; f < matcher.flows.count; f++) {
    matcher.flows.items[f].first = sends;
    sends += matcher.flows.items[f].sent;
    matcher.flows.items[f].sent = 0;
  }
  matcher.sends = tutti_xcalloc(sends + 1, sizeof(struct workload_op *));
  each_op(&matcher, note_send);
  each_op(&matcher, match_receive);
  for (size_t f = 0; f < matcher.flows.count; f++)
    for (uint32_t s = matcher.flows.items[f].received; s < matcher.flows.items[f].sent; s++)
      leave_out(&matcher, matcher.sends[matcher.flows.items[f].first + s]);
  tutti_pairs_free(&matcher.pairs);
  tutti_vector_free(&matcher.flows);
  free(matcher.sends);
}

void tutti_workload_number_channels(struct workload *workload, uint32_t tags)
{
  for (uint32_t r = 0; r < workload->rank_count && workload->communicators.count > 1; r++)
    for (size_t o = 0; o < workload->ranks[r].graph.ops.count; o++) {
      struct workload_op *op = &workload->ranks[r].graph.ops.items[o];
      if (op->kind == WORKLOAD_SEND || op->kind == WORKLOAD_RECV ||
          (op->kind == WORKLOAD_COLLECTIVE && op->channel > 0))
        op->channel += (uint32_t)workload->communicators.count - 1;
    }
  workload->channel_count = (uint32_t)workload->communicators.count + tags;
}
