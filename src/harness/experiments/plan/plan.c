/* Plans: points that are cut into chunks, less what the store has. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/experiments/plan/plan.h"
#include "harness/store/rows.h"
#include "tutti/pattern.h"

/* ---- chunks ----

   The points of one number of ranks (and selector of native methods) are dealt out in turn, costliest
   first: so its chunks cost about the same, and with the costliest chunks started first the last ones to run are the
   cheap ones (the rule of longest processing time first). */

static int compare_chunks(const void *left, const void *right)
{
  const tutti_chunk *a = left, *b = right;
  if (a->cost != b->cost)
    return a->cost > b->cost ? -1 : 1;
  return (a->first > b->first) - (a->first < b->first);
}

/* Points from @p first on that have the same number of ranks and the same launch. */
static size_t group_length(const tutti_point *points, size_t first, size_t count)
{
  size_t end = first;
  while (end < count && points[end].ranks == points[first].ranks &&
         tutti_point_compare_launch(&points[end], &points[first]) == 0)
    end++;
  return end - first;
}

/* SMPI's selector of a native method, or NULL. */
static const char *selector_of(const tutti_point *point)
{
  const int k = point->method.parameters.k;
  bool native = tutti_point_is_library(point) && tutti_method_is_native(&point->method);
  return native && k <= TUTTI_LAST_SMPI_SELECTOR ? tutti_selector_name(k) : NULL;
}

/* Maximum points of a chunk. Native methods under a selector are launched one by one: some of SMPI's copies of
   libraries' algorithms leave messages that the next operation takes for its own (impi's broadcast of 1 B). */
static size_t limit_of(const tutti_point *group, size_t limit)
{
  return selector_of(group) ? 1 : limit;
}

/* A chunk without points, for the launch of points such as this one, whose directives were checked. */
static tutti_chunk chunk_of(const tutti_point *point, size_t first, const char *library)
{
  tutti_chunk chunk = {
      .ranks = point->ranks, .native = tutti_point_is_library(point), .selector = selector_of(point), .first = first};
  if (chunk.native)
    (void)tutti_method_directives(&point->method, point->ranks, point->count * point->type_size, library,
                                  &chunk.directives, NULL);
  return chunk;
}

/* Deal the group into chunks; the points of a chunk end up in a row in @p target. */
static void deal_group(const tutti_point *group, size_t length, size_t limit, const char *library, tutti_point *target,
                       tutti_plan *plan)
{
  size_t hands = (length + limit - 1) / limit;
  size_t first = (size_t)(target - plan->points);
  for (size_t hand = 0; hand < hands; hand++) {
    tutti_chunk chunk = chunk_of(group, first, library);
    for (size_t i = hand; i < length; i += hands) {
      plan->points[first++] = group[i];
      chunk.count++;
      chunk.cost += group[i].cost;
    }
    plan->chunks[plan->chunk_count++] = chunk;
    plan->cost += chunk.cost;
  }
}

static size_t count_chunks(const tutti_point *points, size_t count, size_t limit)
{
  size_t chunks = 0;
  for (size_t i = 0; i < count;) {
    size_t length = group_length(points, i, count);
    size_t max = limit_of(&points[i], limit);
    chunks += (length + max - 1) / max;
    i += length;
  }
  return chunks;
}

/* Cut the points, in any order, into chunks of at most `limit` >= 1 points and order both. */
static void cut(tutti_plan *plan, size_t limit, const char *library)
{
  tutti_point *sorted = plan->points;
  if (plan->point_count == 0)
    return;
  qsort(sorted, plan->point_count, sizeof *sorted, tutti_point_compare_cost);
  plan->chunks = tutti_xcalloc(count_chunks(sorted, plan->point_count, limit), sizeof *plan->chunks);
  plan->points = tutti_xcalloc(plan->point_count, sizeof *plan->points);
  for (size_t i = 0; i < plan->point_count;) {
    size_t length = group_length(sorted, i, plan->point_count);
    deal_group(&sorted[i], length, limit_of(&sorted[i], limit), library, &plan->points[i], plan);
    i += length;
  }
  qsort(plan->chunks, plan->chunk_count, sizeof *plan->chunks, compare_chunks);
  free(sorted);
}

/* ---- what the store has: read once, because a query a point would take longer than a simulation ---- */

bool tutti_experiment_has(const tutti_experiment *experiment, tutti_collective collective)
{
  for (int i = 0; i < experiment->sweep_count; i++)
    if (experiment->sweeps[i].collective == collective)
      return true;
  return false;
}

/* Remove measurements with a negative time. */
static size_t drop_negative(tutti_measurement *measurements, size_t count)
{
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (!tutti_measurement_is_negative(&measurements[i]))
      measurements[kept++] = measurements[i];
  return kept;
}

