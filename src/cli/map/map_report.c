/* A decision map: a legend of the winners, a letter per point, and the times behind them. */
#include "cli/map/map_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/output/output.h"
#include "decision/maps/map.h"
#include "tutti/library.h"

enum { GRID_COLUMNS = 80, SHARE_DIGITS = 6 };

/* ---- who won where ---- */

struct map_report map_report_create(const struct measured_map *measured)
{
  const tutti_decision_map *map = &measured->map;
  size_t count = (size_t)map->method_count;
  struct map_report report = {.measured = measured,
                              .mine = -1,
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
    printf("  %*s%s", grid->label, line == lines - 1 ? "size" : "", grid->gap);
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
  printf("  %*s%s", grid->label, tutti_size_format(map->sizes[size_index], text), grid->gap);
  for (int i = first; i < end; i++) {
    int best = tutti_decision_map_best_at(map, i, size_index);
    printf("%*s", grid->pitch, best < 0 ? "." : tutti_marks_letters(&report->marks, best, name));
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

tutti_status map_report_print(const struct map_report *report, tutti_error *error)
{
  const tutti_decision_map *map = &report->measured->map;
  tutti_table legend = method_table(report, true);
  print_sentence(0, "%s on %s, %s %s (methods: %d, communicator sizes: %d, message sizes: %d)",
                 tutti_collective_name(map->collective), report->measured->platform, report->measured->basis,
                 report->measured->basis_name, map->method_count, map->ranks_count, map->size_count);
  printf("\n");
  tutti_status status = tutti_table_print(&legend, stdout, error);
  print_grid(report);
  tutti_table_free(&legend);
  return status;
}

/* ---- notes: candidates, ties, noise, ranks that took turns, and points where methods are missing that would serve
 * them ---- */

struct notes {
  int points, tied[MAP_TIES], incomplete;
};

#define print_note(...) (printf("\n"), print_sentence(2, __VA_ARGS__))

/* Whose methods are compared, where others were measured, too. */
static void print_candidates(const tutti_decision_map *map)
{
  char candidates[TUTTI_CANDIDATES_LENGTH];
  if (tutti_decision_map_mixes(map))
    print_note("Candidates: the methods of %s; those of other implementations were measured, too (--of).",
               tutti_candidates_format(&map->candidates, candidates));
}

/* True if the method was not measured there although it serves such a call. */
static bool is_missing(const tutti_decision_map *map, int ranks_index, int size_index, int m)
{
  const tutti_call call = {
      .size = map->ranks[ranks_index], .count = map->sizes[size_index], .type_size = 1, .commutative = true};
  return isnan(tutti_decision_map_time(map, ranks_index, size_index, m)) &&
         tutti_method_check(&map->methods[m], &call, NULL) == TUTTI_OK;
}

/* What a library cannot be told there cannot be measured. */
static bool can_be_told(const struct measured_map *measured, int ranks_index, int size_index, int m, tutti_error *why)
{
  const tutti_decision_map *map = &measured->map;
  tutti_directives directives;
  return tutti_method_directives(&map->methods[m], map->ranks[ranks_index], map->sizes[size_index], measured->library,
                                 &directives, why) == TUTTI_OK;
}

enum map_tie map_report_tie(const struct map_report *report, int ranks_index, int size_index)
{
  const tutti_decision_map *map = &report->measured->map;
  enum map_tie tie = MAP_TIE_NONE;
  int best = tutti_decision_map_best_at(map, ranks_index, size_index);
  if (best < 0 || report->decision)
    return tie;
  double least = tutti_decision_map_time(map, ranks_index, size_index, best);
  for (int m = 0; m < map->method_count; m++) {
    double time = tutti_decision_map_time(map, ranks_index, size_index, m);
    if (m == best || isnan(time) || !tutti_candidates_have(&map->candidates, &map->methods[m]))
      continue;
    if (time_tie(time, least))
      return MAP_TIE_EQUAL;
    if (tutti_decision_map_ties(map, ranks_index, size_index, m, best))
      tie = MAP_TIE_CLOSE;
  }
  return tie;
}

static void look_at(const struct map_report *report, int ranks_index, int size_index, struct notes *notes)
{
  const tutti_decision_map *map = &report->measured->map;
  bool incomplete = false;
  for (int m = 0; m < map->method_count && !incomplete; m++)
    incomplete = tutti_candidates_have(&map->candidates, &map->methods[m]) &&
                 is_missing(map, ranks_index, size_index, m) &&
                 can_be_told(report->measured, ranks_index, size_index, m, NULL);
  notes->points++;
  notes->tied[map_report_tie(report, ranks_index, size_index)]++;
  notes->incomplete += incomplete;
}

/* At how many points a library cannot be told the method, and the reason at the first of them. */
static int count_untold(const struct measured_map *measured, int m, tutti_error *why)
{
  const tutti_decision_map *map = &measured->map;
  tutti_error other;
  int count = 0;
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++)
      if (tutti_decision_map_best_at(map, i, j) >= 0 && is_missing(map, i, j, m))
        count += !can_be_told(measured, i, j, m, count ? &other : why);
  return count;
}

/* Methods of candidates that are missing at points where they cannot be measured, which makes no map incomplete. */
static void print_untold(const struct measured_map *measured, int points)
{
  const tutti_decision_map *map = &measured->map;
  tutti_error why;
  bool any = false;
  for (int m = 0; m < map->method_count; m++) {
    bool told = map->methods[m].implementation != TUTTI_IMPLEMENTATION_TUTTI &&
                tutti_candidates_have(&map->candidates, &map->methods[m]);
    int count = told ? count_untold(measured, m, &why) : 0;
    if (count > 0)
      printf("%s    at %d of %d point%s %s\n", any ? "" : "\n  Cannot be measured:\n", count, points,
             tutti_plural((uint64_t)points), why.message);
    any = any || count > 0;
  }
}

static double noise_at(const tutti_decision_map *map, int ranks_index, int size_index, int method)
{
  return map->noise[tutti_decision_map_cell(map, ranks_index, size_index, method)];
}

/* True if any time has a known noise: those of real machines, and of several orders of start. */
static bool is_noisy(const tutti_decision_map *map)
{
  for (size_t i = 0; i < tutti_decision_map_points(map) * (size_t)map->method_count; i++)
    if (map->noise[i] > 0)
      return true;
  return false;
}

/* The best times whose noise is largest, in percent of them. */
static void print_noise(const tutti_decision_map *map)
{
  double largest = 0;
  int ranks = 0;
  uint64_t size = 0;
  char text[24];
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++) {
      int best = tutti_decision_map_best_at(map, i, j);
      double noise = best < 0 ? 0 : 100 * noise_at(map, i, j, best) / tutti_decision_map_time(map, i, j, best);
      if (!(noise > largest))
        continue;
      largest = noise;
      ranks = map->ranks[i];
      size = map->sizes[j];
    }
  if (largest > 0)
    print_note("Noise: the best times are known to %.1f %% or better, the least well with %d ranks and %s.", largest,
               ranks, tutti_size_format(size, text));
}

/* Numbers of ranks that had no core each. */
static void print_turns(const struct measured_map *measured)
{
  const tutti_decision_map *map = &measured->map;
  bool any = false;
  for (int i = 0; i < map->ranks_count; i++) {
    int node = map->ranks[i] < map->ranks_per_node ? map->ranks[i] : map->ranks_per_node;
    if (measured->cores == 0 || node <= measured->cores)
      continue;
    printf("%s%d", any ? ", " : "\n  Oversubscribed: ", map->ranks[i]);
    any = true;
  }
  if (any)
    printf(" ranks took turns on %d core%s a node.\n", measured->cores, tutti_plural((size_t)measured->cores));
}

void map_report_print_notes(const struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  struct notes notes = {0};
  print_candidates(map);
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++)
      if (tutti_decision_map_best_at(map, i, j) >= 0)
        look_at(report, i, j, &notes);
  if (notes.tied[MAP_TIE_EQUAL] > 0)
    print_note("Ties: at %d of %d point%s other methods take the same time; the first in the catalogue is shown.",
               notes.tied[MAP_TIE_EQUAL], notes.points, tutti_plural((uint64_t)notes.points));
  if (notes.tied[MAP_TIE_CLOSE] > 0)
    print_note("Close: at %d of %d point%s other methods differ from the best by less than the noise of both.",
               notes.tied[MAP_TIE_CLOSE], notes.points, tutti_plural((uint64_t)notes.points));
  if (notes.incomplete > 0)
    print_note("Incomplete: at %d of %d point%s not all methods have been measured, so a better one may be missing.",
               notes.incomplete, notes.points, tutti_plural((uint64_t)notes.points));
  print_untold(report->measured, notes.points);
  print_noise(map);
  print_turns(report->measured);
}

