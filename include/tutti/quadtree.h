/**
 * @file quadtree.h
 * @ingroup decision
 * Quadtrees of decision maps (Pjesivac-Grbovic 2007, section 5.3), and octrees where the ranks per node differ, too. No
 * MPI.
 *
 * A map of labels (which method where) is replicated to 2^k x 2^k cells (x 2^k for an octree) and encoded by halving
 * the region, by number of points, until it is of one label or a limit is met. Looking up is a test of all axes a
 * level; the four children of a node share a cache line.
 */
#ifndef TUTTI_QUADTREE_H
#define TUTTI_QUADTREE_H

#include "tutti/classifier.h"
#include "tutti/decision.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Axes of a map of labels. */
enum { TUTTI_AXIS_RANKS, TUTTI_AXIS_BYTES, TUTTI_AXIS_RANKS_PER_NODE, TUTTI_AXES };

/** Which label is best where: complete, no holes. Arrays are owned by the caller. */
typedef struct tutti_label_map {
  int counts[TUTTI_AXES];           /**< points of each axis, >= 1 */
  const uint64_t *axes[TUTTI_AXES]; /**< ascending; [counts[axis]] */
  const int *labels;                /**< [ranks][bytes][ranks per node], each 0 .. label_count - 1 */
  int label_count;                  /**< at most TUTTI_MOST_LABELS */
} tutti_label_map;

#define TUTTI_MOST_LABELS 32768

/**
 * The best methods of decision maps as labels: label l is methods[l] of the maps. Smoothing, filling in and restricting
 * are done to the maps before. A point without a best method gets the label of the nearest point that has one, in steps
 * along the axes (of several the first), within its map.
 * @param maps    [count] with the same communicator sizes, message sizes and methods; several differ in their known,
 *                ascending ranks per node, which become the third axis
 * @param labels  its arrays are allocated: tutti_label_map_free()
 * @return TUTTI_ERR_ARGUMENT if the maps differ, or one has no best method at all; TUTTI_ERR_MEMORY
 */
tutti_status tutti_label_map_create(const tutti_decision_map *maps, int count, tutti_label_map *labels,
                                    tutti_error *error);

/** Free what tutti_label_map_create() allocated. */
void tutti_label_map_free(tutti_label_map *labels);

/** How to limit a tree. */
typedef struct tutti_quadtree_limits {
  int depth;       /**< most levels of tests; negative: no limit, the tree is exact */
  double accuracy; /**< stop once this share (0 < share <= 1) of the points has one label; 0 or 1: all of them */
} tutti_quadtree_limits;

typedef struct tutti_quadtree tutti_quadtree;

/**
 * Encode a map. Replication: each axis of n points becomes 2^k cells, cell j showing point floor(j n / 2^k), the same k
 * for all axes that have more than one point: shares of points differ by at most one cell, which is the least possible.
 * An axis of one point is not tested. At the depth limit, and where the accuracy is reached, a region gets its
 * prevalent label, by cells; in a tie that of its upper right corner (most ranks, largest message, most ranks a node)
 * if it is among them, else the smallest (section 5.3.2). Between two measured values the tree changes at their
 * geometric mean; beyond the ends the last point answers. A halving that goes through the cells of one point takes that
 * point to the side where most of its cells are, so an exact tree answers every point as it is labelled.
 * @return TUTTI_ERR_ARGUMENT: a label or limit out of range, an axis that does not ascend, or has more than 2^20
 * points, bytes from 2^48 or ranks per node from 2^16 on; TUTTI_ERR_MEMORY: also more than 2^24 nodes
 */
tutti_status tutti_quadtree_create(const tutti_label_map *map, const tutti_quadtree_limits *limits,
                                   tutti_quadtree **tree, tutti_error *error);

void tutti_quadtree_free(tutti_quadtree *tree);

/** The label for a question; @p ranks_per_node 0: not known, that of the lowest measured. A few nanoseconds. */
int tutti_quadtree_label(const tutti_quadtree *tree, int ranks, uint64_t bytes, int ranks_per_node);

/** What tables 6.4 and 6.5 count. */
typedef struct tutti_quadtree_shape {
  int least_depth, most_depth; /**< of the leaves */
  double mean_depth;           /**< over the leaves, each counting the same: as published */
  double expected_depth;       /**< over the cells: tests of a question whose point is drawn evenly from the map */
  int leaves, nodes;           /**< nodes with the leaves */
  size_t bytes;                /**< of the in-memory form */
  int node_bytes;              /**< of one node */
} tutti_quadtree_shape;

tutti_quadtree_shape tutti_quadtree_measure(const tutti_quadtree *tree);

/**
 * The same decisions as a classifier over the continuous attributes "ranks", "bytes" and, for an octree,
 * "ranks_per_node", siblings with equal labels merged (section 5.3.3); for printing, files and generated code.
 * @param classes  [label_count of the map] names of the labels
 */
tutti_status tutti_quadtree_classifier(const tutti_quadtree *tree, const char *const *classes, int class_count,
                                       tutti_classifier *classifier, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
