/**
 * @file engine_tally.h
 * @ingroup experiments
 * How far the times of two engines are apart.
 */
#ifndef TUTTI_ENGINE_TALLY_H
#define TUTTI_ENGINE_TALLY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Relative differences that are counted: 1e-12, 1e-9, 1e-6 and 1 %. */
enum { TUTTI_ENGINE_LEVELS = 4 };
extern const double tutti_engine_levels[TUTTI_ENGINE_LEVELS];

/** Summary of the times of an experiment by both engines. */
typedef struct tutti_engine_tally {
  size_t points;
  size_t within[TUTTI_ENGINE_LEVELS]; /**< times that differ by no more than each level */
  size_t beyond;                      /**< times that differ by more than the tolerance */
  double largest;                     /**< difference */
  size_t largest_at;                  /**< the first point that has it */
} tutti_engine_tally;

/** |time - reference| / |reference|: 0 where both are equal, infinite where only the reference is 0. */
double tutti_engine_difference(double reference, double time);

/** Count another point, whose number is tally->points. */
void tutti_engine_tally_add(tutti_engine_tally *tally, double reference, double time, double tolerance);

#ifdef __cplusplus
}
#endif
#endif
