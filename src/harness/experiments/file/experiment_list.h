/* Lists of numbers, and methods, in experiment files and on the command line. */
#ifndef TUTTI_EXPERIMENTS_EXPERIMENT_LIST_H
#define TUTTI_EXPERIMENTS_EXPERIMENT_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "tutti/algorithm.h"
#include "tutti/error.h"

/* Reads one number of a list. */
typedef tutti_status experiment_number(const char *text, uint64_t *value, tutti_error *error);

/* A number of ranks: digits, 1 .. INT_MAX. */
tutti_status tutti_experiment_parse_rank_count(const char *text, uint64_t *value, tutti_error *error);

/*
 * Read a list of numbers, FROM..TO and FROM..TO*FACTOR, separated by blanks; the last step is the largest that is not
 * above TO. @p values is ascending and unique, has at least one member, and is owned by the caller.
 */
tutti_status tutti_experiment_parse_list(const char *text, experiment_number *parse, uint64_t **values, int *count,
                                         tutti_error *error);

/* True if a range FROM..TO*FACTOR of a list ends before TO, because no step meets it. *last receives the last step of
   the first such range. */
bool tutti_experiment_list_stops_short(const char *text, experiment_number *parse, uint64_t *last);

/* A copy of such a list. */
void tutti_experiment_copy_list(const uint64_t *list, int list_count, uint64_t **values, int *count);

/* Read a method of the collective, "bcast/binomial" or "binomial" alone. Returns the first of them, owned by the
   caller, or NULL with an error. */
char *tutti_experiment_method_name(tutti_collective collective, const char *word, tutti_method *method,
                                   tutti_error *error);

#endif
