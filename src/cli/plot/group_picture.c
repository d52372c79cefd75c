/* tutti group: a chart in the words of plots/groups.gp. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cli/output/progress.h"
#include "cli/plot/group_chart.h"
#include "cli/plot/plot_gnuplot.h"

enum { TITLE_LENGTH = 512, LABEL_LENGTH = TUTTI_GROUP_SAMPLE_LENGTH + 32 };

/* ---- data: a block for each curve of each panel: position, value ---- */

static void write_data(FILE *data, const void *context)
{
  const struct group_chart *chart = context;
  for (int panel = 0; panel < chart->panels.count; panel++)
    for (int curve = 0; curve < chart->curves.count; curve++) {
      for (int place = 0; place < chart->places.count; place++) {
        double value = group_chart_value(chart, panel, curve, place);
        fprintf(data, "%.17g ", group_chart_position(chart, place));
        fprintf(data, isnan(value) ? "NaN\n" : "%.17g\n", value);
      }
      fprintf(data, "\n\n");
    }
}

/* ---- titles ---- */

static char *name_panel(const struct group_chart *chart, int panel, char text[LABEL_LENGTH])
{
  const tutti_group_run *build = chart->panels.builds[panel];
  if (chart->plot->x == GROUP_PLOT_RANKS)
    return tutti_group_sample_format(&build->point.sample, text);
  return progress_format_things((size_t)build->point.sample.size, "process", "processes", text);
}

/* What all builds have in common. */
static void make_title(const struct group_chart *chart, const char *where, char title[TITLE_LENGTH])
{
  const tutti_group_point *point = &chart->results->builds[0].point;
  char panel[LABEL_LENGTH], nodes[32] = "", colors[32] = "";
  if (point->node_ranks > 1)
    snprintf(nodes, sizeof nodes, ", nodes of %d", point->node_ranks);
  if (point->sample.colors > 1)
    snprintf(colors, sizeof colors, ", %d groups", point->sample.colors);
  name_panel(chart, 0, panel);
  bool single = chart->panels.count == 1;
  snprintf(title, TITLE_LENGTH, "%.300s: %s%sbranching factor %d, seed %" PRIu64 "%s%s", where, single ? panel : "",
           single ? ", " : "", point->branching, point->sample.seed, nodes, colors);
}

/* ---- lists of words ---- */

static int builder_index(const tutti_group_builder *builder)
{
  int index = 0;
  while (tutti_group_builder_at(index) && tutti_group_builder_at(index) != builder)
    index++;
  return index;
}

static void write_panels(const struct group_chart *chart, FILE *list)
{
  char text[LABEL_LENGTH];
  for (int i = 0; i < chart->panels.count; i++)
    fprintf(list, "\"%s\" ", name_panel(chart, i, text));
}

/* Each with its place in the catalogue, so that a builder looks the same in every picture. */
static void write_curves(const struct group_chart *chart, FILE *list)
{
  for (int i = 0; i < chart->curves.count; i++) {
    const tutti_group_builder *builder = chart->curves.builds[i]->point.builder;
    fprintf(list, "%s %d ", tutti_group_builder_name(builder), builder_index(builder));
  }
}

/* NULL: out of memory. */
static char *make_list(const struct group_chart *chart, void (*write)(const struct group_chart *, FILE *))
{
  char *text = NULL;
  size_t length;
  FILE *list = open_memstream(&text, &length);
  if (!list)
    return NULL;
  write(chart, list);
  if (fclose(list) == 0)
    return text;
  free(text);
  return NULL;
}

/* ---- the picture ---- */

static tutti_status draw_with(const struct group_chart *chart, const char *panels, const char *curves,
                              const char *where, tutti_error *error)
{
  char title[TITLE_LENGTH], x[GROUP_AXIS_LENGTH], y[GROUP_AXIS_LENGTH];
  make_title(chart, where, title);
  group_axis_places(chart, x);
  group_axis_values(chart, y);
  const char *const arguments[] = {title, x, y, panels, curves, NULL};
  const struct plot_request request = {"groups.gp", arguments, write_data, chart};
  return gnuplot_draw(&request, chart->plot->path, error);
}

static tutti_status sample(const struct group_chart *chart, const char *where, tutti_error *error)
{
  if (chart->least > chart->most)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--plot: there is nothing above 0 to draw");
  char *panels = make_list(chart, write_panels), *curves = make_list(chart, write_curves);
  tutti_status status;
  if (panels && curves)
    status = draw_with(chart, panels, curves, where, error);
  else
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the picture %s", chart->plot->path);
  free(panels);
  free(curves);
  return status;
}

tutti_status group_plot_draw(const struct group_plot *plot, const struct group_results *results, const char *where,
                             tutti_error *error)
{
  struct group_chart chart;
  tutti_status status = group_chart_create(plot, results, &chart, error);
  if (status != TUTTI_OK)
    return status;
  status = sample(&chart, where, error);
  group_chart_free(&chart);
  return status;
}
