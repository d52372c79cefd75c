/* The points that an experiment asks for, and those of them that need no measuring. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "harness/experiments/plan/plan.h"

/* ---- points: their order, what starts them together, what they cost ---- */

/* Order by identity: ranks, root, method, count, type size, arrival, noise, launch; 0 for the same point. */
static int compare_points(const void *left, const void *right)
{
  const tutti_point *a = left, *b = right;
  if (a->ranks != b->ranks)
    return a->ranks < b->ranks ? -1 : 1;
  if (a->result)
    return tutti_result_compare(a->result, b->result);
  if (a->build.builder)
    return tutti_group_point_compare(&a->build, &b->build);
  if (a->root != b->root)
    return a->root < b->root ? -1 : 1;
  int order = tutti_method_compare(&a->method, &b->method);
  if (order == 0)
    order = THREE_WAY(a->count, b->count);
  if (order == 0)
    order = THREE_WAY(a->type_size, b->type_size);
  if (order == 0)
    order = tutti_arrival_compare(&a->arrival, &b->arrival);
  if (order == 0)
    order = tutti_noise_compare(&a->noise, &b->noise);
  return order ? order : a->launch - b->launch;
}

bool tutti_point_is_library(const tutti_point *point)
{
  return !point->result && !point->build.builder && tutti_method_is_library(&point->method);
}

int tutti_point_compare_launch(const tutti_point *left, const tutti_point *right)
{
  bool a = tutti_point_is_library(left), b = tutti_point_is_library(right);
  if (left->launch != right->launch)
    return left->launch - right->launch;
  return a && b ? tutti_method_compare(&left->method, &right->method) : a - b;
}

int tutti_point_compare_cost(const void *left, const void *right)
{
  const tutti_point *a = left, *b = right;
  if (a->ranks != b->ranks)
    return a->ranks > b->ranks ? -1 : 1;
  int order = tutti_point_compare_launch(a, b);
  if (order != 0)
    return order;
  if (a->cost != b->cost)
    return a->cost > b->cost ? -1 : 1;
  return compare_points(left, right);
}

/* Up and down the original tree for the construction and around it, and five messages a member. */
static double build_cost(const tutti_group_point *point)
{
  double members = point->sample.members >= 0 ? point->sample.members : point->sample.fraction * point->sample.size;
  return 4.0 * point->sample.size + 5 * members;
}

/* A few messages to each process on each of log p levels, and the data moved. */
static double result_cost(const tutti_result *result)
{
  int count = result->kind == TUTTI_RESULT_SORT ? TUTTI_SORT_FIELD_COUNT : TUTTI_RANGE_FIELD_COUNT;
  double ranks = tutti_result_ranks(result, 1);
  return ranks * (1 + log2(ranks)) * (8 + (double)result->values[count].integer / 64);
}

/* Expected effort in messages. */
static double cost_of(const tutti_point *point)
{
  if (point->result)
    return result_cost(point->result);
  if (point->build.builder)
    return build_cost(&point->build);
  uint64_t bytes = point->count * point->type_size;
  uint64_t segment = point->method.parameters.segment_bytes;
  uint64_t segments = segment ? bytes / segment + (bytes % segment != 0) : 1;
  unsigned traits = tutti_collective_traits(point->method.algorithm->collective);
  double peers = traits & TUTTI_HAS_BLOCKS && !(traits & TUTTI_HAS_ROOT) ? point->ranks : 1;
  return (double)point->ranks * peers * (double)(segments ? segments : 1);
}

enum tutti_row tutti_experiment_row(const tutti_experiment *experiment)
{
  if (experiment->result_count > 0)
    return tutti_row_of(tutti_kind_of_result(experiment->result_kind));
  return experiment->group_count > 0 ? TUTTI_ROW_GROUP : TUTTI_ROW_MEASUREMENT;
}

/* The point that a row of that kind measures; a result must outlive it. */
static tutti_point point_of_row(enum tutti_row kind, const void *row)
{
  const tutti_measurement *measurement = row;
  if (kind == TUTTI_ROW_GROUP) {
    const tutti_group_point *point = &((const tutti_group_run *)row)->point;
    return (tutti_point){.ranks = point->sample.size, .build = *point};
  }
  if (kind != TUTTI_ROW_MEASUREMENT)
    return (tutti_point){.ranks = tutti_result_ranks(row, 0), .result = row};
  return (tutti_point){.method = measurement->method,
                       .ranks = measurement->ranks,
                       .root = measurement->root,
                       .count = measurement->count,
                       .type_size = measurement->type_size,
                       .arrival = measurement->arrival,
                       .noise = measurement->noise,
                       .launch = measurement->launch};
}

