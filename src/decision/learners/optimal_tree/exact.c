/* Trees between two neighbors of the hull: all trees whose cost with the prices of their leaves is at most a gap above
 * the least one are searched, with a gap that grows until no tree beyond it can be better.
 *
 * Under a price, each cut of a rectangle and each leaf costs some amount more than the best tree of the rectangle: its
 * excess. A tree's cost with prices is that of the best tree plus the excess of all its cuts and leaves, so a tree
 * within the gap consists of parts within it: most rectangles and cuts drop out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/learners/optimal_tree/rectangles.h"

/* Sums of costs in another order differ by rounding. */
static const double rounding = 1e-5;

/* A tree of a rectangle. */
struct point {
  double cost; /* without the prices of leaves */
  int leaves;
  int cut;          /* as in struct best */
  int first_leaves; /* of the first half */
};

/* Trees of a rectangle, ascending in leaves, descending in cost: all that no other tree within the gap beats. */
struct front {
  struct point *points;
  int count;
};

struct search {
  struct rectangles *rectangles;
  double price, gap;
  int max_leaves;
  double *reach; /* of each rectangle: smallest excess of the cuts that lead to it; INFINITY: none within the gap */
  struct front *fronts; /* of each rectangle within reach */
  struct point *table;  /* [max_leaves + 1]: the cheapest tree of each number of leaves of the current rectangle */
};

static const struct rectangle *whole(const struct rectangles *rectangles, struct rectangle *r)
{
  *r = (struct rectangle){0, rectangles->rows, 0, rectangles->columns};
  return r;
}

/* ---- all rectangles, all cuts ---- */

typedef void visit_function(struct search *search, const struct rectangle *r);

/* Visit all rectangles of a size. */
static void visit_size(struct search *search, int height, int width, visit_function *visit)
{
  struct rectangle r;
  for (r.row = 0; r.row + height <= search->rectangles->rows; r.row++)
    for (r.column = 0; r.column + width <= search->rectangles->columns; r.column++) {
      r.row_end = r.row + height;
      r.column_end = r.column + width;
      if (isfinite(search->reach[tutti_rectangle_index(search->rectangles, &r)]))
        visit(search, &r);
    }
}

/* The cut after @p cut, in the order rows, columns; 0 before the first and after the last. */
static int next_cut(const struct rectangle *r, int cut)
{
  if (cut >= 0 && (cut ? cut : r->row) + 1 < r->row_end)
    return (cut ? cut : r->row) + 1;
  int column = (cut < 0 ? -cut : r->column) + 1;
  return column < r->column_end ? -column : 0;
}

/* Excess of a cut, and the indexes of its halves. */
static double cut_excess(const struct rectangles *rectangles, const struct rectangle *r, int cut, size_t *halves)
{
  struct rectangle parts[2];
  tutti_rectangle_divide(r, cut, parts);
  halves[0] = tutti_rectangle_index(rectangles, &parts[0]);
  halves[1] = tutti_rectangle_index(rectangles, &parts[1]);
  return rectangles->best[halves[0]].cost + rectangles->best[halves[1]].cost -
         rectangles->best[tutti_rectangle_index(rectangles, r)].cost;
}

/* ---- which rectangles are within the gap ---- */

static void reach_halves(struct search *search, const struct rectangle *r)
{
  double reach = search->reach[tutti_rectangle_index(search->rectangles, r)];
  for (int cut = next_cut(r, 0); cut != 0; cut = next_cut(r, cut)) {
    size_t halves[2];
    double excess = reach + fmax(0, cut_excess(search->rectangles, r, cut, halves));
    if (excess > search->gap)
      continue;
    search->reach[halves[0]] = fmin(search->reach[halves[0]], excess);
    search->reach[halves[1]] = fmin(search->reach[halves[1]], excess);
  }
}

static void reach_all(struct search *search, size_t count)
{
  struct rectangle r;
  for (size_t i = 0; i < count; i++)
    search->reach[i] = INFINITY;
  search->reach[tutti_rectangle_index(search->rectangles, whole(search->rectangles, &r))] = 0;
  for (int height = search->rectangles->rows; height >= 1; height--)
    for (int width = search->rectangles->columns; width >= 1; width--)
      visit_size(search, height, width, reach_halves);
}

/* ---- the trees of a rectangle ---- */

static void enter(struct search *search, double max_cost, struct point point)
{
  /* A tree dearer than a smaller one would be left out of the front anyway. */
  if (point.cost <= max_cost - search->price * point.leaves && point.cost < search->table[point.leaves].cost)
    search->table[point.leaves] = point;
}

static void enter_cut(struct search *search, double max_cost, int cut, const size_t *halves)
{
  const struct front *one = &search->fronts[halves[0]], *other = &search->fronts[halves[1]];
  for (int a = 0; a < one->count; a++)
    for (int b = 0; b < other->count && one->points[a].leaves + other->points[b].leaves <= search->max_leaves; b++)
      enter(search, max_cost,
            (struct point){one->points[a].cost + other->points[b].cost, one->points[a].leaves + other->points[b].leaves,
                           cut, one->points[a].leaves});
}

