#include "harness/experiments/calibrate/budget.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/index.h"
#include "base/memory.h"
#include "decision/libraries/libraries.h"
#include "harness/experiments/plan/plan.h"
#include "tutti/predict.h"

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
    const bool apart = !budget->rounds_apart && tutti_method_rounds_apart(&list->items[i].method);
    budget->apart += apart && !is_repeat(&list->items[i]);
    if (!apart && !is_repeat(&list->items[i])) {
      first[all.count] = i;
      add_row(&all, &list->items[i]);
    }
  }
  budget->first = tutti_xcalloc(all.count + 1, sizeof *budget->first);
  budget->launches = tutti_xcalloc(2 * all.count + 1, sizeof *budget->launches);
  budget->measured = budget->launches + all.count;
  budget->samples = tutti_xcalloc(all.cells + 1, sizeof *budget->samples);
  size_t *place = tutti_xcalloc(all.cells + 1, sizeof *place);
  for (size_t i = 0; i < all.count; i++)
    place[all.items[i].cell + 1]++;
  for (size_t c = 0; c < all.cells; c++)
    place[c + 1] += place[c];
  size_t *order = tutti_xcalloc(all.count + 1, sizeof *order);
  for (size_t i = 0; i < all.count; i++)
    order[place[all.items[i].cell]++] = i;
  for (size_t i = 0; i < all.count; i++) {
    const struct evidence_row *row = &all.items[order[i]];
    size_t end = budget->first[i] = first[order[i]];
    do
      end++;
    while (end < list->count && is_repeat(&list->items[end]));
    budget->launches[i] = (int)(end - budget->first[i]);
    tutti_evidence_rows_add(&budget->rows, &row->call);
    budget->samples[budget->rows.items[i].cell] = list->items[budget->first[i]];
  }
  free(order);
  free(place);
  free(first);
  tutti_evidence_rows_free(&all);
}

/* By a model; what has no schedule, or too many messages for a moment, stays unknown. */
static void price(struct budget *budget, const struct point_list *list, const tutti_predictor *model)
{
  for (size_t i = 0; i < budget->rows.count; i++) {
    const tutti_point *point = &list->items[budget->first[i]];
    struct call_row *call = &budget->rows.items[i].call;
    tutti_method method = point->method;
    method.implementation = TUTTI_IMPLEMENTATION_TUTTI;
    if (!tutti_method_is_native(&point->method) && tutti_point_messages(point) <= MOST_PRICED)
      (void)tutti_predict_time(model, &method, point->ranks, point->count * point->type_size, &call->simulated, NULL);
  }
}

static tutti_status set_priors(struct budget *budget, const struct point_list *list,
                               const struct simulation_request *prior, tutti_error *error)
{
  struct fit_machines machines = {.path = budget->experiment->platform_path};
  tutti_predictor model = {.by = TUTTI_BY_SCHEDULE, .weight = 1};
  tutti_status status = TUTTI_OK;
  if (prior)
    return tutti_evidence_rows_simulate(&budget->rows, prior, error);
  model.model = (tutti_model){.kind = TUTTI_MODEL_HOCKNEY, .network.hockney = SOME_NETWORK};
  if (machines.path)
    status = tutti_fit_model_read(&machines, &model, error);
  if (status == TUTTI_OK)
    price(budget, list, &model);
  tutti_fit_machines_free(&machines);
  return status;
}

tutti_status tutti_budget_open(struct budget *budget, tutti_experiment *experiment,
                               const struct simulation_request *prior, tutti_error *error)
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
      status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: there is no point to measure", experiment->path);
  }
  if (status == TUTTI_OK)
    status = set_priors(budget, &list, prior, error);
  tutti_vector_free(&list);
  return status;
}

void tutti_budget_close(struct budget *budget)
{
  tutti_sampler_close(&budget->sampler);
  tutti_evidence_rows_free(&budget->rows);
  free(budget->points);
  free(budget->first);
  free(budget->launches);
  free(budget->samples);
}

/* ---- costs ---- */

/* Seconds of a start of ranks on a real machine, and messages that an engine simulates in a second, before any was
   seen. */
static const double START = 1, SIMULATED = 1e5;

static double left_of(const struct budget *budget)
{
  return budget->most_points > 0 ? (double)budget->most_points - (double)budget->spent
                                 : budget->most_seconds - (tutti_clock(CLOCK_MONOTONIC) - budget->begun);
}

double tutti_budget_left(const struct budget *budget)
{
  return fmax(0, left_of(budget));
}

