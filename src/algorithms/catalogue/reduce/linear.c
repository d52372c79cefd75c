/* Linear reduce, on a flat tree (Pjesivac-Grbovic 2007, section 4.1.2): all ranks send their messages to the root,
   which combines them from the last rank to the first. Each operand is then the left one of the partial result in the
   output, for any root: the order of the operands is kept for any
   operation.

       root 1 of 4:   output = 3;  output = 2 op output;  output = 1 op output;  output = 0 op output

   The root needs two slots of a segment, or as many as may be in flight while they are small. Any number of ranks, any
   root.
   Cost (Hockney, table 4.8), n segments of m_s bytes: n (P - 1) (alpha + (beta + gamma) m_s). */
#include "algorithms/catalogue/builders.h"

static tutti_block input_of(tutti_block segment)
{
  return tutti_block_of(TUTTI_INPUT, segment.first, segment.count);
}

static void send_segments(tutti_builder *builder, const tutti_call *call, const tutti_segmentation *segments)
{
  for (uint64_t s = 0; s < segments->count; s++) {
    tutti_vertex_id send = tutti_add_send(builder, call->root, input_of(tutti_segment(segments, s)));
    tutti_keep_window(builder, call, send, s, 1);
  }
}

/* Vertices of each segment: the last rank is received or copied into place, the others but the root received and
   reduced, the root reduced. */
static uint32_t stride_of(const tutti_call *call)
{
  return 2 * (uint32_t)(call->size - 1) + (call->root == call->size - 1);
}

/* The operand of the last rank begins the result. */
static tutti_vertex_id begin_segment(tutti_builder *builder, const tutti_call *call, tutti_block segment,
                                     uint64_t index)
{
  int last = call->size - 1;
  if (last == call->root)
    return tutti_add_copy(builder, input_of(segment), segment);
  tutti_vertex_id received = tutti_add_recv(builder, last, segment);
  tutti_keep_window(builder, call, received, index, stride_of(call));
  return received;
}

static tutti_vertex_id add_operand(tutti_builder *builder, const tutti_call *call, struct slots *slots, int from,
                                   tutti_block segment, uint64_t index)
{
  tutti_block where = segment;
  if (from == call->root)
    return tutti_add_reduce(builder, input_of(segment), segment);
  tutti_vertex_id received = tutti_slots_recv(builder, slots, from, segment.count, &where);
  tutti_keep_window(builder, call, received, index, stride_of(call));
  tutti_vertex_id reduced = tutti_add_reduce(builder, where, segment);
  tutti_add_after(builder, reduced, received);
  tutti_slots_free(slots, where, reduced);
  return reduced;
}

static void build_root(tutti_builder *builder, const tutti_call *call, const tutti_segmentation *segments)
{
  int last = call->size - 1;
  uint64_t through_slots = (uint64_t)(last == call->root ? last : last - 1);
  if (!tutti_reserve_segments(builder, segments, stride_of(call)))
    return;
  struct slots slots = tutti_slots_for_segments(builder, call, segments, 2, through_slots);
  for (uint64_t s = 0; s < segments->count; s++) {
    tutti_block segment = tutti_segment(segments, s);
    tutti_vertex_id ready = begin_segment(builder, call, segment, s);
    for (int from = last - 1; from >= 0; from--) {
      tutti_vertex_id reduced = add_operand(builder, call, &slots, from, segment, s);
      tutti_add_after(builder, reduced, ready);
      ready = reduced;
    }
  }
}

void tutti_build_reduce_linear(tutti_builder *builder, const tutti_call *call)
{
  tutti_segmentation segments = tutti_segments(call, 0, call->count);
  if (call->rank == call->root)
    build_root(builder, call, &segments);
  else
    send_segments(builder, call, &segments);
}
