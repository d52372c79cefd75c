/* Axes of pictures: where the cells of a decision map begin and end, and labels in gnuplot's words:
   ("1KB" 1024, "4KB" 4096). */
#ifndef TUTTI_CLI_AXES_H
#define TUTTI_CLI_AXES_H

#include "tutti/decision.h"

#define PLOT_TICS_LENGTH 1024

/* @{ Begin with an empty text, append, close. Labels have no quotes. */
void plot_tics_append(char tics[PLOT_TICS_LENGTH], const char *label, double position);
void plot_tics_close(char tics[PLOT_TICS_LENGTH]);
/* @} */

/* All labels of a logarithmic axis: powers of two, written as sizes (bytes). */
void plot_tics_bytes(double least, double most, char tics[PLOT_TICS_LENGTH]);

/* All labels of a logarithmic axis: powers of ten, and 2 and 5 times them if there are less than three. */
void plot_tics_decades(double least, double most, char tics[PLOT_TICS_LENGTH]);

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
