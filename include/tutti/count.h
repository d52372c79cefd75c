/**
 * @file count.h
 * @ingroup analysis
 * What a schedule costs before any clock runs: messages, elements, memory, depth.
 */
#ifndef TUTTI_COUNT_H
#define TUTTI_COUNT_H

#include "tutti/algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Counts of one rank's schedule. Elements are of the datatype of the call. */
typedef struct tutti_count {
  uint64_t vertices;
  uint64_t sends; /**< messages sent */
  uint64_t receives;
  uint64_t elements_sent;
  uint64_t largest_message; /**< elements of the largest message sent */
  uint64_t elements_reduced;
  uint64_t elements_copied;
  uint64_t temporary_elements; /**< all temporaries together */
} tutti_count;

/** Counts of all ranks together. */
typedef struct tutti_total {
  tutti_count sum;     /**< over ranks; largest_message is the maximum */
  tutti_count maximum; /**< per member, over ranks */
  uint64_t depth;      /**< messages on the longest chain of vertices that wait for each other */
} tutti_total;

/** Count one schedule. */
tutti_count tutti_count_schedule(const tutti_schedule *schedule);

/**
 * Count the schedules of ranks 0..size-1 and the depth of the whole.
 * @return TUTTI_ERR_FAULT if they do not match or would deadlock (see tutti_verify()), TUTTI_ERR_MEMORY.
 */
tutti_status tutti_count_all(const tutti_schedule *schedules, int size, tutti_total *total, tutti_error *error);

/** Build the schedules of all ranks of @p call under @p method and count them. */
tutti_status tutti_count_method(const tutti_method *method, const tutti_call *call, tutti_total *total,
                                tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
