/* Decision maps as pictures: the best method of each point, or the penalty of a decision there. Where a point was
   measured are the letters of its method, or a dot if there is no room for them; both say whether others tie with it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/map/map_report.h"
#include "cli/plot/plot.h"
#include "cli/report/map_notes.h"

/* ---- cells: a color and an entry of the legend for each class ---- */

struct cell_class {
  char text[TUTTI_METHOD_LENGTH + 32]; /* in the legend */
  char letters[REPORT_LETTERS_LENGTH]; /* at the points; "": a dot */
  unsigned color;                      /* 0xRRGGBB */
};

struct cells {
  const tutti_decision_map *map; /* its axes */
  const char *title;
  const int *classes; /* [ranks_count][size_count] index into kinds */
  int kind_count;
  const struct cell_class *kinds; /* those that no cell has are left out */
  int unmeasured;                 /* one of them */
  const bool *tied;               /* [ranks_count][size_count] */
  const int *places;              /* likewise, written at the points in place of letters; NULL: there are none */
  const double *percents;         /* likewise, behind the places */
};

struct picture {
  const struct cells *cells;
  bool *drawn;               /* [kind_count] */
  struct plot_label *labels; /* [kind_count] */
  struct plot_axis sizes, ranks;
  bool percents; /* there is room for them */
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

enum { POINT_TEXT = 32 };

/* What is written at a point: its place and what is lost there, or the letters of its class. */
static const char *text_at(const struct picture *picture, int point, char text[POINT_TEXT])
{
  const struct cells *cells = picture->cells;
  if (!cells->places)
    return cells->kinds[cells->classes[point]].letters;
  if (picture->percents && cells->places[point] > 1)
    snprintf(text, POINT_TEXT, "%d +%.*f %%", cells->places[point], cells->percents[point] < 10,
             cells->percents[point]);
  else
    snprintf(text, POINT_TEXT, "%d", cells->places[point]);
  return text;
}

/* The measured points with ties, or those without: x y letters ink. */
static void write_points(FILE *data, const struct picture *picture, bool tied)
{
  size_t written = 0;
  char text[POINT_TEXT];
  for (int row = 0; row < picture->ranks.count; row++)
    for (int column = 0; column < picture->sizes.count; column++) {
      int kind = class_at(picture, row, column);
      if (kind == picture->cells->unmeasured || picture->cells->tied[row * picture->sizes.count + column] != tied)
        continue;
      const struct cell_class *cell = &picture->cells->kinds[kind];
      written++;
      fprintf(data, "%.17g %.17g \"%s%s\" %s\n", picture->sizes.positions[column], picture->ranks.positions[row],
              text_at(picture, row * picture->sizes.count + column, text), tied ? "=" : "",
              tutti_color_is_dark(cell->color) ? "0xFFFFFF" : "0x000000");
    }
  if (written > 0)
    fprintf(data, "\n\n");
}

static bool has_label(const struct picture *picture, int kind)
{
  return picture->drawn[kind] && *picture->cells->kinds[kind].letters && picture->labels[kind].fits;
}

/* Where there are dots: the letters of each class once. */
static void write_labels(FILE *data, const struct picture *picture)
{
  for (int kind = 0; kind < picture->cells->kind_count; kind++) {
    const struct cell_class *cell = &picture->cells->kinds[kind];
    if (has_label(picture, kind))
      fprintf(data, "%.17g %.17g \"%s\" %s\n", picture->labels[kind].x, picture->labels[kind].y, cell->letters,
              tutti_color_is_dark(cell->color) ? "0xFFFFFF" : "0x000000");
  }
}

/* One block of rectangles a class, below its entry of the legend; two blocks of points, one of labels. */
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
  write_points(data, picture, false);
  write_points(data, picture, true);
  write_labels(data, picture);
}

/* The least distance of two edges, in parts of the axis. */
static double narrowest(const struct plot_axis *axis)
{
  double least = INFINITY;
  for (int i = 0; i < axis->count; i++)
    least =
        fmin(least, axis->logarithmic ? log(axis->edges[i + 1] / axis->edges[i]) : axis->edges[i + 1] - axis->edges[i]);
  return least / (axis->logarithmic ? log(axis->edges[axis->count] / axis->edges[0])
                                    : axis->edges[axis->count] - axis->edges[0]);
}

