/* Parts of a plan: points and their orders, chunks. */
#ifndef TUTTI_EXPERIMENTS_PLAN_H
#define TUTTI_EXPERIMENTS_PLAN_H

#include "base/vector.h"
#include "decision/results/row.h"
#include "tutti/job.h"

/* A growing array of points. */
struct point_list {
  TUTTI_VECTOR(tutti_point);
};

/* Whether a sweep of an experiment is of the collective. */
bool tutti_experiment_has(const tutti_experiment *experiment, tutti_collective collective);

/* The kind of rows that an experiment measures. */
enum tutti_row tutti_experiment_row(const tutti_experiment *experiment);

/* Order of measuring: many ranks first, then by launch, then the costliest, then identity. For qsort(). */
int tutti_point_compare_cost(const void *left, const void *right);

/* Order of launches; 0: one launch can measure both. A launch measures all our methods, the native methods of one
   selector, or one method that a library is told to run. */
int tutti_point_compare_launch(const tutti_point *left, const tutti_point *right);

/* Whether the library runs it. */
bool tutti_point_is_library(const tutti_point *point);

/* All points of the experiment, each once, ordered by identity; adds the number of omitted points to outside and
   library_only of @p plan. */
tutti_status tutti_points_of_experiment(const tutti_experiment *experiment, struct point_list *list, tutti_plan *plan,
                                        tutti_error *error);

/* plan_messages.c: about how many it has (tutti_estimate_messages()); of builds, results and the methods of libraries
   what they are expected to cost. */
double tutti_point_messages(const tutti_point *point);

/* TUTTI_ERR_ARGUMENT for a collective operation with a message that SMPI, where it simulates the
   experiment, cannot carry. */
tutti_status tutti_point_check_large(const tutti_experiment *experiment, const tutti_point *point, tutti_error *error);

/* Drop from the ordered @p list, the points of a plan, those that nobody chooses. Errors are those of the choice. */
tutti_status tutti_points_choose(struct point_list *list, const tutti_plan *plan, const tutti_present *present,
                                 const tutti_plan_options *options, tutti_error *error);

/* Drop from the ordered @p list, the points of a plan, those present under its scheme and number of ranks per node;
 * returns how many. */
size_t tutti_points_drop_present(struct point_list *list, const tutti_plan *plan, const tutti_present *present);

/* plan_messages.c: drop those with about more messages than @p most, and name them in the plan; 0: none. Call it when
   the others are dropped. TUTTI_ERR_ARGUMENT: none is left. */
tutti_status tutti_points_drop_large(struct point_list *list, tutti_plan *plan, double most, tutti_error *error);

/* The record of a measurement of the point, with the keys set. */
void tutti_point_record(const tutti_point *point, tutti_scheme scheme, int ranks_per_node, tutti_record *record);

/* Its line in a points file, without the end; @p text has TUTTI_ROW_POINT bytes. Returns @p text. */
char *tutti_point_format(const tutti_point *point, char *text);

/* Drop from @p list the points under way; returns how many. */
size_t tutti_points_drop_pending(struct point_list *list, const tutti_present *present);

/* Prove the methods of plug-ins that the plan measures, of a few elements each; @p unproven receives the largest number
   of ranks that is too large to prove, 0: none. TUTTI_ERR_FAULT, or the error of a build function. */
tutti_status tutti_plan_prove(const tutti_plan *plan, int *unproven, tutti_error *error);

/* Add to @p present all that the store has of the collectives, groups or results of an experiment, as selected (whose
   collective is set). Free with tutti_present_free() in any case. */
tutti_status tutti_present_read(tutti_store *store, const tutti_experiment *experiment, tutti_selection *selection,
                                tutti_present *present, tutti_error *error);
void tutti_present_free(tutti_present *present);

#endif
