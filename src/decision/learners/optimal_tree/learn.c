/* Optimal trees: a price of a leaf is searched that gives a tree near the size asked for (a higher one makes trees
 * smaller and costlier), then the best tree near that one; and the learner of decision maps. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "decision/cases/cases.h"
#include "decision/learners/learn.h"
#include "decision/learners/optimal_tree/rectangles.h"

/* ---- the price of a leaf ---- */

/* Two trees on the lower convex hull of cost over leaves. */
struct edge {
  struct best large, small; /* costs without the prices */
};

/* Whether a tree meets the goal. Of two neighbors on the hull one does. */
static bool meets(const struct best *tree, const struct goal *goal)
{
  return goal->leaves > 0 ? tree->leaves <= goal->leaves : tree->cost <= goal->max_cost + 1e-6;
}

static struct best solve(struct rectangles *rectangles, double price)
{
  struct best tree = tutti_rectangles_solve(rectangles, price);
  tree.cost -= price * tree.leaves;
  return tree;
}

/* The price at which both cost the same. */
static double price_of(const struct edge *edge)
{
  return (edge->small.cost - edge->large.cost) / (edge->large.leaves - edge->small.leaves);
}

/* At that price a tree between the two is better than they, or they are neighbors. */
static void find_edge(struct rectangles *rectangles, const struct goal *goal, struct edge *edge)
{
  for (;;) {
    double price = price_of(edge);
    struct best between = solve(rectangles, price);
    double gain = edge->large.cost + price * edge->large.leaves - between.cost - price * between.leaves;
    if (gain <= 1e-6 || between.leaves <= edge->small.leaves || between.leaves >= edge->large.leaves)
      return;
    if (meets(&between, goal) == (goal->leaves > 0)) /* a small tree has few leaves, a large one costs little */
      edge->small = between;
    else
      edge->large = between;
  }
}

/* Find the best tree for a goal that @p whole.large (many leaves) or @p whole.small (one) meets, but not both. */
static struct best search_between(struct rectangles *rectangles, const struct edge *whole, const struct goal *goal)
{
  struct edge edge = *whole;
  find_edge(rectangles, goal, &edge);
  struct best tree = goal->leaves > 0 ? edge.small : edge.large;
  tutti_optimal_search(rectangles, price_of(&edge), goal, goal->leaves > 0 ? goal->leaves : edge.large.leaves, &tree);
  return tree;
}

/* The smallest tree that costs at most @p max_cost, or else the cheapest; of at most @p leaves leaves, if not 0. */
static struct best search(struct rectangles *rectangles, int leaves, double max_cost)
{
  const struct rectangle all = {0, rectangles->rows, 0, rectangles->columns};
  double one_leaf = rectangles->leaf_costs[tutti_rectangle_index(rectangles, &all)];
  const struct edge whole = {.large = solve(rectangles, 0), .small = {one_leaf, 1, 0}};
  const struct goal cheap = {0, max_cost}, small = {leaves, 0};
  struct best tree = whole.large;
  if (max_cost > 0 && meets(&whole.small, &cheap))
    tree = solve(rectangles, 1 + one_leaf);
  else if (max_cost > 0 && meets(&whole.large, &cheap))
    tree = search_between(rectangles, &whole, &cheap);
  if (leaves > 0 && tree.leaves > leaves)
    tree = search_between(rectangles, &whole, &small);
  return tree;
}

/* ---- trees of a grid ---- */

static tutti_status check_grid(const tutti_cost_grid *grid, const tutti_optimal_tree_options *options,
                               tutti_error *error)
{
  if (grid->ranks_count < 1 || grid->size_count < 1 || grid->class_count < 1 || grid->class_count > 32767)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a grid of %d x %d points and %d classes", grid->ranks_count,
                      grid->size_count, grid->class_count);
  if (grid->ranks_count > 4096 || grid->size_count > 4096 ||
      tutti_rectangle_count(grid->ranks_count, grid->size_count) > TUTTI_MAX_RECTANGLES)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d x %d points have more than %d rectangles: too many to search",
                      grid->ranks_count, grid->size_count, TUTTI_MAX_RECTANGLES);
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

tutti_status tutti_optimal_tree_learn(const tutti_cost_grid *grid, const tutti_optimal_tree_options *options,
                                      tutti_classifier *classifier, double *mean, tutti_error *error)
{
  double points = (double)grid->ranks_count * (double)grid->size_count;
  tutti_status status = check_grid(grid, options, error);
  if (status != TUTTI_OK)
    return status;
  struct rectangles rectangles = tutti_rectangles_create(grid);
  const struct best tree = search(&rectangles, options->leaves, options->mean * points);
  tutti_optimal_write_down(grid, &rectangles, tree.leaves, classifier);
  if (mean)
    *mean = tree.cost / points;
  tutti_rectangles_free(&rectangles);
  return TUTTI_OK;
}

/* ---- the learner ---- */

/* A point without a measurement costs nothing under any class, so it does not change the tree. */
static double *costs_of(const tutti_decision_map *map, const struct class_list *list)
{
  size_t points = (size_t)map->ranks_count * (size_t)map->size_count, width = (size_t)list->count;
  double *costs = tutti_xcalloc(points * width, sizeof *costs);
  int *classes = tutti_learn_classes_of_methods(map, list);
  for (struct point point = {.map = NULL}; tutti_learn_next_point(map, 1, &point);) {
    size_t index = (size_t)point.ranks_index * (size_t)map->size_count + (size_t)point.size_index;
    tutti_learn_costs_at(&point, classes, list->count, costs + index * width);
  }
  free(classes);
  return costs;
}

static tutti_status learn_map(const tutti_learner_input *input, const void *settings, tutti_classifier *classifier,
                              tutti_learn_report *report, tutti_error *error)
{
  const tutti_decision_map *map = input->maps;
  struct class_list list = tutti_learn_classes(map, 1, true);
  (void)report;
  double *costs = costs_of(map, &list);
  const tutti_cost_grid grid = {.ranks_count = map->ranks_count,
                                .size_count = map->size_count,
                                .class_count = list.count,
                                .ranks = map->ranks,
                                .sizes = map->sizes,
                                .costs = costs,
                                .classes = (const char *const *)list.names};
  tutti_status status = tutti_optimal_tree_learn(&grid, settings, classifier, NULL, error);
  free(costs);
  tutti_names_free(list.names, list.count);
  return status;
}

static const tutti_optimal_tree_options defaults = {.leaves = 0};

static const tutti_learner_option options[] = {
    TUTTI_LEARN_LEAVES(tutti_optimal_tree_options),
    TUTTI_LEARN_MEAN(tutti_optimal_tree_options),
    {.name = NULL},
};

const tutti_learner tutti_learner_optimal = {
    .name = "optimal",
    .help = "the tree over ranks and bytes that no other of its size beats",
    .from = TUTTI_FROM_MAP,
    .settings_size = sizeof defaults,
    .defaults = &defaults,
    .options = options,
    .learn = learn_map,
};
