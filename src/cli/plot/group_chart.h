/* What was built, sorted by what a picture of it shows: panels, curves (one a builder), places on the horizontal axis.
 */
#ifndef TUTTI_CLI_GROUP_CHART_H
#define TUTTI_CLI_GROUP_CHART_H

#include "cli/plot/group_plot.h"

/* Values of one thing in which builds differ, each shown by one build that has it. */
struct group_values {
  const tutti_group_run **builds; /* owned */
  int count;
};

struct group_chart {
  const struct group_plot *plot;
  const struct group_results *results;
  struct group_values places, panels, curves; /* each of at least one */
  double least, most;                         /* of the values above 0; least > most if there is none */
};

/* Sort. TUTTI_ERR_MEMORY. The caller frees. */
tutti_status group_chart_create(const struct group_plot *plot, const struct group_results *results,
                                struct group_chart *chart, tutti_error *error);
void group_chart_free(struct group_chart *chart);

/* The value to be drawn: microseconds, messages, bytes or a ratio; NAN: it was not built, or was divided by 0. */
double group_chart_value(const struct group_chart *chart, int panel, int curve, int place);

/* Where it is drawn on the horizontal axis: the number of processes, or which of the fractions, from 0 on. */
double group_chart_position(const struct group_chart *chart, int place);

/* @{ The axes in the words of plots/groups.gp: labels, ranges and scales. */
#define GROUP_AXIS_LENGTH 1536
void group_axis_places(const struct group_chart *chart, char axis[GROUP_AXIS_LENGTH]);
void group_axis_values(const struct group_chart *chart, char axis[GROUP_AXIS_LENGTH]);
/* @} */

#endif