/* Move what no smaller tree beats from the table to a front, and empty the table. */
static void store_front(struct search *search, struct front *front)
{
  double least = INFINITY;
  int count = 0;
  for (int n = 1; n <= search->max_leaves; n++) {
    struct point point = search->table[n];
    search->table[n].cost = INFINITY;
    if (point.cost >= least - 1e-9)
      continue;
    least = point.cost;
    search->table[++count] = point; /* count <= n */
  }
  front->points = tutti_xmemdup(search->table + 1, (size_t)count * sizeof *front->points);
  front->count = count;
  for (int i = 1; i <= count; i++)
    search->table[i].cost = INFINITY;
}

static void find_front(struct search *search, const struct rectangle *r)
{
  const struct rectangles *rectangles = search->rectangles;
  size_t index = tutti_rectangle_index(rectangles, r), halves[2];
  double allowed = search->gap - search->reach[index], max_cost = rectangles->best[index].cost + allowed;
  enter(search, max_cost, (struct point){rectangles->leaf_costs[index], 1, 0, 0});
  for (int cut = next_cut(r, 0); cut != 0; cut = next_cut(r, cut))
    if (cut_excess(rectangles, r, cut, halves) <= allowed)
      enter_cut(search, max_cost, cut, halves);
  store_front(search, &search->fronts[index]);
}

static void find_fronts(struct search *search)
{
  for (int height = 1; height <= search->rectangles->rows; height++)
    for (int width = 1; width <= search->rectangles->columns; width++)
      visit_size(search, height, width, find_front);
}

/* ---- the tree that is wanted ---- */

/* The last tree with few enough leaves, or the first one that is cheap enough; NULL without one within the gap. */
static const struct point *choose(const struct front *front, const struct goal *goal)
{
  const struct point *chosen = NULL;
  for (int i = 0; i < front->count && !(chosen && goal->leaves == 0); i++)
    if (goal->leaves > 0 || front->points[i].cost <= goal->max_cost + 1e-6)
      chosen = &front->points[i];
  return chosen;
}

/* The gap beyond which no tree is better than one of this cost and size. */
static double gap_of(const struct search *search, const struct goal *goal, double cost, int leaves)
{
  struct rectangle r;
  double least =
      search->rectangles->best[tutti_rectangle_index(search->rectangles, whole(search->rectangles, &r))].cost;
  return rounding - least +
         (goal->leaves > 0 ? cost + search->price * goal->leaves : goal->max_cost + search->price * (leaves - 1));
}

/* Note the cuts of a tree. Each rectangle occurs once in it. */
static void mark_cuts(struct search *search, const struct rectangle *r, int leaves)
{
  size_t index = tutti_rectangle_index(search->rectangles, r);
  const struct point *point = search->fronts[index].points;
  while (point->leaves != leaves)
    point++;
  search->rectangles->best[index].cut = point->cut;
  if (point->cut == 0)
    return;
  struct rectangle halves[2];
  tutti_rectangle_divide(r, point->cut, halves);
  mark_cuts(search, &halves[0], point->first_leaves);
  mark_cuts(search, &halves[1], leaves - point->first_leaves);
}

static void free_fronts(struct search *search, size_t count)
{
  for (size_t i = 0; i < count; i++)
    free(search->fronts[i].points);
  memset(search->fronts, 0, count * sizeof *search->fronts);
}

/* Search with growing gaps. A tree that was found bounds the gap that is needed. */
static void deepen(struct search *search, const struct goal *goal, size_t count, struct best *tree)
{
  struct rectangle all;
  const struct front *front =
      &search->fronts[tutti_rectangle_index(search->rectangles, whole(search->rectangles, &all))];
  double needed = fmax(rounding, gap_of(search, goal, tree->cost, tree->leaves));
  for (search->gap = fmax(rounding, needed / 16);; search->gap = fmin(2 * search->gap, needed)) {
    reach_all(search, count);
    find_fronts(search);
    const struct point *point = choose(front, goal);
    if (point)
      needed = fmax(rounding, gap_of(search, goal, point->cost, point->leaves));
    bool done = search->gap >= needed;
    if (done && point) {
      *tree = (struct best){point->cost, point->leaves, point->cut};
      mark_cuts(search, &all, point->leaves);
    }
    free_fronts(search, count);
    if (done)
      return;
  }
}

void tutti_optimal_search(struct rectangles *rectangles, double price, const struct goal *goal, int max_leaves,
                          struct best *tree)
{
  size_t count = tutti_rectangle_count(rectangles->rows, rectangles->columns);
  struct search search = {.rectangles = rectangles,
                          .price = price,
                          .max_leaves = max_leaves,
                          .reach = tutti_xcalloc(count, sizeof(double)),
                          .fronts = tutti_xcalloc(count, sizeof(struct front)),
                          .table = tutti_xcalloc((size_t)max_leaves + 1, sizeof(struct point))};
  for (int n = 0; n <= max_leaves; n++)
    search.table[n].cost = INFINITY;
  tutti_rectangles_solve(rectangles, price);
  deepen(&search, goal, count, tree);
  free(search.reach);
  free(search.fronts);
  free(search.table);
}