void tutti_point_record(const tutti_point *point, tutti_scheme scheme, int ranks_per_node, tutti_record *record)
{
  *record = (tutti_record){.kind = TUTTI_RECORD_MEASUREMENT};
  if (point->result) {
    record->kind = TUTTI_RECORD_RESULT;
    record->result = *point->result;
  } else if (point->build.builder) {
    record->kind = TUTTI_RECORD_GROUP;
    record->build = (tutti_group_run){.point = point->build, .ranks_per_node = ranks_per_node};
  } else {
    record->measurement = (tutti_measurement){.method = point->method,
                                              .scheme = scheme,
                                              .ranks = point->ranks,
                                              .ranks_per_node = ranks_per_node,
                                              .root = point->root,
                                              .count = point->count,
                                              .type_size = point->type_size,
                                              .rank_bytes = point->count * point->type_size,
                                              .arrival = point->arrival,
                                              .noise = point->noise,
                                              .launch = point->launch};
  }
}

char *tutti_point_format(const tutti_point *point, char *text)
{
  tutti_record record;
  const void *row;
  tutti_point_record(point, TUTTI_SCHEME_OCC, 1, &record); /* neither is part of the line */
  const struct tutti_row_kind *kind = tutti_kind_of_record(&record, &row);
  return tutti_row_format_point(kind, row, text);
}

/* ---- points that an experiment asks for ---- */

/* A library runs its own methods alone, and those as they are. */
static tutti_status check_library(const char *flavor, const tutti_point *point, tutti_error *error)
{
  const tutti_method *method = &point->method;
  const char *name = tutti_implementation_name(method->implementation);
  tutti_directives directives;
  const int selector = tutti_method_is_native(method) ? method->parameters.k : 0;
  const char *owner = selector ? tutti_implementation_name(tutti_selector_owner(selector)) : flavor;
  if (strcmp(owner, flavor) != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "selector=%s is one of %s, not of %s", tutti_selector_name(selector),
                      owner, flavor);
  if (!name)
    return TUTTI_OK;
  if (strcmp(name, flavor) != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "methods of %s are measured with its flavor, not with %s%s%s", name,
                      flavor, strcmp(name, "smpi") == 0 ? "" : ": on a real machine, by --flavor ",
                      strcmp(name, "smpi") == 0 ? "" : name);
  /* Versions differ in their directives, not in what they run. */
  return tutti_method_directives(method, point->ranks, point->count * point->type_size, NULL, &directives, error);
}

/* TUTTI_ERR_UNSUPPORTED: outside the domain of the method, which is not an error of the experiment. */
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
  if (status == TUTTI_OK && tutti_point_is_library(point))
    status = check_library(experiment->flavor, point, &reason);
  if (status == TUTTI_OK || status == TUTTI_ERR_UNSUPPORTED)
    return status;
  char name[TUTTI_METHOD_LENGTH];
  return tutti_fail(error, status, "%s: %s on %d ranks: %.200s", experiment->path,
                    tutti_method_format(&point->method, name), point->ranks, reason.message);
}

/* Launches of each point. Of the fast engine each has another order in which the ranks start; SMPI has one order. */
static int launches_of(const tutti_experiment *experiment)
{
  if (tutti_flavor_is_engine(experiment->flavor))
    return experiment->measure.orders;
  return experiment->platform_path ? 1 : experiment->measure.launches;
}

static tutti_status add_point(const tutti_experiment *experiment, tutti_point *point, struct point_list *list,
                              tutti_plan *plan, tutti_error *error)
{
  if (tutti_flavor_is_engine(experiment->flavor) && tutti_point_is_library(point)) {
    plan->library_only++;
    return TUTTI_OK;
  }
  tutti_status status = check_point(experiment, point, error);
  if (status == TUTTI_ERR_UNSUPPORTED) {
    plan->outside++;
    return TUTTI_OK;
  }
  if (status == TUTTI_OK)
    status = tutti_point_check_large(experiment, point, error);
  if (status != TUTTI_OK)
    return status;
  const int launches = point->result || point->build.builder ? 1 : launches_of(experiment);
  point->cost = cost_of(point);
  for (point->launch = 0; point->launch == 0 || point->launch < launches; point->launch++)
    tutti_xpush(list, *point);
  point->launch = 0;
  return TUTTI_OK;
}

