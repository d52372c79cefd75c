/* Pipelined binary tree scan and exscan (Sanders and Traff 2006).

   The ranks form a balanced binary tree in which the left subtree of every rank has the lower ranks next to it and the
   right subtree the higher ones. Up: a rank combines the message of its left child, its own contribution and the
   message of its right child, and sends the result, the combination of its subtree, to its parent. Down: it receives
   from its parent the combination of all ranks before its subtree, passes it on to the left child, combines it on the
   left with that of its left subtree and itself, which is the result of scan, and sends that to its right child.

       size 7:       3             rank 5, up:    x4 from 4, x6 from 6: x4 x5 x6 to its parent
                1         5                down:  x0..x3 from 3, to 4; x0..x5, its result, to 6
              0   2     4   6

   Messages without a use are not sent: nothing goes up from a subtree with the last rank, and nothing down to one with
   rank 0. Each segment goes up and down by itself; segments going up and segments going down meet on the way and use
   both directions of a link.

   Keeps the order of the operands. Any number of ranks. Temporaries: at most two whole messages, for exscan three.
   Cost (Hockney), n segments of m_s bytes, a rank sending one and receiving one segment at a time: a rank has three
   neighbors, to and from each of which goes every segment, so about
     (4 floor(log2 P) + 3 (n - 1)) (alpha + beta m_s + gamma m_s) */
#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/scan/scan.h"

/* A rank in the tree. Its subtree is a range of ranks with this one in the middle. */
struct place {
  int parent, left, right; /* -1: none */
  bool preceded, followed; /* there are ranks before, and after, the subtree */
};

struct binary {
  tutti_builder *builder;
  const tutti_call *call;
  struct place place;
  bool combines;        /* combines what comes before it with its own contribution */
  tutti_buffer before;  /* all ranks before the subtree */
  tutti_buffer left;    /* the left subtree */
  tutti_buffer through; /* the left subtree and the own rank; in the end all ranks up to the own one */
  tutti_buffer right;   /* the right subtree, in the end the whole subtree */
  uint32_t stride;      /* vertices of a segment */
};

static int middle_of(int first, int end)
{
  return first < end ? first + (end - first) / 2 : -1;
}

static struct place find_place(int rank, int size)
{
  int first = 0, end = size, parent = -1, middle;
  while ((middle = middle_of(first, end)) != rank) {
    parent = middle;
    if (rank < middle)
      end = middle;
    else
      first = middle + 1;
  }
  return (struct place){.parent = parent,
                        .left = middle_of(first, rank),
                        .right = middle_of(rank + 1, end),
                        .preceded = first > 0,
                        .followed = end < size};
}

/* The output has what comes before the rank and, for scan, the own contribution; everything else is a temporary. */
static struct binary init_binary(tutti_builder *builder, const tutti_call *call, scan_kind kind)
{
  struct place place = find_place(call->rank, call->size);
  bool inclusive = kind == SCAN_INCLUSIVE, has_left = place.left >= 0, has_right = place.right >= 0;
  struct binary b = {builder, call, place, .before = TUTTI_OUTPUT, .left = TUTTI_OUTPUT, .through = TUTTI_OUTPUT};
  b.combines = inclusive || (has_left && (has_right || place.followed));
  if (inclusive && (has_left || place.preceded))
    b.left = b.before = tutti_builder_temporary(builder, call->count);
  if (!inclusive && has_left && place.preceded)
    b.before = tutti_builder_temporary(builder, call->count);
  if (!inclusive && b.combines)
    b.through = tutti_builder_temporary(builder, call->count);
  if (has_right && place.followed)
    b.right = tutti_builder_temporary(builder, call->count);
  return b;
}

/* One segment on its way through a rank. */
struct passage {
  tutti_block segment;
  uint64_t index;
  tutti_vertex_id arrived;  /* from the left subtree */
  tutti_vertex_id combined; /* put on the left of the own contribution */
  tutti_vertex_id ready;    /* the content of `through` is complete so far */
  tutti_vertex_id used;     /* it has gone up */
};

static tutti_vertex_id receive(const struct binary *b, const struct passage *p, int peer, tutti_buffer buffer)
{
  tutti_vertex_id received = tutti_add_recv(b->builder, peer, tutti_scan_in(buffer, p->segment));
  tutti_keep_window(b->builder, b->call, received, p->index, b->stride);
  return received;
}

