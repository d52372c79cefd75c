/**
 * @file decision.h
 * @ingroup decision
 * Decision maps, decision functions and their penalty. No MPI.
 *
 * A decision map holds, for each (communicator size, message size) that was measured, the time of every method and the
 * best of them. A decision function picks a method for any such point. Its penalty at a point is
 * 100 (t(picked) - t(best)) / t(best) percent (dissertation, section 6.1.2 and table 6.2).
 */
#ifndef TUTTI_DECISION_H
#define TUTTI_DECISION_H

#include "tutti/measurement.h"

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

/**
 * Median seconds of what runs if a method is picked at a point: its own; or, where it was not measured and the point is
 * outside its domain, that of the substitute that the catalogue names, with default parameters; NaN if neither is
 * known. Algorithms made of nodes have no substitute here.
 */
double tutti_decision_map_serving_time(const tutti_decision_map *map, int ranks_index, int size_index,
                                       const tutti_method *method);

/** Index of a method in the map, -1 if it was not measured. */
int tutti_decision_map_find(const tutti_decision_map *map, const tutti_method *method);

/** What tutti_decision_map_fill() found. */
typedef struct tutti_map_filled {
  size_t measured;      /**< times that were there */
  size_t between_sizes; /**< interpolated between two sizes of the same ranks */
  size_t between_ranks; /**< interpolated between two ranks of the same size */
  size_t substituted;   /**< outside the domain of the method: what its substitute takes */
  size_t left;          /**< not known even now */
} tutti_map_filled;

/**
 * Fill in missing times and find the best methods anew. Within the domain of a method: on the straight line, in bytes,
 * between the nearest sizes of the same ranks on both sides that were measured, else, in ranks, between the nearest
 * ranks of the same size; beyond the ends nothing is made up. Outside its domain: the time of the substitute that the
 * catalogue names (with default parameters), if that was measured or filled in. Which ranks share a node is known if
 * map->ranks_per_node is.
 * @param filled  may be NULL
 * @return TUTTI_ERR_MEMORY, and the map is as before
 */
tutti_status tutti_decision_map_fill(tutti_decision_map *map, tutti_map_filled *filled, tutti_error *error);

/**
 * Let every method within @p percent of the best time of a point count as best, and choose those that serve most
 * points: the method that is good enough at most points not yet settled settles these, and so on; in ties the first
 * method. Only map->best changes: it need not be the least time any more, so penalties are computed against the map as
 * it was.
 * @return TUTTI_ERR_ARGUMENT unless percent >= 0 and finite; TUTTI_ERR_MEMORY
 */
tutti_status tutti_decision_map_smooth(tutti_decision_map *map, double percent, tutti_error *error);

/**
 * The same points with those methods only that @p knows says yes to: what a target can be told. A point may be left
 * without a method.
 * @return TUTTI_ERR_ARGUMENT if it knows none; TUTTI_ERR_MEMORY
 */
tutti_status tutti_decision_map_restrict(const tutti_decision_map *map,
                                         bool (*knows)(const tutti_method *method, void *context), void *context,
                                         tutti_decision_map *restricted, tutti_error *error);

/**
 * Deal the points of a map into @p fold_count folds of equal size, give or take one, in an order drawn by @p seed.
 * @param folds  [ranks_count][size_count] 0 .. fold_count - 1; -1: no point, nothing was measured
 * @return TUTTI_ERR_ARGUMENT unless 2 <= fold_count <= points of the map; TUTTI_ERR_MEMORY
 */
tutti_status tutti_decision_map_deal(const tutti_decision_map *map, int fold_count, uint64_t seed, int *folds,
                                     tutti_error *error);

/** The same with a fold for each communicator size, to test on one that was not seen: ranks_count folds. */
void tutti_decision_map_deal_ranks(const tutti_decision_map *map, int *folds);

/**
 * A copy of a map that knows nothing (times NaN, best -1) but the points of fold @p fold, for testing, or with
 * @p inside false but those of all other folds, for training. Axes and methods stay.
 */
tutti_status tutti_decision_map_select(const tutti_decision_map *map, const int *folds, int fold, bool inside,
                                       tutti_decision_map *selected, tutti_error *error);

/** What a decision function is asked. */
typedef struct tutti_question {
  tutti_collective collective;
  int ranks;
  int ranks_per_node; /**< 0: not known */
  uint64_t rank_bytes;
} tutti_question;

/** The question of a point of a map. */
tutti_question tutti_decision_map_question(const tutti_decision_map *map, int ranks_index, int size_index);

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

/** A rule: it answers from the first to the second of ranks and of bytes, both inclusive. */
typedef struct tutti_rule {
  tutti_method method;
  uint64_t ranks[2], bytes[2];
  int line; /**< of the file or text that it was read from */
} tutti_rule;

/** Rule @p index of a decision made of rules; NULL past the last, and for other decisions. It lives as the decision. */
const tutti_rule *tutti_decision_rule_at(const tutti_decision *decision, size_t index);

/** Penalty over the points of a map, in percent. */
typedef struct tutti_penalty {
  double minimum, maximum, mean, median;
  int points;       /**< points counted */
  int missing;      /**< points where the picked method was not measured, or none was picked, or the best time is not
                         positive (noise of the OCC scheme), so that there is no ratio to it; not counted */
  int not_positive; /**< how many of the missing are of the last kind */
  int worst_ranks;  /**< the point of the maximum (first in order of ranks, then size) */
  uint64_t worst_size;
  double within_5;  /**< share (0..1) of the points counted with a penalty of at most 5 % */
  double within_10; /**< and of at most 10 % */
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

/** A point where a decision loses. */
typedef struct tutti_penalty_point {
  int ranks;
  uint64_t size; /**< bytes per rank */
  double percent;
  tutti_method picked, best;
} tutti_penalty_point;

/**
 * The points with the highest penalties above 0, worst first, equal ones in order of ranks, then size.
 * @param points  [most]
 * @param count   how many there are, at most @p most
 * @return TUTTI_ERR_MEMORY
 */
tutti_status tutti_penalty_worst(const tutti_decision_map *map, const tutti_decision *decision,
                                 tutti_penalty_point *points, int most, int *count, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