static tutti_point point_at(const tutti_sweep *sweep, const tutti_method *method, int ranks, uint64_t size)
{
  tutti_point point = {.method = *method, .ranks = ranks, .root = sweep->root, .count = size, .type_size = 1};
  tutti_method_tell(&point.method, &sweep->places, ranks);
  return point;
}

/* A point under each arrival pattern and noise of its sweep. */
static tutti_status add_patterns(const tutti_experiment *experiment, const tutti_sweep *sweep, tutti_point point,
                                 struct point_list *list, tutti_plan *plan, tutti_error *error)
{
  const tutti_patterns *patterns = &sweep->patterns;
  tutti_status status = TUTTI_OK;
  for (size_t a = 0; a == 0 || a < patterns->arrival_count; a++)
    for (size_t n = 0; (n == 0 || n < patterns->noise_count) && status == TUTTI_OK; n++) {
      if (patterns->arrival_count > 0)
        point.arrival = patterns->arrivals[a];
      if (patterns->noise_count > 0)
        point.noise = patterns->noises[n];
      status = add_point(experiment, &point, list, plan, error);
    }
  return status;
}

static tutti_status add_picks(const tutti_experiment *experiment, const tutti_sweep *sweep, struct point_list *list,
                              tutti_plan *plan, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < sweep->pick_count && status == TUTTI_OK; i++) {
    const tutti_pick *pick = &sweep->picks[i];
    tutti_point point = point_at(sweep, &pick->method, pick->ranks, pick->size);
    status = add_patterns(experiment, sweep, point, list, plan, error);
  }
  return status;
}

static tutti_status add_sweep(const tutti_experiment *experiment, const tutti_sweep *sweep, struct point_list *list,
                              tutti_plan *plan, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int r = 0; r < sweep->ranks_count; r++)
    for (int s = 0; s < sweep->size_count; s++)
      for (int m = 0; m < sweep->method_count && status == TUTTI_OK; m++) {
        tutti_point point = point_at(sweep, &sweep->methods[m], sweep->ranks[r], sweep->sizes[s]);
        status = add_patterns(experiment, sweep, point, list, plan, error);
      }
  return status == TUTTI_OK ? add_picks(experiment, sweep, list, plan, error) : status;
}

static tutti_status add_groups(const tutti_experiment *experiment, const tutti_group_sweep *sweep,
                               struct point_list *list, tutti_plan *plan, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int r = 0; r < sweep->ranks_count; r++)
    for (size_t p = 0; p < sweep->point_count && status == TUTTI_OK; p++) {
      tutti_point point = {.ranks = sweep->ranks[r], .build = sweep->points[p]};
      point.build.sample.size = point.ranks;
      status = add_point(experiment, &point, list, plan, error);
    }
  return status;
}

static tutti_status add_results(const tutti_experiment *experiment, const tutti_result_sweep *sweep,
                                struct point_list *list, tutti_plan *plan, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t p = 0; p < sweep->point_count && status == TUTTI_OK; p++) {
    tutti_point point = point_of_row(tutti_experiment_row(experiment), &sweep->points[p]);
    status = add_point(experiment, &point, list, plan, error);
  }
  return status;
}

static void drop_repeated(struct point_list *list)
{
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++)
    if (kept == 0 || compare_points(&list->items[kept - 1], &list->items[i]) != 0)
      list->items[kept++] = list->items[i];
  list->count = kept;
}

tutti_status tutti_points_of_experiment(const tutti_experiment *experiment, struct point_list *list, tutti_plan *plan,
                                        tutti_error *error)
{
  for (int i = 0; i < experiment->sweep_count; i++) {
    tutti_status status = add_sweep(experiment, &experiment->sweeps[i], list, plan, error);
    if (status != TUTTI_OK)
      return status;
  }
  for (int i = 0; i < experiment->group_count; i++) {
    tutti_status status = add_groups(experiment, &experiment->groups[i], list, plan, error);
    if (status != TUTTI_OK)
      return status;
  }
  for (int i = 0; i < experiment->result_count; i++) {
    tutti_status status = add_results(experiment, &experiment->results[i], list, plan, error);
    if (status != TUTTI_OK)
      return status;
  }
  tutti_vector_sort(list, compare_points);
  drop_repeated(list);
  return TUTTI_OK;
}

