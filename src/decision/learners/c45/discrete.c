/* Tests of a discrete attribute: a branch for each value (Quinlan 1993, section 2.2), or for groups of values (chapter
 * 7). To form groups, values of one and the same class are united first, then the pair whose union has the best gain
 * ratio, as long as that does not make it worse. Values without cases share a branch of their own. */
#include "decision/learners/c45/learner.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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

/* Rate a split of the table into bags. */
static void rate_bags(const c45_learner *l, const double *table, int bags, double known, double total, c45_test *test)
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

/* ---- groups ---- */

struct groups {
  c45_learner *l;
  int values, count; /* values of the attribute; number of groups */
  int *group_of;     /* [values] -1: no cases */
  double known, total;
};

static double *row(const struct groups *g, int group)
{
  return g->l->table + (size_t)group * (size_t)g->l->tree->class_count;
}

/* Rows of values without cases go. */
static void form(struct groups *g)
{
  for (int v = 0; v < g->values; v++) {
    g->group_of[v] = -1;
    if (g->l->bag_weights[v] < C45_SLACK)
      continue;
    memmove(row(g, g->count), row(g, v), (size_t)g->l->tree->class_count * sizeof(double));
    g->l->bag_weights[g->count] = g->l->bag_weights[v];
    g->group_of[v] = g->count++;
  }
}

static void merge(struct groups *g, int into, int gone)
{
  int classes = g->l->tree->class_count, last = --g->count;
  for (int c = 0; c < classes; c++)
    row(g, into)[c] += row(g, gone)[c];
  g->l->bag_weights[into] += g->l->bag_weights[gone];
  memmove(row(g, gone), row(g, gone + 1), (size_t)(last - gone) * (size_t)classes * sizeof(double));
  memmove(g->l->bag_weights + gone, g->l->bag_weights + gone + 1, (size_t)(last - gone) * sizeof(double));
  for (int v = 0; v < g->values; v++)
    if (g->group_of[v] == gone)
      g->group_of[v] = into;
    else if (g->group_of[v] > gone)
      g->group_of[v]--;
}

/* The class of all cases of a group, -1 if they have several. */
static int only_class(const struct groups *g, int group)
{
  for (int c = 0; c < g->l->tree->class_count; c++)
    if (row(g, group)[c] > g->l->bag_weights[group] - C45_SLACK)
      return c;
  return -1;
}

static void merge_pure(struct groups *g)
{
  for (int i = 0; i < g->count; i++) {
    int class = only_class(g, i);
    for (int j = g->count - 1; class >= 0 && j > i; j--)
      if (only_class(g, j) == class)
        merge(g, i, j);
  }
}

static double worth(const c45_learner *l, double gain, double info)
{
  if (l->options->gain)
    return gain;
  return info > C45_EPSILON ? gain / info : -1.0;
}

/* Whether at least two groups would be large enough, if these two were one. */
static bool large_enough(const struct groups *g, int left, int right)
{
  const double *weights = g->l->bag_weights, least = g->l->options->weight - C45_SLACK;
  int large = weights[left] + weights[right] >= least;
  for (int i = 0; i < g->count; i++)
    large += i != left && i != right && weights[i] >= least;
  return large >= 2;
}

/* The rating of the split into the groups, with two of them united. */
static double worth_of_pair(const struct groups *g, const c45_test *apart, int left, int right)
{
  const c45_learner *l = g->l;
  double a = l->bag_weights[left], b = l->bag_weights[right];
  double sizes = c45_xlog(l, a + b) - c45_xlog(l, a) - c45_xlog(l, b), more = sizes;
  for (int c = 0; c < l->tree->class_count; c++) {
    double x = row(g, left)[c], y = row(g, right)[c];
    more -= c45_xlog(l, x + y) - c45_xlog(l, x) - c45_xlog(l, y);
  }
  return worth(l, apart->gain - more / g->total, apart->info - sizes / g->total);
}

/* Unite the best pair; false if every union is worse than none. */
static bool climb(struct groups *g, c45_test *test)
{
  int left = -1, right = -1;
  double best = worth(g->l, test->gain, test->info) - C45_SLACK;
  for (int i = 0; i < g->count; i++)
    for (int j = i + 1; j < g->count; j++) {
      double value = worth_of_pair(g, test, i, j);
      if (value > best + (left < 0 ? 0.0 : C45_SLACK) && large_enough(g, i, j)) {
        best = value;
        left = i;
        right = j;
      }
    }
  if (left < 0)
    return false;
  merge(g, left, right);
  rate_bags(g->l, g->l->table, g->count, g->known, g->total, test);
  return true;
}

static void finish(struct groups *g, c45_test *test)
{
  bool missing = false;
  for (int v = 0; v < g->values; v++)
    if (g->group_of[v] < 0) {
      g->group_of[v] = g->count;
      missing = true;
    }
  test->branch_count = g->count + missing;
  test->branch_of = g->group_of;
}

static void group_values(c45_learner *l, int attribute, double known, double total, c45_test *test)
{
  struct groups groups = {.l = l, .values = l->cases->attributes[attribute].value_count, .known = known};
  groups.total = total;
  groups.group_of = tutti_xcalloc((size_t)groups.values, sizeof *groups.group_of);
  form(&groups);
  merge_pure(&groups);
  rate_bags(l, l->table, groups.count, known, total, test);
  while (groups.count > 2 && climb(&groups, test))
    ;
  test->possible = large_bags(l, groups.count) >= 2;
  if (test->possible)
    finish(&groups, test);
  else
    free(groups.group_of);
}

/* ---- a test ---- */

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

void tutti_c45_test_discrete(c45_learner *l, int attribute, c45_range range, double total, c45_test *test)
{
  int values = l->cases->attributes[attribute].value_count;
  *test = (c45_test){.possible = false};
  double known = count_values(l, attribute, range);
  if (large_bags(l, values) < 2)
    return;
  test->possible = true;
  if (l->options->grouping && values > 2)
    group_values(l, attribute, known, total, test);
  else
    rate_bags(l, l->table, values, known, total, test);
}
