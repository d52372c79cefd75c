/* Two-level algorithms: within each node and among the leaders of the nodes, each part by any algorithm. Nodes of any
   shape. MPICH's smp algorithms are such; hierarchical algorithms go back to Karonis et al. 2000 and Kielmann et al.
   1999 (MagPIe).

   In the pipelined ones the message goes through the levels in segments, so that the network and the nodes are busy at
   the same time (Luo et al. 2020, HAN: A Hierarchical AutotuNed Collective Communication Framework). */
#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/parts.h"

/* Parts of each algorithm, in the order of its line in the catalogue. */
enum { BCAST_OUTER, BCAST_INNER };
enum { BARRIER_INNER, BARRIER_OUTER };
enum { REDUCE_INNER, REDUCE_OUTER };
enum { ALLREDUCE_REDUCE, ALLREDUCE_ALLREDUCE, ALLREDUCE_BCAST };
enum { ALLGATHER_GATHER, ALLGATHER_ALLGATHERV, ALLGATHER_BCAST };

/* Part number `part` within the own node, after a vertex. */
static tutti_vertex_id build_in_node(tutti_builder *builder, const struct nodes *nodes, int part, tutti_vertex_id after,
                                     tutti_call own)
{
  tutti_scope inner = tutti_scope_of_node(builder, nodes, after);
  return tutti_build_part(builder, nodes->call, part, &inner, own);
}

/* Two-level broadcast: among the leaders of the nodes, then within each node, each by any algorithm. The root leads its
   node, so the data crosses the network once for each other node.

       nodes (0 1 2) (3 4 5) (6), root 4:  4 -> 0, 6;   0 -> 1, 2   4 -> 3, 5

   Cost: that of both broadcasts, the outer one among the nodes, the inner one among the ranks of
   the largest node. As MPICH's smp broadcast. */
static void build_bcast(tutti_builder *builder, const void *context, uint64_t count)
{
  const struct nodes *nodes = context;
  tutti_vertex_id arrived = TUTTI_NO_VERTEX;
  if (tutti_is_leader(nodes)) {
    tutti_scope outer = tutti_scope_of_leaders(builder, nodes, TUTTI_NO_VERTEX);
    arrived = tutti_build_part(builder, nodes->call, BCAST_OUTER, &outer,
                               (tutti_call){.root = nodes->root_node, .count = count});
  }
  build_in_node(builder, nodes, BCAST_INNER, arrived, (tutti_call){.root = nodes->leader, .count = count});
}

void tutti_build_bcast_two_level(tutti_builder *builder, const tutti_call *call)
{
  struct nodes nodes;
  if (tutti_nodes(builder, call, &nodes))
    build_bcast(builder, &nodes, call->count);
}

/* Two-level barrier: a barrier within each node, one among the leaders of the nodes, and once more one within each
   node, which no rank leaves before its leader has come from the others. Each by any algorithm.

       nodes (0 1 2) (3 4 5) (6):  0 1 2, 3 4 5;   0 3 6;   0 1 2, 3 4 5

   Cost: that of the outer barrier among the nodes and twice that of the inner one. MPICH's smp
   barrier lets the ranks of a node go by a broadcast in place of the second inner barrier. */
void tutti_build_barrier_two_level(tutti_builder *builder, const tutti_call *call)
{
  struct nodes nodes;
  if (!tutti_nodes(builder, call, &nodes))
    return;
  const tutti_call own = {.count = 0};
  tutti_vertex_id entered = build_in_node(builder, &nodes, BARRIER_INNER, TUTTI_NO_VERTEX, own);
  if (tutti_is_leader(&nodes)) {
    tutti_scope outer = tutti_scope_of_leaders(builder, &nodes, entered);
    entered = tutti_build_part(builder, call, BARRIER_OUTER, &outer, own);
  }
  build_in_node(builder, &nodes, BARRIER_INNER, entered, own);
}

