/* Optimal trees: a price of a leaf is searched that gives a tree of the size asked for (a higher one makes trees
 * smaller and costlier), the tree is improved where leaves are left over; and the learner of decision maps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decision/cases/cases.h"
#include "decision/learners/learn.h"
#include "decision/learners/optimal_tree/rectangles.h"

/* How large a tree may be. */
struct limits {
  int leaves;  /* 0: any number */
  double most; /* cost that is good enough */
};

/* A tree, and what it costs. */
struct candidate {
  tutti_classifier tree;
  double cost;
};

/* ---- between two points of the hull: trees of as many leaves as were asked for ---- */

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

/* Keep the better one in @p kept and free the other. */
static void keep_better(struct candidate *kept, struct candidate *other)
{
  if (other->cost < kept->cost - 1e-6) {
    struct candidate worse = *kept;
    *kept = *other;
    *other = worse;
  }
  tutti_classifier_free(&other->tree);
}

/* The next larger tree of the hull, cut back to so many leaves. */
static tutti_status cut_larger(const tutti_cost_grid *grid, struct rectangles *rectangles, double price,
                               const struct limits *limits, const tutti_cases *cases, struct candidate *cut,
                               tutti_error *error)
{
  tutti_classifier larger = {0};
  const struct costed_cases data = {.cases = cases, .costs = grid->costs, .weight = 1};
  tutti_status status =
      tutti_optimal_write_down(grid, rectangles, tutti_rectangles_solve(rectangles, price).leaves, &larger, error);
  if (status == TUTTI_OK)
    status = tutti_penalty_cut(&data, &larger, limits->leaves, limits->most, &cut->tree, &cut->cost, error);
  tutti_classifier_free(&larger);
  return status;
}

/* What the greedy learner makes of it. */
static tutti_status grow_greedily(const tutti_cost_grid *grid, const struct limits *limits, const tutti_cases *cases,
                                  struct candidate *grown, tutti_error *error)
{
  const tutti_penalty_tree_options options = {limits->leaves, limits->most / (double)cases->count, 1};
  double mean = 0;
  tutti_status status = tutti_penalty_tree_learn(cases, grid->costs, &options, &grown->tree, &mean, error);
  grown->cost = mean * (double)cases->count;
  return status;
}

static tutti_status try_others(const tutti_cost_grid *grid, struct rectangles *rectangles, double too_low,
                               const struct limits *limits, const tutti_cases *cases, struct candidate *kept,
                               tutti_error *error)
{
  struct candidate other = {{0}, 0};
  tutti_status status = cut_larger(grid, rectangles, too_low, limits, cases, &other, error);
  if (status != TUTTI_OK)
    return status;
  keep_better(kept, &other);
  other = (struct candidate){{0}, 0};
  status = grow_greedily(grid, limits, cases, &other, error);
  if (status == TUTTI_OK)
    keep_better(kept, &other);
  return status;
  /* Use up the leaves that the hull leaves over, if that helps. */
}

static tutti_status improve(const tutti_cost_grid *grid, struct rectangles *rectangles, double too_low,
                            const struct limits *limits, struct candidate *kept, tutti_error *error)
{
  tutti_cases cases;
  if (too_low < 0 || kept->cost <= limits->most || tutti_classifier_leaves(&kept->tree) == limits->leaves)
    return TUTTI_OK;
  tutti_status status = make_cases(grid, &cases, error);
  if (status != TUTTI_OK)
    return status;
  status = try_others(grid, rectangles, too_low, limits, &cases, kept, error);
  tutti_cases_free(&cases);
  return status;
}

/* ---- the price of a leaf ---- */

/* Two neighbors on the lower convex hull of cost over leaves, and prices under which they are best. */
struct edge {
  struct best large, small; /* costs without the prices */
  double large_price, small_price;
};

typedef bool is_large_function(const struct best *tree, const struct limits *limits);

static bool has_too_many_leaves(const struct best *tree, const struct limits *limits)
{
  return limits->leaves > 0 && tree->leaves > limits->leaves;
}

static bool is_good_enough(const struct best *tree, const struct limits *limits)
{
  return tree->cost <= limits->most + 1e-6;
}

static struct best solve(struct rectangles *rectangles, double price)
{
  struct best tree = tutti_rectangles_solve(rectangles, price);
  tree.cost -= price * tree.leaves;
  return tree;
}

