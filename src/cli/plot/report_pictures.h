/* The plots of a report as files, by gnuplot. */
#ifndef TUTTI_CLI_REPORT_PICTURES_H
#define TUTTI_CLI_REPORT_PICTURES_H

#include "tutti/report.h"

/*
 * Draw every decision map (map-1.svg, map-1.pdf), what each decision function picks and loses there (map-1-NAME-picks,
 * map-1-NAME-loss), and every chart of the report (group-time-1, sort-time-1, ...) into the directory @p path, which is
 * made if it is not there. Prints nothing. As gnuplot_draw(); TUTTI_ERR_IO, TUTTI_ERR_MEMORY.
 */
tutti_status report_pictures(const tutti_report *report, const char *path, tutti_error *error);

#endif
