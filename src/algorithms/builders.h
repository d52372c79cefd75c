/* The build functions named in catalogue.def. */
#ifndef TUTTI_ALGORITHMS_BUILDERS_H
#define TUTTI_ALGORITHMS_BUILDERS_H

#include "tutti/algorithm.h"
#include "tutti/tree.h"

#define ALGORITHM(collective, name, build, ...) void build(tutti_builder *builder, const tutti_call *call);
#include "algorithms/catalogue.def"
#undef ALGORITHM

/* Broadcast of the whole message along any tree. */
void tutti_build_bcast_on_tree(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree);

#endif
