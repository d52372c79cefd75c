/* Checking guidelines: every one at every point; violations are ordered by their cost. The times come from maps. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "tutti/guideline.h"

enum resolution {
  RESOLVED,
  NOTHING_TO_CHECK, /* the guideline does not apply to the point */
  UNRESOLVED        /* it applies, but a time is missing: the gap gives the reason */
};

struct right_side {
  tutti_guideline_time times[TUTTI_GUIDELINE_TERMS];
  double seconds, noise;
  tutti_guideline_gap gap;
  tutti_collective lacking; /* its time is missing, for TUTTI_GAP_MEASURED */
};

/* ---- times ---- */

void tutti_guideline_times_add(tutti_guideline_times *times, const tutti_guideline_time *time)
{
  tutti_xpush(times, *time);
}

void tutti_guideline_times_free(tutti_guideline_times *times)
{
  free(times->items);
  *times = (tutti_guideline_times){.items = NULL};
}

/* The picked method at a point, and the method of the map that runs in its place; -1: unknown. */
static int what_runs(const tutti_decision_map *map, const tutti_decision *decision, int i, int j, tutti_method *method)
{
  int best = tutti_decision_map_best_at(map, i, j);
  if (!decision && best >= 0)
    *method = map->methods[best];
  if (!decision)
    return best;
  tutti_question question = tutti_decision_map_question(map, i, j);
  if (!decision->decide(decision, &question, method) || method->algorithm->collective != map->collective)
    return -1;
  return tutti_decision_map_serving(map, i, j, method);
}

static bool was_measured(const tutti_decision_map *map, int i, int j)
{
  for (int k = 0; k < map->method_count; k++)
    if (!isnan(tutti_decision_map_time(map, i, j, k)))
      return true;
  return false;
}

static void add_point(tutti_guideline_times *times, const tutti_decision_map *map, const tutti_decision *decision,
                      int i, int j, int ranks_per_node, size_t *unknown)
{
  tutti_guideline_time time = {.collective = map->collective,
                               .ranks = map->ranks[i],
                               .ranks_per_node = ranks_per_node,
                               .rank_bytes = map->sizes[j]};
  const int run = what_runs(map, decision, i, j, &time.method);
  if (run < 0) {
    *unknown += was_measured(map, i, j);
    return;
  }
  time.seconds = tutti_decision_map_time(map, i, j, run);
  time.noise = map->noise[tutti_decision_map_cell(map, i, j, run)];
  tutti_guideline_times_add(times, &time);
}

void tutti_guideline_times_of_map(tutti_guideline_times *times, const tutti_decision_map *map,
                                  const tutti_decision *decision, const int *ranks_per_node, size_t *unknown)
{
  *unknown = 0;
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++)
      add_point(times, map, decision, i, j, ranks_per_node[i], unknown);
}

/* Sorted by collective, ranks and size, so that a time is found by bisection. */
static int compare(const void *left_item, const void *right_item)
{
  const tutti_guideline_time *left = left_item, *right = right_item;
  if (left->collective != right->collective)
    return THREE_WAY(left->collective, right->collective);
  if (left->ranks != right->ranks)
    return THREE_WAY(left->ranks, right->ranks);
  return THREE_WAY(left->rank_bytes, right->rank_bytes);
}

static tutti_status sort_times(tutti_guideline_times *times, tutti_error *error)
{
  char size[24];
  tutti_vector_sort(times, compare);
  for (size_t i = 1; i < times->count; i++) {
    const tutti_guideline_time *time = &times->items[i];
    if (compare(time - 1, time) == 0)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "two times of %s on %d ranks with %s",
                        tutti_collective_name(time->collective), time->ranks,
                        tutti_size_format(time->rank_bytes, size));
  }
  return TUTTI_OK;
}

