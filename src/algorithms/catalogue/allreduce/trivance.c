/* Trivance (2026, arXiv 2602.17254): in every step a rank exchanges with two ranks, one on either side of a ring, and
   adds up what both bring, so that ceil(log3 P) steps are enough. Distances are powers of three, in both directions at
   the same time: a third of the load on a link of steps in one direction only. The forms for numbers of ranks that are
   no power of three are our own.

       P = 9:   r - 1, r + 1;   r - 3, r + 3

   On a torus of d dimensions each step is one of a ring in one dimension, and d copies run at once, copy c on its share
   of the message and in dimension c first. A ring is the torus of one dimension.

   A reduce-scatter with the near peers first, which get most, and the allgather back. The way of a block over a
   distance x is x in balanced base 3, digits -1, 0 and 1: digit k goes to r - 3^k or r + 3^k in step k. If P is no
   power of three several numbers of q digits are the same distance; the one with most zeros at its end is taken, zeros
   first, so that no block is sent twice: without its last digit that is not zero it is again one that is taken.

       P = 9:   1/3 of the message to r - 1, r + 1;   1/9 to r - 3, r + 3;   and back

   Any number of ranks; operations that commute; each block is finished on one rank, so all have the same bits. Blocks
   stand in the order of their digits, the last one first: for a power of three a step has one message to each side,
   else it is packed, or if blocks are large each run of them is a message. Cost (Hockney, both sides at once):
   2 ceil(log3 P) alpha + (P - 1) / P (beta + gamma) m; with one port twice beta. A link of a ring carries a third of
   the message in each step.

   On a torus a block goes the way of its distance in each dimension; the dimensions take their steps in turn.

       3 x 9, copy 0:  1/3 in dimension 0, 1/9 and 1/27 in dimension 1;   copy 1: 1/3 in 1, 1/9 in 0, 1/27 in 1 */
#include <stdlib.h>

#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/torus.h"

/* 3^20 > 2^31; and bytes of a block: on tori of 8x8 and 4x4x4 a larger one takes longer to copy than to send. */
enum { MAX_STEPS = 21, MAX_PACKED = 1024 };

enum { UP, DOWN, WAYS };

/* The ways of a dimension. */
struct ways {
  int steps;
  int64_t *keys; /* [side] of a distance: its digits, the first one that of step 0; 2 means -1 */
};

static int64_t power_of_3(int exponent)
{
  int64_t power = 1;
  for (int i = 0; i < exponent; i++)
    power *= 3;
  return power;
}

static int digit_of(const struct ways *ways, int distance, int step)
{
  return (int)(ways->keys[distance] / power_of_3(ways->steps - 1 - step) % 3);
}

static int64_t distance_of(int64_t key, int steps)
{
  int64_t distance = 0, weight = 1;
  for (int64_t power = power_of_3(steps - 1); power > 0; power /= 3, weight *= 3) {
    const int64_t digit = key / power % 3;
    distance += digit == 2 ? -weight : digit * weight;
  }
  return distance;
}

static bool find_ways(tutti_builder *builder, int side, struct ways *ways)
{
  ways->steps = 0;
  while (power_of_3(ways->steps) < side)
    ways->steps++;
  ways->keys = tutti_builder_scratch(builder, (uint64_t)side * sizeof *ways->keys);
  if (!ways->keys)
    return false;
  for (int d = 0; d < side; d++)
    ways->keys[d] = -1;
  for (int64_t key = power_of_3(ways->steps) - 1; key >= 0; key--) /* the lowest remains */
    ways->keys[((distance_of(key, ways->steps) % side) + side) % side] = key;
  return true;
}

/* A step of a copy, and which of its dimension it is. */
struct ring_step {
  int dimension, number;
};

struct copy {
  const struct torus *torus;
  struct ways ways[TUTTI_MAX_SIDES];
  struct ring_step steps[TUTTI_MAX_SIDES * MAX_STEPS];
  int count;
};

static void order_steps(struct copy *copy, int first)
{
  const int dimensions = copy->torus->dimensions;
  int left = 0, used[TUTTI_MAX_SIDES] = {0};
  for (int d = 0; d < dimensions; d++)
    left += copy->ways[d].steps;
  copy->count = 0;
  for (int d = first; copy->count < left; d = (d + 1) % dimensions)
    if (used[d] < copy->ways[d].steps)
      copy->steps[copy->count++] = (struct ring_step){d, used[d]++};
}

/* A block, by its distance in each dimension. */
struct way {
  int64_t key; /* its digits in the order of the steps */
  int block;   /* the number of a rank: its coordinates are the distances */
  int round;   /* WAYS * step + UP or DOWN; -1 of the own block */
};

