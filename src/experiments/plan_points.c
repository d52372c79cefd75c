/* The points that an experiment asks for. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "experiments/plan_private.h"

/* TUTTI_ERR_UNSUPPORTED: outside the domain of the method, which is no error of the experiment. */
static tutti_status check_point(const tutti_experiment *experiment, const tutti_point *point, tutti_error *error)
{
  tutti_error reason = {0};
  if (point->result)
    return tutti_result_check_point(point->result, &reason) == TUTTI_OK ? TUTTI_OK : TUTTI_ERR_UNSUPPORTED;
  if (point->build.builder)
    return tutti_group_point_check(&point->build, &reason) == TUTTI_OK ? TUTTI_OK : TUTTI_ERR_UNSUPPORTED;
  tutti_call call = {.size = point->ranks,
                     .root = point->root,
                     .count = point->count,
                     .type_size = point->type_size,
                     .commutative = true,
                     .parameters = point->method.parameters};
  tutti_status status = tutti_method_check(&point->method, &call, &reason);
  if (status == TUTTI_OK)
    status = tutti_arrival_check(&point->arrival, point->ranks, &reason);
  if (status == TUTTI_OK)
    status = tutti_noise_check(&point->noise, &point->method, &reason);
  if (tutti_point_launch(point) > 1 && strcmp(experiment->flavor, "smpi") != 0)
    status = tutti_fail(&reason, TUTTI_ERR_ARGUMENT, "selectors are those of the simulator: a library has its own");
  if (status == TUTTI_OK || status == TUTTI_ERR_UNSUPPORTED)
    return status;
  char name[TUTTI_METHOD_LENGTH];
  return tutti_fail(error, status, "%s: %s on %d ranks: %.200s", experiment->path,
                    tutti_method_format(&point->method, name), point->ranks, reason.message);
}

static tutti_status add_point(const tutti_experiment *experiment, tutti_point *point, struct point_list *list,
                              size_t *outside, tutti_error *error)
{
  tutti_status status = check_point(experiment, point, error);
  if (status == TUTTI_ERR_UNSUPPORTED) {
    ++*outside;
    return TUTTI_OK;
  }
  if (status != TUTTI_OK)
    return status;
  point->cost = tutti_point_cost(point);
  tutti_xpush(list, *point);
  return TUTTI_OK;
}

static tutti_point point_at(const tutti_sweep *sweep, const tutti_method *method, int ranks, uint64_t size)
{
  return (tutti_point){.method = *method, .ranks = ranks, .root = sweep->root, .count = size, .type_size = 1};
}

/* A point under each arrival pattern and noise of its sweep. */
static tutti_status add_patterns(const tutti_experiment *experiment, const tutti_sweep *sweep, tutti_point point,
                                 struct point_list *list, size_t *outside, tutti_error *error)
{
  const tutti_patterns *patterns = &sweep->patterns;
  tutti_status status = TUTTI_OK;
  for (size_t a = 0; a == 0 || a < patterns->arrival_count; a++)
    for (size_t n = 0; (n == 0 || n < patterns->noise_count) && status == TUTTI_OK; n++) {
      if (patterns->arrival_count > 0)
        point.arrival = patterns->arrivals[a];
      if (patterns->noise_count > 0)
        point.noise = patterns->noises[n];
      status = add_point(experiment, &point, list, outside, error);
    }
  return status;
}

static tutti_status add_picks(const tutti_experiment *experiment, const tutti_sweep *sweep, struct point_list *list,
                              size_t *outside, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < sweep->pick_count && status == TUTTI_OK; i++) {
    const tutti_pick *pick = &sweep->picks[i];
    tutti_point point = point_at(sweep, &pick->method, pick->ranks, pick->size);
    status = add_patterns(experiment, sweep, point, list, outside, error);
  }
  return status;
}

static tutti_status add_sweep(const tutti_experiment *experiment, const tutti_sweep *sweep, struct point_list *list,
                              size_t *outside, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int r = 0; r < sweep->ranks_count; r++)
    for (int s = 0; s < sweep->size_count; s++)
      for (int m = 0; m < sweep->method_count && status == TUTTI_OK; m++) {
        tutti_point point = point_at(sweep, &sweep->methods[m], sweep->ranks[r], sweep->sizes[s]);
        status = add_patterns(experiment, sweep, point, list, outside, error);
      }
  return status == TUTTI_OK ? add_picks(experiment, sweep, list, outside, error) : status;
}

static tutti_status add_groups(const tutti_experiment *experiment, const tutti_group_sweep *sweep,
                               struct point_list *list, size_t *outside, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int r = 0; r < sweep->ranks_count; r++)
    for (size_t p = 0; p < sweep->point_count && status == TUTTI_OK; p++) {
      tutti_point point = {.ranks = sweep->ranks[r], .build = sweep->points[p]};
      point.build.sample.size = point.ranks;
      status = add_point(experiment, &point, list, outside, error);
    }
  return status;
}

static tutti_status add_results(const tutti_experiment *experiment, const tutti_result_sweep *sweep,
                                struct point_list *list, size_t *outside, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t p = 0; p < sweep->point_count && status == TUTTI_OK; p++) {
    tutti_point point = tutti_point_of_row(tutti_experiment_row(experiment), &sweep->points[p]);
    status = add_point(experiment, &point, list, outside, error);
  }
  return status;
}

static void drop_repeated(struct point_list *list)
{
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++)
    if (kept == 0 || tutti_point_compare(&list->items[kept - 1], &list->items[i]) != 0)
      list->items[kept++] = list->items[i];
  list->count = kept;
}

tutti_status tutti_points_of_experiment(const tutti_experiment *experiment, struct point_list *list, size_t *outside,
                                        tutti_error *error)
{
  *outside = 0;
  for (int i = 0; i < experiment->sweep_count; i++) {
    tutti_status status = add_sweep(experiment, &experiment->sweeps[i], list, outside, error);
    if (status != TUTTI_OK)
      return status;
  }
  for (int i = 0; i < experiment->group_count; i++) {
    tutti_status status = add_groups(experiment, &experiment->groups[i], list, outside, error);
    if (status != TUTTI_OK)
      return status;
  }
  for (int i = 0; i < experiment->result_count; i++) {
    tutti_status status = add_results(experiment, &experiment->results[i], list, outside, error);
    if (status != TUTTI_OK)
      return status;
  }
  if (list->count)
    qsort(list->items, list->count, sizeof *list->items, tutti_point_compare);
  drop_repeated(list);
  return TUTTI_OK;
}
