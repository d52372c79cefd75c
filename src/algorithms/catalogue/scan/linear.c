/* Linear scan and exscan, without or with segmentation (Pjesivac-Grbovic 2007, section 4.1.2): rank r receives the
   combination of ranks 0 to r - 1 from rank r - 1, combines it with its own contribution and sends that to rank r + 1.
   Segments go down this chain one after the other.

       0 --x0--> 1 --x0 x1--> 2 --x0 x1 x2--> 3

   What is received is the result of exscan, what is sent on that of scan; the other of the two needs a temporary of the
   whole message. Keeps the order of the operands. Any number of ranks.
   Cost (Hockney, table 4.11), n segments of m_s bytes: (P + n - 2) (alpha + beta m_s + gamma m_s). */
#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/scan/scan.h"

struct linear {
  tutti_builder *builder;
  const tutti_call *call;
  bool receives, combines, sends;
  tutti_buffer before, through; /* combinations of ranks 0 to rank - 1, and of ranks 0 to rank */
  uint32_t stride;              /* vertices of a segment */
};

static struct linear init_linear(tutti_builder *builder, const tutti_call *call, scan_kind kind)
{
  bool receives = call->rank > 0, sends = call->rank + 1 < call->size;
  bool combines = receives && (sends || kind == SCAN_INCLUSIVE);
  struct linear l = {builder, call, receives, combines, sends, TUTTI_OUTPUT, TUTTI_OUTPUT, 0};
  l.stride = (uint32_t)(receives + 2 * combines + sends);
  if (combines)
    *(kind == SCAN_INCLUSIVE ? &l.before : &l.through) = tutti_builder_temporary(builder, call->count);
  return l;
}

static void add_segment(const struct linear *l, tutti_block segment, uint64_t index)
{
  tutti_builder *builder = l->builder;
  tutti_block result = tutti_scan_in(TUTTI_INPUT, segment), before = tutti_scan_in(l->before, segment);
  tutti_vertex_id received = TUTTI_NO_VERTEX, ready = TUTTI_NO_VERTEX;
  if (l->receives) {
    received = tutti_add_recv(builder, l->call->rank - 1, before);
    tutti_keep_window(builder, l->call, received, index, l->stride);
  }
  if (l->combines) {
    result = tutti_scan_in(l->through, segment);
    tutti_vertex_id copied = tutti_scan_copy(builder, segment, l->through, received, index, l->stride);
    ready = tutti_add_reduce(builder, before, result);
    tutti_add_after(builder, ready, received);
    tutti_add_after(builder, ready, copied);
  }
  if (l->sends) {
    tutti_vertex_id sent = tutti_add_send(builder, l->call->rank + 1, result);
    tutti_add_after(builder, sent, ready);
    tutti_keep_window(builder, l->call, sent, index, l->stride);
  }
}

static void build(tutti_builder *builder, const tutti_call *call, scan_kind kind)
{
  struct linear l = init_linear(builder, call, kind);
  tutti_segmentation segments = tutti_segments(call, 0, call->count);
  if (!tutti_reserve_segments(builder, &segments, l.stride))
    return;
  for (uint64_t s = 0; s < segments.count; s++)
    add_segment(&l, tutti_segment(&segments, s), s);
  if (call->rank == 0 && kind == SCAN_INCLUSIVE && call->count > 0)
    tutti_add_copy(builder, tutti_block_of(TUTTI_INPUT, 0, call->count), tutti_block_of(TUTTI_OUTPUT, 0, call->count));
}

void tutti_build_scan_linear(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, SCAN_INCLUSIVE);
}

void tutti_build_exscan_linear(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, SCAN_EXCLUSIVE);
}
