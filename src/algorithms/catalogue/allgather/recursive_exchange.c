/* Allgather by recursive exchange of radix k, also of irregular blocks (MPICH 4.2 recexch_doubling): the ranks beyond
   the largest power A of k are folded into neighbors, k - 1 into one, which acts for all of them; in the phase of place
   1, k, k^2, ... each of the A sends all blocks that it has, those of a range of ranks, to the k - 1 that differ from
   it in that digit of base k. The folded ranks receive all blocks at the end.

       P = 5, k = 2:   0 -> 1;   (1 2) (3 4);   (1 3) (2 4) : 0 1 2 <-> 3 4;   1 -> 0 all

   Any number of ranks, any k from 2 on; recursive doubling is k = 2 on a power of two. Blocks arrive in their places
   if these are in the order of the ranks, else in a temporary.
   Cost (Hockney): log_k(P) alpha + (P - 1) beta m for blocks of m bytes if P is a power of k, each phase of k - 1
   messages that overlap; else two rounds more, the last of P blocks. */
#include "algorithms/catalogue/allgather/packing.h"
#include "algorithms/catalogue/shared/radix.h"

static void build_folded(tutti_builder *builder, const tutti_call *call, int actor)
{
  struct packing packing;
  if (!tutti_packing_plan(builder, call, 0, &packing))
    return;
  tutti_block own = tutti_output_block(call, call->rank);
  if (own.count > 0)
    tutti_add_send(builder, actor, tutti_block_of(TUTTI_INPUT, 0, own.count));
  tutti_packing_receive(builder, &packing, actor, 0, call->size);
  tutti_packing_end(builder, &packing);
}

static void build_phase(tutti_builder *builder, const struct radix_fold *fold, struct packing *packing, int place)
{
  int own = fold->v / place % fold->k;
  int low = tutti_radix_first(fold, fold->v / place * place),
      end = tutti_radix_first(fold, fold->v / place * place + place);
  for (int digit = 0; digit < fold->k; digit++)
    if (digit != own)
      tutti_packing_send(builder, packing, tutti_radix_actor(fold, tutti_radix_peer(fold, fold->v, place, digit)), low,
                         end - low);
  for (int digit = 0; digit < fold->k; digit++) {
    int peer = tutti_radix_peer(fold, fold->v, place, digit), from = peer / place * place;
    int first = tutti_radix_first(fold, from), last = tutti_radix_first(fold, from + place);
    if (digit != own)
      tutti_packing_receive(builder, packing, tutti_radix_actor(fold, peer), first, last - first);
  }
}

/* Recursive exchange with the largest distance first (MPICH 4.2 recexch_halving). So that the blocks of a phase are
   still those of a range of ranks, virtual rank v first swaps its blocks with the one whose digits of base k are those
   of v in reverse; then come the phases of place A / k, A / k^2, ..., 1, the last of which moves the most blocks, to
   the nearest ranks.

       P = 8, k = 2:   1 <-> 4, 3 <-> 6;   0: block 0, 4: block 1, 2: block 2, ...;   (0 4) (1 5) (2 6) (3 7);   ...

   The swapped blocks come back in a later phase, as in MPICH. If ranks were folded, a rank that swaps
   needs a temporary of their blocks. Blocks of one size.
   Cost (Hockney): that of recursive exchange, and alpha + beta m for the swap where v is not its own reverse. */
static int reverse_digits(const struct radix_fold *fold, int v)
{
  int reverse = 0;
  for (int place = 1; place < fold->power; place *= fold->k)
    reverse = reverse * fold->k + v / place % fold->k;
  return reverse;
}

/* Send the blocks of the own virtual rank away and receive those of number `reverse`. */
static void build_swap(tutti_builder *builder, const struct radix_fold *fold, struct packing *packing, int reverse)
{
  uint64_t count = packing->call->count;
  int first = tutti_radix_first(fold, fold->v), actor = tutti_radix_actor(fold, fold->v);
  int peer = tutti_radix_actor(fold, reverse), low = tutti_radix_first(fold, reverse);
  uint64_t folded = (uint64_t)(actor - first);
  if (count > 0 && folded == 0)
    tutti_add_send(builder, peer, tutti_block_of(TUTTI_INPUT, 0, count));
  if (count > 0 && folded > 0) {
    tutti_buffer buffer = tutti_builder_temporary(builder, (folded + 1) * count);
    tutti_vertex_id before =
        tutti_add_copy(builder, tutti_block_of(TUTTI_INPUT, 0, count), tutti_block_of(buffer, folded * count, count));
    for (int r = first; r < actor; r++)
      tutti_add_recv(builder, r, tutti_block_of(buffer, (uint64_t)(r - first) * count, count));
    tutti_vertex_id sent = tutti_add_send(builder, peer, tutti_block_of(buffer, 0, (folded + 1) * count));
    for (tutti_vertex_id v = before; v < sent; v++)
      tutti_add_after(builder, sent, v);
  }
  tutti_packing_receive(builder, packing, peer, low, peer + 1 - low);
}

static void build_halving_phase(tutti_builder *builder, const struct radix_fold *fold, struct packing *packing,
                                int place)
{
  int width = fold->power / (place * fold->k); /* virtual ranks whose blocks are here */
  int from = reverse_digits(fold, fold->v) / width * width;
  int low = tutti_radix_first(fold, from), end = tutti_radix_first(fold, from + width);
  for (int digit = 0; digit < fold->k; digit++) {
    int peer = tutti_radix_peer(fold, fold->v, place, digit);
    if (peer != fold->v)
      tutti_packing_send(builder, packing, tutti_radix_actor(fold, peer), low, end - low);
  }
  for (int digit = 0; digit < fold->k; digit++) {
    int peer = tutti_radix_peer(fold, fold->v, place, digit), theirs = reverse_digits(fold, peer) / width * width;
    int first = tutti_radix_first(fold, theirs), last = tutti_radix_first(fold, theirs + width);
    if (peer != fold->v)
      tutti_packing_receive(builder, packing, tutti_radix_actor(fold, peer), first, last - first);
  }
}

static void build(tutti_builder *builder, const tutti_call *call, bool halving)
{
  struct packing packing;
  struct radix_fold fold = tutti_radix_fold(call);
  int first = tutti_radix_first(&fold, fold.v), actor = tutti_radix_actor(&fold, fold.v);
  int start = halving ? reverse_digits(&fold, fold.v) : fold.v; /* whose blocks are here in the first phase */
  if (call->rank != actor) {
    build_folded(builder, call, actor);
    return;
  }
  if (!(start == fold.v ? tutti_packing_begin : tutti_packing_plan)(builder, call, 0, &packing))
    return;
  if (start != fold.v)
    build_swap(builder, &fold, &packing, start);
  for (int r = first; start == fold.v && r < actor; r++)
    tutti_packing_receive(builder, &packing, r, r, 1);
  for (int place = 1; place < fold.power; place *= fold.k)
    if (halving)
      build_halving_phase(builder, &fold, &packing, fold.power / fold.k / place);
    else
      build_phase(builder, &fold, &packing, place);
  for (int r = first; r < actor; r++)
    tutti_packing_send(builder, &packing, r, 0, call->size);
  tutti_packing_end(builder, &packing);
}

void tutti_build_allgather_recursive_exchange(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, false);
}

void tutti_build_allgather_recursive_exchange_halving(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, true);
}
