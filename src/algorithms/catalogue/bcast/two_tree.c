/* Two-tree broadcast (Sanders, Speck, Traeff: Two-tree algorithms for full bandwidth broadcast, reduction and scan,
   Parallel Computing 35, 2009): the left half of the message goes down one binary tree, the right half down another
   one. The root is in neither and sends to both their roots. A rank that is an inner node of one is a leaf of the
   other, so that all ranks send about as much as they receive.

       P = 7:   0 -> 4      4 -> 2, 6    2 -> 1, 3    6 -> 5        left half
                0 -> 3      3 -> 5, 1    5 -> 6, 4    1 -> 2        right half

   Any number of ranks, any root; each half is cut into segments. Messages go as soon as possible, without an order of
   colors that would keep ranks from sending, or receiving, two at a time.
   Cost (Hockney), n segments of m_s bytes in both halves together: at best about (n + 2 log2 P) (alpha + beta m_s):
   every rank but the root receives the message once and sends at most that much, where one binary tree takes 2 n. */
#include "algorithms/catalogue/shared/two_tree.h"

static void forward(tutti_builder *builder, const tutti_call *call, const struct two_tree_place *place,
                    const tutti_segmentation *half, uint64_t s, uint32_t stride)
{
  tutti_vertex_id received = TUTTI_NO_VERTEX;
  tutti_block block = tutti_segment(half, s);
  if (place->parent >= 0) {
    received = tutti_add_recv(builder, place->parent, block);
    tutti_keep_window(builder, call, received, s, stride);
  }
  for (int c = 0; c < place->child_count; c++) {
    tutti_vertex_id sent = tutti_add_send(builder, place->children[c], block);
    tutti_add_after(builder, sent, received);
    tutti_keep_window(builder, call, sent, s, stride);
  }
}

/* The halves take turns, so that the vertices of a segment and its successor are as far apart as both trees have. */
void tutti_build_bcast_two_tree(tutti_builder *builder, const tutti_call *call)
{
  struct two_tree_place place[2];
  tutti_segmentation half[2];
  uint32_t stride = 0;
  if (call->size == 1)
    return;
  for (int h = 0; h < 2; h++) {
    place[h] = tutti_two_tree_place(call, h == 1);
    half[h] = tutti_two_tree_half(call, h == 1);
    stride += (uint32_t)(place[h].parent >= 0) + (uint32_t)place[h].child_count;
  }
  if (!tutti_reserve_segments(builder, &half[0], stride))
    return;
  for (uint64_t s = 0; s < half[0].count; s++)
    for (int h = 0; h < 2; h++)
      if (s < half[h].count)
        forward(builder, call, &place[h], &half[h], s, stride);
}
