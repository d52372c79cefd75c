/**
 * @file decision.h
 * Decision maps, decision functions and their penalty. No MPI.
 *
 * A decision map holds, for each (communicator size, message size) that was measured, the time of every method and the
 * best of them. A decision function picks a method for any such point. Its penalty at a point is
 * 100 (t(picked) - t(best)) / t(best) percent (dissertation, section 6.1.2 and table 6.2).
 */
#ifndef TUTTI_DECISION_H
#define TUTTI_DECISION_H

#include "tutti/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A complete or sparse grid of measured times. Arrays are owned by the map. */
typedef struct tutti_decision_map {
  tutti_collective collective;
  int ranks_per_node; /**< of all points; 0 if they differ */
  int ranks_count;
  int *ranks; /**< ascending */
  int size_count;
  uint64_t *sizes; /**< bytes per rank, ascending */
  int method_count;
  tutti_method *methods; /**< ordered by tutti_method_compare() */
  double *times;         /**< [ranks_count][size_count][method_count] median seconds; NaN where not measured */
  int *best;             /**< [ranks_count][size_count] index into methods; -1 where nothing was measured that can be
                              best (tutti_decision_map_choose()) */
} tutti_decision_map;

/**
 * Make a map from measurements of one collective in one environment. Two times tie when they differ by less than one
 * part in 10^9 (the resolution of a simulated clock); the first in the order of tutti_method_compare() wins.
 * @return TUTTI_ERR_ARGUMENT if there is no measurement, they are of several collectives, a median is not finite, or a
 *         method was measured twice at a point (with other roots, ranks per node or types); TUTTI_ERR_MEMORY.
 */
tutti_status tutti_decision_map_create(const tutti_measurement *measurements, size_t count, tutti_decision_map *map,
                                       tutti_error *error);

void tutti_decision_map_free(tutti_decision_map *map);

/**
 * Choose the best methods anew, with the native ones (algorithm.h) among them or without, as they were created: what a
 * library does is what the others are compared with, and no exporter could write it down.
 */
void tutti_decision_map_choose(tutti_decision_map *map, bool natives);

/** Median seconds of a method at a point; NaN where not measured. */
double tutti_decision_map_time(const tutti_decision_map *map, int ranks_index, int size_index, int method_index);

/** Index of a method in the map, -1 if it was not measured. */
int tutti_decision_map_find(const tutti_decision_map *map, const tutti_method *method);

/** What a decision function is asked. */
typedef struct tutti_question {
  tutti_collective collective;
  int ranks;
  int ranks_per_node; /**< 0: not known */
  uint64_t rank_bytes;
} tutti_question;

/** A decision function: anything that picks a method. */
typedef struct tutti_decision {
  char *name;
  tutti_collective collective; /**< it answers for: that of the method, or of the first rule of a file */
  /** The method for a question, or false if the function has no answer. */
  bool (*decide)(const struct tutti_decision *decision, const tutti_question *question, tutti_method *method);
  void (*free_data)(void *data);
  void *data;
} tutti_decision;

void tutti_decision_free(tutti_decision *decision);

/** The decision function that always picks @p method. */
tutti_status tutti_decision_single(const tutti_method *method, tutti_decision *decision, tutti_error *error);

/**
 * Read a rule file: one rule a line, the first that matches answers, '#' begins a comment.
 *
 *     bcast/linear           ranks=2..8 bytes=0..2KB
 *     bcast/pipeline/8KB     bytes=64KB..
 *     bcast/binomial
 *
 * Bounds are inclusive and either end may be left out; a value without ".." is that value alone. `bytes` is per rank.
 * @return TUTTI_ERR_IO, TUTTI_ERR_ARGUMENT with FILE:LINE.
 */
tutti_status tutti_decision_read_rules(const char *path, tutti_decision *decision, tutti_error *error);

/** The same from a text in memory. Messages, and the decision, call it @p name. */
tutti_status tutti_decision_parse_rules(const char *text, const char *name, tutti_decision *decision,
                                        tutti_error *error);

/** Penalty over the points of a map, in percent. */
typedef struct tutti_penalty {
  double minimum, maximum, mean, median;
  int points;       /**< points counted */
  int missing;      /**< points where the picked method was not measured, or none was picked, or the best time is not
                         positive (noise of the OCC scheme), so that there is no ratio to it; not counted */
  int not_positive; /**< how many of the missing are of the last kind */
  int worst_ranks;  /**< the point of the maximum (first in order of ranks, then size) */
  uint64_t worst_size;
} tutti_penalty;

/**
 * Seconds of what a decision picks at each point of a map.
 * @param times  [ranks_count][size_count] NaN where it picks nothing, or nothing that was measured
 */
void tutti_decision_times(const tutti_decision_map *map, const tutti_decision *decision, double *times);

/** What one decision gains over another, in percent of the other's time (dissertation, table 6.9): negative if slower.
 */
typedef struct tutti_improvement {
  double minimum, maximum, mean;
  int points;  /**< points counted; 0: the percentages are NaN */
  int missing; /**< points where one of the two times is not known, or the other's is not positive */
} tutti_improvement;

/** Mean of 100 (t(reference) - t) / t(reference) over points where both are known. @param times, reference [count] */
tutti_improvement tutti_improvement_over(const double *times, const double *reference, size_t count);

/** Compute the penalty of @p decision against @p map. TUTTI_ERR_ARGUMENT if no point could be counted. */
tutti_status tutti_penalty_compute(const tutti_decision_map *map, const tutti_decision *decision,
                                   tutti_penalty *penalty, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
