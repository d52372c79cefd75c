/* The times that a decision map is made of: the best and the second best method of each point; and those of the library
   alone, which are no map. */
#include "cli/map/map_report.h"

#include <math.h>

#include "cli/output/output.h"
#include "cli/report/map_notes.h"

/* ---- noise ---- */

double map_noise_at(const tutti_decision_map *map, int ranks_index, int size_index, int method)
{
  return map->noise[tutti_decision_map_cell(map, ranks_index, size_index, method)];
}

/* ---- the table ---- */

struct point_row {
  int ranks;
  uint64_t size;
  tutti_method best, second; /* second without an algorithm: only one was measured */
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

/* The fastest candidate at a point other than @p best, first in order of methods among equals; -1: no other. */
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
                          .best_noise = map_noise_at(map, ranks_index, size_index, best),
                          .second_time = NAN,
                          .second_noise = NAN};
  if (second >= 0) {
    row.second = map->methods[second];
    row.second_time = tutti_decision_map_time(map, ranks_index, size_index, second);
    row.second_noise = map_noise_at(map, ranks_index, size_index, second);
  }
  return row;
}

tutti_table map_report_points(const struct map_report *report)
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
  table.column_count -= tutti_map_is_noisy(map) ? 0 : NOISE_COLUMNS;
  return table;
}

/* A method at a point. */
struct time_row {
  int ranks;
  uint64_t size;
  tutti_method method;
  double time, noise;
};

tutti_table map_report_times(const struct map_report *report)
{
  static const tutti_column columns[] = {
      {"ranks", "ranks", TUTTI_FIELD(struct time_row, ranks)},
      {"size", "size_B", TUTTI_FIELD(struct time_row, size), .get = cell_size},
      {"method", "method", .at = offsetof(struct time_row, method), .get = cell_method},
      {"median", "median_s", CELL_MICROSECONDS(struct time_row, time)},
      {"noise", "noise_s", CELL_MICROSECONDS(struct time_row, noise)},
  };
  const tutti_decision_map *map = &report->measured->map;
  const int points = map->ranks_count * map->size_count;
  struct time_row *rows = tutti_xcalloc((size_t)points * (size_t)map->method_count + 1, sizeof *rows);
  int count = 0;
  for (int i = 0; i < points * map->method_count; i++) {
    const int point = i / map->method_count, method = i % map->method_count;
    const int ranks = point / map->size_count, size = point % map->size_count;
    rows[count] =
        (struct time_row){map->ranks[ranks], map->sizes[size], map->methods[method],
                          tutti_decision_map_time(map, ranks, size, method), map_noise_at(map, ranks, size, method)};
    count += !isnan(rows[count].time);
  }
  tutti_table table = {.key = "times", TUTTI_COLUMNS(columns), TUTTI_ROWS(rows, count), .owned = rows, .keys = 3};
  table.column_count -= tutti_map_is_noisy(map) ? 0 : 1;
  return table;
}

void map_report_print_times(const struct map_report *report)
{
  tutti_table table = map_report_points(report);
  printf("\n");
  must(tutti_table_print(&table, stdout, &failure));
  tutti_table_free(&table);
}

/* ---- what the library chooses itself, where nothing else was measured ---- */

TUTTI_GETTER(get_native, struct map_line, tutti_decision_map_time(row->about, cell->column->index, row->size_index, 0))

void map_report_print_native(const struct map_report *report)
{
  static const tutti_column time = {.get = get_native, .scale = 1e6, .decimals = 3, .none = "."};
  const struct measured_map *measured = report->measured;
  const char *collective = tutti_collective_name(measured->map.collective);
  print_sentence(0, "%s on %s, %s %s (%s/native alone, communicator sizes: %d, message sizes: %d)", collective,
                 measured->platform, measured->basis, measured->basis_name, collective, measured->map.ranks_count,
                 measured->map.size_count);
  printf("\n  Times of what the library chooses itself [us], by size and ranks\n");
  map_grid_print(&measured->map, &measured->map, &time, 4, false);
}
