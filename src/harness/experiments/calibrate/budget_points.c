/* The points of a sweep with a budget, and what is expected of them before anything is measured. */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/index.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "decision/libraries/libraries.h"
#include "harness/experiments/calibrate/budget.h"
#include "harness/experiments/plan/plan.h"
#include "tutti/predict.h"
#include "tutti/reproducible.h"

/* ---- the points of the plan, and their prior times ---- */

/* Of a machine of which nothing else is known: a network of today. */
static const tutti_hockney SOME_NETWORK = {.alpha = 2e-6, .beta = 1e-10};

/* A model takes a moment for so many messages. */
static const double MOST_PRICED = 2e7;

static void add_row(struct evidence_rows *rows, const tutti_point *point)
{
  char nodes[16], name[TUTTI_METHOD_LENGTH], run[32];
  tutti_measurement call = {
      .method = point->method, .ranks = point->ranks, .rank_bytes = point->count * point->type_size};
  tutti_total_bytes(&call, &call.total_bytes);
  snprintf(nodes, sizeof nodes, "%d", point->ranks);
  snprintf(run, sizeof run, "root=%d", point->root);
  tutti_evidence_rows_add(rows, &(struct call_row){.collective = point->method.algorithm->collective,
                                                   .nodes = nodes,
                                                   .name = tutti_method_format(&point->method, name),
                                                   .run = run,
                                                   .ranks = point->ranks,
                                                   .ranks_per_node = 1,
                                                   .bytes = call.total_bytes,
                                                   .seconds = NAN,
                                                   .simulated = NAN,
                                                   .known = true,
                                                   .found = {.method = point->method}});
}

/* Which are not the first launch of their point follow it. */
static bool is_repeat(const tutti_point *point)
{
  return point->launch > 0;
}

/* The rows in the order of their cells, and where the launches of each are in the plan. */
static void take_points(struct budget *budget, const struct point_list *list)
{
  struct evidence_rows all = {.count = 0};
  size_t *first = tutti_xcalloc(list->count + 1, sizeof *first);
  for (size_t i = 0; i < list->count; i++) {
    const tutti_method *method = &list->items[i].method;
    const bool apart = !budget->rounds_apart && tutti_method_rounds_apart(method);
    const bool lacking = (tutti_method_reproducible(method) & budget->reproducible) != budget->reproducible;
    budget->lacking += lacking && !is_repeat(&list->items[i]);
    budget->apart += apart && !lacking && !is_repeat(&list->items[i]);
    if (!apart && !lacking && !is_repeat(&list->items[i])) {
      first[all.count] = i;
      add_row(&all, &list->items[i]);
    }
  }
  budget->first = tutti_xcalloc(all.count + 1, sizeof *budget->first);
  budget->launches = tutti_xcalloc(3 * all.count + 1, sizeof *budget->launches);
  budget->used = budget->launches + all.count;
  budget->measured = budget->used + all.count;
  budget->samples = tutti_xcalloc(all.cells.count + 1, sizeof *budget->samples);
  for (size_t c = 0; c < all.cells.count; c++) {
    budget->samples[c] = list->items[first[all.cells.items[c].first]];
    for (size_t i = all.cells.items[c].first; i != SIZE_MAX; i = all.items[i].next) {
      const size_t added = budget->rows.count;
      size_t end = budget->first[added] = first[i];
      do
        end++;
      while (end < list->count && is_repeat(&list->items[end]));
      budget->launches[added] = (int)(end - first[i]);
      tutti_evidence_rows_add(&budget->rows, &all.items[i].call);
    }
  }
  free(first);
  tutti_evidence_rows_free(&all);
}

/* By a model; what has no schedule, or too many messages for a moment, stays unknown. */
static void price(struct budget *budget, const struct point_list *list, const tutti_predictor *model)
{
  for (size_t i = 0; i < budget->rows.count; i++) {
    const tutti_point *point = &list->items[budget->first[i]];
    if (!tutti_method_is_native(&point->method) && tutti_point_messages(point) <= MOST_PRICED)
      budget->rows.items[i].call.simulated =
          tutti_fit_model_time(model, point->method, point->ranks, point->count * point->type_size);
  }
}

static int compare_calls(const void *left, const void *right)
{
  const tutti_measurement *a = left, *b = right;
  int order = THREE_WAY(a->ranks, b->ranks);
  if (order == 0)
    order = THREE_WAY(a->rank_bytes, b->rank_bytes);
  return order ? order : tutti_method_compare(&a->method, &b->method);
}