/* Whether the letters, followed by "=", fit into every cell. */
static bool has_room(const struct picture *picture)
{
  enum { LETTER_WIDTH = 9, LETTER_HEIGHT = 14 };
  size_t longest = 0;
  char text[POINT_TEXT];
  for (int i = 0; i < picture->ranks.count * picture->sizes.count; i++)
    if (picture->cells->classes[i] != picture->cells->unmeasured && strlen(text_at(picture, i, text)) > longest)
      longest = strlen(text_at(picture, i, text));
  return longest > 0 && narrowest(&picture->sizes) * PLOT_WIDTH > (double)(longest + 1) * LETTER_WIDTH &&
         narrowest(&picture->ranks) * PLOT_HEIGHT > LETTER_HEIGHT;
}

/* How points are drawn, how many there are without and with ties, and how many labels: "letters 23 13 4". */
static void describe_points(const struct picture *picture, char text[64])
{
  int points[2] = {0}, labels = 0;
  for (int i = 0; i < picture->ranks.count * picture->sizes.count; i++)
    if (picture->cells->classes[i] != picture->cells->unmeasured)
      points[picture->cells->tied[i]]++;
  for (int kind = 0; kind < picture->cells->kind_count; kind++)
    labels += has_label(picture, kind);
  snprintf(text, 64, "%s %d %d %d", has_room(picture) ? "letters" : "dots", points[false], points[true], labels);
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
  char sizes[PLOT_TICS_LENGTH], ranks[PLOT_TICS_LENGTH], points[64], *colors = list_colors(picture);
  plot_tics_sizes(picture->cells->map, &picture->sizes, sizes);
  plot_tics_ranks(picture->cells->map, &picture->ranks, ranks);
  describe_points(picture, points);
  const char *scale = picture->ranks.logarithmic ? "logarithmic" : "linear";
  const char *const arguments[] = {picture->cells->title, colors, sizes, ranks, scale, points, NULL};
  const struct plot_request request = {"decision_map.gp", arguments, write_data, picture};
  tutti_status status = gnuplot_draw(&request, path, error);
  free(colors);
  return status;
}

static void place_labels(struct picture *picture)
{
  const struct cells *cells = picture->cells;
  picture->labels = tutti_xcalloc((size_t)cells->kind_count, sizeof *picture->labels);
  for (int kind = 0; kind < cells->kind_count; kind++)
    picture->labels[kind].letters = (int)strlen(cells->kinds[kind].letters);
  plot_labels_place(&picture->sizes, &picture->ranks, cells->classes, picture->labels, cells->kind_count);
}

static tutti_status plot_cells(const struct cells *cells, const char *path, tutti_error *error)
{
  struct picture picture = {.cells = cells, .drawn = tutti_xcalloc((size_t)cells->kind_count, sizeof *picture.drawn)};
  for (int i = 0; i < cells->map->ranks_count * cells->map->size_count; i++)
    picture.drawn[cells->classes[i]] = true;
  plot_axis_sizes(cells->map, &picture.sizes);
  plot_axis_ranks(cells->map, &picture.ranks);
  place_labels(&picture);
  picture.percents = cells->places != NULL;
  picture.percents = picture.percents && has_room(&picture);
  tutti_status status = draw(&picture, path, error);
  free(picture.labels);
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
  tutti_marks_letters(&report->marks, method, kind->letters);
  snprintf(kind->text, sizeof kind->text, "%s  %s  %.1f %%", kind->letters,
           tutti_method_format(&map->methods[method], text) + collective, map_report_share(report, method));
  kind->color = tutti_mark_of(map->methods[method].algorithm).color;
}

static bool *list_ties(const struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  bool *tied = tutti_xcalloc(tutti_decision_map_points(map), sizeof *tied);
  for (int i = 0; i < map->ranks_count * map->size_count; i++)
    tied[i] =
        !report->decision && tutti_map_tie_at(map, i / map->size_count, i % map->size_count) != TUTTI_MAP_TIE_NONE;
  return tied;
}

