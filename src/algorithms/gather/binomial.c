/* Binomial gather (Pjesivac-Grbovic 2007, section 4.1.2 and figure 4.3): the blocks of a whole subtree travel in one
   message up an in-order binomial tree; the binomial scatter backwards.

       size 6, root 0:   0 <--4 5-- 4 <--5-- 5
                         0 <--2 3-- 2 <--3-- 3
                         0 <--1---- 1

   An inner rank collects the blocks of its subtree in a temporary; a leaf sends its input. For a root other than 0 the
   blocks of one subtree belong to both ends of the root's output: they, and no others, are received into a temporary.

   Blocks of equal size, any number of ranks, any root. Cost (Hockney): ceil(log2 P) alpha + (P - 1) beta m for blocks
   of m bytes (table 4.5 has P beta m). */
#include "algorithms/builders.h"

/* The blocks of a subtree that do not belong in one place of the output. */
static void receive_wrapped(tutti_builder *builder, const tutti_call *call, const struct subtree *child)
{
  int wrapped = child->ranks - child->unwrapped;
  tutti_buffer together = tutti_builder_temporary(builder, (uint64_t)child->ranks * call->count);
  tutti_vertex_id received = tutti_add_recv(builder, child->root, tutti_equal_blocks(call, together, 0, child->ranks));
  tutti_vertex_id last = tutti_add_copy(builder, tutti_equal_blocks(call, together, 0, child->unwrapped),
                                        tutti_equal_blocks(call, TUTTI_OUTPUT, child->root, child->unwrapped));
  tutti_vertex_id first = tutti_add_copy(builder, tutti_equal_blocks(call, together, child->unwrapped, wrapped),
                                         tutti_equal_blocks(call, TUTTI_OUTPUT, 0, wrapped));
  tutti_add_after(builder, last, received);
  tutti_add_after(builder, first, received);
}

static void build_root(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree)
{
  for (int c = 0; c < tree->child_count; c++) {
    struct subtree child = tutti_subtree(call, tutti_tree_child(tree, c));
    if (child.unwrapped < child.ranks)
      receive_wrapped(builder, call, &child);
    else
      tutti_add_recv(builder, child.root, tutti_equal_blocks(call, TUTTI_OUTPUT, child.root, child.ranks));
  }
  tutti_add_copy(builder, tutti_block_of(TUTTI_INPUT, 0, call->count), tutti_output_block(call, call->rank));
}

static void build_inner(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree)
{
  struct subtree own = tutti_subtree(call, call->rank);
  tutti_buffer buffer = tutti_builder_temporary(builder, (uint64_t)own.ranks * call->count);
  tutti_vertex_id begin = tutti_builder_next(builder);
  tutti_add_copy(builder, tutti_block_of(TUTTI_INPUT, 0, call->count), tutti_equal_blocks(call, buffer, 0, 1));
  for (int c = 0; c < tree->child_count; c++) {
    struct subtree child = tutti_subtree(call, tutti_tree_child(tree, c));
    int first = (int)(((int64_t)child.root - own.root + call->size) % call->size);
    tutti_add_recv(builder, child.root, tutti_equal_blocks(call, buffer, first, child.ranks));
  }
  tutti_vertex_id send = tutti_add_send(builder, tree->parent, tutti_equal_blocks(call, buffer, 0, own.ranks));
  for (int i = 0; i <= tree->child_count; i++)
    tutti_add_after(builder, send, begin + (tutti_vertex_id)i);
}

void tutti_build_gather_binomial(tutti_builder *builder, const tutti_call *call)
{
  tutti_tree tree;
  tutti_error error;
  if (tutti_tree_init(&tree, TUTTI_TREE_IN_ORDER_BINOMIAL, 0, call->size, call->root, call->rank, &error) != TUTTI_OK) {
    tutti_builder_fault(builder, &error);
    return;
  }
  if (call->count == 0)
    return;
  if (tree.parent < 0)
    build_root(builder, call, &tree);
  else if (tree.child_count > 0)
    build_inner(builder, call, &tree);
  else
    tutti_add_send(builder, tree.parent, tutti_block_of(TUTTI_INPUT, 0, call->count));
}