/* ---- times of each point ---- */

struct point_row {
  int ranks;
  uint64_t size;
  tutti_method best, second; /* second without an algorithm: there is none */
  double best_time, second_time;
  double best_noise, second_noise; /* of real machines */
};

static const tutti_column point_columns[] = {
    {"ranks", "ranks", TUTTI_FIELD(struct point_row, ranks), .width = 8},
    {"size", "size_B", TUTTI_FIELD(struct point_row, size), .get = cell_size, .width = 8, .gap = 1},
    {"best", "best", .at = offsetof(struct point_row, best), .get = cell_method, .width = 9},
    {"median", "median_s", CELL_MICROSECONDS(struct point_row, best_time), .width = 13, .gap = 1},
    {"runner-up", "runner_up", .at = offsetof(struct point_row, second), .get = cell_method, .none = ""},
    {"median", "runner_up_median_s", CELL_MICROSECONDS(struct point_row, second_time), .width = 13, .gap = 1,
     .none = ""},
    {"noise", "noise_s", CELL_MICROSECONDS(struct point_row, best_noise), .width = 11},
    {"runner-up's", "runner_up_noise_s", CELL_MICROSECONDS(struct point_row, second_noise), .width = 13, .none = ""},
};
enum { POINT_KEYS = 2, NOISE_COLUMNS = 2 }; /* the first and the last ones */

