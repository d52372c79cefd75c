/* Tree shapes on virtual ranks, the root being 0. Each shape is one row of functions. */
#ifndef TUTTI_ALGORITHMS_TREE_SHAPES_H
#define TUTTI_ALGORITHMS_TREE_SHAPES_H

struct tree_shape {
  const char *name;
  int least_k; /* 0: the shape has no k */
  int (*parent)(int v, int size, int k); /* v > 0 */
  int (*child_count)(int v, int size, int k);
  int (*child)(int v, int index, int size, int k); /* 0 <= index < child_count */
};

/* Indexed by tutti_tree_shape, without TUTTI_TREE_EXPLICIT. */
extern const struct tree_shape tutti_tree_shapes[];

#endif
