/* Binomial reduce (Pjesivac-Grbovic 2007, section 4.1.2): child by child, and for each child segment by segment. As the
   children of a rank are ready one after the other, the smallest subtree first, this order avoids waiting;
   segment by segment, every segment would wait for the largest subtree.

       round 1: 4 -> 0, 5 -> 1, 6 -> 2, 7 -> 3    round 2: 2 -> 0, 3 -> 1    round 3: 1 -> 0

   The first child's message is received where the result is built, the others' through two or more slots of a segment.
   The tree mixes the ranks: commutative operations only. Any number of ranks, any root. Memory of an inner rank: the
   message and those slots.
   Cost (Hockney, table 4.8), n segments of m_s bytes: n ceil(log2 P) (alpha + (beta + gamma) m_s). */
#include "algorithms/catalogue/builders.h"

struct node {
  const tutti_call *call;
  tutti_tree tree;
  tutti_segmentation segments;
  tutti_buffer result; /* where it is built */
  struct slots slots;
};

static tutti_block in_buffer(const struct node *node, uint64_t index, tutti_buffer buffer)
{
  tutti_block block = tutti_segment(&node->segments, index);
  block.buffer = buffer;
  return block;
}

/* Combine segment `index` of child i, each a receive and a reduction; `before` is the reduction of the child before. */
static void add_operand(tutti_builder *builder, struct node *node, int i, uint64_t index, tutti_vertex_id before)
{
  int child = tutti_tree_child(&node->tree, node->tree.child_count - 1 - i);
  tutti_block result = in_buffer(node, index, node->result), where = result;
  tutti_vertex_id received = i == 0 ? tutti_add_recv(builder, child, result)
                                    : tutti_slots_recv(builder, &node->slots, child, result.count, &where);
  tutti_keep_window(builder, node->call, received, index, 2);
  tutti_vertex_id reduced = tutti_add_reduce(builder, i == 0 ? in_buffer(node, index, TUTTI_INPUT) : where, result);
  tutti_add_after(builder, reduced, received);
  tutti_add_after(builder, reduced, before);
  if (i > 0)
    tutti_slots_free(&node->slots, where, reduced);
}

/* Returns the reduction that completes segment 0; the other segments' follow at a distance of 2. */
static tutti_vertex_id add_children(tutti_builder *builder, struct node *node)
{
  uint64_t n = node->segments.count;
  tutti_vertex_id before = TUTTI_NO_VERTEX;
  for (int i = 0; i < node->tree.child_count; i++) {
    tutti_vertex_id first = tutti_builder_next(builder) + 1;
    for (uint64_t s = 0; s < n; s++)
      add_operand(builder, node, i, s, i == 0 ? TUTTI_NO_VERTEX : (tutti_vertex_id)(before + 2 * s));
    before = first;
  }
  return before;
}

static void send_up(tutti_builder *builder, const struct node *node, tutti_vertex_id reduced)
{
  bool leaf = node->tree.child_count == 0;
  for (uint64_t s = 0; s < node->segments.count; s++) {
    tutti_block result = in_buffer(node, s, leaf ? TUTTI_INPUT : node->result);
    tutti_vertex_id send = tutti_add_send(builder, node->tree.parent, result);
    tutti_add_after(builder, send, leaf ? TUTTI_NO_VERTEX : (tutti_vertex_id)(reduced + 2 * s));
    tutti_keep_window(builder, node->call, send, s, 1);
  }
}

void tutti_build_reduce_binomial(tutti_builder *builder, const tutti_call *call)
{
  struct node node = {.call = call, .segments = tutti_segments(call, 0, call->count), .result = TUTTI_OUTPUT};
  if (!tutti_place_in_tree(builder, call, TUTTI_TREE_BINOMIAL, call->root, &node.tree))
    return;
  int children = node.tree.child_count, parent = node.tree.parent;
  if (!tutti_reserve_segments(builder, &node.segments, 2 * (uint32_t)children + 1))
    return;
  if (parent >= 0 && children > 0)
    node.result = tutti_builder_temporary(builder, call->count);
  if (children > 1)
    node.slots = tutti_slots_for_segments(builder, call, &node.segments, 2, (uint64_t)(children - 1));
  tutti_vertex_id reduced = add_children(builder, &node);
  if (parent >= 0)
    send_up(builder, &node, reduced);
  else if (children == 0)
    tutti_add_copy(builder, tutti_block_of(TUTTI_INPUT, 0, call->count), tutti_block_of(TUTTI_OUTPUT, 0, call->count));
}
