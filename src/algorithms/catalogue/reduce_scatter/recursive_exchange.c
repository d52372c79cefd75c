/* Reduce-scatter by recursive exchange of radix k (MPICH ireduce_scatter tsp_recexch; the allgather of
   allgather/recursive_exchange.c backwards): the ranks beyond the largest power A of k are folded into neighbors, k - 1
   into one, which acts for all of them (radix.h). In the phase of place A / k, A / k^2, ..., 1 a virtual rank
   distributes its remaining blocks over the k that differ from it in that digit of base k, itself included: each
   receives those of the ranks that agree with it in all digits so far. At the end it has the blocks of the ranks that
   it acts for, and sends them out.

       P = 5, k = 2:   0 -> 1;   (1 2) (3 4);   (1 3) (2 4) : 1 2 keep blocks 0 1 2, 3 4 keep 3 4;
                       (1 2) (3 4) : 1 keeps 0 1;   1 -> 0 block 0

   Proof: virtual ranks act for ranges of ranks in order. After the phase of place w, v has the sum over the A / w
   virtual ranks that agree with it in the digits below w, each once, of the blocks of [v / w w, v / w w + w): in the
   phase, v and the k - 1 that differ in digit w sum up disjoint sets, and all of them had the k pieces of the same
   range. At w = 1 the set is all, the range is v.

   The ranks that are combined are not neighbors: commutative operations only. Any number of ranks, any k from 2 on;
   regular and irregular blocks; recursive halving is k = 2 on a power of two. Temporaries: the blocks that are
   kept in the first phase, and k - 1 slots for as many; for ranks that act for others all P blocks, and two slots for
   as many more.
   Cost (Hockney), blocks of m bytes: log_k(P) alpha + (P - 1) (beta + gamma) m if P is a power of k, each phase of k -
   1 messages that overlap; else one round more in, of P blocks (k / 2 if k is more than
   3, two operands being on their way to a rank at a time), and one out. */
#include "algorithms/catalogue/shared/radix.h"

struct state {
  tutti_builder *builder;
  const tutti_call *call;
  struct radix_fold fold;
  tutti_buffer at, work; /* where the partial result is: the input, then work, and the output at the end */
  uint64_t work_first;   /* element of the message that work begins with */
  struct slots slots;
  tutti_vertex_id ready; /* the partial result is complete */
};

/* Elements of the blocks of virtual ranks, within the message. */
static tutti_block blocks_of(const struct state *x, int v, int count)
{
  const tutti_call *call = x->call;
  int end = tutti_radix_first(&x->fold, v + count);
  tutti_block first = tutti_input_block(call, tutti_radix_first(&x->fold, v)), last = tutti_input_block(call, end - 1);
  return tutti_block_of(TUTTI_INPUT, first.first, last.first + last.count - first.first);
}

/* The same elements in a buffer. */
static tutti_block range_in(const struct state *x, tutti_buffer buffer, tutti_block range)
{
  uint64_t origin = buffer == TUTTI_INPUT ? 0 : x->work_first;
  if (buffer == TUTTI_OUTPUT)
    origin = range.first;
  return tutti_block_of(buffer, range.first - origin, range.count);
}

/* Receive an operand of the partial result's range, and combine them in `to`: where that is new, the operand is
   received there. */
static void combine(struct state *x, int peer, tutti_block range, tutti_buffer to)
{
  if (range.count == 0)
    return;
  tutti_block target = range_in(x, to, range), operand = target;
  tutti_vertex_id received = to != x->at ? tutti_add_recv(x->builder, peer, target)
                                         : tutti_slots_recv(x->builder, &x->slots, peer, range.count, &operand);
  tutti_vertex_id reduced = tutti_add_reduce(x->builder, to != x->at ? range_in(x, x->at, range) : operand, target);
  tutti_add_after(x->builder, reduced, received);
  tutti_add_after(x->builder, reduced, x->ready);
  if (to == x->at)
    tutti_slots_free(&x->slots, operand, reduced);
  x->at = to;
  x->ready = reduced;
}

