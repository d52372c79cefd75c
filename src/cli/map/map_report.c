/* A decision map: a legend of the winners, a letter per point, and the times after them. */
#include "cli/map/map_report.h"

#include <math.h>

#include "cli/output/output.h"
#include "cli/report/map_notes.h"
#include "tutti/reproducible.h"

enum { GRID_COLUMNS = 80, SHARE_DIGITS = 6 };

/* ---- who won where ---- */

struct map_report map_report_create(const struct measured_map *measured)
{
  const tutti_decision_map *map = &measured->map;
  size_t count = (size_t)map->method_count;
  struct map_report report = {.measured = measured,
                              .native = tutti_decision_map_only_native(map),
                              .points = tutti_xcalloc(count, sizeof(int)),
                              .shown = tutti_xcalloc(count, sizeof(bool))};
  for (int point = 0; point < map->ranks_count * map->size_count; point++)
    if (map->best[point] < 0) {
      report.missing_points++;
    } else {
      report.points[map->best[point]]++;
      report.measured_points++;
    }
  for (int m = 0; m < map->method_count; m++)
    report.shown[m] = report.points[m] > 0;
  report.marks = (tutti_marks){.methods = map->methods, .shown = report.shown, .count = map->method_count};
  return report;
}

void map_report_free(struct map_report *report)
{
  free(report->points);
  free(report->shown);
}

double map_report_share(const struct map_report *report, int method)
{
  return 100.0 * report->points[method] / report->measured_points;
}

/* ---- methods: all of them in JSON, the winners in the legend ---- */

struct method_row {
  char letters[REPORT_LETTERS_LENGTH];
  char method[TUTTI_METHOD_LENGTH];
  int points;
  double share; /* NaN: not measured */
};

static const tutti_column method_columns[] = {
    {"letter", NULL, TUTTI_FIELD(struct method_row, letters)},
    {"method", "method", TUTTI_FIELD(struct method_row, method)},
    {"points", "points", TUTTI_FIELD(struct method_row, points)},
    {"share", "share_percent", TUTTI_FIELD(struct method_row, share), .suffix = " %", .decimals = 1, .width = 7,
     .none = "", .digits = SHARE_DIGITS},
};

static struct method_row row_of(const struct map_report *report, int method)
{
  struct method_row row = {.points = report->points[method], .share = map_report_share(report, method)};
  tutti_method_format(&report->measured->map.methods[method], row.method);
  if (report->shown[method])
    tutti_marks_letters(&report->marks, method, row.letters);
  return row;
}

static tutti_table method_table(const struct map_report *report, bool winners_only)
{
  struct method_row *rows = tutti_xcalloc((size_t)report->measured->map.method_count + 1, sizeof *rows);
  int count = 0;
  for (int m = 0; m < report->measured->map.method_count; m++)
    if (!winners_only || report->points[m] > 0)
      rows[count++] = row_of(report, m);
  if (winners_only && report->missing_points > 0)
    rows[count++] = (struct method_row){".", "not measured", report->missing_points, NAN};
  return (tutti_table){
      .key = "methods", TUTTI_COLUMNS(method_columns), TUTTI_ROWS(rows, count), .owned = rows, .indent = 2};
}

/* ---- the grid of letters: in blocks of as many numbers of ranks as fit the terminal ---- */

/* Where the grid stands on the line. */
struct grid {
  int label;       /* columns of the label of a row */
  int digits;      /* of the largest number of ranks */
  int pitch;       /* columns from one cell to the next */
  int cells;       /* of a block in a row */
  const char *gap; /* between the label and the first cell, where the cells bring none along */
  bool upright;    /* numbers of ranks are written downwards, to save columns */
};

static int max_of(int left, int right)
{
  return left > right ? left : right;
}

