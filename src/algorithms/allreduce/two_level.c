/* Two-level allreduce: a reduction within each node to its leader, an allreduce among the leaders, and a broadcast
   within each node, each by any algorithm.

       nodes (0 1 2) (3 4 5) (6):  1, 2 -> 0   4, 5 -> 3;   0 3 6;   0 -> 1, 2   3 -> 4, 5

   Nodes of any shape: operands are combined node by node, so the operation must commute. A leader needs one temporary
   of the whole message besides what the parts need. Cost: the sum of the parts, the reduction and the broadcast among
   the ranks of the largest node, the allreduce among the nodes. As MPICH's smp allreduce. */
#include "algorithms/builders.h"
#include "algorithms/parts.h"

enum { REDUCE, ALLREDUCE, BCAST };

/* The result of all nodes in the output of a leader. */
static tutti_vertex_id build_leader(tutti_builder *builder, const tutti_call *call, const struct nodes *nodes)
{
  tutti_call own = {.root = nodes->leader, .count = call->count};
  tutti_scope inner = tutti_scope_of_node(builder, nodes, TUTTI_NO_VERTEX);
  if (nodes->count == 1)
    return tutti_build_part(builder, call, REDUCE, &inner, own);
  tutti_vertex_id reduced = TUTTI_NO_VERTEX;
  tutti_block contribution = inner.input;
  if (nodes->members > 1) {
    contribution.buffer = inner.output.buffer = tutti_builder_temporary(builder, call->count);
    reduced = tutti_build_part(builder, call, REDUCE, &inner, own);
  }
  tutti_scope outer = tutti_scope_of_leaders(builder, nodes, reduced);
  outer.input = contribution;
  return tutti_build_part(builder, call, ALLREDUCE, &outer, (tutti_call){.count = call->count});
}

void tutti_build_allreduce_two_level(tutti_builder *builder, const tutti_call *call)
{
  struct nodes nodes;
  if (!tutti_nodes(builder, call, &nodes))
    return;
  tutti_call own = {.root = nodes.leader, .count = call->count};
  tutti_vertex_id result = TUTTI_NO_VERTEX;
  tutti_scope inner = tutti_scope_of_node(builder, &nodes, TUTTI_NO_VERTEX);
  if (tutti_is_leader(&nodes))
    result = build_leader(builder, call, &nodes);
  else
    tutti_build_part(builder, call, REDUCE, &inner, own);
  inner = tutti_scope_of_node(builder, &nodes, result);
  tutti_build_part(builder, call, BCAST, &inner, own);
}
