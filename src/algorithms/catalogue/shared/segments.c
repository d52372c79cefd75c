/* Segments of a message, and slots to receive them into. */
#include "algorithms/catalogue/builders.h"

tutti_block tutti_block_share(tutti_block block, int index, int parts)
{
  uint64_t i = (uint64_t)index, n = (uint64_t)parts;
  uint64_t length = block.count < n ? 0 : block.count / n, longer = block.count - length * n; /* divisions take long */
  return tutti_block_of(block.buffer, block.first + i * length + (i < longer ? i : longer), length + (i < longer));
}

tutti_segmentation tutti_segments(const tutti_call *call, uint64_t first, uint64_t total)
{
  uint64_t length = total;
  if (call->parameters.segment_bytes > 0 && call->type_size > 0)
    length = call->parameters.segment_bytes / call->type_size;
  if (length > total)
    length = total;
  if (length == 0)
    length = 1;
  uint64_t count = total > 0 ? (total - 1) / length + 1 : 0;
  return (tutti_segmentation){.first = first, .total = total, .length = length, .count = count};
}

tutti_block tutti_segment(const tutti_segmentation *segments, uint64_t index)
{
  uint64_t begin = index * segments->length, rest = segments->total - begin;
  return tutti_block_of(TUTTI_OUTPUT, segments->first + begin, rest < segments->length ? rest : segments->length);
}

bool tutti_reserve_segments(tutti_builder *builder, const tutti_segmentation *segments, uint32_t stride)
{
  bool wraps = segments->count > TUTTI_MAX_VERTICES;
  return tutti_builder_reserve(builder, wraps ? segments->count : segments->count * stride,
                               wraps ? segments->count : segments->count * 2 * stride);
}

void tutti_keep_window(tutti_builder *builder, const tutti_call *call, tutti_vertex_id vertex, uint64_t index,
                       uint32_t stride)
{
  uint64_t outstanding = (uint64_t)call->parameters.outstanding;
  if (outstanding > 0 && index >= outstanding && vertex != TUTTI_NO_VERTEX)
    tutti_add_after(builder, vertex, (tutti_vertex_id)(vertex - outstanding * stride));
}

void tutti_after_window(tutti_builder *builder, const tutti_call *call, tutti_vertex_id vertex, tutti_vertex_id first,
                        uint64_t count, uint32_t stride)
{
  uint64_t outstanding = (uint64_t)call->parameters.outstanding;
  if (first == TUTTI_NO_VERTEX)
    return;
  for (uint64_t index = outstanding > 0 && count > outstanding ? count - outstanding : 0; index < count; index++)
    tutti_add_after(builder, vertex, (tutti_vertex_id)(first + index * stride));
}

/* ---- slots ---- */

enum { SMALL_BYTES = 64 << 10 };

static uint64_t smaller(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

struct slots tutti_slots(tutti_builder *builder, uint64_t count, uint64_t length)
{
  struct slots slots = {.length = length, .count = count};
  if (count == 0 || length == 0)
    return slots;
  slots.buffer = tutti_builder_temporary(builder, count * length);
  slots.freed_by = tutti_builder_scratch(builder, count * sizeof *slots.freed_by);
  for (uint64_t i = 0; slots.freed_by && i < count; i++)
    slots.freed_by[i] = TUTTI_NO_VERTEX;
  return slots;
}

struct slots tutti_slots_for_segments(tutti_builder *builder, const tutti_call *call,
                                      const tutti_segmentation *segments, uint64_t least, uint64_t peers)
{
  uint64_t outstanding = (uint64_t)call->parameters.outstanding, bytes = segments->length * call->type_size;
  uint64_t in_message = smaller(outstanding, segments->count), cheap = bytes ? SMALL_BYTES / bytes : 0;
  uint64_t count = smaller(larger(in_message, cheap), outstanding * peers);
  return tutti_slots(builder, smaller(larger(count, least), segments->count * peers), segments->length);
}

tutti_vertex_id tutti_slots_recv(tutti_builder *builder, struct slots *slots, int peer, uint64_t count,
                                 tutti_block *where)
{
  if (!slots->freed_by)
    return TUTTI_NO_VERTEX;
  uint64_t slot = slots->next++ % slots->count;
  *where = tutti_block_of(slots->buffer, slot * slots->length, count);
  tutti_vertex_id received = tutti_add_recv(builder, peer, *where);
  tutti_add_after(builder, received, slots->freed_by[slot]);
  return received;
}

void tutti_slots_free(struct slots *slots, tutti_block where, tutti_vertex_id vertex)
{
  if (slots->freed_by)
    slots->freed_by[where.first / slots->length] = vertex;
}