static struct grid lay_out(const struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  char text[24];
  struct grid grid = {.label = (int)strlen("size"),
                      .digits = snprintf(text, sizeof text, "%d", map->ranks[map->ranks_count - 1])};
  for (int j = 0; j < map->size_count; j++)
    grid.label = max_of(grid.label, (int)strlen(tutti_size_format(map->sizes[j], text)));
  int terminal = tutti_terminal_width(stdout);
  int width = tutti_marks_width(&report->marks), widest = max_of(width, grid.digits);
  int room = (terminal > 0 ? terminal : GRID_COLUMNS) - 2 - grid.label;
  grid.upright = (long)(widest + 1) * map->ranks_count > room;
  grid.pitch = grid.upright ? width : widest;
  grid.pitch += (long)(grid.pitch + 1) * map->ranks_count <= room || !grid.upright || width > 1;
  grid.gap = grid.pitch > width ? "" : " ";
  grid.cells = terminal > 0 ? max_of((room - (int)strlen(grid.gap)) / grid.pitch, 1) : map->ranks_count;
  return grid;
}

static void print_ranks(const tutti_decision_map *map, const struct grid *grid, int first, int end)
{
  char number[16];
  int lines = grid->upright ? grid->digits : 1;
  printf("\n  %*s  ranks\n", grid->label, "");
  for (int line = 0; line < lines; line++) {
    tutti_say(stdout, "  %*s%s", grid->label, line == lines - 1 ? "size" : "", grid->gap);
    for (int i = first; i < end; i++) {
      snprintf(number, sizeof number, "%*d", grid->digits, map->ranks[i]);
      if (grid->upright)
        printf("%*c", grid->pitch, number[line]);
      else
        printf("%*d", grid->pitch, map->ranks[i]);
    }
    printf("\n");
  }
}

static void print_cells(const struct map_report *report, const struct grid *grid, int size_index, int first, int end)
{
  const tutti_decision_map *map = &report->measured->map;
  char text[24], name[REPORT_LETTERS_LENGTH];
  tutti_say(stdout, "  %*s%s", grid->label, tutti_size_format(map->sizes[size_index], text), grid->gap);
  for (int i = first; i < end; i++) {
    int best = tutti_decision_map_best_at(map, i, size_index);
    tutti_say(stdout, "%*s", grid->pitch, best < 0 ? "." : tutti_marks_letters(&report->marks, best, name));
  }
  printf("\n");
}

static void print_grid(const struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  const struct grid grid = lay_out(report);
  for (int first = 0, end; first < map->ranks_count; first = end) {
    end = first + grid.cells < map->ranks_count ? first + grid.cells : map->ranks_count;
    print_ranks(map, &grid, first, end);
    for (int j = 0; j < map->size_count; j++)
      print_cells(report, &grid, j, first, end);
  }
}

void map_report_print(const struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  tutti_table legend = method_table(report, true);
  print_sentence(0, "%s on %s, %s %s (methods: %d, communicator sizes: %d, message sizes: %d)",
                 tutti_collective_name(map->collective), report->measured->platform, report->measured->basis,
                 report->measured->basis_name, map->method_count, map->ranks_count, map->size_count);
  printf("\n");
  must(tutti_table_print(&legend, stdout, &failure));
  print_grid(report);
  tutti_table_free(&legend);
}

static void print_note(const char *note, bool item, void *context)
{
  (void)context;
  if (!item)
    printf("\n");
  print_sentence(item ? 4 : 2, "%s", note);
}

void map_report_print_notes(const struct map_report *report)
{
  const struct measured_map *measured = report->measured;
  char classes[TUTTI_REPRODUCIBLE_LENGTH];
  if (measured->map.candidates.reproducible) {
    printf("\n");
    print_sentence(2, "Only methods that are reproducible by %s can be best.",
                   tutti_reproducible_format(measured->map.candidates.reproducible, classes));
  }
  tutti_map_notes(&(struct tutti_noted_map){&measured->map, measured->library, measured->cores}, print_note, NULL);
}

