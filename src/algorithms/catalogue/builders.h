/* Common parts of algorithms: the build functions named in catalogue.def, schedules down and up any tree, parts made by
   other algorithms, segments of a message, and slots to receive operands into. */
#ifndef TUTTI_ALGORITHMS_BUILDERS_H
#define TUTTI_ALGORITHMS_BUILDERS_H

#include "tutti/algorithm.h"
#include "tutti/segments.h"
#include "tutti/tree.h"

#define ALGORITHM(collective, name, build, ...) void build(tutti_builder *builder, const tutti_call *call);
#include "algorithms/catalogue/catalogue.def"
#undef ALGORITHM

/* The place of the rank of the call in a tree from that root; false, and a fault, on failure. */
bool tutti_place_in_tree(tutti_builder *builder, const tutti_call *call, tutti_tree_shape shape, int root,
                         tutti_tree *tree);

/* The pipeline down any tree: receive each segment from the parent, forward it to all children. Segment s is received
   by vertex s * (child_count + 1) of those added; the root, which receives nothing, adds child_count vertices a
   segment. */
void tutti_build_segments_on_tree(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree,
                                  const tutti_segmentation *segments);

/* The pipeline up any tree, to its root, of a reduction that commutes: bcast backwards. */
void tutti_build_reduce_on_tree(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree);

/* A report up any tree and the exit message down. */
void tutti_build_barrier_on_tree(tutti_builder *builder, const tutti_tree *tree);

/* For a reduction to all ranks, or to the root: no elements need no work; one rank copies its message. Returns whether
   that is all. */
static inline bool tutti_build_trivial(tutti_builder *builder, const tutti_call *call)
{
  if (call->size == 1 && call->count > 0)
    tutti_add_copy(builder, tutti_block_of(TUTTI_INPUT, 0, call->count), tutti_block_of(TUTTI_OUTPUT, 0, call->count));
  return call->size == 1 || call->count == 0;
}

/* ---- groups reduced to a power of two ---- */

/* The largest power of two up to a number from 1 on. */
static inline int tutti_power_up_to(int number)
{
  int power = 1;
  while (power <= number / 2)
    power *= 2;
  return power;
}

/* The first rank of virtual rank v, if each of the first `pairs` virtual ranks acts for two neighbors. */
static inline int tutti_folded_rank(int v, int pairs)
{
  return v < pairs ? 2 * v : v + pairs;
}

/* ---- algorithms made of other algorithms ---- */

/* Add part number `index` of the method of `call` among the ranks and on the buffers of `scope`, which is entered and
   left. `own` is the call of the part; its size, rank, type, operation and parameters are filled in here, its root,
   count and layouts by the caller. Returns what tutti_builder_leave() does. */
tutti_vertex_id tutti_build_part(tutti_builder *builder, const tutti_call *call, int index, tutti_scope *scope,
                                 tutti_call own);

/* ---- segments of a message (tutti/segments.h) ---- */

/* Room for `stride` vertices a segment with two edges each; false, and a fault, if that is too much. */
bool tutti_reserve_segments(tutti_builder *builder, const tutti_segmentation *segments, uint32_t stride);

/* ---- places to receive operands of a reduction into: a few of equal length in one temporary, taken in turns ---- */

struct slots {
  tutti_buffer buffer;
  uint64_t length; /* elements of a slot */
  uint64_t count;
  uint64_t next;             /* receives so far; the next one gets slot next mod count */
  tutti_vertex_id *freed_by; /* [count] vertex whose end frees the slot; NULL without memory or slots */
};

/* `count` slots of `length` elements. */
struct slots tutti_slots(tutti_builder *builder, uint64_t count, uint64_t length);

/* Slots for segments that arrive from `peers` ranks each: at least `least`, if as many segments arrive at all; more, up
   to the number that may be in flight, as long as they are no larger than the message or than 64 KiB. */
struct slots tutti_slots_for_segments(tutti_builder *builder, const tutti_call *call,
                                      const tutti_segmentation *segments, uint64_t least, uint64_t peers);

/* Add a receive of `count` elements into the next slot, once that is free; *where becomes the block. */
tutti_vertex_id tutti_slots_recv(tutti_builder *builder, struct slots *slots, int peer, uint64_t count,
                                 tutti_block *where);

/* The slot of `where` is free once `vertex` is complete. To be called for each receive before its slot's turn comes. */
void tutti_slots_free(struct slots *slots, tutti_block where, tutti_vertex_id vertex);

#endif
