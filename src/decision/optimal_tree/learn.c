/* Optimal trees: the price of a leaf that gives the size asked for, and the tree as a classifier. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decision/optimal_tree/rectangles.h"
#include "decision/penalty_tree/grow.h"

enum { MOST_STEPS = 36 };

static tutti_status check(const tutti_cost_grid *grid, const tutti_optimal_tree_options *options, tutti_error *error)
{
  if (grid->ranks_count < 1 || grid->size_count < 1 || grid->class_count < 1 || grid->class_count > 32767)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a grid of %d x %d points and %d classes", grid->ranks_count,
                      grid->size_count, grid->class_count);
  if (grid->ranks_count > 4096 || grid->size_count > 4096 ||
      rectangle_count(grid->ranks_count, grid->size_count) > TUTTI_MOST_RECTANGLES)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d x %d points have more than %d rectangles: too many to search",
                      grid->ranks_count, grid->size_count, TUTTI_MOST_RECTANGLES);
  if (options->leaves < 0 || !(options->mean >= 0))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a tree of at most %d leaves and a mean of %g", options->leaves,
                      options->mean);
  size_t count = (size_t)grid->ranks_count * (size_t)grid->size_count * (size_t)grid->class_count;
  for (size_t i = 0; i < count; i++)
    if (!(grid->costs[i] >= 0 && isfinite(grid->costs[i])))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a cost of %g with class %s", grid->costs[i],
                        grid->classes[i % (size_t)grid->class_count]);
  return TUTTI_OK;
}

/* ---- the price of a leaf: a dearer one makes trees smaller and costlier ---- */

struct limits {
  int leaves;  /* 0: none */
  double most; /* cost that is good enough */
};

static bool fits(struct rectangles *rectangles, double price, const struct limits *limits)
{
  return limits->leaves == 0 || rectangles_solve(rectangles, price).leaves <= limits->leaves;
}

static bool good(struct rectangles *rectangles, double price, const struct limits *limits)
{
  struct best tree = rectangles_solve(rectangles, price);
  return tree.cost - price * tree.leaves <= limits->most + 1e-6;
}

/* @p too_low receives the highest price found that leaves too many leaves; negative: there is none. */
static double lowest_that_fits(struct rectangles *rectangles, double top, const struct limits *limits, double *too_low)
{
  double low = 0, high = top;
  *too_low = -1;
  if (fits(rectangles, 0, limits))
    return 0;
  for (int step = 0; step < MOST_STEPS; step++) {
    double price = (low + high) / 2;
    if (fits(rectangles, price, limits))
      high = price;
    else
      low = price;
  }
  *too_low = low;
  return high;
}

static double highest_that_is_good(struct rectangles *rectangles, double top, const struct limits *limits)
{
  double low = 0, high = top;
  if (limits->most <= 0 || !good(rectangles, 0, limits))
    return 0;
  for (int step = 0; step < MOST_STEPS; step++) {
    double price = (low + high) / 2;
    if (good(rectangles, price, limits))
      low = price;
    else
      high = price;
  }
  return low;
}

static struct best solve(struct rectangles *rectangles, double price)
{
  struct best tree = rectangles_solve(rectangles, price);
  tree.cost -= price * tree.leaves;
  return tree;
}

/* Leaves the best trees of the price that meets the limits; returns that of the whole grid, without the price. */
static struct best search(struct rectangles *rectangles, const struct limits *limits, double *too_low)
{
  struct rectangle all = {0, rectangles->rows, 0, rectangles->columns};
  double top = 1 + rectangles->leaf_costs[rectangle_index(rectangles, &all)]; /* one leaf is best then */
  double fitting = lowest_that_fits(rectangles, top, limits, too_low);
  return solve(rectangles, fmax(fitting, highest_that_is_good(rectangles, top, limits)));
}

/* ---- the tree ---- */

