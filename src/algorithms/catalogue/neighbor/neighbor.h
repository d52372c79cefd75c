/* Algorithms of neighborhood collectives. */
#ifndef TUTTI_ALGORITHMS_NEIGHBOR_H
#define TUTTI_ALGORITHMS_NEIGHBOR_H

#include "tutti/neighbor.h"

void tutti_build_neighbor_linear(tutti_builder *builder, const tutti_call *call);
void tutti_build_neighbor_combining(tutti_builder *builder, const tutti_call *call);

static inline bool tutti_is_allgather(const tutti_call *call)
{
  return !call->input.offsets;
}

/* What is sent to a destination. */
static inline tutti_block tutti_block_to(const tutti_call *call, int destination)
{
  return tutti_is_allgather(call) ? tutti_block_of(TUTTI_INPUT, 0, call->count) : tutti_input_block(call, destination);
}

/* Number i of the sources in the order in which their blocks count. */
static inline int tutti_source_at(const tutti_neighbors *near, int i)
{
  return near->order ? near->order[i] : i;
}

/* The rank at the first `dimensions` of a distance, times `sign`, from another one; -1: outside of the grid. */
int tutti_grid_step(const tutti_grid *grid, int rank, const int *distance, int dimensions, int sign);

static inline const int *tutti_distance_at(const tutti_stencil *stencil, int i)
{
  return stencil->distances + (size_t)i * (size_t)stencil->grid.dimensions;
}

#endif
