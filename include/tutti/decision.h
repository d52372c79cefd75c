/**
 * @file decision.h
 * @ingroup decision
 * Decision functions, which pick a method for a call, and what their choices cost. No MPI.
 *
 * The penalty of a decision at a point of a decision map is 100 (t(picked) - t(best)) / t(best) percent
 * (Pjesivac-Grbovic 2007, section 6.1.2 and table 6.2).
 */
#ifndef TUTTI_DECISION_H
#define TUTTI_DECISION_H

#include "tutti/decision_map.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A decision function: anything that picks a method. */
typedef struct tutti_decision {
  char *name;
  tutti_collective collective; /**< it answers for: that of the method, or of the first rule of a file */
  /** The method for a question, or false without an answer. */
  bool (*decide)(const struct tutti_decision *decision, const tutti_question *question, tutti_method *method);
  void (*free_data)(void *data);
  void *data;
  /** For a file, or for the rules, of a library: that library. Otherwise the first implementation other than ours that
   * they name, else ours. */
  tutti_implementation implementation;
  /** May be set. For a file of a library: calls that it leaves to the library are answered with "native", not with the
     method that the library is known to choose. */
  bool own_choice_is_native;
} tutti_decision;

void tutti_decision_free(tutti_decision *decision);

/** The decision function that always picks @p method. */
tutti_decision tutti_decision_single(const tutti_method *method);

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

/** Whether the bounds of a rule contain this number of ranks and bytes per rank. The collective is not checked. */
bool tutti_rule_matches(const tutti_rule *rule, int ranks, uint64_t rank_bytes);

/** Rule @p index of a decision made of rules; NULL past the last, and for other decisions. It lives as the decision. */
const tutti_rule *tutti_decision_rule_at(const tutti_decision *decision, size_t index);

/** The pick of a decision at a point of a map. */
typedef struct tutti_penalty_at_point {
  int picked, best; /**< methods of the map; -1: none, or not one of the map's. A picked method that the map lacks is
                       represented by the one that runs in its place: tutti_decision_map_serving() */
  double best_seconds;
  double percent;    /**< over the fastest that is faster by more than the noise of both, 0: none is; NaN: the picked
                        method was not measured there,    or the best time is not positive */
  bool within_noise; /**< it is 0 for that reason alone */
  bool substituted;  /**< the substitute of the picked method runs there */
} tutti_penalty_at_point;

/** The penalty of a decision at a point. */
tutti_penalty_at_point tutti_penalty_at(const tutti_decision_map *map, const tutti_decision *decision, int ranks_index,
                                        int size_index);

/** Penalty over the points of a map, in percent. */
typedef struct tutti_penalty {
  double min, max, mean, median;
  int points;       /**< points counted */
  int within_noise; /**< of these, points where the picked method is not the best, but slower by less than the noise of
                       both times: they count as 0 */
  int own_choice;   /**< of these, points where the pick is the library's own choice: native, or another name of it */
  int substituted;  /**< of these, points where the pick cannot serve, and its substitute counts */
  int missing;      /**< points where the picked method was not measured, or none was picked, or the best time is not
                       positive (noise of the OCC scheme), so that no ratio exists; not counted */
  int not_positive; /**< how many of the missing are of the last kind */
  int worst_ranks;  /**< the point of the max (first in order of ranks, then size) */
  uint64_t worst_size;
  double within_5;  /**< share (0..1) of the points counted with a penalty of at most 5 % */
  double within_10; /**< and of at most 10 % */
} tutti_penalty;

/**
 * Seconds of the picks of a decision at each point of a map.
 * @param times  [ranks_count][size_count] NaN without a pick, or for one that was not measured
 */
void tutti_decision_times(const tutti_decision_map *map, const tutti_decision *decision, double *times);

/** A difference of two times that counts, in percent. */
#define TUTTI_NOTABLE_PERCENT 5.0

/** The gain of one decision over another, in percent of the other's time (dissertation, table 6.9); negative: a loss.
 */
typedef struct tutti_improvement {
  double min, max, mean, median;
  int points;  /**< points counted; 0: the percentages are NaN */
  int faster;  /**< of these, points where it gains more than TUTTI_NOTABLE_PERCENT */
  int slower;  /**< points where it loses more than that */
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
 * @param points  [max_count]
 * @return their number, at most @p max_count
 */
int tutti_penalty_worst(const tutti_decision_map *map, const tutti_decision *decision, tutti_penalty_point *points,
                        int max_count);

/** Two maps compared. */
typedef struct tutti_decision_map_comparison {
  int points;            /**< points that have a best method in both maps */
  int changed;           /**< points with another best method */
  int costly;            /**< of the changed ones, points where staying with the old method costs more than 1 % */
  tutti_speedup best;    /**< of the best method before over the best method after; places are those of a cell in
                              map->best */
  tutti_speedup all;     /**< of every method at every point over itself; places are those in map->times */
  tutti_penalty staying; /**< loss of the decisions of the first map on the second; points 0: unknown */
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