/* Seconds that a point takes in a launch that measures others, too. */
static double seconds_of(const struct budget *budget, const tutti_point *point, size_t row)
{
  const tutti_measure *measure = &budget->experiment->measure;
  const double seconds = budget->experiment->platform_path
                             ? point->cost / SIMULATED
                             : exp(budget->sampler.mean[row]) * 2 * (measure->warmup + measure->repetitions_max);
  return budget->scale * seconds;
}

/* ---- what is known ---- */

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

static tutti_status make_points(struct budget *budget, const char *library, tutti_error *error)
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

/* Times of a real machine differ more between launches than within one: the deviation of their logarithms, from points
   that were measured in several, begun with a few that nobody saw. */
static double launch_noise(const struct budget *budget, const tutti_measurement *const *measured)
{
  static const double EXPECTED = 0.05, SEEN = 4, LARGEST = 1;
  double sum = SEEN * EXPECTED * EXPECTED, freedom = SEEN;
  for (size_t i = 0; i < budget->rows.count; i++) {
    double logarithms[BUDGET_LAUNCHES], mean = 0;
    int count = 0;
    for (int l = 0; l < budget->launches[i] && count < BUDGET_LAUNCHES; l++) {
      const tutti_measurement *found = measured[budget->first[i] + (size_t)l];
      if (found && found->median > 0)
        mean += logarithms[count++] = log(found->median);
    }
    for (int l = 0; l < count; l++)
      sum += pow(fmin(LARGEST, fabs(logarithms[l] - mean / count)), 2);
    freedom += count > 0 ? count - 1 : 0;
  }
  return sqrt(sum / freedom);
}

/* Standard deviation of the logarithm of a median whose 95 % interval in its launch is known. */
static double noise_of(const struct budget *budget, const tutti_measurement *measured)
{
  static const double DEVIATIONS = 1.96;
  return hypot(budget->noise, measured->spread / 100 / DEVIATIONS);
}

/* All measurements, from the beginning: what was expected of a batch may not have come. */
static void take_in(struct budget *budget, const tutti_measurement *const *measured)
{
  static const double SIMULATION = 1e-3;
  double *weights = NULL;
  if (budget->weigh) {
    weights = tutti_xcalloc(budget->rows.cells + 1, sizeof *weights);
    budget->weigh(budget->context, budget->samples, budget->rows.cells, weights);
  }
  tutti_sampler_close(&budget->sampler);
  tutti_sampler_open(&budget->sampler, budget->points, budget->rows.count, weights);
  free(weights);
  budget->spent = budget->known = 0;
  budget->noise = budget->experiment->platform_path ? SIMULATION : launch_noise(budget, measured);
  for (size_t i = 0; i < budget->rows.count; i++) {
    budget->measured[i] = 0;
    for (int l = 0; l < budget->launches[i]; l++) {
      const tutti_measurement *found = measured[budget->first[i] + (size_t)l];
      if (!found || !(found->median > 0))
        continue;
      tutti_sampler_add(&budget->sampler, i, log(found->median), noise_of(budget, found));
      budget->rows.items[i].call.seconds = found->median;
      budget->measured[i]++;
      budget->spent++;
    }
    budget->known += budget->measured[i] > 0;
  }
}

/* The factor of covariances for losses as large as they were at the measured points (evidence.h). */
static double find_shrink(const struct budget *budget)
{
  enum { MOST = 1500 }; /* time grows with the third power */
  struct evidence evidence = {.count = 0};
  struct evidence_point *some = tutti_xcalloc(budget->rows.count + 1, sizeof *some);
  size_t count = 0;
  for (size_t i = 0; i < budget->rows.count; i++)
    if (budget->measured[i] > 0) {
      some[count] = budget->points[i].point;
      some[count++].measured = log(budget->rows.items[i].call.seconds);
    }
  if (count > 0 && count <= MOST)
    tutti_evidence_learn(&evidence, some, count);
  const double shrink = evidence.count > 0 ? evidence.shrink : 1;
  tutti_evidence_free(&evidence);
  free(some);
  return shrink;
}

static void judge(struct budget *budget)
{
  double sum = 0, weights = 0;
  budget->undecided = 0;
  budget->shrink = find_shrink(budget);
  for (size_t c = 0; c < budget->rows.cells; c++) {
    const struct sampler_choice choice = tutti_budget_decide(budget, c);
    sum += choice.loss * budget->sampler.weight[c];
    weights += budget->sampler.weight[c];
    budget->undecided += choice.loss > BUDGET_DECIDED;
  }
  budget->loss = weights > 0 ? sum / weights : 0;
}

