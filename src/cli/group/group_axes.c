/* Axes of a picture of groups, in gnuplot's words: what is written beside them, ranges and scales. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/plot/group_chart.h"
#include "cli/plot/axes.h"

static int most_labels(const struct group_chart *chart)
{
  return chart->panels.count > 1 ? 6 : 12; /* panels are half as wide */
}

static void label_fractions(const struct group_chart *chart, char axis[GROUP_AXIS_LENGTH])
{
  char tics[PLOT_TICS_LENGTH] = "", text[TUTTI_GROUP_SAMPLE_LENGTH];
  int count = chart->places.count, step = 1 + (count - 1) / most_labels(chart);
  for (int i = 0; i < count; i += step)
    plot_tics_append(tics, strchr(tutti_group_sample_format(&chart->places.builds[i]->point.sample, text), '=') + 1, i);
  plot_tics_close(tics);
  snprintf(axis, GROUP_AXIS_LENGTH, "x_label = '%s'; set xrange [-0.4:%.1f]; set xtics %s",
           chart->places.builds[0]->point.sample.members >= 0 ? "Members" : "Fraction of processes in the group",
           count - 0.6, tics);
}

/* Those labels that are far enough from each other. */
static void label_ranks(const struct group_chart *chart, char axis[GROUP_AXIS_LENGTH])
{
  char tics[PLOT_TICS_LENGTH] = "", text[24];
  int last = chart->places.count - 1;
  double first_rank = group_chart_position(chart, 0), last_rank = group_chart_position(chart, last), labelled = 0;
  double apart = log2(last_rank / first_rank) / most_labels(chart);
  for (int i = 0; i <= last; i++) {
    double ranks = group_chart_position(chart, i);
    if (i > 0 && log2(ranks / labelled) < apart)
      continue;
    snprintf(text, sizeof text, "%.0f", ranks);
    plot_tics_append(tics, text, ranks);
    labelled = ranks;
  }
  plot_tics_close(tics);
  snprintf(axis, GROUP_AXIS_LENGTH, "x_label = 'Processes'; set logscale x 2; set xrange [%.17g:%.17g]; set xtics %s",
           first_rank / 1.25, last_rank * 1.25, tics);
}

void group_axis_places(const struct group_chart *chart, char axis[GROUP_AXIS_LENGTH])
{
  (chart->plot->x == GROUP_PLOT_RANKS ? label_ranks : label_fractions)(chart, axis);
}

static const char *name_y(enum group_plot_y y, bool relative)
{
  switch (y) {
  case GROUP_PLOT_TIME:
    return relative ? "Time" : "Time [us]";
  case GROUP_PLOT_MESSAGES:
    return "Messages";
  case GROUP_PLOT_MEMORY:
    return "Largest memory of a process";
  default:
    return "Largest message";
  }
}

/* From 0 on, or logarithmic if the values differ much. So are bytes, as they grow like m, like log n or not at all,
   which only such an axis shows, from one power of two to another. */
static void scale_values(const struct group_chart *chart, bool bytes, char *axis, size_t room)
{
  char tics[PLOT_TICS_LENGTH];
  double least = chart->least / 1.25, most = chart->most * 1.25;
  if (!bytes && chart->most < 20 * chart->least) {
    snprintf(axis, room, "set yrange [0:%.17g]; set format y '%%.10g'", chart->most * 1.08);
    return;
  }
  if (bytes) {
    least = exp2(floor(log2(least)));
    most = exp2(ceil(log2(most)));
    plot_tics_bytes(least, most, tics);
  } else
    plot_tics_decades(least, most, tics);
  snprintf(axis, room, "set logscale y; set yrange [%.17g:%.17g]; set ytics %s", least, most, tics);
}

void group_axis_values(const struct group_chart *chart, char axis[GROUP_AXIS_LENGTH])
{
  const struct group_plot *plot = chart->plot;
  bool bytes = !plot->relative && (plot->y == GROUP_PLOT_MEMORY || plot->y == GROUP_PLOT_MESSAGE);
  int used =
      snprintf(axis, GROUP_AXIS_LENGTH, "y_label = '%s%s%s'; ", name_y(plot->y, plot->relative),
               plot->relative ? ", relative to " : "", plot->relative ? tutti_group_builder_name(plot->relative) : "");
  scale_values(chart, bytes, axis + used, GROUP_AXIS_LENGTH - (size_t)used);
}
