/* A decision map as a picture: rectangles, colors and tics made here, drawn by gnuplot (plots/decision_map.gp). */
#ifndef TUTTI_CLI_MAP_PLOT_H
#define TUTTI_CLI_MAP_PLOT_H

#include "cli/map/map_report.h"

/* Draw to @p path; as gnuplot_draw(), TUTTI_ERR_MEMORY. */
tutti_status report_plot(const struct map_report *report, const char *path, tutti_error *error);

/* The same of what a decision costs at each point. @param percents  [ranks_count][size_count]; NaN: not known */
tutti_status report_plot_loss(const struct map_report *report, const double *percents, const char *path,
                              tutti_error *error);

#endif
