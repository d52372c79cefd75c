/* Two-level broadcast: among the leaders of the nodes, then within each node, each by any algorithm. The root leads its
   node, so the data crosses the network once for each other node.

       nodes (0 1 2) (3 4 5) (6), root 4:  4 -> 0, 6;   0 -> 1, 2   4 -> 3, 5

   Nodes of any shape. Cost: that of both broadcasts, the outer one among the nodes, the inner one among the ranks of
   the largest node. As MPICH's smp broadcast; hierarchical algorithms go back to Karonis et al. 2000 and Kielmann et
   al. 1999 (MagPIe). */
#include "algorithms/builders.h"
#include "algorithms/parts.h"

enum { OUTER, INNER };

void tutti_build_bcast_two_level(tutti_builder *builder, const tutti_call *call)
{
  struct nodes nodes;
  tutti_vertex_id arrived = TUTTI_NO_VERTEX;
  if (!tutti_nodes(builder, call, &nodes))
    return;
  if (tutti_is_leader(&nodes)) {
    tutti_scope outer = tutti_scope_of_leaders(builder, &nodes, TUTTI_NO_VERTEX);
    arrived =
        tutti_build_part(builder, call, OUTER, &outer, (tutti_call){.root = nodes.root_node, .count = call->count});
  }
  tutti_scope inner = tutti_scope_of_node(builder, &nodes, arrived);
  tutti_build_part(builder, call, INNER, &inner, (tutti_call){.root = nodes.leader, .count = call->count});
}
