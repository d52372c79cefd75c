/* Two-level barrier: a barrier within each node, one among the leaders of the nodes, and once more one within each
   node, which nobody leaves before its leader has come from the others. Each by any algorithm.

       nodes (0 1 2) (3 4 5) (6):  0 1 2, 3 4 5;   0 3 6;   0 1 2, 3 4 5

   Nodes of any shape. Cost: that of the outer barrier among the nodes and twice that of the inner one. MPICH's smp
   barrier lets the ranks of a node go by a broadcast in place of the second inner barrier. */
#include "algorithms/builders.h"
#include "algorithms/parts.h"

enum { INNER, OUTER };

void tutti_build_barrier_two_level(tutti_builder *builder, const tutti_call *call)
{
  struct nodes nodes;
  if (!tutti_nodes(builder, call, &nodes))
    return;
  tutti_scope inner = tutti_scope_of_node(builder, &nodes, TUTTI_NO_VERTEX);
  tutti_vertex_id entered = tutti_build_part(builder, call, INNER, &inner, (tutti_call){.count = 0});
  if (tutti_is_leader(&nodes)) {
    tutti_scope outer = tutti_scope_of_leaders(builder, &nodes, entered);
    entered = tutti_build_part(builder, call, OUTER, &outer, (tutti_call){.count = 0});
  }
  inner = tutti_scope_of_node(builder, &nodes, entered);
  tutti_build_part(builder, call, INNER, &inner, (tutti_call){.count = 0});
}
