/* The cells of decision maps, for those who make maps. */
#ifndef TUTTI_DECISION_MAP_CELLS_H
#define TUTTI_DECISION_MAP_CELLS_H

#include "tutti/decision.h"

static inline size_t decision_map_points(const tutti_decision_map *map)
{
  return (size_t)map->ranks_count * (size_t)map->size_count;
}

/* Index into times. */
static inline size_t decision_map_cell(const tutti_decision_map *map, int ranks_index, int size_index, int method_index)
{
  return ((size_t)ranks_index * (size_t)map->size_count + (size_t)size_index) * (size_t)map->method_count +
         (size_t)method_index;
}

/* Allocate times (NaN) and best (-1) for the axes of a map; false: out of memory. */
bool tutti_decision_map_make_cells(tutti_decision_map *map);

/* A map with the points of @p map, its first @p method_count methods (to be set) and no times. */
tutti_status tutti_decision_map_copy_axes(const tutti_decision_map *map, int method_count, tutti_decision_map *copy,
                                          tutti_error *error);

#endif
