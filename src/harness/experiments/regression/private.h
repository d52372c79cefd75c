/* Parts of baselines: lines, sections, and where values come from. */
#ifndef TUTTI_REGRESSION_PRIVATE_H
#define TUTTI_REGRESSION_PRIVATE_H

#include "base/memory.h"
#include "base/text.h"
#include "decision/results/row.h"
#include "tutti/baseline.h"

/* ---- lines ---- */

/* Entries without values and comment, for a point, a row or a decision. @{ */
tutti_baseline_entry tutti_baseline_entry_of_point(const tutti_point *point);
tutti_baseline_entry tutti_baseline_entry_of_row(enum tutti_row kind, const void *row);
tutti_baseline_entry tutti_baseline_entry_of_decision(const char *name, tutti_collective collective);
tutti_baseline_entry tutti_baseline_entry_of_time(const char *name, int ranks);
/* @} */

/* Read a line, which is changed. TUTTI_ERR_ARGUMENT names the fault, without the line; the entry is empty then. */
tutti_status tutti_baseline_entry_parse(char *line, tutti_baseline_entry *entry, tutti_error *error);

void tutti_baseline_entry_free(tutti_baseline_entry *entry);

/* Canonical order; 0 for the same point. For qsort() and bsearch(). */
int tutti_baseline_entry_compare(const void *left, const void *right);

/* True if two values differ by no more than the resolution of a simulated clock. */
bool tutti_baseline_same_value(tutti_metric metric, double left, double right);

/* True if any value is known. */
bool tutti_baseline_has_values(const tutti_baseline_entry *entry);

/* True for a metric that is measured; the others are counted, and exact. */
bool tutti_metric_is_measured(tutti_metric metric);

/* ---- files ---- */

enum { BASELINE_VALUE_LENGTH = 400 }; /* of DBL_MAX in decimal digits */

/* The written form of a value; returns @p text, of BASELINE_VALUE_LENGTH. */
const char *tutti_baseline_format_value(tutti_metric metric, double value, char *text);

#define BASELINE_HEAD "tutti-baseline 2"

/* SHA-256 of the content of a baseline, without comments and lines without values; returns the number of points. */
size_t tutti_baseline_digest(const tutti_baseline *baseline, char digest[TUTTI_HASH_LENGTH]);

/* ---- sections ---- */

/* Take over an entry. */
void tutti_baseline_append(tutti_baseline_section *section, tutti_baseline_entry entry);

void tutti_baseline_sort(tutti_baseline_section *section);

/* Append a section without entries. */
tutti_baseline_section *tutti_baseline_add_section(tutti_baseline *baseline, tutti_baseline_section_kind kind,
                                                   const char *name);

/* @p name as seen from the folder of the baseline: owned by the caller. */
char *tutti_baseline_beside(const tutti_baseline *baseline, const char *name);

/* tutti_platform_find(), whose error begins with the line of the section, if it has one. */
tutti_status tutti_baseline_find_platform(const tutti_baseline *baseline, const tutti_baseline_section *section,
                                          const char *name, char **path, tutti_error *error);

/* True if the platform files differ. */
bool tutti_baseline_other_platform(const tutti_baseline_section *before, const tutti_baseline_section *after);

/* ---- gaps ---- */

/* Set what could not be compared, of a comparison whose differences are known. */
void tutti_baseline_find_gaps(tutti_baseline_comparison *comparison);

void tutti_baseline_free_gaps(tutti_baseline_comparison *comparison);

/* The reverse: a path that the caller sees, as seen from the folder of the baseline; owned by the caller. TUTTI_ERR_IO
   if one of the two folders does not exist. */
tutti_status tutti_baseline_name_beside(const tutti_baseline *baseline, const char *path, char **name,
                                        tutti_error *error);

/* ---- names ---- */

/* A name as a line has it, a word of one if it is followed by others; owned by the caller. */
char *tutti_baseline_escape(const char *name, bool word);

/* The reverse, in place. */
void tutti_baseline_unescape(char *text);

/* ---- programs ---- */

/* Run the program of a section, at all its numbers of ranks, and set its times. */
tutti_status tutti_baseline_run_program(const tutti_baseline *baseline, const tutti_baseline_section *asked,
                                        const tutti_baseline_run *run, tutti_baseline_section *section,
                                        tutti_error *error);

/* Append the times that a program printed, the median of those of a name. TUTTI_ERR_ARGUMENT without times. */
tutti_status tutti_baseline_read_times(const tutti_baseline_program *program, char *output, int ranks,
                                       tutti_baseline_section *section, tutti_error *error);

/* ---- values ---- */

/* Set the values of the entries of @p section from what the store has of @p experiment, and what schedules count;
   append the decisions of @p asked, with their penalties. */
tutti_status tutti_baseline_take_values(const tutti_baseline *baseline, const tutti_baseline_section *asked,
                                        const tutti_experiment *experiment, tutti_store *store,
                                        tutti_baseline_section *section, tutti_error *error);

#endif