static struct way way_of(const struct copy *copy, int block)
{
  struct way way = {.block = block, .round = -1};
  for (int s = 0; s < copy->count; s++) {
    const struct ring_step step = copy->steps[s];
    const int distance = tutti_torus_coordinate(copy->torus, block, step.dimension);
    const int digit = digit_of(&copy->ways[step.dimension], distance, step.number);
    way.key = way.key * 3 + digit;
    if (digit > 0 && way.round < 0)
      way.round = WAYS * s + (digit == 1 ? UP : DOWN);
  }
  return way;
}

static int compare_ways(const void *a, const void *b)
{
  const struct way *x = a, *y = b;
  return (x->key > y->key) - (x->key < y->key);
}

/* The rank whose block is at these distances before another one. */
static int before(const struct torus *torus, int rank, int distances)
{
  for (int d = 0; d < torus->dimensions; d++)
    rank = tutti_torus_shifted(torus, rank, d, -tutti_torus_coordinate(torus, distances, d));
  return rank;
}

static void fill_rounds(const struct copy *copy, int rank, const struct way *ways, struct exchange_pattern *pattern)
{
  const struct torus *torus = copy->torus;
  for (int i = 0; i < pattern->count; i++) {
    const struct ring_step step = copy->steps[i / WAYS];
    const int64_t hop = i % WAYS == UP ? power_of_3(step.number) : -power_of_3(step.number);
    struct exchange_round *round = &pattern->rounds[WAYS * (copy->count - 1 - i / WAYS) + i % WAYS];
    round->to = tutti_torus_shifted(torus, rank, step.dimension, hop);
    round->from = tutti_torus_shifted(torus, rank, step.dimension, -hop);
    for (int w = 0; w < torus->size; w++)
      if (ways[w].round == i) {
        round->sent.at[round->sent.count++] = before(torus, round->to, ways[w].block);
        round->received.at[round->received.count++] = before(torus, rank, ways[w].block);
      }
  }
}

static int most_of_a_round(const struct way *ways, int count)
{
  int blocks[WAYS * TUTTI_MAX_SIDES * MAX_STEPS] = {0}, most = 0;
  for (int w = 0; w < count; w++)
    if (ways[w].round >= 0 && ++blocks[ways[w].round] > most)
      most = blocks[ways[w].round];
  return most;
}

static bool plan_copy(tutti_builder *builder, int rank, const struct copy *copy, struct exchange_pattern *pattern)
{
  const int size = copy->torus->size;
  struct way *ways = tutti_builder_scratch(builder, (uint64_t)size * sizeof *ways);
  int *positions = tutti_builder_scratch(builder, (uint64_t)size * sizeof *positions);
  if (!ways || !positions)
    return false;
  for (int w = 0; w < size; w++)
    ways[w] = way_of(copy, w);
  if (!tutti_exchange_pattern(builder, pattern, WAYS * copy->count, most_of_a_round(ways, size)))
    return false;
  fill_rounds(copy, rank, ways, pattern);
  qsort(ways, (size_t)size, sizeof *ways, compare_ways);
  for (int w = 0; w < size; w++)
    positions[ways[w].block] = w;
  tutti_exchange_reorder(pattern, positions);
  return true;
}

static void build_bandwidth(tutti_builder *builder, const tutti_call *call, const struct torus *torus)
{
  struct exchange_pattern patterns[TUTTI_MAX_SIDES];
  struct exchange_plan plan = {.patterns = patterns, .parts = torus->dimensions};
  struct copy copy = {.torus = torus};
  const uint64_t blocks = (uint64_t)torus->size * (uint64_t)torus->dimensions;
  const bool is_small = call->count / blocks * call->type_size <= MAX_PACKED;
  for (int d = 0; d < torus->dimensions; d++) {
    if (!find_ways(builder, torus->sides[d], &copy.ways[d]))
      return;
    plan.packed |= is_small && power_of_3(copy.ways[d].steps) != torus->sides[d];
  }
  for (int c = 0; c < plan.parts; c++) {
    order_steps(&copy, c);
    if (!plan_copy(builder, call->rank, &copy, &patterns[c]))
      return;
  }
  tutti_build_allreduce_by_exchange(builder, call, &plan);
}

void tutti_build_allreduce_trivance(tutti_builder *builder, const tutti_call *call)
{
  const struct torus ring = tutti_ring(call);
  build_bandwidth(builder, call, &ring);
}

void tutti_build_allreduce_trivance_torus(tutti_builder *builder, const tutti_call *call)
{
  const struct torus torus = tutti_torus(call);
  build_bandwidth(builder, call, &torus);
}
