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
#include <limits.h>
#include <string.h>

#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/torus.h"

/* 3^20 > 2^31; and bytes of a block: on tori of 8x8 and 4x4x4 a larger one takes longer to copy than to send. */
enum { MAX_STEPS = 21, MAX_PACKED = 1024 };

enum { UP, DOWN, WAYS };

/* The ways of a dimension. */
struct ways {
  int steps;
  int64_t first_power; /* of 3: that of the first digit of a key */
  int64_t *keys;       /* [side] of a distance: its digits, the first one that of step 0; 2 means -1 */
};

static int64_t power_of_3(int exponent)
{
  int64_t power = 1;
  for (int i = 0; i < exponent; i++)
    power *= 3;
  return power;
}

/* The distances of all keys of so many digits, one digit after the other: key 3 i + d is key i and one digit more. */
static void find_distances(int64_t *distances, int steps)
{
  int64_t weight = 1;
  distances[0] = 0;
  for (int step = 0; step < steps; step++, weight *= 3)
    for (int64_t i = weight - 1; i >= 0; i--) {
      const int64_t distance = distances[i];
      distances[3 * i + 2] = distance - weight;
      distances[3 * i + 1] = distance + weight;
      distances[3 * i] = distance;
    }
}

static bool find_ways(tutti_builder *builder, int side, struct ways *ways)
{
  ways->steps = 0;
  while (power_of_3(ways->steps) < side)
    ways->steps++;
  const int64_t keys = power_of_3(ways->steps);
  int64_t *distances = tutti_builder_scratch(builder, (uint64_t)keys * sizeof *distances);
  ways->keys = tutti_builder_scratch(builder, (uint64_t)side * sizeof *ways->keys);
  if (!ways->keys || !distances)
    return false;
  ways->first_power = keys / 3;
  find_distances(distances, ways->steps);
  for (int64_t key = keys - 1; key >= 0; key--) { /* the lowest remains */
    int64_t distance = distances[key];
    for (; distance < 0; distance += side)
      ;
    for (; distance >= side; distance -= side)
      ;
    ways->keys[distance] = key;
  }
  return true;
}

/* A step of a copy, and which of its dimension it is. */
struct ring_step {
  int dimension, number;
  int64_t weight; /* of its digit in the key of a block */
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
      copy->steps[copy->count++] = (struct ring_step){d, used[d]++, 0};
  int64_t weight = 1;
  for (int s = copy->count - 1; s >= 0; s--, weight *= 3)
    copy->steps[s].weight = weight;
}

/* A block, by its distance in each dimension, or what one dimension adds to that. */
struct way {
  int64_t key; /* its digits in the order of the steps */
  int round;   /* WAYS * step + UP or DOWN; NO_ROUND of the own block */
  int before;  /* the rank whose block is at these distances before the own rank */
};

enum { NO_ROUND = INT_MAX };

/* What a distance in dimension d adds. */
static struct way part_of_way(const struct copy *copy, int rank, int d, int distance)
{
  const struct torus *torus = copy->torus;
  const int side = torus->sides[d], at = tutti_torus_coordinate(torus, rank, d) - distance;
  struct way way = {0, NO_ROUND, (at < 0 ? at + side : at) * torus->strides[d]};
  int64_t left = copy->ways[d].keys[distance], power = copy->ways[d].first_power;
  for (int s = 0; s < copy->count; s++) {
    if (copy->steps[s].dimension != d)
      continue;
    const int digit = left < power ? 0 : left < 2 * power ? 1 : 2;
    left -= digit * power;
    power /= 3;
    way.key += digit * copy->steps[s].weight;
    if (digit > 0 && way.round == NO_ROUND)
      way.round = WAYS * s + (digit == 1 ? UP : DOWN);
  }
  return way;
}

