/* The pictures of a report as files. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <sys/stat.h>

#include "cli/map/map_report.h"
#include "cli/plot/plot.h"
#include "cli/report/pivot.h"

/* ---- a chart, drawn by plots/curves.gp ---- */

struct report_chart {
  const struct pivot *pivot;
  int table;
  struct pivot_grid grid; /* of the table; pivot_has_chart() */
};

enum { TITLE_LENGTH = 512, MAX_LABELS = 10 };

static void write_data(FILE *data, const void *context)
{
  const struct pivot_grid *grid = &((const struct report_chart *)context)->grid;
  for (int c = 0; c < grid->column_count; c++) {
    for (int r = 0; r < grid->row_count; r++) {
      double value = grid->values[r * grid->column_count + c];
      fprintf(data, "%.17g ", grid->positions[r]);
      fprintf(data, value > 0 ? "%.17g\n" : "NaN\n", value);
    }
    fprintf(data, "\n\n");
  }
}

static void describe_places(const struct report_chart *chart, char axis[PLOT_AXIS_LENGTH])
{
  const struct pivot_grid *grid = &chart->grid;
  char tics[PLOT_TICS_LENGTH];
  const char **labels = tutti_xcalloc((size_t)grid->row_count, sizeof *labels);
  for (int r = 0; r < grid->row_count; r++)
    labels[r] = chart->pivot->rows.items[grid->rows[r]];
  plot_tics_points(labels, grid->positions, grid->row_count, true, MAX_LABELS, tics);
  free(labels);
  char *label = plot_quoted(chart->pivot->row);
  snprintf(axis, PLOT_AXIS_LENGTH, "x_label = %s; set logscale x; set xrange [%.17g:%.17g]; set xtics %s", label,
           grid->positions[0] / 1.25, grid->positions[grid->row_count - 1] * 1.25, tics);
  free(label);
}

static void describe_values(const struct report_chart *chart, char axis[PLOT_AXIS_LENGTH])
{
  const struct pivot_grid *grid = &chart->grid;
  char tics[PLOT_TICS_LENGTH];
  double min = INFINITY, max = 0;
  for (int i = 0; i < grid->row_count * grid->column_count; i++)
    if (grid->values[i] > 0) {
      min = fmin(min, grid->values[i] / 1.25);
      max = fmax(max, grid->values[i] * 1.25);
    }
  plot_tics_decades(min, max, tics);
  const char *unit = chart->pivot->unit;
  char *text = tutti_xprintf("%s%s%s%s", chart->pivot->quantity, *unit ? " [" : "", unit, *unit ? "]" : "");
  char *label = plot_quoted(text);
  snprintf(axis, PLOT_AXIS_LENGTH, "y_label = %s; set logscale y; set yrange [%.17g:%.17g]; set ytics %s", label, min,
           max, tics);
  free(label);
  free(text);
}

/* "NAME" STYLE ... */
static char *list_curves(const struct report_chart *chart)
{
  struct tutti_text_stream list;
  tutti_xopen_text(&list);
  for (int c = 0; c < chart->grid.column_count; c++) {
    const char *name = chart->pivot->columns.items[chart->grid.columns[c]];
    fputc('"', list.stream);
    for (; *name; name++)
      fputc(*name == '"' ? '\'' : *name, list.stream);
    fprintf(list.stream, "\" %d ", c);
  }
  return tutti_xclose_text(&list);
}

static void draw_chart(const void *what, const char *path)
{
  const struct report_chart *chart = what;
  char title[TITLE_LENGTH], x[PLOT_AXIS_LENGTH], y[PLOT_AXIS_LENGTH], *curves = list_curves(chart);
  snprintf(title, sizeof title, "%s, %s", chart->pivot->quantity, chart->pivot->tables.items[chart->table]);
  describe_places(chart, x);
  describe_values(chart, y);
  const char *const arguments[] = {title, x, y, "\"\"", curves, NULL};
  const struct plot_request request = {"curves.gp", arguments, write_data, chart};
  gnuplot_draw(&request, path);
  free(curves);
}

/* ---- pictures ---- */

