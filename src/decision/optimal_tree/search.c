/* The price of a leaf that gives a tree of the size asked for: a dearer one makes trees smaller and costlier. */
#include <math.h>

#include "decision/optimal_tree/rectangles.h"

enum { MOST_STEPS = 36 };

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

struct best optimal_search(struct rectangles *rectangles, const struct limits *limits, double *too_low)
{
  struct rectangle all = {0, rectangles->rows, 0, rectangles->columns};
  double top = 1 + rectangles->leaf_costs[rectangle_index(rectangles, &all)]; /* one leaf is best then */
  double fitting = lowest_that_fits(rectangles, top, limits, too_low);
  return solve(rectangles, fmax(fitting, highest_that_is_good(rectangles, top, limits)));
}
