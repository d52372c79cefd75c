/* Below a decision map: how many times as fast the best methods are as what a library does by itself. */
#include <math.h>

#include "cli/map/map_report.h"
#include "cli/output/output.h"
#include "decision/maps/map.h"
#include "tutti/library.h"

struct gain_row {
  char over[TUTTI_METHOD_LENGTH];
  tutti_speedup speedup;
  int ranks; /* where it is most */
  uint64_t size;
};

static void get_most_at(tutti_cell *cell, const void *item)
{
  const struct gain_row *row = item;
  char size[24];
  tutti_cell_format(cell, "%d ranks, %s", row->ranks, tutti_size_format(row->size, size));
}

static const tutti_column columns[] = {
    {"over", "over", TUTTI_FIELD(struct gain_row, over), .width = 12},
    {"mean", "mean", TUTTI_FIELD(struct gain_row, speedup.mean), .decimals = 3},
    {"least", "min", TUTTI_FIELD(struct gain_row, speedup.min), .decimals = 3},
    {"most", "max", TUTTI_FIELD(struct gain_row, speedup.max), .decimals = 3},
    {"most with", NULL, .get = get_most_at},
    {NULL, "max_ranks", TUTTI_FIELD(struct gain_row, ranks)},
    {NULL, "max_size_B", TUTTI_FIELD(struct gain_row, size)},
    {"points", "points", TUTTI_FIELD(struct gain_row, speedup.points)},
};

/* A row of what runs in @p before seconds at each point, if that is known anywhere. */
static void add_row(tutti_table *table, const tutti_decision_map *map, const char *over, const double *before,
                    const double *best)
{
  struct gain_row row = {.speedup = tutti_speedup_of(before, best, tutti_decision_map_points(map))};
  if (row.speedup.points == 0)
    return;
  snprintf(row.over, sizeof row.over, "%s", over);
  row.ranks = map->ranks[row.speedup.max_at / (size_t)map->size_count];
  row.size = map->sizes[row.speedup.max_at % (size_t)map->size_count];
  must(tutti_table_add(table, &row, &failure));
}

tutti_table map_report_gains(const struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  size_t points = tutti_decision_map_points(map);
  double *best = tutti_xcalloc(2 * points, sizeof *best), *before = best + points;
  tutti_table table = {.key = "gains", TUTTI_COLUMNS(columns), .row_size = sizeof(struct gain_row), .indent = 4};
  const char *name;
  char text[TUTTI_METHOD_LENGTH];
  int native = tutti_decision_map_native(map);
  for (size_t point = 0; point < points; point++)
    best[point] = tutti_decision_map_best_time(map, point);
  if (native >= 0 && !report->native) {
    for (size_t point = 0; point < points; point++)
      before[point] = map->times[point * (size_t)map->method_count + (size_t)native];
    add_row(&table, map, tutti_method_format(&map->methods[native], text), before, best);
  }
  for (size_t i = 0; (name = tutti_library_name(i)); i++) {
    tutti_decision decision;
    if (tutti_decision_library(name, map->collective, &decision, NULL) != TUTTI_OK)
      continue; /* it has no rule for this collective */
    if (tutti_candidates_concern(&map->candidates, decision.implementation)) {
      tutti_decision_times(map, &decision, before);
      add_row(&table, map, name, before, best);
    }
    tutti_decision_free(&decision);
  }
  free(best);
  return table;
}

/* What the library chooses itself may be faster than all candidates, which do not include it. */
static void print_slower(const tutti_table *table, const tutti_decision_map *map)
{
  const struct gain_row *first = table->rows;
  if (tutti_decision_map_native(map) >= 0 && !map->candidates.native && first->speedup.min < 0.9999)
    print_sentence(4, "Below 1: %s is faster there than all of these methods; with --native it can be best, too.",
                   first->over);
}

/* Gains are of the medians; penalties, learn and export leave out what is noise. */
static void print_noise(const tutti_decision_map *map)
{
  const int native = tutti_decision_map_native(map);
  int ties = 0, points = 0;
  for (int i = 0; i < map->ranks_count && native >= 0; i++)
    for (int j = 0; j < map->size_count; j++) {
      const int best = tutti_decision_map_best_at(map, i, j);
      const bool counts = best >= 0 && best != native && !isnan(tutti_decision_map_time(map, i, j, native));
      points += counts;
      ties += counts && tutti_decision_map_ties(map, i, j, native, best);
    }
  if (ties > 0)
    print_sentence(
        4,
        "By the medians, noise and all: at %d of %d point%s %s/native differs from the best by less than the "
        "noise of both. That counts as no difference for tutti penalty, and for tutti learn, which asks for "
        "%d %% at least, too.",
        ties, points, tutti_plural((uint64_t)points), tutti_collective_name(map->collective), TUTTI_TARGET_MARGIN);
}

void map_report_print_gains(const struct map_report *report)
{
  tutti_table table = map_report_gains(report);
  if (table.row_count > 0) {
    printf("\n  Gain: how many times as fast the best methods are\n");
    must(tutti_table_print(&table, stdout, &failure));
    print_slower(&table, &report->measured->map);
    print_noise(&report->measured->map);
  }
  tutti_table_free(&table);
}
