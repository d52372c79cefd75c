/* Algorithms made of other algorithms. */
#ifndef TUTTI_ALGORITHMS_PARTS_H
#define TUTTI_ALGORITHMS_PARTS_H

#include "algorithms/builders.h"

/* Add part number `index` of the method of `call` among the ranks and on the buffers of `scope`, which is entered and
   left. `own` is the call of the part; its size, rank, type, operation and parameters are filled in here, its root,
   count and layouts by the caller. Returns what tutti_builder_leave() does. */
tutti_vertex_id tutti_build_part(tutti_builder *builder, const tutti_call *call, int index, tutti_scope *scope,
                                 tutti_call own);

#endif
