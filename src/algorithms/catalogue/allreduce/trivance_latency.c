/* Trivance (trivance.c) with the whole message in every step. A rank has the sum of a window of s ranks; the next
   window is that of the left peer, the own one and that of the right peer, 3 s ranks. Any P: with t = s - 1, the digits
   e of P - 1 in base 3 lead from t = 0 to t = P - 1 by t' = 3 t + e. For each of the 2 - e ranks that are too many a
   window is taken without its first rank. So a rank has two sums, of the window (whole) and of the window without its
   first rank (rest); the left peer sends both while a later step needs the rest: 3 m from then on in place of 2 m, for
   a power of three never.

       P = 4, digits 1 0:  whole(r) = r - 1, r;  rest(r) = r;   then whole(r - 1), rest(r), rest(r + 1) = r - 2 .. r + 1

   Any number of ranks; operations that commute. Ranks bracket the operands differently, so rounding may differ between
   ranks. Memory: up to 5 messages. Cost (Hockney, both sides at once): ceil(log3 P) (alpha + (beta + 2 gamma) m).

   On a torus the sum of a dimension is what a rank begins the next one with: the sum of ceil(log3 side) steps, m / d in
   each copy. Memory: up to 5 messages, and one for each dimension but the last. */
#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/torus.h"

enum { MAX_STEPS = 21 }; /* 3^20 > 2^31 */

struct digits {
  int at[MAX_STEPS]; /* the highest first */
  int count;
};

static struct digits digits_of(int number)
{
  struct digits digits = {.count = 0};
  for (int rest = number; rest > 0; rest /= 3)
    digits.count++;
  for (int i = digits.count - 1; i >= 0; i--, number /= 3)
    digits.at[i] = number % 3;
  return digits;
}

/* Sums of a rank. An empty block is the sum of no rank. */
struct sums {
  tutti_block whole, rest;
};

enum { WHOLE, REST, RIGHT, ROOMS };

/* A copy. */
struct steps {
  tutti_builder *builder;
  const struct torus *torus;
  int rank, dimension;
  tutti_block output;
  struct digits digits; /* of the side of the dimension, less 1 */
  int next;             /* of them */
  int left;             /* steps, of all dimensions */
  struct sums now;
  int64_t others;        /* t */
  tutti_vertex_id ready; /* completes the step before */
  tutti_block room[2][ROOMS], sums[TUTTI_MAX_SIDES];
};

/* Room number `index` for a message of a step; steps take two sets in turns. The last whole sum is in the output; that
   of a dimension has a place of its own, as it is what the next one begins with, and may be its rest for some steps. */
static tutti_block room_of(struct steps *s, int index)
{
  const bool sum = index == WHOLE && s->left > 1 && s->next == s->digits.count;
  tutti_block *room = sum ? &s->sums[s->dimension] : &s->room[s->left % 2][index];
  if (index == WHOLE && !sum && s->left % 2)
    return s->output;
  if (room->count == 0)
    *room = tutti_block_of(tutti_builder_temporary(s->builder, s->output.count), 0, s->output.count);
  return *room;
}

/* Send so far up, and receive from as far down. */
static tutti_vertex_id add_message(struct steps *s, tutti_block sent, int64_t distance, tutti_block received)
{
  const int to = tutti_torus_shifted(s->torus, s->rank, s->dimension, distance);
  tutti_vertex_id receive =
      tutti_add_recv(s->builder, tutti_torus_shifted(s->torus, s->rank, s->dimension, -distance), received);
  tutti_add_after(s->builder, receive, s->ready);
  tutti_add_after(s->builder, tutti_add_send(s->builder, to, sent), s->ready);
  return receive;
}

static tutti_vertex_id add_to(struct steps *s, tutti_block source, tutti_block target, tutti_vertex_id after,
                              tutti_vertex_id arrived)
{
  tutti_vertex_id reduced = tutti_add_reduce(s->builder, source, target);
  tutti_add_after(s->builder, reduced, after);
  tutti_add_after(s->builder, reduced, arrived);
  return reduced;
}

/* What a step brings, and the vertices that complete it. */
struct arrival {
  tutti_block whole, rest, right;
  tutti_vertex_id whole_at, rest_at, right_at;
};