/* ---- JSON and CSV ---- */

/* What the map is of; the basis is a scheme or a model. */
enum { FACTS = 8 };

static void fill_facts(const struct measured_map *measured, tutti_column facts[FACTS])
{
  const tutti_column columns[] = {
      {NULL, "collective", .at = offsetof(struct measured_map, map.collective), .get = cell_collective},
      {NULL, "platform", TUTTI_FIELD(struct measured_map, platform)},
      {NULL, measured->basis, TUTTI_FIELD(struct measured_map, basis_name), .get = cell_basis},
      {NULL, "patterns", TUTTI_FIELD(struct measured_map, basis_name), .get = cell_patterns},
      {NULL, "cores", TUTTI_FIELD(struct measured_map, cores)},
      {NULL, "candidates", .at = offsetof(struct measured_map, map.candidates), .get = cell_candidates},
      {NULL, "ranks", .at = offsetof(struct measured_map, map), .list = list_map_ranks},
      {NULL, "sizes_B", .at = offsetof(struct measured_map, map), .list = list_map_sizes},
  };
  memcpy(facts, columns, sizeof columns);
}

/* For each number of ranks a list, for each size an index into the methods or null. */
static void write_best(const struct map_report *report, tutti_json *json)
{
  const tutti_decision_map *map = &report->measured->map;
  tutti_json_array(json, "best");
  for (int i = 0; i < map->ranks_count; i++) {
    tutti_json_array(json, NULL);
    for (int j = 0; j < map->size_count; j++)
      if (tutti_decision_map_best_at(map, i, j) < 0)
        tutti_json_null(json, NULL);
      else
        tutti_json_integer(json, NULL, tutti_decision_map_best_at(map, i, j));
    tutti_json_end(json);
  }
  tutti_json_end(json);
}

/* The cells of all methods: for each number of ranks and size a list. */
static void write_cells(const tutti_decision_map *map, const char *key, const double *cells, tutti_json *json)
{
  tutti_json_array(json, key);
  for (int i = 0; i < map->ranks_count; i++) {
    tutti_json_array(json, NULL);
    for (int j = 0; j < map->size_count; j++) {
      tutti_json_array(json, NULL);
      for (int m = 0; m < map->method_count; m++)
        tutti_json_real(json, NULL, cells[tutti_decision_map_cell(map, i, j, m)], 0);
      tutti_json_end(json);
    }
    tutti_json_end(json);
  }
  tutti_json_end(json);
}

void map_report_write_json(const struct map_report *report, bool times, tutti_json *json)
{
  const tutti_decision_map *map = &report->measured->map;
  tutti_column facts[FACTS];
  tutti_table methods = method_table(report, false);
  fill_facts(report->measured, facts);
  tutti_json_object(json, NULL);
  tutti_row_write_json(facts, FACTS, report->measured, json);
  tutti_table_write_json(&methods, json);
  if (!report->decision) {
    tutti_table gains = map_report_gains(report);
    tutti_table_write_json(&gains, json);
    tutti_table_free(&gains);
  }
  if (report->mine.method.algorithm)
    map_mine_write_json(report, json);
  if (report->gaps)
    map_gap_write_json(report, json);
  write_best(report, json);
  if (times)
    write_cells(map, "median_s", map->times, json);
  if (times && tutti_map_is_noisy(map))
    write_cells(map, "noise_s", map->noise, json);
  tutti_json_end(json);
  tutti_table_free(&methods);
}

void map_report_write_table(const struct map_report *report, bool times, tutti_format format)
{
  tutti_column facts[FACTS];
  tutti_table points = times ? map_report_times(report) : map_report_points(report);
  fill_facts(report->measured, facts);
  const tutti_document document = {TUTTI_FACTS(facts, report->measured), .tables = &points, .table_count = 1};
  must(tutti_document_print(&document, format, stdout, &failure));
  tutti_table_free(&points);
}
