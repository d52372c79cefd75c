/* Trivance (2026, arXiv 2602.17254): in every step a rank exchanges with two ranks, one on either side of a ring, and
   adds up what both bring, so that ceil(log3 P) steps are enough. Distances are powers of three, in both directions at
   the same time: a third of the load on a link of steps in one direction only. The forms for numbers of ranks that are
   no power of three are our own.

       P = 9:   r - 1, r + 1;   r - 3, r + 3 */
#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/block_exchange.h"

static int wrap(int64_t rank, int size)
{
  return (int)((rank % size + size) % size);
}

/* ---- latency form ----

   The whole message in every step. A rank has the sum of a window of s ranks; the next window is that of the left peer,
   the own one and that of the right peer, 3 s ranks. Any P: with t = s - 1, the digits e of P - 1 in base 3 lead from
   t = 0 to t = P - 1 by t' = 3 t + e. For each of the 2 - e ranks that are too many a window is taken without its first
   rank. So a rank has two sums, of the window (whole) and of the window without its first rank (rest); the left peer
   sends both while a later step needs the rest: 3 m from then on in place of 2 m, for a power of three never.

       P = 4, digits 1 0:  whole(r) = r - 1, r;  rest(r) = r;   then whole(r - 1), rest(r), rest(r + 1) = r - 2 .. r + 1

   Any number of ranks; operations that commute. Ranks bracket the operands differently, so rounding may differ between
   ranks. Memory: up to 5 messages. Cost (Hockney, both sides at once): ceil(log3 P) (alpha + (beta + 2 gamma) m). */

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

struct steps {
  tutti_builder *builder;
  const tutti_call *call;
  struct sums now;
  int64_t others;        /* t */
  tutti_vertex_id ready; /* completes the step before */
  tutti_block room[2][3];
};

/* Room number `index` for a message of a step; steps take two sets in turns. */
static tutti_block room_of(struct steps *s, int step, int index)
{
  tutti_block *room = &s->room[step % 2][index];
  if (room->count == 0)
    *room = tutti_block_of(tutti_builder_temporary(s->builder, s->call->count), 0, s->call->count);
  return *room;
}

