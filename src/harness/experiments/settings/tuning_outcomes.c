/* Points of comparisons: which are won and lost, how many, and what all the pairs of a store say. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/results/verdict.h"
#include "harness/experiments/settings/tuning.h"
#include "harness/store/rows.h"

const char *tutti_outcome_name(tutti_outcome outcome)
{
  static const char *const names[] = {"unclear", "won", "lost"};
  return names[outcome];
}

/* ---- points ---- */

static void copy_test(tutti_compared_point *point, const struct paired_test *test)
{
  point->before = test->before;
  point->after = test->after;
  point->ratio = test->ratio;
  point->low = test->low;
  point->high = test->high;
  point->p = test->p;
}

tutti_status tutti_compared_test(tutti_compared_point *point, const double *before, const double *after, double level,
                                 tutti_error *error)
{
  struct paired_test test = {.before = NAN, .after = NAN, .ratio = NAN, .low = NAN, .high = NAN, .p = 1};
  tutti_status status =
      point->pairs == 0 ? TUTTI_OK : tutti_paired_test(before, after, point->pairs, level, &test, error);
  copy_test(point, &test);
  return status;
}

tutti_status tutti_compared_judge(tutti_compared_point *point, const double *before, const double *after, double margin,
                                  double level, tutti_error *error)
{
  struct verdict judged;
  tutti_status status = tutti_verdict_test(before, after, point->pairs, margin, level, &judged, error);
  copy_test(point, &judged.test);
  point->outside = judged.outside;
  return status;
}

void tutti_compared_decide(tutti_compared_point *points, size_t count, double margin, double level)
{
  static const tutti_outcome outcomes[TUTTI_PAIR_VERDICTS] = {
      [TUTTI_FASTER] = TUTTI_WON, [TUTTI_SLOWER] = TUTTI_LOST, [TUTTI_EQUAL] = TUTTI_UNCLEAR};
  struct verdict *all = tutti_xcalloc(count + 1, sizeof *all);
  for (size_t i = 0; i < count; i++) {
    all[i].test = (struct paired_test){.pairs = points[i].pairs,
                                       .ratio = points[i].ratio,
                                       .low = points[i].low,
                                       .high = points[i].high,
                                       .p = points[i].p};
    all[i].outside = points[i].outside;
  }
  tutti_verdict_decide(all, (int)count, margin, level);
  for (size_t i = 0; i < count; i++) {
    points[i].corrected = all[i].corrected;
    points[i].outside_corrected = all[i].outside_corrected;
    points[i].finds = all[i].finds;
    points[i].enough = all[i].enough;
    points[i].verdict = all[i].verdict;
    points[i].outcome = outcomes[all[i].verdict];
  }
  free(all);
}

void tutti_compared_correct(tutti_compared_point *points, size_t count, double level)
{
  double *p = tutti_xcalloc(count + 1, sizeof *p);
  for (size_t i = 0; i < count; i++)
    p[i] = points[i].p;
  tutti_paired_correct(p, (int)count);
  for (size_t i = 0; i < count; i++) {
    points[i].corrected = p[i];
    if (p[i] <= level)
      points[i].outcome = points[i].ratio < 1 ? TUTTI_WON : TUTTI_LOST;
  }
  free(p);
}

/* ---- sums ---- */

static void add_point(tutti_compared_summary *summary, const tutti_compared_point *point, double *sum)
{
  double change = 100 * (point->ratio - 1);
  summary->points++;
  summary->unmeasured += point->pairs == 0;
  summary->won += point->outcome == TUTTI_WON;
  summary->lost += point->outcome == TUTTI_LOST;
  summary->unclear += point->outcome == TUTTI_UNCLEAR;
  if (point->pairs == 0)
    return;
  *sum += change;
  summary->worst = fmax(summary->worst, change);
  summary->best = fmin(summary->best, change);
}

tutti_compared_summary tutti_compared_sum(const tutti_compared_point *points, size_t count, tutti_collective collective,
                                          int outcome)
{
  tutti_compared_summary summary = {.worst = NAN, .best = NAN};
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    if ((collective == TUTTI_COLL_COUNT || points[i].collective == collective) &&
        (outcome < 0 || (int)points[i].outcome == outcome))
      add_point(&summary, &points[i], &sum);
  summary.mean = summary.points > summary.unmeasured ? sum / (summary.points - summary.unmeasured) : NAN;
  return summary;
}

/* ---- all pairs of a store ---- */

static const char *word_of(const tutti_result *row, int field)
{
  return row->values[field].string;
}

/* By what belongs together: file, scheme and ranks per node, then the point. @{ */
static const int words[] = {TUTTI_COMPARISON_FIELD_AFTER, TUTTI_COMPARISON_FIELD_SCHEME,
                            TUTTI_COMPARISON_FIELD_COLLECTIVE};
static const int numbers[] = {TUTTI_COMPARISON_FIELD_RANKS, TUTTI_COMPARISON_FIELD_ROOT, TUTTI_COMPARISON_FIELD_SIZE};
/* @} */

static int compare_files(const tutti_result *a, const tutti_result *b)
{
  for (int i = 0; i < 2; i++) {
    int order = strcmp(word_of(a, words[i]), word_of(b, words[i]));
    if (order != 0)
      return order;
  }
  return a->ranks_per_node - b->ranks_per_node;
}

static int compare_points(const tutti_result *a, const tutti_result *b)
{
  int order = strcmp(word_of(a, words[2]), word_of(b, words[2]));
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers && order == 0; i++)
    order = (a->values[numbers[i]].integer > b->values[numbers[i]].integer) -
            (a->values[numbers[i]].integer < b->values[numbers[i]].integer);
  return order;
}

