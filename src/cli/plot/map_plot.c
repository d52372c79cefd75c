/* Decision maps as pictures: the best method of each point, or the penalty of a decision there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/map/map_report.h"
#include "cli/plot/plot.h"
#include "report/marks.h"

/* ---- cells: a color and an entry of the legend for each class ---- */

struct cell_class {
  char text[TUTTI_METHOD_LENGTH + 16]; /* in the legend */
  unsigned color;                      /* 0xRRGGBB */
};

struct cells {
  const tutti_decision_map *map; /* its axes */
  const char *title;
  const int *classes; /* [ranks_count][size_count] index into kinds */
  int kind_count;
  const struct cell_class *kinds; /* those that no cell has are left out */
};

struct picture {
  const struct cells *cells;
  bool *drawn; /* [kind_count] */
  struct plot_axis sizes, ranks;
};

static int class_at(const struct picture *picture, int row, int column)
{
  return picture->cells->classes[(size_t)row * (size_t)picture->sizes.count + (size_t)column];
}

/* The cells of a row that are of a class, neighbors joined: x0 x1 y0 y1 class. */
static void write_row(FILE *data, const struct picture *picture, int row, int kind)
{
  int count = picture->sizes.count;
  for (int first = 0, end; first < count; first = end) {
    end = first + 1;
    if (class_at(picture, row, first) != kind)
      continue;
    while (end < count && class_at(picture, row, end) == kind)
      end++;
    fprintf(data, "%.17g %.17g %.17g %.17g %d\n", picture->sizes.edges[first], picture->sizes.edges[end],
            picture->ranks.edges[row], picture->ranks.edges[row + 1], kind);
  }
}

/* One block of rectangles a class, below its entry of the legend. */
static void write_data(FILE *data, const void *context)
{
  const struct picture *picture = context;
  for (int kind = 0; kind < picture->cells->kind_count; kind++) {
    if (!picture->drawn[kind])
      continue;
    fprintf(data, "\"%s\"\n", picture->cells->kinds[kind].text);
    for (int row = 0; row < picture->ranks.count; row++)
      write_row(data, picture, row, kind);
    fprintf(data, "\n\n");
  }
}

/* The colors of the blocks, separated by blanks. */
static char *list_colors(const struct picture *picture)
{
  struct tutti_text_stream colors;
  tutti_xopen_text(&colors);
  for (int kind = 0; kind < picture->cells->kind_count; kind++)
    if (picture->drawn[kind])
      fprintf(colors.stream, "0x%06X ", picture->cells->kinds[kind].color);
  return tutti_xclose_text(&colors);
}

static tutti_status draw(const struct picture *picture, const char *path, tutti_error *error)
{
  char sizes[PLOT_TICS_LENGTH], ranks[PLOT_TICS_LENGTH], *colors = list_colors(picture);
  plot_tics_sizes(picture->cells->map, &picture->sizes, sizes);
  plot_tics_ranks(picture->cells->map, &picture->ranks, ranks);
  const char *scale = picture->ranks.logarithmic ? "logarithmic" : "linear";
  const char *const arguments[] = {picture->cells->title, colors, sizes, ranks, scale, NULL};
  const struct plot_request request = {"decision_map.gp", arguments, write_data, picture};
  tutti_status status = gnuplot_draw(&request, path, error);
  free(colors);
  return status;
}

static tutti_status plot_cells(const struct cells *cells, const char *path, tutti_error *error)
{
  struct picture picture = {.cells = cells, .drawn = tutti_xcalloc((size_t)cells->kind_count, sizeof *picture.drawn)};
  for (int i = 0; i < cells->map->ranks_count * cells->map->size_count; i++)
    picture.drawn[cells->classes[i]] = true;
  plot_axis_sizes(cells->map, &picture.sizes);
  plot_axis_ranks(cells->map, &picture.ranks);
  tutti_status status = draw(&picture, path, error);
  free(picture.drawn);
  plot_axis_free(&picture.ranks);
  plot_axis_free(&picture.sizes);
  return status;
}

enum { UNMEASURED = 0xEEEEEE };

/* ---- best methods ---- */

static void name_method(const struct map_report *report, int method, struct cell_class *kind)
{
  const tutti_decision_map *map = &report->measured->map;
  char text[TUTTI_METHOD_LENGTH];
  size_t collective = strlen(tutti_collective_name(map->collective)) + 1; /* the title names it */
  snprintf(kind->text, sizeof kind->text, "%s  %.1f %%", tutti_method_format(&map->methods[method], text) + collective,
           map_report_share(report, method));
  kind->color = tutti_report_color(map, method);
}

/* Class 0 is what was not measured, class m + 1 method m. */
tutti_status plot_map(const struct map_report *report, const char *path, tutti_error *error)
{
  const tutti_decision_map *map = &report->measured->map;
  char title[512];
  int points = map->ranks_count * map->size_count, *classes = tutti_xcalloc((size_t)points, sizeof *classes);
  struct cell_class *kinds = tutti_xcalloc((size_t)map->method_count + 1, sizeof *kinds);
  kinds[0] = (struct cell_class){"not measured", UNMEASURED};
  for (int m = 0; m < map->method_count; m++)
    name_method(report, m, &kinds[m + 1]);
  for (int i = 0; i < points; i++)
    classes[i] = map->best[i] + 1;
  snprintf(title, sizeof title, "%s%s %s on %s (%s %s)", report->decision ? report->decision : "Best",
           report->decision ? ":" : "", tutti_collective_name(map->collective), report->measured->platform,
           report->measured->basis, report->measured->basis_name);
  const struct cells cells = {map, title, classes, map->method_count + 1, kinds};
  tutti_status status = plot_cells(&cells, path, error);
  free(classes);
  free(kinds);
  return status;
}

/* ---- penalties: figure 6.8 ---- */

static const struct cell_class losses[] = {
    {"below 5 %", 0xFFFFFF},  {"5 to 10 %", 0xFFF3B0},     {"10 to 25 %", 0xFFD23F},
    {"25 to 50 %", 0xF28C28}, {"50 % and more", 0xC1121F}, {"not measured", UNMEASURED},
};

enum { LOSSES = sizeof losses / sizeof *losses };

static int class_of(double percent)
{
  static const double bounds[] = {5, 10, 25, 50};
  int kind = 0;
  while (kind < 4 && percent >= bounds[kind])
    kind++;
  return isnan(percent) ? LOSSES - 1 : kind;
}

tutti_status plot_map_loss(const struct map_report *report, const double *percents, const char *path,
                           tutti_error *error)
{
  const tutti_decision_map *map = &report->measured->map;
  char title[512];
  int points = map->ranks_count * map->size_count, *classes = tutti_xcalloc((size_t)points, sizeof *classes);
  for (int i = 0; i < points; i++)
    classes[i] = class_of(percents[i]);
  snprintf(title, sizeof title, "Penalty of %s, %s on %s (%s %s)", report->decision,
           tutti_collective_name(map->collective), report->measured->platform, report->measured->basis,
           report->measured->basis_name);
  const struct cells cells = {map, title, classes, LOSSES, losses};
  tutti_status status = plot_cells(&cells, path, error);
  free(classes);
  return status;
}
