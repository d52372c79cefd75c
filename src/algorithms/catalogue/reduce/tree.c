/* Reduction up a tree of any shape: the generalized reduce with virtual topologies (Pjesivac-Grbovic 2007,
   section 4.1.2).

   A pipeline up a tree: for every segment, receive the operands of all children, combine them with the own one and
   send the result to the parent. The partial result moves: it is the left operand of the next child's message, so it
   ends where that one was received.

       child 1 --s2--> slot a        in-order binomial: 4 -> 0 <- 2 <- 3
       child 0 --s1--> slot b                           ^    ^- 1
             own op b = b, b op a = a, a --> parent

   Operands are combined as own, first child, second child, ... In all trees here except the binary and the k-ary one
   the children's subtrees follow each other, so this is the order of the ranks if the tree is rooted at rank 0, as it
   is if the operation does not commute; rank 0 then sends the result to the root.

   A rank needs three slots of a segment (partial result, operand, operand on its way), or as many as may be in flight
   while they are no larger than the message. Any number of ranks, any root; binary and k-ary:
   commutative operations only.

   Cost (Hockney, table 4.8), n segments of m_s bytes on P ranks, with c = alpha + (beta + gamma) m_s:
     pipeline  (P + n - 2) c
     binary    2 (ceil(log2 (P + 1)) + n - 2) c
     in-order binomial without segments  ceil(log2 P) c
   and n alpha + beta m more where rank 0 sends the result on. */
#include "algorithms/catalogue/builders.h"

/* The place of a rank in a reduction. */
struct node {
  const tutti_call *call;
  tutti_tree tree;
  int up;          /* the receiver of the result; -1: none, it stays here in TUTTI_OUTPUT */
  uint32_t stride; /* vertices of each segment: a receive and a reduction per child, and a send */
  struct slots slots;
};

/* Child number i in the order of the ranks. The in-order binomial and the k-nomial tree number their largest child, the
   last one, first; in reductions that is also the one which is ready last. So is the first and largest child of the
   k-nomial tree of type 1, which comes last where the order does not matter. */
static int child_of(const struct node *node, int i)
{
  const tutti_tree *tree = &node->tree;
  bool last_first = tree->shape == TUTTI_TREE_IN_ORDER_BINOMIAL || tree->shape == TUTTI_TREE_KNOMIAL ||
                    (tree->shape == TUTTI_TREE_KNOMIAL_1 && node->call->commutative);
  return tutti_tree_child(tree, last_first ? tree->child_count - 1 - i : i);
}

/* Add the operand of a child; *partial is the result so far and becomes the new one. */
static tutti_vertex_id add_child(tutti_builder *builder, struct node *node, int i, tutti_block segment, uint64_t index,
                                 tutti_block *partial, tutti_vertex_id ready)
{
  int child = child_of(node, i);
  bool stays = node->up < 0 && i == node->tree.child_count - 1;
  tutti_block where = segment;
  tutti_vertex_id received = stays ? tutti_add_recv(builder, child, segment)
                                   : tutti_slots_recv(builder, &node->slots, child, segment.count, &where);
  tutti_keep_window(builder, node->call, received, index, node->stride);
  tutti_vertex_id reduced = tutti_add_reduce(builder, *partial, where);
  tutti_add_after(builder, reduced, received);
  tutti_add_after(builder, reduced, ready);
  if (i > 0)
    tutti_slots_free(&node->slots, *partial, reduced);
  *partial = where;
  return reduced;
}

static void reduce_segment(tutti_builder *builder, struct node *node, tutti_block segment, uint64_t index)
{
  tutti_block partial = tutti_block_of(TUTTI_INPUT, segment.first, segment.count);
  tutti_vertex_id ready = TUTTI_NO_VERTEX;
  for (int i = 0; i < node->tree.child_count; i++)
    ready = add_child(builder, node, i, segment, index, &partial, ready);
  if (node->up < 0)
    return;
  tutti_vertex_id send = tutti_add_send(builder, node->up, partial);
  tutti_add_after(builder, send, ready);
  tutti_keep_window(builder, node->call, send, index, node->stride);
  if (node->tree.child_count > 0)
    tutti_slots_free(&node->slots, partial, send);
}

static void reduce_segments(tutti_builder *builder, struct node *node, const tutti_segmentation *segments)
{
  int children = node->tree.child_count;
  bool stays = node->up < 0;
  if (stays && children == 0) {
    tutti_add_copy(builder, tutti_block_of(TUTTI_INPUT, 0, segments->total),
                   tutti_block_of(TUTTI_OUTPUT, 0, segments->total));
    return;
  }
  node->stride = 2 * (uint32_t)children + !stays;
  if (!tutti_reserve_segments(builder, segments, node->stride))
    return;
  node->slots = tutti_slots_for_segments(builder, node->call, segments, 3, (uint64_t)(children - stays));
  for (uint64_t s = 0; s < segments->count; s++)
    reduce_segment(builder, node, tutti_segment(segments, s), s);
}

void tutti_build_reduce_on_tree(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree)
{
  struct node node = {.call = call, .tree = *tree, .up = tree->parent};
  tutti_segmentation segments = tutti_segments(call, 0, call->count);
  reduce_segments(builder, &node, &segments);
}

void tutti_build_reduce_tree(tutti_builder *builder, const tutti_call *call)
{
  struct node node = {.call = call};
  int top = call->commutative ? call->root : 0;
  if (!tutti_place_in_tree(builder, call, call->shape, top, &node.tree))
    return;
  tutti_segmentation segments = tutti_segments(call, 0, call->count);
  node.up = node.tree.parent >= 0 ? node.tree.parent : call->rank == call->root ? -1 : call->root;
  reduce_segments(builder, &node, &segments);
  if (call->rank == call->root && top != call->root)
    for (uint64_t s = 0; s < segments.count; s++)
      tutti_keep_window(builder, call, tutti_add_recv(builder, top, tutti_segment(&segments, s)), s, 1);
}