/* The fastest candidate at a point other than @p best, first in order of methods among equals; -1 if there is none. */
static int runner_up(const tutti_decision_map *map, int ranks_index, int size_index, int best)
{
  int second = -1;
  double least = INFINITY;
  for (int i = 0; i < map->method_count; i++) {
    double time = tutti_decision_map_time(map, ranks_index, size_index, i);
    if (i == best || !(time < least) || !tutti_candidates_have(&map->candidates, &map->methods[i]))
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
                          .best_noise = noise_at(map, ranks_index, size_index, best),
                          .second_time = NAN,
                          .second_noise = NAN};
  if (second >= 0) {
    row.second = map->methods[second];
    row.second_time = tutti_decision_map_time(map, ranks_index, size_index, second);
    row.second_noise = noise_at(map, ranks_index, size_index, second);
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
      if (tutti_decision_map_best_at(map, i, j) >= 0)
        rows[count++] = point_at(map, i, j, tutti_decision_map_best_at(map, i, j));
  tutti_table table = {
      .key = "points", TUTTI_COLUMNS(point_columns), TUTTI_ROWS(rows, count), .owned = rows, .keys = POINT_KEYS};
  table.column_count -= is_noisy(map) ? 0 : NOISE_COLUMNS;
  return table;
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
enum { FACTS = 8 };

static void fill_facts(const struct measured_map *measured, tutti_column facts[FACTS])
{
  const tutti_column columns[] = {
      {NULL, "collective", .get = get_collective},
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

/* Of all methods: for each number of ranks and size a list. */
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
  if (report->mine >= 0)
    map_mine_write_json(report, json);
  write_best(report, json);
  if (times)
    write_cells(map, "median_s", map->times, json);
  if (times && is_noisy(map))
    write_cells(map, "noise_s", map->noise, json);
  tutti_json_end(json);
  tutti_table_free(&methods);
}

tutti_status map_report_write_csv(const struct map_report *report, tutti_error *error)
{
  tutti_column facts[FACTS];
  tutti_table points = point_table(report);
  fill_facts(report->measured, facts);
  const tutti_document document = {TUTTI_FACTS(facts, report->measured), .tables = &points, .table_count = 1};
  tutti_status status = tutti_document_print(&document, TUTTI_FORMAT_CSV, stdout, error);
  tutti_table_free(&points);
  return status;
}
