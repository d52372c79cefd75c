/* The repetitions of one measurement, which rank 0 keeps. */
#ifndef TUTTI_MEASURE_SAMPLE_H
#define TUTTI_MEASURE_SAMPLE_H

#include "measure/statistics.h"
#include "tutti/experiment.h"

struct sample {
  double *values; /* [repetitions_max]; owned */
  int count;
  struct statistics statistics; /* of those so far */
};

/* Free with sample_free() in any case. */
tutti_status sample_open(const tutti_measure *measure, struct sample *sample, tutti_error *error);
void sample_free(struct sample *sample);

/* Keep one repetition; are they enough? In simulation one is exact. */
bool sample_add(struct sample *sample, const tutti_measure *measure, double seconds);

#endif