/* ---- points that need no measuring: those that the store has, and those that are under way ---- */

/* Whether the placement matches the plan. A launch of fewer ranks than fit on a node has all of them there. */
static bool is_placed(const tutti_plan *plan, int ranks_per_node, int ranks)
{
  int asked = plan->ranks_per_node;
  return asked == 0 || ranks_per_node == asked || (ranks < asked && ranks_per_node == ranks);
}

/* Whether a row has the scheme and placement of the plan. For a result the ranks per node are among the keys. */
static bool counts(enum tutti_row kind, const void *row, const tutti_plan *plan)
{
  const tutti_measurement *measurement = row;
  const tutti_group_run *build = row;
  if (kind == TUTTI_ROW_GROUP)
    return is_placed(plan, build->ranks_per_node, build->point.sample.size);
  return kind != TUTTI_ROW_MEASUREMENT || (measurement->scheme == plan->measure.scheme &&
                                           is_placed(plan, measurement->ranks_per_node, measurement->ranks));
}

/* A point that the store has, with its row: compare_points() reads the former. */
struct stored_point {
  tutti_point point;
  const void *row;
};

struct stored_points {
  TUTTI_VECTOR(struct stored_point);
};

/* In order. */
static struct stored_points find_stored(const tutti_plan *plan, const tutti_present *present)
{
  const enum tutti_row kind = tutti_experiment_row(plan->experiment);
  const size_t size = tutti_kind_of(kind)->size;
  struct stored_points stored = {0};
  for (size_t i = 0; i < present->row_count; i++) {
    const void *row = (const char *)present->rows + i * size;
    if (counts(kind, row, plan))
      tutti_xpush(&stored, ((struct stored_point){point_of_row(kind, row), row}));
  }
  if (stored.count > 0)
    tutti_vector_sort(&stored, compare_points);
  return stored;
}

static const struct stored_point *look_up(const struct stored_points *stored, const tutti_point *point)
{
  return stored->count > 0 ? bsearch(point, stored->items, stored->count, sizeof *stored->items, compare_points) : NULL;
}

tutti_status tutti_points_choose(struct point_list *list, const tutti_plan *plan, const tutti_present *present,
                                 const tutti_plan_options *options, tutti_error *error)
{
  const tutti_point_choice *choice = &options->choice;
  struct stored_points stored = find_stored(plan, present);
  const tutti_measurement **measured = tutti_xcalloc(list->count + 1, sizeof *measured);
  bool *wanted = tutti_xcalloc(list->count + 1, sizeof *wanted);
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++) {
    const struct stored_point *there = look_up(&stored, &list->items[i]);
    measured[i] = there ? there->row : NULL;
  }
  const tutti_status status =
      choice->choose(choice->context, list->items, measured, list->count, options->library, wanted, error);
  for (size_t i = 0; i < list->count; i++)
    if (wanted[i])
      list->items[kept++] = list->items[i];
  list->count = kept;
  free(wanted);
  free(measured);
  tutti_vector_free(&stored);
  return status;
}

size_t tutti_points_drop_present(struct point_list *list, const tutti_plan *plan, const tutti_present *present)
{
  struct stored_points stored = find_stored(plan, present);
  size_t kept = 0, before = list->count;
  for (size_t i = 0; i < before; i++)
    if (!look_up(&stored, &list->items[i]))
      list->items[kept++] = list->items[i];
  list->count = kept;
  tutti_vector_free(&stored);
  return before - kept;
}

static int compare_lines(const void *left, const void *right)
{
  return strcmp(left, *(char *const *)right);
}

size_t tutti_points_drop_pending(struct point_list *list, const tutti_present *present)
{
  size_t kept = 0, before = list->count;
  if (present->pending_count == 0)
    return 0;
  for (size_t i = 0; i < before; i++) {
    char line[TUTTI_ROW_POINT], text[16 + TUTTI_ROW_POINT];
    snprintf(text, sizeof text, "%d %s", list->items[i].ranks, tutti_point_format(&list->items[i], line));
    if (!bsearch(text, present->pending, present->pending_count, sizeof *present->pending, compare_lines))
      list->items[kept++] = list->items[i];
  }
  list->count = kept;
  return before - kept;
}
