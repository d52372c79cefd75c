/* Reduce-scatter and allgather of radix k (MPICH 4.1 k_reduce_scatter_allgather; Wilkins et al. 2023): Rabenseifner's
   algorithm with groups of k ranks instead of pairs. The message is cut into A parts, A being the largest power of k up
   to P. In phase f of the first half a virtual rank shares what it still has of the message, A / k^f parts, out among
   the k that differ in digit f of base k, itself included; each keeps A / k^(f+1) of them and combines what the k - 1
   others send. The second half takes the phases back, with results.

       P = 9, k = 3, rank 0:   has 9 parts, keeps 0 1 2 with 1 and 2;   keeps 0 with 3 and 6;   then back

   Ranks beyond A are folded into neighbors as in recursive exchange (recursive_multiplying.c). Each part is finished by
   one rank: all ranks get the same bits. Commutative operations only. Any number of ranks, any k from 2 on. Temporary:
   k - 1 slots of the longest piece.
   Cost (Hockney), P = A: 2 log_k(P) alpha + (P - 1) / P (2 beta + gamma) m, each phase of k - 1 messages that overlap;
   else one more message of m in and out of the ranks that act for others, from each. */
#include "algorithms/catalogue/shared/radix.h"

struct parts {
  tutti_builder *builder;
  const tutti_call *call;
  struct radix_fold fold;
  struct slots slots;
  bool initial;          /* the partial result is the input */
  tutti_vertex_id ready; /* the partial result is complete */
  tutti_vertex_id *sent; /* [phases * k] what was given away in a phase, by digit */
};

/* Digits of v in reverse: the part that it ends with. */
static int part_of(const struct radix_fold *fold, int v)
{
  int reversed = 0;
  for (int place = 1; place < fold->power; place *= fold->k)
    reversed = reversed * fold->k + v / place % fold->k;
  return reversed;
}

/* The `width` parts around that of v. */
static tutti_block range(const struct parts *p, tutti_buffer buffer, int v, int width)
{
  uint64_t power = (uint64_t)p->fold.power, length = p->call->count / power, longer = p->call->count % power;
  uint64_t first = (uint64_t)(part_of(&p->fold, v) / width * width), end = first + (uint64_t)width;
  first = first * length + (first < longer ? first : longer);
  end = end * length + (end < longer ? end : longer);
  return tutti_block_of(buffer, first, end - first);
}

/* Receive an operand of the elements and combine it with the input or the partial result in the output. */
static void combine(struct parts *p, int peer, tutti_block kept)
{
  bool first = p->initial;
  p->initial = false;
  if (kept.count == 0)
    return;
  tutti_block operand = kept, own = tutti_block_of(TUTTI_INPUT, kept.first, kept.count);
  tutti_vertex_id received = first ? tutti_add_recv(p->builder, peer, kept)
                                   : tutti_slots_recv(p->builder, &p->slots, peer, kept.count, &operand);
  tutti_vertex_id reduced = tutti_add_reduce(p->builder, first ? own : operand, kept);
  tutti_add_after(p->builder, reduced, received);
  tutti_add_after(p->builder, reduced, p->ready);
  if (!first)
    tutti_slots_free(&p->slots, operand, reduced);
  p->ready = reduced;
}

static int actor_at(const struct parts *p, int place, int digit)
{
  return tutti_radix_actor(&p->fold, tutti_radix_peer(&p->fold, p->fold.v, place, digit));
}

static void scatter_phase(struct parts *p, int phase, int place, int width)
{
  int k = p->fold.k, own = p->fold.v / place % k;
  tutti_buffer from = p->initial ? TUTTI_INPUT : TUTTI_OUTPUT;
  for (int digit = 0; digit < k; digit++) {
    tutti_vertex_id *sent = &p->sent[phase * k + digit];
    tutti_block given = range(p, from, tutti_radix_peer(&p->fold, p->fold.v, place, digit), width);
    *sent = TUTTI_NO_VERTEX;
    if (digit == own || given.count == 0)
      continue;
    *sent = tutti_add_send(p->builder, actor_at(p, place, digit), given);
    tutti_add_after(p->builder, *sent, p->ready);
  }
  for (int digit = 0; digit < k; digit++)
    if (digit != own)
      combine(p, actor_at(p, place, digit), range(p, TUTTI_OUTPUT, p->fold.v, width));
}

static void gather_phase(struct parts *p, int phase, int place, int width)
{
  int k = p->fold.k, own = p->fold.v / place % k;
  tutti_vertex_id before = p->ready;
  tutti_block have = range(p, TUTTI_OUTPUT, p->fold.v, width);
  for (int digit = 0; digit < k && have.count > 0; digit++)
    if (digit != own)
      tutti_add_after(p->builder, tutti_add_send(p->builder, actor_at(p, place, digit), have), before);
  tutti_vertex_id first = tutti_builder_next(p->builder);
  for (int digit = 0; digit < k; digit++) {
    tutti_block missing = range(p, TUTTI_OUTPUT, tutti_radix_peer(&p->fold, p->fold.v, place, digit), width);
    if (digit != own && missing.count > 0)
      tutti_add_after(p->builder, tutti_add_recv(p->builder, actor_at(p, place, digit), missing),
                      p->sent[phase * k + digit]);
  }
  p->ready = tutti_add_join(p->builder);
  tutti_add_after(p->builder, p->ready, before);
  for (tutti_vertex_id v = first; v < p->ready; v++)
    tutti_add_after(p->builder, p->ready, v);
}

static void build_actor(struct parts *p, int first)
{
  tutti_block all = tutti_block_of(TUTTI_OUTPUT, 0, p->call->count);
  int place = 1, width = p->fold.power;
  for (int r = first; r < p->call->rank; r++)
    combine(p, r, all);
  for (int phase = 0; phase < p->fold.phases; phase++, place *= p->fold.k)
    scatter_phase(p, phase, place, width /= p->fold.k);
  for (int phase = p->fold.phases; phase-- > 0; width *= p->fold.k)
    gather_phase(p, phase, place /= p->fold.k, width);
  for (int r = first; r < p->call->rank; r++)
    tutti_add_after(p->builder, tutti_add_send(p->builder, r, all), p->ready);
}

void tutti_build_allreduce_k_reduce_scatter_allgather(tutti_builder *builder, const tutti_call *call)
{
  tutti_block input = tutti_block_of(TUTTI_INPUT, 0, call->count), all = tutti_block_of(TUTTI_OUTPUT, 0, call->count);
  struct parts p = {.builder = builder, .call = call, .fold = tutti_radix_fold(call), .initial = true};
  int first = tutti_radix_first(&p.fold, p.fold.v), actor = tutti_radix_actor(&p.fold, p.fold.v);
  if (tutti_build_trivial(builder, call))
    return;
  if (call->rank != actor) {
    tutti_add_send(builder, actor, input);
    tutti_add_recv(builder, actor, all);
    return;
  }
  bool folds_many = actor > first + 1;
  uint64_t operands = (uint64_t)(p.fold.k < call->size ? p.fold.k : call->size) - 1;
  uint64_t longest = p.fold.phases > 0 ? range(&p, TUTTI_OUTPUT, 0, p.fold.power / p.fold.k).count : 0;
  p.ready = TUTTI_NO_VERTEX;
  p.sent = tutti_builder_scratch(builder, (size_t)p.fold.phases * (size_t)p.fold.k * sizeof *p.sent + 1);
  p.slots = tutti_slots(builder, operands, folds_many ? call->count : longest);
  if (p.sent)
    build_actor(&p, first);
}
