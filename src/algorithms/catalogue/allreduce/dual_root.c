/* Dual-root, doubly pipelined allreduce (Traff, A Doubly-pipelined, Dual-root Reduction-to-all Algorithm and
   Implementation, arXiv 2109.12626): the lower and the upper half of the ranks each reduce the message, segment by
   segment, up a binary tree. The two roots exchange the partial results of a segment and both combine them, and the
   result goes down both trees while the next segments come up.

       P = 8:     3  <-->  7         post-order: node b of a subtree a to b has the children b - 1 and
                 / \      / \        a + floor((b - a) / 2) - 1, and a single node below it is b - 1
                2   0    6   4
                |        |
                1        5

   A subtree is a range of ranks, that of the second child below that of the first, and that below its parent: the order
   of the operands is kept for any operation, and both roots combine the same two operands: all ranks get the same bits.
   Any number of ranks. Temporaries: slots of segments.
   Cost (Hockney), n segments of m_s bytes, one exchange at a time: (4 h - 7 + 3 (n - 1)) (alpha + beta m_s) for
   P = 2^h - 2, so 3 beta m for long messages where a reduce and a broadcast on such trees take 4 beta m. No rank sends
   or receives the message more than three times. */
#include "algorithms/catalogue/builders.h"

enum channel {
  FROM_FIRST,
  FROM_SECOND,
  TO_PARENT,
  TO_OTHER_ROOT,
  FROM_OTHER_ROOT,
  FROM_PARENT,
  TO_FIRST,
  TO_SECOND,
  CHANNELS
};

struct dual {
  tutti_builder *builder;
  const tutti_call *call;
  int parent, other_root; /* -1: none */
  int child[2];           /* -1: none */
  int depth;
  bool lower; /* half of the ranks */
  tutti_segmentation segments;
  struct slots slots;
  tutti_vertex_id *messages[CHANNELS]; /* [segments] for the windows */
  tutti_vertex_id *free;               /* [segments] the result may be received */
};

/* Walk from the root of the own half down to the own rank. */
static void find_place(struct dual *d)
{
  int size = d->call->size, rank = d->call->rank, half = size / 2;
  d->lower = rank < half;
  int first = d->lower ? 0 : half, last = d->lower ? half - 1 : size - 1;
  d->parent = -1;
  d->other_root = rank == last ? (d->lower ? size - 1 : half - 1) : -1;
  for (d->depth = 0; last != rank; d->depth++) {
    int middle = first + (last - first) / 2; /* the first child's subtree begins here, or is all there is */
    d->parent = last;
    if (last - first > 1 && rank < middle)
      last = middle - 1;
    else {
      first = last - first > 1 ? middle : first;
      last--;
    }
  }
  d->child[0] = last > first ? last - 1 : -1;
  d->child[1] = last - first > 1 ? first + (last - first) / 2 - 1 : -1;
}

static tutti_vertex_id note(struct dual *d, enum channel channel, uint64_t s, tutti_vertex_id message)
{
  uint64_t outstanding = (uint64_t)d->call->parameters.outstanding;
  d->messages[channel][s] = message;
  if (s >= outstanding)
    tutti_add_after(d->builder, message, d->messages[channel][s - outstanding]);
  return message;
}

static tutti_vertex_id send(struct dual *d, enum channel channel, uint64_t s, int peer, tutti_block block,
                            tutti_vertex_id after)
{
  tutti_vertex_id sent = note(d, channel, s, tutti_add_send(d->builder, peer, block));
  tutti_add_after(d->builder, sent, after);
  return sent;
}

/* A partial result from `peer` becomes the left operand of the output, complete after `ready`. */
static tutti_vertex_id combine_left(struct dual *d, enum channel channel, uint64_t s, int peer, tutti_block output,
                                    tutti_vertex_id ready, tutti_vertex_id sent)
{
  tutti_block slot;
  tutti_vertex_id received = tutti_slots_recv(d->builder, &d->slots, peer, output.count, &slot);
  if (received == TUTTI_NO_VERTEX)
    return ready;
  note(d, channel, s, received);
  tutti_vertex_id reduced = tutti_add_reduce(d->builder, slot, output);
  tutti_add_after(d->builder, reduced, received);
  tutti_add_after(d->builder, reduced, ready);
  tutti_add_after(d->builder, reduced, sent);
  tutti_slots_free(&d->slots, slot, reduced);
  return reduced;
}

