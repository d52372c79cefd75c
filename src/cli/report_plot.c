/* A decision map as a picture: one block of rectangles a winner, headed by what the legend says of it. */
#include "cli/report_plot.h"

#include <stdlib.h>
#include <string.h>

#include "cli/plot_gnuplot.h"

enum { COLOUR_LENGTH = 9, UNMEASURED = 0xEEEEEE };

struct picture {
  const struct map_report *report;
  struct plot_axis sizes, ranks;
};

/* The cells of a row that a method won, neighbours joined: x0 x1 y0 y1 method. */
static void write_row(FILE *data, const struct picture *picture, int row, int method)
{
  int count = picture->sizes.count;
  for (int first = 0, end; first < count; first = end) {
    end = first + 1;
    if (map_report_best(picture->report, row, first) != method)
      continue;
    while (end < count && map_report_best(picture->report, row, end) == method)
      end++;
    fprintf(data, "%.17g %.17g %.17g %.17g %d\n", picture->sizes.edges[first], picture->sizes.edges[end],
            picture->ranks.edges[row], picture->ranks.edges[row + 1], method);
  }
}

static void write_block(FILE *data, const struct picture *picture, int method)
{
  const struct map_report *report = picture->report;
  const char *collective = tutti_collective_name(report->measured->map.collective);
  char text[TUTTI_METHOD_LENGTH];
  if (method < 0)
    fprintf(data, "\"not measured\"\n");
  else /* the title names the collective */
    fprintf(data, "\"%s  %.1f %%\"\n",
            tutti_method_format(&report->measured->map.methods[method], text) + strlen(collective) + 1,
            map_report_share(report, method));
  for (int row = 0; row < picture->ranks.count; row++)
    write_row(data, picture, row, method);
  fprintf(data, "\n\n");
}

static bool drawn(const struct map_report *report, int method)
{
  return method < 0 ? report->missing_points > 0 : report->points[method] > 0;
}

/* -1 stands for what was not measured. */
static void write_data(FILE *data, const void *context)
{
  const struct picture *picture = context;
  for (int method = -1; method < picture->report->measured->map.method_count; method++)
    if (drawn(picture->report, method))
      write_block(data, picture, method);
}

/* The colours of the blocks, apart by blanks. */
static tutti_status list_colours(const struct map_report *report, char **colours, tutti_error *error)
{
  const tutti_decision_map *map = &report->measured->map;
  *colours = malloc(((size_t)report->winner_count + 1) * COLOUR_LENGTH + 1);
  if (!*colours)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %d colours", report->winner_count);
  char *end = *colours;
  for (int method = -1; method < map->method_count; method++)
    if (drawn(report, method))
      end += sprintf(end, "0x%06X ", method < 0 ? UNMEASURED : plot_colour(map, method));
  return TUTTI_OK;
}

static tutti_status draw(const struct picture *picture, const char *colours, const char *path, tutti_error *error)
{
  const struct measured_map *measured = picture->report->measured;
  char title[256], sizes[PLOT_TICS_LENGTH], ranks[PLOT_TICS_LENGTH];
  snprintf(title, sizeof title, "Best %s on %s (%s %s)", tutti_collective_name(measured->map.collective),
           measured->platform, measured->basis, measured->basis_name);
  plot_tics_sizes(&measured->map, &picture->sizes, sizes);
  plot_tics_ranks(&measured->map, &picture->ranks, ranks);
  const char *scale = picture->ranks.logarithmic ? "logarithmic" : "linear";
  const char *const arguments[] = {title, colours, sizes, ranks, scale, NULL};
  struct plot_request request = {"decision_map.gp", arguments, write_data, picture};
  return gnuplot_draw(&request, path, error);
}

static tutti_status plot(const struct picture *picture, const char *path, tutti_error *error)
{
  char *colours;
  tutti_status status = list_colours(picture->report, &colours, error);
  if (status != TUTTI_OK)
    return status;
  status = draw(picture, colours, path, error);
  free(colours);
  return status;
}

tutti_status report_plot(const struct map_report *report, const char *path, tutti_error *error)
{
  struct picture picture = {.report = report};
  if (!plot_axis_sizes(&report->measured->map, &picture.sizes))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the picture %s", path);
  tutti_status status = TUTTI_ERR_MEMORY;
  if (plot_axis_ranks(&report->measured->map, &picture.ranks)) {
    status = plot(&picture, path, error);
    plot_axis_free(&picture.ranks);
  } else
    tutti_fail(error, status, "out of memory for the picture %s", path);
  plot_axis_free(&picture.sizes);
  return status;
}
