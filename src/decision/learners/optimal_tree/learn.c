/* Optimal trees: what is asked for is checked, searched, and improved. */
#include <math.h>

#include "decision/learners/optimal_tree/rectangles.h"

static tutti_status check(const tutti_cost_grid *grid, const tutti_optimal_tree_options *options, tutti_error *error)
{
  if (grid->ranks_count < 1 || grid->size_count < 1 || grid->class_count < 1 || grid->class_count > 32767)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a grid of %d x %d points and %d classes", grid->ranks_count,
                      grid->size_count, grid->class_count);
  if (grid->ranks_count > 4096 || grid->size_count > 4096 ||
      tutti_rectangle_count(grid->ranks_count, grid->size_count) > TUTTI_MOST_RECTANGLES)
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

static tutti_status learn(const tutti_cost_grid *grid, struct rectangles *rectangles, const struct limits *limits,
                          struct candidate *kept, tutti_error *error)
{
  double too_low;
  struct best tree = tutti_optimal_search(rectangles, limits, &too_low);
  tutti_status status = tutti_optimal_write_down(grid, rectangles, tree.leaves, &kept->tree, error);
  kept->cost = tree.cost;
  if (status == TUTTI_OK)
    status = tutti_optimal_improve(grid, rectangles, too_low, limits, kept, error);
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
