/* Cells as a picture: rectangles, what is written at the points, axes and legend. Where a point was measured are the
   letters of its class, or a dot if there is no room for them; both say whether others tie with it. */
#include <math.h>

#include "cli/map/map_report.h"
#include "cli/plot/plot.h"

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
  if (cells->gaps)
    return map_gap_letters(&cells->gaps[point], text);
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
              tutti_area_is_dark(cell->color, cell->fill) ? "0xFFFFFF" : "0x000000");
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
              tutti_area_is_dark(cell->color, cell->fill) ? "0xFFFFFF" : "0x000000");
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

/* Whether every cell has room for the letters and "=" after them. */
static bool has_room(const struct picture *picture)
{
  enum { LETTER_WIDTH = 9, LETTER_HEIGHT = 14 };
  size_t longest = 0;
  char text[POINT_TEXT];
  for (int i = 0; i < picture->ranks.count * picture->sizes.count; i++)
    if (picture->cells->classes[i] != picture->cells->unmeasured && strlen(text_at(picture, i, text)) > longest)
      longest = strlen(text_at(picture, i, text));
  return longest > 0 && narrowest(&picture->sizes) * picture->sizes.room > (double)(longest + 1) * LETTER_WIDTH &&
         narrowest(&picture->ranks) * picture->ranks.room > LETTER_HEIGHT;
}

enum { MEASURED_LENGTH = sizeof "=  measured, another method ties" };

/* How points are drawn, how many there are without and with ties, how many labels, and how long the longest entry of
   the legend is: "letters 23 13 4 27". */
static void describe_points(const struct picture *picture, char text[64])
{
  int points[2] = {0}, labels = 0, longest = MEASURED_LENGTH;
  for (int i = 0; i < picture->ranks.count * picture->sizes.count; i++)
    if (picture->cells->classes[i] != picture->cells->unmeasured)
      points[picture->cells->tied[i]]++;
  for (int kind = 0; kind < picture->cells->kind_count; kind++) {
    const int length = (int)strlen(picture->cells->kinds[kind].text);
    labels += has_label(picture, kind);
    longest = picture->drawn[kind] && length > longest ? length : longest;
  }
  snprintf(text, 64, "%s %d %d %d %d", has_room(picture) ? "letters" : "dots", points[false], points[true], labels,
           longest);
}

/* Color and fill of the blocks, separated by blanks. */
static char *list_areas(const struct picture *picture)
{
  struct tutti_text_stream areas;
  tutti_xopen_text(&areas);
  for (int kind = 0; kind < picture->cells->kind_count; kind++)
    if (picture->drawn[kind])
      fprintf(areas.stream, "0x%06X %d ", picture->cells->kinds[kind].color, picture->cells->kinds[kind].fill);
  return tutti_xclose_text(&areas);
}

/* What is written at points in place of letters, explained. */
static char *list_notes(const struct picture *picture)
{
  struct tutti_text_stream notes;
  tutti_xopen_text(&notes);
  if (picture->cells->places && has_room(picture)) {
    fprintf(notes.stream, "\"1, 2, ...  place among %d methods\" ", picture->cells->methods);
    if (picture->percents)
      fprintf(notes.stream, "\"+10 %%  more time than the fastest\" ");
  }
  if (picture->cells->gaps && has_room(picture))
    fputs("\"r, i, ...  the bound: see tutti map --gap\" \"*  proven optimal to 1 %\" \"m  optimal in the round model "
          "only\" ",
          notes.stream);
  return tutti_xclose_text(&notes);
}

static void draw(const struct picture *picture, const char *path)
{
  char x[PLOT_AXIS_LENGTH], y[PLOT_AXIS_LENGTH], points[64], *areas = list_areas(picture), *notes = list_notes(picture);
  plot_axis_commands('x', &picture->sizes, x);
  plot_axis_commands('y', &picture->ranks, y);
  describe_points(picture, points);
  const char *const arguments[] = {picture->cells->title, areas, x, y, points, notes, NULL};
  const struct plot_request request = {"decision_map.gp", arguments, write_data, picture};
  gnuplot_draw(&request, path);
  free(areas);
  free(notes);
}

static void place_labels(struct picture *picture)
{
  const struct cells *cells = picture->cells;
  picture->labels = tutti_xcalloc((size_t)cells->kind_count, sizeof *picture->labels);
  for (int kind = 0; kind < cells->kind_count; kind++)
    picture->labels[kind].letters = (int)strlen(cells->kinds[kind].letters);
  plot_labels_place(&picture->sizes, &picture->ranks, cells->classes, picture->labels, cells->kind_count);
}

void plot_cells(const struct cells *cells, const char *path)
{
  struct picture picture = {.cells = cells, .drawn = tutti_xcalloc((size_t)cells->kind_count, sizeof *picture.drawn)};
  for (int i = 0; i < cells->map->ranks_count * cells->map->size_count; i++)
    picture.drawn[cells->classes[i]] = true;
  plot_axis_sizes(cells->map, &picture.sizes);
  plot_axis_ranks(cells->map, &picture.ranks);
  const bool page = gnuplot_is_page(path);
  picture.sizes.room = page ? PLOT_PAGE_WIDTH : PLOT_WIDTH;
  picture.ranks.room = page ? PLOT_PAGE_HEIGHT : PLOT_HEIGHT;
  place_labels(&picture);
  picture.percents = cells->places != NULL;
  picture.percents = picture.percents && has_room(&picture);
  draw(&picture, path);
  free(picture.labels);
  free(picture.drawn);
  plot_axis_free(&picture.ranks);
  plot_axis_free(&picture.sizes);
}
