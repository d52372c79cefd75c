/**
 * @file segments.h
 * @ingroup catalogue
 * Cutting a message into segments, for build functions of the catalogue and of plug-ins.
 *
 * An algorithm that takes segments (TUTTI_TAKES_SEGMENT) asks how its message is cut, and adds the vertices of one
 * segment after those of the one before:
 *
 *     const tutti_segmentation segments = tutti_segments(call, 0, call->count);
 *     for (uint64_t s = 0; s < segments.count; s++)
 *       tutti_add_send(builder, peer, tutti_segment(&segments, s));
 *
 * Messages from one rank to another arrive in the order in which they are added. Segments wait for each other only
 * where they share a buffer, or where the algorithm limits how many are in flight (TUTTI_TAKES_OUTSTANDING).
 */
#ifndef TUTTI_SEGMENTS_H
#define TUTTI_SEGMENTS_H

#include "tutti/algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A range of elements cut into equal segments, the last one shorter if it does not divide. */
typedef struct tutti_segmentation {
  uint64_t first;  /**< of the range */
  uint64_t total;  /**< elements of the range */
  uint64_t length; /**< elements of a segment, >= 1 */
  uint64_t count;  /**< number of segments; 0 if the range is empty */
} tutti_segmentation;

/**
 * Cut the elements from @p first on, @p total of them. The segment size of the call is rounded down to whole elements,
 * but to no less than one; 0 bytes mean one segment.
 */
tutti_segmentation tutti_segments(const tutti_call *call, uint64_t first, uint64_t total);

/** Segment number @p index as a block of the output buffer. */
tutti_block tutti_segment(const tutti_segmentation *segments, uint64_t index);

/** Number @p index of @p parts shares of a block; the first ones are an element longer if it does not divide. */
tutti_block tutti_block_share(tutti_block block, int index, int parts);

/**
 * Limit the messages of a channel in flight to the `outstanding` of the call: @p vertex, which carries segment number
 * @p index, waits for the one that carries segment index - outstanding, which was added @p stride vertices earlier for
 * each segment between. 0, which algorithms without the parameter have: no limit.
 */
void tutti_keep_window(tutti_builder *builder, const tutti_call *call, tutti_vertex_id vertex, uint64_t index,
                       uint32_t stride);

/**
 * Let @p vertex wait for all of a run of @p count such vertices, @p first being the one of segment 0. Only the last
 * window of them needs an edge: each of them waits for all before it.
 */
void tutti_after_window(tutti_builder *builder, const tutti_call *call, tutti_vertex_id vertex, tutti_vertex_id first,
                        uint64_t count, uint32_t stride);

#ifdef __cplusplus
}
#endif
#endif
