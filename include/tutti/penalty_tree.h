/**
 * @file penalty_tree.h
 * Trees that minimise the penalty of a decision function instead of the number of misclassified cases, which is not
 * what its users pay (Pjesivac-Grbovic 2007, section 6.3.1: the tree with fewer leaves had the lower penalty). No MPI.
 *
 * What a case costs with each class is known: the penalty of the method there. Tests are chosen that leave the least
 * sum of costs, each side under its best class (CART's way of growing, Breiman et al. 1984, with costs that differ from
 * case to case); what was grown is then cut back to the subtree that is best of all its subtrees of a size (by dynamic
 * programming: Bohanec and Bratko 1994, Trading accuracy for simplicity in decision trees). Tests are binary.
 */
#ifndef TUTTI_PENALTY_TREE_H
#define TUTTI_PENALTY_TREE_H

#include "tutti/classifier.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Most leaves that are grown. */
#define TUTTI_MOST_LEAVES 2048

/** How large a tree may be. tutti_penalty_tree_defaults(): any size, 2 cases a branch. */
typedef struct tutti_penalty_tree_options {
  int leaves;    /**< most leaves; 0: as many as it takes */
  double mean;   /**< with leaves 0: the smallest tree whose mean cost is at most this, if there is one */
  size_t weight; /**< least cases of a branch, >= 1 */
} tutti_penalty_tree_options;

tutti_penalty_tree_options tutti_penalty_tree_defaults(void);

/**
 * Learn a tree. Its nodes' cases are numbers of cases, its leaves' errors those whose label is another. Deterministic:
 * of tests that leave sums within 10^-6 of each other the first attribute and the lowest threshold win; thresholds are
 * values that occur. Cases whose value is unknown go with those above a threshold, or, of a discrete attribute, with
 * the value that most have.
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
