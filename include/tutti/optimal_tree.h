/**
 * @file optimal_tree.h
 * @ingroup decision
 * The tree over communicator size and message size that no other tree of its size beats. No MPI.
 *
 * All trees that cut rectangles of a complete decision map in two, along either axis, are searched by dynamic
 * programming over the rectangles, with a price for each leaf (Lagrange relaxation): what is found has the least mean
 * penalty of all trees with as many leaves. What greedy learners and quadtrees lose shows beside it.
 */
#ifndef TUTTI_OPTIMAL_TREE_H
#define TUTTI_OPTIMAL_TREE_H

#include "tutti/classifier.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Costs over a grid. Arrays are the caller's. */
typedef struct tutti_cost_grid {
  int ranks_count, size_count, class_count;
  const int *ranks;      /**< [ranks_count] ascending */
  const uint64_t *sizes; /**< [size_count] ascending */
  const double *costs;   /**< [ranks_count][size_count][class_count] finite, >= 0 */
  const char *const *classes;
} tutti_cost_grid;

/** Most rectangles of a grid: 49 x 38 points have 907,725. */
#define TUTTI_MOST_RECTANGLES 20000000

/** How large a tree may be: at most so many leaves (0: any number), and of those the smallest whose mean cost is at
   most
    @c mean, or else the one that costs least. */
typedef struct tutti_optimal_tree_options {
  int leaves;
  double mean;
} tutti_optimal_tree_options;

/**
 * Find the tree. Its attributes are "ranks" and "bytes"; it changes at the geometric mean, rounded down, of two
 * measured values. Not every number of leaves is reached: only those of the lower convex hull of cost over leaves.
 * @param mean  receives its mean cost over the points; may be NULL
 * @return TUTTI_ERR_ARGUMENT also if there are more rectangles than TUTTI_MOST_RECTANGLES; TUTTI_ERR_MEMORY
 */
tutti_status tutti_optimal_tree_learn(const tutti_cost_grid *grid, const tutti_optimal_tree_options *options,
                                      tutti_classifier *classifier, double *mean, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