static const struct best *best_of(const struct rectangles *rectangles, const struct rectangle *r)
{
  return &rectangles->best[rectangle_index(rectangles, r)];
}

static double between(double low, double high)
{
  double mean = floor(sqrt(low * high));
  return mean >= high ? low : mean < low ? low : mean;
}

static double wrong(const tutti_cost_grid *grid, const struct rectangle *r, int label)
{
  double count = 0;
  for (int row = r->row; row < r->row_end; row++)
    for (int column = r->column; column < r->column_end; column++) {
      size_t point = (size_t)row * (size_t)grid->size_count + (size_t)column;
      count += grid->costs[point * (size_t)grid->class_count + (size_t)label] > 0;
    }
  return count;
}

static void set_node(const tutti_cost_grid *grid, const struct rectangles *rectangles, const struct rectangle *r,
                     tutti_node *node)
{
  int cut = best_of(rectangles, r)->cut, label = rectangles->labels[rectangle_index(rectangles, r)];
  *node = (tutti_node){
      .attribute = -1, .label = label, .cases = (double)(r->row_end - r->row) * (double)(r->column_end - r->column)};
  if (cut == 0) {
    node->errors = wrong(grid, r, label);
    return;
  }
  node->branch_count = 2;
  node->attribute = cut < 0;
  node->threshold = cut > 0 ? between(grid->ranks[cut - 1], grid->ranks[cut])
                            : between((double)grid->sizes[-cut - 1], (double)grid->sizes[-cut]);
}

static void divide(const struct rectangle *r, int cut, struct rectangle *halves)
{
  halves[0] = halves[1] = *r;
  if (cut > 0)
    halves[0].row_end = halves[1].row = cut;
  else
    halves[0].column_end = halves[1].column = -cut;
}

static void write_nodes(const tutti_cost_grid *grid, const struct rectangles *rectangles, struct rectangle *of,
                        tutti_classifier *classifier)
{
  of[0] = (struct rectangle){0, grid->ranks_count, 0, grid->size_count};
  classifier->node_count = 1;
  for (int n = 0; n < classifier->node_count; n++) {
    tutti_node *node = &classifier->nodes[n];
    set_node(grid, rectangles, &of[n], node);
    if (node->branch_count == 0)
      continue;
    node->first = classifier->node_count;
    divide(&of[n], best_of(rectangles, &of[n])->cut, &of[classifier->node_count]);
    classifier->node_count += 2;
  }
}

static tutti_status write_down(const tutti_cost_grid *grid, const struct rectangles *rectangles, int leaves,
                               tutti_classifier *classifier, tutti_error *error)
{
  tutti_attribute attributes[] = {{.name = (char *)"ranks"}, {.name = (char *)"bytes"}};
  const tutti_cases names = {.attribute_count = 2,
                             .attributes = attributes,
                             .class_count = grid->class_count,
                             .classes = (char **)grid->classes};
  size_t nodes = 2 * (size_t)leaves - 1;
  tutti_status status = tutti_classifier_create(&names, classifier, error);
  if (status != TUTTI_OK)
    return status;
  struct rectangle *of = calloc(nodes, sizeof *of);
  classifier->nodes = calloc(nodes, sizeof *classifier->nodes);
  if (of && classifier->nodes) {
    write_nodes(grid, rectangles, of, classifier);
  } else {
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a tree of %d leaves", leaves);
    tutti_classifier_free(classifier);
  }
  free(of);
  return status;
}

/* ---- between two points of the hull ---- */