/* What another machine took. */
static tutti_status take_measured(struct budget *budget, const struct point_list *list,
                                  const struct budget_prior *prior, tutti_error *error)
{
  size_t found = 0;
  qsort(prior->measured, prior->count, sizeof *prior->measured, compare_calls);
  for (size_t i = 0; i < budget->rows.count; i++) {
    const tutti_point *point = &list->items[budget->first[i]];
    const tutti_measurement asked = {
        .method = point->method, .ranks = point->ranks, .rank_bytes = point->count * point->type_size};
    const tutti_measurement *there =
        bsearch(&asked, prior->measured, prior->count, sizeof *prior->measured, compare_calls);
    if (!there || !(there->median > 0))
      continue;
    budget->rows.items[i].call.simulated = there->median;
    found++;
  }
  return found > 0 ? TUTTI_OK
                   : tutti_fail(error, TUTTI_ERR_ARGUMENT,
                                "%s: none of its points was measured where its prior times "
                                "are from",
                                budget->experiment->path);
}

static tutti_status set_priors(struct budget *budget, const struct point_list *list, const struct budget_prior *prior,
                               tutti_error *error)
{
  struct fit_machines machines = {.path = budget->experiment->platform_path};
  tutti_predictor model = {.by = TUTTI_BY_SCHEDULE, .weight = 1};
  tutti_status status = TUTTI_OK;
  if (prior->simulated)
    return tutti_evidence_rows_simulate(&budget->rows, prior->simulated, error);
  if (prior->count > 0)
    return take_measured(budget, list, prior, error);
  model.model = (tutti_model){.kind = TUTTI_MODEL_HOCKNEY, .network.hockney = SOME_NETWORK};
  if (machines.path)
    status = tutti_fit_model_read(&machines, &model, error);
  if (status == TUTTI_OK)
    price(budget, list, &model);
  tutti_fit_machines_free(&machines);
  return status;
}

static tutti_status say_nothing_left(const struct budget *budget, tutti_error *error)
{
  char classes[TUTTI_REPRODUCIBLE_LENGTH];
  if (budget->lacking > 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s: no method of its %zu point%s is reproducible by %s: see tutti algorithms --reproducible",
                      budget->experiment->path, budget->lacking, tutti_plural(budget->lacking),
                      tutti_reproducible_format(budget->reproducible, classes));
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: there is no point to measure", budget->experiment->path);
}

tutti_status tutti_budget_open(struct budget *budget, tutti_experiment *experiment, const struct budget_prior *prior,
                               tutti_error *error)
{
  struct point_list list = {0};
  tutti_plan plan = {.experiment = experiment};
  if (!experiment->platform_path && experiment->measure.launches < BUDGET_LAUNCHES)
    experiment->measure.launches = BUDGET_LAUNCHES;
  budget->experiment = experiment;
  budget->begun = tutti_clock(CLOCK_MONOTONIC);
  budget->scale = 1;
  tutti_status status = tutti_points_of_experiment(experiment, &list, &plan, error);
  if (status == TUTTI_OK) {
    take_points(budget, &list);
    if (budget->rows.count == 0)
      status = say_nothing_left(budget, error);
  }
  if (status == TUTTI_OK)
    status = set_priors(budget, &list, prior, error);
  tutti_vector_free(&list);
  return status;
}

/* ---- points of the sampler ---- */

static tutti_status explain_own(struct budget *budget, const char *library, tutti_error *error)
{
  tutti_library_version version;
  tutti_tuning *untuned = NULL;
  tutti_status status = TUTTI_OK;
  if (!library || budget->experiment->platform_path ||
      tutti_library_version_of_run(budget->experiment->flavor, library, &version, NULL) != TUTTI_OK ||
      tutti_untuned_open(&version, &untuned, NULL) != TUTTI_OK || !untuned)
    return TUTTI_OK;
  for (tutti_collective c = 0; c < TUTTI_COLL_COUNT && status == TUTTI_OK; c++)
    if (tutti_experiment_has(budget->experiment, c))
      status = tutti_evidence_rows_explain(&budget->rows, c, untuned, error);
  tutti_tuning_close(untuned);
  return status;
}

tutti_status tutti_budget_make_points(struct budget *budget, const char *library, tutti_error *error)
{
  const tutti_status status = explain_own(budget, library, error);
  if (status != TUTTI_OK)
    return status;
  struct evidence_point *points = tutti_evidence_rows_points(&budget->rows);
  size_t methods = 0;
  void *index = NULL;
  budget->points = tutti_xcalloc(budget->rows.count + 1, sizeof *budget->points);
  for (size_t i = 0; i < budget->rows.count; i++) {
    const struct evidence_row *row = &budget->rows.items[i];
    char *name = tutti_xprintf("%d %s %s", (int)row->call.collective, row->call.run, row->call.name);
    size_t *number = tutti_index_number(&index, name);
    free(name);
    *number = *number ? *number : ++methods;
    budget->points[i] = (struct sampler_point){.point = points[i], .cell = row->cell, .method = *number - 1, .cost = 1};
  }
  tutti_index_free(&index);
  free(points);
  return TUTTI_OK;
}

/* ---- the end ---- */

void tutti_budget_close(struct budget *budget)
{
  tutti_sampler_close(&budget->sampler);
  tutti_evidence_rows_free(&budget->rows);
  free(budget->points);
  free(budget->only);
  free(budget->first);
  free(budget->launches);
  free(budget->samples);
}
