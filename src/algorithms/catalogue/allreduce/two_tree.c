/* Two-tree allreduce (Sanders, Speck, Traeff: Two-tree algorithms for full bandwidth broadcast, reduction and scan,
   Parallel Computing 35, 2009): the left half of the message is reduced up one binary tree and broadcast down again,
   the right half in another one. A rank that is an inner node of one tree is a leaf of the other, so that both together
   load all ranks alike.

   The first tree is in order. Of position x, counted from 1, with the lowest set bit b, the children are x - b / 2 and
   x + b / 2, or the highest subtree that there is on that side; odd positions are leaves. The second tree is the first
   one mirrored, which makes odd positions even if their number is even. An odd P has its last rank stand above both
   roots.

       P = 6:      3               2           P = 7: rank 6 is the parent of 3 in the first, of 2 in the second tree
                 /   \           /   \
                1     5         0     4
               / \   /           \   / \
              0   2 4             1 3   5

   A subtree is a range of ranks: the order of the operands is kept for any operation. Each half is cut into segments; a
   segment starts on its way down when it has arrived at the root. Any number of ranks.
   Cost (Hockney), n segments of m_s bytes in both halves together: at best (2 n + 4 log2 P) (alpha + beta m_s) +
   n gamma m_s, every rank sending and receiving the message twice, where one tree takes 3 n. Needs one temporary of
   half the message, the last of an odd number of ranks one for each half. */
#include "algorithms/catalogue/shared/two_tree.h"

/* ---- the trees ---- */

/* A rank's neighbors in a tree, or -1. */
struct place {
  int parent;
  int lower, higher; /* the children, and with them their subtrees, below and above in rank */
};

static int to_rank(int64_t x, int64_t n, bool mirrored)
{
  return x == 0 ? -1 : (int)(mirrored ? n - x : x - 1);
}

static struct place place_in_tree(const tutti_call *call, bool mirrored)
{
  int64_t n = call->size - call->size % 2;
  int root = to_rank(tutti_in_order_root(n), n, mirrored);
  if (call->rank == n)
    return (struct place){.parent = -1, .lower = root, .higher = -1};
  struct in_order x = tutti_in_order(mirrored ? n - call->rank : call->rank + 1, n);
  int left = to_rank(x.left, n, mirrored), right = to_rank(x.right, n, mirrored);
  int parent = call->rank == root && n < call->size ? (int)n : to_rank(x.parent, n, mirrored);
  return (struct place){parent, mirrored ? right : left, mirrored ? left : right};
}

/* ---- one half of the message in its tree ---- */

enum channel { FROM_LOWER, FROM_HIGHER, TO_PARENT, FROM_PARENT, TO_LOWER, TO_HIGHER, CHANNELS };

struct half {
  tutti_builder *builder;
  const tutti_call *call;
  struct place place;
  tutti_segmentation segments;
  tutti_buffer held;                   /* the message from the lower child */
  tutti_vertex_id *messages[CHANNELS]; /* [segments] for the windows */
  tutti_vertex_id *done;               /* [segments] when the way up no longer needs a segment of the output */
};

static bool make_half(struct half *half, tutti_builder *builder, const tutti_call *call, uint64_t first, uint64_t total,
                      bool mirrored)
{
  *half = (struct half){.builder = builder,
                        .call = call,
                        .place = place_in_tree(call, mirrored),
                        .segments = tutti_segments(call, first, total)};
  if (!tutti_reserve_segments(builder, &half->segments, 2 * CHANNELS))
    return false;
  uint64_t count = half->segments.count;
  tutti_vertex_id *ids = tutti_builder_scratch(builder, (CHANNELS + 1) * count * sizeof *ids);
  for (int c = 0; ids && c < CHANNELS; c++)
    half->messages[c] = ids + (uint64_t)c * count;
  half->done = ids ? ids + CHANNELS * count : NULL;
  if (half->place.lower >= 0)
    half->held = tutti_builder_temporary(builder, total);
  return ids != NULL;
}

/* Note the message of a segment and keep it within the window of its channel. */
static void note(struct half *half, enum channel channel, uint64_t s, tutti_vertex_id message)
{
  uint64_t outstanding = (uint64_t)half->call->parameters.outstanding;
  half->messages[channel][s] = message;
  if (s >= outstanding)
    tutti_add_after(half->builder, message, half->messages[channel][s - outstanding]);
}