/* The points of the grid as cases. */
static tutti_status make_cases(const tutti_cost_grid *grid, tutti_cases *cases, tutti_error *error)
{
  size_t count = (size_t)grid->ranks_count * (size_t)grid->size_count, classes = (size_t)grid->class_count;
  tutti_status status = tutti_cases_create("grid", 2, grid->class_count, count, cases, error);
  if (status != TUTTI_OK)
    return status;
  bool fine = (cases->attributes[0].name = strdup("ranks")) && (cases->attributes[1].name = strdup("bytes"));
  for (size_t k = 0; fine && k < classes; k++)
    fine = (cases->classes[k] = strdup(grid->classes[k]));
  for (size_t i = 0; fine && i < count; i++) {
    cases->values[0][i] = grid->ranks[i / (size_t)grid->size_count];
    cases->values[1][i] = (double)grid->sizes[i % (size_t)grid->size_count];
    for (size_t k = 1; k < classes; k++)
      if (grid->costs[i * classes + k] < grid->costs[i * classes + (size_t)cases->labels[i]])
        cases->labels[i] = (int)k;
  }
  if (fine)
    return TUTTI_OK;
  tutti_cases_free(cases);
  return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %zu cases", count);
}

/* The next larger tree of the hull, cut back to so many leaves. */
static tutti_status cut_larger(const tutti_cost_grid *grid, struct rectangles *rectangles, double price,
                               const struct limits *limits, tutti_classifier *cut, double *cost, tutti_error *error)
{
  tutti_cases cases;
  tutti_classifier larger = {0};
  tutti_status status = make_cases(grid, &cases, error);
  if (status != TUTTI_OK)
    return status;
  const struct data data = {.cases = &cases, .costs = grid->costs, .weight = 1};
  status = write_down(grid, rectangles, rectangles_solve(rectangles, price).leaves, &larger, error);
  if (status == TUTTI_OK)
    status = penalty_cut(&data, &larger, limits->leaves, limits->most, cut, cost, error);
  tutti_classifier_free(&larger);
  tutti_cases_free(&cases);
  return status;
}

/* Use up the leaves that the hull leaves over, if that helps. */
static tutti_status improve(const tutti_cost_grid *grid, struct rectangles *rectangles, double too_low,
                            const struct limits *limits, double *cost, tutti_classifier *classifier, tutti_error *error)
{
  tutti_classifier cut = {0};
  double cut_cost;
  if (too_low < 0 || *cost <= limits->most || tutti_classifier_leaves(classifier) == limits->leaves)
    return TUTTI_OK;
  tutti_status status = cut_larger(grid, rectangles, too_low, limits, &cut, &cut_cost, error);
  if (status == TUTTI_OK && cut_cost < *cost - 1e-6) {
    tutti_classifier worse = *classifier;
    *classifier = cut;
    cut = worse;
    *cost = cut_cost;
  }
  tutti_classifier_free(&cut);
  return status;
}

static tutti_status learn(const tutti_cost_grid *grid, struct rectangles *rectangles, const struct limits *limits,
                          tutti_classifier *classifier, double *cost, tutti_error *error)
{
  double too_low;
  struct best tree = search(rectangles, limits, &too_low);
  tutti_status status = write_down(grid, rectangles, tree.leaves, classifier, error);
  *cost = tree.cost;
  if (status != TUTTI_OK)
    return status;
  status = improve(grid, rectangles, too_low, limits, cost, classifier, error);
  if (status != TUTTI_OK)
    tutti_classifier_free(classifier);
  return status;
}

tutti_status tutti_optimal_tree_learn(const tutti_cost_grid *grid, const tutti_optimal_tree_options *options,
                                      tutti_classifier *classifier, double *mean, tutti_error *error)
{
  struct rectangles rectangles;
  double cost, points = (double)grid->ranks_count * (double)grid->size_count;
  const struct limits limits = {options->leaves, options->mean * points};
  tutti_status status = check(grid, options, error);
  if (status == TUTTI_OK)
    status = rectangles_create(grid, &rectangles, error);
  if (status != TUTTI_OK)
    return status;
  status = learn(grid, &rectangles, &limits, classifier, &cost, error);
  if (status == TUTTI_OK && mean)
    *mean = cost / points;
  rectangles_free(&rectangles);
  return status;
}
