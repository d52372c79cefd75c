/* The price of a leaf that gives a tree of the size asked for: a dearer one makes trees smaller and costlier. */
#include <math.h>

#include "decision/learners/optimal_tree/rectangles.h"

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

struct best tutti_optimal_search(struct rectangles *rectangles, const struct limits *limits, double *too_low)
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
