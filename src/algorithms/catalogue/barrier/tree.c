/* Fan-in-fan-out barrier (Pjesivac-Grbovic 2007, section 4.1.2): every rank reports up a tree to rank 0 with a message
   without data once all its children have; rank 0 sends the exit message down the same tree.

       linear: flat tree, 2 (P - 1) messages, two steps        tree: binomial tree, 2 (P - 1) messages, 2 log2 P steps

   Any number of ranks. Cost (Hockney): tree 2 ceil(log2 P) alpha; linear (P - 1) alpha (table 4.2). */
#include "algorithms/catalogue/builders.h"

void tutti_build_barrier_on_tree(tutti_builder *builder, const tutti_tree *tree)
{
  uint32_t children = (uint32_t)tree->child_count;
  tutti_vertex_id first = tutti_builder_next(builder);
  tutti_builder_reserve(builder, 2 * children + 2, 2 * children + 1);
  for (uint32_t c = 0; c < children; c++)
    tutti_add_recv(builder, tutti_tree_child(tree, (int)c), tutti_no_data());
  tutti_vertex_id reported =
      tree->parent < 0 ? tutti_add_join(builder) : tutti_add_send(builder, tree->parent, tutti_no_data());
  for (uint32_t c = 0; c < children; c++)
    tutti_add_after(builder, reported, first + c);
  tutti_vertex_id leave = tree->parent < 0 ? reported : tutti_add_recv(builder, tree->parent, tutti_no_data());
  for (uint32_t c = 0; c < children; c++)
    tutti_add_after(builder, tutti_add_send(builder, tutti_tree_child(tree, (int)c), tutti_no_data()), leave);
}

void tutti_build_barrier_tree(tutti_builder *builder, const tutti_call *call)
{
  tutti_tree tree;
  if (tutti_place_in_tree(builder, call, call->shape, 0, &tree))
    tutti_build_barrier_on_tree(builder, &tree);
}
