/* The figures and tables of an algorithm's place, as a paper has them. */
#include "base/process.h"
#include "cli/output/output.h"
#include "cli/place/place.h"
#include "cli/plot/plot.h"

/* ---- tables ---- */

static void note_file(FILE *names, const char *path)
{
  fprintf(names, " %s", path);
}

static void write_table(const struct place *place, const char *ending, tutti_table table, tutti_format format,
                        FILE *names)
{
  char *path = tutti_xprintf("%s%s", place->prefix, ending);
  struct tutti_output output;
  const tutti_document document = {.tables = &table, .table_count = 1};
  output_begin(path, &output);
  must(tutti_document_print(&document, format, output.stream, &failure));
  output_end(&output);
  note_file(names, path);
  tutti_table_free(&table);
  free(path);
}

static void write_grid(const struct place *place, const struct map_report *report, FILE *names)
{
  char *path = tutti_xprintf("%s-points.tex", place->prefix);
  struct tutti_output output;
  output_begin(path, &output);
  map_mine_write_grid(report, output.stream);
  output_end(&output);
  note_file(names, path);
  free(path);
}

/* ---- figures ---- */

enum { RIVALS = 4, PANELS = 3, MOST_PANELS = 6 };

struct rivals {
  const tutti_algorithm *algorithms[RIVALS];
  int points[RIVALS];
  int count;
};

/* How often an algorithm is the best of the others. */
static int count_best(const struct place *place, const struct placed *placed, const tutti_algorithm *algorithm)
{
  const struct place_point *rows = place->points.rows;
  int points = 0;
  for (size_t i = 0; i < place->points.row_count; i++)
    points += rows[i].algorithm == placed->name && rows[i].other.algorithm == algorithm;
  return points;
}

/* Those that are the best of the others at most points, in this order. */
static struct rivals find_rivals(const struct place *place, const struct placed *placed)
{
  struct rivals rivals = {.count = 0};
  for (size_t i = 0; i < tutti_algorithm_count(); i++) {
    const tutti_algorithm *algorithm = tutti_algorithm_at(i);
    const int points = count_best(place, placed, algorithm);
    int at = rivals.count < RIVALS ? rivals.count++ : RIVALS;
    for (; at > 0 && points > rivals.points[at - 1]; at--)
      if (at < RIVALS) {
        rivals.points[at] = rivals.points[at - 1];
        rivals.algorithms[at] = rivals.algorithms[at - 1];
      }
    if (at < RIVALS) {
      rivals.points[at] = points;
      rivals.algorithms[at] = algorithm;
    }
  }
  while (rivals.count > 0 && rivals.points[rivals.count - 1] == 0)
    rivals.count--;
  return rivals;
}

static char *list_curves(const struct place *place, const struct placed *placed)
{
  const struct rivals rivals = find_rivals(place, placed);
  struct tutti_text_stream list;
  tutti_xopen_text(&list);
  fprintf(list.stream, "%s", placed->name);
  for (int i = 0; i < rivals.count; i++)
    fprintf(list.stream, ",%s", rivals.algorithms[i]->name);
  return tutti_xclose_text(&list);
}

/* All numbers of ranks that the user has named, if they are few; else the least, a middle and the largest. */
static struct option_numbers choose_panels(const struct place *place, const tutti_decision_map *map,
                                           uint64_t items[MOST_PANELS])
{
  const int most = place->options->ranks.count > 0 && map->ranks_count <= MOST_PANELS ? MOST_PANELS : PANELS;
  const int count = map->ranks_count < most ? map->ranks_count : most;
  for (int i = 0; i < count; i++)
    items[i] = (uint64_t)map->ranks[count == 1 ? 0 : i * (map->ranks_count - 1) / (count - 1)];
  return (struct option_numbers){items, count};
}

static void draw_curves(const struct place *place, const struct placed *placed, const struct map_report *report,
                        FILE *names)
{
  uint64_t items[MOST_PANELS];
  const struct option_numbers panels = choose_panels(place, &report->measured->map, items);
  char *path = tutti_xprintf("%s.pdf", place->prefix), *curves = list_curves(place, placed);
  map_curves_plot(report, curves, &panels, path);
  note_file(names, path);
  if (panels.count < report->measured->map.ranks_count)
    fprintf(names, " (of %d numbers of ranks %d)", report->measured->map.ranks_count, panels.count);
  free(curves);
  free(path);
}

/* Curves over the sizes, which a barrier has not, and a map. */
static void draw(const struct place *place, const struct placed *placed, const struct map_report *report, FILE *names)
{
  char *gnuplot = tutti_program_find("gnuplot");
  if (!gnuplot) {
    tutti_say(stderr, "tutti: note: no figures: they need the program gnuplot\n");
    return;
  }
  free(gnuplot);
  if (report->measured->map.size_count > 1)
    draw_curves(place, placed, report, names);
  char *path = tutti_xprintf("%s-map.pdf", place->prefix);
  plot_map_mine(report, path);
  note_file(names, path);
  free(path);
}

char *place_write_files(const struct place *place, const struct placed *placed, const struct map_report *report)
{
  struct tutti_text_stream names;
  tutti_xopen_text(&names);
  write_table(place, ".csv", place_points_of(place, placed, false), TUTTI_FORMAT_CSV, names.stream);
  write_table(place, "-methods.csv", place_methods_of(place, placed, SIZE_MAX), TUTTI_FORMAT_CSV, names.stream);
  write_table(place, ".tex", place_methods_of(place, placed, (size_t)place->options->top), TUTTI_FORMAT_LATEX,
              names.stream);
  write_grid(place, report, names.stream);
  draw(place, placed, report, names.stream);
  return tutti_xclose_text(&names);
}
