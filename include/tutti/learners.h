/**
 * @file learners.h
 * @ingroup decision
 * The single learners of decision trees: C4.5, quadtrees and octrees, penalty trees, optimal trees. No MPI.
 *
 * learn.h has the same learners with one interface, which learns from decision maps and is used by `tutti learn`. Each
 * learner's struct of settings is here.
 */
#ifndef TUTTI_LEARNERS_H
#define TUTTI_LEARNERS_H

#include "tutti/classifier.h"
#include "tutti/decision.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @name C4.5
 * C4.5 Release 8 (Quinlan 1993; Quinlan 1996, Improved use of continuous attributes in C4.5; Pjesivac-Grbovic 2007,
 * section 5.4): few cases of a wrong class.
 * @{
 */

/**
 * Estimate of the error of a leaf on unseen cases. The two programs differ in three further details, which follow the
 * same switch: Release 8 also takes a discrete test of no gain if no test is better, does not take a test whose
 * split information is 10^-3 bits or less, and a leaf that gets other cases keeps its class where classes tie.
 */
typedef enum tutti_c45_limit {
  TUTTI_LIMIT_RELEASE8, /**< upper confidence limit by Release 8's interpolated table of normal deviates */
  TUTTI_LIMIT_NORMAL,   /**< by the exact normal quantile, and at most N - E more errors; none above 50 %: as J48 */
} tutti_c45_limit;

/** Maximum levels of tests; deeper nodes are leaves. */
#define TUTTI_C45_DEPTH 1000

/** Options of the learner. tutti_c45_defaults() has those of the c4.5 program. */
typedef struct tutti_c45_options {
  double weight;     /**< -m: minimum weight of cases in at least two branches of a test, default 2 */
  double confidence; /**< -c: in percent, 0 < c <= 100, default 25; lower prunes more */
  bool unpruned;     /**< leave the tree as it was grown */
  bool no_raising;   /**< prune by leaves only, not by the largest branch */
  bool grouping;     /**< -s: test groups of the values of discrete attributes */
  bool gain;         /**< -g: gain instead of gain ratio */
  tutti_c45_limit limit;
  int trials;       /**< windowing: trees grown from windows; the best is kept; 0: no windowing */
  size_t window;    /**< -w: cases of the first window; 0: the larger of 20 % and 2 sqrt(n) */
  size_t increment; /**< -i: maximum cases added; 0: 20 % of the first window */
  uint64_t seed;    /**< of the windows */
} tutti_c45_options;

tutti_c45_options tutti_c45_defaults(void);

/** The result, counted as in table 6.7. */
typedef struct tutti_c45_report {
  int grown_leaves, leaves;    /**< before and after pruning ("size") */
  size_t grown_errors, errors; /**< misclassified training cases */
  double predicted;            /**< estimated errors on the same number of unseen cases, after pruning */
} tutti_c45_report;

/**
 * Learn a tree from @p cases. Deterministic. Where two tests are worth the same within 10^-6 of a bit, the first
 * attribute and the lowest threshold win.
 * @param report  may be NULL
 * @return TUTTI_ERR_ARGUMENT if there are no cases or no classes, or an option is out of range
 */
tutti_status tutti_c45_learn(const tutti_cases *cases, const tutti_c45_options *options, tutti_classifier *classifier,
                             tutti_c45_report *report, tutti_error *error);
/** @} */

/**
 * @name Quadtrees
 * Quadtrees of decision maps (Pjesivac-Grbovic 2007, section 5.3), and octrees where the ranks per node differ, too.
 *
 * A map of labels (which method where) is replicated to 2^k x 2^k cells (x 2^k for an octree) and encoded by halving
 * the region, by number of points, until it has one label or a limit is met. A lookup tests all axes at each level; the
 * four children of a node share a cache line.
 * @{
 */

/** Axes of a map of labels. */
enum { TUTTI_AXIS_RANKS, TUTTI_AXIS_BYTES, TUTTI_AXIS_RANKS_PER_NODE, TUTTI_AXES };

/** Which label is best where: complete, no holes. Arrays are owned by the caller. */
typedef struct tutti_label_map {
  int counts[TUTTI_AXES];           /**< points of each axis, >= 1 */
  const uint64_t *axes[TUTTI_AXES]; /**< ascending; [counts[axis]] */
  const int *labels;                /**< [ranks][bytes][ranks per node], each 0 .. label_count - 1 */
  int label_count;                  /**< at most TUTTI_MAX_LABELS */
} tutti_label_map;

#define TUTTI_MAX_LABELS 32768

/**
 * The best methods of decision maps as labels: label l is methods[l] of the maps. Smoothing, filling in and restricting
 * are done to the maps before. A point without a best method gets the label of the nearest point that has one, in steps
 * along the axes (of several the first), within its map.
 * @param maps    [count] with the same communicator sizes, message sizes and methods; several differ in their known,
 *                ascending ranks per node, which become the third axis
 * @param labels  its arrays are allocated: tutti_label_map_free()
 * @return TUTTI_ERR_ARGUMENT if the maps differ, or one has no best method at all
 */
tutti_status tutti_label_map_create(const tutti_decision_map *maps, int count, tutti_label_map *labels,
                                    tutti_error *error);

/** Free what tutti_label_map_create() allocated. */
void tutti_label_map_free(tutti_label_map *labels);

/** How to limit a tree. */
typedef struct tutti_quadtree_limits {
  int depth;       /**< maximum levels of tests; negative: no limit, the tree is exact */
  double accuracy; /**< stop once this share (0 < share <= 1) of the points has one label; 0 or 1: all of them */
} tutti_quadtree_limits;

typedef struct tutti_quadtree tutti_quadtree;

/**
 * Encode a map. Replication: each axis of n points becomes 2^k cells, cell j showing point floor(j n / 2^k), the same k
 * for all axes that have more than one point: shares of points differ by at most one cell, which is the minimum.
 * An axis of one point is not tested. At the depth limit, and where the accuracy is reached, a region gets its
 * prevalent label, by cells; in a tie that of its upper right corner (most ranks, largest message, most ranks a node)
 * if it is among them, else the smallest (section 5.3.2). Between two measured values the tree changes at their
 * geometric mean; beyond the ends the last point answers. A halving that goes through the cells of one point takes that
 * point to the side where most of its cells are, so an exact tree answers every point as it is labelled.
 * @return TUTTI_ERR_ARGUMENT: a label or limit out of range, an axis that does not ascend, or has more than 2^20
 * points, bytes from 2^48 or ranks per node from 2^16 on; TUTTI_ERR_MEMORY: more than 2^24 nodes
 */
tutti_status tutti_quadtree_create(const tutti_label_map *map, const tutti_quadtree_limits *limits,
                                   tutti_quadtree **tree, tutti_error *error);

void tutti_quadtree_free(tutti_quadtree *tree);

/** The label for a question; @p ranks_per_node 0: not known, that of the lowest measured. A few nanoseconds. */
int tutti_quadtree_label(const tutti_quadtree *tree, int ranks, uint64_t bytes, int ranks_per_node);

/** Its shape in memory; nodes count with the leaves. */
tutti_classifier_shape tutti_quadtree_measure(const tutti_quadtree *tree);

/**
 * The same decisions as a classifier over the continuous attributes "ranks", "bytes" and, for an octree,
 * "ranks_per_node", siblings with equal labels merged (section 5.3.3); for printing, files and generated code.
 * @param classes  [label_count of the map] names of the labels
 */
tutti_status tutti_quadtree_classifier(const tutti_quadtree *tree, const char *const *classes, int class_count,
                                       tutti_classifier *classifier, tutti_error *error);
/** @} */

/**
 * @name Penalty trees
 * Trees that minimize the penalty of a decision function instead of the number of misclassified cases
 * (Pjesivac-Grbovic 2007, section 6.3.1: the tree with fewer leaves had the lower penalty).
 *
 * The cost of a case with each class is known: the penalty of the method there. Trees are grown by tests that give the
 * smallest sum of costs, each side under its best class (as CART, Breiman et al. 1984, with costs that differ from case
 * to case), and by information as in C4.5, by gain ratio and by gain, with light and heavy branches. Each is then cut
 * back to the cheapest of its subtrees of a size, its leaves under the cheapest classes there (dynamic programming:
 * Bohanec and Bratko 1994, Trading accuracy for simplicity in decision trees), and the best is kept. So it costs no
 * more than the tree of C4.5 with the same leaves, unless pruning raised a branch there.
 * @{
 */

/** Maximum leaves grown by costs. */
#define TUTTI_MAX_LEAVES 2048

/** How large a tree may be. tutti_penalty_tree_defaults(): any size, 2 cases a branch. */
typedef struct tutti_penalty_tree_options {
  int leaves;    /**< maximum leaves; 0: unlimited */
  double mean;   /**< of those the smallest tree whose mean cost is at most this, else the cheapest one */
  size_t weight; /**< minimum cases of a branch, >= 1 */
} tutti_penalty_tree_options;

tutti_penalty_tree_options tutti_penalty_tree_defaults(void);

/**
 * Learn a tree. Its nodes' cases are numbers of cases, its leaves' errors those whose label is another. Deterministic.
 * Thresholds are values that occur. Cases whose value is unknown follow the branch of most cases.
 * @param cases  labels are the cheapest classes
 * @param costs  [count][class_count], finite, >= 0: percent of penalty, large if a class is impossible
 * @param mean   receives the mean cost of the tree over its cases; may be NULL
 * @return TUTTI_ERR_ARGUMENT
 */
tutti_status tutti_penalty_tree_learn(const tutti_cases *cases, const double *costs,
                                      const tutti_penalty_tree_options *options, tutti_classifier *classifier,
                                      double *mean, tutti_error *error);
/** @} */

/**
 * @name Optimal trees
 * The tree over communicator size and message size that no other tree of its size beats.
 *
 * All trees that cut rectangles of a complete decision map in two, along either axis, are searched by dynamic
 * programming over the rectangles. A price for each leaf (Lagrange relaxation) gives trees on the lower convex hull of
 * cost over leaves; between two of these, all possibly better trees near the hull are searched. So the result has the
 * smallest mean penalty of all trees with at most as many leaves. It shows the loss of greedy learners and quadtrees.
 * @{
 */

/** Costs over a grid. Arrays are the caller's. */
typedef struct tutti_cost_grid {
  int ranks_count, size_count, class_count;
  const int *ranks;      /**< [ranks_count] ascending */
  const uint64_t *sizes; /**< [size_count] ascending */
  const double *costs;   /**< [ranks_count][size_count][class_count] finite, >= 0 */
  const char *const *classes;
} tutti_cost_grid;

/** Maximum rectangles of a grid: 49 x 38 points have 907,725. */
#define TUTTI_MAX_RECTANGLES 20000000

/** Limits of a tree: at most this many leaves (0: any number), and of those the smallest whose mean cost is at most @c
   mean, or else the cheapest one. */
typedef struct tutti_optimal_tree_options {
  int leaves;
  double mean;
} tutti_optimal_tree_options;

/**
 * Find the tree. Its attributes are "ranks" and "bytes"; it changes at the geometric mean, rounded down, of two
 * measured values. No tree that meets the options costs less, and none that costs as little has fewer leaves.
 * @param mean  receives its mean cost over the points; may be NULL
 * @return TUTTI_ERR_ARGUMENT also if there are more rectangles than TUTTI_MAX_RECTANGLES
 */
tutti_status tutti_optimal_tree_learn(const tutti_cost_grid *grid, const tutti_optimal_tree_options *options,
                                      tutti_classifier *classifier, double *mean, tutti_error *error);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