/* Add up a step. `own` is what the own window contributes, which may be nothing. */
static struct sums combine(struct steps *s, struct arrival in, tutti_block own, bool keeps_rest)
{
  struct sums next = {.whole = in.whole, .rest = in.rest};
  tutti_vertex_id added = in.right_at;
  if (keeps_rest && in.right.count > 0 && own.count > 0) {
    added = add_to(s, own, in.right, in.right_at, TUTTI_NO_VERTEX);
  } else if (own.count > 0) {
    in.whole_at = add_to(s, own, in.whole, in.whole_at, TUTTI_NO_VERTEX);
    if (in.right.count == 0 && in.rest.count == 0)
      next.rest = own;
  }
  if (in.right.count > 0)
    add_to(s, in.right, in.whole, in.whole_at, added);
  if (in.right.count > 0 && in.rest.count > 0)
    add_to(s, in.right, in.rest, in.rest_at, added);
  else if (in.right.count > 0)
    next.rest = in.right;
  return next;
}

static void add_step(struct steps *s)
{
  const int digit = s->digits.at[s->next++];
  const tutti_block own = digit > 0 ? s->now.whole : s->now.rest, right = digit > 1 ? s->now.whole : s->now.rest;
  const int64_t to_left = s->others + (digit > 0), to_right = s->others + (digit > 1);
  bool keeps_rest = false;
  for (int i = s->next; i < s->digits.count; i++)
    keeps_rest |= s->digits.at[i] < 2;
  tutti_vertex_id first = tutti_builder_next(s->builder);
  struct arrival in = {.whole_at = TUTTI_NO_VERTEX, .rest_at = TUTTI_NO_VERTEX, .right_at = TUTTI_NO_VERTEX};
  in.whole = room_of(s, WHOLE);
  in.whole_at = add_message(s, s->now.whole, to_left, in.whole);
  if (keeps_rest && s->now.rest.count > 0) {
    in.rest = room_of(s, REST);
    in.rest_at = add_message(s, s->now.rest, to_left, in.rest);
  }
  if (right.count > 0) {
    in.right = room_of(s, RIGHT);
    in.right_at = add_message(s, right, -to_right, in.right);
  }
  s->now = combine(s, in, own, keeps_rest);
  s->others = 3 * s->others + digit;
  tutti_vertex_id end = tutti_builder_next(s->builder);
  if (--s->left == 0)
    return;
  s->ready = tutti_add_join(s->builder);
  for (tutti_vertex_id v = first; v < end; v++)
    tutti_add_after(s->builder, s->ready, v);
}

static void enter_dimension(struct steps *s, int dimension)
{
  s->dimension = dimension % s->torus->dimensions;
  s->digits = digits_of(s->torus->sides[s->dimension] - 1);
  s->next = 0;
  s->others = 0;
  s->now.rest.count = 0;
}

static void begin_copy(struct steps *s, tutti_builder *builder, const tutti_call *call, const struct torus *torus,
                       int copy)
{
  *s = (struct steps){.builder = builder, .torus = torus, .rank = call->rank, .ready = TUTTI_NO_VERTEX};
  s->output = tutti_block_share(tutti_block_of(TUTTI_OUTPUT, 0, call->count), copy, torus->dimensions);
  s->now.whole = s->output;
  s->now.whole.buffer = TUTTI_INPUT;
  for (int d = 0; d < torus->dimensions && s->output.count > 0; d++)
    s->left += digits_of(torus->sides[d] - 1).count;
  enter_dimension(s, copy);
}

/* Step by step, so that the messages of all copies between two ranks have one order at both. */
static void build_latency(tutti_builder *builder, const tutti_call *call, const struct torus *torus)
{
  struct steps copies[TUTTI_MAX_SIDES];
  if (tutti_build_trivial(builder, call))
    return;
  for (int c = 0; c < torus->dimensions; c++)
    begin_copy(&copies[c], builder, call, torus, c);
  for (bool more = true; more;) {
    more = false;
    for (int c = 0; c < torus->dimensions; c++) {
      struct steps *s = &copies[c];
      while (s->left > 0 && s->next == s->digits.count)
        enter_dimension(s, s->dimension + 1);
      if (s->left > 0)
        add_step(s);
      more |= s->left > 0;
    }
  }
}

void tutti_build_allreduce_trivance_latency(tutti_builder *builder, const tutti_call *call)
{
  const struct torus ring = tutti_ring(call);
  build_latency(builder, call, &ring);
}

void tutti_build_allreduce_trivance_latency_torus(tutti_builder *builder, const tutti_call *call)
{
  const struct torus torus = tutti_torus(call);
  build_latency(builder, call, &torus);
}
