/**
 * @file map_strategy.h
 * @ingroup maps
 * Which representation a group map should have (Kamal, Mirtaheri, Wagner 2010, section 6). No MPI.
 */
#ifndef TUTTI_MAP_STRATEGY_H
#define TUTTI_MAP_STRATEGY_H

#include "tutti/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What matters. */
typedef enum tutti_map_strategy {
  TUTTI_MAP_LEAST_SPACE, /**< the fewest bytes of all representations, whatever SELECT takes */
  TUTTI_MAP_LEAST_TIME,  /**< a range if it is one, else the array */
  /** The fewest bytes of those whose SELECT takes constant or logarithmic time of a few steps: range, ranges, array,
      and, where the array has more than 8 KiB (a smaller one is too fast to give up), popcount, Elias-Fano and
      complement; of unordered groups a permuted set only if it has at most a quarter of the array's bytes, as its
      SELECT takes tens of times as long. */
  TUTTI_MAP_HYBRID,
  TUTTI_MAP_STRATEGIES
} tutti_map_strategy;

/** "least-space", "least-time", "hybrid"; NULL outside the enumeration. */
const char *tutti_map_strategy_name(tutti_map_strategy strategy);

/** TUTTI_ERR_ARGUMENT names the known ones. */
tutti_status tutti_map_strategy_parse(const char *name, tutti_map_strategy *strategy, tutti_error *error);

/**
 * Make the map that a strategy chooses, by the bytes of finished maps. Representations that cannot hold the group, or
 * pass a limit, are left out; the array always remains. Of several with as few bytes the first kind in the order of
 * tutti_map_kind is taken; what is certain to be larger than the best so far gives up early where it can.
 * @param members  as tutti_map_create()
 * @param limits   NULL: the defaults; bytes is lowered to that of the best so far
 */
tutti_status tutti_map_choose(tutti_map_strategy strategy, const int *members, int size, int world,
                              const tutti_map_limits *limits, tutti_map **map, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
