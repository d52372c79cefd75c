/* Allreduce on one tree: the message goes up a tree of any shape segment by segment, combined on the way, and each
   segment comes down the same tree as soon as it is complete at the root (MPICH's allreduce `tree`; the trees of its
   tree_type are k-ary, k-nomial of type 1 and k-nomial).

       up:    child --s3--> buffer op output --s2--> parent        down:   parent --s1--> output --s0--> children

   The output holds the partial result: the first operand is received there, the others into buffers of a
   segment each. With one buffer the operands of a segment arrive one after the other, as without buffer_per_child in
   MPICH; with more of them the receives are posted early. A leaf sends its input.

   Operands are combined in the order of the ranks if the operation does not commute, the children with the highest
   ranks first and the own operand last; that needs subtrees that are ranges, which those of the k-ary tree are not.
   Else the smallest subtrees, which are ready first, come first. The root is rank 0.

   Any number of ranks; k-ary: commutative operations only. All ranks have the same bits. A rank needs a
   temporary of a segment for each buffer, but none for its first child.
   Cost (Hockney), n segments of m_s bytes, with c = alpha + (beta + gamma) m_s up and d = alpha + beta m_s down:
   without segments  h k (c + d) for the k-ary tree of height h, (k - 1) ceil(log_k P) (c + d) for the k-nomial trees;
   with segments     n times the time of the rank with most children for one, up and down, and the height once.
   2 (P - 1) messages a segment in all. */
#include "algorithms/catalogue/builders.h"

/* The place of a rank. */
struct place {
  tutti_call call; /* with a window of its own: the parameter is the number of buffers */
  tutti_tree tree;
  tutti_segmentation segments;
  struct slots slots;
  uint32_t stride; /* vertices of a segment: a receive, a reduction and a send per child, and both ways of the parent */
};

/* Child number i in the order of combination. The k-nomial tree numbers its largest child, the one with the highest
   rank, first; that of type 1 its largest child, the one with the lowest rank. */
static int child_of(const struct place *place, int i)
{
  const tutti_tree *tree = &place->tree;
  bool backwards =
      tree->shape == TUTTI_TREE_KNOMIAL_1 || (tree->shape == TUTTI_TREE_KNOMIAL && place->call.commutative);
  return tutti_tree_child(tree, backwards ? tree->child_count - 1 - i : i);
}

/* Combine `left`, there after `received`, with the output, complete after `ready`. */
static tutti_vertex_id combine(tutti_builder *builder, tutti_block left, tutti_block output, tutti_vertex_id received,
                               tutti_vertex_id ready)
{
  tutti_vertex_id reduced = tutti_add_reduce(builder, left, output);
  tutti_add_after(builder, reduced, received);
  tutti_add_after(builder, reduced, ready);
  return reduced;
}

/* Returns when the output has the operands of all children and the own one; they have some. */
static tutti_vertex_id combine_children(tutti_builder *builder, struct place *place, uint64_t s)
{
  int children = place->tree.child_count, own_after = place->call.commutative ? 0 : children - 1;
  tutti_block output = tutti_segment(&place->segments, s), where;
  tutti_block own = tutti_block_of(TUTTI_INPUT, output.first, output.count);
  tutti_vertex_id ready = TUTTI_NO_VERTEX;
  for (int i = 0; i < children; i++) {
    int child = child_of(place, i);
    tutti_vertex_id received = i == 0 ? tutti_add_recv(builder, child, output)
                                      : tutti_slots_recv(builder, &place->slots, child, output.count, &where);
    if (received == TUTTI_NO_VERTEX)
      return ready;
    tutti_keep_window(builder, &place->call, received, s, place->stride);
    if (i > 0)
      tutti_slots_free(&place->slots, where, ready = combine(builder, where, output, received, ready));
    else
      ready = received;
    if (i == own_after)
      ready = combine(builder, own, output, TUTTI_NO_VERTEX, ready);
  }
  return ready;
}

static void build_segment(tutti_builder *builder, struct place *place, uint64_t s)
{
  const tutti_tree *tree = &place->tree;
  tutti_block output = tutti_segment(&place->segments, s), partial = output;
  if (tree->child_count == 0)
    partial.buffer = TUTTI_INPUT;
  tutti_vertex_id ready = combine_children(builder, place, s);
  if (tree->parent >= 0) {
    tutti_vertex_id sent = tutti_add_send(builder, tree->parent, partial);
    tutti_add_after(builder, sent, ready);
    tutti_keep_window(builder, &place->call, sent, s, place->stride);
    ready = tutti_add_recv(builder, tree->parent, output);
    if (tree->child_count > 0)
      tutti_add_after(builder, ready, sent);
    tutti_keep_window(builder, &place->call, ready, s, place->stride);
  }
  for (int c = 0; c < tree->child_count; c++) {
    tutti_vertex_id sent = tutti_add_send(builder, tutti_tree_child(tree, c), output);
    tutti_add_after(builder, sent, ready);
    tutti_keep_window(builder, &place->call, sent, s, place->stride);
  }
}

void tutti_build_allreduce_tree(tutti_builder *builder, const tutti_call *call)
{
  struct place place = {.call = *call, .segments = tutti_segments(call, 0, call->count)};
  uint64_t buffers = (uint64_t)call->parameters.outstanding;
  if (tutti_build_trivial(builder, call) || !tutti_place_in_tree(builder, call, call->shape, 0, &place.tree))
    return;
  int children = place.tree.child_count;
  uint64_t operands = children > 1 ? place.segments.count * (uint64_t)(children - 1) : 0;
  place.call.parameters.outstanding = TUTTI_DEFAULT_OUTSTANDING;
  place.stride = 3 * (uint32_t)children + (place.tree.parent >= 0 ? 2 : 0);
  if (!tutti_reserve_segments(builder, &place.segments, place.stride))
    return;
  place.slots = tutti_slots(builder, operands < buffers ? operands : buffers, place.segments.length);
  for (uint64_t s = 0; s < place.segments.count; s++)
    build_segment(builder, &place, s);
}
