/* Which engine simulates an experiment, and in how many orders the ranks start. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "experiments/experiment_private.h"

static bool is_fast(const char *flavor)
{
  return flavor && strcmp(flavor, TUTTI_FLAVOR_FAST) == 0;
}

tutti_status tutti_experiment_set_engine(tutti_experiment *experiment, const char *engine, tutti_error *error)
{
  if (!experiment->platform_path)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the engine %s simulates a platform, and there is none", engine);
  if (is_fast(engine) && experiment->result_count > 0)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "the engine %s measures collectives and groups only", engine);
  free(experiment->flavor);
  experiment->flavor = tutti_xstrdup(engine);
  return TUTTI_OK;
}

/* Does it measure nothing but what an MPI library runs? */
static bool is_of_libraries(const tutti_experiment *experiment)
{
  for (int s = 0; s < experiment->sweep_count; s++) {
    const tutti_sweep *sweep = &experiment->sweeps[s];
    for (int i = 0; i < sweep->method_count; i++)
      if (!tutti_method_is_library(&sweep->methods[i]))
        return false;
    for (size_t i = 0; i < sweep->pick_count; i++)
      if (!tutti_method_is_library(&sweep->picks[i].method))
        return false;
  }
  return experiment->sweep_count > 0;
}

tutti_status tutti_experiment_choose_engine(tutti_experiment *experiment, const char *engine, int orders,
                                            tutti_error *error)
{
  tutti_error reason;
  tutti_status status = engine ? tutti_experiment_set_engine(experiment, engine, &reason) : TUTTI_OK;
  if (status == TUTTI_OK && orders > 1 && !is_fast(experiment->flavor))
    status = tutti_fail(&reason, TUTTI_ERR_ARGUMENT, "only the engine %s starts the ranks in several orders",
                        TUTTI_FLAVOR_FAST);
  if (status == TUTTI_OK && is_fast(experiment->flavor) && is_of_libraries(experiment))
    status = tutti_fail(&reason, TUTTI_ERR_UNSUPPORTED,
                        "the engine %s runs schedules; what a library runs (native, @smpi) SMPI alone can run: "
                        "--engine smpi",
                        TUTTI_FLAVOR_FAST);
  if (status == TUTTI_OK && orders > 1 && experiment->group_count > 0)
    status = tutti_fail(&reason, TUTTI_ERR_ARGUMENT, "groups are built in one order of start");
  if (status != TUTTI_OK)
    return tutti_fail(error, status, "%s: %s", experiment->path, reason.message);
  if (orders > 0)
    experiment->measure.orders = orders;
  return TUTTI_OK;
}
