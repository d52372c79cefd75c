/**
 * @file penalty_tree.h
 * @ingroup decision
 * Trees that minimize the penalty of a decision function instead of the number of misclassified cases, which is not
 * what its users pay (Pjesivac-Grbovic 2007, section 6.3.1: the tree with fewer leaves had the lower penalty). No MPI.
 *
 * What a case costs with each class is known: the penalty of the method there. Trees are grown by tests that
 * leave the least sum of costs, each side under its best class (CART's way, Breiman et al. 1984, with costs that differ
 * from case to case), and by information as C4.5 does, by gain ratio and by gain, with light and heavy branches. Each
 * is then cut back to the subtree that costs least of all its subtrees of a size, its leaves under the classes that
 * cost least there (dynamic programming: Bohanec and Bratko 1994, Trading accuracy for simplicity in decision trees),
 * and the best is kept. So it costs no more than the tree of C4.5 with the same leaves, unless pruning raised a branch
 * there.
 */
#ifndef TUTTI_PENALTY_TREE_H
#define TUTTI_PENALTY_TREE_H

#include "tutti/classifier.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Most leaves that are grown by costs. */
#define TUTTI_MOST_LEAVES 2048

/** How large a tree may be. tutti_penalty_tree_defaults(): any size, 2 cases a branch. */
typedef struct tutti_penalty_tree_options {
  int leaves;    /**< most leaves; 0: as many as it takes */
  double mean;   /**< of those the smallest tree whose mean cost is at most this, else the one that costs least */
  size_t weight; /**< least cases of a branch, >= 1 */
} tutti_penalty_tree_options;

tutti_penalty_tree_options tutti_penalty_tree_defaults(void);

/**
 * Learn a tree. Its nodes' cases are numbers of cases, its leaves' errors those whose label is another. Deterministic.
 * Thresholds are values that occur. Cases whose value is unknown go where most cases go.
 * @param cases  labels are the cheapest classes
 * @param costs  [count][class_count], finite, >= 0: percent of penalty, large where a class cannot be had
 * @param mean   receives the mean cost of the tree over its cases; may be NULL
 * @return TUTTI_ERR_ARGUMENT, TUTTI_ERR_MEMORY
 */
tutti_status tutti_penalty_tree_learn(const tutti_cases *cases, const double *costs,
                                      const tutti_penalty_tree_options *options, tutti_classifier *classifier,
                                      double *mean, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
