/* Parts of baselines: lines, sections, and where points come from. */
#ifndef TUTTI_HARNESS_BASELINE_PRIVATE_H
#define TUTTI_HARNESS_BASELINE_PRIVATE_H

#include "tutti/baseline.h"

#define BASELINE_HEAD "tutti-baseline 1"
#define BASELINE_WORD "tutti-baseline "

/* The scheme of inline points: all ranks start at once, and no time is subtracted. */
#define BASELINE_SCHEME TUTTI_SCHEME_WINDOW

/* Entries without values and comment, for a point or a decision. False: out of memory. @{ */
bool tutti_baseline_entry_of_point(const tutti_point *point, tutti_baseline_entry *entry);
bool tutti_baseline_entry_of_decision(const char *name, tutti_collective collective, tutti_baseline_entry *entry);
/** @} */

/* Read the part of a line before its values, which is changed. TUTTI_ERR_ARGUMENT says what is wrong, without the line;
   what was allocated before is left in @p entry. */
tutti_status tutti_baseline_entry_parse(char *text, tutti_baseline_entry *entry, tutti_error *error);

/* Cut the values off the end of a line: [TUTTI_METRICS], NaN where there is none. TUTTI_ERR_ARGUMENT as above. */
tutti_status tutti_baseline_cut_values(char *line, double *values, tutti_error *error);

/* Can a line of this kind have them? TUTTI_ERR_ARGUMENT names one that it cannot. */
tutti_status tutti_baseline_check_values(const tutti_baseline_entry *entry, const double *values, tutti_error *error);

void tutti_baseline_entry_free(tutti_baseline_entry *entry);

/* Take over @p entry, also if that fails. */
tutti_status tutti_baseline_append(tutti_baseline_section *section, tutti_baseline_entry *entry, tutti_error *error);

/* Canonical order; 0 for the same point. For qsort() and bsearch(). */
int tutti_baseline_entry_compare(const void *left, const void *right);

void tutti_baseline_sort(tutti_baseline_section *section);

/* Append a section without entries; NULL: out of memory. */
tutti_baseline_section *tutti_baseline_add_section(tutti_baseline *baseline, bool inline_points, const char *name,
                                                   tutti_error *error);

/* @p name as seen from the folder of the baseline: owned by the caller, NULL if out of memory. */
char *tutti_baseline_beside(const tutti_baseline *baseline, const char *name);

/* Do two values differ by no more than a simulated clock can say? */
bool tutti_baseline_same_value(tutti_metric metric, double left, double right);

/* The points of a section as an experiment, freed by tutti_experiment_free() in every case. */
tutti_status tutti_baseline_section_experiment(const tutti_baseline *baseline, const tutti_baseline_section *section,
                                               tutti_experiment *experiment, tutti_error *error);

/* Set the values of the entries of @p section from what the store has of @p experiment, whose measurements of
   collective operations are appended to @p measurements. */
tutti_status tutti_baseline_take_times(tutti_store *store, const tutti_experiment *experiment,
                                       tutti_baseline_section *section, tutti_measurement **measurements, size_t *count,
                                       tutti_error *error);

/* Set what schedules count. */
tutti_status tutti_baseline_take_counts(tutti_baseline_section *section, tutti_error *error);

/* Append the decisions of @p asked, with their penalties against the measurements. */
tutti_status tutti_baseline_take_penalties(const tutti_baseline *baseline, const tutti_baseline_section *asked,
                                           const tutti_measurement *measurements, size_t count,
                                           tutti_baseline_section *section, tutti_error *error);

#endif
