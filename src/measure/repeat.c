#include "measure/repeat.h"

#include <stdlib.h>

#include "measure/coordinate.h"

tutti_status sample_open(const tutti_measure *measure, const tutti_view *view, struct sample *sample,
                         tutti_error *error)
{
  *sample = (struct sample){.count = 0};
  if (view->rank != 0)
    return TUTTI_OK;
  sample->values = malloc((size_t)measure->repetitions_max * sizeof *sample->values);
  if (!sample->values)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank 0: out of memory for %d repetitions", measure->repetitions_max);
  return TUTTI_OK;
}

void sample_free(struct sample *sample)
{
  free(sample->values);
  sample->values = NULL;
}

bool sample_is_enough(struct sample *sample, const tutti_measure *measure)
{
  if (sample->count == 0)
    return false;
  sample->statistics = tutti_statistics_of(sample->values, sample->count);
  return tutti_clock_is_simulated() || sample->count >= measure->repetitions_max ||
         tutti_statistics_are_stable(&sample->statistics, measure->confidence);
}

/* Whether to go on is known to everybody in simulation. */
static tutti_status repeat(const tutti_measure *measure, int warmup, const tutti_view *view, repeat_once *once,
                           void *context, struct sample *sample, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  char done = 0;
  for (int round = 0; status == TUTTI_OK && !done; round++) {
    double seconds;
    status = once(context, round, &seconds, error);
    if (status == TUTTI_OK && round >= warmup && view->rank == 0) {
      sample->values[sample->count++] = seconds;
      done = sample_is_enough(sample, measure);
    }
    if (tutti_clock_is_simulated())
      done = round >= warmup;
    else if (status == TUTTI_OK)
      status = tutti_bcast_from_rank0(view, &done, sizeof done, error);
  }
  return status;
}

tutti_status tutti_repeat(const tutti_measure *measure, int warmup, const tutti_view *view, repeat_once *once,
                          void *context, struct statistics *statistics, tutti_error *error)
{
  struct sample sample;
  tutti_status status = sample_open(measure, view, &sample, error);
  if (status == TUTTI_OK)
    status = repeat(measure, warmup, view, once, context, &sample, error);
  *statistics = sample.statistics;
  sample_free(&sample);
  return status;
}
