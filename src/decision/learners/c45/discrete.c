/* A discrete attribute: a branch for each value (Quinlan 1993, section 2.2). */
#include "decision/learners/c45/learner.h"

static void count_cases(c45_learner *l, const c45_column *column, c45_range range)
{
  size_t classes = (size_t)l->tree->class_count;
  for (size_t i = range.first; i < range.end; i++) {
    uint32_t value = column->ranks[l->items[i]];
    if (value != C45_UNKNOWN)
      l->table[value * classes + (size_t)l->labels[i - range.first]] += c45_local_weight(l, i - range.first);
  }
}

/* Weights by value and class into the table, by value into the bags; returns the weight of all that are known. */
static double count_values(c45_learner *l, int attribute, c45_range range)
{
  const c45_column *column = &l->columns[attribute];
  size_t classes = (size_t)l->tree->class_count;
  double known = 0.0;
  for (size_t i = 0; i < column->distinct * classes; i++)
    l->table[i] = 0.0;
  count_cases(l, column, range);
  for (size_t v = 0; v < column->distinct; v++) {
    l->bag_weights[v] = 0.0;
    for (size_t c = 0; c < classes; c++)
      l->bag_weights[v] += l->table[v * classes + c];
    known += l->bag_weights[v];
  }
  return known;
}

static int large_bags(const c45_learner *l, int bags)
{
  int large = 0;
  for (int b = 0; b < bags; b++)
    large += l->bag_weights[b] >= l->options->weight - C45_SLACK;
  return large;
}

/* Sum of x log2 x over the classes of all bags together. */
static double merged_classes(const c45_learner *l, const double *table, int bags)
{
  int classes = l->tree->class_count;
  double sum = 0.0;
  for (int c = 0; c < classes; c++) {
    double weight = 0.0;
    for (int b = 0; b < bags; b++)
      weight += table[(size_t)b * (size_t)classes + (size_t)c];
    sum += c45_xlog(l, weight);
  }
  return sum;
}

void tutti_c45_rate_bags(const c45_learner *l, const double *table, int bags, double known, double total,
                         c45_test *test)
{
  int classes = l->tree->class_count;
  double split = 0.0, sizes = 0.0;
  for (int b = 0; b < bags; b++) {
    double size = c45_xlog(l, l->bag_weights[b]);
    sizes += size;
    split += size;
    for (int c = 0; c < classes; c++)
      split -= c45_xlog(l, *table++);
  }
  double saved = c45_xlog(l, known) - merged_classes(l, table - (size_t)bags * (size_t)classes, bags) - split;
  test->gain = fabs(saved) < C45_SLACK ? 0.0 : saved / total;
  test->info = (c45_xlog(l, total) - sizes - c45_xlog(l, fmax(total - known, 0.0))) / total;
  test->branch_count = bags;
}

void tutti_c45_test_discrete(c45_learner *l, int attribute, c45_range range, double total, c45_test *test)
{
  int values = l->cases->attributes[attribute].value_count;
  *test = (c45_test){.possible = false};
  double known = count_values(l, attribute, range);
  if (large_bags(l, values) < 2)
    return;
  test->possible = true;
  if (l->options->grouping && values > 2)
    tutti_c45_group_values(l, attribute, known, total, test);
  else
    tutti_c45_rate_bags(l, l->table, values, known, total, test);
}
