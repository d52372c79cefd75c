/* How far the best time of each point of a map is from the lower bound of any method (tutti/certificate.h). */
#include <math.h>

#include "base/numbers.h"
#include "cli/map/map_report.h"
#include "cli/options/common.h"
#include "cli/output/output.h"
#include "harness/engine/machine/bounds.h"

static const char term_letters[TUTTI_TERMS + 1] = "rdpiebc";

/* ---- what has a bound ---- */

static tutti_status check_measured(const struct measured_map *measured, bool calm, tutti_error *error)
{
  if (!tutti_flavor_is_simulated(measured->flavor))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "bounds are those of a simulated platform, and these times are not simulated on one");
  if (measured->scheme >= TUTTI_SCHEME_OURS || !calm)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "bounds are of operations that all ranks begin together: without --arrival and --noise");
  return TUTTI_OK;
}

/* The platform file, which must be the one that was measured on. */
static tutti_status read_machine(const struct measured_map *measured, const char *name, struct engine_machine *machine,
                                 tutti_error *error)
{
  tutti_platform platform;
  tutti_status status = platform_load(name, &platform, error);
  if (status != TUTTI_OK)
    return status;
  if (strcmp(platform.hash, measured->hash) != 0)
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s is not the file that was measured on: measure it, tutti bench",
                        platform.path);
  else
    status = tutti_machine_read(platform.path, machine, error);
  tutti_platform_free(&platform);
  if (status == TUTTI_OK && measured->ranks_per_node > 0)
    machine->ranks_per_node = measured->ranks_per_node;
  if (status == TUTTI_OK)
    machine->tolerance = tutti_flavor_tolerance(measured->flavor);
  return status;
}

/* Of all methods, those that cannot be chosen too. */
static double find_fastest(const tutti_decision_map *map, int ranks_index, int size_index)
{
  double least = INFINITY;
  for (int m = 0; m < map->method_count; m++)
    least = fmin(least, tutti_decision_map_time(map, ranks_index, size_index, m));
  return least;
}

/* What a library does itself is not run as the engine runs schedules: its overheads and computation are others. */
static struct gap_point find_point(const struct measured_map *measured, struct machine_bounds *bounds,
                                   struct gap_proofs *proofs, int ranks_index, int size_index)
{
  const tutti_decision_map *map = &measured->map;
  const int best = tutti_decision_map_best_at(map, ranks_index, size_index);
  struct gap_point point = {
      .ranks = map->ranks[ranks_index], .size = map->sizes[size_index], .time = NAN, .bound = NAN, .percent = NAN};
  if (best < 0)
    return point;
  point.best = map->methods[best];
  point.time = tutti_decision_map_time(map, ranks_index, size_index, best);
  if (tutti_method_is_library(&point.best))
    return point;
  const tutti_certificate certificate = tutti_machine_certify(bounds, map->collective, point.size);
  point.term = certificate.binding;
  point.bound = certificate.seconds;
  point.percent = point.bound > 0 ? 100 * (point.time / point.bound - 1) : NAN;
  point.proven = map_gap_prove(proofs, &point, find_fastest(map, ranks_index, size_index));
  return point;
}

static tutti_status find_all(const struct measured_map *measured, const struct engine_machine *machine,
                             struct gap_point *points, tutti_error *error)
{
  const tutti_decision_map *map = &measured->map;
  tutti_status status = TUTTI_OK;
  for (int r = 0; r < map->ranks_count && status == TUTTI_OK; r++) {
    struct machine_bounds bounds = {0};
    status = tutti_machine_bounds_find(machine, map->ranks[r], measured->root < 0 ? 0 : measured->root, &bounds, error);
    if (status == TUTTI_OK && measured->scheme == TUTTI_SCHEME_OCC)
      status = tutti_machine_bounds_occ(&bounds, 0, error);
    struct gap_proofs *proofs = map_gap_proofs_new(&bounds, map->collective);
    for (int s = 0; s < map->size_count && status == TUTTI_OK; s++)
      points[r * map->size_count + s] = find_point(measured, &bounds, proofs, r, s);
    free(proofs);
    tutti_machine_bounds_free(&bounds);
  }
  return status;
}

tutti_status map_gap_find(const struct measured_map *measured, const char *platform, bool calm,
                          struct gap_point **points, tutti_error *error)
{
  struct engine_machine machine;
  *points = NULL;
  tutti_status status = check_measured(measured, calm, error);
  if (status == TUTTI_OK)
    status = read_machine(measured, platform, &machine, error);
  if (status != TUTTI_OK)
    return status;
  *points = tutti_xcalloc(tutti_decision_map_points(&measured->map) + 1, sizeof **points);
  status = find_all(measured, &machine, *points, error);
  tutti_machine_free(&machine);
  if (status != TUTTI_OK) {
    free(*points);
    *points = NULL;
  }
  return status;
}