/* Append the selected rows of a kind. */
static tutti_status read_more(tutti_store *store, enum tutti_row kind, const tutti_selection *selection,
                              tutti_present *present, tutti_error *error)
{
  void *rows = NULL;
  size_t count = 0, size = tutti_kind_of(kind)->size;
  tutti_status status = tutti_store_read_rows(store, kind, selection, &rows, &count, NULL, error);
  if (kind == TUTTI_ROW_MEASUREMENT)
    count = drop_negative(rows, count);
  if (count > 0) {
    char *all = tutti_xrealloc((void *)present->rows, (present->row_count + count) * size);
    memcpy(all + present->row_count * size, rows, count * size);
    present->rows = all;
    present->row_count += count;
  }
  free(rows);
  return status;
}

tutti_status tutti_present_read(tutti_store *store, const tutti_experiment *experiment, tutti_selection *selection,
                                tutti_present *present, tutti_error *error)
{
  enum tutti_row kind = tutti_experiment_row(experiment);
  tutti_status status = TUTTI_OK;
  if (kind != TUTTI_ROW_MEASUREMENT)
    return read_more(store, kind, selection, present, error);
  for (int i = 0; i < TUTTI_COLL_COUNT && status == TUTTI_OK; i++)
    if (tutti_experiment_has(experiment, (tutti_collective)i)) {
      selection->collective = (tutti_collective)i;
      status = read_more(store, kind, selection, present, error);
    }
  return status;
}

void tutti_present_free(tutti_present *present)
{
  free((void *)present->rows);
}

/* ---- plans ---- */

/* A plan of few points must still keep every job busy. */
static size_t chunk_limit(const tutti_plan_options *options, size_t points)
{
  size_t limit = options->chunk_points ? options->chunk_points : TUTTI_CHUNK_POINTS;
  size_t jobs = options->jobs > 0 ? (size_t)options->jobs : 1;
  size_t share = (points + jobs - 1) / jobs;
  size_t chosen = share < limit ? share : limit;
  return chosen ? chosen : 1;
}

tutti_status tutti_plan_create(const tutti_experiment *experiment, const tutti_plan_options *options,
                               const tutti_present *present, tutti_plan *plan, tutti_error *error)
{
  *plan =
      (tutti_plan){.experiment = experiment, .measure = experiment->measure, .ranks_per_node = options->ranks_per_node};
  struct point_list list = {0};
  tutti_status status = tutti_points_of_experiment(experiment, &list, plan, error);
  if (status == TUTTI_OK && options->choice.choose)
    status = tutti_points_choose(&list, plan, present, options, error);
  if (status == TUTTI_OK) {
    plan->present = tutti_points_drop_present(&list, plan, present);
    plan->pending = tutti_points_drop_pending(&list, present);
    status = tutti_points_drop_large(&list, plan, options->most_messages, error);
  }
  plan->points = list.items;
  plan->point_count = list.count;
  if (status == TUTTI_OK)
    cut(plan, chunk_limit(options, list.count), options->library);
  else
    tutti_plan_free(plan);
  return status;
}

void tutti_plan_free(tutti_plan *plan)
{
  free(plan->points);
  free(plan->chunks);
  *plan = (tutti_plan){0};
}

static bool uses_trace(const tutti_plan *plan, const tutti_chunk *chunk, const tutti_trace *trace)
{
  for (size_t i = 0; i < chunk->count; i++)
    if (tutti_trace_is_of(trace, &plan->points[chunk->first + i].arrival))
      return true;
  return false;
}

/* Two sweeps may have the same trace, which may be written twice. */
static void write_traces(const tutti_plan *plan, const tutti_chunk *chunk, FILE *stream)
{
  for (int s = 0; plan->experiment && s < plan->experiment->sweep_count; s++) {
    const tutti_patterns *patterns = &plan->experiment->sweeps[s].patterns;
    for (size_t a = 0; a < patterns->arrival_count; a++)
      if (patterns->traces[a].count > 0 && uses_trace(plan, chunk, &patterns->traces[a]))
        tutti_trace_write(&patterns->traces[a], stream);
  }
}

tutti_status tutti_plan_write_points(const tutti_plan *plan, const tutti_chunk *chunk, FILE *stream, tutti_error *error)
{
  const tutti_measure *measure = &plan->measure;
  fprintf(stream, "tutti-points v=1 scheme=%s warmup=%d repetitions_max=%d confidence=%.12g ranks_per_node=%d\n",
          tutti_scheme_name(measure->scheme), measure->warmup, measure->repetitions_max, measure->confidence,
          plan->ranks_per_node > 0 ? plan->ranks_per_node : chunk->ranks);
  write_traces(plan, chunk, stream);
  for (size_t i = 0; i < chunk->count; i++) {
    char text[TUTTI_ROW_POINT];
    fprintf(stream, "%s\n", tutti_point_format(&plan->points[chunk->first + i], text));
  }
  if (ferror(stream))
    return tutti_fail(error, TUTTI_ERR_IO, "cannot write the points file for %d ranks", chunk->ranks);
  return TUTTI_OK;
}