/* Two-level reduction: within each node to its leader, then among the leaders, each by any algorithm. The root leads
   its node.

       nodes (0 1 2) (3 4 5) (6), root 4:  1, 2 -> 0   3, 5 -> 4;   0, 6 -> 4

   operands are combined node by node, so the operation must commute. A leader needs one temporary
   of the whole message besides what the parts need. Cost: that of both reductions, the inner one among the ranks of the
   largest node, the outer one among the nodes. As MPICH's smp reduction. */
static void build_reduce(tutti_builder *builder, const void *context, uint64_t count)
{
  const struct nodes *nodes = context;
  const tutti_call *call = nodes->call;
  tutti_scope inner = tutti_scope_of_node(builder, nodes, TUTTI_NO_VERTEX);
  if (nodes->count > 1 && nodes->members > 1 && tutti_is_leader(nodes))
    inner.output = tutti_block_of(tutti_builder_temporary(builder, count), 0, 0);
  tutti_vertex_id reduced = TUTTI_NO_VERTEX;
  if (nodes->count == 1 || nodes->members > 1)
    reduced =
        tutti_build_part(builder, call, REDUCE_INNER, &inner, (tutti_call){.root = nodes->leader, .count = count});
  if (nodes->count == 1 || !tutti_is_leader(nodes))
    return;
  tutti_scope outer = tutti_scope_of_leaders(builder, nodes, reduced);
  if (nodes->members > 1)
    outer.input = inner.output;
  tutti_build_part(builder, call, REDUCE_OUTER, &outer, (tutti_call){.root = nodes->root_node, .count = count});
}

void tutti_build_reduce_two_level(tutti_builder *builder, const tutti_call *call)
{
  struct nodes nodes;
  if (tutti_nodes(builder, call, &nodes))
    build_reduce(builder, &nodes, call->count);
}

/* Two-level allreduce: a reduction within each node to its leader, an allreduce among the leaders, and a broadcast
   within each node, each by any algorithm.

       nodes (0 1 2) (3 4 5) (6):  1, 2 -> 0   4, 5 -> 3;   0 3 6;   0 -> 1, 2   3 -> 4, 5

   operands are combined node by node, so the operation must commute. A leader needs one temporary
   of the whole message besides what the parts need. Cost: the sum of the parts, the reduction and the broadcast among
   the ranks of the largest node, the allreduce among the nodes. As MPICH's smp allreduce. */
/* The result of all nodes in the output of a leader. */
static tutti_vertex_id build_reducing_leader(tutti_builder *builder, const struct nodes *nodes, uint64_t count)
{
  const tutti_call *call = nodes->call;
  tutti_call own = {.root = nodes->leader, .count = count};
  tutti_scope inner = tutti_scope_of_node(builder, nodes, TUTTI_NO_VERTEX);
  if (nodes->count == 1)
    return tutti_build_part(builder, call, ALLREDUCE_REDUCE, &inner, own);
  tutti_vertex_id reduced = TUTTI_NO_VERTEX;
  tutti_block contribution = inner.input;
  if (nodes->members > 1) {
    contribution.buffer = inner.output.buffer = tutti_builder_temporary(builder, count);
    reduced = tutti_build_part(builder, call, ALLREDUCE_REDUCE, &inner, own);
  }
  tutti_scope outer = tutti_scope_of_leaders(builder, nodes, reduced);
  outer.input = contribution;
  return tutti_build_part(builder, call, ALLREDUCE_ALLREDUCE, &outer, (tutti_call){.count = count});
}

static void build_allreduce(tutti_builder *builder, const void *context, uint64_t count)
{
  const struct nodes *nodes = context;
  tutti_call own = {.root = nodes->leader, .count = count};
  tutti_vertex_id result = TUTTI_NO_VERTEX;
  if (tutti_is_leader(nodes))
    result = build_reducing_leader(builder, nodes, count);
  else
    build_in_node(builder, nodes, ALLREDUCE_REDUCE, TUTTI_NO_VERTEX, own);
  build_in_node(builder, nodes, ALLREDUCE_BCAST, result, own);
}