static void add_phase(struct state *x, int place, tutti_buffer to)
{
  const struct radix_fold *fold = &x->fold;
  int k = fold->k, own = fold->v / place % k;
  for (int digit = 0; digit < k; digit++) {
    int peer = tutti_radix_peer(fold, fold->v, place, digit);
    tutti_block given = blocks_of(x, peer / place * place, place);
    if (digit == own || given.count == 0)
      continue;
    tutti_vertex_id sent = tutti_add_send(x->builder, tutti_radix_actor(fold, peer), range_in(x, x->at, given));
    tutti_add_after(x->builder, sent, x->ready);
  }
  tutti_block kept = blocks_of(x, fold->v / place * place, place);
  for (int digit = 0; digit < k; digit++)
    if (digit != own)
      combine(x, tutti_radix_actor(fold, tutti_radix_peer(fold, fold->v, place, digit)), kept, to);
}

/* The contributions of the ranks that the own one acts for. */
static void fold_in(struct state *x, int first)
{
  tutti_block all = blocks_of(x, 0, x->fold.power);
  int folded = x->call->rank - first;
  x->slots = tutti_slots(x->builder, (uint64_t)(folded > 2 ? 2 : folded > 1), all.count);
  for (int r = first; r < x->call->rank; r++)
    combine(x, r, all, x->work);
}

static void exchange(struct state *x, bool acts_for_others)
{
  int k = x->fold.k, place = x->fold.power / k;
  if (x->fold.phases > 0)
    x->slots = tutti_slots(x->builder, (uint64_t)k - 1, blocks_of(x, x->fold.v / place * place, place).count);
  for (; place >= 1; place /= k)
    add_phase(x, place, place == 1 && !acts_for_others ? TUTTI_OUTPUT : x->work);
}

/* The blocks of the ranks of the own virtual rank to where they belong. */
static void hand_out(struct state *x, int first)
{
  for (int r = first; r <= x->call->rank; r++) {
    tutti_block block = tutti_input_block(x->call, r);
    if (block.count == 0 || x->at == TUTTI_OUTPUT)
      continue;
    tutti_vertex_id vertex = r == x->call->rank ? tutti_add_copy(x->builder, range_in(x, x->at, block),
                                                                 tutti_block_of(TUTTI_OUTPUT, 0, block.count))
                                                : tutti_add_send(x->builder, r, range_in(x, x->at, block));
    tutti_add_after(x->builder, vertex, x->ready);
  }
}

/* A rank that another one acts for. */
static void build_folded(const struct state *x, int actor)
{
  tutti_block all = blocks_of(x, 0, x->fold.power);
  if (all.count > 0)
    tutti_add_send(x->builder, actor, all);
  if (x->call->count > 0)
    tutti_add_recv(x->builder, actor, tutti_block_of(TUTTI_OUTPUT, 0, x->call->count));
}

void tutti_build_reduce_scatter_recursive_exchange(tutti_builder *builder, const tutti_call *call)
{
  struct state x = {.builder = builder, .call = call, .fold = tutti_radix_fold(call), .at = TUTTI_INPUT};
  int first = tutti_radix_first(&x.fold, x.fold.v), actor = tutti_radix_actor(&x.fold, x.fold.v);
  int place = first < actor ? x.fold.power : x.fold.power / x.fold.k; /* of the first combined operand */
  x.ready = TUTTI_NO_VERTEX;
  if (call->rank != actor) {
    build_folded(&x, actor);
    return;
  }
  if (place > 1 || first < actor) {
    tutti_block widest = blocks_of(&x, x.fold.v / place * place, place);
    x.work = tutti_builder_temporary(builder, widest.count);
    x.work_first = widest.first;
  }
  fold_in(&x, first);
  exchange(&x, first < actor);
  hand_out(&x, first);
}