/* ---- in short ---- */

struct gap_sum {
  int points, optimal, in_model; /* proven optimal by the bound; and others under the round model */
  double median, max;            /* percent */
  int max_ranks;
  uint64_t max_size;
  int bound_by[TUTTI_TERMS]; /* points */
  tutti_table rows;          /* of gap_point */
};

static void get_term(tutti_cell *cell, const void *item)
{
  const struct gap_point *point = item;
  tutti_cell_format(cell, "%s", isnan(point->bound) ? "" : tutti_term_name(point->term));
}

static bool is_in_model(const struct gap_point *point)
{
  return point->proven && strcmp(point->proven, "model") == 0;
}

/* In words: what is optimal in the model is not proven. */
static void get_proven(tutti_cell *cell, const void *item)
{
  const struct gap_point *point = item;
  tutti_cell_format(cell, "%s", point->proven ? point->proven : "");
  if (is_in_model(point))
    cell->shown = "round model only";
}

static const tutti_column point_columns[] = {
    {"ranks", "ranks", TUTTI_FIELD(struct gap_point, ranks)},
    {"size", "size_B", TUTTI_FIELD(struct gap_point, size), .get = cell_size},
    {"best", "best", .at = offsetof(struct gap_point, best), .get = cell_method},
    {"time", "time_s", CELL_MICROSECONDS(struct gap_point, time)},
    {"bound", "bound_s", CELL_MICROSECONDS(struct gap_point, bound)},
    {"by", "bound_by", .get = get_term},
    {"gap", "gap_percent", TUTTI_FIELD(struct gap_point, percent), .unit = "%", .decimals = 1},
    {"optimal by", "proven", TUTTI_FIELD(struct gap_point, proven), .get = get_proven},
};

static struct gap_sum sum_up(const tutti_decision_map *map, const struct gap_point *gaps)
{
  const size_t points = tutti_decision_map_points(map);
  double *percents = tutti_xcalloc(points + 1, sizeof *percents);
  struct gap_point *kept = tutti_xcalloc(points + 1, sizeof *kept);
  struct gap_sum sum = {.max = -INFINITY, .median = NAN};
  size_t rows = 0;
  for (size_t i = 0; i < points; i++) {
    const struct gap_point *point = &gaps[i];
    if (isnan(point->time))
      continue;
    kept[rows++] = *point;
    if (isnan(point->percent))
      continue;
    percents[sum.points++] = point->percent;
    sum.optimal += point->percent <= MAP_GAP_OPTIMAL;
    sum.in_model += is_in_model(point);
    sum.bound_by[point->term]++;
    if (point->percent <= sum.max)
      continue;
    sum.max = point->percent;
    sum.max_ranks = point->ranks;
    sum.max_size = point->size;
  }
  tutti_doubles_sort(percents, (size_t)sum.points);
  if (sum.points > 0)
    sum.median = tutti_doubles_median(percents, (size_t)sum.points);
  free(percents);
  sum.rows =
      (tutti_table){.key = "bounds", TUTTI_COLUMNS(point_columns), TUTTI_ROWS(kept, rows), .owned = kept, .keys = 2};
  return sum;
}

static void nest_points(tutti_table *table, const void *row)
{
  *table = ((const struct gap_sum *)row)->rows;
  table->owned = NULL;
}

static const tutti_column columns[] = {
    {NULL, "points", TUTTI_FIELD(struct gap_sum, points)},
    {NULL, "optimal", TUTTI_FIELD(struct gap_sum, optimal)},
    {NULL, "optimal_in_model", TUTTI_FIELD(struct gap_sum, in_model)},
    {NULL, "median_percent", TUTTI_FIELD(struct gap_sum, median)},
    {NULL, "max_percent", TUTTI_FIELD(struct gap_sum, max)},
    {NULL, "worst_ranks", TUTTI_FIELD(struct gap_sum, max_ranks)},
    {NULL, "worst_size_B", TUTTI_FIELD(struct gap_sum, max_size)},
    {NULL, "bounds", .nested = nest_points},
};

void map_gap_write_json(const struct map_report *report, tutti_json *json)
{
  struct gap_sum sum = sum_up(&report->measured->map, report->gaps);
  tutti_json_object(json, "gap");
  tutti_row_write_json(columns, (int)(sizeof columns / sizeof *columns), &sum, json);
  tutti_json_end(json);
  tutti_table_free(&sum.rows);
}

