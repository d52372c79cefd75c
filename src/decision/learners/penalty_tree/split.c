/* The best binary test of a region. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decision/learners/penalty_tree/grow.h"

/* Percent. Sums of large costs are added up and taken away again: they are not exact. */
static const double tie = 1e-6;

static double least_of(const double *sums, int count)
{
  double least = sums[0];
  for (int k = 1; k < count; k++)
    least = sums[k] < least ? sums[k] : least;
  return least;
}

static void add_row(const struct data *data, size_t row, double sign, double *sums)
{
  int classes = data->cases->class_count;
  const double *costs = data->costs + row * (size_t)classes;
  for (int k = 0; k < classes; k++)
    sums[k] += sign * costs[k];
}

static void clear(double *sums, int count)
{
  memset(sums, 0, (size_t)count * sizeof *sums);
}

int tutti_penalty_best_class(const struct data *data, const size_t *order, size_t count, double *sums, double *cost)
{
  int best = 0, classes = data->cases->class_count;
  clear(sums, classes);
  for (size_t i = 0; i < count; i++)
    add_row(data, order[i], 1, sums);
  for (int k = 1; k < classes; k++)
    if (sums[k] < sums[best] - tie)
      best = k;
  *cost = sums[best];
  return best;
}

/* Weight times entropy of the labels. */
static double disorder(const double *labels, int classes)
{
  double sum = 0, total = 0;
  for (int k = 0; k < classes; k++)
    if (labels[k] > 0) {
      sum += labels[k] * log2(labels[k]);
      total += labels[k];
    }
  return total > 0 ? total * log2(total) - sum : 0;
}

static void consider(struct split *best, const struct split *candidate)
{
  if (best->attribute < 0 || candidate->cost < best->cost - tie ||
      (candidate->cost <= best->cost + tie && candidate->purity > best->purity + tie))
    *best = *candidate;
}

static void judge(const struct data *data, const struct scratch *scratch, struct split *candidate)
{
  int classes = data->cases->class_count;
  candidate->cost = least_of(scratch->below, classes) + least_of(scratch->above, classes);
  candidate->purity = -disorder(scratch->labels_below, classes) - disorder(scratch->labels_above, classes);
}

/* Begin with all cases above. */
static void gather(const struct data *data, const size_t *order, size_t count, struct scratch *scratch)
{
  int classes = data->cases->class_count;
  clear(scratch->below, classes);
  clear(scratch->above, classes);
  clear(scratch->labels_below, classes);
  clear(scratch->labels_above, classes);
  for (size_t i = 0; i < count; i++) {
    add_row(data, order[i], 1, scratch->above);
    scratch->labels_above[data->cases->labels[order[i]]]++;
  }
}

static void move_below(const struct data *data, size_t row, struct scratch *scratch)
{
  int label = data->cases->labels[row];
  add_row(data, row, 1, scratch->below);
  add_row(data, row, -1, scratch->above);
  scratch->labels_below[label]++;
  scratch->labels_above[label]--;
}

/* ---- continuous attributes ---- */

/* Unknown values last. */
static int compare_values(const void *left, const void *right, void *context)
{
  const double *values = context;
  size_t i = *(const size_t *)left, j = *(const size_t *)right;
  double a = values[i], b = values[j];
  if (a < b || (isnan(b) && !isnan(a)))
    return -1;
  if (a > b || (isnan(a) && !isnan(b)))
    return 1;
  return (i > j) - (i < j);
}

static void try_thresholds(const struct data *data, int attribute, size_t count, struct scratch *scratch,
                           struct split *best)
{
  const double *values = data->cases->values[attribute];
  const size_t *sorted = scratch->sorted;
  for (size_t i = 0; i + 1 < count && !isnan(values[sorted[i]]); i++) {
    struct split candidate = {.attribute = attribute, .threshold = values[sorted[i]]};
    move_below(data, sorted[i], scratch);
    if (values[sorted[i + 1]] == values[sorted[i]] || i + 1 < data->weight || count - i - 1 < data->weight)
      continue;
    judge(data, scratch, &candidate);
    consider(best, &candidate);
  }
}

/* ---- discrete attributes: one value against all others ---- */

int tutti_penalty_commonest_value(const tutti_cases *cases, int attribute)
{
  int best = 0;
  size_t most = 0;
  for (int v = 0; v < cases->attributes[attribute].value_count; v++) {
    size_t count = 0;
    for (size_t i = 0; i < cases->count; i++)
      count += cases->values[attribute][i] == v;
    if (count > most) {
      most = count;
      best = v;
    }
  }
  return best;
}

static bool has_value(const struct data *data, int attribute, size_t row, int value)
{
  double known = data->cases->values[attribute][row];
  return isnan(known) ? data->commonest[attribute] == value : known == value;
}

static void try_values(const struct data *data, int attribute, const size_t *order, size_t count,
                       struct scratch *scratch, struct split *best)
{
  for (int v = 0; v < data->cases->attributes[attribute].value_count; v++) {
    struct split candidate = {.attribute = attribute, .value = v};
    size_t first = 0;
    gather(data, order, count, scratch);
    for (size_t i = 0; i < count; i++)
      if (has_value(data, attribute, order[i], v)) {
        move_below(data, order[i], scratch);
        first++;
      }
    if (first < data->weight || count - first < data->weight)
      continue;
    judge(data, scratch, &candidate);
    consider(best, &candidate);
  }
}

struct split tutti_penalty_best_split(const struct data *data, const size_t *order, const struct region *region,
                                      struct scratch *scratch)
{
  struct split best = {.attribute = -1};
  for (int a = 0; a < data->cases->attribute_count; a++) {
    if (data->cases->attributes[a].ignored)
      continue;
    if (data->cases->attributes[a].value_count > 0) {
      try_values(data, a, order, region->count, scratch, &best);
      continue;
    }
    memcpy(scratch->sorted, order, region->count * sizeof *order);
    qsort_r(scratch->sorted, region->count, sizeof *order, compare_values, data->cases->values[a]);
    gather(data, order, region->count, scratch);
    try_thresholds(data, a, region->count, scratch, &best);
  }
  return best;
}

bool tutti_penalty_goes_first(const struct data *data, const struct split *split, size_t row)
{
  if (data->cases->attributes[split->attribute].value_count > 0)
    return has_value(data, split->attribute, row, split->value);
  return data->cases->values[split->attribute][row] <= split->threshold; /* false where unknown */
}