static tutti_vertex_id add_message(struct steps *s, tutti_block sent, int64_t to, tutti_block received, int64_t from)
{
  tutti_vertex_id receive = tutti_add_recv(s->builder, wrap(from, s->call->size), received);
  tutti_add_after(s->builder, receive, s->ready);
  tutti_add_after(s->builder, tutti_add_send(s->builder, wrap(to, s->call->size), sent), s->ready);
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

static void add_step(struct steps *s, const struct digits *digits, int step)
{
  const int digit = digits->at[step], rank = s->call->rank;
  const tutti_block own = digit > 0 ? s->now.whole : s->now.rest, right = digit > 1 ? s->now.whole : s->now.rest;
  const int64_t to_left = s->others + (digit > 0), to_right = s->others + (digit > 1);
  bool keeps_rest = false;
  for (int i = step + 1; i < digits->count; i++)
    keeps_rest |= digits->at[i] < 2;
  tutti_vertex_id first = tutti_builder_next(s->builder);
  struct arrival in = {.whole_at = TUTTI_NO_VERTEX, .rest_at = TUTTI_NO_VERTEX, .right_at = TUTTI_NO_VERTEX};
  in.whole = (digits->count - step) % 2 ? tutti_block_of(TUTTI_OUTPUT, 0, s->call->count) : room_of(s, step, 0);
  in.whole_at = add_message(s, s->now.whole, rank + to_left, in.whole, rank - to_left);
  if (keeps_rest && s->now.rest.count > 0) {
    in.rest = room_of(s, step, 1);
    in.rest_at = add_message(s, s->now.rest, rank + to_left, in.rest, rank - to_left);
  }
  if (right.count > 0) {
    in.right = room_of(s, step, 2);
    in.right_at = add_message(s, right, rank - to_right, in.right, rank + to_right);
  }
  s->now = combine(s, in, own, keeps_rest);
  s->others = 3 * s->others + digit;
  tutti_vertex_id end = tutti_builder_next(s->builder);
  if (step + 1 == digits->count)
    return;
  s->ready = tutti_add_join(s->builder);
  for (tutti_vertex_id v = first; v < end; v++)
    tutti_add_after(s->builder, s->ready, v);
}

void tutti_build_allreduce_trivance_latency(tutti_builder *builder, const tutti_call *call)
{
  const struct digits digits = digits_of(call->size - 1);
  struct steps s = {.builder = builder, .call = call, .ready = TUTTI_NO_VERTEX};
  if (tutti_build_trivial(builder, call))
    return;
  s.now.whole = tutti_block_of(TUTTI_INPUT, 0, call->count);
  for (int step = 0; step < digits.count; step++)
    add_step(&s, &digits, step);
}

/* ---- bandwidth form ----

   A reduce-scatter with the near peers first, which get most, and the allgather back. The way of a block over a
   distance x is x in balanced base 3, digits -1, 0 and 1: digit k goes to r - 3^k or r + 3^k in step k. If P is no
   power of three several numbers of q digits are the same distance; the one with most zeros at its end is taken, zeros
   first, so that no block is sent twice: without its last digit that is not zero it is again one that is taken.

       P = 9:   1/3 of the message to r - 1, r + 1;   1/9 to r - 3, r + 3;   and back

   Any number of ranks; operations that commute; each block is finished on one rank, so all have the same bits. Blocks
   stand in the order of their digits, the last one first: for a power of three a step has one message to each side,
   else it is packed. Cost (Hockney, both sides at once): 2 ceil(log3 P) alpha + (P - 1) / P (beta + gamma) m; with one
   port twice beta. A link of a ring carries a third of the message in each step. */

enum { UP, DOWN, WAYS };

struct ways {
  int steps;
  int *round_of;                   /* [size] of a distance: WAYS * step + UP or DOWN; -1 of the distance 0 */
  int *positions;                  /* [size] of the distances, in the order of their digits */
  int distances[WAYS * MAX_STEPS]; /* of a round */
};

/* Digits of `key` in base 3, the first one that of step 0: 0, 1 or, for -1, 2. */
static int64_t distance_of(int64_t key, int steps, int *round)
{
  int64_t distance = 0, power = 1;
  *round = -1;
  for (int64_t place = 1, i = 1; i <= steps; i++, place *= 3)
    power = place;
  for (int64_t step = 0, weight = 1; step < steps; step++, weight *= 3, power /= 3) {
    const int64_t digit = key / power % 3;
    if (digit > 0 && *round < 0)
      *round = (int)(WAYS * step) + (digit == 1 ? UP : DOWN);
    distance += digit == 2 ? -weight : digit * weight;
  }
  return distance;
}

static bool find_ways(tutti_builder *builder, int size, struct ways *ways)
{
  int64_t keys = 1;
  int next = 0;
  *ways = (struct ways){.steps = digits_of(size - 1).count};
  ways->round_of = tutti_builder_scratch(builder, (uint64_t)size * sizeof *ways->round_of);
  ways->positions = tutti_builder_scratch(builder, (uint64_t)size * sizeof *ways->positions);
  if (!ways->round_of || !ways->positions)
    return false;
  for (int d = 0; d < size; d++)
    ways->positions[d] = -1;
  for (int step = 0; step < ways->steps; step++)
    keys *= 3;
  for (int64_t key = 0; key < keys && next < size; key++) {
    int round, distance = wrap(distance_of(key, ways->steps, &round), size);
    if (ways->positions[distance] >= 0)
      continue;
    ways->positions[distance] = next++;
    ways->round_of[distance] = round;
    if (round >= 0)
      ways->distances[round]++;
  }
  return true;
}

static void fill_rounds(const tutti_call *call, const struct ways *ways, struct exchange_pattern *pattern)
{
  int64_t weight = 1;
  for (int step = 0; step < ways->steps; step++, weight *= 3)
    for (int way = 0; way < WAYS; way++) {
      const int64_t hop = way == UP ? weight : -weight;
      struct exchange_round *round = &pattern->rounds[WAYS * (ways->steps - 1 - step) + way];
      round->to = wrap(call->rank + hop, call->size);
      round->from = wrap(call->rank - hop, call->size);
      for (int d = 0; d < call->size; d++) {
        if (ways->round_of[d] != WAYS * step + way)
          continue;
        round->sent.at[round->sent.count++] = wrap((int64_t)round->to - d, call->size);
        round->received.at[round->received.count++] = wrap((int64_t)call->rank - d, call->size);
      }
    }
}

void tutti_build_allreduce_trivance(tutti_builder *builder, const tutti_call *call)
{
  struct exchange_pattern pattern;
  struct exchange_plan plan = {.patterns = &pattern, .parts = 1};
  struct ways ways;
  int most = 0, power = 1;
  if (!find_ways(builder, call->size, &ways))
    return;
  for (int round = 0; round < WAYS * ways.steps; round++)
    most = ways.distances[round] > most ? ways.distances[round] : most;
  if (!tutti_exchange_pattern(builder, &pattern, WAYS * ways.steps, most))
    return;
  while (power < call->size && call->size % power == 0)
    power *= 3;
  plan.packed = power != call->size;
  fill_rounds(call, &ways, &pattern);
  tutti_exchange_reorder(&pattern, ways.positions);
  tutti_build_allreduce_by_exchange(builder, call, &plan);
}
