/* Recursive halving reduce-scatter (Pjesivac-Grbovic 2007, section 4.1.2 and figure 4.9): in step j rank r exchanges
   with r XOR P / 2^(j+1) and keeps of the blocks it still has the half where its own one is, so the messages halve.

       P = 4:   0: 01|23  1: 01|23  2: 01|23  3: 01|23     (0,2) (1,3)  keep two blocks
                0: 0|1    1: 0|1    2: 2|3    3: 2|3       (0,1) (2,3)  keep one

   If P is not a power of two, of the first ranks each odd one hands its contribution to its neighbor and is sent its
   block at the end. The groups that are combined are not ranges: commutative operations only. Regular and irregular
   blocks of m bytes; up to 3/4 P m of memory, or 3/2 P m for the ranks that act for two.
   Cost (Hockney, table 4.9): log2(P) alpha + (P - 1) (beta + gamma) m for a power of two, otherwise
   (floor(log2 P) + 2) alpha + 2 P beta m + (2 P - 1) gamma m at most. */
#include "algorithms/builders.h"
#include "algorithms/reduce_scatter/halving.h"

void tutti_build_reduce_scatter_recursive_halving(tutti_builder *builder, const tutti_call *call)
{
  struct fold fold = tutti_fold(call);
  struct range none = {0, 0}, all = tutti_cut_range(&fold, tutti_cut_by_rank, 0, fold.power);
  struct partial partial = tutti_partial(call, none);
  struct place output = {TUTTI_OUTPUT, tutti_input_block(call, call->rank).first};
  tutti_fold_in(builder, &fold, &partial, all);
  if (tutti_fold_acts(&fold))
    tutti_halve(builder, &fold, &partial, tutti_cut_by_rank, false, fold.v < fold.folded ? NULL : &output);
  tutti_hand_out(builder, &fold, &partial, fold.v, fold.v);
}
