/* Rabenseifner's allreduce (Pjesivac-Grbovic 2007, section 4.1.2 and figure 4.8; Thakur, Rabenseifner, Gropp 2005):
   recursive halving, then recursive doubling.

   In step k of the first phase the ranks at places v and v XOR 2^k, which hold partial results of the same part of the
   message, swap halves of it: the lower place keeps the left half and combines it with the received one. In the end
   each has the result of 1 / Q of the message. The second phase takes the steps back, each rank sending all its
   results.

       Q = 4, place 0:  abcd -> ab -> a -> ab -> abcd        place 1:  abcd -> cd -> c -> cd -> abcd

   If P is not a power of two, its largest power of two Q below takes part. The P - Q others are folded into neighbors:
   the two swap halves, combine them, and the odd rank sends its result over; it receives the final result at the end.
   Neighbors are met first and every partial result covers a range of ranks: the order of the operands is kept for any
   operation. Any number of ranks; blocks may be empty.
   Cost (Hockney, table 4.10), P a power of two: 2 log2(P) alpha + (P - 1) / P (2 beta m + gamma m). Needs one temporary
   of half the message, of the whole message on some ranks if P is not a power of two.

   The generalized butterfly (after Kolmakov, Zhang 2020, arXiv 2004.09362) stops halving g steps before the end and
   continues with recursive doubling on the remaining part: g of the 2 log2(P) steps are saved, and each of the last g
   steps of the reduction carries m / 2^(log2(P) - g). g = 0 is Rabenseifner's algorithm, g = log2(P), or more,
   recursive doubling. The paper has steps between for any P from permutations; here other P are
   folded as above.

       Q = 4, g = 1, place 0:  abcd -> ab, exchanged whole with place 2 -> abcd

   Every rank brackets the operands by the same tree: all have the same bits. Cost (Hockney), P a power of two:
   (2 log2(P) - g) alpha + (2 (P - 2^g) / P + g 2^g / P) beta m + ((P - 2^g) / P + g 2^g / P) gamma m. */
#include "algorithms/catalogue/allreduce/exchange.h"
#include "algorithms/catalogue/builders.h"

/* A step of the first phase, taken back in the second one. */
struct step {
  tutti_block window;   /* the part of the message that is halved */
  tutti_vertex_id sent; /* the half given away */
};

static void halve(tutti_block whole, tutti_block *left, tutti_block *right)
{
  *left = tutti_block_of(TUTTI_OUTPUT, whole.first, whole.count - whole.count / 2);
  *right = tutti_block_of(TUTTI_OUTPUT, whole.first + left->count, whole.count / 2);
}

static void build_folded(tutti_builder *builder, int partner, tutti_block all)
{
  tutti_block left, right;
  halve(all, &left, &right);
  struct partial partial = tutti_exchange_begin(builder, 0, right);
  tutti_exchange(&partial, partner, false, left, right);
  tutti_vertex_id sent = TUTTI_NO_VERTEX;
  if (right.count > 0) {
    sent = tutti_add_send(builder, partner, tutti_exchanged_block(&partial, right));
    tutti_add_after(builder, sent, partial.ready);
  }
  tutti_add_after(builder, tutti_add_recv(builder, partner, all), sent);
}

/* Take in the partner: combine the left half with its own one, and have the right half from it. */
static void unfold(tutti_builder *builder, struct partial *partial, int partner, tutti_block all)
{
  tutti_block left, right;
  halve(all, &left, &right);
  tutti_exchange(partial, partner, true, right, left);
  if (right.count == 0)
    return;
  tutti_block target = tutti_exchanged_block(partial, right);
  tutti_vertex_id received = tutti_add_recv(builder, partner, target), combined = partial->ready;
  partial->ready = tutti_add_join(builder);
  tutti_add_after(builder, partial->ready, received);
  tutti_add_after(builder, partial->ready, combined);
}

static void split(const struct fold *fold, int width, tutti_block window, tutti_block *given, tutti_block *kept)
{
  bool right = fold->place & width;
  halve(window, right ? given : kept, right ? kept : given);
}

/* The parts are halved in the first steps and exchanged whole in the others. */
static void reduce_scatter(struct partial *partial, const struct fold *fold, tutti_block all, struct step *step,
                           int halvings)
{
  for (int width = 1; width < fold->power; width *= 2, step++) {
    tutti_block given = all, kept = all;
    int peer = fold->place ^ width;
    if (halvings-- > 0)
      split(fold, width, all, &given, &kept);
    step->window = all;
    step->sent = tutti_exchange(partial, tutti_folded_rank(peer, fold->pairs), peer > fold->place, given, kept);
    all = kept;
  }
}

/* The last message in each direction. */
struct last {
  tutti_vertex_id received, sent;
};

/* Send what was kept, receive what was given away, which may have been sent from the output. A step's send starts when
   the step before is complete. */
static void swap_back(tutti_builder *builder, const struct fold *fold, int width, const struct step *step,
                      struct last *last)
{
  struct last before = *last;
  tutti_block given, kept;
  int peer = tutti_folded_rank(fold->place ^ width, fold->pairs);
  split(fold, width, step->window, &given, &kept);
  if (given.count > 0) {
    last->received = tutti_add_recv(builder, peer, given);
    tutti_add_after(builder, last->received, step->sent);
  }
  if (kept.count > 0) {
    last->sent = tutti_add_send(builder, peer, kept);
    tutti_add_after(builder, last->sent, before.received);
    tutti_add_after(builder, last->sent, before.sent);
  }
}

static void build_place(tutti_builder *builder, const struct fold *fold, tutti_block all, int exchanges)
{
  struct step steps[32];
  int count = 0;
  bool serves = fold->partner >= 0;
  tutti_block given, kept;
  split(fold, 1, all, &given, &kept);
  while (1 << count < fold->power)
    count++;
  count = exchanges < count ? count - exchanges : 0;
  struct partial partial =
      tutti_exchange_begin(builder, tutti_higher_places(fold) + serves, serves || count == 0 ? all : kept);
  if (serves)
    unfold(builder, &partial, fold->partner, all);
  reduce_scatter(&partial, fold, all, steps, count);
  struct last last = {partial.ready, TUTTI_NO_VERTEX};
  while (count-- > 0)
    swap_back(builder, fold, 1 << count, &steps[count], &last);
  if (!serves)
    return;
  tutti_vertex_id result = tutti_add_send(builder, fold->partner, all);
  tutti_add_after(builder, result, last.received);
  tutti_add_after(builder, result, last.sent);
}

static void build(tutti_builder *builder, const tutti_call *call, int exchanges)
{
  struct fold fold = tutti_fold_neighbors(call);
  tutti_block all = tutti_block_of(TUTTI_OUTPUT, 0, call->count);
  if (call->count == 0)
    return;
  if (call->size == 1)
    tutti_add_copy(builder, tutti_block_of(TUTTI_INPUT, 0, call->count), all);
  else if (fold.folded)
    build_folded(builder, fold.partner, all);
  else
    build_place(builder, &fold, all, exchanges);
}

void tutti_build_allreduce_rabenseifner(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, 0);
}

void tutti_build_allreduce_generalized_butterfly(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, call->parameters.k);
}
