/* Axes of pictures: edges of cells, and labels. */
#include <ctype.h>
#include <math.h>

#include "cli/output/output.h"
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
  char *quoted = plot_quoted(label);
  text_append(tics, PLOT_TICS_LENGTH, "%s%s %.17g", *tics ? ", " : "(", quoted, position);
  free(quoted);
}

void plot_tics_close(char tics[PLOT_TICS_LENGTH])
{
  strncat(tics, *tics ? ")" : "()", PLOT_TICS_LENGTH - strlen(tics) - 1);
}

enum { MAX_TICS = 12 };

/* Powers of two from @p least to @p most, every so many that they fit. */
void plot_tics_bytes(double min, double max, char tics[PLOT_TICS_LENGTH])
{
  char text[24];
  int first = (int)fmax(0, ceil(log2(min))), last = (int)fmin(63, floor(log2(max)));
  int step = 1 + (last - first) / MAX_TICS;
  *tics = '\0';
  for (int power = (first + step - 1) / step * step; power <= last; power += step)
    plot_tics_append(tics, tutti_size_format(UINT64_C(1) << power, text), ldexp(1, power));
  plot_tics_close(tics);
}

/* A tic without a label. */
static void append_minor(char tics[PLOT_TICS_LENGTH], double position)
{
  text_append(tics, PLOT_TICS_LENGTH, "%s'' %.17g 1", *tics ? ", " : "(", position);
}

void plot_tics_points(const char *const *labels, const double *positions, int count, bool logarithmic, int room,
                      char tics[PLOT_TICS_LENGTH])
{
  enum { MAX_MINOR = 100 };
  const double first = positions[0], last = positions[count - 1];
  const double apart = (logarithmic ? log(last / first) : last - first) / room;
  double labelled = 0;
  *tics = '\0';
  for (int i = 0; i < count; i++) {
    if (i == 0 || (logarithmic ? log(positions[i] / labelled) : positions[i] - labelled) >= apart) {
      plot_tics_append(tics, labels[i], positions[i]);
      labelled = positions[i];
    } else if (count <= MAX_MINOR)
      append_minor(tics, positions[i]);
  }
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
  for (int i = 0; i < axis->count; i++)
    free(axis->labels[i]);
  free(axis->labels);
  free(axis->positions);
  free(axis->edges);
}

static void make_room(struct plot_axis *axis, int count)
{
  axis->count = count;
  axis->labels = tutti_xcalloc((size_t)count, sizeof *axis->labels);
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
  char text[24];
  axis->logarithmic = true;
  make_room(axis, map->size_count);
  double zero = map->size_count > 1 ? (double)map->sizes[1] / 2 : 1;
  for (int i = 0; i < axis->count; i++) {
    axis->positions[i] = map->sizes[i] > 0 ? (double)map->sizes[i] : zero;
    axis->labels[i] = tutti_xstrdup(tutti_size_format(map->sizes[i], text));
  }
  make_edges(axis);
}

/* Linear as in the dissertation, unless most of the numbers in between were left out (powers of two). */
void plot_axis_ranks(const tutti_decision_map *map, struct plot_axis *axis)
{
  long span = (long)map->ranks[map->ranks_count - 1] - map->ranks[0] + 1;
  axis->logarithmic = span > 4L * map->ranks_count;
  make_room(axis, map->ranks_count);
  for (int i = 0; i < axis->count; i++) {
    axis->positions[i] = map->ranks[i];
    axis->labels[i] = tutti_xprintf("%d", map->ranks[i]);
  }
  make_edges(axis);
}

void plot_axis_commands(char axis_name, const struct plot_axis *axis, char commands[PLOT_AXIS_LENGTH])
{
  enum { LABEL_WIDTH = 46, LABEL_HEIGHT = 20 };
  char tics[PLOT_TICS_LENGTH];
  const int room = axis->room / (axis_name == 'x' ? LABEL_WIDTH : LABEL_HEIGHT);
  plot_tics_points((const char *const *)axis->labels, axis->positions, axis->count, axis->logarithmic, room, tics);
  snprintf(commands, PLOT_AXIS_LENGTH, "%sset %ctics %s",
           axis->logarithmic ? axis_name == 'x' ? "set logscale x; " : "set logscale y; " : "", axis_name, tics);
}
