/* A library under two tuning files: its points, their pairs in the store, and the statistics of these. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/results/paired.h"
#include "harness/experiments/settings/tuning.h"
#include "harness/store/rows.h"

/* ---- the points ---- */

/* Native methods need no settings of their own: one launch has all of them. */
static void join_chunks(tutti_plan *plan)
{
  size_t count = 0;
  for (size_t i = 0; i < plan->point_count; i++) {
    const int ranks = plan->points[i].ranks;
    if (count == 0 || plan->chunks[count - 1].ranks != ranks)
      plan->chunks[count++] = (tutti_chunk){.ranks = ranks, .native = true, .first = i};
    plan->chunks[count - 1].count++;
  }
  plan->chunk_count = count;
}

/* One launch for each number of ranks. */
tutti_status tutti_comparing_plan(const tutti_experiment *experiment, int ranks_per_node, tutti_plan *plan,
                                  tutti_error *error)
{
  const tutti_plan_options options = {.ranks_per_node = ranks_per_node, .chunk_points = INT_MAX, .jobs = 1};
  const tutti_present nothing = {.row_count = 0};
  tutti_status status = tutti_plan_create(experiment, &options, &nothing, plan, error);
  if (status == TUTTI_OK)
    join_chunks(plan);
  return status;
}

static int compare_compared(const void *left, const void *right)
{
  const tutti_compared_point *a = left, *b = right;
  if (a->collective != b->collective)
    return a->collective < b->collective ? -1 : 1;
  if (a->ranks != b->ranks)
    return a->ranks < b->ranks ? -1 : 1;
  return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* The row of a pair; its keys. */
static tutti_result key_of(const struct comparing *comparing, tutti_collective collective, int ranks, int root,
                           uint64_t bytes, int round)
{
  tutti_result key = {.kind = TUTTI_RESULT_COMPARISON, .ranks_per_node = comparing->found->ranks_per_node};
  tutti_result_set_word(&key, TUTTI_COMPARISON_FIELD_BEFORE, comparing->found->digests[BEFORE]);
  tutti_result_set_word(&key, TUTTI_COMPARISON_FIELD_AFTER, comparing->found->digests[AFTER]);
  tutti_result_set_word(&key, TUTTI_COMPARISON_FIELD_COLLECTIVE, tutti_collective_name(collective));
  tutti_result_set_word(&key, TUTTI_COMPARISON_FIELD_SCHEME,
                        tutti_scheme_name(comparing->request->experiment->measure.scheme));
  key.values[TUTTI_COMPARISON_FIELD_RANKS].integer = (uint64_t)ranks;
  key.values[TUTTI_COMPARISON_FIELD_ROOT].integer = (uint64_t)root;
  key.values[TUTTI_COMPARISON_FIELD_SIZE].integer = bytes;
  key.values[TUTTI_COMPARISON_FIELD_ROUND].integer = (uint64_t)round;
  return key;
}

tutti_result tutti_comparing_key(const struct comparing *comparing, const tutti_point *point, int round)
{
  return key_of(comparing, point->method.algorithm->collective, point->ranks, point->root,
                point->count * point->type_size, round);
}

/* Whether the library certainly does the same under both files: for all placements of ranks, unless one was given (1
   per node is also stored by default). A file compared with itself is measured all the same. */
bool tutti_comparing_unchanged(const struct comparing *comparing, const tutti_point *point)
{
  const tutti_tuning_comparison *found = comparing->found;
  const int placements[] = {found->ranks_per_node, 2, point->ranks}, count = found->ranks_per_node == 1 ? 3 : 1;
  tutti_explained_call call = {.collective = point->method.algorithm->collective,
                               .ranks = point->ranks,
                               .rank_bytes = point->count * point->type_size,
                               .type_bytes = point->type_size};
  bool same = !comparing->request->unchanged && !tutti_comparing_installed(comparing) && *found->library &&
              strcmp(found->digests[0], found->digests[1]) != 0;
  for (int i = 0; i < count && same; i++) {
    call.ranks_per_node = placements[i];
    same = tutti_tuning_pair_same(&comparing->tunings, &call);
  }
  return same;
}

/* ---- what the store has ---- */

static tutti_status check_ranks_per_node(struct comparing *comparing)
{
  for (size_t i = 0; i < comparing->stored_count; i++) {
    int ranks_per_node = comparing->stored[i].ranks_per_node;
    if (comparing->found->ranks_per_node == 0)
      comparing->found->ranks_per_node = ranks_per_node;
    if (comparing->found->ranks_per_node != ranks_per_node)
      return tutti_fail(comparing->error, TUTTI_ERR_ARGUMENT,
                        "%s: was compared with %d and %d ranks per node: choose with --ranks-per-node",
                        comparing->request->run->database, comparing->found->ranks_per_node, ranks_per_node);
  }
  return TUTTI_OK;
}

/* The pairs of the launches, or of the request. */
static tutti_selection select_stored(const struct comparing *comparing)
{
  const tutti_tuning_comparison_request *request = comparing->request;
  const tutti_experiment *experiment = request->experiment;
  tutti_selection selection = request->stored && request->among ? *request->among : (tutti_selection){0};
  if (comparing->run.ingest)
    selection.environment = comparing->run.ingest->environment;
  if (!selection.tutti && !selection.environment)
    selection.tutti = TUTTI_VERSION;
  selection.platform = experiment->platform_name;
  selection.platform_hash = "";
  selection.flavor = experiment->flavor;
  selection.scheme = (int)experiment->measure.scheme;
  selection.ranks_per_node = comparing->found->ranks_per_node;
  return selection;
}

tutti_status tutti_comparing_read(struct comparing *comparing, tutti_store *store)
{
  const tutti_selection selection = select_stored(comparing);
  void *rows;
  free(comparing->stored);
  tutti_status status = tutti_store_read_rows(store, TUTTI_ROW_COMPARISON, &selection, &rows, &comparing->stored_count,
                                              comparing->found->library, comparing->error);
  comparing->stored = rows;
  return status == TUTTI_OK ? check_ranks_per_node(comparing) : status;
}

const tutti_result *tutti_comparing_find(const struct comparing *comparing, const tutti_result *key)
{
  return comparing->stored_count == 0
             ? NULL
             : bsearch(key, comparing->stored, comparing->stored_count, sizeof *key, tutti_compare_results);
}

/* The last round that is stored of these files. */
int tutti_comparing_rounds(const struct comparing *comparing)
{
  uint64_t last = 0;
  for (size_t i = 0; i < comparing->stored_count; i++) {
    const tutti_result *row = &comparing->stored[i];
    uint64_t round = row->values[TUTTI_COMPARISON_FIELD_ROUND].integer;
    bool same = strcmp(row->values[TUTTI_COMPARISON_FIELD_BEFORE].string, comparing->found->digests[BEFORE]) == 0 &&
                strcmp(row->values[TUTTI_COMPARISON_FIELD_AFTER].string, comparing->found->digests[AFTER]) == 0;
    last = same && round > last && round <= PAIRED_MAX ? round : last;
  }
  return (int)last;
}

/* ---- judging ---- */

/* Append the pairs of a point, and their times to before and after. */
static void collect_pairs(const struct comparing *comparing, tutti_compared_point *point, double *before, double *after)
{
  tutti_tuning_comparison *found = comparing->found;
  for (int round = 1; round <= comparing->found->rounds; round++) {
    const tutti_result key = key_of(comparing, point->collective, point->ranks, point->root, point->bytes, round);
    const tutti_result *row = tutti_comparing_find(comparing, &key);
    if (!row)
      continue;
    before[point->pairs] = row->values[TUTTI_COMPARISON_FIELD_BEFORE_MEDIAN].seconds;
    after[point->pairs++] = row->values[TUTTI_COMPARISON_FIELD_AFTER_MEDIAN].seconds;
    found->pairs[found->pair_count++] = *row;
  }
}

static tutti_status test_point(const struct comparing *comparing, tutti_compared_point *point)
{
  double before[PAIRED_MAX], after[PAIRED_MAX];
  collect_pairs(comparing, point, before, after);
  const tutti_tuning_comparison_request *request = comparing->request;
  return request->margin > 0
             ? tutti_compared_judge(point, before, after, request->margin, request->level, comparing->error)
             : tutti_compared_test(point, before, after, request->level, comparing->error);
}

/* List the points to measure, and after them the others. */
static void list_points(const struct comparing *comparing, const tutti_plan *plan)
{
  tutti_tuning_comparison *found = comparing->found;
  found->points = tutti_xcalloc(plan->point_count + 1, sizeof *found->points);
  for (size_t i = 0; i < plan->point_count; i++) {
    const tutti_point *point = &plan->points[i];
    size_t at = tutti_comparing_unchanged(comparing, point) ? plan->point_count - ++found->unchanged : found->count++;
    found->points[at] = (tutti_compared_point){.collective = point->method.algorithm->collective,
                                               .ranks = point->ranks,
                                               .root = point->root,
                                               .bytes = point->count * point->type_size};
  }
  qsort(found->points, found->count, sizeof *found->points, compare_compared);
  qsort(found->points + found->count, found->unchanged, sizeof *found->points, compare_compared);
}

tutti_status tutti_comparing_judge(struct comparing *comparing)
{
  tutti_tuning_comparison *found = comparing->found;
  tutti_plan plan;
  tutti_status status = tutti_comparing_plan(comparing->request->experiment, 1, &plan, comparing->error);
  if (status != TUTTI_OK)
    return status;
  list_points(comparing, &plan);
  tutti_plan_free(&plan);
  found->pairs = tutti_xcalloc(found->count * (size_t)found->rounds + 1, sizeof *found->pairs);
  for (size_t i = 0; i < found->count && status == TUTTI_OK; i++)
    status = test_point(comparing, &found->points[i]);
  if (status == TUTTI_OK && found->pair_count == 0 && found->count > 0)
    status = tutti_fail(comparing->error, TUTTI_ERR_ARGUMENT, "%s: has no pair of launches of these files on %s",
                        comparing->request->run->database, comparing->request->experiment->platform_name);
  if (status == TUTTI_OK && comparing->request->margin > 0)
    tutti_compared_decide(found->points, found->count, comparing->request->margin, comparing->request->level);
  else if (status == TUTTI_OK)
    tutti_compared_correct(found->points, found->count, comparing->request->level);
  return status;
}
