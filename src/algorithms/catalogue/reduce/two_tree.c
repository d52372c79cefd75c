/* Two-tree reduction (Sanders, Speck, Traeff 2009): the two-tree broadcast (bcast/two_tree.c) backwards, the left half
   of the message up one binary tree and the right half up another one.

       P = 7:   1, 3 -> 2    5 -> 6    2, 6 -> 4    4 -> 0        left half
                6, 4 -> 5    2 -> 1    5, 1 -> 3    3 -> 0        right half

   Operands are combined in another order than that of the ranks: commutative operations only. Any number of ranks, any
   root. Needs slots for segments as any tree does (reduce/tree.c).
   Cost (Hockney), n segments of m_s bytes in both halves together: at best about (n + 2 log2 P) (alpha + (beta + gamma)
   m_s): every rank but the root sends the message once and receives at most that much. */
#include "algorithms/catalogue/shared/two_tree.h"

static void reduce_half(tutti_builder *builder, const tutti_call *call, bool second)
{
  struct two_tree_place place = tutti_two_tree_place(call, second);
  tutti_segmentation half = tutti_two_tree_half(call, second);
  tutti_tree tree;
  tutti_tree_init_explicit(&tree, call->size, call->root, call->rank, place.parent, place.children, place.child_count);
  tutti_scope scope = tutti_scope_of_all(builder, TUTTI_NO_VERTEX);
  tutti_call own = *call;
  own.count = half.total;
  scope.input.first += half.first;
  scope.output.first += half.first;
  tutti_builder_enter(builder, &scope);
  if (half.total > 0)
    tutti_build_reduce_on_tree(builder, &own, &tree);
  tutti_builder_leave(builder);
}

void tutti_build_reduce_two_tree(tutti_builder *builder, const tutti_call *call)
{
  if (tutti_build_trivial(builder, call))
    return;
  reduce_half(builder, call, false);
  reduce_half(builder, call, true);
}
