/* What the store has already: read once, because a query a point would take longer than a simulation. */
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

static tutti_status read_measurements(const struct run *run, tutti_selection *selection,
                                      tutti_measurement **measurements, size_t *count)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < TUTTI_COLL_COUNT && status == TUTTI_OK; i++) {
    if (!has_collective(run->experiment, (tutti_collective)i))
      continue;
    tutti_measurement *some = NULL;
    size_t some_count = 0;
    selection->collective = (tutti_collective)i;
    status = tutti_store_read(run->store, selection, &some, &some_count, run->error);
    if (status == TUTTI_OK && some_count > 0) {
      *measurements = tutti_xrealloc(*measurements, (*count + some_count) * sizeof **measurements);
      memcpy(*measurements + *count, some, some_count * sizeof *some);
      *count += some_count;
    }
    free(some);
  }
  return status;
}

tutti_status tutti_run_read_present(const struct run *run, tutti_present *present)
{
  const struct job_manifest *manifest = &run->manifest;
  tutti_selection selection = {.platform = manifest->platform,
                               .platform_hash = manifest->platform_hash,
                               .flavor = manifest->flavor,
                               .library = manifest->library,
                               .tutti = manifest->tutti,
                               .scheme = (int)manifest->scheme,
                               .any_pattern = true,
                               .ranks_per_node = manifest->ranks_per_node};
  tutti_measurement *measurements = NULL;
  tutti_group_run *builds = NULL;
  tutti_result *results = NULL;
  *present = (tutti_present){.measurement_count = 0};
  tutti_status status = read_measurements(run, &selection, &measurements, &present->measurement_count);
  if (status == TUTTI_OK && run->experiment->group_count > 0)
    status = tutti_store_read_builds(run->store, &selection, &builds, &present->build_count, run->error);
  if (status == TUTTI_OK && run->experiment->result_count > 0)
    status = tutti_store_read_results(run->store, &selection, run->experiment->result_kind, &results,
                                      &present->result_count, run->error);
  present->results = results;
  present->measurements = measurements;
  present->builds = builds;
  return status;
}
