/* Places to receive operands of a reduction into: a few of equal length in one temporary, taken in turns. */
#ifndef TUTTI_ALGORITHMS_REDUCE_SLOTS_H
#define TUTTI_ALGORITHMS_REDUCE_SLOTS_H

#include "algorithms/builders.h"

struct slots {
  tutti_buffer buffer;
  uint64_t length; /* elements of a slot */
  uint64_t count;
  uint64_t next;             /* receives so far; the next one gets slot next mod count */
  tutti_vertex_id *freed_by; /* [count] vertex whose end frees the slot; NULL if there is no memory or no slot */
};

/* `count` slots of `length` elements. */
struct slots tutti_slots(tutti_builder *builder, uint64_t count, uint64_t length);

/* Slots for segments that arrive from `peers` ranks each: at least `least`, if so many segments arrive at all; more, up
   to what may be in flight, as long as they are no larger than the message or than 64 KiB. */
struct slots tutti_slots_for_segments(tutti_builder *builder, const tutti_call *call, const struct segments *segments,
                                      uint64_t least, uint64_t peers);

/* Add a receive of `count` elements into the next slot, once that is free; *where becomes the block. */
tutti_vertex_id tutti_slots_recv(tutti_builder *builder, struct slots *slots, int peer, uint64_t count,
                                 tutti_block *where);

/* The slot of `where` is free once `vertex` is complete. To be said of each receive before its slot's turn comes. */
void tutti_slots_free(struct slots *slots, tutti_block where, tutti_vertex_id vertex);

#endif
