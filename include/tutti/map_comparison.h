/**
 * @file map_comparison.h
 * @ingroup decision
 * What became of a decision map: the same points, measured on another machine or with another library. No MPI.
 */
#ifndef TUTTI_MAP_COMPARISON_H
#define TUTTI_MAP_COMPARISON_H

#include "tutti/decision.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How many times as fast: t(before) / t(after), over points where both times are known and positive. */
typedef struct tutti_speedup {
  double mean;        /**< geometric; NaN without points, as the next two */
  double least, most; /**< below 1: slower */
  size_t least_at;    /**< their places, the first ones */
  size_t most_at;
  size_t points; /**< counted */
} tutti_speedup;

/** @param before, after  [count] seconds; NaN where not known */
tutti_speedup tutti_speedup_of(const double *before, const double *after, size_t count);

/** A method that is best from a size on, up to the next crossover of the same ranks. */
typedef struct tutti_crossover {
  uint64_t size; /**< bytes per rank; the first size of the map begins the list */
  int method;    /**< index into the methods of the map */
} tutti_crossover;

/**
 * The sizes at which the best method changes. Cells without a best method are passed over.
 * @param crossovers  [map->size_count]
 * @return how many there are
 */
int tutti_decision_map_crossovers(const tutti_decision_map *map, int ranks_index, tutti_crossover *crossovers);

/** Two maps compared. */
typedef struct tutti_decision_map_comparison {
  int points;            /**< that have a best method in both maps */
  int changed;           /**< where it is another one */
  int costly;            /**< of the changed ones, where staying with the old method costs more than 1 % */
  tutti_speedup best;    /**< of the best method before over the best method after; places are those of a cell in
                              map->best */
  tutti_speedup all;     /**< of every method at every point over itself; places are those in map->times */
  tutti_penalty staying; /**< what the decisions of the first map lose on the second; points 0: not known */
} tutti_decision_map_comparison;

/**
 * Compare two maps of the same collective, with the same ranks, sizes and methods.
 * @return TUTTI_ERR_ARGUMENT if they are not
 */
tutti_status tutti_decision_map_compare(const tutti_decision_map *before, const tutti_decision_map *after,
                                        tutti_decision_map_comparison *comparison, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