/* Under the price at which both cost the same a tree between the two is better than they, or they are neighbors. */
static struct edge find_edge(struct rectangles *rectangles, struct edge edge, const struct limits *limits,
                             is_large_function *is_large)
{
  while (edge.large.leaves > edge.small.leaves) {
    double price = (edge.small.cost - edge.large.cost) / (edge.large.leaves - edge.small.leaves);
    struct best between = solve(rectangles, price);
    double gain = edge.large.cost + price * edge.large.leaves - between.cost - price * between.leaves;
    if (gain <= 1e-6)
      break;
    if (is_large(&between, limits)) {
      edge.large = between;
      edge.large_price = price;
    } else {
      edge.small = between;
      edge.small_price = price;
    }
  }
  return edge;
}

static struct best search(struct rectangles *rectangles, const struct limits *limits, double *too_low)
{
  const struct rectangle all = {0, rectangles->rows, 0, rectangles->columns};
  double one_leaf = rectangles->leaf_costs[tutti_rectangle_index(rectangles, &all)];
  const struct edge whole = {solve(rectangles, 0), {one_leaf, 1, 0}, 0, 1 + one_leaf};
  double fitting = 0, good = 0;
  *too_low = -1;
  if (has_too_many_leaves(&whole.large, limits)) {
    struct edge edge = find_edge(rectangles, whole, limits, has_too_many_leaves);
    fitting = edge.small_price;
    *too_low = edge.large_price;
  }
  if (limits->most > 0 && is_good_enough(&whole.small, limits))
    good = whole.small_price;
  else if (limits->most > 0 && is_good_enough(&whole.large, limits))
    good = find_edge(rectangles, whole, limits, is_good_enough).large_price;
  return solve(rectangles, fmax(fitting, good));
}

/* ---- trees of a grid ---- */

static tutti_status check(const tutti_cost_grid *grid, const tutti_optimal_tree_options *options, tutti_error *error)
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

static tutti_status learn(const tutti_cost_grid *grid, struct rectangles *rectangles, const struct limits *limits,
                          struct candidate *kept, tutti_error *error)
{
  double too_low;
  struct best tree = search(rectangles, limits, &too_low);
  tutti_status status = tutti_optimal_write_down(grid, rectangles, tree.leaves, &kept->tree, error);
  kept->cost = tree.cost;
  if (status == TUTTI_OK)
    status = improve(grid, rectangles, too_low, limits, kept, error);
  if (status != TUTTI_OK)
    tutti_classifier_free(&kept->tree);
  return status;
}

tutti_status tutti_optimal_tree_learn(const tutti_cost_grid *grid, const tutti_optimal_tree_options *options,
                                      tutti_classifier *classifier, double *mean, tutti_error *error)
{
  struct rectangles rectangles;
  struct candidate kept = {{0}, 0};
  double points = (double)grid->ranks_count * (double)grid->size_count;
  const struct limits limits = {options->leaves, options->mean * points};
  tutti_status status = check(grid, options, error);
  if (status == TUTTI_OK)
    status = tutti_rectangles_create(grid, &rectangles, error);
  if (status != TUTTI_OK)
    return status;
  status = learn(grid, &rectangles, &limits, &kept, error);
  *classifier = kept.tree;
  if (status == TUTTI_OK && mean)
    *mean = kept.cost / points;
  tutti_rectangles_free(&rectangles);
  return status;
}

/* ---- the learner ---- */

/* A point without a measurement costs nothing under any class, so it does not change the tree. */
static double *costs_of(const tutti_decision_map *map, const struct class_list *list)
{
  size_t points = (size_t)map->ranks_count * (size_t)map->size_count, width = (size_t)list->count;
  double *costs = calloc(points * width, sizeof *costs);
  int *classes = tutti_learn_classes_of_methods(map, list);
  for (struct point point = {.map = NULL}; costs && classes && tutti_learn_next_point(map, 1, &point);) {
    size_t index = (size_t)point.ranks_index * (size_t)map->size_count + (size_t)point.size_index;
    tutti_learn_costs_at(&point, classes, list->count, costs + index * width);
  }
  if (!classes) {
    free(costs);
    return NULL;
  }
  free(classes);
  return costs;
}

static tutti_status learn_map(const tutti_learner_input *input, const void *settings, tutti_classifier *classifier,
                              tutti_learn_report *report, tutti_error *error)
{
  const tutti_decision_map *map = input->maps;
  struct class_list list;
  (void)report;
  tutti_status status = tutti_learn_classes(map, 1, true, &list, error);
  if (status != TUTTI_OK)
    return status;
  double *costs = costs_of(map, &list);
  const tutti_cost_grid grid = {.ranks_count = map->ranks_count,
                                .size_count = map->size_count,
                                .class_count = list.count,
                                .ranks = map->ranks,
                                .sizes = map->sizes,
                                .costs = costs,
                                .classes = (const char *const *)list.names};
  status = costs ? tutti_optimal_tree_learn(&grid, settings, classifier, NULL, error)
                 : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for an optimal tree");
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