/* The other root's is the right operand: the result is where it was received, and is copied. */
static tutti_vertex_id combine_right(struct dual *d, uint64_t s, tutti_block output, tutti_vertex_id ready,
                                     tutti_vertex_id sent)
{
  tutti_block slot;
  tutti_vertex_id received = tutti_slots_recv(d->builder, &d->slots, d->other_root, output.count, &slot);
  if (received == TUTTI_NO_VERTEX)
    return ready;
  note(d, FROM_OTHER_ROOT, s, received);
  tutti_vertex_id reduced = tutti_add_reduce(d->builder, output, slot);
  tutti_add_after(d->builder, reduced, received);
  tutti_add_after(d->builder, reduced, ready);
  tutti_vertex_id copied = tutti_add_copy(d->builder, slot, output);
  tutti_add_after(d->builder, copied, reduced);
  tutti_add_after(d->builder, copied, sent);
  tutti_slots_free(&d->slots, slot, copied);
  return copied;
}

static tutti_vertex_id meet_other_root(struct dual *d, uint64_t s, tutti_block output, tutti_vertex_id ready)
{
  tutti_vertex_id sent = send(d, TO_OTHER_ROOT, s, d->other_root, output, ready);
  return d->lower ? combine_right(d, s, output, ready, sent)
                  : combine_left(d, FROM_OTHER_ROOT, s, d->other_root, output, ready, sent);
}

/* A leaf other than the root sends its input, all others combine in the output. */
static void go_up(struct dual *d, uint64_t s)
{
  tutti_block output = tutti_segment(&d->segments, s);
  tutti_block own = tutti_block_of(TUTTI_INPUT, output.first, output.count);
  if (d->child[0] < 0 && d->parent >= 0) {
    send(d, TO_PARENT, s, d->parent, own, TUTTI_NO_VERTEX);
    d->free[s] = TUTTI_NO_VERTEX;
    return;
  }
  tutti_vertex_id ready = tutti_add_copy(d->builder, own, output);
  for (int c = 0; c < 2; c++)
    if (d->child[c] >= 0)
      ready = combine_left(d, FROM_FIRST + (enum channel)c, s, d->child[c], output, ready, TUTTI_NO_VERTEX);
  d->free[s] = d->parent < 0 ? meet_other_root(d, s, output, ready) : send(d, TO_PARENT, s, d->parent, output, ready);
}

static void go_down(struct dual *d, uint64_t s)
{
  tutti_block output = tutti_segment(&d->segments, s);
  tutti_vertex_id ready = d->free[s];
  if (d->parent >= 0) {
    tutti_vertex_id received = note(d, FROM_PARENT, s, tutti_add_recv(d->builder, d->parent, output));
    tutti_add_after(d->builder, received, ready);
    ready = received;
  }
  for (int c = 0; c < 2; c++)
    if (d->child[c] >= 0)
      send(d, TO_FIRST + (enum channel)c, s, d->child[c], output, ready);
}

static bool prepare(struct dual *d)
{
  uint64_t count = d->segments.count, operands = 0;
  operands += d->child[0] >= 0;
  operands += d->child[1] >= 0;
  operands += d->parent < 0;
  if (!tutti_reserve_segments(d->builder, &d->segments, 2 * CHANNELS))
    return false;
  tutti_vertex_id *ids = tutti_builder_scratch(d->builder, (CHANNELS + 1) * count * sizeof *ids);
  for (int c = 0; ids && c < CHANNELS; c++)
    d->messages[c] = ids + (uint64_t)c * count;
  d->free = ids ? ids + CHANNELS * count : NULL;
  if (operands > 0)
    d->slots = tutti_slots_for_segments(d->builder, d->call, &d->segments, 3, operands);
  return ids;
}

void tutti_build_allreduce_dual_root(tutti_builder *builder, const tutti_call *call)
{
  struct dual d = {.builder = builder, .call = call, .segments = tutti_segments(call, 0, call->count)};
  if (tutti_build_trivial(builder, call))
    return;
  find_place(&d);
  if (!prepare(&d))
    return;
  uint64_t lag = (uint64_t)d.depth;
  for (uint64_t j = 0; j < d.segments.count + lag; j++) {
    if (j < d.segments.count)
      go_up(&d, j);
    if (j >= lag)
      go_down(&d, j - lag);
  }
}
