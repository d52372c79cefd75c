/* Which engine simulates an experiment, and in how many orders the ranks start. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/results/range_point.h"
#include "harness/experiments/file/experiment_private.h"

static bool is_engine(const tutti_experiment *experiment)
{
  return experiment->flavor && tutti_flavor_is_engine(experiment->flavor);
}

/* Whether one of its results is not an operation on ranges, or is made by a library. */
static bool has_unscheduled(const tutti_experiment *experiment)
{
  tutti_error ignored;
  for (int s = 0; s < experiment->result_count; s++)
    for (size_t i = 0; i < experiment->results[s].point_count; i++) {
      const tutti_result *result = &experiment->results[s].points[i];
      struct range_point point = {.count = 0};
      if (result->kind != TUTTI_RESULT_RANGE ||
          tutti_range_operation_parse(result->values[TUTTI_RANGE_FIELD_OPERATION].string, &point.operation, &ignored) !=
              TUTTI_OK ||
          tutti_range_way_parse(result->values[TUTTI_RANGE_FIELD_WAY].string, &point, &ignored) != TUTTI_OK ||
          !tutti_range_is_scheduled(point.way))
        return true;
    }
  return false;
}

tutti_status tutti_experiment_set_engine(tutti_experiment *experiment, const char *engine, tutti_error *error)
{
  if (!experiment->platform_path && tutti_experiment_measures(experiment))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the engine %s simulates a platform, and there is none", engine);
  if (tutti_flavor_is_engine(engine) && has_unscheduled(experiment))
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED,
                      "the engine %s measures collectives, groups, and ranges without a library's own ways only",
                      engine);
  free(experiment->flavor);
  experiment->flavor = tutti_xstrdup(engine);
  return TUTTI_OK;
}

/* Whether one of its sweeps measures methods that an MPI library runs (of_libraries), or other methods. */
static bool has_methods(const tutti_experiment *experiment, bool of_libraries)
{
  for (int s = 0; s < experiment->sweep_count; s++) {
    const tutti_sweep *sweep = &experiment->sweeps[s];
    for (int i = 0; i < sweep->method_count; i++)
      if (tutti_method_is_library(&sweep->methods[i]) == of_libraries)
        return true;
    for (size_t i = 0; i < sweep->pick_count; i++)
      if (tutti_method_is_library(&sweep->picks[i].method) == of_libraries)
        return true;
  }
  return false;
}

bool tutti_experiment_suits_engine(const tutti_experiment *experiment, const char *engine)
{
  return (experiment->platform_path || !tutti_experiment_measures(experiment)) &&
         !(tutti_flavor_is_engine(engine) && (has_unscheduled(experiment) || has_methods(experiment, true)));
}

tutti_status tutti_experiment_choose_engine(tutti_experiment *experiment, const char *engine, int orders,
                                            tutti_error *error)
{
  tutti_error reason;
  tutti_status status = engine ? tutti_experiment_set_engine(experiment, engine, &reason) : TUTTI_OK;
  if (status == TUTTI_OK && orders > 1 && !is_engine(experiment))
    status = tutti_fail(&reason, TUTTI_ERR_ARGUMENT, "only the engines %s and %s start the ranks in several orders",
                        TUTTI_FLAVOR_FAST, TUTTI_FLAVOR_FLOW);
  if (status == TUTTI_OK && is_engine(experiment) && experiment->sweep_count > 0 && !has_methods(experiment, false))
    status = tutti_fail(&reason, TUTTI_ERR_UNSUPPORTED,
                        "the engine %s runs schedules; what a library runs (native, @smpi) SMPI alone can run: "
                        "--engine smpi",
                        experiment->flavor);
  if (status == TUTTI_OK && orders > 1 && (experiment->group_count > 0 || experiment->result_count > 0))
    status = tutti_fail(&reason, TUTTI_ERR_ARGUMENT, "groups are built in one order of start");
  if (status != TUTTI_OK)
    return tutti_fail(error, status, "%s: %s", experiment->path, reason.message);
  if (orders > 0)
    experiment->measure.orders = orders;
  return TUTTI_OK;
}