/* The ways [size] of all blocks, by the numbers of ranks whose coordinates are the distances. */
static struct way *find_blocks(tutti_builder *builder, const struct copy *copy, int rank)
{
  const struct torus *torus = copy->torus;
  struct way *ways = tutti_builder_scratch(builder, (uint64_t)torus->size * sizeof *ways);
  if (!ways)
    return NULL;
  ways[0] = (struct way){0, NO_ROUND, 0};
  for (int d = 0; d < torus->dimensions; d++)
    for (int x = torus->sides[d] - 1, stride = torus->strides[d]; x >= 0; x--) { /* those of x = 0 are read by all */
      const struct way part = part_of_way(copy, rank, d, x);
      for (int w = 0; w < stride; w++)
        ways[x * stride + w] =
            (struct way){ways[w].key + part.key, ways[w].round < part.round ? ways[w].round : part.round,
                         ways[w].before + part.before};
    }
  return ways;
}

static void begin_rounds(const struct copy *copy, int rank, struct exchange_pattern *pattern)
{
  for (int i = 0; i < pattern->count; i++) {
    const struct ring_step step = copy->steps[i / WAYS];
    const int64_t hop = i % WAYS == UP ? power_of_3(step.number) : -power_of_3(step.number);
    struct exchange_round *round = &pattern->rounds[WAYS * (copy->count - 1 - i / WAYS) + i % WAYS];
    round->to = tutti_torus_shifted(copy->torus, rank, step.dimension, hop);
    round->from = tutti_torus_shifted(copy->torus, rank, step.dimension, -hop);
  }
}

/* What is before the own rank is received; what is as far before the next one is sent to that. */
static void fill_rounds(const struct copy *copy, int rank, const struct way *ways, struct exchange_pattern *pattern)
{
  const struct torus *torus = copy->torus;
  for (int w = 0; w < torus->size; w++) {
    if (ways[w].round == NO_ROUND)
      continue;
    const int s = ways[w].round / WAYS, d = copy->steps[s].dimension;
    struct exchange_round *round = &pattern->rounds[WAYS * (copy->count - 1 - s) + ways[w].round % WAYS];
    const int end = torus->sides[d] * torus->strides[d], hop = round->to - rank; /* round the ring, if need be */
    const int place = ways[w].before % end + hop;
    round->received.at[round->received.count++] = ways[w].before;
    round->sent.at[round->sent.count++] = ways[w].before + hop + (place < 0 ? end : place >= end ? -end : 0);
  }
}

static int most_of_a_round(const struct way *ways, int count)
{
  int blocks[WAYS * TUTTI_MAX_SIDES * MAX_STEPS] = {0}, most = 0;
  for (int w = 0; w < count; w++)
    if (ways[w].round != NO_ROUND && ++blocks[ways[w].round] > most)
      most = blocks[ways[w].round];
  return most;
}

/* The places of all keys in ascending order: keys differ, and are below 27 P, so they are a set of bits. */
static bool find_positions(tutti_builder *builder, const struct way *ways, const struct copy *copy, int *positions)
{
  const int64_t words = power_of_3(copy->count) / 64 + 1;
  uint64_t *set = tutti_builder_scratch(builder, (uint64_t)words * sizeof *set);
  int *before = tutti_builder_scratch(builder, (uint64_t)words * sizeof *before);
  if (!set || !before)
    return false;
  memset(set, 0, (size_t)words * sizeof *set);
  for (int w = 0; w < copy->torus->size; w++)
    set[ways[w].key / 64] |= UINT64_C(1) << ways[w].key % 64;
  for (int64_t i = 0, sum = 0; i < words; sum += __builtin_popcountll(set[i++]))
    before[i] = (int)sum;
  for (int w = 0; w < copy->torus->size; w++)
    positions[w] = before[ways[w].key / 64] +
                   __builtin_popcountll(set[ways[w].key / 64] & ((UINT64_C(1) << ways[w].key % 64) - 1));
  return true;
}

static bool plan_copy(tutti_builder *builder, int rank, const struct copy *copy, struct exchange_pattern *pattern)
{
  const int size = copy->torus->size;
  const struct way *ways = find_blocks(builder, copy, rank);
  int *positions = tutti_builder_scratch(builder, (uint64_t)size * sizeof *positions);
  if (!ways || !positions || !find_positions(builder, ways, copy, positions) ||
      !tutti_exchange_pattern(builder, pattern, WAYS * copy->count, most_of_a_round(ways, size)))
    return false;
  begin_rounds(copy, rank, pattern);
  fill_rounds(copy, rank, ways, pattern);
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