static int compare_rows(const void *left, const void *right)
{
  const tutti_result *a = left, *b = right;
  int order = compare_files(a, b);
  order = order ? order : compare_points(a, b);
  return order ? order
               : (int)a->values[TUTTI_COMPARISON_FIELD_ROUND].integer -
                     (int)b->values[TUTTI_COMPARISON_FIELD_ROUND].integer;
}

/* Keep the rows of one file against none, to the front; returns how many. */
static size_t keep_files(tutti_result *rows, size_t count)
{
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (strcmp(word_of(&rows[i], TUTTI_COMPARISON_FIELD_BEFORE), "untuned") == 0 &&
        strcmp(word_of(&rows[i], TUTTI_COMPARISON_FIELD_AFTER), "untuned") != 0 &&
        rows[i].values[TUTTI_COMPARISON_FIELD_BEFORE_MEDIAN].seconds > 0 &&
        rows[i].values[TUTTI_COMPARISON_FIELD_AFTER_MEDIAN].seconds > 0)
      rows[kept++] = rows[i];
  return kept;
}

/* The point that begins with a row; *end: the first row of the next one. */
static tutti_status judge_point(const tutti_result *rows, size_t count, double level, tutti_compared_point *point,
                                size_t *end, tutti_error *error)
{
  double before[PAIRED_MAX], after[PAIRED_MAX];
  *point = (tutti_compared_point){.ranks = (int)rows->values[TUTTI_COMPARISON_FIELD_RANKS].integer,
                                  .root = (int)rows->values[TUTTI_COMPARISON_FIELD_ROOT].integer,
                                  .bytes = rows->values[TUTTI_COMPARISON_FIELD_SIZE].integer};
  for (*end = 0; *end < count && compare_files(rows, rows + *end) == 0 && compare_points(rows, rows + *end) == 0;
       ++*end) {
    const tutti_value *values = rows[*end].values;
    if (point->pairs == PAIRED_MAX) /* more are never asked for */
      continue;
    before[point->pairs] = values[TUTTI_COMPARISON_FIELD_BEFORE_MEDIAN].seconds;
    after[point->pairs++] = values[TUTTI_COMPARISON_FIELD_AFTER_MEDIAN].seconds;
  }
  tutti_status status =
      tutti_collective_parse(word_of(rows, TUTTI_COMPARISON_FIELD_COLLECTIVE), &point->collective, error);
  return status == TUTTI_OK ? tutti_compared_test(point, before, after, level, error) : status;
}

/* The comparison that begins with a row; *end as above. */
static tutti_status judge_file(const tutti_result *rows, size_t count, double level,
                               tutti_stored_comparison *comparison, size_t *end, tutti_error *error)
{
  *comparison = (tutti_stored_comparison){.ranks_per_node = rows->ranks_per_node};
  snprintf(comparison->file, sizeof comparison->file, "%.*s", TUTTI_TUNING_DIGEST - 1,
           word_of(rows, TUTTI_COMPARISON_FIELD_AFTER));
  tutti_status status = tutti_scheme_parse(word_of(rows, TUTTI_COMPARISON_FIELD_SCHEME), &comparison->scheme, error);
  comparison->points = tutti_xcalloc(count, sizeof *comparison->points);
  for (*end = 0; *end < count && compare_files(rows, rows + *end) == 0 && status == TUTTI_OK;) {
    tutti_compared_point *point = &comparison->points[comparison->count++];
    size_t pairs;
    status = judge_point(rows + *end, count - *end, level, point, &pairs, error);
    *end += pairs;
    comparison->rounds = point->pairs > comparison->rounds ? point->pairs : comparison->rounds;
  }
  comparison->least_rounds = tutti_paired_least((int)comparison->count, level);
  tutti_compared_correct(comparison->points, comparison->count, level);
  return status;
}

/* Append the comparisons that these rows make. */
static tutti_status judge_rows(tutti_result *rows, size_t count, double level, tutti_stored_comparisons *comparisons,
                               tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  count = keep_files(rows, count);
  if (count > 0)
    qsort(rows, count, sizeof *rows, compare_rows);
  for (size_t at = 0; at < count && status == TUTTI_OK;) {
    size_t end;
    comparisons->items = tutti_xroom(comparisons->items, comparisons->count, sizeof *comparisons->items);
    status = judge_file(rows + at, count - at, level, &comparisons->items[comparisons->count++], &end, error);
    at += end;
  }
  return status;
}

tutti_status tutti_stored_comparisons_read(tutti_store *store, const tutti_selection *selection, double level,
                                           tutti_stored_comparisons *comparisons, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  *comparisons = (tutti_stored_comparisons){.items = NULL};
  for (int scheme = 0; scheme < TUTTI_SCHEME_COUNT && status == TUTTI_OK; scheme++) {
    tutti_selection selected = *selection;
    void *rows;
    size_t count;
    selected.scheme = scheme;
    status = tutti_store_read_rows(store, TUTTI_ROW_COMPARISON, &selected, &rows, &count, NULL, error);
    if (status == TUTTI_OK)
      status = judge_rows(rows, count, level, comparisons, error);
    free(rows);
  }
  if (status != TUTTI_OK)
    tutti_stored_comparisons_free(comparisons);
  return status;
}

void tutti_stored_comparisons_free(tutti_stored_comparisons *comparisons)
{
  for (size_t i = 0; i < comparisons->count; i++)
    free(comparisons->items[i].points);
  free(comparisons->items);
  *comparisons = (tutti_stored_comparisons){.items = NULL};
}
