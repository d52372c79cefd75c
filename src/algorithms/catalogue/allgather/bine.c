/* Bine allgather and reduce-scatter, each the other backwards (De Sensi et al. 2025, arXiv 2508.17311, section 4), in
   the paper's forms, which differ in the order of blocks and so in the number of messages of a round.

   Near ranks exchange little in the reduce-scatter's last rounds and the allgather's first: distances as in bine.h, the
   farthest first in the allgather of the forms "permute" and "send", the nearest first in that of "two-blocks".

       P = 8, allgather of permute:  1 block with the peer of round 2, 2 blocks with that of round 1, 4 of round 0

   A power of two of ranks; the reduce-scatter's operations commute, and each block is finished on one rank.
   Cost (Hockney), blocks of m bytes, reduce-scatter with beta + gamma in place of beta:
     permute     log2(P) alpha + (P - 1) beta m, and every rank moves all blocks in memory
     send        (log2(P) + 1) alpha + P beta m
     two-blocks  log2(P) alpha + (P - 1) beta m; at most two messages a round */
#include "algorithms/catalogue/shared/bine.h"
#include "algorithms/catalogue/builders.h"

/* The rank at each position. */
static int *invert(tutti_builder *builder, const int *positions, int size)
{
  int *block_at = tutti_builder_scratch(builder, (uint64_t)size * sizeof *block_at);
  for (int v = 0; block_at && v < size; v++)
    block_at[positions[v]] = v;
  return block_at;
}

/* Blocks are kept in the order of positions: a round is one message. */
static bool plan_permuted(tutti_builder *builder, const tutti_call *call, struct exchange_plan *plan)
{
  int *positions = tutti_bine_positions(builder, call->size);
  int *block_at = positions ? invert(builder, positions, call->size) : NULL;
  if (!block_at || !tutti_bine_pattern(builder, call, 0, plan->patterns))
    return false;
  tutti_exchange_reorder(plan->patterns, positions);
  plan->block_at = block_at;
  plan->own = positions[call->rank];
  plan->holder = call->rank;
  return true;
}

/* Blocks move to the ranks whose numbers are their positions, and are in the order of the ranks. */
static bool plan_sent(tutti_builder *builder, const tutti_call *call, struct exchange_plan *plan)
{
  if (!plan_permuted(builder, call, plan))
    return false;
  plan->holder = plan->block_at[call->rank];
  plan->block_at = NULL;
  return true;
}

static void add_window(struct positions *positions, int v, int s, int size)
{
  int first = tutti_bine_window(v, s, size);
  for (int i = 0; i < 1 << s; i++)
    positions->at[positions->count++] = (int)(((int64_t)first + i) % size);
}

/* In round s a rank sends the 2^s blocks around it: at most two ranges. */
static bool plan_windows(tutti_builder *builder, const tutti_call *call, struct exchange_plan *plan)
{
  int size = call->size, rounds = tutti_bine_rounds(size);
  plan->own = plan->holder = call->rank;
  if (!tutti_exchange_pattern(builder, plan->patterns, rounds, size / 2))
    return false;
  for (int s = 0; s < rounds; s++) {
    struct exchange_round *round = &plan->patterns->rounds[s];
    round->to = round->from = tutti_bine_peer(call->rank, s, size);
    add_window(&round->sent, call->rank, s, size);
    add_window(&round->received, round->to, s, size);
  }
  tutti_exchange_sort(plan->patterns);
  return true;
}

/* Swing (De Sensi et al. 2024, arXiv 2401.09356), and Bine block by block: no order but that of the ranks, which serves
   any even number of them. */
static bool plan_swing(tutti_builder *builder, const tutti_call *call, struct exchange_plan *plan)
{
  plan->own = plan->holder = call->rank;
  return tutti_bine_pattern(builder, call, 0, plan->patterns);
}

#define BUILD(name, make_plan)                                                                                         \
  void tutti_build_allgather_##name(tutti_builder *builder, const tutti_call *call)                                    \
  {                                                                                                                    \
    struct exchange_pattern pattern;                                                                                   \
    struct exchange_plan plan = {.patterns = &pattern, .parts = 1};                                                    \
    if (make_plan(builder, call, &plan))                                                                               \
      tutti_build_allgather_by_exchange(builder, call, &plan);                                                         \
  }                                                                                                                    \
                                                                                                                       \
  void tutti_build_reduce_scatter_##name(tutti_builder *builder, const tutti_call *call)                               \
  {                                                                                                                    \
    struct exchange_pattern pattern;                                                                                   \
    struct exchange_plan plan = {.patterns = &pattern, .parts = 1};                                                    \
    if (make_plan(builder, call, &plan))                                                                               \
      tutti_build_reduce_scatter_by_exchange(builder, call, &plan);                                                    \
  }

BUILD(bine_permute, plan_permuted)
BUILD(bine_send, plan_sent)
BUILD(bine_two_blocks, plan_windows)
BUILD(swing, plan_swing)
