#include "measure/sample.h"

#include <stdlib.h>

#include "measure/clock.h"

tutti_status sample_open(const tutti_measure *measure, struct sample *sample, tutti_error *error)
{
  *sample = (struct sample){.values = malloc((size_t)measure->repetitions_max * sizeof *sample->values)};
  if (!sample->values)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank 0: out of memory for %d repetitions", measure->repetitions_max);
  return TUTTI_OK;
}

void sample_free(struct sample *sample)
{
  free(sample->values);
  sample->values = NULL;
}

bool sample_add(struct sample *sample, const tutti_measure *measure, double seconds)
{
  sample->values[sample->count++] = seconds;
  sample->statistics = tutti_statistics_of(sample->values, sample->count);
  return tutti_clock_is_simulated() || sample->count >= measure->repetitions_max ||
         tutti_statistics_settled(&sample->statistics, measure->confidence);
}
