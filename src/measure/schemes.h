/* The schemes: OCC and window, in simulation and on real machines. */
#ifndef TUTTI_MEASURE_SCHEMES_H
#define TUTTI_MEASURE_SCHEMES_H

#include "measure/pattern.h"
#include "measure/statistics.h"
#include "measure/subject.h"

/* What a launch measures with. */
struct bench {
  tutti_view view;
  const struct points *points;
  struct clock clock;
  struct pattern pattern; /* of the point that is measured */
  tutti_measure measure;
  struct buffers buffers;
  double barrier; /* seconds that the OCC scheme takes off */
};

/* Synchronise the clocks and, for OCC, time the barrier. */
tutti_status tutti_bench_prepare(struct bench *bench, tutti_error *error);

/* Measure one point; the statistics are valid at rank 0. In simulation one repetition is exact. */
tutti_status tutti_bench_measure(struct bench *bench, const struct point *point, struct statistics *statistics,
                                 tutti_error *error);

#endif
