/**
 * @file learn.h
 * @ingroup decision
 * Decision trees from decision maps: which learner, over which attributes. No MPI.
 */
#ifndef TUTTI_LEARN_H
#define TUTTI_LEARN_H

#include "tutti/c45.h"
#include "tutti/decision_tree.h"
#include "tutti/optimal_tree.h"
#include "tutti/penalty_tree.h"
#include "tutti/quadtree.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tutti_learner {
  TUTTI_LEARN_C45,      /**< c45.h: fewest misclassified points */
  TUTTI_LEARN_QUADTREE, /**< quadtree.h: one collective, ranks and bytes, of several maps also ranks per node */
  TUTTI_LEARN_PENALTY,  /**< penalty_tree.h: least penalty */
  TUTTI_LEARN_OPTIMAL,  /**< optimal_tree.h: least penalty of all trees; one collective, ranks and bytes */
  TUTTI_LEARNER_COUNT
} tutti_learner;

/** "c45", "quadtree", "penalty", "optimal"; NULL outside the enumeration. */
const char *tutti_learner_name(tutti_learner learner);

/** TUTTI_ERR_ARGUMENT names the known ones. */
tutti_status tutti_learner_parse(const char *name, tutti_learner *learner, tutti_error *error);

/** What to learn by. */
typedef struct tutti_learn_options {
  tutti_learner learner;
  int attribute_count;           /**< 0: collective (where there are several), ranks and bytes. C4.5 and penalty only */
  const char *const *attributes; /**< [attribute_count] "NAME = EXPRESSION" or a name (decision_tree.h) */
  tutti_c45_options c45;
  tutti_quadtree_limits quadtree;
  tutti_penalty_tree_options penalty;
  tutti_optimal_tree_options optimal;
} tutti_learn_options;

/** The defaults of C4.5, and of all learners. */
tutti_learn_options tutti_learn_defaults(void);

/** What came of it. */
typedef struct tutti_learn_report {
  int classes;   /**< that are best somewhere */
  size_t cases;  /**< points */
  size_t errors; /**< points where the tree's class is not the best one of the map */
  int leaves, depth;
  tutti_c45_report c45;          /**< C4.5 only */
  tutti_quadtree_shape quadtree; /**< quadtree only */
} tutti_learn_report;

/** Percent of penalty that a class costs where it was not measured. */
#define TUTTI_COST_MISSING 1e5

/**
 * Points of maps as cases: a point each that has a best method, map by map, ranks by ranks; its class is the best
 * method without its collective. Classes come in the order of the maps and methods.
 * @param tree     receives attributes, expressions and the collectives of the maps; no nodes, no classes
 * @param costs    receives [count][class_count] percent of penalty, TUTTI_COST_MISSING where not measured, to be freed;
 *                 NULL: only methods that are best somewhere become classes, else all that were measured
 */
tutti_status tutti_learn_cases(const tutti_decision_map *maps, int map_count, const char *const *attributes,
                               int attribute_count, tutti_decision_tree *tree, tutti_cases *cases, double **costs,
                               tutti_error *error);

/**
 * Learn a tree from @p maps of different collectives or different ranks per node. A leaf of a combined tree whose class
 * is no method of a collective that comes there gets a further test of the collective: the class that is most frequent
 * there among those that are.
 * @param report  may be NULL
 * @return TUTTI_ERR_ARGUMENT, TUTTI_ERR_MEMORY
 */
tutti_status tutti_learn(const tutti_decision_map *maps, int map_count, const tutti_learn_options *options,
                         tutti_decision_tree *tree, tutti_learn_report *report, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