void map_gap_write_table(const struct map_report *report, tutti_format format)
{
  struct gap_sum sum = sum_up(&report->measured->map, report->gaps);
  const tutti_document document = {.tables = &sum.rows, .table_count = 1};
  must(tutti_document_print(&document, format, stdout, &failure));
  tutti_table_free(&sum.rows);
}

/* ---- text: "i +12%" where the best method takes 12 % more than injection ---- */

const char *map_gap_letters(const struct gap_point *point, char *text)
{
  if (isnan(point->percent))
    return strcpy(text, "");
  snprintf(text, 4, "%c%s", term_letters[point->term],
           point->percent <= MAP_GAP_OPTIMAL ? "*"
           : is_in_model(point)              ? "m"
                                             : "");
  return text;
}

const char *map_gap_format(const struct gap_point *point, char *text)
{
  char letters[4];
  if (isnan(point->percent))
    return strcpy(text, ".");
  map_gap_letters(point, letters);
  snprintf(text, 24, "%c +%.*f%%%s", *letters, point->percent < 9.95 ? 1 : 0, point->percent, letters + 1);
  return text;
}

static void get_gap(tutti_cell *cell, const void *item)
{
  const struct map_line *row = item;
  const struct map_report *report = row->about;
  char text[24];
  const size_t point = (size_t)(cell->column->index * report->measured->map.size_count + row->size_index);
  tutti_cell_format(cell, "%s", map_gap_format(&report->gaps[point], text));
}

char *map_gap_summary(const tutti_decision_map *map, const struct gap_point *gaps)
{
  struct gap_sum sum = sum_up(map, gaps);
  char size[24], model[160] = "", *summary = NULL;
  if (sum.in_model > 0)
    snprintf(model, sizeof model, "; at %d more that holds in the round model only (" MAP_GAP_MODEL ")", sum.in_model);
  if (sum.points > 0)
    summary = tutti_xprintf("in the median %.1f %%, at most %.1f %% (%d ranks, %s); at %d of %d point%s no method can "
                            "be faster by more than %.0f %%%s",
                            sum.median, sum.max, sum.max_ranks, tutti_size_format(sum.max_size, size), sum.optimal,
                            sum.points, tutti_plural((uint64_t)sum.points), MAP_GAP_OPTIMAL, model);
  tutti_table_free(&sum.rows);
  return summary;
}

static void print_marks(const struct gap_sum *sum)
{
  if (sum->optimal > 0)
    printf("    *  proven optimal at %d point%s: no method can be faster by more than %.0f %%\n", sum->optimal,
           tutti_plural((uint64_t)sum->optimal), MAP_GAP_OPTIMAL);
  if (sum->in_model > 0)
    print_sentence(4, "m  not proven, optimal in the round model only, at %d point%s: " MAP_GAP_MODEL, sum->in_model,
                   tutti_plural((uint64_t)sum->in_model));
}

/* Gaps are those of the best that was measured: "" or what was left out. */
static const char *segments_note(const tutti_decision_map *map)
{
  bool takes = false;
  for (int m = 0; m < map->method_count; m++) {
    if (map->methods[m].parameters.segment_bytes > 0)
      return "";
    takes = takes || map->methods[m].algorithm->parameters & TUTTI_TAKES_SEGMENT;
  }
  return takes ? " All methods were measured without segments, with which some may be nearer to the bound: tutti bench "
                 "--segments=8KB,64KB."
               : "";
}

static void print_terms(const struct gap_sum *sum)
{
  printf("\n");
  for (int i = 0; i < TUTTI_TERMS; i++)
    if (sum->bound_by[i] > 0)
      printf("    %c  %-11s  the largest lower bound at %d point%s\n", term_letters[i], tutti_term_name((tutti_term)i),
             sum->bound_by[i], tutti_plural((uint64_t)sum->bound_by[i]));
}

void map_gap_print(const struct map_report *report)
{
  static const tutti_column cell = {.get = get_gap};
  struct gap_sum sum = sum_up(&report->measured->map, report->gaps);
  putchar('\n');
  print_sentence(2, "How much more time the best method takes than the lower bound of any method, by size and ranks");
  map_grid_print(&report->measured->map, report, &cell, 4, false);
  print_terms(&sum);
  print_marks(&sum);
  putchar('\n');
  char *summary = map_gap_summary(&report->measured->map, report->gaps);
  print_sentence(
      2, "%s%s.%s", summary ? "The best methods take more time than the lower bound: " : "",
      summary ? summary
              : "No point has a bound: the best methods are those of a library, or the barrier of the scheme occ hides "
                "so much: --scheme window",
      segments_note(&report->measured->map));
  free(summary);
  tutti_table_free(&sum.rows);
}
