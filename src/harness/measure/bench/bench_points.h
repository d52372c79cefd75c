/* The points of tutti-bench, and the bytes they need. Independent of MPI, so that tests run without it. */
#ifndef TUTTI_MEASURE_BENCH_POINTS_H
#define TUTTI_MEASURE_BENCH_POINTS_H

#include "harness/measure/points.h"
#include "tutti/noise.h"

/* A collective without data has 0 elements, and one without a root has root 0, whatever the file says. */
struct point {
  tutti_method method;
  int root;
  uint64_t count; /* elements as in the call: of the message, or of the block of one rank; the irregular forms are
                     measured with the same count everywhere */
  uint64_t type_size;
  tutti_arrival arrival;
  tutti_noise noise;
  int launch; /* a record repeats this number */
};

/* Points are struct point. */
extern const struct points_kind tutti_bench_points;

/* The trace of the points' pattern, or NULL if they have none. */
const tutti_trace *tutti_points_trace(const struct points *points, const tutti_arrival *arrival);

/* TUTTI_ERR_UNSUPPORTED: @p calls calls took @p seconds beyond what surrounds them, too little to be stored. */
tutti_status tutti_point_without_time(const struct points *points, const struct point *point, int calls, double seconds,
                                      tutti_error *error);

/* Bytes of the two buffers of a rank. */
struct buffer_sizes {
  uint64_t input, output;
};

/* Buffer sizes of one rank for a point on `ranks` ranks, which tutti_buffer_sizes_check() accepted. */
struct buffer_sizes tutti_buffer_sizes_of(const struct point *point, int ranks, int rank);

/* Buffer sizes of one rank for the largest of all points. */
struct buffer_sizes tutti_buffer_sizes_max(const struct points *points, int ranks, int rank);

/*
 * Check that the points can be measured on `ranks` ranks. TUTTI_ERR_ARGUMENT names a point whose blocks exceed the
 * address space, or whose counts and displacements, which the irregular forms pass as int, exceed that type.
 */
tutti_status tutti_buffer_sizes_check(const struct points *points, int ranks, tutti_error *error);

/* Bytes that the buffers of `ranks` ranks take together where `sharing` of them, the roots first, share a memory;
   UINT64_MAX if that is more than a number holds. */
uint64_t tutti_buffer_sizes_sum(const struct points *points, int ranks, int sharing);

#endif
