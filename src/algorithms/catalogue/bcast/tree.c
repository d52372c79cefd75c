/* Broadcast down a tree of any shape: the generalized broadcast with virtual topologies (Pjesivac-Grbovic 2007,
   section 4.1.2).

   A pipeline down a tree: for every segment, receive it from the parent and forward it to all children. The receive of
   the next segments is posted while the current one is forwarded.

       parent --s2--> rank --s1--> child 0
                           --s1--> child 1

   Any number of ranks, any root. Cost (Hockney, table 4.3), n segments of m_s bytes on P ranks, for example
     linear    n (P - 1) (alpha + beta m_s)
     pipeline  (P + n - 2) (alpha + beta m_s)
     binomial  ceil(log2 P) n (alpha + beta m_s)
     binary    2 (ceil(log2 (P + 1)) + n - 2) (alpha + beta m_s) */
#include "algorithms/catalogue/builders.h"

void tutti_build_segments_on_tree(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree,
                                  const tutti_segmentation *segments)
{
  bool inner = tree->parent >= 0;
  uint32_t stride = (uint32_t)tree->child_count + inner;
  if (!tutti_reserve_segments(builder, segments, stride))
    return;
  for (uint64_t s = 0; s < segments->count; s++) {
    tutti_block block = tutti_segment(segments, s);
    tutti_vertex_id received = TUTTI_NO_VERTEX;
    if (inner) {
      received = tutti_add_recv(builder, tree->parent, block);
      tutti_keep_window(builder, call, received, s, stride);
    }
    for (int c = 0; c < tree->child_count; c++) {
      tutti_vertex_id send = tutti_add_send(builder, tutti_tree_child(tree, c), block);
      tutti_add_after(builder, send, received);
      tutti_keep_window(builder, call, send, s, stride);
    }
  }
}

void tutti_build_bcast_tree(tutti_builder *builder, const tutti_call *call)
{
  tutti_tree tree;
  tutti_segmentation segments = tutti_segments(call, 0, call->count);
  if (tutti_place_in_tree(builder, call, call->shape, call->root, &tree))
    tutti_build_segments_on_tree(builder, call, &tree, &segments);
}
