#include "cli/plot/group_chart.h"

#include <math.h>
#include <stdlib.h>

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
static tutti_status collect(const struct group_results *results, same_value *same, struct group_values *values,
                            tutti_error *error)
{
  values->builds = calloc(results->count, sizeof *values->builds);
  if (!values->builds)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a picture of %zu groups", results->count);
  for (size_t i = 0; i < results->count; i++)
    if (!has(values, &results->builds[i], same))
      values->builds[values->count++] = &results->builds[i];
  return TUTTI_OK;
}

/* ---- values ---- */

static int compare(const void *left, const void *right)
{
  return tutti_group_point_compare(&((const tutti_group_run *)left)->point, &((const tutti_group_run *)right)->point);
}

static const tutti_group_run *find(const struct group_chart *chart, int panel, int place,
                                   const tutti_group_builder *builder)
{
  bool by_ranks = chart->plot->x == GROUP_PLOT_RANKS;
  const tutti_group_run *at_panel = chart->panels.builds[panel], *at_place = chart->places.builds[place];
  tutti_group_run wanted = by_ranks ? *at_panel : *at_place;
  wanted.point.sample.size = (by_ranks ? at_place : at_panel)->point.sample.size;
  wanted.point.builder = builder;
  return bsearch(&wanted, chart->results->builds, chart->results->count, sizeof wanted, compare);
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
  const tutti_group_run *build = find(chart, panel, place, chart->curves.builds[curve]->point.builder);
  if (!build)
    return NAN;
  if (!plot->relative)
    return measure(plot->y, build);
  const tutti_group_run *reference = find(chart, panel, place, plot->relative);
  double divisor = reference ? measure(plot->y, reference) : NAN;
  return divisor > 0 ? measure(plot->y, build) / divisor : NAN;
}

double group_chart_position(const struct group_chart *chart, int place)
{
  return chart->plot->x == GROUP_PLOT_RANKS ? chart->places.builds[place]->point.sample.size : place;
}

static void find_range(struct group_chart *chart)
{
  chart->least = INFINITY;
  chart->most = 0;
  for (int panel = 0; panel < chart->panels.count; panel++)
    for (int curve = 0; curve < chart->curves.count; curve++)
      for (int place = 0; place < chart->places.count; place++) {
        double value = group_chart_value(chart, panel, curve, place);
        if (value > 0) {
          chart->least = fmin(chart->least, value);
          chart->most = fmax(chart->most, value);
        }
      }
}

/* ---- made and freed ---- */

tutti_status group_chart_create(const struct group_plot *plot, const struct group_results *results,
                                struct group_chart *chart, tutti_error *error)
{
  bool by_ranks = plot->x == GROUP_PLOT_RANKS;
  *chart = (struct group_chart){.plot = plot, .results = results};
  tutti_status status = collect(results, by_ranks ? same_ranks : same_sample, &chart->places, error);
  if (status == TUTTI_OK)
    status = collect(results, by_ranks ? same_sample : same_ranks, &chart->panels, error);
  if (status == TUTTI_OK)
    status = collect(results, same_builder, &chart->curves, error);
  if (status == TUTTI_OK)
    find_range(chart);
  else
    group_chart_free(chart);
  return status;
}

void group_chart_free(struct group_chart *chart)
{
  free(chart->places.builds);
  free(chart->panels.builds);
  free(chart->curves.builds);
}
