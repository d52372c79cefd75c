/*
 * The best cut of a continuous attribute (Quinlan 1993, section 2.4; Quinlan 1996).
 *
 * Cases are visited in the order of their value; between two values that differ by more than 10^-5 is a cut. If the
 * values at the node are few, their weights by value and class are counted first, so that no sorting is needed.
 */
#include "decision/learners/c45/learner.h"

static const double NEIGHBORS = 1e-5;
static const double MAX_SPLIT = 25.0;

struct scan {
  const c45_learner *l;
  const double *values;
  double low_weight, high_weight; /* cases below, above */
  double low_sum, high_sum;       /* sum of x log2 x over the classes */
  double least;                   /* on either side */
  double base, total;             /* entropy times cases that are known; weight of all cases */
  uint32_t previous;
  int tried;
  double best_gain, best_low;
  uint32_t cut, above; /* ranks on both sides */
};

static void try_cut(struct scan *scan, uint32_t rank)
{
  const c45_learner *l = scan->l;
  if (scan->low_weight < scan->least - C45_SLACK || scan->high_weight < scan->least - C45_SLACK)
    return;
  double split = c45_xlog(l, scan->low_weight) - scan->low_sum + c45_xlog(l, scan->high_weight) - scan->high_sum;
  double gain = fabs(scan->base - split) < C45_SLACK ? 0.0 : (scan->base - split) / scan->total;
  scan->tried++;
  if (gain <= scan->best_gain + C45_SLACK)
    return;
  scan->best_gain = gain;
  scan->best_low = scan->low_weight;
  scan->cut = scan->previous;
  scan->above = rank;
}

static inline double at_least_zero(double x)
{
  return x > 0.0 ? x : 0.0;
}

/* Move cases with the value @p rank from above to below. Ranks come in ascending order. */
static inline void move(struct scan *scan, uint32_t rank, int label, double weight)
{
  const c45_learner *l = scan->l;
  if (rank != scan->previous) {
    if (scan->previous != C45_UNKNOWN && scan->values[scan->previous] + NEIGHBORS < scan->values[rank])
      try_cut(scan, rank);
    scan->previous = rank;
  }
  double low = l->low[label] + weight, high = at_least_zero(l->high[label] - weight);
  double low_term = c45_xlog(l, low), high_term = c45_xlog(l, high);
  scan->low_sum += low_term - l->low_terms[label];
  scan->high_sum += high_term - l->high_terms[label];
  l->low[label] = low;
  l->high[label] = high;
  l->low_terms[label] = low_term;
  l->high_terms[label] = high_term;
  scan->low_weight += weight;
  scan->high_weight = at_least_zero(scan->high_weight - weight);
}

/* ---- the cases in order ---- */

struct known {
  size_t count;
  uint32_t least, most;
};

/* Keys of the cases that are known: rank and position. */
static struct known gather(c45_learner *l, int attribute, c45_range range)
{
  const uint32_t *ranks = l->columns[attribute].ranks;
  struct known known = {.least = UINT32_MAX};
  for (size_t i = range.first; i < range.end; i++) {
    uint32_t rank = ranks[l->items[i]];
    if (rank == C45_UNKNOWN)
      continue;
    l->keys[known.count++] = (uint64_t)rank << 32 | (i - range.first);
    known.least = rank < known.least ? rank : known.least;
    known.most = rank > known.most ? rank : known.most;
  }
  return known;
}

static void scan_sorted(c45_learner *l, struct scan *scan, const struct known *known)
{
  int bits = 1;
  while (bits < 32 && known->most >> bits)
    bits++;
  tutti_c45_sort(&l->keys, &l->sorted, known->count, 32, 32 + bits);
  for (size_t i = 0; i < known->count && scan->high_weight >= scan->least - C45_SLACK; i++) {
    uint32_t position = (uint32_t)l->keys[i];
    move(scan, (uint32_t)(l->keys[i] >> 32), l->labels[position], c45_local_weight(l, position));
  }
}

/* Weights by value and class in the table; the room was checked. */
static void count_values(c45_learner *l, const struct known *known)
{
  size_t classes = (size_t)l->tree->class_count, cells = (known->most - known->least + 1) * classes;
  for (size_t i = 0; i < cells; i++)
    l->table[i] = 0.0;
  for (size_t i = 0; i < known->count; i++) {
    uint32_t position = (uint32_t)l->keys[i];
    size_t row = (l->keys[i] >> 32) - known->least;
    l->table[row * classes + (size_t)l->labels[position]] += c45_local_weight(l, position);
  }
}

