/* The tables of builds and results, as pivots. */
#ifndef TUTTI_REPORT_TABLES_H
#define TUTTI_REPORT_TABLES_H

#include "report/pivot.h"

/* Receives one pivot after another; it lives during the call only. */
typedef tutti_status take_pivot(const struct pivot *pivot, void *context, tutti_error *error);

/* Builds of groups: time and messages over the fraction, and over the number of processes where there are three or
 * more. */
tutti_status tutti_report_tables_of_builds(const tutti_report *report, const tutti_holding *holding, take_pivot *take,
                                           void *context, tutti_error *error);

/* Does the report have a table for results of this kind? Penalties are shown elsewhere. */
bool tutti_report_shows(const tutti_holding *holding);

/* Results of a kind that it shows. */
tutti_status tutti_report_tables_of_results(const tutti_report *report, const tutti_holding *holding, take_pivot *take,
                                            void *context, tutti_error *error);

#endif
