/* Allreduce on a circulant graph without a pipeline (Traff, Optimal, Non-pipelined Reduce-scatter and Allreduce
   Algorithms, arXiv 2410.14234): the message is cut into one block per rank; the reduce-scatter of
   reduce_scatter/circulant_halving.c, then its rounds backwards as an allgather. In the round of skip s_(k+1) rank r
   sends its first s_k - s_(k+1) blocks to r - s_(k+1) and gets blocks s_(k+1) to s_k - 1 of its turned order.

       P = 3, rank 0:  sends 2 to 2, gets 0 from 1;  sends 1 to 1, gets 0 from 2;  then gets 1 from 1;  gets 2 from 2

   2 q rounds, q = ceil(log2 P); each rank sends and receives exactly 2 (P - 1) blocks and combines P - 1, for any
   number of ranks, as Rabenseifner's algorithm for a power of two. Commutative operations only; a block is
   finished by one rank, so all ranks get the same bits. The blocks are in a temporary of the message, rotated so that
   the own one comes first, and half as much to receive; they are copied there and back. Cost (Hockney): 2 q alpha + 2
   (P - 1) / P beta m + (P - 1) / P gamma m + 2 delta m, delta being the time to copy a byte. */
#include "algorithms/catalogue/reduce_scatter/circulant_halving.h"

static uint64_t cut_evenly(const tutti_call *call, int rank)
{
  uint64_t size = (uint64_t)call->size, r = (uint64_t)rank, longer = call->count % size;
  return call->count / size * r + (r < longer ? r : longer);
}

/* `vertex` waits for the results so far: the own block and what rounds up to k - 1 received. */
static void after_results(const struct turned *t, tutti_vertex_id vertex, const tutti_vertex_id received[], int k)
{
  tutti_add_after(t->builder, vertex, t->ready);
  for (int i = 0; i < k; i++)
    tutti_add_after(t->builder, vertex, received[i]);
}

/* The round of the reduce-scatter backwards. It begins when the one before is complete. */
static void gather(struct turned *t, int k, tutti_vertex_id received[])
{
  int have = t->graph.skip[k], all = t->graph.skip[k + 1], rank = t->call->rank;
  tutti_block outgoing = tutti_turned_range(t, 0, all - have), incoming = tutti_turned_range(t, have, all);
  tutti_vertex_id before = t->last_sent;
  received[k] = TUTTI_NO_VERTEX;
  if (outgoing.count > 0) {
    t->last_sent = tutti_add_send(t->builder, tutti_circulant_rank(&t->graph, rank, -have), outgoing);
    tutti_add_after(t->builder, t->last_sent, before);
    after_results(t, t->last_sent, received, k);
  }
  if (incoming.count == 0)
    return;
  received[k] = tutti_add_recv(t->builder, tutti_circulant_rank(&t->graph, rank, have), incoming);
  tutti_add_after(t->builder, received[k], t->sent[k]);
  tutti_add_after(t->builder, received[k], before);
  after_results(t, received[k], received, k);
}

/* All blocks from the turned order to the output. */
static void turn_back(const struct turned *t, const tutti_vertex_id received[])
{
  uint64_t begin = t->cut(t->call, t->call->rank), all = t->call->count;
  tutti_block from[2] = {tutti_block_of(t->blocks, 0, all - begin), tutti_block_of(t->blocks, all - begin, begin)};
  tutti_block to[2] = {tutti_block_of(TUTTI_OUTPUT, begin, all - begin), tutti_block_of(TUTTI_OUTPUT, 0, begin)};
  for (int i = 0; i < 2; i++)
    if (from[i].count > 0)
      after_results(t, tutti_add_copy(t->builder, from[i], to[i]), received, t->graph.rounds);
}

void tutti_build_allreduce_circulant_halving(tutti_builder *builder, const tutti_call *call)
{
  tutti_vertex_id received[CIRCULANT_MAX_ROUNDS];
  if (tutti_build_trivial(builder, call))
    return;
  struct turned t = tutti_turned_halve(builder, call, cut_evenly);
  for (int k = 0; k < t.graph.rounds; k++)
    gather(&t, k, received);
  turn_back(&t, received);
}
