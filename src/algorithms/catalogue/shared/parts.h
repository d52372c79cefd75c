/* Ranks that share a node: the basis of the two-level algorithms.

   With call->parameters.k >= 1 a node is k consecutive ranks, the last one the rest; else call->nodes gives it, with
   any ranks. Nodes are numbered in the order of their lowest ranks, and so are the members of a node. Its leader is the
   root of the call in the root's node, else its lowest rank.

       P = 7, k = 3, root 4:  nodes (0 1 2) (3 4 5) (6)    leaders 0 4 6 */
#ifndef TUTTI_ALGORITHMS_NODES_H
#define TUTTI_ALGORITHMS_NODES_H

#include "tutti/algorithm.h"

struct nodes {
  const tutti_call *call;
  int count;          /* nodes */
  int node;           /* the own one */
  int root_node;      /* that of the root */
  int members;        /* ranks of the own node */
  int member;         /* own place among them */
  int leader;         /* place of the leader among them */
  int first;          /* lowest rank of the own node */
  const int *ranks;   /* [members] the members, or NULL: first + i */
  const int *leaders; /* [count] the leaders of all nodes, or NULL: i * k; not set at ranks that are none */
  const int *node_of; /* [P] node of each rank, or NULL: rank / k */
};

/* False, and a fault, without memory. Needs no memory that grows with P if nodes are consecutive ranks, except for the
   leaders where the root is not the first of its node. */
bool tutti_nodes(tutti_builder *builder, const tutti_call *call, struct nodes *nodes);

static inline bool tutti_is_leader(const struct nodes *nodes)
{
  return nodes->member == nodes->leader;
}

/* Parts of the schedule among the members of the own node, in which the leader has rank nodes->leader, and among the
   leaders, in which a leader has the number of its node. @{ */
tutti_scope tutti_scope_of_node(const tutti_builder *builder, const struct nodes *nodes, tutti_vertex_id after);
tutti_scope tutti_scope_of_leaders(const tutti_builder *builder, const struct nodes *nodes, tutti_vertex_id after);
/* @} */

/* Adds what a message, or a segment, of `count` elements needs. */
typedef void tutti_build_segment(tutti_builder *builder, const void *context, uint64_t count);

/* Each segment of the message goes through the parts as a message of its own, and waits for no other one but that of
   `outstanding` segments before, which must be complete at the rank. */
void tutti_build_in_segments(tutti_builder *builder, const tutti_call *call, tutti_build_segment *build,
                             const void *context);

#endif
