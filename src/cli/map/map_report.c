/* A decision map: a legend of the winners, a letter per point, and the times behind them. */
#include "cli/map/map_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/output/output.h"
#include "decision/maps/map.h"

enum { GRID_COLUMNS = 100, SHARE_DIGITS = 6 };

/* ---- who won where ---- */

int map_report_best(const struct map_report *report, int ranks_index, int size_index)
{
  const tutti_decision_map *map = &report->measured->map;
  return map->best[(size_t)ranks_index * (size_t)map->size_count + (size_t)size_index];
}

struct map_report map_report_create(const struct measured_map *measured)
{
  const tutti_decision_map *map = &measured->map;
  size_t count = (size_t)map->method_count;
  struct map_report report = {
      .measured = measured, .points = tutti_xcalloc(count, sizeof(int)), .winner = tutti_xcalloc(count, sizeof(int))};
  for (int point = 0; point < map->ranks_count * map->size_count; point++)
    if (map->best[point] < 0) {
      report.missing_points++;
    } else {
      report.points[map->best[point]]++;
      report.measured_points++;
    }
  for (int m = 0; m < map->method_count; m++)
    report.winner[m] = report.points[m] > 0 ? report.winner_count++ : -1;
  return report;
}

void map_report_free(struct map_report *report)
{
  free(report->points);
  free(report->winner);
}

const char *map_report_name(const struct map_report *report, int winner, char name[REPORT_LETTERS_LENGTH])
{
  return tutti_report_letters(winner, report->winner_count, name);
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
  if (report->winner[method] >= 0)
    map_report_name(report, report->winner[method], row.letters);
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

/* ---- the grid of letters ---- */

/* Where the grid stands on the line. */
struct grid {
  int label;       /* columns of the label of a row */
  int digits;      /* of the largest number of ranks */
  int pitch;       /* columns from one cell to the next */
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
  int width = tutti_report_letters_width(report->winner_count), widest = max_of(width, grid.digits);
  long room = (terminal > 0 ? terminal : GRID_COLUMNS) - 2 - grid.label;
  grid.upright = (long)(widest + 1) * map->ranks_count > room;
  grid.pitch = grid.upright ? width : widest;
  grid.pitch += (long)(grid.pitch + 1) * map->ranks_count <= room || !grid.upright;
  grid.gap = grid.pitch > width ? "" : " ";
  return grid;
}

static void print_ranks(const tutti_decision_map *map, const struct grid *grid)
{
  char number[16];
  int lines = grid->upright ? grid->digits : 1;
  printf("\n  %*s  ranks\n", grid->label, "");
  for (int line = 0; line < lines; line++) {
    printf("  %*s%s", grid->label, line == lines - 1 ? "size" : "", grid->gap);
    for (int i = 0; i < map->ranks_count; i++) {
      snprintf(number, sizeof number, "%*d", grid->digits, map->ranks[i]);
      if (grid->upright)
        printf("%*c", grid->pitch, number[line]);
      else
        printf("%*d", grid->pitch, map->ranks[i]);
    }
    printf("\n");
  }
}

static void print_cells(const struct map_report *report, const struct grid *grid, int size_index)
{
  const tutti_decision_map *map = &report->measured->map;
  char text[24], name[REPORT_LETTERS_LENGTH];
  printf("  %*s%s", grid->label, tutti_size_format(map->sizes[size_index], text), grid->gap);
  for (int i = 0; i < map->ranks_count; i++) {
    int best = map_report_best(report, i, size_index);
    printf("%*s", grid->pitch, best < 0 ? "." : map_report_name(report, report->winner[best], name));
  }
  printf("\n");
}

tutti_status map_report_print(const struct map_report *report, tutti_error *error)
{
  const tutti_decision_map *map = &report->measured->map;
  struct grid grid = lay_out(report);
  tutti_table legend = method_table(report, true);
  printf("%s on %s, %s %s (methods: %d, communicator sizes: %d, message sizes: %d)\n\n",
         tutti_collective_name(map->collective), report->measured->platform, report->measured->basis,
         report->measured->basis_name, map->method_count, map->ranks_count, map->size_count);
  tutti_status status = tutti_table_print(&legend, stdout, error);
  print_ranks(map, &grid);
  for (int j = 0; j < map->size_count; j++)
    print_cells(report, &grid, j);
  tutti_table_free(&legend);
  return status;
}

/* ---- notes: ties, and points where methods are missing that would serve them ---- */

struct notes {
  int points, tied, incomplete;
};

/* True if the method was not measured there although it supports such a call. */
static bool is_missing(const tutti_decision_map *map, int ranks_index, int size_index, int m)
{
  const tutti_call call = {
      .size = map->ranks[ranks_index], .count = map->sizes[size_index], .type_size = 1, .commutative = true};
  return isnan(tutti_decision_map_time(map, ranks_index, size_index, m)) &&
         tutti_method_check(&map->methods[m], &call, NULL) == TUTTI_OK;
}

static void look_at(const tutti_decision_map *map, int ranks_index, int size_index, int best, struct notes *notes)
{
  double least = tutti_decision_map_time(map, ranks_index, size_index, best);
  bool tied = false, incomplete = false;
  for (int m = 0; m < map->method_count; m++) {
    double time = tutti_decision_map_time(map, ranks_index, size_index, m);
    incomplete = incomplete || is_missing(map, ranks_index, size_index, m);
    tied = tied || (m != best && !isnan(time) && time_tie(time, least));
  }
  notes->points++;
  notes->tied += tied;
  notes->incomplete += incomplete;
}

void map_report_print_notes(const struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  struct notes notes = {0};
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++)
      if (map_report_best(report, i, j) >= 0)
        look_at(map, i, j, map_report_best(report, i, j), &notes);
  if (notes.tied > 0)
    printf("\n  Ties: at %d of %d points other methods take the same time; the first in the catalogue is shown.\n",
           notes.tied, notes.points);
  if (notes.incomplete > 0)
    printf("\n  Incomplete: at %d of %d points not all methods have been measured, so a better one may be missing.\n",
           notes.incomplete, notes.points);
}

