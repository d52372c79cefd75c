/**
 * @file run_comparison.h
 * @ingroup experiments
 * Two runs of one experiment, on two machines or by two engines, point by point.
 */
#ifndef TUTTI_RUN_COMPARISON_H
#define TUTTI_RUN_COMPARISON_H

#include "tutti/job.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The points that both runs measured, in the same order. Index 0: before, 1: after. Arrays are owned by the
 * comparison; those of other kinds than the experiment's are NULL.
 */
typedef struct tutti_run_comparison {
  size_t count;                       /**< points of both */
  size_t alone[2];                    /**< points of one run only: methods that the other machine cannot have */
  tutti_measurement *measurements[2]; /**< [count] by collective, root, ranks, bytes, method */
  tutti_group_run *builds[2];         /**< [count] by tutti_group_point_compare() */
  tutti_result *results[2];           /**< [count] by tutti_result_compare(), with 0 ranks per node */
} tutti_run_comparison;

/**
 * Read what two finished runs of one experiment file (tutti_experiment_read_on()) left in the store. Other points that
 * the store has of the same machines are passed over. Launches of a point in several orders of start are joined.
 * @param summaries    of the last run of each experiment
 * @param any_pattern  measurements under arrival patterns and noise, too
 * @return TUTTI_ERR_ARGUMENT if the two have no point in common, or the experiments are of other kinds; as
 *         tutti_store_read()
 */
tutti_status tutti_run_comparison_read(const char *database, const tutti_experiment experiments[2],
                                       const tutti_run_summary summaries[2], bool any_pattern,
                                       tutti_run_comparison *comparison, tutti_error *error);

/** The median of a point, 0: before, 1: after; NaN for results without times. */
double tutti_run_comparison_time(const tutti_run_comparison *comparison, int side, size_t index);

/** A point as in points files, and its number of ranks; room for TUTTI_RESULT_POINT_LENGTH bytes. Returns @p text. */
char *tutti_run_comparison_format_point(const tutti_run_comparison *comparison, size_t index, char *text);

void tutti_run_comparison_free(tutti_run_comparison *comparison);

#ifdef __cplusplus
}
#endif
#endif
