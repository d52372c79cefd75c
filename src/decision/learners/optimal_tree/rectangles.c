/* The rectangles of a grid: what a leaf costs in each, the best tree of each by dynamic programming, and that of the
 * whole grid as a classifier. */
#include "decision/learners/optimal_tree/rectangles.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Intervals of n points: those that begin at @p first come before those that begin later. */
static size_t interval_index(int first, int end, int n)
{
  return (size_t)first * (size_t)(2 * n - first + 1) / 2 + (size_t)(end - first - 1);
}

static size_t interval_count(int n)
{
  return (size_t)n * (size_t)(n + 1) / 2;
}

size_t tutti_rectangle_count(int rows, int columns)
{
  return interval_count(rows) * interval_count(columns);
}

size_t tutti_rectangle_index(const struct rectangles *rectangles, const struct rectangle *r)
{
  return interval_index(r->row, r->row_end, rectangles->rows) * interval_count(rectangles->columns) +
         interval_index(r->column, r->column_end, rectangles->columns);
}

/* ---- costs of leaves, by sums over all points before ---- */

/* [rows + 1][columns + 1][classes]: over the points with smaller row and column. */
static double *sums_of(const tutti_cost_grid *grid)
{
  size_t classes = (size_t)grid->class_count, width = ((size_t)grid->size_count + 1) * classes;
  double *sums = tutti_xcalloc(((size_t)grid->ranks_count + 1) * width, sizeof *sums);
  for (int r = 0; r < grid->ranks_count; r++)
    for (int s = 0; s < grid->size_count; s++) {
      double *here = sums + (size_t)(r + 1) * width + (size_t)(s + 1) * classes;
      const double *costs = grid->costs + ((size_t)r * (size_t)grid->size_count + (size_t)s) * classes;
      const double *left = here - classes, *above = here - width, *corner = above - classes;
      for (size_t k = 0; k < classes; k++)
        here[k] = costs[k] + left[k] + above[k] - corner[k];
    }
  return sums;
}

static void set_leaf(const tutti_cost_grid *grid, const double *sums, const struct rectangle *r,
                     struct rectangles *rectangles)
{
  size_t classes = (size_t)grid->class_count, width = ((size_t)grid->size_count + 1) * classes;
  const double *low = sums + (size_t)r->row * width, *high = sums + (size_t)r->row_end * width;
  size_t left = (size_t)r->column * classes, right = (size_t)r->column_end * classes;
  size_t index = tutti_rectangle_index(rectangles, r);
  int best = 0;
  double least = 0;
  for (size_t k = 0; k < classes; k++) {
    double cost = high[right + k] - high[left + k] - low[right + k] + low[left + k];
    if (k == 0 || cost < least - 1e-6) {
      least = cost;
      best = (int)k;
    }
  }
  rectangles->leaf_costs[index] = least > 1e-6 ? least : 0;
  rectangles->labels[index] = (short)best;
}

static void set_leaves(const tutti_cost_grid *grid, const double *sums, struct rectangles *rectangles)
{
  struct rectangle r;
  for (r.row = 0; r.row < grid->ranks_count; r.row++)
    for (r.row_end = r.row + 1; r.row_end <= grid->ranks_count; r.row_end++)
      for (r.column = 0; r.column < grid->size_count; r.column++)
        for (r.column_end = r.column + 1; r.column_end <= grid->size_count; r.column_end++)
          set_leaf(grid, sums, &r, rectangles);
}

struct rectangles tutti_rectangles_create(const tutti_cost_grid *grid)
{
  size_t count = tutti_rectangle_count(grid->ranks_count, grid->size_count);
  double *sums = sums_of(grid);
  struct rectangles rectangles = {.rows = grid->ranks_count,
                                  .columns = grid->size_count,
                                  .leaf_costs = tutti_xcalloc(count, sizeof(double)),
                                  .labels = tutti_xcalloc(count, sizeof(short)),
                                  .best = tutti_xcalloc(count, sizeof(struct best))};
  set_leaves(grid, sums, &rectangles);
  free(sums);
  return rectangles;
}