static const tutti_guideline_time *times_from(const tutti_guideline_times *times, tutti_collective collective,
                                              int ranks, uint64_t rank_bytes)
{
  const tutti_guideline_time key = {.collective = collective, .ranks = ranks, .rank_bytes = rank_bytes};
  size_t low = 0, high = times->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare(&times->items[middle], &key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? times->items + low : times->items;
}

/* One past the last time. */
static const tutti_guideline_time *times_end(const tutti_guideline_times *times)
{
  return times->count > 0 ? times->items + times->count : times->items;
}

static const tutti_guideline_time *find_time(const tutti_guideline_times *times, tutti_collective collective, int ranks,
                                             uint64_t rank_bytes)
{
  const tutti_guideline_time *found = times_from(times, collective, ranks, rank_bytes);
  bool there = found < times_end(times) && found->collective == collective && found->ranks == ranks &&
               found->rank_bytes == rank_bytes;
  return there ? found : NULL;
}

/* ---- right sides: exact sizes, measured times, nothing in between ---- */

/* k if n is 2^k and k >= 2; else 0. */
static int power_of(int n)
{
  return n >= 4 && (n & (n - 1)) == 0 ? __builtin_ctz((unsigned)n) : 0;
}

/* The number beside P, and the k of the power of two, or 0. */
static int beside(int ranks, int *k)
{
  const int powers[] = {ranks, ranks + 1, ranks - 1}, others[] = {ranks - 1, ranks + 1, ranks - 1};
  for (int i = 0; i < 3; i++)
    if ((*k = power_of(powers[i])) > 0)
      return others[i];
  return 0;
}

static int ranks_of(const tutti_guideline_term *term, int ranks, int *k)
{
  switch (term->ranks) {
  case TUTTI_RANKS_BUT_ONE:
    return ranks > 2 ? ranks - 1 : 0;
  case TUTTI_RANKS_TWO:
    return ranks > 2 ? 2 : 0;
  case TUTTI_RANKS_NEAREST_POWER:
    return beside(ranks, k);
  default:
    return ranks;
  }
}

static bool size_of(const tutti_guideline_term *term, const tutti_guideline_time *left, uint64_t *bytes)
{
  uint64_t size = left->rank_bytes, ranks = (uint64_t)left->ranks;
  *bytes = size;
  switch (term->size) {
  case TUTTI_SIZE_TIMES_RANKS:
    return !__builtin_mul_overflow(size, ranks, bytes);
  case TUTTI_SIZE_TIMES_OTHERS:
    return !__builtin_mul_overflow(size, ranks - 1, bytes);
  case TUTTI_SIZE_OVER_RANKS:
    *bytes = size / ranks;
    return size % ranks == 0;
  case TUTTI_SIZE_HALF:
    *bytes = size / 2;
    return size % 2 == 0;
  case TUTTI_SIZE_NONE:
    *bytes = 0;
    return true;
  default:
    return true;
  }
}

/* Whether the ranks of both are spread over nodes in the same way. */
static bool same_nodes(const tutti_guideline_time *left, const tutti_guideline_time *right)
{
  if (left->ranks_per_node == right->ranks_per_node)
    return true;
  bool on_one_node = left->ranks_per_node >= left->ranks && right->ranks_per_node >= right->ranks;
  return left->ranks != right->ranks && on_one_node;
}

static bool searches(const tutti_guideline_term *term)
{
  return term->ranks == TUTTI_RANKS_MORE || term->size == TUTTI_SIZE_LARGER || term->size == TUTTI_SIZE_LEAST;
}

/* Where a search begins: the times of a collective are in order of ranks and size. */
static const tutti_guideline_time *first_candidate(const tutti_guideline_times *times, const tutti_guideline_term *term,
                                                   tutti_collective collective, const tutti_guideline_time *left)
{
  if (term->ranks == TUTTI_RANKS_MORE)
    return times_from(times, collective, left->ranks + 1, 0);
  return times_from(times, collective, left->ranks, term->size == TUTTI_SIZE_LARGER ? left->rank_bytes + 1 : 1);
}

/* The cheapest, but of TUTTI_SIZE_LEAST the first. Times that are not positive are noise. */
static const tutti_guideline_time *search(const tutti_guideline_times *times, const tutti_guideline_term *term,
                                          tutti_collective collective, const tutti_guideline_time *left)
{
  const tutti_guideline_time *end = times_end(times), *found = NULL;
  bool more = term->ranks == TUTTI_RANKS_MORE;
  for (const tutti_guideline_time *time = first_candidate(times, term, collective, left);
       time < end && time->collective == collective && (more || time->ranks == left->ranks); time++) {
    if (term->size == TUTTI_SIZE_LEAST)
      return time;
    if (more && (time->rank_bytes != left->rank_bytes || !same_nodes(left, time)))
      continue;
    if (time->seconds > 0 && (!found || time->seconds < found->seconds))
      found = time;
  }
  return found;
}

static enum resolution unresolved(struct right_side *right, tutti_guideline_gap gap)
{
  right->gap = gap;
  return UNRESOLVED;
}

/* The time of a term, and how often it counts. */
static enum resolution resolve(const tutti_guideline_times *times, const tutti_guideline_term *term,
                               const tutti_guideline_time *left, const tutti_guideline_time **found, double *weight,
                               struct right_side *right)
{
  int k = 0, ranks = ranks_of(term, left->ranks, &k);
  uint64_t bytes;
  right->lacking = term->collective == TUTTI_COLL_COUNT ? left->collective : term->collective;
  *weight = term->times * (k > 0 ? 1 + 2.0 / k : 1.0);
  if (ranks == 0 || (term->size == TUTTI_SIZE_HALF && left->rank_bytes == 0))
    return NOTHING_TO_CHECK;
  if (!size_of(term, left, &bytes))
    return unresolved(right, TUTTI_GAP_DIVISIBLE);
  *found = searches(term) ? search(times, term, right->lacking, left) : find_time(times, right->lacking, ranks, bytes);
  if (!*found && searches(term) && term->size != TUTTI_SIZE_LEAST)
    return NOTHING_TO_CHECK; /* it is the largest */
  return *found ? RESOLVED : unresolved(right, TUTTI_GAP_MEASURED);
}

static enum resolution resolve_right(const tutti_guideline_times *times, const tutti_guideline *guideline,
                                     const tutti_guideline_time *left, struct right_side *right)
{
  enum resolution resolution = RESOLVED;
  *right = (struct right_side){.seconds = 0};
  for (int i = 0; i < TUTTI_GUIDELINE_TERMS && guideline->terms[i].times > 0 && resolution == RESOLVED; i++) {
    const tutti_guideline_time *found = NULL;
    double weight;
    resolution = resolve(times, &guideline->terms[i], left, &found, &weight, right);
    if (resolution != RESOLVED)
      return resolution;
    if (!(found->seconds > 0) || !(left->seconds > 0))
      resolution = unresolved(right, TUTTI_GAP_POSITIVE);
    else if (!same_nodes(left, found))
      resolution = unresolved(right, TUTTI_GAP_NODES);
    right->times[i] = *found;
    right->seconds += weight * found->seconds;
    right->noise += weight * found->noise;
  }
  return resolution;
}

/* ---- checking ---- */

struct checking {
  const tutti_guideline_times *times;
  double tolerance;
  tutti_guideline_report *report;
};

static bool has_times(const tutti_guideline_times *times, tutti_collective collective)
{
  const tutti_guideline_time *first = times_from(times, collective, 0, 0);
  return first < times_end(times) && first->collective == collective;
}

static void count_gap(const struct checking *checking, const struct right_side *right, tutti_guideline_tally *tally)
{
  tally->gaps[right->gap]++;
  if (right->gap == TUTTI_GAP_MEASURED && !has_times(checking->times, right->lacking))
    tally->lacking |= 1u << right->lacking;
}

/* Returns the cost of the violation, or 0. */
static double judge_point(struct checking *checking, size_t index, const tutti_guideline_time *left)
{
  const tutti_guideline *guideline = tutti_guideline_at(index);
  tutti_guideline_tally *tally = &checking->report->tallies[index];
  struct right_side right;
  if (guideline->left != TUTTI_COLL_COUNT && guideline->left != left->collective)
    return 0;
  enum resolution resolution = resolve_right(checking->times, guideline, left, &right);
  if (resolution == UNRESOLVED)
    count_gap(checking, &right, tally);
  if (resolution != RESOLVED)
    return 0;
  tally->checked++;
  if (left->seconds <= (1 + checking->tolerance) * right.seconds ||
      left->seconds - right.seconds < left->noise + right.noise)
    return 0;
  tally->violated++;
  const double lost = left->seconds - right.seconds;
  tutti_violation violation = {.guideline = guideline, .left = *left, .seconds = right.seconds, .lost = lost};
  for (int i = 0; i < TUTTI_GUIDELINE_TERMS; i++)
    violation.right[i] = right.times[i];
  tutti_guideline_report *report = checking->report;
  report->violations = tutti_xroom(report->violations, report->violation_count, sizeof violation);
  report->violations[report->violation_count++] = violation;
  return lost;
}

/* All guidelines about one point. */
static void check_point(struct checking *checking, const tutti_guideline_time *left)
{
  tutti_guideline_report *report = checking->report;
  size_t before = report->violation_count;
  double most = 0;
  for (size_t index = 0; index < tutti_guideline_count(); index++) {
    const double lost = judge_point(checking, index, left);
    if (lost > most && tutti_guideline_is_mock_up(tutti_guideline_at(index)))
      most = lost;
  }
  report->points++;
  report->points_violating += report->violation_count > before;
  report->lost += most;
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
  tutti_status status = sort_times(times, error);
  if (status != TUTTI_OK)
    return status;
  report->tallies = tutti_xcalloc(tutti_guideline_count(), sizeof *report->tallies);
  struct checking checking = {.times = times, .tolerance = tolerance, .report = report};
  for (size_t i = 0; i < times->count; i++)
    if (collectives == 0 || collectives & 1u << times->items[i].collective)
      check_point(&checking, &times->items[i]);
  if (report->violation_count > 0)
    qsort(report->violations, report->violation_count, sizeof *report->violations, by_cost);
  return TUTTI_OK;
}

void tutti_guideline_report_free(tutti_guideline_report *report)
{
  free(report->violations);
  free(report->tallies);
  *report = (tutti_guideline_report){.violations = NULL};
}
