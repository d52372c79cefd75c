/* tutti whatif: two decision maps in one: times, summary, and all of it in JSON. */
#include <math.h>

#include "cli/whatif/whatif.h"

/* ---- the maps ---- */

static bool is_same_map(const tutti_measurement *left, const tutti_measurement *right)
{
  return left->method.algorithm->collective == right->method.algorithm->collective && left->root == right->root &&
         left->type_size == right->type_size;
}

/* The next map of the measurements from number *from on, which is moved after it. */
static void read_map(const struct whatif *whatif, size_t *from, struct whatif_map *map)
{
  const tutti_run_comparison *comparison = &whatif->comparison;
  const tutti_measurement *first = &comparison->measurements[BEFORE][*from];
  size_t count = 1;
  while (*from + count < comparison->count && is_same_map(first, first + count))
    count++;
  *map = (struct whatif_map){
      .whatif = whatif, .root = first->root, .scheme = tutti_scheme_name(whatif->experiments[0].measure.scheme)};
  must(tutti_decision_map_create(first, count, &map->maps[BEFORE], &failure));
  must(tutti_decision_map_create(&comparison->measurements[AFTER][*from], count, &map->maps[AFTER], &failure));
  must(tutti_decision_map_compare(&map->maps[BEFORE], &map->maps[AFTER], &map->comparison, &failure));
  *from += count;
}

void whatif_maps_read(const struct whatif *whatif, struct whatif_maps *maps)
{
  for (size_t at = 0; at < whatif->comparison.count;) {
    struct whatif_map map;
    read_map(whatif, &at, &map);
    tutti_xpush(maps, map);
  }
}

void whatif_maps_free(struct whatif_maps *maps)
{
  for (size_t i = 0; i < maps->count; i++) {
    tutti_decision_map_free(&maps->items[i].maps[BEFORE]);
    tutti_decision_map_free(&maps->items[i].maps[AFTER]);
  }
  tutti_vector_free(maps);
}

size_t whatif_map_points(const struct whatif_map *map)
{
  return (size_t)map->maps[BEFORE].ranks_count * (size_t)map->maps[BEFORE].size_count;
}

static int ranks_of(const struct whatif_map *map, size_t point)
{
  return map->maps[BEFORE].ranks[point / (size_t)map->maps[BEFORE].size_count];
}

static uint64_t size_of(const struct whatif_map *map, size_t point)
{
  return map->maps[BEFORE].sizes[point % (size_t)map->maps[BEFORE].size_count];
}

static double time_of(const tutti_decision_map *map, size_t point, int method)
{
  return method < 0 ? NAN : map->times[point * (size_t)map->method_count + (size_t)method];
}

/* ---- points and methods: their times before and after ---- */

struct time_row {
  const struct whatif_map *map;
  size_t point;
  tutti_collective collective;
  int root, ranks;
  uint64_t size;
  tutti_method methods[2]; /* without an algorithm: none */
  double before, after, speedup;
  double staying; /* after, with the best method before */
};

static struct time_row row_at(const struct whatif_map *map, size_t point, int before, int after)
{
  const tutti_decision_map *maps = map->maps;
  struct time_row row = {.map = map,
                         .point = point,
                         .collective = maps->collective,
                         .root = map->root,
                         .ranks = ranks_of(map, point),
                         .size = size_of(map, point),
                         .before = time_of(&maps[BEFORE], point, before),
                         .after = time_of(&maps[AFTER], point, after),
                         .staying = time_of(&maps[AFTER], point, before)};
  row.speedup = whatif_ratio(row.before, row.after);
  if (before >= 0)
    row.methods[BEFORE] = maps[BEFORE].methods[before];
  if (after >= 0)
    row.methods[AFTER] = maps[AFTER].methods[after];
  return row;
}

