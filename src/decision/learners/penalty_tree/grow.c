/* Growing: regions are split, one level after the other, until nothing is to be gained. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/learners/learn.h"

struct split {
  int attribute;    /* -1: none */
  double threshold; /* continuous: the first branch has values <= it */
  int value;        /* discrete: the first branch has this value */
  double cost;      /* of both sides, each under its best class */
  double purity;    /* bits gained about the labels: decides where no split lowers the cost */
};

/* A region of cases. */
struct region {
  size_t first, count; /* in the array of cases */
  int label;           /* its best class */
  double cost;         /* under it */
  struct split split;  /* attribute -1: a leaf */
  int child;           /* index of the first of its two children */
};

struct growth {
  const struct costed_cases *data;
  size_t *order;          /* [count] the cases, those of a region in a row */
  int count;              /* regions; children come after their parent */
  struct region *regions; /* [2 TUTTI_MAX_LEAVES - 1] */
};

/* Sums of costs by class; room for sorting. */
struct scratch {
  double *below, *above;               /* [class_count] */
  double *labels_below, *labels_above; /* [class_count] */
  size_t *sorted;                      /* [count] */
};

/* ---- the best binary test of a region ---- */

/* Percent. Sums of large costs are added up and taken away again: they are not exact. */
static const double tie = 1e-6;

static double least_of(const double *sums, int count)
{
  double least = sums[0];
  for (int k = 1; k < count; k++)
    least = sums[k] < least ? sums[k] : least;
  return least;
}

static void add_row(const struct costed_cases *data, size_t row, double sign, double *sums)
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

/* The best class of the cases order[0 .. count), and what they cost under it. */
static int best_class(const struct costed_cases *data, const size_t *order, size_t count, double *sums, double *cost)
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

static void judge(const struct costed_cases *data, const struct scratch *scratch, struct split *candidate)
{
  int classes = data->cases->class_count;
  candidate->cost = least_of(scratch->below, classes) + least_of(scratch->above, classes);
  candidate->purity = -disorder(scratch->labels_below, classes) - disorder(scratch->labels_above, classes);
}

/* Begin with all cases above. */
static void gather(const struct costed_cases *data, const size_t *order, size_t count, struct scratch *scratch)
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

static void move_below(const struct costed_cases *data, size_t row, struct scratch *scratch)
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