void tutti_rectangles_free(struct rectangles *rectangles)
{
  free(rectangles->leaf_costs);
  free(rectangles->labels);
  free(rectangles->best);
  *rectangles = (struct rectangles){0};
}

/* ---- the best trees ---- */

/* Less, or the same with fewer leaves. */
static bool better(double cost, int leaves, const struct best *best)
{
  return cost < best->cost - 1e-6 || (cost <= best->cost + 1e-6 && leaves < best->leaves);
}

static void consider_cut(const struct best *one, const struct best *other, int cut, struct best *best)
{
  double cost = one->cost + other->cost;
  int leaves = one->leaves + other->leaves;
  if (better(cost, leaves, best))
    *best = (struct best){cost, leaves, cut};
}

static struct best solve_one(const struct rectangles *rectangles, const struct rectangle *r, double price)
{
  size_t columns = interval_count(rectangles->columns);
  size_t column = interval_index(r->column, r->column_end, rectangles->columns);
  size_t row = interval_index(r->row, r->row_end, rectangles->rows) * columns;
  struct best best = {rectangles->leaf_costs[row + column] + price, 1, 0};
  if (best.cost <= price) /* nothing can be better */
    return best;
  for (int cut = r->row + 1; cut < r->row_end; cut++)
    consider_cut(&rectangles->best[interval_index(r->row, cut, rectangles->rows) * columns + column],
                 &rectangles->best[interval_index(cut, r->row_end, rectangles->rows) * columns + column], cut, &best);
  for (int cut = r->column + 1; cut < r->column_end; cut++)
    consider_cut(&rectangles->best[row + interval_index(r->column, cut, rectangles->columns)],
                 &rectangles->best[row + interval_index(cut, r->column_end, rectangles->columns)], -cut, &best);
  return best;
}

struct best tutti_rectangles_solve(struct rectangles *rectangles, double price)
{
  struct rectangle r = {0};
  for (int height = 1; height <= rectangles->rows; height++)
    for (int width = 1; width <= rectangles->columns; width++)
      for (r.row = 0; r.row + height <= rectangles->rows; r.row++)
        for (r.column = 0; r.column + width <= rectangles->columns; r.column++) {
          r.row_end = r.row + height;
          r.column_end = r.column + width;
          rectangles->best[tutti_rectangle_index(rectangles, &r)] = solve_one(rectangles, &r, price);
        }
  r = (struct rectangle){0, rectangles->rows, 0, rectangles->columns};
  return rectangles->best[tutti_rectangle_index(rectangles, &r)];
}

/* ---- the tree as a classifier ---- */

static const struct best *best_of(const struct rectangles *rectangles, const struct rectangle *r)
{
  return &rectangles->best[tutti_rectangle_index(rectangles, r)];
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
  int cut = best_of(rectangles, r)->cut, label = rectangles->labels[tutti_rectangle_index(rectangles, r)];
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

void tutti_rectangle_divide(const struct rectangle *r, int cut, struct rectangle *halves)
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
    tutti_rectangle_divide(&of[n], best_of(rectangles, &of[n])->cut, &of[classifier->node_count]);
    classifier->node_count += 2;
  }
}

void tutti_optimal_write_down(const tutti_cost_grid *grid, const struct rectangles *rectangles, int leaves,
                              tutti_classifier *classifier)
{
  static const char *const attributes[] = {"ranks", "bytes"};
  size_t nodes = 2 * (size_t)leaves - 1;
  tutti_classifier_create_named(attributes, 2, grid->classes, grid->class_count, classifier);
  struct rectangle *of = tutti_xcalloc(nodes, sizeof *of);
  classifier->nodes = tutti_xcalloc(nodes, sizeof *classifier->nodes);
  write_nodes(grid, rectangles, of, classifier);
  free(of);
}
