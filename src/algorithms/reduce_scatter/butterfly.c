/* Butterfly reduce-scatter for operations that need not commute (Traff 2005, "An improved algorithm for
   (non-commutative) reduce-scatter with an application", here with neighboring ranks folded where P is not a power of
   two). Recursive halving with the nearest rank first: in step j virtual rank v exchanges with v XOR 2^j, and since the
   groups combined are neighboring ranges the order of the operands is kept. v then has the blocks at the position
   whose bits are those of v in reverse, and sends them to their ranks.

       P = 8:   (0,1) (2,3) (4,5) (6,7);  (0,2) (1,3) (4,6) (5,7);  (0,4) (1,5) (2,6) (3,7);  1 <-> 4, 3 <-> 6

   Regular and irregular blocks of m bytes. Any number of ranks. Memory: up to P m, half of it more for the ranks that
   act for two.
   Cost (Hockney): (log2(P) + 1) alpha + P beta m + (P - 1) gamma m for a power of two, otherwise
   alpha + P (beta + gamma) m more. */
#include "algorithms/builders.h"
#include "algorithms/reduce_scatter/halving.h"

void tutti_build_reduce_scatter_butterfly(tutti_builder *builder, const tutti_call *call)
{
  struct fold fold = tutti_fold(call);
  struct range none = {0, 0}, all = tutti_cut_range(&fold, tutti_cut_by_rank, 0, fold.power);
  struct partial partial = tutti_partial(call, none);
  struct place output = {TUTTI_OUTPUT, tutti_input_block(call, call->rank).first};
  int mirrored = tutti_mirror(&fold, fold.v);
  tutti_fold_in(builder, &fold, &partial, all);
  if (tutti_fold_acts(&fold))
    tutti_halve(builder, &fold, &partial, tutti_cut_by_rank, true,
                fold.v >= fold.folded && mirrored == fold.v ? &output : NULL);
  tutti_hand_out(builder, &fold, &partial, mirrored, mirrored);
}
