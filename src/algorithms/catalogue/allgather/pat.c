/* PAT, parallel aggregated trees: allgather and, backwards, reduce-scatter (Jeaugey 2025, arXiv 2506.20252; in NCCL).
   Bruck's trees with the farthest ranks first, k of them aggregated: a message has up to k blocks.

   The block of rank r + s comes to rank r over the bits of s, the highest first, so rank r has it after the round in
   which r - (lowest bit of s) sends it on. With q = ceil(log2 P) and D = 2^q / k, blocks go the distances of multiples
   of D first, doubling in number to k; then for each y from 1 to D - 1 those of s = y, y + D, y + 2 D, ... go together,
   in the order of a walk through the tree of D nodes in which a node comes before its children and far children first.

       P = 8, k = 2:   distance 4: s = 0 becomes 4;   2: 0 4 become 2 6;   1: 2 6 become 3 7;   1: 0 4 become 1 5

   k is a power of two up to 2^(q-1); other values are rounded down. k = 2^(q-1): q rounds, the last of about P / 2
   blocks. k = 1: P - 1 rounds of a block. Any number of ranks. Blocks go to their places; messages of several are
   packed in a temporary. The reduce-scatter's operations commute; each block is finished on one rank. NCCL's rules for
   posting buffers are not those of a schedule and not copied. Cost (Hockney): (log2(k) + 2^q / k - 1) alpha + (P - 1)
   (beta + 2 delta) m for blocks of m bytes, delta being the time to copy a byte. */
#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/block_exchange.h"

struct trees {
  const tutti_call *call;
  struct exchange_pattern *pattern;
  int64_t stride; /* D */
  int64_t count;  /* k */
  int round;
};

static int rank_at(const tutti_call *call, int64_t offset)
{
  int64_t at = (call->rank + offset) % call->size;
  return (int)(at < 0 ? at + call->size : at);
}

/* One message: the blocks of the offsets first, first + step, ..., which go `distance` down. */
static void add_round(struct trees *trees, int64_t first, int64_t step, int64_t distance)
{
  int64_t size = trees->call->size;
  struct exchange_round *round = &trees->pattern->rounds[trees->round++];
  round->to = rank_at(trees->call, -distance);
  round->from = rank_at(trees->call, distance);
  for (int64_t s = first; s + distance < size && s < trees->stride * trees->count; s += step) {
    round->sent.at[round->sent.count++] = rank_at(trees->call, s);
    round->received.at[round->received.count++] = rank_at(trees->call, s + distance);
  }
}

/* The nodes below y, whose lowest bit is `bit`: a block comes to y over it. */
static void walk(struct trees *trees, int64_t y, int64_t bit)
{
  if (y > 0)
    add_round(trees, y - bit, trees->stride, bit);
  for (int64_t child = bit / 2; child >= 1; child /= 2)
    walk(trees, y + child, child);
}

static bool fill_pattern(tutti_builder *builder, const tutti_call *call, struct exchange_pattern *pattern)
{
  int64_t power = 1, k = 1;
  int rounds = 0;
  while (power < call->size)
    power *= 2;
  while (k <= call->parameters.k / 2 && k < power / 2)
    k *= 2;
  struct trees trees = {call, pattern, power / k, k, 0};
  for (int64_t c = k / 2; c >= 1; c /= 2)
    rounds++;
  if (!tutti_exchange_pattern(builder, pattern, rounds + (int)trees.stride - 1, (int)k))
    return false;
  for (int64_t c = k / 2; c >= 1; c /= 2)
    add_round(&trees, 0, 2 * c * trees.stride, c * trees.stride);
  walk(&trees, 0, trees.stride);
  tutti_exchange_sort(pattern);
  return true;
}

void tutti_build_allgather_pat(tutti_builder *builder, const tutti_call *call)
{
  struct exchange_pattern pattern;
  const struct exchange_plan plan = {
      .patterns = &pattern, .parts = 1, .own = call->rank, .holder = call->rank, .packed = true};
  if (fill_pattern(builder, call, &pattern))
    tutti_build_allgather_by_exchange(builder, call, &plan);
}

void tutti_build_reduce_scatter_pat(tutti_builder *builder, const tutti_call *call)
{
  struct exchange_pattern pattern;
  const struct exchange_plan plan = {
      .patterns = &pattern, .parts = 1, .own = call->rank, .holder = call->rank, .packed = true};
  if (fill_pattern(builder, call, &pattern))
    tutti_build_reduce_scatter_by_exchange(builder, call, &plan);
}