static tutti_vertex_id send(const struct binary *b, const struct passage *p, int peer, tutti_buffer buffer,
                            tutti_vertex_id ready)
{
  tutti_vertex_id sent = tutti_add_send(b->builder, peer, tutti_scan_in(buffer, p->segment));
  tutti_add_after(b->builder, sent, ready);
  tutti_keep_window(b->builder, b->call, sent, p->index, b->stride);
  return sent;
}

/* Put the segment in `left` on the left of the one in `right` when both are there. */
static tutti_vertex_id combine(const struct binary *b, const struct passage *p, tutti_buffer left, tutti_buffer right,
                               tutti_vertex_id left_ready, tutti_vertex_id right_ready)
{
  tutti_vertex_id combined =
      tutti_add_reduce(b->builder, tutti_scan_in(left, p->segment), tutti_scan_in(right, p->segment));
  tutti_add_after(b->builder, combined, left_ready);
  tutti_add_after(b->builder, combined, right_ready);
  return combined;
}

/* The combination of the subtree goes to the parent: from the buffer `sum`, where the left part of it is `ready`. */
static void send_up(const struct binary *b, struct passage *p, tutti_buffer sum)
{
  tutti_vertex_id complete = p->combined;
  if (b->place.right >= 0) {
    tutti_vertex_id received = receive(b, p, b->place.right, b->right);
    complete = p->used = combine(b, p, sum, b->right, p->combined, received);
    sum = b->right;
  }
  tutti_vertex_id sent = send(b, p, b->place.parent, sum, complete);
  if (sum == b->through)
    p->used = sent;
}

static void go_up(const struct binary *b, struct passage *p)
{
  tutti_vertex_id begin = tutti_builder_next(b->builder);
  bool has_left = b->place.left >= 0;
  if (has_left)
    p->arrived = receive(b, p, b->place.left, b->left);
  if (has_left && b->combines) {
    tutti_vertex_id copied = tutti_scan_copy(b->builder, p->segment, b->through, begin, p->index, b->stride);
    p->ready = p->combined = combine(b, p, b->left, b->through, p->arrived, copied);
  }
  if (b->place.followed)
    send_up(b, p, has_left ? b->through : TUTTI_INPUT);
  if (!has_left && b->combines)
    p->ready = tutti_scan_copy(b->builder, p->segment, b->through, begin, p->index, b->stride);
}

static void go_down(const struct binary *b, struct passage *p)
{
  bool has_left = b->place.left >= 0;
  if (b->place.preceded) {
    tutti_vertex_id received = receive(b, p, b->place.parent, b->before);
    if (b->before == b->left)
      tutti_add_after(b->builder, received, p->combined);
    if (has_left)
      send(b, p, b->place.left, b->before, received);
    if (b->combines) {
      p->ready = combine(b, p, b->before, b->through, received, p->ready);
      tutti_add_after(b->builder, p->ready, p->used);
    }
    if (has_left && b->before != b->left)
      tutti_add_after(b->builder, combine(b, p, b->before, b->left, received, p->arrived), p->ready);
  }
  if (b->place.right >= 0)
    send(b, p, b->place.right, b->through, p->ready);
}

static void add_segment(const struct binary *b, tutti_block segment, uint64_t index)
{
  struct passage p = {segment, index, TUTTI_NO_VERTEX, TUTTI_NO_VERTEX, TUTTI_NO_VERTEX, TUTTI_NO_VERTEX};
  go_up(b, &p);
  go_down(b, &p);
}

/* Every segment adds the same vertices, so the first one gives their number. */
static void build(tutti_builder *builder, const tutti_call *call, scan_kind kind)
{
  tutti_segmentation segments = tutti_segments(call, 0, call->count);
  if (segments.count == 0)
    return;
  struct binary b = init_binary(builder, call, kind);
  tutti_vertex_id first = tutti_builder_next(builder);
  add_segment(&b, tutti_segment(&segments, 0), 0);
  b.stride = tutti_builder_next(builder) - first;
  if (!tutti_reserve_segments(builder, &segments, b.stride))
    return;
  for (uint64_t s = 1; s < segments.count; s++)
    add_segment(&b, tutti_segment(&segments, s), s);
}

void tutti_build_scan_binary(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, SCAN_INCLUSIVE);
}

void tutti_build_exscan_binary(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, SCAN_EXCLUSIVE);
}