struct sampler_choice tutti_budget_decide(const struct budget *budget, size_t call)
{
  return tutti_sampler_choose(&budget->sampler, call, budget->confidence, budget->shrink);
}

/* ---- a batch ---- */

struct batch {
  struct budget *budget;
  const tutti_point *points;
  bool *wanted;
  double most, cost; /* in units of the budget */
  double seconds;    /* expected */
  size_t count;
};

/* Points of a launch that is to start anyway cost only their own time. */
static void set_costs(const struct batch *batch)
{
  struct budget *budget = batch->budget;
  for (size_t i = 0; i < budget->rows.count && budget->most_points == 0; i++)
    budget->points[i].cost = seconds_of(budget, &batch->points[budget->first[i]], i) +
                             (budget->experiment->platform_path ? 0 : budget->scale * START);
}

static void open_launch(const struct batch *batch, const tutti_point *added)
{
  struct budget *budget = batch->budget;
  for (size_t i = 0; i < budget->rows.count && budget->most_points == 0; i++) {
    const tutti_point *point = &batch->points[budget->first[i]];
    if (point->ranks == added->ranks && tutti_point_compare_launch(point, added) == 0)
      budget->points[i].cost = seconds_of(budget, point, i);
  }
}

/* False: it has been measured as often as it can be. */
static bool add_point(struct batch *batch, size_t row)
{
  struct budget *budget = batch->budget;
  const bool more = budget->measured[row] < budget->launches[row];
  if (more) {
    const size_t place = budget->first[row] + (size_t)budget->measured[row]++;
    batch->wanted[place] = true;
    batch->cost += budget->points[row].cost;
    batch->seconds += seconds_of(budget, &batch->points[place], row);
    batch->count++;
    open_launch(batch, &batch->points[budget->first[row]]);
  }
  tutti_sampler_add(&budget->sampler, row, budget->sampler.mean[row], more ? budget->noise : 1e-6);
  return more;
}

/* Of points a twelfth of all, of time a sixth of what is left; in the beginning fewer: what they say is used for the
   choice of the others. */
static double batch_limit(const struct budget *budget)
{
  const double left = tutti_budget_left(budget);
  if (budget->most_points == 0)
    return left / 6;
  return fmin(left, fmax(4, fmin((double)budget->most_points / 12, (double)budget->spent / 2)));
}

/* As many points as the batch has room for, while they are worth it. */
static enum budget_end fill(struct batch *batch)
{
  enum { MOST_FULL = 64 }; /* choices of points that cannot be measured again */
  struct budget *budget = batch->budget;
  size_t next[2];
  double worth;
  if (budget->loss < budget->worth)
    return BUDGET_WORTHLESS;
  for (int full = 0; batch->cost < batch->most && full < MOST_FULL;) {
    const int found = tutti_sampler_next(&budget->sampler, budget->noise, next, &worth);
    if (found == 0)
      return BUDGET_MEASURED;
    if (worth * tutti_budget_left(budget) < budget->worth)
      return BUDGET_WORTHLESS;
    for (int i = 0; i < found && (batch->count == 0 || batch->cost < batch->most); i++)
      full += !add_point(batch, next[i]);
  }
  return batch->count > 0 ? BUDGET_GOES_ON : BUDGET_MEASURED;
}

static void learn_speed(struct budget *budget)
{
  const double took = tutti_clock(CLOCK_MONOTONIC) - budget->batch_begun;
  if (budget->batch_seconds > 0)
    budget->scale *= fmin(10, fmax(0.1, took / budget->batch_seconds));
}

tutti_status tutti_budget_choose(void *context, const tutti_point *points, const tutti_measurement *const *measured,
                                 size_t count, const char *library, bool *wanted, tutti_error *error)
{
  struct budget *budget = context;
  (void)count;
  const tutti_status status = budget->points ? TUTTI_OK : make_points(budget, library, error);
  if (status != TUTTI_OK)
    return status;
  take_in(budget, measured);
  learn_speed(budget);
  judge(budget);
  struct batch batch = {.budget = budget, .points = points, .wanted = wanted, .most = batch_limit(budget)};
  set_costs(&batch);
  const enum budget_end end = left_of(budget) > 0 ? fill(&batch) : BUDGET_USED_UP;
  budget->end = batch.count > 0 ? BUDGET_GOES_ON : end;
  if (budget->end != BUDGET_GOES_ON)
    take_in(budget, measured); /* without what was expected */
  budget->batch_begun = tutti_clock(CLOCK_MONOTONIC);
  budget->batch_seconds = budget->most_points > 0 ? 0 : batch.cost;
  return TUTTI_OK;
}
