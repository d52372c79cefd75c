/* Locality-aware Bruck allgather (Bienz, Gautam, Kharel 2022, A Locality-Aware Bruck Allgather, arXiv 2206.03564):
   after an allgather within each node, all ranks of a node except the first receive different blocks from other nodes
   at the same time, and the node shares them. The number of blocks of a node grows by a factor of L in each round,
   where that of a rank in the algorithm of Bruck doubles.

       nodes (0 1 2) (3 4 5) (6 7 8):   AG in each;   1 <- 4, 2 <- 8: a node each;   AG in each of the arrivals

   With w node blocks in each node, member j of node g receives from member j of node g + j w the first min(w, G - j w)
   blocks from that node on, and sends as many to node g - j w; then w is L w.

   Any number of ranks; L is the size of the smallest node, and members beyond that share in their node only. If that
   is one rank, or all are in one node, only the part "allgather" among all ranks runs.
   Cost: that of an allgather in a node, ceil(log_L G) rounds across of one message a rank, of up to w L m bytes, and as
   many allgathers in a node. Temporaries: all blocks, and those that a rank receives in a round. */
#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/lanes.h"

enum { ALLGATHER, ALLGATHERV };

struct bruck {
  tutti_builder *builder;
  const tutti_call *call;
  struct lanes lanes;
  uint64_t *begin_of;        /* [nodes + 1] where the block of node g + i begins in `all`, g being the own node */
  tutti_buffer all, arrived; /* arrived: what the rank itself receives in a round */
  tutti_vertex_id ready;     /* the node has all blocks before begin_of[w] */
};

static int node_after(const struct bruck *b, int64_t distance)
{
  int nodes = b->lanes.nodes.count;
  return (int)(((b->lanes.nodes.node + distance) % nodes + nodes) % nodes);
}

static bool init_bruck(struct bruck *b)
{
  int nodes = b->lanes.nodes.count;
  b->begin_of = tutti_builder_scratch(b->builder, ((uint64_t)nodes + 1) * sizeof *b->begin_of);
  if (!b->begin_of)
    return false;
  b->begin_of[0] = 0;
  for (int i = 0; i < nodes; i++)
    b->begin_of[i + 1] = b->begin_of[i] + (uint64_t)tutti_node_size(&b->lanes, node_after(b, i)) * b->call->count;
  b->all = tutti_builder_temporary(b->builder, b->begin_of[nodes]);
  return true;
}

/* The blocks that member j receives when the node has w blocks; without elements: none. */
static tutti_block arriving(const struct bruck *b, int64_t w, int j)
{
  int64_t first = j * w, nodes = b->lanes.nodes.count;
  if (j == 0 || j >= b->lanes.count || first >= nodes)
    return tutti_block_of(b->all, 0, 0);
  int64_t end = first + w < nodes ? first + w : nodes;
  return tutti_block_of(b->all, b->begin_of[first], b->begin_of[end] - b->begin_of[first]);
}

/* The maximum number of elements that the rank receives in a round. */
static uint64_t longest_arrival(const struct bruck *b)
{
  uint64_t longest = 0;
  for (int64_t w = 1; w < b->lanes.nodes.count; w *= b->lanes.count) {
    uint64_t count = arriving(b, w, b->lanes.nodes.member).count;
    longest = count > longest ? count : longest;
  }
  return longest;
}

/* The blocks that each member has received, one after the other from begin_of[w] on, to the whole node. */
static void share(struct bruck *b, int64_t w, tutti_block own, tutti_vertex_id received)
{
  const struct nodes *nodes = &b->lanes.nodes;
  uint64_t *offsets = tutti_builder_scratch(b->builder, ((uint64_t)nodes->members + 1) * sizeof *offsets);
  if (!offsets)
    return;
  offsets[0] = 0;
  for (int j = 0; j < nodes->members; j++)
    offsets[j + 1] = offsets[j] + arriving(b, w, j).count;
  tutti_scope inner = tutti_scope_of_node(b->builder, nodes, received);
  inner.input = own;
  inner.output = tutti_block_of(b->all, b->begin_of[w], 0);
  b->ready =
      tutti_build_part(b->builder, b->call, ALLGATHERV, &inner, (tutti_call){.count = own.count, .output = {offsets}});
}

static void add_round(struct bruck *b, int64_t w)
{
  const int member = b->lanes.nodes.member;
  const int64_t distance = member * w, nodes = b->lanes.nodes.count;
  tutti_block own = tutti_block_of(b->arrived, 0, arriving(b, w, member).count);
  tutti_vertex_id received = b->ready;
  if (own.count > 0) {
    int64_t blocks = nodes - distance < w ? nodes - distance : w;
    tutti_vertex_id sent = tutti_add_send(b->builder, tutti_node_rank(&b->lanes, node_after(b, -distance), member),
                                          tutti_block_of(b->all, 0, b->begin_of[blocks]));
    tutti_add_after(b->builder, sent, b->ready);
    received = tutti_add_recv(b->builder, tutti_node_rank(&b->lanes, node_after(b, distance), member), own);
    tutti_add_after(b->builder, received, b->ready);
  }
  share(b, w, own, received);
}

/* All blocks to their places. */
static void unpack(const struct bruck *b)
{
  const int size = b->call->size;
  tutti_block *blocks = tutti_builder_scratch(b->builder, 2 * (uint64_t)size * sizeof *blocks);
  int at = 0;
  for (int i = 0; blocks && i < b->lanes.nodes.count; i++) {
    int node = node_after(b, i);
    for (int j = 0; j < tutti_node_size(&b->lanes, node); j++, at++) {
      blocks[at] = tutti_block_of(b->all, (uint64_t)at * b->call->count, b->call->count);
      blocks[size + at] = tutti_output_block(b->call, tutti_node_rank(&b->lanes, node, j));
    }
  }
  if (blocks)
    tutti_copy_blocks(b->builder, blocks, blocks + size, size, b->ready);
}

void tutti_build_allgather_locality_aware_bruck(tutti_builder *builder, const tutti_call *call)
{
  struct bruck b = {.builder = builder, .call = call};
  if (call->count == 0 || !tutti_lanes(builder, call, &b.lanes))
    return;
  if (b.lanes.count == 1 || b.lanes.nodes.count == 1) {
    tutti_scope all = tutti_scope_of_all(builder, TUTTI_NO_VERTEX);
    tutti_build_part(builder, call, ALLGATHER, &all, (tutti_call){.count = call->count});
    return;
  }
  if (!init_bruck(&b))
    return;
  tutti_scope inner = tutti_scope_of_node(builder, &b.lanes.nodes, TUTTI_NO_VERTEX);
  inner.output = tutti_block_of(b.all, 0, 0);
  b.ready = tutti_build_part(builder, call, ALLGATHER, &inner, (tutti_call){.count = call->count});
  uint64_t longest = longest_arrival(&b);
  b.arrived = longest > 0 ? tutti_builder_temporary(builder, longest) : TUTTI_OUTPUT;
  for (int64_t w = 1; w < b.lanes.nodes.count; w *= b.lanes.count)
    add_round(&b, w);
  unpack(&b);
}