/* "bcast/linear -> bcast/chain" */
static void get_best(tutti_cell *cell, const void *item)
{
  const struct time_row *row = item;
  char before[TUTTI_METHOD_LENGTH], after[TUTTI_METHOD_LENGTH];
  tutti_method_format(&row->methods[BEFORE], before);
  tutti_method_format(&row->methods[AFTER], after);
  if (strcmp(before, after) == 0)
    tutti_cell_format(cell, "%s", before);
  else
    tutti_cell_format(cell, "%s -> %s", before, after);
}

/* An asterisk after the best before, a plus after the best after. */
static void get_marked(tutti_cell *cell, const void *item)
{
  const struct time_row *row = item;
  const tutti_decision_map *maps = row->map->maps;
  char text[TUTTI_METHOD_LENGTH];
  int method = tutti_decision_map_find(&maps[BEFORE], &row->methods[BEFORE]);
  tutti_cell_format(cell, "%s%s%s", tutti_method_format(&row->methods[BEFORE], text),
                    maps[BEFORE].best[row->point] == method ? " *" : "",
                    maps[AFTER].best[row->point] == method ? " +" : "");
}

static const tutti_column method_columns[] = {
    {"ranks", NULL, TUTTI_FIELD(struct time_row, ranks), .width = 7},
    {"size", NULL, TUTTI_FIELD(struct time_row, size), .get = cell_size, .width = 8},
    {NULL, "method", .at = offsetof(struct time_row, methods), .get = cell_method},
    WHATIF_TIME_COLUMNS(struct time_row, "before_s", "after_s"),
    {"method (* best before, + best after)", NULL, .get = get_marked, .gap = 2},
};

/* All methods that have a time in both. */
static void add_methods(const struct whatif_map *map, size_t point, tutti_table *table)
{
  for (int m = 0; m < map->maps[BEFORE].method_count; m++) {
    const struct time_row row = row_at(map, point, m, m);
    if (!isnan(row.before) && !isnan(row.after))
      must(tutti_table_add(table, &row, &failure));
  }
}

static void nest_methods(tutti_table *table, const void *item)
{
  const struct time_row *row = item;
  *table = (tutti_table){.key = table->key, TUTTI_COLUMNS(method_columns), .row_size = sizeof *row};
  add_methods(row->map, row->point, table);
}

/* Collective and root are for CSV, where the points of all maps are in one table; the methods are for --all. */
static const tutti_column point_columns[] = {
    {NULL, "collective", .at = offsetof(struct time_row, collective), .get = cell_collective},
    {NULL, "root", TUTTI_FIELD(struct time_row, root)},
    {"ranks", "ranks", TUTTI_FIELD(struct time_row, ranks), .width = 7},
    {"size", "size_B", TUTTI_FIELD(struct time_row, size), .get = cell_size, .width = 8},
    {NULL, "before.method", .at = offsetof(struct time_row, methods[BEFORE]), .get = cell_method},
    {"before", "before.time_s", CELL_MICROSECONDS(struct time_row, before), .width = 13},
    {NULL, "after.method", .at = offsetof(struct time_row, methods[AFTER]), .get = cell_method},
    {"after", "after.time_s", CELL_MICROSECONDS(struct time_row, after), .width = 13},
    {"speed-up", "speedup", TUTTI_FIELD(struct time_row, speedup), .decimals = 3, .width = 8},
    {"best before -> best after", NULL, .get = get_best, .gap = 2},
    {NULL, "staying_s", TUTTI_FIELD(struct time_row, staying)},
    {NULL, "methods", .nested = nest_methods},
};

enum { CSV_COLUMNS = 2, POINT_COLUMNS = sizeof point_columns / sizeof *point_columns };

static void add_points(const struct whatif_map *map, bool known_only, tutti_table *table)
{
  for (size_t point = 0; point < whatif_map_points(map); point++) {
    const struct time_row row = row_at(map, point, map->maps[BEFORE].best[point], map->maps[AFTER].best[point]);
    if (!known_only || (row.methods[BEFORE].algorithm && row.methods[AFTER].algorithm))
      must(tutti_table_add(table, &row, &failure));
  }
}

