/* Parts of the search of optima (tutti/optimum.h), by collective. */
#ifndef TUTTI_ALGORITHMS_OPTIMUM_H
#define TUTTI_ALGORITHMS_OPTIMUM_H

#include "tutti/optimum.h"

/* Fill in the optima. Ranks and blocks are within the limits. */
tutti_status tutti_allreduce_optima_find(int ranks, int blocks, uint64_t limit, tutti_optima *optima,
                                         tutti_error *error);
void tutti_alltoall_optima_find(int ranks, int blocks, tutti_optima *optima);

/* Add the part of call->rank. */
void tutti_allreduce_optimum_build(const tutti_optimum *optimum, const tutti_call *call, tutti_builder *builder);
void tutti_alltoall_optimum_build(const tutti_optimum *optimum, const tutti_call *call, tutti_builder *builder);

/* A block of the message: as equal as its elements allow. */
tutti_block tutti_optimum_block(const tutti_optimum *optimum, const tutti_call *call, int block, tutti_buffer buffer);

#endif
