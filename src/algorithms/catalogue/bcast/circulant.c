/* Pipelined broadcast on a circulant graph (Traff, arXiv 2407.18004; MPICH circ_graph): the message is cut into n
   segments, and in each of n - 1 + q rounds, q = ceil(log2 P), every rank sends at most one and receives at most one,
   as in circulant.h. No broadcast of n blocks takes fewer rounds when a rank sends and receives one block at a time.

       P = 5, n = 2:   skips 1 2 3
       round 0 (skip 3): 0 -0-> 3   1 (1): 0 -1-> 1  3 -0-> 4   2 (2): 0 -1-> 2 ...  until all have both

   Any number of ranks, any root; O(q^2) steps a rank to find its part, without messages. No temporary.
   Cost (Hockney): (n - 1 + q) (alpha + beta m_s) for segments of m_s bytes; the best n is about
   sqrt((q - 1) beta m / alpha). Every rank but the root receives each segment exactly once. */
#include "algorithms/catalogue/shared/circulant.h"

void tutti_build_bcast_circulant(tutti_builder *builder, const tutti_call *call)
{
  tutti_segmentation segments = tutti_segments(call, 0, call->count);
  if (call->size == 1 || call->count == 0)
    return;
  struct circulant_part part = tutti_circulant_part(call, &segments, call->root);
  tutti_vertex_id *ready = tutti_circulant_vertices(builder, segments.count);
  if (ready)
    tutti_build_circulant_bcast(builder, &part, ready);
}
