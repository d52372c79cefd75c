/* A decision map as a picture: rectangles, colors and tics made here, drawn by gnuplot (plots/decision_map.gp). */
#ifndef TUTTI_CLI_REPORT_PLOT_H
#define TUTTI_CLI_REPORT_PLOT_H

#include "cli/map/map_report.h"
#include "cli/plot/plot_tics.h"

/* Draw to @p path; as gnuplot_draw(), TUTTI_ERR_MEMORY. */
tutti_status report_plot(const struct map_report *report, const char *path, tutti_error *error);

/* The same of what a decision costs at each point. @param percents  [ranks_count][size_count]; NaN: not known */
tutti_status report_plot_loss(const struct map_report *report, const double *percents, const char *path,
                              tutti_error *error);

/* Edges of the cells of an axis. */
struct plot_axis {
  int count;
  bool logarithmic;
  double *positions; /* [count] where the values are drawn */
  double *edges;     /* [count + 1] */
};

/* @{ The axes of a map; edges lie midway between neighbors on the scale of the axis. False: out of memory. */
bool plot_axis_sizes(const tutti_decision_map *map, struct plot_axis *axis);
bool plot_axis_ranks(const tutti_decision_map *map, struct plot_axis *axis);
/* @} */
void plot_axis_free(struct plot_axis *axis);

/* @{ Labels of an axis. */
void plot_tics_sizes(const tutti_decision_map *map, const struct plot_axis *axis, char tics[PLOT_TICS_LENGTH]);
void plot_tics_ranks(const tutti_decision_map *map, const struct plot_axis *axis, char tics[PLOT_TICS_LENGTH]);
/* @} */

#endif
