/* Repeating a measurement until its median is known well enough. */
#ifndef TUTTI_MEASURE_REPEAT_H
#define TUTTI_MEASURE_REPEAT_H

#include "measure/clock.h"
#include "measure/statistics.h"
#include "tutti/experiment.h"

/* The repetitions of one measurement, at rank 0. */
struct sample {
  double *values; /* [repetitions_max]; owned */
  int count;
  struct statistics statistics; /* of those so far */
};

/* Nothing at other ranks. Free with sample_free() in any case. */
tutti_status sample_open(const tutti_measure *measure, const tutti_view *view, struct sample *sample,
                         tutti_error *error);
void sample_free(struct sample *sample);

/* Are the repetitions so far enough? In simulation one is exact. */
bool sample_is_enough(struct sample *sample, const tutti_measure *measure);

/* One repetition on all ranks. Rounds count from 0, those of the warm-up included; *seconds is valid at rank 0. */
typedef tutti_status repeat_once(void *context, int round, double *seconds, tutti_error *error);

/* Repeat until rank 0 has enough, which it tells the others on `view`. The statistics, at rank 0, are of the
   repetitions after `warmup` ones. */
tutti_status tutti_repeat(const tutti_measure *measure, int warmup, const tutti_view *view, repeat_once *once,
                          void *context, struct statistics *statistics, tutti_error *error);

#endif
