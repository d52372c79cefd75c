/* Reduce-scatter on a circulant graph without a pipeline, of regular and irregular blocks (Traff, Optimal,
   Non-pipelined Reduce-scatter and Allreduce Algorithms, arXiv 2410.14234): recursive halving for any number of ranks.
   With s_0 = P and s_(k+1) = ceil(s_k / 2), rank r sends in round k the blocks r + s_(k+1) to r + s_k - 1, its partial
   results of them, to r + s_(k+1), and combines what it gets from r - s_(k+1) with its blocks r to r + s_k - s_(k+1)
   - 1.

       P = 5, rank 0:  sends 3 4 to 3, gets 0 1 from 2;   sends 2 to 2, gets 0 from 3;   sends 1 to 1, gets 0 from 4

   q = ceil(log2 P) rounds; exactly P - 1 blocks are sent, received and combined, where recursive halving needs a power
   of two or sends up to twice as much. Commutative operations only. Any number of ranks. The blocks are turned so that
   the own one comes first: temporaries of P blocks, and of half as many to receive.
   Cost (Hockney): q alpha + (P - 1) (beta + gamma) m + P delta m for blocks of m bytes, delta being the time to copy a
   byte. */
#include "algorithms/catalogue/reduce_scatter/circulant_halving.h"

/* Elements of all blocks before number i of the turned order. */
static uint64_t turned_first(const struct turned *t, int i)
{
  uint64_t begin = t->cut(t->call, t->call->rank), all = t->cut(t->call, t->call->size);
  int64_t r = (int64_t)t->call->rank + i;
  return r < t->call->size ? t->cut(t->call, (int)r) - begin : all - begin + t->cut(t->call, (int)(r - t->call->size));
}

tutti_block tutti_turned_range(const struct turned *t, int first, int end)
{
  uint64_t begin = turned_first(t, first);
  return tutti_block_of(t->blocks, begin, turned_first(t, end) - begin);
}

/* The input in the turned order. */
static void turn(struct turned *t)
{
  uint64_t all = t->cut(t->call, t->call->size), begin = t->cut(t->call, t->call->rank);
  tutti_vertex_id first = TUTTI_NO_VERTEX, second = TUTTI_NO_VERTEX;
  t->blocks = tutti_builder_temporary(t->builder, all);
  if (all > begin)
    first = tutti_add_copy(t->builder, tutti_block_of(TUTTI_INPUT, begin, all - begin),
                           tutti_block_of(t->blocks, 0, all - begin));
  if (begin > 0)
    second = tutti_add_copy(t->builder, tutti_block_of(TUTTI_INPUT, 0, begin),
                            tutti_block_of(t->blocks, all - begin, begin));
  t->ready = tutti_add_join(t->builder);
  tutti_add_after(t->builder, t->ready, first);
  tutti_add_after(t->builder, t->ready, second);
}

/* The round that leaves skip[k] of skip[k + 1] blocks. It begins when the one before is complete. */
static void halve(struct turned *t, tutti_buffer incoming, int k)
{
  int half = t->graph.skip[k], left = t->graph.skip[k + 1], rank = t->call->rank;
  tutti_block given = tutti_turned_range(t, half, left), kept = tutti_turned_range(t, 0, left - half);
  tutti_vertex_id before = t->last_sent;
  if (given.count > 0) {
    t->sent[k] = tutti_add_send(t->builder, tutti_circulant_rank(&t->graph, rank, half), given);
    tutti_add_after(t->builder, t->sent[k], t->ready);
    tutti_add_after(t->builder, t->sent[k], before);
    t->last_sent = t->sent[k];
  }
  if (kept.count == 0)
    return;
  tutti_block operand = tutti_block_of(incoming, 0, kept.count);
  tutti_vertex_id received = tutti_add_recv(t->builder, tutti_circulant_rank(&t->graph, rank, -half), operand);
  tutti_add_after(t->builder, received, t->ready);
  tutti_add_after(t->builder, received, before);
  t->ready = tutti_add_reduce(t->builder, operand, kept);
  tutti_add_after(t->builder, t->ready, received);
}

struct turned tutti_turned_halve(tutti_builder *builder, const tutti_call *call,
                                 uint64_t (*cut)(const tutti_call *call, int rank))
{
  struct turned t = {.builder = builder, .call = call, .graph = tutti_circulant(call->size), .cut = cut};
  const int *skip = t.graph.skip;
  uint64_t longest = 0;
  t.last_sent = TUTTI_NO_VERTEX;
  turn(&t);
  for (int k = 0; k < t.graph.rounds; k++) {
    uint64_t kept = tutti_turned_range(&t, 0, skip[k + 1] - skip[k]).count;
    longest = kept > longest ? kept : longest;
    t.sent[k] = TUTTI_NO_VERTEX;
  }
  tutti_buffer incoming = tutti_builder_temporary(builder, longest);
  for (int k = t.graph.rounds; k-- > 0;)
    halve(&t, incoming, k);
  return t;
}

static uint64_t cut_by_blocks(const tutti_call *call, int rank)
{
  if (rank < call->size)
    return tutti_input_block(call, rank).first;
  tutti_block last = tutti_input_block(call, rank - 1);
  return last.first + last.count;
}

void tutti_build_reduce_scatter_circulant_halving(tutti_builder *builder, const tutti_call *call)
{
  tutti_block own = tutti_input_block(call, call->rank), output = tutti_block_of(TUTTI_OUTPUT, 0, own.count);
  if (cut_by_blocks(call, call->size) == 0)
    return;
  if (call->size == 1) {
    tutti_add_copy(builder, own, output);
    return;
  }
  struct turned t = tutti_turned_halve(builder, call, cut_by_blocks);
  if (own.count > 0)
    tutti_add_after(builder, tutti_add_copy(builder, tutti_turned_range(&t, 0, 1), output), t.ready);
}
