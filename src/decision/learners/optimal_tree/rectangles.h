/* All rectangles of a grid, and the best tree within each. */
#ifndef TUTTI_DECISION_OPTIMAL_TREE_RECTANGLES_H
#define TUTTI_DECISION_OPTIMAL_TREE_RECTANGLES_H

#include "tutti/learners.h"

/* Rows [row, row_end) and columns [column, column_end) of the grid. */
struct rectangle {
  int row, row_end, column, column_end;
};

/* The best tree of a rectangle under the price of a leaf. */
struct best {
  double cost; /* prices of its leaves included */
  int leaves;
  int cut; /* 0: a leaf; r > 0: rows below and from r on; -c < 0: columns below and from c on */
};

struct rectangles {
  int rows, columns;
  double *leaf_costs; /* of each rectangle under its best class */
  short *labels;
  struct best *best;
};

/* Index of a rectangle. */
size_t tutti_rectangle_index(const struct rectangles *rectangles, const struct rectangle *rectangle);

/* Number of rectangles of a grid. */
size_t tutti_rectangle_count(int rows, int columns);

/* Lay out the rectangles of a grid with the costs and classes of leaves; free with tutti_rectangles_free(). */
struct rectangles tutti_rectangles_create(const tutti_cost_grid *grid);
void tutti_rectangles_free(struct rectangles *rectangles);

/* Find the best tree of every rectangle if a leaf costs @p price; returns that of the whole grid. */
struct best tutti_rectangles_solve(struct rectangles *rectangles, double price);

/* The halves of a rectangle by a cut, as in struct best. */
void tutti_rectangle_divide(const struct rectangle *rectangle, int cut, struct rectangle *halves);

/* The last tree found with @p leaves leaves, as a classifier. */
void tutti_optimal_write_down(const tutti_cost_grid *grid, const struct rectangles *rectangles, int leaves,
                              tutti_classifier *classifier);

/* The goal: minimum cost with at most this many leaves; or, with leaves 0, the fewest leaves with at most this cost. */
struct goal {
  int leaves;
  double max_cost;
};

/* Find the best tree near the lower convex hull of cost over leaves, and note its cuts for tutti_optimal_write_down().
 * @param price       of a leaf, at which the neighbors on the hull cost the same between which the goal lies
 * @param max_leaves  no larger tree is wanted
 * @param tree        a tree of the hull that meets the goal; receives the best one, its cost without prices */
void tutti_optimal_search(struct rectangles *rectangles, double price, const struct goal *goal, int max_leaves,
                          struct best *tree);

#endif
