/* tutti group: the parts of the command. */
#ifndef TUTTI_CLI_GROUP_H
#define TUTTI_CLI_GROUP_H

#include "cli/options/common.h"
#include "cli/plot/plot.h"
#include "tutti/experiment.h"

struct group_options {
  tutti_group_sweep sweep;       /* owned */
  bool all_builders;             /* combinations that a builder does not support are left out; else they are an error */
  const char *platform;          /* NULL: within this process */
  const char *engine;            /* that simulates it: a flavor */
  struct program_options launch; /* without a database nothing is stored, only within this process */
  tutti_format format;
};

/* What was built, ordered by tutti_group_point_compare(). */
struct group_results {
  tutti_group_run *builds; /* owned */
  size_t count;
  char platform[TUTTI_PLATFORM_NAME_LENGTH]; /* its name, where it was simulated */
};

/* Order of builds for qsort() and bsearch(). */
int group_compare(const void *left, const void *right);

/* Build within this process; also into the store, if one is named. */
void group_build_in_process(const struct group_options *options, struct group_results *results);

/* Simulate what the store does not have yet, and read all of it from there. */
void group_simulate(const struct group_options *options, struct group_results *results);

/* Print what was built: as text a table for each sample, a line for each builder. @p where: the platform. */
void group_print(const struct group_results *results, const char *where, tutti_format format);

/* ---- the picture: one curve a builder ---- */

enum group_plot_x { GROUP_PLOT_X_ANY, GROUP_PLOT_FRACTION, GROUP_PLOT_RANKS };
enum group_plot_y { GROUP_PLOT_Y_ANY, GROUP_PLOT_TIME, GROUP_PLOT_MESSAGES, GROUP_PLOT_MEMORY, GROUP_PLOT_MESSAGE };

/* What to draw. All zero: nothing. */
struct group_plot {
  const char *path; /* NULL: no picture */
  const char *title;
  enum group_plot_x x;
  enum group_plot_y y;
  const tutti_group_builder *relative; /* values are divided by its; NULL: they are not */
};

/* Rows for a struct group_plot. */
extern const struct option_row group_plot_table[];

/* Check, before anything is built, that it can be drawn of what @p options ask for; choose the axes left open. Die with
   a message that names the option at fault. */
void group_plot_check(struct group_plot *plot, const struct group_options *options);

/* Draw what was built, after group_plot_check(). Die if there is no value above 0, and as gnuplot_draw(). */
void group_plot_draw(const struct group_plot *plot, const struct group_results *results, const char *where);

/* Values of one thing in which builds differ, each shown by one build that has it. */
struct group_values {
  const tutti_group_run **builds; /* owned */
  int count;
};

/* What was built, sorted by what a picture of it shows: panels, curves (one a builder), places on the horizontal
   axis. */
struct group_chart {
  const struct group_plot *plot;
  const struct group_results *results;
  struct group_values places, panels, curves; /* each of at least one */
  double min, max;                            /* of the values above 0; min > max if there is none */
};

/* Sort. The caller frees. */
void group_chart_create(const struct group_plot *plot, const struct group_results *results, struct group_chart *chart);
void group_chart_free(struct group_chart *chart);

/* The value to be drawn: microseconds, messages, bytes or a ratio; NAN: it was not built, or was divided by 0. */
double group_chart_value(const struct group_chart *chart, int panel, int curve, int place);

/* Where it is drawn on the horizontal axis: the number of processes, or which of the fractions, from 0 on. */
double group_chart_position(const struct group_chart *chart, int place);

/* @{ The axes in the words of plots/curves.gp: labels, ranges and scales. */
#define GROUP_AXIS_LENGTH PLOT_AXIS_LENGTH
void group_axis_places(const struct group_chart *chart, char axis[GROUP_AXIS_LENGTH]);
void group_axis_values(const struct group_chart *chart, char axis[GROUP_AXIS_LENGTH]);
/* @} */

#endif