void tutti_build_allreduce_two_level(tutti_builder *builder, const tutti_call *call)
{
  struct nodes nodes;
  if (tutti_nodes(builder, call, &nodes))
    build_allreduce(builder, &nodes, call->count);
}

/* The pipelined broadcast, reduction and allreduce: each segment goes through the parts as a message of its own, and
   waits only for that of `outstanding` segments before, which must be complete at the rank. In the steady
   state the stages of the allreduce work on four segments: reduction in the node (lr), reduction (ur) and broadcast
   (ub) among the leaders, broadcast in the node (lb).

       lr(3)  ur(2)  ub(1)  lb(0)      of the broadcast ub(1) lb(0), of the reduction lr(1) ur(0)

   The default part among the leaders of the allreduce is a reduction followed by a broadcast; it may be any allreduce.
   Cost with u segments: u + 3 steps, of the others u + 1, each as long as the longest stage on a segment. Temporaries:
   those of the parts for each segment, of which a schedule can have 65,533 in all. */
static void build_pipelined(tutti_builder *builder, const tutti_call *call, tutti_build_segment *build)
{
  struct nodes nodes;
  if (tutti_nodes(builder, call, &nodes))
    tutti_build_in_segments(builder, call, build, &nodes);
}

void tutti_build_bcast_two_level_pipelined(tutti_builder *builder, const tutti_call *call)
{
  build_pipelined(builder, call, build_bcast);
}

void tutti_build_reduce_two_level_pipelined(tutti_builder *builder, const tutti_call *call)
{
  build_pipelined(builder, call, build_reduce);
}

void tutti_build_allreduce_two_level_pipelined(tutti_builder *builder, const tutti_call *call)
{
  build_pipelined(builder, call, build_allreduce);
}

/* Two-level allgather: each node gathers its blocks at its leader, the leaders exchange the blocks of their nodes, and
   each broadcasts all of them within its node. Each by any algorithm.

       nodes (0 1 2) (3 4 5) (6):  1, 2 -> 0   4, 5 -> 3;   0: 012, 3: 345, 6: 6;   0 -> 1, 2   3 -> 4, 5

   The exchange is irregular, a block per node. Nodes of any shape: where the blocks of the nodes, one node after the
   other, are not in the order of the ranks, they go through a temporary of all blocks, and every rank copies them to
   their places. A leader needs one of its node's blocks in any case.
   Cost: the sum of the parts, the gather of blocks of m bytes and the broadcast of P m among the ranks of the largest
   node, the exchange among the nodes.
   See Traff 2006, Efficient allgather for regular SMP-clusters. */
/* The blocks of the nodes, one after the other. */
struct by_node {
  const struct nodes *nodes;
  tutti_block all;   /* all blocks */
  uint64_t *offsets; /* [nodes + 1] of a layout */
};

static int node_of(const struct nodes *nodes, int rank)
{
  return nodes->node_of ? nodes->node_of[rank] : rank / nodes->call->parameters.k;
}

/* Whether the blocks are in the order of the ranks. */
static bool in_order(const struct nodes *nodes)
{
  for (int r = 1; nodes->node_of && r < nodes->call->size; r++)
    if (nodes->node_of[r] < nodes->node_of[r - 1])
      return false;
  return true;
}

