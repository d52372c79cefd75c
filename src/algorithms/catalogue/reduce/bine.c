/* Reduction on the distance-halving Bine tree: the broadcast of bcast/bine.c backwards (De Sensi et al. 2025, arXiv
   2508.17311, section 3).

       P = 8, root 0:   1 -> 0, 2 -> 3, 5 -> 4, 6 -> 7,   7 -> 0, 4 -> 3,   3 -> 0

   A power of two of ranks, any root; operations that commute. Cost (Hockney): log2(P) (alpha + (beta + gamma) m). */
#include "algorithms/catalogue/shared/bine.h"
#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/block_part.h"

void tutti_build_reduce_bine(tutti_builder *builder, const tutti_call *call)
{
  tutti_tree tree;
  if (tutti_bine_tree(builder, call, true, &tree))
    tutti_build_reduce_on_tree(builder, call, &tree);
}

/* Reduction as Bine reduce-scatter and gather on the distance-doubling Bine tree (De Sensi et al. 2025, section 4), for
   long messages: the message is cut into P segments in the order of positions (bine.h), so every message is one range
   of it and nothing is copied but at the root.

       P = 4, root 0:   (0,1) (2,3) exchange halves, (0,3) (1,2) quarters;   3 -> 0, 2 -> 1;   1 -> 0

   A power of two of ranks, any root, any count; operations that commute. Memory: the message, at the root only
   operands, half of it. Cost (Hockney): 2 log2(P) alpha + 2 (P - 1) / P beta m + (P - 1) / P gamma m. */
static void gather(struct part *part, const tutti_call *call, const int *positions, int v)
{
  int size = call->size, last = tutti_bine_last_hop(v, size);
  for (int s = tutti_bine_rounds(size) - 1; s >= 0; s--) {
    int peer = tutti_bine_peer(v, s, size), width = size >> (s + 1), rank = (int)(((int64_t)peer + call->root) % size);
    int first = positions[s > last ? peer : v] / width * width;
    struct run run = {first, first + width};
    if (tutti_run_elements(part, run) == 0 || s < last)
      continue;
    if (s > last)
      tutti_run_receive(part, rank, run);
    else
      tutti_after_run(part, tutti_add_send(part->builder, rank, tutti_run_span(part->work, run)), part->ready, run);
  }
}

void tutti_build_reduce_bine_scatter_gather(tutti_builder *builder, const tutti_call *call)
{
  struct exchange_pattern pattern;
  struct exchange_plan plan = {.patterns = &pattern, .parts = 1};
  int v = call->rank >= call->root ? call->rank - call->root : call->rank + (call->size - call->root);
  int *positions = tutti_bine_positions(builder, call->size);
  if (call->count == 0 || !positions || !tutti_bine_pattern(builder, call, call->root, &pattern))
    return;
  tutti_exchange_reorder(&pattern, positions);
  tutti_buffer buffer = v == 0 ? TUTTI_OUTPUT : tutti_builder_temporary(builder, call->count);
  struct part *part = tutti_reduce_segments(builder, call, &plan, buffer);
  if (part)
    gather(part, call, positions, v);
}
