/* Binomial reduce: partial results go up an in-order binomial tree, whose subtrees are ranges of ranks, and are
   combined from the nearest child to the farthest, that is in the order of the ranks.

       4 -> 0 <- 2 <- 3      rank 0 combines 0, then 1, then (2 3), then (4 5 6 7)
       ^    ^- 1

   The order of the operands is kept for any operation: if it does not commute the tree is rooted at rank 0, which sends
   the result to the root. Needs one temporary of the whole message per child. Any number of ranks, any root.
   Cost (Hockney): ceil(log2 P) (alpha + beta m + gamma m), one alpha + beta m more for a root other than 0 if the
   operation does not commute. Segments are pipelined independently.
   Source: Pjesivac-Grbovic 2007, section 4.1.2 (generalised reduce) and figure 4.3. */
#include "algorithms/builders.h"
#include "algorithms/segments.h"

static tutti_block in_buffer(tutti_block segment, tutti_buffer buffer)
{
  return tutti_block_of(buffer, segment.first, segment.count);
}

/* Vertices of each segment: a receive and a reduction per child, and what becomes of the result. */
static uint32_t stride_of(const tutti_call *call, const tutti_tree *tree)
{
  bool kept = tree->parent < 0 && tree->rank == call->root && tree->child_count > 0;
  return 2 * (uint32_t)tree->child_count + !kept;
}

/* Combine one segment; the reduction's target is its right operand, so the partial result moves on from temporary to
   temporary and ends in the last one. */
static void reduce_segment(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree,
                           const tutti_buffer *partial, tutti_block segment, uint64_t index)
{
  tutti_block result = in_buffer(segment, TUTTI_INPUT);
  tutti_vertex_id ready = TUTTI_NO_VERTEX;
  uint32_t stride = stride_of(call, tree);
  for (int i = 0; i < tree->child_count; i++) {
    int child = tutti_tree_child(tree, tree->child_count - 1 - i);
    tutti_block target = in_buffer(segment, partial[i]);
    tutti_vertex_id received = tutti_add_recv(builder, child, target);
    tutti_keep_window(builder, call, received, index, stride);
    tutti_vertex_id reduced = tutti_add_reduce(builder, result, target);
    tutti_add_after(builder, reduced, received);
    tutti_add_after(builder, reduced, ready);
    result = target;
    ready = reduced;
  }
  if (tree->parent >= 0 || tree->rank != call->root) {
    tutti_vertex_id send = tutti_add_send(builder, tree->parent >= 0 ? tree->parent : call->root, result);
    tutti_add_after(builder, send, ready);
    tutti_keep_window(builder, call, send, index, stride);
  } else if (tree->child_count == 0) {
    tutti_add_copy(builder, result, segment);
  }
}

/* The last partial result at the root is the result. */
static void choose_places(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree, tutti_buffer *partial)
{
  for (int i = 0; i < tree->child_count; i++) {
    bool final = i == tree->child_count - 1 && tree->parent < 0 && tree->rank == call->root;
    partial[i] = final ? TUTTI_OUTPUT : tutti_builder_temporary(builder, call->count);
  }
}

void tutti_build_reduce_binomial(tutti_builder *builder, const tutti_call *call)
{
  tutti_tree tree;
  tutti_error error;
  tutti_buffer partial[32];
  int top = call->commutative ? call->root : 0;
  if (tutti_tree_init(&tree, TUTTI_TREE_IN_ORDER_BINOMIAL, 0, call->size, top, call->rank, &error) != TUTTI_OK) {
    tutti_builder_fault(builder, &error);
    return;
  }
  choose_places(builder, call, &tree, partial);
  struct segments segments = tutti_segments(call, 0, call->count);
  uint32_t stride = stride_of(call, &tree);
  if (!tutti_reserve_segments(builder, &segments, stride))
    return;
  for (uint64_t s = 0; s < segments.count; s++)
    reduce_segment(builder, call, &tree, partial, tutti_segment(&segments, s), s);
  if (call->rank == call->root && top != call->root)
    for (uint64_t s = 0; s < segments.count; s++)
      tutti_keep_window(builder, call, tutti_add_recv(builder, top, tutti_segment(&segments, s)), s, 1);
}
