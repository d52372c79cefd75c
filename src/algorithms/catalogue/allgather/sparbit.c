/* Sparbit allgather, also of irregular blocks (Loch, Koslovski 2021, arXiv 2109.08751): the distances of Bruck's
   algorithm from the farthest to the nearest, so that the long messages go to near ranks, and every block directly
   to its place. With q = ceil(log2 P), in the round of distance d = 2^(q-1), ..., 2, 1 rank r has the blocks r - 2 d t
   and sends them to r + d, leaving out those that it has by then.

       P = 6, rank 0:   round of 4: 0 to 4;   round of 2: 0 2 to 2;   round of 1: 0 2 4 to 1

   Any number of ranks. Needs no temporary and no rotation; a block is a message. Cost (Hockney) for messages of several
   blocks: ceil(log2 P) alpha + (P - 1) beta m; here (P - 1) (alpha + beta m), of which ceil(log2 P) alpha is on the
   critical path of a network that sends them at once. */
#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/block_exchange.h"

static int before(int rank, int64_t distance, int size)
{
  int64_t at = (rank - distance) % size;
  return (int)(at < 0 ? at + size : at);
}

static void add_round(struct exchange_round *round, const tutti_call *call, int64_t distance)
{
  int64_t size = call->size;
  int64_t blocks = (size + distance - 1) / distance - (size + 2 * distance - 1) / (2 * distance);
  round->to = before(call->rank, -distance, call->size);
  round->from = before(call->rank, distance, call->size);
  for (int64_t t = 0; t < blocks; t++) {
    round->sent.at[round->sent.count++] = before(call->rank, 2 * distance * t, call->size);
    round->received.at[round->received.count++] = before(call->rank, distance + 2 * distance * t, call->size);
  }
}

void tutti_build_allgather_sparbit(tutti_builder *builder, const tutti_call *call)
{
  struct exchange_pattern pattern;
  const struct exchange_plan plan = {.patterns = &pattern, .parts = 1, .own = call->rank, .holder = call->rank};
  int rounds = 0, index = 0;
  while ((int64_t)1 << rounds < call->size)
    rounds++;
  if (!tutti_exchange_pattern(builder, &pattern, rounds, call->size))
    return;
  for (int64_t distance = (int64_t)1 << rounds >> 1; distance >= 1; distance /= 2)
    add_round(&pattern.rounds[index++], call, distance);
  tutti_exchange_sort(&pattern);
  tutti_build_allgather_by_exchange(builder, call, &plan);
}
