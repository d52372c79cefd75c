/* Two-level reduction: within each node to its leader, then among the leaders, each by any algorithm. The root leads
   its node.

       nodes (0 1 2) (3 4 5) (6), root 4:  1, 2 -> 0   3, 5 -> 4;   0, 6 -> 4

   Nodes of any shape: operands are combined node by node, so the operation must commute. A leader needs one temporary
   of the whole message besides what the parts need. Cost: that of both reductions, the inner one among the ranks of the
   largest node, the outer one among the nodes. As MPICH's smp reduction. */
#include "algorithms/builders.h"
#include "algorithms/parts.h"

enum { INNER, OUTER };

void tutti_build_reduce_two_level(tutti_builder *builder, const tutti_call *call)
{
  struct nodes nodes;
  if (!tutti_nodes(builder, call, &nodes))
    return;
  tutti_scope inner = tutti_scope_of_node(builder, &nodes, TUTTI_NO_VERTEX);
  if (nodes.count > 1 && nodes.members > 1 && tutti_is_leader(&nodes))
    inner.output.buffer = tutti_builder_temporary(builder, call->count);
  tutti_vertex_id reduced = TUTTI_NO_VERTEX;
  if (nodes.count == 1 || nodes.members > 1)
    reduced = tutti_build_part(builder, call, INNER, &inner, (tutti_call){.root = nodes.leader, .count = call->count});
  if (nodes.count == 1 || !tutti_is_leader(&nodes))
    return;
  tutti_scope outer = tutti_scope_of_leaders(builder, &nodes, reduced);
  if (nodes.members > 1)
    outer.input = inner.output;
  tutti_build_part(builder, call, OUTER, &outer, (tutti_call){.root = nodes.root_node, .count = call->count});
}
