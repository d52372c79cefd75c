/* Rabenseifner's reduce (Rabenseifner 2004; Pjesivac-Grbovic 2007, section 4.1.2 and figure 4.8): a reduce-scatter by
   recursive halving, which distributes the computation over all ranks, and a binomial gather to the root that undoes
   its steps.

       P = 4, message in blocks a b c d:
       0: ab|cd   1: ab|cd   2: ab|cd   3: ab|cd     (0,1) (2,3)  0 and 2 keep ab, 1 and 3 keep cd
       0: a|b     2: a|b     1: c|d     3: c|d       (0,2) (1,3)  0 keeps a, 2 b, 1 c, 3 d
       then 0 <- 2, 1 <- 3, and 0 <- 1

   The nearest ranks exchange first, so that groups of neighboring ranks are combined: the order of the operands is
   kept. If P is not a power of two, neighbors are folded first: one combines the other's message with its own. Any
   number of ranks, any root, any count: blocks differ by one element at most and may be empty. Memory: up to 3/4 of the
   message at the root, up to once the message elsewhere, and once more for the ranks that act for two.

   Cost (Hockney; table 4.8 with m for the whole message), P a power of two:
     2 log2(P) alpha + 2 (P - 1) / P beta m + (P - 1) / P gamma m
   and otherwise alpha + (beta + gamma) m more. */
#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/reduce_scatter/halving.h"

/* Position p of `power` equal blocks, the first of which have one of the remaining elements more. */
static uint64_t cut_evenly(const struct fold *fold, int position)
{
  uint64_t p = (uint64_t)position, power = (uint64_t)fold->power, rest = fold->call->count % power;
  return p * (fold->call->count / power) + (p < rest ? p : rest);
}

/* The place in which the blocks are gathered: at the root the output, elsewhere where the own block is. */
static struct place gather_place(tutti_builder *builder, struct partial *partial, bool root, struct range own)
{
  struct place output = {TUTTI_OUTPUT, 0};
  if (!root)
    return partial->mine.buffer == TUTTI_INPUT ? tutti_partial_spare(builder, partial, own) : partial->mine;
  if (partial->mine.buffer != TUTTI_OUTPUT && !tutti_range_empty(own)) {
    tutti_vertex_id copy = tutti_add_copy(builder, tutti_range_at(partial->mine, own), tutti_range_at(output, own));
    tutti_after_ends(builder, copy, &partial->before);
  }
  return output;
}

/* The steps of the halving backwards: what was given to the peer comes back combined, until the peer is the one nearer
   to the root, which gets all that is here. */
static void gather(tutti_builder *builder, const struct fold *fold, struct partial *partial,
                   const struct halving *halving, int root)
{
  struct range held = tutti_cut_range(fold, cut_evenly, halving->position, 1);
  struct place place = gather_place(builder, partial, fold->v == root, held);
  struct ends gathered = partial->before;
  for (int step = halving->steps - 1; step >= 0; step--) {
    struct range part = halving->given[step];
    int peer = tutti_fold_actor(fold, fold->v ^ 1 << step);
    if ((fold->v ^ root) >> step & 1) {
      if (!tutti_range_empty(held))
        tutti_after_ends(builder, tutti_add_send(builder, peer, tutti_range_at(place, held)), &gathered);
      return;
    }
    if (tutti_range_empty(part))
      continue;
    tutti_vertex_id received = tutti_add_recv(builder, peer, tutti_range_at(place, part));
    tutti_after_ends(builder, received, &partial->before);
    tutti_ends_add(&gathered, received);
    held = tutti_range_cover(held, part);
  }
}

static int virtual_root(const struct fold *fold)
{
  int root = fold->call->root;
  return root / 2 < fold->folded ? root / 2 : root - fold->folded;
}

void tutti_build_reduce_rabenseifner(tutti_builder *builder, const tutti_call *call)
{
  struct fold fold = tutti_fold(call);
  int root = virtual_root(&fold), kept = fold.v & 1 ? fold.power / 2 : 0;
  struct range span = tutti_cut_range(&fold, cut_evenly, kept, fold.v == root ? 0 : fold.power / 2);
  struct partial partial = tutti_partial(call, span);
  struct place output = {TUTTI_OUTPUT, 0};
  tutti_fold_in(builder, &fold, &partial, (struct range){0, call->count});
  if (!tutti_fold_acts(&fold))
    return;
  struct halving halving = tutti_halve(builder, &fold, &partial, cut_evenly, true, fold.v == root ? &output : NULL);
  gather(builder, &fold, &partial, &halving, root);
}
