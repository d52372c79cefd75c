#include "algorithms/builders.h"

struct segments tutti_segments(const tutti_call *call, uint64_t first, uint64_t total)
{
  uint64_t length = total;
  if (call->parameters.segment_bytes > 0 && call->type_size > 0)
    length = call->parameters.segment_bytes / call->type_size;
  if (length > total)
    length = total;
  if (length == 0)
    length = 1;
  return (struct segments){.first = first, .total = total, .length = length, .count = (total + length - 1) / length};
}

tutti_block tutti_segment(const struct segments *segments, uint64_t index)
{
  uint64_t begin = index * segments->length, rest = segments->total - begin;
  return tutti_block_of(TUTTI_OUTPUT, segments->first + begin, rest < segments->length ? rest : segments->length);
}

bool tutti_reserve_segments(tutti_builder *builder, const struct segments *segments, uint32_t stride)
{
  bool wraps = segments->count > TUTTI_MAX_VERTICES;
  return tutti_builder_reserve(builder, wraps ? segments->count : segments->count * stride,
                               wraps ? segments->count : segments->count * 2 * stride);
}

void tutti_keep_window(tutti_builder *builder, const tutti_call *call, tutti_vertex_id vertex, uint64_t index,
                       uint32_t stride)
{
  uint64_t outstanding = (uint64_t)call->parameters.outstanding;
  if (index >= outstanding && vertex != TUTTI_NO_VERTEX)
    tutti_add_after(builder, vertex, (tutti_vertex_id)(vertex - outstanding * stride));
}

void tutti_after_window(tutti_builder *builder, const tutti_call *call, tutti_vertex_id vertex, tutti_vertex_id first,
                        uint64_t count, uint32_t stride)
{
  uint64_t outstanding = (uint64_t)call->parameters.outstanding;
  if (first == TUTTI_NO_VERTEX)
    return;
  for (uint64_t index = count > outstanding ? count - outstanding : 0; index < count; index++)
    tutti_add_after(builder, vertex, (tutti_vertex_id)(first + index * stride));
}
