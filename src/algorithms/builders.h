/* The build functions named in catalogue.def. */
#ifndef TUTTI_ALGORITHMS_BUILDERS_H
#define TUTTI_ALGORITHMS_BUILDERS_H

#include "tutti/algorithm.h"
#include "tutti/tree.h"

#define ALGORITHM(collective, name, build, ...) void build(tutti_builder *builder, const tutti_call *call);
#include "algorithms/catalogue.def"
#undef ALGORITHM

struct segments;

/* The pipeline down any tree: receive each segment from the parent, forward it to all children. Segment s is received
   by vertex s * (child_count + 1) of those added; the root, which receives nothing, adds child_count vertices a
   segment. */
void tutti_build_segments_on_tree(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree,
                                  const struct segments *segments);

/* The pipeline up any tree, to its root, of a reduction that commutes: bcast backwards. */
void tutti_build_reduce_on_tree(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree);

/* A report up any tree and the exit message down. */
void tutti_build_barrier_on_tree(tutti_builder *builder, const tutti_tree *tree);

#endif