/* Class 0 is what was not measured, class m + 1 method m. */
tutti_status plot_map(const struct map_report *report, const char *path, tutti_error *error)
{
  const tutti_decision_map *map = &report->measured->map;
  char title[512];
  int points = map->ranks_count * map->size_count, *classes = tutti_xcalloc((size_t)points, sizeof *classes);
  struct cell_class *kinds = tutti_xcalloc((size_t)map->method_count + 1, sizeof *kinds);
  kinds[0] = (struct cell_class){.text = "not measured", .color = UNMEASURED};
  for (int m = 0; m < map->method_count; m++)
    name_method(report, m, &kinds[m + 1]);
  for (int i = 0; i < points; i++)
    classes[i] = map->best[i] + 1;
  snprintf(title, sizeof title, "%s%s %s on %s (%s %s)", report->decision ? report->decision : "Best",
           report->decision ? ":" : "", tutti_collective_name(map->collective), report->measured->platform,
           report->measured->basis, report->measured->basis_name);
  bool *tied = list_ties(report);
  const struct cells cells = {map, title, classes, map->method_count + 1, kinds, .unmeasured = 0, tied, NULL, NULL};
  tutti_status status = plot_cells(&cells, path, error);
  free(classes);
  free(kinds);
  free(tied);
  return status;
}

/* ---- penalties: figure 6.8 ---- */

static const struct cell_class losses[] = {
    {"below 5 %", "", 0xD9EAD9},      {"5 to 10 %", "", 0xFFF3B0},      {"10 to 25 %", "", 0xFFD23F},
    {"25 to 50 %", "", 0xF28C28},     {"50 to 100 %", "", 0xC1121F},    {"100 to 200 %", "", 0x7A0C2E},
    {"200 % and more", "", 0x3B0A45}, {"not measured", "", UNMEASURED},
};

enum { LOSSES = sizeof losses / sizeof *losses };

static int class_of(double percent)
{
  static const double bounds[] = {5, 10, 25, 50, 100, 200};
  int kind = 0;
  while (kind < (int)(sizeof bounds / sizeof *bounds) && percent >= bounds[kind])
    kind++;
  return isnan(percent) ? LOSSES - 1 : kind;
}

static tutti_status plot_losses(const struct map_report *report, const double *percents, const int *places,
                                const char *title, const char *path, tutti_error *error)
{
  const tutti_decision_map *map = &report->measured->map;
  size_t points = tutti_decision_map_points(map);
  int *classes = tutti_xcalloc(points, sizeof *classes);
  bool *tied = tutti_xcalloc(points, sizeof *tied); /* none */
  for (size_t i = 0; i < points; i++)
    classes[i] = class_of(percents[i]);
  const struct cells cells = {map, title, classes, LOSSES, losses, .unmeasured = LOSSES - 1, tied, places, percents};
  tutti_status status = plot_cells(&cells, path, error);
  free(classes);
  free(tied);
  return status;
}

tutti_status plot_map_loss(const struct map_report *report, const double *percents, const char *path,
                           tutti_error *error)
{
  char title[512];
  snprintf(title, sizeof title, "Penalty of %s, %s on %s (%s %s)", report->decision,
           tutti_collective_name(report->measured->map.collective), report->measured->platform, report->measured->basis,
           report->measured->basis_name);
  return plot_losses(report, percents, NULL, title, path, error);
}

tutti_status plot_map_mine(const struct map_report *report, const char *path, tutti_error *error)
{
  const tutti_decision_map *map = &report->measured->map;
  size_t points = tutti_decision_map_points(map);
  double *percents = tutti_xcalloc(points, sizeof *percents);
  int *places = tutti_xcalloc(points, sizeof *places);
  char title[512], name[MAP_MINE_LENGTH];
  map_mine_list(report, percents, places);
  snprintf(title, sizeof title, "Place and penalty of %s among %d methods on %s (%s %s)",
           map_mine_format(&report->mine, name), map->method_count, report->measured->platform, report->measured->basis,
           report->measured->basis_name);
  tutti_status status = plot_losses(report, percents, places, title, path, error);
  free(percents);
  free(places);
  return status;
}
