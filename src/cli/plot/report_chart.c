#include "cli/plot/report_chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot/plot_gnuplot.h"
#include "cli/plot/plot_tics.h"

enum { AXIS_LENGTH = PLOT_TICS_LENGTH + 256, TITLE_LENGTH = 512, MOST_LABELS = 10 };

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

/* Labels that are far enough from each other. */
static void describe_places(const struct report_chart *chart, char axis[AXIS_LENGTH])
{
  const struct pivot_grid *grid = &chart->grid;
  char tics[PLOT_TICS_LENGTH] = "";
  double first = grid->positions[0], last = grid->positions[grid->row_count - 1], labelled = 0;
  for (int r = 0; r < grid->row_count; r++) {
    double at = grid->positions[r];
    if (r > 0 && log(at / labelled) < log(last / first) / MOST_LABELS)
      continue;
    plot_tics_append(tics, chart->pivot->rows.items[grid->rows[r]], at);
    labelled = at;
  }
  plot_tics_close(tics);
  snprintf(axis, AXIS_LENGTH, "x_label = '%s'; set logscale x; set xrange [%.17g:%.17g]; set xtics %s",
           chart->pivot->row, first / 1.25, last * 1.25, tics);
}

static void describe_values(const struct report_chart *chart, char axis[AXIS_LENGTH])
{
  const struct pivot_grid *grid = &chart->grid;
  char tics[PLOT_TICS_LENGTH];
  double least = INFINITY, most = 0;
  for (int i = 0; i < grid->row_count * grid->column_count; i++)
    if (grid->values[i] > 0) {
      least = fmin(least, grid->values[i] / 1.25);
      most = fmax(most, grid->values[i] * 1.25);
    }
  plot_tics_decades(least, most, tics);
  snprintf(axis, AXIS_LENGTH, "y_label = '%s%s%s%s'; set logscale y; set yrange [%.17g:%.17g]; set ytics %s",
           chart->pivot->quantity, *chart->pivot->unit ? " [" : "", chart->pivot->unit, *chart->pivot->unit ? "]" : "",
           least, most, tics);
}

/* "NAME" STYLE ...; NULL: out of memory. */
static char *list_curves(const struct report_chart *chart)
{
  char *text = NULL;
  size_t length;
  FILE *list = open_memstream(&text, &length);
  if (!list)
    return NULL;
  for (int c = 0; c < chart->grid.column_count; c++) {
    const char *name = chart->pivot->columns.items[chart->grid.columns[c]];
    fputc('"', list);
    for (; *name; name++)
      fputc(*name == '"' ? '\'' : *name, list);
    fprintf(list, "\" %d ", c);
  }
  if (fclose(list) == 0)
    return text;
  free(text);
  return NULL;
}

tutti_status report_chart_draw(const struct report_chart *chart, const char *path, tutti_error *error)
{
  char title[TITLE_LENGTH], x[AXIS_LENGTH], y[AXIS_LENGTH], *curves = list_curves(chart);
  if (!curves)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the picture %s", path);
  snprintf(title, sizeof title, "%s, %s", chart->pivot->quantity, chart->pivot->tables.items[chart->table]);
  describe_places(chart, x);
  describe_values(chart, y);
  const char *const arguments[] = {title, x, y, "\"\"", curves, NULL};
  const struct plot_request request = {"groups.gp", arguments, write_data, chart};
  tutti_status status = gnuplot_draw(&request, path, error);
  free(curves);
  return status;
}
