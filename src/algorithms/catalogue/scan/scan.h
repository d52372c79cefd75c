/* Common parts of the scans. */
#ifndef TUTTI_ALGORITHMS_SCAN_SCAN_H
#define TUTTI_ALGORITHMS_SCAN_SCAN_H

#include "tutti/algorithm.h"

/* The two ways to end a sum of contributions. */
typedef enum scan_kind {
  SCAN_INCLUSIVE, /* scan: the own contribution is in */
  SCAN_EXCLUSIVE, /* exscan: without the own contribution, and rank 0 has no result */
} scan_kind;

/* The elements of a segment in another buffer. */
static inline tutti_block tutti_scan_in(tutti_buffer buffer, tutti_block segment)
{
  return tutti_block_of(buffer, segment.first, segment.count);
}

/* A copy of the own contribution of segment number `index`, to be combined with what comes before it. It waits for
   vertex `begin`, with which its segment begins, of the segment before, added `stride` vertices earlier: copied all at
   once, a long message would hold up the first segments. */
static inline tutti_vertex_id tutti_scan_copy(tutti_builder *builder, tutti_block segment, tutti_buffer target,
                                              tutti_vertex_id begin, uint64_t index, uint32_t stride)
{
  tutti_vertex_id copied = tutti_add_copy(builder, tutti_scan_in(TUTTI_INPUT, segment), tutti_scan_in(target, segment));
  if (index > 0)
    tutti_add_after(builder, copied, begin - stride);
  return copied;
}

#endif
