/* Two-level allgather: each node gathers its blocks at its leader, the leaders exchange the blocks of their nodes, and
   each broadcasts all of them within its node. Each by any algorithm.

       nodes (0 1 2) (3 4 5) (6):  1, 2 -> 0   4, 5 -> 3;   0: 012, 3: 345, 6: 6;   0 -> 1, 2   3 -> 4, 5

   The exchange is irregular, a block per node. Nodes of any shape: where the blocks of the nodes, one node after the
   other, are not in the order of the ranks, they go through a temporary of all blocks, and every rank copies them to
   their places. A leader needs one of its node's blocks in any case.
   Cost: the sum of the parts, the gather of blocks of m bytes and the broadcast of P m among the ranks of the largest
   node, the exchange among the nodes.
   See Traff 2006, Efficient allgather for regular SMP-clusters. */
#include "algorithms/builders.h"
#include "algorithms/parts.h"

enum { GATHER, ALLGATHERV, BCAST };

/* The blocks of the nodes, one after the other. */
struct by_node {
  const struct nodes *nodes;
  tutti_block all; /* where they lie */
  uint64_t *counts, *firsts;
};

static int node_of(const struct nodes *nodes, int rank)
{
  return nodes->node_of ? nodes->node_of[rank] : rank / nodes->call->parameters.k;
}

/* Do the blocks lie in the order of the ranks? */
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
  uint64_t *counts = tutti_builder_scratch(builder, 2 * (uint64_t)nodes->count * sizeof *counts);
  tutti_buffer buffer = in_order(nodes) ? TUTTI_OUTPUT : tutti_builder_temporary(builder, total);
  if (!counts)
    return false;
  *by_node = (struct by_node){nodes, tutti_block_of(buffer, 0, total), counts, counts + nodes->count};
  for (int i = 0; i < nodes->count; i++)
    counts[i] = 0;
  for (int r = 0; r < call->size; r++)
    counts[node_of(nodes, r)] += call->count;
  by_node->firsts[0] = 0;
  for (int i = 1; i < nodes->count; i++)
    by_node->firsts[i] = by_node->firsts[i - 1] + counts[i - 1];
  return true;
}

/* The blocks of the own node into `target` of its leader. */
static tutti_vertex_id gather(tutti_builder *builder, const struct by_node *by_node, tutti_block target)
{
  const struct nodes *nodes = by_node->nodes;
  tutti_scope inner = tutti_scope_of_node(builder, nodes, TUTTI_NO_VERTEX);
  inner.output = target;
  return tutti_build_part(builder, nodes->call, GATHER, &inner,
                          (tutti_call){.root = nodes->leader, .count = nodes->call->count});
}

/* All blocks at a leader. The exchange does not find its input in its output: a copy onto itself is none. */
static tutti_vertex_id build_leader(tutti_builder *builder, const struct by_node *by_node)
{
  const struct nodes *nodes = by_node->nodes;
  uint64_t count = by_node->counts[nodes->node];
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
  return tutti_build_part(builder, nodes->call, ALLGATHERV, &outer,
                          (tutti_call){.count = count, .output = {by_node->counts, by_node->firsts}});
}

/* Copy the blocks to their places, those of neighbors in a node at once. Uses up the firsts. */
static void unpack(tutti_builder *builder, const struct by_node *by_node, tutti_vertex_id arrived)
{
  const struct nodes *nodes = by_node->nodes;
  uint64_t count = nodes->call->count;
  for (int r = 0, next; r < nodes->call->size && count > 0; r = next) {
    uint64_t *first = &by_node->firsts[node_of(nodes, r)];
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
    arrived = build_leader(builder, &by_node);
  else
    gather(builder, &by_node, by_node.all);
  tutti_scope inner = tutti_scope_of_node(builder, &nodes, arrived);
  inner.output = by_node.all;
  arrived =
      tutti_build_part(builder, call, BCAST, &inner, (tutti_call){.root = nodes.leader, .count = by_node.all.count});
  if (by_node.all.buffer != TUTTI_OUTPUT)
    unpack(builder, &by_node, arrived);
}
