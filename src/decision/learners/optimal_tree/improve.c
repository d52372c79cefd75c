/* Between two points of the hull: trees of as many leaves as were asked for. */
#include <stdlib.h>
#include <string.h>

#include "decision/learners/optimal_tree/rectangles.h"
#include "decision/learners/penalty_tree/grow.h"
#include "tutti/learners.h"

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
  const struct data data = {.cases = cases, .costs = grid->costs, .weight = 1};
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
}

tutti_status tutti_optimal_improve(const tutti_cost_grid *grid, struct rectangles *rectangles, double too_low,
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
