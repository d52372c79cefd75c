/* Columns one by one, and what kinds of rows check beyond them (kinds.def). */
#ifndef TUTTI_RESULTS_KINDS_H
#define TUTTI_RESULTS_KINDS_H

#include "results/row.h"

/* Can the value of a column be stored? */
tutti_status tutti_column_check(const struct tutti_row_kind *kind, const struct tutti_row_column *column,
                                const void *row, tutti_error *error);

/* Order of rows by one column. */
int tutti_column_compare(const struct tutti_row_column *column, const void *left, const void *right);

tutti_status tutti_measurement_check_keys(const void *row, tutti_error *error);
tutti_status tutti_measurement_check(const void *row, tutti_error *error);
tutti_status tutti_measurement_derive(void *row, tutti_error *error);

tutti_status tutti_group_check_keys(const void *row, tutti_error *error);
void tutti_group_complete(void *row);
bool tutti_group_applies(const void *row, const struct tutti_row_column *column);
int tutti_group_compare(const void *left, const void *right);

tutti_status tutti_sort_check_keys(const void *row, tutti_error *error);
tutti_status tutti_sort_check(const void *row, tutti_error *error);
bool tutti_sort_applies(const void *row, const struct tutti_row_column *column);

tutti_status tutti_range_check(const void *row, tutti_error *error);
bool tutti_range_applies(const void *row, const struct tutti_row_column *column);

#endif
