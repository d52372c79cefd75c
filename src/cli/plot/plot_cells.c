#include "cli/plot/plot_cells.h"

#include <stdlib.h>

#include "cli/plot/plot_gnuplot.h"
#include "cli/plot/report_plot.h"

enum { COLOR_LENGTH = 9 };

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

/* One block of rectangles a class, headed by what the legend says of it. */
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

/* The colors of the blocks, apart by blanks; NULL if out of memory. */
static char *list_colors(const struct picture *picture)
{
  char *colors = malloc((size_t)picture->cells->kind_count * COLOR_LENGTH + 1), *end = colors;
  if (colors)
    *colors = '\0';
  for (int kind = 0; colors && kind < picture->cells->kind_count; kind++)
    if (picture->drawn[kind])
      end += sprintf(end, "0x%06X ", picture->cells->kinds[kind].color);
  return colors;
}

static tutti_status draw(const struct picture *picture, const char *colors, const char *path, tutti_error *error)
{
  char sizes[PLOT_TICS_LENGTH], ranks[PLOT_TICS_LENGTH];
  plot_tics_sizes(picture->cells->map, &picture->sizes, sizes);
  plot_tics_ranks(picture->cells->map, &picture->ranks, ranks);
  const char *scale = picture->ranks.logarithmic ? "logarithmic" : "linear";
  const char *const arguments[] = {picture->cells->title, colors, sizes, ranks, scale, NULL};
  struct plot_request request = {"decision_map.gp", arguments, write_data, picture};
  return gnuplot_draw(&request, path, error);
}

static bool prepare(struct picture *picture)
{
  const struct cells *cells = picture->cells;
  int points = cells->map->ranks_count * cells->map->size_count;
  picture->drawn = calloc((size_t)cells->kind_count, sizeof *picture->drawn);
  for (int i = 0; picture->drawn && i < points; i++)
    picture->drawn[cells->classes[i]] = true;
  return picture->drawn && plot_axis_sizes(cells->map, &picture->sizes) && plot_axis_ranks(cells->map, &picture->ranks);
}

tutti_status plot_cells(const struct cells *cells, const char *path, tutti_error *error)
{
  struct picture picture = {.cells = cells};
  char *colors = prepare(&picture) ? list_colors(&picture) : NULL;
  tutti_status status = colors ? draw(&picture, colors, path, error)
                               : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the picture %s", path);
  free(colors);
  free(picture.drawn);
  plot_axis_free(&picture.ranks);
  plot_axis_free(&picture.sizes);
  return status;
}
