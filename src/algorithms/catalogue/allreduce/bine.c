/* Bine allreduce (De Sensi et al. 2025, arXiv 2508.17311, section 4): Bine reduce-scatter, then Bine allgather on the
   same butterfly. The segments of the message stand in the order of positions (bine.h): every message is one range, and
   as both halves use the same order no block is moved (the paper's "permute" and "send", whose moves cancel).

       P = 4, positions 0 2 3 1 of the ranks 0 1 2 3:  (0,1) (2,3) exchange halves, (0,3) (1,2) quarters, and back

   A power of two of ranks; operations that commute; every segment is finished on one rank, so all have the same bits.
   Memory: operands of a quarter and an eighth of the message. Cost (Hockney):
   2 log2(P) alpha + 2 (P - 1) / P beta m + (P - 1) / P gamma m. */
#include "algorithms/catalogue/shared/bine.h"
#include "algorithms/catalogue/allreduce/exchange.h"
#include "algorithms/catalogue/builders.h"

void tutti_build_allreduce_bine(tutti_builder *builder, const tutti_call *call)
{
  struct exchange_pattern pattern;
  const struct exchange_plan plan = {.patterns = &pattern, .parts = 1};
  int *positions = tutti_bine_positions(builder, call->size);
  if (!positions || !tutti_bine_pattern(builder, call, 0, &pattern))
    return;
  tutti_exchange_reorder(&pattern, positions);
  tutti_build_allreduce_by_exchange(builder, call, &plan);
}

/* Swing allreduce, bandwidth form (De Sensi, Bonato, Saam, Hoefler 2024, arXiv 2401.09356): the same butterfly with the
   segments of the message in the order of the ranks, so that a rank sends each run of them as a message. On one
   dimension it is Bine's block-by-block form.

       P = 6:   (0,1) (2,3) (4,5);   (0,5) (1,2) (3,4);   (0,3) (1,4) (2,5);   and back

   An even number of ranks; even if it is not a power of two, no segment is sent twice. Operations that commute.
   Cost (Hockney) for messages of several pieces: 2 ceil(log2 P) alpha + 2 (P - 1) / P beta m + (P - 1) / P gamma m;
   here a piece is a message, at most 2 (P - 1) in all. */
void tutti_build_allreduce_swing(tutti_builder *builder, const tutti_call *call)
{
  struct exchange_pattern pattern;
  const struct exchange_plan plan = {.patterns = &pattern, .parts = 1};
  if (tutti_bine_pattern(builder, call, 0, &pattern))
    tutti_build_allreduce_by_exchange(builder, call, &plan);
}

/* Swing allreduce, latency form, which is Bine's as well: recursive doubling with the peers of bine.h, the whole
   message in every round.

       P = 6:  1 -> 0, 3 -> 2;   (0 2) (4 5);   (0 5) (2 4);   0 -> 1, 2 -> 3      places 0 1 2 3 are ranks 0 2 4 5

   Any number of ranks: neighbors are folded as in recursive doubling. Operations that commute; ranks bracket the
   operands differently, so rounding may differ between ranks (two results for P = 8, four for P = 16). Memory: the
   message. Cost (Hockney): log2(P) (alpha + (beta + gamma) m), two steps more if P is not a power of two, one of them
   without gamma m. */
void tutti_build_allreduce_swing_latency(tutti_builder *builder, const tutti_call *call)
{
  struct fold fold = tutti_fold_neighbors(call);
  tutti_block all = tutti_block_of(TUTTI_OUTPUT, 0, call->count), input = tutti_block_of(TUTTI_INPUT, 0, call->count);
  bool serves = fold.partner >= 0;
  int rounds = tutti_bine_rounds(fold.power);
  if (call->count == 0)
    return;
  if (call->size == 1)
    tutti_add_copy(builder, input, all);
  if (fold.folded) {
    tutti_add_send(builder, fold.partner, input);
    tutti_add_recv(builder, fold.partner, all);
    return;
  }
  struct partial partial = tutti_exchange_begin(builder, rounds + serves, all);
  if (serves)
    tutti_exchange(&partial, fold.partner, true, tutti_no_data(), all);
  for (int s = 0; s < rounds; s++)
    tutti_exchange(&partial, tutti_folded_rank(tutti_bine_peer(fold.place, s, fold.power), fold.pairs), true, all, all);
  if (serves)
    tutti_add_after(builder, tutti_add_send(builder, fold.partner, all), partial.ready);
}
