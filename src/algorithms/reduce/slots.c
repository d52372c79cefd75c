#include "algorithms/reduce/slots.h"

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

struct slots tutti_slots_for_segments(tutti_builder *builder, const tutti_call *call, const struct segments *segments,
                                      uint64_t least, uint64_t peers)
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
