/* tutti group: a picture of what was built, one curve a builder. */
#ifndef TUTTI_CLI_GROUP_PLOT_H
#define TUTTI_CLI_GROUP_PLOT_H

#include "cli/group/group.h"
#include "cli/options/option.h"

enum group_plot_x { GROUP_PLOT_X_ANY, GROUP_PLOT_FRACTION, GROUP_PLOT_RANKS };
enum group_plot_y { GROUP_PLOT_Y_ANY, GROUP_PLOT_TIME, GROUP_PLOT_MESSAGES, GROUP_PLOT_MEMORY, GROUP_PLOT_MESSAGE };

/* What to draw. All zero: nothing. */
struct group_plot {
  const char *path; /* NULL: no picture */
  enum group_plot_x x;
  enum group_plot_y y;
  const tutti_group_builder *relative; /* values are divided by its; NULL: they are not */
};

/* Rows for a struct group_plot. */
extern const struct option_row group_plot_table[];

/* Can it be drawn of what @p options ask for, before anything is built? Chooses the axes left open.
   TUTTI_ERR_ARGUMENT: the message names the option at fault. */
tutti_status group_plot_check(struct group_plot *plot, const struct group_options *options, tutti_error *error);

/* Draw what was built, after group_plot_check(). TUTTI_ERR_MEMORY; TUTTI_ERR_ARGUMENT: there is no value above 0; and
   as gnuplot_draw(). */
tutti_status group_plot_draw(const struct group_plot *plot, const struct group_results *results, const char *where,
                             tutti_error *error);

#endif
