/* Parts of baselines: lines, sections, and where values come from. */
#ifndef TUTTI_REGRESSION_PRIVATE_H
#define TUTTI_REGRESSION_PRIVATE_H

#include "base/memory.h"
#include "base/text.h"
#include "results/row.h"
#include "tutti/baseline.h"

/* ---- lines ---- */

/* Entries without values and comment, for a point, a row or a decision. @{ */
tutti_baseline_entry tutti_baseline_entry_of_point(const tutti_point *point);
tutti_baseline_entry tutti_baseline_entry_of_row(enum tutti_row kind, const void *row);
tutti_baseline_entry tutti_baseline_entry_of_decision(const char *name, tutti_collective collective);
/* @} */

/* Read a line, which is changed. TUTTI_ERR_ARGUMENT says what is wrong, without the line; the entry is empty then. */
tutti_status tutti_baseline_entry_parse(char *line, tutti_baseline_entry *entry, tutti_error *error);

void tutti_baseline_entry_free(tutti_baseline_entry *entry);

/* Canonical order; 0 for the same point. For qsort() and bsearch(). */
int tutti_baseline_entry_compare(const void *left, const void *right);

/* Do two values differ by no more than a simulated clock can say? */
bool tutti_baseline_same_value(tutti_metric metric, double left, double right);

/* Is any value known? */
bool tutti_baseline_has_values(const tutti_baseline_entry *entry);

/* Is it measured? Otherwise it is counted, and exact. */
bool tutti_metric_is_measured(tutti_metric metric);

/* ---- sections ---- */

/* Take over an entry. */
void tutti_baseline_append(tutti_baseline_section *section, tutti_baseline_entry entry);

void tutti_baseline_sort(tutti_baseline_section *section);

/* Append a section without entries. */
tutti_baseline_section *tutti_baseline_add_section(tutti_baseline *baseline, bool inline_points, const char *name);

/* @p name as seen from the folder of the baseline: owned by the caller. */
char *tutti_baseline_beside(const tutti_baseline *baseline, const char *name);

/* ---- values ---- */

/* Set the values of the entries of @p section from what the store has of @p experiment, and what schedules count;
   append the decisions of @p asked, with their penalties. */
tutti_status tutti_baseline_take_values(const tutti_baseline *baseline, const tutti_baseline_section *asked,
                                        const tutti_experiment *experiment, tutti_store *store,
                                        tutti_baseline_section *section, tutti_error *error);

#endif
