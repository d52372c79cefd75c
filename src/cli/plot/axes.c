/* Axes of pictures: edges of cells, and labels. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/plot/plot.h"

/* ---- labels ---- */

char *plot_quoted(const char *text)
{
  struct tutti_text_stream quoted;
  tutti_xopen_text(&quoted);
  fputc('\'', quoted.stream);
  for (; *text; text++)
    fputs(*text == '\'' ? "''" : (char[2]){iscntrl((unsigned char)*text) ? ' ' : *text}, quoted.stream);
  fputc('\'', quoted.stream);
  return tutti_xclose_text(&quoted);
}

void plot_tics_append(char tics[PLOT_TICS_LENGTH], const char *label, double position)
{
  size_t used = strlen(tics);
  char *quoted = plot_quoted(label);
  snprintf(tics + used, PLOT_TICS_LENGTH - used, "%s%s %.17g", used ? ", " : "(", quoted, position);
  free(quoted);
}

void plot_tics_close(char tics[PLOT_TICS_LENGTH])
{
  strncat(tics, *tics ? ")" : "()", PLOT_TICS_LENGTH - strlen(tics) - 1);
}

enum { MAX_TICS = 12 };

/* Powers of two from @p least to @p most, every so many that they fit. */
static void append_powers(double min, double max, char tics[PLOT_TICS_LENGTH])
{
  char text[24];
  int first = (int)fmax(0, ceil(log2(min))), last = (int)fmin(63, floor(log2(max)));
  int step = 1 + (last - first) / MAX_TICS;
  for (int power = (first + step - 1) / step * step; power <= last; power += step)
    plot_tics_append(tics, tutti_size_format(UINT64_C(1) << power, text), ldexp(1, power));
}

void plot_tics_bytes(double min, double max, char tics[PLOT_TICS_LENGTH])
{
  *tics = '\0';
  append_powers(min, max, tics);
  plot_tics_close(tics);
}

void plot_tics_decades(double min, double max, char tics[PLOT_TICS_LENGTH])
{
  static const int steps[] = {1, 2, 5};
  char text[24];
  int labels = max / min < 1000 ? 3 : 1;
  *tics = '\0';
  for (int power = (int)floor(log10(min)); power <= log10(max); power++)
    for (int i = 0; i < labels; i++) {
      snprintf(text, sizeof text, "%de%d", steps[i], power);
      double position = strtod(text, NULL);
      snprintf(text, sizeof text, "%.10g", position);
      if (position >= min && position <= max)
        plot_tics_append(tics, text, position);
    }
  plot_tics_close(tics);
}

/* ---- cells of a decision map ---- */

void plot_axis_free(struct plot_axis *axis)
{
  free(axis->positions);
  free(axis->edges);
}

static void make_room(struct plot_axis *axis, int count)
{
  axis->count = count;
  axis->positions = tutti_xcalloc((size_t)count, sizeof *axis->positions);
  axis->edges = tutti_xcalloc((size_t)count + 1, sizeof *axis->edges);
}

static double middle(const struct plot_axis *axis, double left, double right)
{
  return axis->logarithmic ? sqrt(left * right) : (left + right) / 2;
}

/* The edge as far beyond a position as the edge on its other side. */
static double mirror(const struct plot_axis *axis, double edge, double position)
{
  return axis->logarithmic ? position * position / edge : 2 * position - edge;
}

static void make_edges(struct plot_axis *axis)
{
  int last = axis->count - 1;
  for (int i = 1; i <= last; i++)
    axis->edges[i] = middle(axis, axis->positions[i - 1], axis->positions[i]);
  if (last == 0)
    axis->edges[1] = axis->logarithmic ? axis->positions[0] * 2 : axis->positions[0] + 0.5;
  axis->edges[0] = mirror(axis, axis->edges[1], axis->positions[0]);
  if (last > 0)
    axis->edges[last + 1] = mirror(axis, axis->edges[last], axis->positions[last]);
}

/* A logarithmic axis has no place for 0: it is drawn at half of the least size above it. */
void plot_axis_sizes(const tutti_decision_map *map, struct plot_axis *axis)
{
  axis->logarithmic = true;
  make_room(axis, map->size_count);
  double zero = map->size_count > 1 ? (double)map->sizes[1] / 2 : 1;
  for (int i = 0; i < axis->count; i++)
    axis->positions[i] = map->sizes[i] > 0 ? (double)map->sizes[i] : zero;
  make_edges(axis);
}

/* Linear as in the dissertation, unless most of the numbers in between were left out (powers of two). */
void plot_axis_ranks(const tutti_decision_map *map, struct plot_axis *axis)
{
  long span = (long)map->ranks[map->ranks_count - 1] - map->ranks[0] + 1;
  axis->logarithmic = span > 4L * map->ranks_count;
  make_room(axis, map->ranks_count);
  for (int i = 0; i < axis->count; i++)
    axis->positions[i] = map->ranks[i];
  make_edges(axis);
}

/* Whether a label fits at every position of a logarithmic axis. */
static bool has_room(const struct plot_axis *axis)
{
  enum { PARTS = 14 }; /* as many labels fit side by side */
  const double whole = log(axis->edges[axis->count] / axis->edges[0]);
  for (int i = 1; i < axis->count; i++)
    if (log(axis->positions[i] / axis->positions[i - 1]) * PARTS < whole)
      return false;
  return true;
}

/* The sizes themselves; powers of two where these are too many, or too near to each other. */
void plot_tics_sizes(const tutti_decision_map *map, const struct plot_axis *axis, char tics[PLOT_TICS_LENGTH])
{
  char text[24];
  bool all = has_room(axis);
  *tics = '\0';
  for (int i = 0; i < map->size_count && all; i++)
    plot_tics_append(tics, tutti_size_format(map->sizes[i], text), axis->positions[i]);
  if (!all && map->sizes[0] == 0)
    plot_tics_append(tics, "0B", axis->positions[0]);
  if (!all && map->sizes[map->size_count - 1] > 0) /* else it is a collective without data */
    append_powers(axis->edges[map->sizes[0] == 0], axis->edges[axis->count], tics);
  plot_tics_close(tics);
}

/* 1, 2 or 5 times a power of ten between the labels of a linear axis. */
static long linear_step(long span)
{
  static const int steps[] = {1, 2, 5};
  for (long power = 1;; power *= 10)
    for (int i = 0; i < 3; i++)
      if (span / (steps[i] * power) <= MAX_TICS + 2)
        return steps[i] * power;
}

void plot_tics_ranks(const tutti_decision_map *map, const struct plot_axis *axis, char tics[PLOT_TICS_LENGTH])
{
  char text[24];
  *tics = '\0';
  int last = map->ranks_count - 1, thin = 1 + last / MAX_TICS;
  long step = linear_step((long)map->ranks[last] - map->ranks[0]);
  if (axis->logarithmic || last < MAX_TICS)
    for (int i = 0; i <= last; i += thin) {
      snprintf(text, sizeof text, "%d", map->ranks[i]);
      plot_tics_append(tics, text, axis->positions[i]);
    }
  else
    for (long number = (map->ranks[0] + step - 1) / step * step; number <= map->ranks[last]; number += step) {
      snprintf(text, sizeof text, "%ld", number);
      plot_tics_append(tics, text, (double)number);
    }
  plot_tics_close(tics);
}
