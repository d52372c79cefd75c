/* All-to-all exchanges in which every block goes straight from its owner to its receiver. They serve alltoall and its
   irregular forms: a rank knows the counts of its own row and column, and those are all that it needs. An empty block
   is neither sent nor received. */
#ifndef TUTTI_ALGORITHMS_ALLTOALL_DIRECT_H
#define TUTTI_ALGORITHMS_ALLTOALL_DIRECT_H

#include "tutti/algorithm.h"

/* Send the block for the rank `distance` places after the own one (1 <= distance < size, with wraparound); returns
   TUTTI_NO_VERTEX if it is empty. */
tutti_vertex_id tutti_alltoall_send(tutti_builder *builder, const tutti_call *call, int distance);

/* Receive the block from the rank `distance` places before the own one: what that rank sends at the same distance. */
tutti_vertex_id tutti_alltoall_recv(tutti_builder *builder, const tutti_call *call, int distance);

/* Copy the block that a rank has for itself. */
void tutti_alltoall_keep(tutti_builder *builder, const tutti_call *call);

#endif
