/* Parameters of PLogP fitted to barriers and broadcasts of the store. */
#include <math.h>

#include "cli/options/predictors.h"

struct times {
  TUTTI_VECTOR(tutti_timed);
};

/* The times of a method, ascending by size. */
static tutti_status read_times(const struct selection_options *selected, const char *name, struct times *times,
                               tutti_error *error)
{
  struct measured_map measured = {0};
  tutti_method method;
  tutti_status status = tutti_method_parse(name, &method, error);
  if (status == TUTTI_OK)
    status = selection_read_map(selected, method.algorithm->collective, &measured, error);
  if (status != TUTTI_OK)
    return status;
  const tutti_decision_map *map = &measured.map;
  const int index = tutti_decision_map_find(map, &method);
  for (int j = 0; j < map->size_count && index >= 0; j++)
    for (int i = 0; i < map->ranks_count; i++) {
      double seconds = tutti_decision_map_time(map, i, j, index);
      if (!isnan(seconds))
        tutti_xpush(times, ((tutti_timed){map->ranks[i], (double)map->sizes[j], seconds}));
    }
  tutti_decision_map_free(&measured.map);
  return times->count > 0 ? TUTTI_OK
                          : tutti_fail(error, TUTTI_ERR_ARGUMENT, "--parameters fitted: no %s was measured on %s", name,
                                       selected->platform);
}

static tutti_status fit(const struct times *barrier, const struct times *pipeline, tutti_parameter_set *set,
                        tutti_error *error)
{
  tutti_plogp fitted;
  tutti_plogp_point *points = tutti_xcalloc(pipeline->count, sizeof *points);
  tutti_status status = tutti_plogp_fit(&set->plogp, barrier->items, barrier->count, pipeline->items, pipeline->count,
                                        points, &fitted, error);
  if (status != TUTTI_OK) {
    free(points);
    return status;
  }
  free(set->points);
  set->points = points;
  set->plogp = fitted;
  set->loggp = tutti_loggp_from_plogp(&fitted);
  return TUTTI_OK;
}

tutti_status predictors_fit(const struct selection_options *selected, tutti_parameter_set *set, tutti_error *error)
{
  struct times barrier = {0}, pipeline = {0};
  if (!set->has[TUTTI_MODEL_PLOGP])
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--parameters fitted: no overheads were measured on %s",
                      selected->platform);
  tutti_status status = read_times(selected, "barrier/linear", &barrier, error);
  if (status == TUTTI_OK)
    status = read_times(selected, "bcast/pipeline", &pipeline, error);
  if (status == TUTTI_OK)
    status = fit(&barrier, &pipeline, set, error);
  tutti_vector_free(&barrier);
  tutti_vector_free(&pipeline);
  return status;
}
