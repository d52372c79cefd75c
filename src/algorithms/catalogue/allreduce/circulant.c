/* Pipelined allreduce on a circulant graph (Traff, arXiv 2407.18004): the reduction to rank 0 in n - 1 + q rounds
   (reduce/circulant.c), then the broadcast from there in as many (bcast/circulant.c), q = ceil(log2 P). The segment
   that is complete first is broadcast first.

       0 <- 1, 2, ...  segment by segment        0 -> 1, 2, ...  the same graph the other way

   Commutative operations only; all ranks get the same bits, those of rank 0. Any number of ranks. Temporaries: three
   segments. Every rank but 0 sends the message once on the way up, and receives it once on the way down.
   Cost (Hockney): 2 (n - 1 + q) alpha + (n - 1 + q) (2 beta + gamma) m_s for n segments of m_s bytes. */
#include "algorithms/catalogue/shared/circulant.h"

void tutti_build_allreduce_circulant(tutti_builder *builder, const tutti_call *call)
{
  tutti_segmentation segments = tutti_segments(call, 0, call->count);
  if (tutti_build_trivial(builder, call))
    return;
  struct circulant_part part = tutti_circulant_part(call, &segments, 0);
  tutti_vertex_id *done = tutti_circulant_vertices(builder, segments.count);
  if (!done)
    return;
  tutti_build_circulant_reduce(builder, &part, TUTTI_OUTPUT, done);
  tutti_build_circulant_bcast(builder, &part, done);
}
