/* Tree shapes on virtual ranks, the root being 0. Each shape is one row of functions. Arithmetic that may pass the
   largest int is done in 64 bits: sizes go up to INT_MAX. */
#ifndef TUTTI_ALGORITHMS_TREE_SHAPES_H
#define TUTTI_ALGORITHMS_TREE_SHAPES_H

struct tree_shape {
  const char *name;
  int min_k;                             /* 0: the shape has no k */
  int (*parent)(int v, int size, int k); /* v > 0 */
  int (*child_count)(int v, int size, int k);
  int (*child)(int v, int index, int size, int k); /* 0 <= index < child_count */
};

extern const struct tree_shape tutti_shape_flat, tutti_shape_chain, tutti_shape_pipeline, tutti_shape_kary;
extern const struct tree_shape tutti_shape_binary, tutti_shape_in_order_binary;
extern const struct tree_shape tutti_shape_binomial, tutti_shape_in_order_binomial, tutti_shape_knomial;

#endif
