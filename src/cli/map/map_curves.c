/* Time against message size of chosen methods, a panel a number of ranks, drawn by plots/curves.gp. */
#include <math.h>

#include "cli/map/map_report.h"
#include "cli/plot/plot.h"

enum { MAX_PANELS = 9, TITLE_LENGTH = 512 };

struct curves {
  const struct map_report *report;
  struct {
    TUTTI_VECTOR(struct map_mine);
  } methods;
  int panels[MAX_PANELS]; /* indices of numbers of ranks */
  int panel_count;
  struct plot_axis sizes;
  double min, max; /* seconds, with noise */
  bool noisy;
};

static const tutti_decision_map *map_of(const struct curves *curves)
{
  return &curves->report->measured->map;
}

/* ---- what is drawn ---- */

static void add_methods(struct curves *curves, const char *list)
{
  char *words = tutti_xstrdup(list), *rest = words;
  for (char *word; (word = strsep(&rest, ","));) {
    struct map_mine method;
    map_mine_find(map_of(curves), "curves", word, &method);
    tutti_xpush(&curves->methods, method);
  }
  free(words);
}

static void add_panel(struct curves *curves, int ranks)
{
  const tutti_decision_map *map = map_of(curves);
  for (int i = 0; i < map->ranks_count; i++)
    if (map->ranks[i] == ranks) {
      if (curves->panel_count == MAX_PANELS)
        die("--curves: a picture has a panel for each number of ranks, at most %d: choose by --ranks", MAX_PANELS);
      curves->panels[curves->panel_count++] = i;
      return;
    }
  die("--ranks: %d ranks were not measured", ranks);
}

static void add_panels(struct curves *curves, const struct option_numbers *ranks)
{
  const tutti_decision_map *map = map_of(curves);
  for (int i = 0; i < ranks->count; i++)
    add_panel(curves, (int)ranks->items[i]);
  for (int i = 0; i < map->ranks_count && ranks->count == 0; i++)
    add_panel(curves, map->ranks[i]);
}

/* Seconds of a method at a point, and its noise; NaN: not measured. */
static double time_at(const struct curves *curves, int panel, size_t curve, int size, double *noise)
{
  const tutti_decision_map *map = map_of(curves);
  const int ranks = curves->panels[panel], method = map_mine_at(map, ranks, size, &curves->methods.items[curve]);
  *noise = method < 0 ? 0 : map_noise_at(map, ranks, size, method);
  return method < 0 ? NAN : tutti_decision_map_time(map, ranks, size, method);
}

/* No bar of a logarithmic axis ends at 0. */
static double lower_end(double time, double noise)
{
  return fmax(time - noise, time / 10);
}

static void find_range(struct curves *curves)
{
  double noise;
  curves->min = INFINITY;
  for (int panel = 0; panel < curves->panel_count; panel++)
    for (size_t curve = 0; curve < curves->methods.count; curve++)
      for (int size = 0; size < curves->sizes.count; size++) {
        const double time = time_at(curves, panel, curve, size, &noise);
        if (!(time > 0))
          continue;
        curves->min = fmin(curves->min, lower_end(time, noise));
        curves->max = fmax(curves->max, time + noise);
        curves->noisy = curves->noisy || noise > 0;
      }
}

/* ---- data: for each panel a block a curve of lines: size, time, ends of its bar; microseconds ---- */

static void write_curve(FILE *data, const struct curves *curves, int panel, size_t curve)
{
  for (int size = 0; size < curves->sizes.count; size++) {
    double noise, time = time_at(curves, panel, curve, size, &noise);
    if (time > 0)
      fprintf(data, "%.17g %.10g %.10g %.10g\n", curves->sizes.positions[size], time * 1e6,
              lower_end(time, noise) * 1e6, (time + noise) * 1e6);
    else
      fprintf(data, "%.17g NaN NaN NaN\n", curves->sizes.positions[size]);
  }
  fprintf(data, "\n\n");
}

static void write_data(FILE *data, const void *context)
{
  const struct curves *curves = context;
  for (int panel = 0; panel < curves->panel_count; panel++)
    for (size_t curve = 0; curve < curves->methods.count; curve++)
      write_curve(data, curves, panel, curve);
}

