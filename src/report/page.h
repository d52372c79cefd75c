/* The sections of the page, in their order, and what they share. */
#ifndef TUTTI_REPORT_PAGE_H
#define TUTTI_REPORT_PAGE_H

#include <stdio.h>

#include "tutti/report.h"

/* Print what is in a section below its heading. */
typedef tutti_status report_section(const tutti_report *report, FILE *out, tutti_error *error);

report_section tutti_report_section_overview, tutti_report_section_platforms, tutti_report_section_maps,
    tutti_report_section_penalties, tutti_report_section_groups, tutti_report_section_results,
    tutti_report_section_claims, tutti_report_section_provenance;

/* A paragraph that says that there is nothing, and which command would fill it. */
void tutti_page_nothing(FILE *out, const char *what, const char *command);

/* A link to an environment in the section on provenance: "E1". */
void tutti_page_environment(FILE *out, int environment);

/* The command that gives the numbers above, as a paragraph with a link to their environment. */
void tutti_page_source(FILE *out, const tutti_report *report, int environment, const char *command);

/* Title of a map: "bcast on grig_mx", with what tells it from others like it ("scheme window", "root 3"). */
void tutti_page_map_title(FILE *out, const tutti_report *report, const tutti_report_map *map);

/* The colors of the methods of all maps, for the style sheet of the page. */
void tutti_report_print_map_styles(const tutti_report *report, FILE *out);

/* The data of all maps as JSON (report.h). */
void tutti_report_write_data(const tutti_report *report, FILE *out);

/* How many entries of a kind there are, and their rows. */
int tutti_report_count_entries(const tutti_report *report, tutti_store_entry_kind kind, size_t *rows);

#endif