enum { PATH_LENGTH = 1024 };

/* Draws one picture to a path. */
typedef void draw_picture(const void *what, const char *path);

static void draw_both(draw_picture *draw, const void *what, const char *directory, const char *name)
{
  static const char *const formats[] = {"svg", "pdf"};
  for (int i = 0; i < 2; i++) {
    char *path = tutti_xprintf("%s/%s.%s", directory, name, formats[i]);
    draw(what, path);
    free(path);
  }
}

/* ---- maps ---- */

struct map_picture {
  struct map_report report;
  const double *percents; /* NULL: who is best, or picked */
};

static void draw_map(const void *what, const char *path)
{
  const struct map_picture *picture = what;
  if (picture->percents)
    plot_map_loss(&picture->report, picture->percents, path);
  else
    plot_map(&picture->report, path);
}

/* A name of a decision as part of the name of a file. */
static void make_slug(const char *name, char slug[TUTTI_METHOD_LENGTH])
{
  size_t length = 0;
  for (; *name && length < TUTTI_METHOD_LENGTH - 1; name++)
    slug[length++] = isalnum((unsigned char)*name) || strchr(".-_", *name) ? *name : '-';
  slug[length] = '\0';
}

static void draw_measured(const struct measured_map *measured, const struct report_layer *layer, const double *percents,
                          const char *directory, const char *name)
{
  struct map_picture picture = {.report = map_report_create(measured), .percents = percents};
  picture.report.decision = layer ? layer->name : NULL;
  draw_both(draw_map, &picture, directory, name);
  map_report_free(&picture.report);
}

/* The picks of a layer as a map, whose methods are the shown ones. */
static void draw_layer(const struct measured_map *measured, const struct report_map *map,
                       const struct report_layer *layer, const char *directory, const char *name)
{
  struct measured_map picked = *measured;
  char slug[TUTTI_METHOD_LENGTH], file[PATH_LENGTH];
  picked.map.best = layer->picks;
  picked.map.methods = map->shown;
  picked.map.method_count = map->shown_count;
  make_slug(layer->name, slug);
  snprintf(file, sizeof file, "%s-%s-picks", name, slug);
  draw_measured(&picked, layer, NULL, directory, file);
  snprintf(file, sizeof file, "%s-%s-loss", name, slug);
  draw_measured(&picked, layer, layer->percents, directory, file);
}

static void draw_map_and_layers(const struct report *report, int index, const char *directory)
{
  const struct report_map *map = &report->maps[index];
  const struct measured_map measured = report_measured(report, map);
  char name[32];
  snprintf(name, sizeof name, "map-%d", index + 1);
  draw_measured(&measured, NULL, NULL, directory, name);
  for (int i = 0; i < map->layer_count; i++)
    draw_layer(&measured, map, &map->layers[i], directory, name);
}

/* ---- charts ---- */

struct charts {
  const char *directory;
  int number; /* of the next one */
};

static void draw_pivot(const struct pivot *pivot, void *context)
{
  struct charts *charts = context;
  for (int table = 0; table < pivot->tables.count; table++) {
    struct report_chart chart = {.pivot = pivot, .table = table};
    char name[64];
    pivot_grid_create(pivot, table, &chart.grid);
    if (pivot_has_chart(&chart.grid)) {
      snprintf(name, sizeof name, "%s-%d", pivot->slug, ++charts->number);
      draw_both(draw_chart, &chart, charts->directory, name);
    }
    pivot_grid_free(&chart.grid);
  }
}

static void draw_charts(const struct report *report, const char *directory)
{
  struct charts charts = {.directory = directory};
  for (int i = 0; i < report->contents.entry_count; i++)
    report_pivots(report, &report->contents.entries[i], draw_pivot, &charts);
}

void plot_report(const struct report *report, const char *directory)
{
  if (mkdir(directory, 0777) != 0 && errno != EEXIST)
    die("%s: %s", directory, strerror(errno));
  for (int i = 0; i < report->map_count; i++)
    if (!tutti_decision_map_only_native(&report->maps[i].map))
      draw_map_and_layers(report, i, directory);
  draw_charts(report, directory);
}
