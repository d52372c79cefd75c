/* tutti group: the picture: its options, whether it can be drawn, and the drawing by plots/curves.gp. */
#include <inttypes.h>
#include <math.h>

#include "cli/group/group.h"
#include "cli/output/output.h"

/* Words of the enumerations, whose first value is "not given". */
static const char *const x_words[] = {"", "fraction", "ranks", NULL};
static const char *const y_words[] = {"", "time", "messages", "memory", "message", NULL};

static void read_relative(void *member, const char *name)
{
  const tutti_group_builder *builder = tutti_group_builder_find(name, &failure);
  *(const tutti_group_builder **)member = builder;
  must(builder ? TUTTI_OK : TUTTI_ERR_ARGUMENT);
}

static void check_options(void *values)
{
  const struct group_plot *plot = values;
  gnuplot_check_title(plot->title, plot->path, "plot");
  if (!plot->path && (plot->x || plot->y || plot->relative))
    die("--%s: only with --plot", plot->x ? "x" : plot->y ? "y" : "relative");
}

const struct option_row group_plot_table[] = {
    OPTION_PARSE("plot", "FILE", struct group_plot, path, gnuplot_option,
                 "draw FILE.svg, FILE.png or FILE.pdf too: one curve a builder, and one panel for each value of what "
                 "is not on the horizontal axis (needs gnuplot)"),
    OPTION_TITLE(struct group_plot, title),
    OPTION_WORD("x", struct group_plot, x, x_words, "horizontal axis; fraction is also that of --members",
                .otherwise = "the one that has several values"),
    OPTION_WORD("y", struct group_plot, y, y_words,
                "vertical axis: time [us]; messages, as in the table; memory, the largest of any process [B]; or "
                "message, the largest one [B]",
                .argument = "QUANTITY", .otherwise = "with --platform time"),
    OPTION_PARSE("relative", "BUILDER", struct group_plot, relative, read_relative,
                 "divide by the values of this builder"),
    OPTION_CHECK(check_options),
    OPTION_END};

/* ---- the axes ---- */

static bool has_several_ranks(const tutti_group_sweep *sweep)
{
  for (int i = 1; i < sweep->ranks_count; i++)
    if (sweep->ranks[i] != sweep->ranks[0])
      return true;
  return false;
}

/* The points of a sweep differ in the builder and the sample only. */
static bool has_several_samples(const tutti_group_sweep *sweep)
{
  for (size_t i = 1; i < sweep->point_count; i++) {
    tutti_group_point point = sweep->points[i];
    point.builder = sweep->points[0].builder;
    if (tutti_group_point_compare(&point, &sweep->points[0]) != 0)
      return true;
  }
  return false;
}

static bool has_mixed_samples(const tutti_group_sweep *sweep)
{
  for (size_t i = 1; i < sweep->point_count; i++)
    if ((sweep->points[i].sample.members < 0) != (sweep->points[0].sample.members < 0))
      return true;
  return false;
}

static void choose_x(struct group_plot *plot, const tutti_group_sweep *sweep)
{
  bool ranks = has_several_ranks(sweep), samples = has_several_samples(sweep);
  if (plot->x == GROUP_PLOT_X_ANY && ranks && samples)
    die("--plot: --ranks and --fraction both have several values: choose by --x ranks or --x fraction");
  if (plot->x == GROUP_PLOT_X_ANY && !ranks && !samples)
    die("--plot: a curve needs several values of --ranks or of --fraction");
  if (plot->x == GROUP_PLOT_X_ANY)
    plot->x = ranks ? GROUP_PLOT_RANKS : GROUP_PLOT_FRACTION;
  if (plot->x == GROUP_PLOT_RANKS && !ranks)
    die("--x ranks: a curve needs several values of --ranks");
  if (plot->x == GROUP_PLOT_FRACTION && !samples)
    die("--x fraction: a curve needs several values of --fraction");
  if (plot->x == GROUP_PLOT_FRACTION && has_mixed_samples(sweep))
    die("--x fraction: --fraction and --members do not go on one axis");
}

static void choose_y(struct group_plot *plot, bool timed)
{
  if (plot->y == GROUP_PLOT_Y_ANY && !timed)
    die("--plot: choose by --y messages, --y memory or --y message");
  if (plot->y == GROUP_PLOT_TIME && !timed)
    die("--y time: there are no times within this process, only with --platform");
  if (plot->y == GROUP_PLOT_Y_ANY)
    plot->y = GROUP_PLOT_TIME;
}

/* ---- --relative ---- */

/* Why @p builder cannot build any of the groups that are asked of it; TUTTI_OK if it can. */
static void check_relative(const tutti_group_builder *builder, const tutti_group_sweep *sweep)
{
  tutti_error reason = {.status = TUTTI_OK};
  for (int r = 0; r < sweep->ranks_count; r++)
    for (size_t p = 0; p < sweep->point_count; p++) {
      tutti_group_point point = sweep->points[p];
      point.sample.size = sweep->ranks[r];
      if (point.builder == builder && tutti_group_point_check(&point, &reason) == TUTTI_OK)
        return;
    }
  if (reason.status != TUTTI_OK)
    die("--relative: %s", reason.message);
  die("--relative: %s is not among the builders", tutti_group_builder_name(builder));
}

void group_plot_check(struct group_plot *plot, const struct group_options *group)
{
  if (!plot->path)
    return;
  choose_x(plot, &group->sweep);
  choose_y(plot, group->platform != NULL);
  if (plot->relative)
    check_relative(plot->relative, &group->sweep);
}

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

static char *make_list(const struct group_chart *chart, void (*write)(const struct group_chart *, FILE *))
{
  struct tutti_text_stream list;
  tutti_xopen_text(&list);
  write(chart, list.stream);
  return tutti_xclose_text(&list);
}

/* ---- the picture ---- */

static void draw(const struct group_chart *chart, const char *where)
{
  char title[TITLE_LENGTH], x[GROUP_AXIS_LENGTH], y[GROUP_AXIS_LENGTH];
  if (chart->min > chart->max)
    die("--plot: there is nothing above 0 to draw");
  char *panels = make_list(chart, write_panels), *curves = make_list(chart, write_curves);
  make_title(chart, where, title);
  group_axis_places(chart, x);
  group_axis_values(chart, y);
  const char *const arguments[] = {chart->plot->title ? chart->plot->title : title, x, y, panels, curves, NULL};
  const struct plot_request request = {"curves.gp", arguments, write_data, chart};
  gnuplot_draw(&request, chart->plot->path);
  free(panels);
  free(curves);
}

void group_plot_draw(const struct group_plot *plot, const struct group_results *results, const char *where)
{
  struct group_chart chart;
  group_chart_create(plot, results, &chart);
  draw(&chart, where);
  group_chart_free(&chart);
}
