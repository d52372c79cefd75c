/* Lanes through the nodes: lane j has member j of every node, so there are as many as the smallest node has ranks.
   Ranks that are in no lane take part within their node only.

       P = 7, k = 3:  nodes (0 1 2) (3 4 5) (6)    lane 0 3 6
       P = 6, k = 3:  nodes (0 1 2) (3 4 5)        lanes 0 3, 1 4, 2 5 */
#ifndef TUTTI_ALGORITHMS_LANES_H
#define TUTTI_ALGORITHMS_LANES_H

#include "algorithms/catalogue/shared/parts.h"

struct lanes {
  struct nodes nodes;
  int count;           /* ranks of the smallest node */
  const int *by_node;  /* [P] ranks in the order of their nodes, or NULL: that of the ranks */
  const int *begin_of; /* [nodes + 1] where a node begins there, or NULL: node * k */
};

/* False, and a fault, without memory. Needs no memory that grows with P if nodes are k consecutive ranks. */
bool tutti_lanes(tutti_builder *builder, const tutti_call *call, struct lanes *lanes);

/* The same with as many ranks in each node: where they are not equal, nodes of one rank, and @p call, which has to
   stay, says so. */
bool tutti_lanes_of_equals(tutti_builder *builder, tutti_call *call, struct lanes *lanes);

static inline bool tutti_is_in_lane(const struct lanes *lanes)
{
  return lanes->nodes.member < lanes->count;
}

/* Number of ranks of a node, and the rank of a member of it. @{ */
int tutti_node_size(const struct lanes *lanes, int node);
int tutti_node_rank(const struct lanes *lanes, int node, int member);
/* @} */

/* Part of the schedule among the ranks of the own lane, in which a rank has the number of its node. */
tutti_scope tutti_scope_of_lane(tutti_builder *builder, const struct lanes *lanes, tutti_vertex_id after);

/* Elements of a message that belong to piece number `index` of `pieces`, which differ by one element at most; a piece
   past the last one is empty and at the end. */
tutti_block tutti_piece(tutti_buffer buffer, uint64_t elements, int pieces, int index);

/* These pieces, one for each member of the own node. NULLs, and a fault, without memory. */
tutti_layout tutti_pieces_of_node(tutti_builder *builder, const struct lanes *lanes, uint64_t elements);

/* Copy blocks of one buffer to those of another after a vertex, neighbors at once. Returns what completes all copies.
 */
tutti_vertex_id tutti_copy_blocks(tutti_builder *builder, const tutti_block *from, const tutti_block *to, int count,
                                  tutti_vertex_id after);

#endif