static tutti_table empty_point_table(const struct whatif_map *map)
{
  return (tutti_table){.columns = point_columns + CSV_COLUMNS,
                       .column_count = POINT_COLUMNS - CSV_COLUMNS - (map->whatif->options->all ? 0 : 1),
                       .row_size = sizeof(struct time_row),
                       .indent = 2,
                       .gap = 1};
}

static void nest_points(tutti_table *table, const void *row)
{
  const char *key = table->key;
  *table = empty_point_table(row);
  table->key = key;
  add_points(row, false, table);
}

tutti_table whatif_point_table(const struct whatif_maps *maps)
{
  tutti_table table = {.key = "points", TUTTI_COLUMNS(point_columns), .row_size = sizeof(struct time_row)};
  for (size_t i = 0; i < maps->count; i++)
    add_points(&maps->items[i], false, &table);
  return table;
}

static void print_best_times(const struct whatif_map *map)
{
  tutti_table table = empty_point_table(map);
  add_points(map, true, &table);
  must(tutti_table_print(&table, stdout, &failure));
  tutti_table_free(&table);
}

static void print_all_times(const struct whatif_map *map)
{
  tutti_table table = {TUTTI_COLUMNS(method_columns), .row_size = sizeof(struct time_row), .indent = 2, .gap = 1};
  for (size_t point = 0; point < whatif_map_points(map); point++)
    add_methods(map, point, &table);
  must(tutti_table_print(&table, stdout, &failure));
  tutti_table_free(&table);
}

/* ---- summary ---- */

/* @p at counts points; with @p methods methods, of which each point has so many. */
static void print_extreme(FILE *stream, const char *what, double ratio, const struct whatif_map *map, size_t at,
                          size_t methods)
{
  const size_t point = methods ? at / methods : at;
  char size[24], method[TUTTI_METHOD_LENGTH] = "";
  if (methods)
    tutti_method_format(&map->maps[BEFORE].methods[at % methods], method);
  fprintf(stream, ", %s %.3f (%d rank%s, %s%s%s)", what, ratio, ranks_of(map, point),
          tutti_plural((uint64_t)ranks_of(map, point)), tutti_size_format(size_of(map, point), size),
          *method ? ", " : "", method);
}

static void print_speedup(const struct whatif_map *map, const char *title, const tutti_speedup *speedup, bool all)
{
  const size_t methods = all ? (size_t)map->maps[BEFORE].method_count : 0;
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  fprintf(text.stream, "%s: speed-up %.3f", title, speedup->mean);
  if (!all)
    fprintf(text.stream, " (geometric mean of %zu point%s)", speedup->points, tutti_plural(speedup->points));
  print_extreme(text.stream, "least", speedup->min, map, speedup->min_at, methods);
  print_extreme(text.stream, "most", speedup->max, map, speedup->max_at, methods);
  print_stream(2, &text);
}

static void print_staying(const tutti_decision_map_comparison *comparison)
{
  const tutti_penalty *staying = &comparison->staying;
  char size[24];
  print_sentence(
      2,
      "Another method is best at %d of %d point%s (%.1f %%); at %d of them staying with the old one costs more "
      "than 1 %%.",
      comparison->changed, comparison->points, tutti_plural((uint64_t)comparison->points),
      100.0 * comparison->changed / comparison->points, comparison->costly);
  if (staying->points == 0)
    return;
  print_sentence(
      2,
      "Staying with all old decisions costs %.2f %% in the mean, %.2f %% in the median, at most %.2f %% (%d rank%s, "
      "%s); at most 5 %% at %.1f %% of the points.",
      staying->mean, staying->median, staying->max, staying->worst_ranks, tutti_plural((uint64_t)staying->worst_ranks),
      tutti_size_format(staying->worst_size, size), 100 * staying->within_5);
}

/* ---- text ---- */