/* ---- titles, axes and lists, in the words of plots/curves.gp ---- */

static void make_title(const struct curves *curves, char title[TITLE_LENGTH])
{
  char ranks[32] = "";
  if (curves->panel_count == 1)
    snprintf(ranks, sizeof ranks, ", %d ranks", map_of(curves)->ranks[curves->panels[0]]);
  snprintf(title, TITLE_LENGTH, "%s on %.300s%s: time against message size",
           tutti_collective_name(map_of(curves)->collective), curves->report->measured->platform, ranks);
}

static void describe_sizes(const struct curves *curves, bool wide, char axis[PLOT_AXIS_LENGTH])
{
  const struct plot_axis *sizes = &curves->sizes;
  char tics[PLOT_TICS_LENGTH];
  plot_tics_points((const char *const *)sizes->labels, sizes->positions, sizes->count, true, wide ? 11 : 5, tics);
  snprintf(axis, PLOT_AXIS_LENGTH,
           "x_label = 'Message, or block of a rank [bytes]'; set logscale x; set xrange [%.17g:%.17g]; set xtics %s",
           sizes->positions[0] / 1.25, sizes->positions[sizes->count - 1] * 1.25, tics);
}

static void describe_times(const struct curves *curves, char axis[PLOT_AXIS_LENGTH])
{
  char tics[PLOT_TICS_LENGTH];
  const double min = curves->min * 1e6 / 1.25, max = curves->max * 1e6 * 1.25;
  plot_tics_decades(min, max, tics);
  snprintf(axis, PLOT_AXIS_LENGTH, "y_label = 'Time [us]'; set logscale y; set yrange [%.17g:%.17g]; set ytics %s", min,
           max, tics);
}

/* "pipeline, fastest of 3 forms" 0 "linear" 1 ... */
static char *list_curves(const struct curves *curves)
{
  struct tutti_text_stream list;
  char name[TUTTI_METHOD_LENGTH];
  tutti_xopen_text(&list);
  for (size_t i = 0; i < curves->methods.count; i++) {
    const struct map_mine *method = &curves->methods.items[i];
    fprintf(list.stream, "\"%s", strchr(tutti_method_format(&method->method, name), '/') + 1);
    if (method->forms > 1)
      fprintf(list.stream, ", fastest of %d forms", method->forms);
    fprintf(list.stream, "\" %zu ", i);
  }
  return tutti_xclose_text(&list);
}

static char *list_panels(const struct curves *curves)
{
  struct tutti_text_stream list;
  tutti_xopen_text(&list);
  for (int i = 0; i < curves->panel_count; i++)
    fprintf(list.stream, "\"%d ranks\" ", map_of(curves)->ranks[curves->panels[i]]);
  return tutti_xclose_text(&list);
}

/* ---- the picture ---- */

static void draw(const struct curves *curves, const char *path)
{
  char title[TITLE_LENGTH], x[PLOT_AXIS_LENGTH], y[PLOT_AXIS_LENGTH];
  if (curves->sizes.count < 2 || curves->max <= 0)
    die("--curves: a curve needs times of several message sizes");
  char *panels = list_panels(curves), *names = list_curves(curves);
  make_title(curves, title);
  describe_sizes(curves, curves->panel_count == 1 && !gnuplot_is_page(path), x);
  describe_times(curves, y);
  const char *const shown = curves->report->title ? curves->report->title : title;
  const char *const arguments[] = {shown, x, y, panels, names, curves->noisy ? "bars" : "", NULL};
  const struct plot_request request = {"curves.gp", arguments, write_data, curves};
  gnuplot_draw(&request, path);
  free(panels);
  free(names);
}

void map_curves_plot(const struct map_report *report, const char *methods, const struct option_numbers *ranks,
                     const char *path)
{
  struct curves curves = {.report = report};
  plot_axis_sizes(&report->measured->map, &curves.sizes);
  add_methods(&curves, methods);
  add_panels(&curves, ranks);
  find_range(&curves);
  draw(&curves, path);
  plot_axis_free(&curves.sizes);
  tutti_vector_free(&curves.methods);
}
