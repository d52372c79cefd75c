/* The chart of groups: panels, curves, places and axes. */
#include <math.h>

#include "cli/group/group.h"

/* ---- in what builds differ ---- */

typedef bool same_value(const tutti_group_run *left, const tutti_group_run *right);

static bool same_ranks(const tutti_group_run *left, const tutti_group_run *right)
{
  return left->point.sample.size == right->point.sample.size;
}

static bool same_builder(const tutti_group_run *left, const tutti_group_run *right)
{
  return left->point.builder == right->point.builder;
}

static bool same_sample(const tutti_group_run *left, const tutti_group_run *right)
{
  tutti_group_point point = right->point;
  point.builder = left->point.builder;
  point.sample.size = left->point.sample.size;
  return tutti_group_point_compare(&left->point, &point) == 0;
}

static bool has(const struct group_values *values, const tutti_group_run *build, same_value *same)
{
  for (int i = 0; i < values->count; i++)
    if (same(values->builds[i], build))
      return true;
  return false;
}

/* In the order of the builds, which is ascending. */
static struct group_values collect(const struct group_results *results, same_value *same)
{
  struct group_values values = {.builds = tutti_xcalloc(results->count, sizeof *values.builds)};
  for (size_t i = 0; i < results->count; i++)
    if (!has(&values, &results->builds[i], same))
      values.builds[values.count++] = &results->builds[i];
  return values;
}

/* ---- values ---- */

static const tutti_group_run *find_build(const struct group_chart *chart, int panel, int place,
                                         const tutti_group_builder *builder)
{
  bool by_ranks = chart->plot->x == GROUP_PLOT_RANKS;
  const tutti_group_run *at_panel = chart->panels.builds[panel], *at_place = chart->places.builds[place];
  tutti_group_run wanted = by_ranks ? *at_panel : *at_place;
  wanted.point.sample.size = (by_ranks ? at_place : at_panel)->point.sample.size;
  wanted.point.builder = builder;
  return bsearch(&wanted, chart->results->builds, chart->results->count, sizeof wanted, group_compare);
}

static double measure(enum group_plot_y y, const tutti_group_run *build)
{
  switch (y) {
  case GROUP_PLOT_TIME:
    return build->repetitions > 0 ? build->median * 1e6 : NAN;
  case GROUP_PLOT_MESSAGES:
    return (double)tutti_group_counted_messages(&build->counts);
  case GROUP_PLOT_MEMORY:
    return (double)build->counts.maxima[TUTTI_GROUP_MEMORY];
  case GROUP_PLOT_MESSAGE:
    return (double)build->counts.maxima[TUTTI_GROUP_LARGEST];
  default:
    return NAN;
  }
}

double group_chart_value(const struct group_chart *chart, int panel, int curve, int place)
{
  const struct group_plot *plot = chart->plot;
  const tutti_group_run *build = find_build(chart, panel, place, chart->curves.builds[curve]->point.builder);
  if (!build)
    return NAN;
  if (!plot->relative)
    return measure(plot->y, build);
  const tutti_group_run *reference = find_build(chart, panel, place, plot->relative);
  double divisor = reference ? measure(plot->y, reference) : NAN;
  return divisor > 0 ? measure(plot->y, build) / divisor : NAN;
}

double group_chart_position(const struct group_chart *chart, int place)
{
  return chart->plot->x == GROUP_PLOT_RANKS ? chart->places.builds[place]->point.sample.size : place;
}

static void find_range(struct group_chart *chart)
{
  chart->min = INFINITY;
  chart->max = 0;
  for (int panel = 0; panel < chart->panels.count; panel++)
    for (int curve = 0; curve < chart->curves.count; curve++)
      for (int place = 0; place < chart->places.count; place++) {
        double value = group_chart_value(chart, panel, curve, place);
        if (value > 0) {
          chart->min = fmin(chart->min, value);
          chart->max = fmax(chart->max, value);
        }
      }
}

/* ---- made and freed ---- */

void group_chart_create(const struct group_plot *plot, const struct group_results *results, struct group_chart *chart)
{
  bool by_ranks = plot->x == GROUP_PLOT_RANKS;
  *chart = (struct group_chart){.plot = plot,
                                .results = results,
                                .places = collect(results, by_ranks ? same_ranks : same_sample),
                                .panels = collect(results, by_ranks ? same_sample : same_ranks),
                                .curves = collect(results, same_builder)};
  find_range(chart);
}

void group_chart_free(struct group_chart *chart)
{
  free(chart->places.builds);
  free(chart->panels.builds);
  free(chart->curves.builds);
}

/* ---- axes, in the words of plots/curves.gp ---- */

static int max_labels(const struct group_chart *chart)
{
  return chart->panels.count > 1 ? 6 : 12; /* panels are half as wide */
}

static void label_fractions(const struct group_chart *chart, char axis[GROUP_AXIS_LENGTH])
{
  char tics[PLOT_TICS_LENGTH] = "", text[TUTTI_GROUP_SAMPLE_LENGTH];
  int count = chart->places.count, step = 1 + (count - 1) / max_labels(chart);
  for (int i = 0; i < count; i += step)
    plot_tics_append(tics, strchr(tutti_group_sample_format(&chart->places.builds[i]->point.sample, text), '=') + 1, i);
  plot_tics_close(tics);
  snprintf(axis, GROUP_AXIS_LENGTH, "x_label = '%s'; set xrange [-0.4:%.1f]; set xtics %s",
           chart->places.builds[0]->point.sample.members >= 0 ? "Members" : "Fraction of processes in the group",
           count - 0.6, tics);
}

static void label_ranks(const struct group_chart *chart, char axis[GROUP_AXIS_LENGTH])
{
  char tics[PLOT_TICS_LENGTH];
  const int count = chart->places.count;
  double *positions = tutti_xcalloc((size_t)count, sizeof *positions);
  char **labels = tutti_xcalloc((size_t)count, sizeof *labels);
  for (int i = 0; i < count; i++) {
    positions[i] = group_chart_position(chart, i);
    labels[i] = tutti_xprintf("%.0f", positions[i]);
  }
  plot_tics_points((const char *const *)labels, positions, count, true, max_labels(chart), tics);
  snprintf(axis, GROUP_AXIS_LENGTH, "x_label = 'Processes'; set logscale x 2; set xrange [%.17g:%.17g]; set xtics %s",
           positions[0] / 1.25, positions[count - 1] * 1.25, tics);
  for (int i = 0; i < count; i++)
    free(labels[i]);
  free(labels);
  free(positions);
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
    return relative ? "Largest memory of a process" : "Largest memory of a process [bytes]";
  default:
    return relative ? "Largest message" : "Largest message [bytes]";
  }
}

/* From 0 on, or logarithmic if the values differ much. So are bytes, as they grow like m, like log n or not at all,
   which only such an axis shows, from one power of two to another. */
static void scale_values(const struct group_chart *chart, bool bytes, char *axis, size_t room)
{
  char tics[PLOT_TICS_LENGTH];
  double min = chart->min / 1.25, max = chart->max * 1.25;
  if (!bytes && chart->max < 20 * chart->min) {
    snprintf(axis, room, "set yrange [0:%.17g]; set format y '%%.10g'", chart->max * 1.08);
    return;
  }
  if (bytes) {
    min = exp2(floor(log2(min)));
    max = exp2(ceil(log2(max)));
    plot_tics_bytes(min, max, tics);
  } else
    plot_tics_decades(min, max, tics);
  snprintf(axis, room, "set logscale y; set yrange [%.17g:%.17g]; set ytics %s", min, max, tics);
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
