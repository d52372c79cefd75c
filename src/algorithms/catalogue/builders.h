/* Common parts of algorithms: the build functions named in catalogue.def, schedules down and up any tree, parts made by
   other algorithms, segments of a message, and slots to receive operands into. */
#ifndef TUTTI_ALGORITHMS_BUILDERS_H
#define TUTTI_ALGORITHMS_BUILDERS_H

#include "tutti/algorithm.h"
#include "tutti/tree.h"

#define ALGORITHM(collective, name, build, ...) void build(tutti_builder *builder, const tutti_call *call);
#include "algorithms/catalogue/catalogue.def"
#undef ALGORITHM

struct segments;

/* The place of the rank of the call in a tree from that root; false, and a fault, on failure. */
bool tutti_place_in_tree(tutti_builder *builder, const tutti_call *call, tutti_tree_shape shape, int root,
                         tutti_tree *tree);

/* The pipeline down any tree: receive each segment from the parent, forward it to all children. Segment s is received
   by vertex s * (child_count + 1) of those added; the root, which receives nothing, adds child_count vertices a
   segment. */
void tutti_build_segments_on_tree(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree,
                                  const struct segments *segments);

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

/* ---- cutting a message into segments of whole elements, or into shares ---- */

/* Number `index` of `parts` shares of a block; the first ones are an element longer if it does not divide. */
tutti_block tutti_block_share(tutti_block block, int index, int parts);

/* A range of elements cut into equal segments, the last one shorter if it does not divide. */
struct segments {
  uint64_t first;  /* of the range */
  uint64_t total;  /* elements of the range */
  uint64_t length; /* elements of a segment, >= 1 */
  uint64_t count;  /* number of segments; 0 if the range is empty */
};

/* Cut [first, first + total). The segment size of the call is rounded down to whole elements, but to no less than one;
   0 bytes mean one segment. */
struct segments tutti_segments(const tutti_call *call, uint64_t first, uint64_t total);

/* Segment number index as a block of the output buffer. */
tutti_block tutti_segment(const struct segments *segments, uint64_t index);

/* Room for `stride` vertices a segment with two edges each; false, and a fault, if that is too much. */
bool tutti_reserve_segments(tutti_builder *builder, const struct segments *segments, uint32_t stride);

/* At most `outstanding` messages of a channel are in flight: vertex, which carries segment number index, waits for the
   one that carries segment index - outstanding, added `stride` vertices earlier for each segment between. 0, which
   algorithms without the parameter have: no limit. */
void tutti_keep_window(tutti_builder *builder, const tutti_call *call, tutti_vertex_id vertex, uint64_t index,
                       uint32_t stride);

/* `vertex` waits for all of a run of `count` windowed vertices, `first` being the one of segment 0. Only the last
   window of them needs an edge: each of them waits for all before it. */
void tutti_after_window(tutti_builder *builder, const tutti_call *call, tutti_vertex_id vertex, tutti_vertex_id first,
                        uint64_t count, uint32_t stride);

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
struct slots tutti_slots_for_segments(tutti_builder *builder, const tutti_call *call, const struct segments *segments,
                                      uint64_t least, uint64_t peers);

/* Add a receive of `count` elements into the next slot, once that is free; *where becomes the block. */
tutti_vertex_id tutti_slots_recv(tutti_builder *builder, struct slots *slots, int peer, uint64_t count,
                                 tutti_block *where);

/* The slot of `where` is free once `vertex` is complete. To be called for each receive before its slot's turn comes. */
void tutti_slots_free(struct slots *slots, tutti_block where, tutti_vertex_id vertex);

#endif
