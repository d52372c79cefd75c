/* Allreduce as a reduction to rank 0 and a broadcast from there (Pjesivac-Grbovic 2007, section 4.1.2), each by any
   algorithm.

   Only the root of the reduction waits for it before the broadcast: the others have the output free and are ready to
   receive early. Any number of ranks; keeps the order of the operands if the reduction does. Cost: the sum of both. */
#include "algorithms/builders.h"

enum { REDUCE, BCAST };

void tutti_build_allreduce_reduce_bcast(tutti_builder *builder, const tutti_call *call)
{
  tutti_call own = {.root = 0, .count = call->count};
  tutti_scope all = tutti_scope_of_all(builder, TUTTI_NO_VERTEX);
  tutti_vertex_id reduced = tutti_build_part(builder, call, REDUCE, &all, own);
  all = tutti_scope_of_all(builder, call->rank == 0 ? reduced : TUTTI_NO_VERTEX);
  tutti_build_part(builder, call, BCAST, &all, own);
}