static tutti_vertex_id receive(struct half *half, enum channel channel, uint64_t s, int peer, tutti_block block)
{
  tutti_vertex_id received = tutti_add_recv(half->builder, peer, block);
  note(half, channel, s, received);
  return received;
}

static tutti_vertex_id send(struct half *half, enum channel channel, uint64_t s, int peer, tutti_block block,
                            tutti_vertex_id after)
{
  tutti_vertex_id sent = tutti_add_send(half->builder, peer, block);
  tutti_add_after(half->builder, sent, after);
  note(half, channel, s, sent);
  return sent;
}

/* Own op higher in the output. */
static tutti_vertex_id add_higher(struct half *half, uint64_t s, tutti_block own, tutti_block output)
{
  tutti_vertex_id received = receive(half, FROM_HIGHER, s, half->place.higher, output);
  tutti_vertex_id reduced = tutti_add_reduce(half->builder, own, output);
  tutti_add_after(half->builder, reduced, received);
  return reduced;
}

/* Lower op what is in the output, which is there after `ready`. */
static tutti_vertex_id add_lower(struct half *half, uint64_t s, tutti_block output, tutti_vertex_id ready)
{
  tutti_block held = tutti_block_of(half->held, output.first - half->segments.first, output.count);
  tutti_vertex_id received = receive(half, FROM_LOWER, s, half->place.lower, held);
  tutti_vertex_id reduced = tutti_add_reduce(half->builder, held, output);
  tutti_add_after(half->builder, reduced, received);
  tutti_add_after(half->builder, reduced, ready);
  return reduced;
}

/* A leaf sends its input; an inner node has the partial result of its subtree in the output. */
static void go_up(struct half *half, uint64_t s)
{
  const struct place *place = &half->place;
  tutti_block output = tutti_segment(&half->segments, s);
  tutti_block own = tutti_block_of(TUTTI_INPUT, output.first, output.count);
  bool leaf = place->lower < 0 && place->higher < 0;
  tutti_vertex_id ready = TUTTI_NO_VERTEX;
  if (place->higher >= 0)
    ready = add_higher(half, s, own, output);
  else if (!leaf)
    ready = tutti_add_copy(half->builder, own, output);
  if (place->lower >= 0)
    ready = add_lower(half, s, output, ready);
  if (place->parent >= 0)
    ready = send(half, TO_PARENT, s, place->parent, leaf ? own : output, ready);
  half->done[s] = leaf ? TUTTI_NO_VERTEX : ready;
}

static void go_down(struct half *half, uint64_t s)
{
  const struct place *place = &half->place;
  tutti_block output = tutti_segment(&half->segments, s);
  tutti_vertex_id ready = half->done[s];
  if (place->parent >= 0) {
    tutti_vertex_id received = receive(half, FROM_PARENT, s, place->parent, output);
    tutti_add_after(half->builder, received, ready);
    ready = received;
  }
  if (place->lower >= 0)
    send(half, TO_LOWER, s, place->lower, output, ready);
  if (place->higher >= 0)
    send(half, TO_HIGHER, s, place->higher, output, ready);
}

/* ---- both ---- */

/* A rank may be the child of another one in the first and its parent in the second tree, so that its contributions to
   the one and the results of the other share a channel, on which messages go in the order of the vertices. All ranks
   put the way down of segment s after the way up of segment s + lag, about as far as a pipeline that runs has come by
   then: with less, contributions wait for results; with more, results for contributions. */
static void build_halves(struct half half[2], uint64_t lag)
{
  uint64_t longer = half[0].segments.count;
  for (uint64_t t = 0; t < longer + lag; t++)
    for (int step = 0; step < 4; step++) {
      struct half *h = &half[step % 2];
      if (step < 2 && t < h->segments.count)
        go_up(h, t);
      else if (step >= 2 && t >= lag && t - lag < h->segments.count)
        go_down(h, t - lag);
    }
}

void tutti_build_allreduce_two_tree(tutti_builder *builder, const tutti_call *call)
{
  struct half half[2];
  uint64_t left = call->count - call->count / 2, lag = 2;
  if (call->count == 0)
    return;
  if (call->size == 1) {
    tutti_add_copy(builder, tutti_block_of(TUTTI_INPUT, 0, call->count), tutti_block_of(TUTTI_OUTPUT, 0, call->count));
    return;
  }
  for (int64_t width = 1; width < call->size; width *= 2)
    lag += 2;
  if (make_half(&half[0], builder, call, 0, left, false) &&
      make_half(&half[1], builder, call, left, call->count - left, true))
    build_halves(half, lag);
}
