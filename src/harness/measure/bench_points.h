/* What tutti-bench measures, and how many bytes that needs. Knows no MPI, so that it is tested without it. */
#ifndef TUTTI_MEASURE_BENCH_POINTS_H
#define TUTTI_MEASURE_BENCH_POINTS_H

#include "harness/measure/points.h"
#include "tutti/noise.h"

/* A collective without data has no elements, and one without a root has root 0, whatever the file says. */
struct point {
  tutti_method method;
  int root;
  uint64_t count; /* elements as in the call: of the message, or of the block of one rank; the irregular forms are
                     measured with the same count everywhere */
  uint64_t type_size;
  tutti_arrival arrival;
  tutti_noise noise;
  int launch; /* whose number a record repeats */
};

/* Points are struct point. */
extern const struct points_kind tutti_bench_points;

/* The trace of a pattern, which the points have; NULL if the pattern is none. */
const tutti_trace *tutti_points_trace(const struct points *points, const tutti_arrival *arrival);

/* TUTTI_ERR_UNSUPPORTED: @p calls calls took @p seconds beyond what surrounds them, too little to be stored. */
tutti_status tutti_point_without_time(const struct points *points, const struct point *point, int calls, double seconds,
                                      tutti_error *error);

/* Bytes of the two buffers of a rank. */
struct buffer_sizes {
  uint64_t input, output;
};

/* What one rank needs for a point on `ranks` ranks, which tutti_buffer_sizes_check() admitted. */
struct buffer_sizes tutti_buffer_sizes_of(const struct point *point, int ranks, int rank);

/* What one rank needs for the largest of all points. */
struct buffer_sizes tutti_buffer_sizes_max(const struct points *points, int ranks, int rank);

/*
 * Can the points be measured on `ranks` ranks? TUTTI_ERR_ARGUMENT names a point whose blocks are more than memory can
 * address, or whose counts and displacements, which the irregular forms hand over as int, are more than that type
 * holds.
 */
tutti_status tutti_buffer_sizes_check(const struct points *points, int ranks, tutti_error *error);

/* Bytes that the buffers of `ranks` ranks take together where `sharing` of them, the roots first, share a memory;
   UINT64_MAX if that is more than a number holds. */
uint64_t tutti_buffer_sizes_sum(const struct points *points, int ranks, int sharing);

#endif