static void print_title(const struct whatif_map *map)
{
  const tutti_decision_map *before = &map->maps[BEFORE];
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  fprintf(text.stream, "%s", tutti_collective_name(before->collective));
  if (tutti_collective_traits(before->collective) & TUTTI_HAS_ROOT)
    fprintf(text.stream, " from root %d", map->root);
  fprintf(text.stream, " in %s, scheme %s (methods: %d, communicator sizes: %d, message sizes: %d)",
          map->whatif->experiments[0].name, map->scheme, before->method_count, before->ranks_count, before->size_count);
  putchar('\n');
  print_stream(0, &text);
  putchar('\n');
}

void whatif_map_print(const struct whatif_map *map)
{
  print_title(map);
  if (map->whatif->options->all)
    print_all_times(map);
  else
    print_best_times(map);
  putchar('\n');
  print_speedup(map, "Best methods", &map->comparison.best, false);
  print_speedup(map, "All methods", &map->comparison.all, true);
  if (map->comparison.points == 0)
    return;
  print_staying(&map->comparison);
  whatif_map_print_letters(map);
}

/* ---- JSON ---- */

static const tutti_column staying_columns[] = {
    {NULL, "points", TUTTI_FIELD(tutti_penalty, points)},
    {NULL, "mean_percent", TUTTI_FIELD(tutti_penalty, mean)},
    {NULL, "median_percent", TUTTI_FIELD(tutti_penalty, median)},
    {NULL, "max_percent", TUTTI_FIELD(tutti_penalty, max)},
    {NULL, "worst_ranks", TUTTI_FIELD(tutti_penalty, worst_ranks)},
    {NULL, "worst_size_B", TUTTI_FIELD(tutti_penalty, worst_size)},
    {NULL, "within_5_share", TUTTI_FIELD(tutti_penalty, within_5)},
};

static void write_staying(tutti_json *json, const void *row, const tutti_column *column)
{
  const tutti_penalty *staying = &((const struct whatif_map *)row)->comparison.staying;
  if (staying->points == 0) {
    tutti_json_null(json, column->key);
    return;
  }
  tutti_json_object(json, column->key);
  tutti_row_write_json(staying_columns, sizeof staying_columns / sizeof *staying_columns, staying, json);
  tutti_json_end(json);
}

#define SPEEDUP_COLUMNS(key, member)                                                                                   \
  {NULL, key ".points", TUTTI_FIELD(struct whatif_map, comparison.member.points)},                                     \
      {NULL, key ".mean", TUTTI_FIELD(struct whatif_map, comparison.member.mean)},                                     \
      {NULL, key ".min", TUTTI_FIELD(struct whatif_map, comparison.member.min)},                                       \
  {                                                                                                                    \
    NULL, key ".max", TUTTI_FIELD(struct whatif_map, comparison.member.max)                                            \
  }

static const tutti_column map_columns[] = {
    {NULL, "collective", .at = offsetof(struct whatif_map, maps[BEFORE].collective), .get = cell_collective},
    {NULL, "root", TUTTI_FIELD(struct whatif_map, root)},
    {NULL, "scheme", TUTTI_FIELD(struct whatif_map, scheme)},
    SPEEDUP_COLUMNS("speedup_of_best", best),
    SPEEDUP_COLUMNS("speedup_of_all", all),
    {NULL, "points", TUTTI_FIELD(struct whatif_map, comparison.points)},
    {NULL, "changed", TUTTI_FIELD(struct whatif_map, comparison.changed)},
    {NULL, "changed_at_more_than_1_percent", TUTTI_FIELD(struct whatif_map, comparison.costly)},
    {NULL, "staying", .list = write_staying},
    {NULL, "cells", .nested = nest_points},
    {NULL, "crossovers", .nested = whatif_nest_crossovers},
};

tutti_table whatif_map_table(const struct whatif_maps *maps)
{
  return (tutti_table){.key = "maps", TUTTI_COLUMNS(map_columns), TUTTI_ROWS(maps->items, maps->count)};
}
