/**
 * @file tree.h
 * @ingroup catalogue
 * Parent and children of a rank in a tree.
 *
 * A tree is a value of constant size, computed for one rank in at most O(log size) steps without a table of ranks. It
 * spans the ranks 0..size-1 from any root. Shapes are defined on virtual ranks v = (rank - root) mod size, the root
 * being virtual rank 0. Tree-shaped algorithms take any tree, so trees discovered at run time (group builders) join as
 * @ref TUTTI_TREE_EXPLICIT.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.1, figures 4.1 to 4.3; k-ary and k-nomial
 * (knomial_2, knomial_1) as in MPICH; Open MPI's knomial sends to the children of one digit in rising order.
 */
#ifndef TUTTI_TREE_H
#define TUTTI_TREE_H

#include "tutti/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tutti_tree_shape {
  TUTTI_TREE_FLAT,              /**< the root is everyone's parent */
  TUTTI_TREE_CHAIN,             /**< k chains from the root, lengths differing by at most one */
  TUTTI_TREE_PIPELINE,          /**< one chain */
  TUTTI_TREE_BINARY,            /**< balanced: at every node the left subtree is as large as the right, or one larger */
  TUTTI_TREE_IN_ORDER_BINARY,   /**< balanced binary with every subtree a range of ranks: node, left, right */
  TUTTI_TREE_BINOMIAL,          /**< v sends to v + 2^j for all 2^j > v: depth ceil(log2 size) for every size */
  TUTTI_TREE_IN_ORDER_BINOMIAL, /**< v sends to v + 2^j for all 2^j below the lowest set bit of v: subtrees are ranges,
                                     the largest child first */
  TUTTI_TREE_KARY,              /**< v sends to k v + 1 .. k v + k */
  TUTTI_TREE_KNOMIAL,           /**< v sends to v + d k^j, 0 < d < k, for all k^j below the place of the lowest nonzero
                                     digit of v in base k; the largest child first */
  TUTTI_TREE_KNOMIAL_1,         /**< the k-nomial tree with every node numbered before its subtree: the first, largest
                                     child of v is v + 1, and each of k - 1 subtrees of k^i ranks follows the last */
  TUTTI_TREE_EXPLICIT           /**< parent and children are given, not computed */
} tutti_tree_shape;

/** One rank's place in a tree. @c parent and @c child_count are for reading; children by tutti_tree_child(). */
typedef struct tutti_tree {
  tutti_tree_shape shape;
  int size;
  int root;
  int rank;
  int k;      /**< chains, fan-out or radix; 0 where the shape has none */
  int parent; /**< rank, or -1 at the root */
  int child_count;
  const int *children; /**< TUTTI_TREE_EXPLICIT only: [child_count] ranks in sending order, not owned */
} tutti_tree;

/**
 * Compute the place of @p rank.
 * @param k  number of chains (>= 1), fan-out (k-ary, >= 1) or radix (k-nomials, >= 2); ignored by other shapes
 * @return TUTTI_ERR_ARGUMENT if size < 1, a rank is outside the group or k is out of range.
 */
tutti_status tutti_tree_init(tutti_tree *tree, tutti_tree_shape shape, int k, int size, int root, int rank,
                             tutti_error *error);

/** A tree discovered elsewhere. @p children must stay valid as long as the tree is used. */
void tutti_tree_init_explicit(tutti_tree *tree, int size, int root, int rank, int parent, const int *children,
                              int child_count);

/** Rank of child @p index (0 <= index < child_count) in the order in which they should be sent to. O(log size). */
int tutti_tree_child(const tutti_tree *tree, int index);

/** Name of a shape as written in methods and messages ("in-order-binary"); static storage. */
const char *tutti_tree_shape_name(tutti_tree_shape shape);

#ifdef __cplusplus
}
#endif
#endif
