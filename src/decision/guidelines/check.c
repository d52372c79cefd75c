/* Checking guidelines: every one at every point, the violations by what they cost. */
#include <math.h>
#include <stdlib.h>

#include "base/vector.h"
#include "decision/guidelines/times.h"

#define THREE_WAY(a, b) (((a) > (b)) - ((a) < (b)))

struct checking {
  const tutti_guideline_times *times;
  double tolerance;
  tutti_guideline_report *report;
  size_t capacity; /* of its violations */
};

static tutti_status append(struct checking *checking, const tutti_violation *violation, tutti_error *error)
{
  tutti_guideline_report *report = checking->report;
  if (!tutti_grow(&report->violations, report->violation_count, &checking->capacity, 1, sizeof *report->violations))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %zu violations", report->violation_count);
  report->violations[report->violation_count++] = *violation;
  return TUTTI_OK;
}

static bool has_times(const tutti_guideline_times *times, tutti_collective collective)
{
  const tutti_guideline_time *first = tutti_guideline_times_from(times, collective, 0, 0);
  return first < times->items + times->count && first->collective == collective;
}

static void count_gap(const struct checking *checking, const struct right_side *right, tutti_guideline_tally *tally)
{
  tally->gaps[right->gap]++;
  if (right->gap == TUTTI_GAP_MEASURED && !has_times(checking->times, right->lacking))
    tally->lacking |= 1u << right->lacking;
}

/* @p lost receives what the violation costs, 0 if there is none. */
static tutti_status check(struct checking *checking, size_t index, const tutti_guideline_time *left, double *lost,
                          tutti_error *error)
{
  const tutti_guideline *guideline = tutti_guideline_at(index);
  tutti_guideline_tally *tally = &checking->report->tallies[index];
  struct right_side right;
  *lost = 0;
  if (guideline->left != TUTTI_COLL_COUNT && guideline->left != left->collective)
    return TUTTI_OK;
  enum resolution resolution = tutti_guideline_resolve(checking->times, guideline, left, &right);
  if (resolution == UNRESOLVED)
    count_gap(checking, &right, tally);
  if (resolution != RESOLVED)
    return TUTTI_OK;
  tally->checked++;
  if (left->seconds <= (1 + checking->tolerance) * right.seconds)
    return TUTTI_OK;
  tally->violated++;
  *lost = left->seconds - right.seconds;
  tutti_violation violation = {.guideline = guideline, .left = *left, .seconds = right.seconds, .lost = *lost};
  for (int i = 0; i < TUTTI_GUIDELINE_TERMS; i++)
    violation.right[i] = right.times[i];
  return append(checking, &violation, error);
}

/* All guidelines about one point. */
static tutti_status check_point(struct checking *checking, const tutti_guideline_time *left, tutti_error *error)
{
  tutti_guideline_report *report = checking->report;
  size_t before = report->violation_count;
  double most = 0, lost;
  tutti_status status = TUTTI_OK;
  for (size_t index = 0; index < tutti_guideline_count() && status == TUTTI_OK; index++) {
    status = check(checking, index, left, &lost, error);
    if (lost > most && tutti_guideline_is_mock_up(tutti_guideline_at(index)))
      most = lost;
  }
  report->points++;
  report->points_violating += report->violation_count > before;
  report->lost += most;
  return status;
}

static int by_cost(const void *left_item, const void *right_item)
{
  const tutti_violation *left = left_item, *right = right_item;
  if (left->lost != right->lost)
    return THREE_WAY(right->lost, left->lost);
  if (left->guideline != right->guideline)
    return THREE_WAY(left->guideline, right->guideline);
  if (left->left.collective != right->left.collective)
    return THREE_WAY(left->left.collective, right->left.collective);
  if (left->left.ranks != right->left.ranks)
    return THREE_WAY(left->left.ranks, right->left.ranks);
  return THREE_WAY(left->left.rank_bytes, right->left.rank_bytes);
}

tutti_status tutti_guidelines_check(tutti_guideline_times *times, unsigned collectives, double tolerance,
                                    tutti_guideline_report *report, tutti_error *error)
{
  *report = (tutti_guideline_report){.violations = NULL};
  if (!(tolerance >= 0) || !isfinite(tolerance))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the tolerance of guidelines is a number of at least 0");
  tutti_status status = tutti_guideline_times_sort(times, error);
  if (status != TUTTI_OK)
    return status;
  report->tallies = calloc(tutti_guideline_count(), sizeof *report->tallies);
  if (!report->tallies)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %zu guidelines", tutti_guideline_count());
  struct checking checking = {.times = times, .tolerance = tolerance, .report = report};
  for (size_t i = 0; i < times->count && status == TUTTI_OK; i++)
    if (collectives == 0 || collectives & 1u << times->items[i].collective)
      status = check_point(&checking, &times->items[i], error);
  if (report->violation_count > 0)
    qsort(report->violations, report->violation_count, sizeof *report->violations, by_cost);
  if (status != TUTTI_OK)
    tutti_guideline_report_free(report);
  return status;
}

void tutti_guideline_report_free(tutti_guideline_report *report)
{
  free(report->violations);
  free(report->tallies);
  *report = (tutti_guideline_report){.violations = NULL};
}