/* ---- times of each point ---- */

struct point_row {
  int ranks;
  uint64_t size;
  tutti_method best, second; /* second without an algorithm: there is none */
  double best_time, second_time;
};

static const tutti_column point_columns[] = {
    {"ranks", "ranks", TUTTI_FIELD(struct point_row, ranks), .width = 8},
    {"size", "size_B", TUTTI_FIELD(struct point_row, size), .get = cell_size, .width = 8, .gap = 1},
    {"best", "best", .at = offsetof(struct point_row, best), .get = cell_method, .width = 9},
    {"median", "median_s", CELL_MICROSECONDS(struct point_row, best_time), .width = 13, .gap = 1},
    {"runner-up", "runner_up", .at = offsetof(struct point_row, second), .get = cell_method, .none = ""},
    {"median", "runner_up_median_s", CELL_MICROSECONDS(struct point_row, second_time), .width = 13, .gap = 1,
     .none = ""},
};

/* The fastest method at a point other than @p best, first in order of methods among equals; -1 if there is none. */
static int runner_up(const tutti_decision_map *map, int ranks_index, int size_index, int best)
{
  int second = -1;
  double least = INFINITY;
  for (int i = 0; i < map->method_count; i++) {
    double time = tutti_decision_map_time(map, ranks_index, size_index, i);
    if (i == best || !(time < least))
      continue;
    second = i;
    least = time;
  }
  return second;
}

static struct point_row point_at(const tutti_decision_map *map, int ranks_index, int size_index, int best)
{
  int second = runner_up(map, ranks_index, size_index, best);
  struct point_row row = {.ranks = map->ranks[ranks_index],
                          .size = map->sizes[size_index],
                          .best = map->methods[best],
                          .best_time = tutti_decision_map_time(map, ranks_index, size_index, best),
                          .second_time = NAN};
  if (second >= 0) {
    row.second = map->methods[second];
    row.second_time = tutti_decision_map_time(map, ranks_index, size_index, second);
  }
  return row;
}

static tutti_table point_table(const struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  struct point_row *rows = tutti_xcalloc((size_t)report->measured_points + 1, sizeof *rows);
  int count = 0;
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++)
      if (map_report_best(report, i, j) >= 0)
        rows[count++] = point_at(map, i, j, map_report_best(report, i, j));
  return (tutti_table){.key = "points", TUTTI_COLUMNS(point_columns), TUTTI_ROWS(rows, count), .owned = rows};
}

tutti_status map_report_print_times(const struct map_report *report, tutti_error *error)
{
  tutti_table table = point_table(report);
  printf("\n");
  tutti_status status = tutti_table_print(&table, stdout, error);
  tutti_table_free(&table);
  return status;
}

/* ---- JSON and CSV ---- */

static void get_collective(tutti_cell *cell, const void *row, const tutti_column *column)
{
  (void)column;
  cell->type = TUTTI_CELL_TEXT;
  cell->text = tutti_collective_name(((const struct measured_map *)row)->map.collective);
}

/* What the map is of; the basis is a scheme or a model. */
static void fill_facts(const struct measured_map *measured, tutti_column facts[6])
{
  const tutti_column columns[] = {
      {NULL, "collective", .get = get_collective},
      {NULL, "platform", TUTTI_FIELD(struct measured_map, platform)},
      {NULL, measured->basis, TUTTI_FIELD(struct measured_map, basis_name), .get = cell_basis},
      {NULL, "patterns", TUTTI_FIELD(struct measured_map, basis_name), .get = cell_patterns},
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
      if (map_report_best(report, i, j) < 0)
        tutti_json_null(json, NULL);
      else
        tutti_json_integer(json, NULL, map_report_best(report, i, j));
    tutti_json_end(json);
  }
  tutti_json_end(json);
}

static void write_times(const tutti_decision_map *map, tutti_json *json)
{
  tutti_json_array(json, "median_s");
  for (int i = 0; i < map->ranks_count; i++) {
    tutti_json_array(json, NULL);
    for (int j = 0; j < map->size_count; j++) {
      tutti_json_array(json, NULL);
      for (int m = 0; m < map->method_count; m++)
        tutti_json_real(json, NULL, tutti_decision_map_time(map, i, j, m), 0);
      tutti_json_end(json);
    }
    tutti_json_end(json);
  }
  tutti_json_end(json);
}

void map_report_write_json(const struct map_report *report, bool times, tutti_json *json)
{
  tutti_column facts[6];
  tutti_table methods = method_table(report, false);
  fill_facts(report->measured, facts);
  tutti_json_object(json, NULL);
  tutti_row_write_json(facts, 6, report->measured, json);
  tutti_table_write_json(&methods, json);
  write_best(report, json);
  if (times)
    write_times(&report->measured->map, json);
  tutti_json_end(json);
  tutti_table_free(&methods);
}

tutti_status map_report_write_csv(const struct map_report *report, tutti_error *error)
{
  tutti_column facts[6];
  tutti_table points = point_table(report);
  fill_facts(report->measured, facts);
  const tutti_document document = {TUTTI_FACTS(facts, report->measured), .tables = &points, .table_count = 1};
  tutti_status status = tutti_document_print(&document, TUTTI_FORMAT_CSV, stdout, error);
  tutti_table_free(&points);
  return status;
}
