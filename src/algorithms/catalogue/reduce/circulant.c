/* Pipelined reduction on a circulant graph (Traff, arXiv 2407.18004): the broadcast (bcast/circulant.c) backwards, in
   n - 1 + q rounds of at most one segment out and one in, q = ceil(log2 P).

       P = 3, n = 1:   2 --2--> 1     then  1 --1 2--> 0

   Operands are combined in another order than that of the ranks: commutative operations only. Any number of ranks, any
   root. Every rank but the root sends each segment once. Temporaries: three segments and, at ranks other than the root
   that receive, the message.
   Cost (Hockney): (n - 1 + q) (alpha + (beta + gamma) m_s) for n segments of m_s bytes. */
#include "algorithms/catalogue/shared/circulant.h"

void tutti_build_reduce_circulant(tutti_builder *builder, const tutti_call *call)
{
  tutti_segmentation segments = tutti_segments(call, 0, call->count);
  if (tutti_build_trivial(builder, call))
    return;
  struct circulant_part part = tutti_circulant_part(call, &segments, call->root);
  tutti_vertex_id *done = tutti_circulant_vertices(builder, segments.count);
  tutti_buffer partial = part.r == 0 ? TUTTI_OUTPUT : tutti_builder_temporary(builder, call->count);
  if (done)
    tutti_build_circulant_reduce(builder, &part, partial, done);
}
