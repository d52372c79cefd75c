/* Split-binary tree broadcast (Pjesivac-Grbovic 2007, sections 4.1.2 and 4.3.1).

   Phase 1: the left half of the message is pipelined down the left subtree of a balanced binary tree, the right half
   down the right subtree. Phase 2: every rank of the left subtree swaps halves with its pair in the right subtree. The
   left subtree may have one rank more than the right one; the root sends that rank the right half.

              0                  size 6, on virtual ranks: left subtree 1 3 5, right subtree 2 4;
        L  /     \  R            pairs (1,2) (3,4); rank 5 has no pair and gets R from 0
         1         2
     L  / \ L      | R
       3   5       4

   Any number of ranks, any root. Cost (Hockney, equation 4.8), n segments of m_s bytes on P = 2^k - 1 ranks:
     2 (log2(P + 1) + ceil(n / 2) - 2) (alpha + beta m_s) + alpha + beta m / 2 */
#include "algorithms/catalogue/builders.h"

struct halves {
  tutti_segmentation left, right;
};

static tutti_block whole(const tutti_segmentation *half)
{
  return tutti_block_of(TUTTI_OUTPUT, half->first, half->total);
}

static int to_rank(const tutti_call *call, int64_t v)
{
  return (int)((v + call->root) % call->size);
}

/* The odd virtual ranks are the left subtree, and the pair of v is v + 1 (see trees: balanced binary). The last rank
   has no pair if it is odd. */
static bool unpaired(const tutti_call *call, int v)
{
  return v % 2 == 1 && v == call->size - 1;
}

/* The segments of both halves in turns, left first. As left has at most one segment more than right, segment s of half
   c is vertex s * child_count + c. */
static void send_halves(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree,
                        const struct halves *halves)
{
  const tutti_segmentation *half[2] = {&halves->left, &halves->right};
  for (uint64_t s = 0; s < halves->left.count; s++)
    for (int c = 0; c < tree->child_count && s < half[c]->count; c++) {
      tutti_vertex_id send = tutti_add_send(builder, tutti_tree_child(tree, c), tutti_segment(half[c], s));
      tutti_keep_window(builder, call, send, s, (uint32_t)tree->child_count);
    }
}

/* The root: feed both subtrees, then serve the rank without a pair. */
static void build_root(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree,
                       const struct halves *halves)
{
  if (!tutti_reserve_segments(builder, &halves->left, (uint32_t)tree->child_count))
    return;
  tutti_vertex_id first = tutti_builder_next(builder);
  send_halves(builder, call, tree, halves);
  int last = call->size - 1;
  if (!unpaired(call, last) || halves->right.total == 0)
    return;
  tutti_vertex_id extra = tutti_add_send(builder, to_rank(call, last), whole(&halves->right));
  tutti_after_window(builder, call, extra, first, halves->left.count, (uint32_t)tree->child_count);
  if (tree->child_count > 1)
    tutti_after_window(builder, call, extra, first + 1, halves->right.count, (uint32_t)tree->child_count);
}

/* Swaps the own half for the other one, once the own half, which came from vertex `first` on, is complete. */
static void exchange(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree, int v,
                     const tutti_segmentation *own, const tutti_segmentation *other, tutti_vertex_id first)
{
  int pair = to_rank(call, unpaired(call, v) ? 0 : v % 2 == 1 ? v + 1 : v - 1);
  if (other->total > 0)
    tutti_add_recv(builder, pair, whole(other));
  if (own->total == 0 || unpaired(call, v))
    return;
  tutti_vertex_id send = tutti_add_send(builder, pair, whole(own));
  tutti_after_window(builder, call, send, first, own->count, (uint32_t)tree->child_count + 1);
}

void tutti_build_bcast_split_binary(tutti_builder *builder, const tutti_call *call)
{
  tutti_tree tree;
  if (!tutti_place_in_tree(builder, call, TUTTI_TREE_BINARY, call->root, &tree))
    return;
  uint64_t middle = call->count - call->count / 2;
  struct halves halves = {tutti_segments(call, 0, middle), tutti_segments(call, middle, call->count - middle)};
  if (tree.parent < 0) {
    build_root(builder, call, &tree, &halves);
    return;
  }
  int v = (call->rank - call->root + call->size) % call->size;
  bool left = v % 2 == 1;
  tutti_vertex_id first = tutti_builder_next(builder);
  tutti_build_segments_on_tree(builder, call, &tree, left ? &halves.left : &halves.right);
  exchange(builder, call, &tree, v, left ? &halves.left : &halves.right, left ? &halves.right : &halves.left, first);
}
