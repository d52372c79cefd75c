/* Where the letters of a class stand in a map of many cells: in the rectangle of its cells that has most room. */
#include <math.h>

#include "cli/plot/plot.h"

/* Letters, in pixels; they are larger than those of a point. */
enum { LETTER_WIDTH = 11, LETTER_HEIGHT = 20 };

/* A rectangle of cells of one class. */
struct block {
  double room; /* how often the letters fit across, or down, whichever is less */
  int left, right, bottom, top;
};

struct placing {
  const struct plot_axis *sizes, *ranks;
  const int *classes;
  const struct plot_label *labels;
  struct block *blocks; /* of each class */
};

static double part_of(const struct plot_axis *axis, int first, int end)
{
  const double *edges = axis->edges;
  if (axis->logarithmic)
    return log(edges[end] / edges[first]) / log(edges[axis->count] / edges[0]);
  return (edges[end] - edges[first]) / (edges[axis->count] - edges[0]);
}

static double amid(const struct plot_axis *axis, int first, int end)
{
  const double *edges = axis->edges;
  return axis->logarithmic ? sqrt(edges[first] * edges[end]) : (edges[first] + edges[end]) / 2;
}

/* The edge between two cells that is nearest the middle, if the letters have room on both sides: no dots stand there.
 */
static double beside_dots(const struct plot_axis *axis, int first, int end, double half)
{
  int edge = first;
  double least = INFINITY;
  for (int i = first + 1; i < end; i++) {
    double before = part_of(axis, first, i), after = part_of(axis, i, end);
    if (before >= half && after >= half && fabs(before - after) < least) {
      least = fabs(before - after);
      edge = i;
    }
  }
  return edge > first ? axis->edges[edge] : amid(axis, first, end);
}

static int cells_of(const struct block *block)
{
  return (block->right - block->left) * (block->top - block->bottom);
}

/* The blocks of rows from @p bottom to below @p top. @p same: the columns in which all of these are of one class. */
static void widen(const struct placing *placing, const bool *same, int bottom, int top)
{
  const int count = placing->sizes->count, *row = placing->classes + (size_t)bottom * (size_t)count;
  const double down = part_of(placing->ranks, bottom, top) * placing->ranks->room / LETTER_HEIGHT;
  for (int first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count && same[first] && same[end] && row[end] == row[first];)
      end++;
    struct block *best = &placing->blocks[row[first]];
    const double width = placing->labels[row[first]].letters * LETTER_WIDTH + 1;
    const double room = fmin(part_of(placing->sizes, first, end) * placing->sizes->room / width, down);
    const struct block block = {room, first, end, bottom, top};
    if (same[first] && (room > best->room || (room == best->room && cells_of(&block) > cells_of(best))))
      *best = block;
  }
}

/* From each row up as long as a column is of one class. */
static void find_blocks(const struct placing *placing)
{
  const int columns = placing->sizes->count, rows = placing->ranks->count, *classes = placing->classes;
  bool *same = tutti_xcalloc((size_t)columns, sizeof *same), any;
  for (int bottom = 0; bottom < rows; bottom++) {
    memset(same, true, (size_t)columns * sizeof *same);
    any = true;
    for (int top = bottom + 1; top <= rows && any; top++) {
      any = false;
      for (int c = 0; c < columns; c++) {
        same[c] = same[c] && classes[(top - 1) * columns + c] == classes[bottom * columns + c];
        any = any || same[c];
      }
      widen(placing, same, bottom, top);
    }
  }
  free(same);
}

static void place(const struct placing *placing, int kind, struct plot_label *label)
{
  const struct block *block = &placing->blocks[kind];
  label->fits = block->room >= 1;
  if (!label->fits)
    return;
  label->x =
      beside_dots(placing->sizes, block->left, block->right, label->letters * LETTER_WIDTH / 2. / placing->sizes->room);
  label->y = beside_dots(placing->ranks, block->bottom, block->top, LETTER_HEIGHT / 2. / placing->ranks->room);
}

void plot_labels_place(const struct plot_axis *sizes, const struct plot_axis *ranks, const int *classes,
                       struct plot_label *labels, int count)
{
  const struct placing placing = {sizes, ranks, classes, labels, tutti_xcalloc((size_t)count, sizeof(struct block))};
  find_blocks(&placing);
  for (int kind = 0; kind < count; kind++)
    place(&placing, kind, &labels[kind]);
  free(placing.blocks);
}