static void scan_table(c45_learner *l, struct scan *scan, const struct known *known)
{
  int classes = l->tree->class_count;
  const double *cell = l->table;
  for (uint32_t rank = known->least; rank <= known->most && scan->high_weight >= scan->least - C45_SLACK; rank++)
    for (int c = 0; c < classes; c++, cell++)
      if (*cell > 0)
        move(scan, rank, c, *cell);
}

static bool few_values(const c45_learner *l, const struct known *known)
{
  double cells = (double)(known->most - known->least + 1) * l->tree->class_count;
  return cells <= 2.0 * (double)known->count && cells <= (double)l->table_room;
}

/* ---- the test ---- */

/* A tenth of the mean class, at least the requested weight, at most 25. The order of the two limits is Release 8's. */
static double least_side(const c45_learner *l, double known)
{
  double least = 0.1 * known / l->tree->class_count;
  if (least <= l->options->weight + C45_SLACK)
    return l->options->weight;
  return fmin(least, MAX_SPLIT);
}

/* Weights by class of the cases that are known; @p count: those of the node. */
static void count_known(c45_learner *l, const struct known *known, size_t count)
{
  for (int c = 0; c < l->tree->class_count; c++)
    l->high[c] = known->count == count ? l->all[c] : 0.0;
  for (size_t i = 0; known->count < count && i < known->count; i++) {
    uint32_t position = (uint32_t)l->keys[i];
    l->high[l->labels[position]] += c45_local_weight(l, position);
  }
}

/* All cases above the cut. */
static void begin_scan(c45_learner *l, struct scan *scan)
{
  for (int c = 0; c < l->tree->class_count; c++) {
    l->low[c] = l->low_terms[c] = 0.0;
    l->high_terms[c] = c45_xlog(l, l->high[c]);
    scan->high_weight += l->high[c];
    scan->high_sum += l->high_terms[c];
  }
  scan->base = c45_xlog(l, scan->high_weight) - scan->high_sum;
  scan->least = least_side(l, scan->high_weight);
}

/* The greatest value of all training data at or below the middle: a threshold that occurs (Quinlan 1993, 2.4). */
static double threshold(const c45_column *column, const struct scan *scan)
{
  double below = column->values[scan->cut], above = column->values[scan->above];
  double middle = below / 2 + above / 2;
  uint32_t low = scan->cut, high = scan->above;
  while (high - low > 1) {
    uint32_t rank = low + (high - low) / 2;
    if (column->values[rank] <= middle)
      low = rank;
    else
      high = rank;
  }
  return column->values[low];
}

/* The cost of naming the cut (Quinlan 1996), and the information of the split with the unknown cases as a third. */
static void rate(const struct scan *scan, double known, c45_test *test)
{
  const c45_learner *l = scan->l;
  test->gain = scan->best_gain - log2(scan->tried) / scan->total;
  test->info = (c45_xlog(l, scan->total) - c45_xlog(l, scan->best_low) - c45_xlog(l, known - scan->best_low) -
                c45_xlog(l, scan->total - known)) /
               scan->total;
  test->possible = test->gain > C45_SLACK;
  test->branch_count = 2;
}

void tutti_c45_test_continuous(c45_learner *l, int attribute, c45_range range, double total, c45_test *test)
{
  struct scan scan = {.l = l, .values = l->columns[attribute].values, .total = total, .previous = C45_UNKNOWN};
  *test = (c45_test){.possible = false};
  struct known known = gather(l, attribute, range);
  if (known.count == 0 || known.least == known.most)
    return;
  count_known(l, &known, range.end - range.first);
  begin_scan(l, &scan);
  double weight = scan.high_weight;
  if (weight < 2 * l->options->weight - C45_SLACK)
    return;
  if (few_values(l, &known)) {
    count_values(l, &known);
    scan_table(l, &scan, &known);
  } else {
    scan_sorted(l, &scan, &known);
  }
  if (scan.tried == 0 || scan.best_gain <= 0)
    return;
  rate(&scan, weight, test);
  if (test->possible)
    test->threshold = threshold(&l->columns[attribute], &scan);
}