static bool lay_out(tutti_builder *builder, const struct nodes *nodes, struct by_node *by_node)
{
  const tutti_call *call = nodes->call;
  uint64_t total = (uint64_t)call->size * call->count;
  uint64_t *offsets = tutti_builder_scratch(builder, ((uint64_t)nodes->count + 1) * sizeof *offsets);
  tutti_buffer buffer = in_order(nodes) ? TUTTI_OUTPUT : tutti_builder_temporary(builder, total);
  if (!offsets)
    return false;
  *by_node = (struct by_node){nodes, tutti_block_of(buffer, 0, total), offsets};
  for (int i = 0; i <= nodes->count; i++)
    offsets[i] = 0;
  for (int r = 0; r < call->size; r++)
    offsets[node_of(nodes, r) + 1] += call->count;
  for (int i = 0; i < nodes->count; i++)
    offsets[i + 1] += offsets[i];
  return true;
}

/* The blocks of the own node into `target` of its leader. */
static tutti_vertex_id gather(tutti_builder *builder, const struct by_node *by_node, tutti_block target)
{
  const struct nodes *nodes = by_node->nodes;
  tutti_scope inner = tutti_scope_of_node(builder, nodes, TUTTI_NO_VERTEX);
  inner.output = target;
  return tutti_build_part(builder, nodes->call, ALLGATHER_GATHER, &inner,
                          (tutti_call){.root = nodes->leader, .count = nodes->call->count});
}

/* All blocks at a leader. The exchange does not find its input in its output: a copy onto itself is none. */
static tutti_vertex_id build_gathering_leader(tutti_builder *builder, const struct by_node *by_node)
{
  const struct nodes *nodes = by_node->nodes;
  const tutti_layout layout = {by_node->offsets};
  uint64_t count = tutti_layout_count(&layout, nodes->node);
  tutti_block own = tutti_block_of(TUTTI_INPUT, 0, count);
  tutti_vertex_id gathered = TUTTI_NO_VERTEX;
  if (nodes->count == 1)
    return gather(builder, by_node, by_node->all);
  if (nodes->members > 1) {
    own.buffer = tutti_builder_temporary(builder, count);
    gathered = gather(builder, by_node, own);
  }
  tutti_scope outer = tutti_scope_of_leaders(builder, nodes, gathered);
  outer.input = own;
  outer.output = by_node->all;
  return tutti_build_part(builder, nodes->call, ALLGATHER_ALLGATHERV, &outer,
                          (tutti_call){.count = count, .output = layout});
}

/* Copy the blocks to their places, those of neighbors in a node at once. Uses up the offsets. */
static void unpack(tutti_builder *builder, const struct by_node *by_node, tutti_vertex_id arrived)
{
  const struct nodes *nodes = by_node->nodes;
  uint64_t count = nodes->call->count;
  for (int r = 0, next; r < nodes->call->size && count > 0; r = next) {
    uint64_t *first = &by_node->offsets[node_of(nodes, r)];
    for (next = r + 1; next < nodes->call->size && node_of(nodes, next) == node_of(nodes, r);)
      next++;
    uint64_t length = (uint64_t)(next - r) * count;
    tutti_vertex_id copied = tutti_add_copy(builder, tutti_block_of(by_node->all.buffer, *first, length),
                                            tutti_block_of(TUTTI_OUTPUT, (uint64_t)r * count, length));
    tutti_add_after(builder, copied, arrived);
    *first += length;
  }
}

void tutti_build_allgather_two_level(tutti_builder *builder, const tutti_call *call)
{
  struct nodes nodes;
  struct by_node by_node;
  tutti_vertex_id arrived = TUTTI_NO_VERTEX;
  if (!tutti_nodes(builder, call, &nodes) || !lay_out(builder, &nodes, &by_node))
    return;
  if (tutti_is_leader(&nodes))
    arrived = build_gathering_leader(builder, &by_node);
  else
    gather(builder, &by_node, by_node.all);
  tutti_scope inner = tutti_scope_of_node(builder, &nodes, arrived);
  inner.output = by_node.all;
  arrived = tutti_build_part(builder, call, ALLGATHER_BCAST, &inner,
                             (tutti_call){.root = nodes.leader, .count = by_node.all.count});
  if (by_node.all.buffer != TUTTI_OUTPUT)
    unpack(builder, &by_node, arrived);
}
