/* Cutting a message into segments of whole elements. */
#ifndef TUTTI_ALGORITHMS_SEGMENTS_H
#define TUTTI_ALGORITHMS_SEGMENTS_H

#include "tutti/algorithm.h"

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
   one that carries segment index - outstanding, added `stride` vertices earlier for each segment between. */
void tutti_keep_window(tutti_builder *builder, const tutti_call *call, tutti_vertex_id vertex, uint64_t index,
                       uint32_t stride);

/* `vertex` waits for all of a run of `count` windowed vertices, `first` being the one of segment 0. Only the last
   window of them needs an edge: each of them waits for all before it. */
void tutti_after_window(tutti_builder *builder, const tutti_call *call, tutti_vertex_id vertex, tutti_vertex_id first,
                        uint64_t count, uint32_t stride);

#endif