static void try_thresholds(const struct costed_cases *data, int attribute, size_t count, struct scratch *scratch,
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

/* The most frequent value of a discrete attribute. */
static int commonest_value(const tutti_cases *cases, int attribute)
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

static bool has_value(const struct costed_cases *data, int attribute, size_t row, int value)
{
  double known = data->cases->values[attribute][row];
  return isnan(known) ? data->commonest[attribute] == value : known == value;
}

static void try_values(const struct costed_cases *data, int attribute, const size_t *order, size_t count,
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

/* The best binary split of a region, or attribute -1. */
static struct split best_split(const struct costed_cases *data, const size_t *order, const struct region *region,
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

/* Whether a case goes to the first branch. */
static bool goes_first(const struct costed_cases *data, const struct split *split, size_t row)
{
  if (data->cases->attributes[split->attribute].value_count > 0)
    return has_value(data, split->attribute, row, split->value);
  return data->cases->values[split->attribute][row] <= split->threshold; /* false where unknown */
}

/* ---- growing ---- */

static struct scratch make_scratch(const struct costed_cases *data)
{
  size_t classes = (size_t)data->cases->class_count;
  double *sums = tutti_xcalloc(4 * classes, sizeof *sums);
  return (struct scratch){.below = sums,
                          .above = sums + classes,
                          .labels_below = sums + 2 * classes,
                          .labels_above = sums + 3 * classes,
                          .sorted = tutti_xcalloc(data->cases->count, sizeof(size_t))};
}

static void set_leaf(struct growth *growth, struct region *region, struct scratch *scratch)
{
  region->split.attribute = -1;
  region->label = best_class(growth->data, growth->order + region->first, region->count, scratch->below, &region->cost);
}

/* Put the cases of the first branch first, each side in its order; returns how many these are. */
static size_t divide(struct growth *growth, const struct region *region, size_t *room)
{
  size_t *order = growth->order + region->first, first = 0, other = 0;
  for (size_t i = 0; i < region->count; i++)
    if (goes_first(growth->data, &region->split, order[i]))
      order[first++] = order[i];
    else
      room[other++] = order[i];
  for (size_t i = 0; i < other; i++)
    order[first + i] = room[i];
  return first;
}

static void split_region(struct growth *growth, int index, struct scratch *scratch)
{
  struct region *region = &growth->regions[index];
  if (region->cost <= 0 || region->count < 2 * growth->data->weight || growth->count + 2 > 2 * TUTTI_MAX_LEAVES - 1)
    return;
  region->split = best_split(growth->data, growth->order + region->first, region, scratch);
  if (region->split.attribute < 0)
    return;
  size_t first = divide(growth, region, scratch->sorted);
  region->child = growth->count;
  growth->regions[growth->count++] = (struct region){.first = region->first, .count = first};
  growth->regions[growth->count++] = (struct region){.first = region->first + first, .count = region->count - first};
  set_leaf(growth, &growth->regions[region->child], scratch);
  set_leaf(growth, &growth->regions[region->child + 1], scratch);
}

static void grow(struct growth *growth)
{
  struct scratch scratch = make_scratch(growth->data);
  size_t count = growth->data->cases->count;
  growth->order = tutti_xcalloc(count, sizeof *growth->order);
  growth->regions = tutti_xcalloc(2 * TUTTI_MAX_LEAVES - 1, sizeof *growth->regions);
  for (size_t i = 0; i < count; i++)
    growth->order[i] = i;
  growth->regions[0] = (struct region){.count = count};
  growth->count = 1;
  set_leaf(growth, &growth->regions[0], &scratch);
  for (int i = 0; i < growth->count; i++)
    split_region(growth, i, &scratch);
  free(scratch.below);
  free(scratch.sorted);
}

/* ---- as a classifier; regions and nodes have the same numbers ---- */

/* Which branch each value of a discrete attribute takes; NULL: it is continuous. */
static int *branches_of(const struct growth *growth, const struct split *split)
{
  int values = growth->data->cases->attributes[split->attribute].value_count;
  int *branches = values ? tutti_xcalloc((size_t)values, sizeof *branches) : NULL;
  for (int v = 0; v < values; v++)
    branches[v] = v != split->value;
  return branches;
}

static void set_node(const struct growth *growth, const struct region *region, tutti_node *node)
{
  *node = (tutti_node){.attribute = -1, .label = region->label, .cases = (double)region->count};
  if (region->split.attribute < 0)
    return;
  node->attribute = region->split.attribute;
  node->threshold = region->split.threshold;
  node->first = region->child;
  node->branch_count = 2;
  node->branch_of = branches_of(growth, &region->split);
}

static void write_down(const struct growth *growth, tutti_classifier *classifier)
{
  tutti_classifier_create(growth->data->cases, classifier);
  classifier->nodes = tutti_xcalloc((size_t)growth->count, sizeof *classifier->nodes);
  for (; classifier->node_count < growth->count; classifier->node_count++)
    set_node(growth, &growth->regions[classifier->node_count], &classifier->nodes[classifier->node_count]);
}

void tutti_penalty_grow(const struct costed_cases *data, tutti_classifier *classifier)
{
  struct costed_cases known = *data;
  struct growth growth = {.data = &known};
  size_t attributes = (size_t)data->cases->attribute_count;
  known.commonest = tutti_xcalloc(attributes, sizeof *known.commonest);
  for (size_t a = 0; a < attributes; a++)
    known.commonest[a] = commonest_value(data->cases, (int)a);
  grow(&growth);
  write_down(&growth, classifier);
  free(known.commonest);
  free(growth.order);
  free(growth.regions);
}
