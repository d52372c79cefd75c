/* Bruck allgather, also of irregular blocks (Pjesivac-Grbovic 2007, section 4.1.2 and figure 4.4): every rank keeps the
   blocks in an order turned so that its own comes first. In step k rank r sends all blocks that it has, in the last
   step only those still missing there, to r - 2^k and appends what it gets from r + 2^k. In the end each block is
   copied to its place.

       size 6, rank 4:   4 | 5 | 0 1 | 2 3      step 0: 5 from rank 5;  step 1: 0 1 from 0;  step 2: 2 3 from 2

   With radix k (MPICH 4.1 k_brucks; Open MPI 6) the distances are 1, k, k^2, ..., and in a step a rank sends what it
   has to the k - 1 ranks at 1 to k - 1 times the distance.

   Any number of ranks. Needs a temporary of the whole result where the turned order is not that of the output (with
   blocks in the order of the ranks: everywhere but on rank 0).
   Cost (Hockney, table 4.6): ceil(log2 P) alpha + (P - 1) beta m + P delta m for blocks of m bytes; in general
   ceil(log_k P) steps of k - 1 messages that overlap. */
#include "algorithms/catalogue/allgather/packing.h"
#include "algorithms/catalogue/builders.h"

static void build(tutti_builder *builder, const tutti_call *call, int64_t radix)
{
  struct packing packing;
  int64_t size = call->size;
  if (!tutti_packing_begin(builder, call, call->rank, &packing))
    return;
  for (int64_t distance = 1; distance < size; distance *= radix)
    for (int64_t place = distance; place < size && place < radix * distance; place += distance) {
      int blocks = (int)(distance < size - place ? distance : size - place);
      tutti_packing_send(builder, &packing, (int)((call->rank + size - place) % size), 0, blocks);
      tutti_packing_receive(builder, &packing, (int)((call->rank + place) % size), (int)place, blocks);
    }
  tutti_packing_end(builder, &packing);
}

void tutti_build_allgather_bruck(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, 2);
}

void tutti_build_allgather_k_bruck(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, call->parameters.k);
}
