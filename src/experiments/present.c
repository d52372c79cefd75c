/* What the store has of an experiment: read once, because a query a point would take longer than a simulation. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "experiments/job_run.h"

static bool has_collective(const tutti_experiment *experiment, tutti_collective collective)
{
  for (int i = 0; i < experiment->sweep_count; i++)
    if (experiment->sweeps[i].collective == collective)
      return true;
  return false;
}

static tutti_status read_measurements(tutti_store *store, const tutti_experiment *experiment,
                                      tutti_selection *selection, tutti_measurement **measurements, size_t *count,
                                      tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < TUTTI_COLL_COUNT && status == TUTTI_OK; i++) {
    tutti_measurement *some = NULL;
    size_t some_count = 0;
    if (!has_collective(experiment, (tutti_collective)i))
      continue;
    selection->collective = (tutti_collective)i;
    status = tutti_store_read(store, selection, &some, &some_count, error);
    if (some_count > 0) {
      *measurements = tutti_xrealloc(*measurements, (*count + some_count) * sizeof **measurements);
      memcpy(*measurements + *count, some, some_count * sizeof *some);
      *count += some_count;
    }
    free(some);
  }
  return status;
}

tutti_status tutti_present_read(tutti_store *store, const tutti_experiment *experiment, tutti_selection *selection,
                                tutti_present *present, tutti_error *error)
{
  tutti_measurement *measurements = NULL;
  tutti_group_run *builds = NULL;
  tutti_result *results = NULL;
  *present = (tutti_present){.measurement_count = 0};
  tutti_status status =
      read_measurements(store, experiment, selection, &measurements, &present->measurement_count, error);
  if (status == TUTTI_OK && experiment->group_count > 0)
    status = tutti_store_read_builds(store, selection, &builds, &present->build_count, error);
  if (status == TUTTI_OK && experiment->result_count > 0)
    status =
        tutti_store_read_results(store, selection, experiment->result_kind, &results, &present->result_count, error);
  present->results = results;
  present->measurements = measurements;
  present->builds = builds;
  return status;
}

void tutti_present_free(tutti_present *present)
{
  free((void *)present->measurements);
  free((void *)present->builds);
  free((void *)present->results);
}
