/* What is said of an algorithm's place: a sentence, tables, documents. */
#include <math.h>

#include "cli/output/output.h"
#include "cli/place/place.h"

/* ---- the sentence ---- */

static const char *ordinal(int number)
{
  static const char *const endings[] = {"th", "st", "nd", "rd"};
  return number % 100 / 10 == 1 || number % 10 > 3 ? "th" : endings[number % 10];
}

static void say_won(const struct placed *placed, FILE *stream)
{
  char name[TUTTI_METHOD_LENGTH], size[24];
  fprintf(stream, "%s is ", placed->name);
  if (placed->won == 0)
    fprintf(stream, "nowhere the fastest of %zu point%s", placed->points, tutti_plural(placed->points));
  else
    fprintf(stream, "the fastest at %zu of %zu point%s, by up to %.3g %% over %s (%d ranks, %s)", placed->won,
            placed->points, tutti_plural(placed->points), placed->gain, tutti_method_format(&placed->over, name),
            placed->over_ranks, tutti_size_format(placed->over_size, size));
  if (placed->tied > 0)
    fprintf(stream, ", and as fast as the fastest at %zu%s", placed->tied, placed->won > 0 ? " more" : "");
  if (placed->optimal > 0)
    fprintf(stream, "; at %zu no method can be faster by more than %g %%", placed->optimal, MAP_GAP_OPTIMAL);
  if (placed->in_model > 0)
    fprintf(stream, "; at %zu%s that holds in the round model only (" MAP_GAP_MODEL ")", placed->in_model,
            placed->optimal > 0 ? " more" : " no method can be faster, but");
  if (placed->optimal + placed->in_model > 0)
    fprintf(stream, " (scheme %s)", tutti_scheme_name(placed->among->measured.scheme));
}

char *place_verdict(const struct placed *placed)
{
  struct tutti_text_stream text;
  char name[TUTTI_METHOD_LENGTH];
  const size_t length = strlen(placed->name);
  if (placed->reason && strncmp(placed->reason, placed->name, length) == 0 &&
      strncmp(placed->reason + length, ", ", 2) == 0)
    return tutti_xprintf("%s is wrong: %s", placed->name, placed->reason + length + 2);
  if (placed->reason)
    return tutti_xprintf("%s is wrong: %s", placed->name, placed->reason);
  tutti_xopen_text(&text);
  say_won(placed, text.stream);
  if (placed->rank > 0) {
    fprintf(text.stream, "; in the mean it is %d%s of %d methods, ", placed->rank, ordinal(placed->rank), placed->of);
    if (placed->mean > 0)
      fprintf(text.stream, "%.3g %% behind the fastest of each point", placed->mean);
    else
      fputs("always the fastest", text.stream);
    if (strcmp(tutti_method_format(&placed->best, name), placed->name) != 0)
      fprintf(text.stream, ", as %s", name);
  } else
    fputs("; none of its forms serves all points, so that it has no place in the mean", text.stream);
  return tutti_xclose_text(&text);
}

/* ---- tables ---- */

const tutti_column place_point_columns[PLACE_POINT_COLUMNS] = {
    {NULL, "algorithm", TUTTI_FIELD(struct place_point, algorithm)},
    {"ranks", "ranks", TUTTI_FIELD(struct place_point, ranks)},
    {"size", "size_B", TUTTI_FIELD(struct place_point, size), .get = cell_size},
    {NULL, "rank", TUTTI_FIELD(struct place_point, rank)},
    {NULL, "method", .at = offsetof(struct place_point, method), .get = cell_method},
    {"time", "time_s", CELL_MICROSECONDS(struct place_point, time)},
    {"best of the others", "runner_up", .at = offsetof(struct place_point, other), .get = cell_method},
    {"its", "runner_up_median_s", CELL_MICROSECONDS(struct place_point, other_time)},
    {NULL, "penalty_percent", TUTTI_FIELD(struct place_point, penalty)},
    {"more", "gain_percent", TUTTI_FIELD(struct place_point, gain), .unit = "%", .decimals = 1},
    {NULL, "bound_s", CELL_MICROSECONDS(struct place_point, bound)},
    {"over the bound", "gap_percent", TUTTI_FIELD(struct place_point, gap), .unit = "%", .decimals = 1},
};

const tutti_column place_method_columns[PLACE_METHOD_COLUMNS] = {
    {NULL, "algorithm", TUTTI_FIELD(struct place_method, algorithm)},
    {"place", "rank", TUTTI_FIELD(struct place_method, rank)},
    {"method", "method", .at = offsetof(struct place_method, method), .get = cell_method},
    {"mean", "mean_percent", TUTTI_FIELD(struct place_method, mean), .unit = "%", .decimals = 1},
    {"median", "median_percent", TUTTI_FIELD(struct place_method, median), .unit = "%", .decimals = 1},
    {"worst", "max_percent", TUTTI_FIELD(struct place_method, max), .unit = "%", .decimals = 1},
    {"fastest at", "won", TUTTI_FIELD(struct place_method, won)},
    {NULL, "points", TUTTI_FIELD(struct place_method, points)},
    {NULL, "placed", TUTTI_FIELD(struct place_method, mine)},
};

tutti_table place_points_of(const struct place *place, const struct placed *placed, bool won)
{
  const struct place_point *rows = place->points.rows;
  tutti_table table = {.key = "standings",
                       .columns = place_point_columns,
                       .column_count = PLACE_POINT_COLUMNS,
                       .row_size = sizeof *rows,
                       .keys = 3};
  bool bounded = !won; /* the last column, of which nothing may be known */
  for (size_t i = 0; i < place->points.row_count; i++)
    if (rows[i].algorithm == placed->name && (!won || !isnan(rows[i].gain))) {
      must(tutti_table_add(&table, &rows[i], &failure));
      bounded = bounded || !isnan(rows[i].gap);
    }
  table.column_count -= !bounded;
  return table;
}

tutti_table place_methods_of(const struct place *place, const struct placed *placed, size_t top)
{
  const struct place_method *rows = place->methods.rows;
  tutti_table table = {.key = "methods",
                       .columns = place_method_columns,
                       .column_count = PLACE_METHOD_COLUMNS,
                       .row_size = sizeof *rows};
  size_t seen = 0;
  for (size_t i = 0; i < place->methods.row_count; i++)
    if (rows[i].algorithm == placed->name && (seen++ < top || rows[i].mine))
      must(tutti_table_add(&table, &rows[i], &failure));
  return table;
}

static void print_table(tutti_table table, const char *title)
{
  table.indent = 2;
  printf("\n");
  print_sentence(0, "%s", title);
  must(tutti_table_print(&table, stdout, &failure));
  tutti_table_free(&table);
}

void place_print(const struct place *place, const struct placed *placed, const struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  char name[MAP_MINE_LENGTH];
  printf("\n");
  print_sentence(0, "%s on %s, engine %s: proven on up to %d ranks; %d methods, %d number%s of ranks, %d size%s",
                 map_mine_format(&report->mine, name), report->measured->platform, place->options->engine,
                 placed->proven, map->method_count, map->ranks_count, tutti_plural((uint64_t)map->ranks_count),
                 map->size_count, tutti_plural((uint64_t)map->size_count));
  if (placed->won > 0)
    print_table(place_points_of(place, placed, true), "Where it is the fastest, and what the others take more");
  map_mine_print(report);
  print_table(place_methods_of(place, placed, (size_t)place->options->top),
              "What methods take more than the fastest of each point, all points together");
}

/* ---- documents ---- */

static const tutti_column facts[] = {
    {NULL, "platform", TUTTI_FIELD(struct place, platform.name)},
    {NULL, "flavor", TUTTI_FIELD_THROUGH(struct place, options, struct place_options, engine)},
    {NULL, "store", TUTTI_FIELD(struct place, database)},
};

TUTTI_GETTER(get_verified, struct placed, (bool)(row->reason == NULL))
TUTTI_GETTER(get_scheme, struct placed, row->among ? tutti_scheme_name(row->among->measured.scheme) : NULL)

static const tutti_column summary[] = {
    {"algorithm", "algorithm", TUTTI_FIELD(struct placed, name)},
    {"verified", "verified", .get = get_verified},
    {NULL, "reason", TUTTI_FIELD(struct placed, reason)},
    {NULL, "max_ranks", TUTTI_FIELD(struct placed, proven)},
    {NULL, "verdict", TUTTI_FIELD(struct placed, verdict)},
    {NULL, "scheme", .get = get_scheme},
    {NULL, "points", TUTTI_FIELD(struct placed, points)},
    {"fastest at", "won", TUTTI_FIELD(struct placed, won)},
    {"ties at", "tied", TUTTI_FIELD(struct placed, tied)},
    {"most gain", "gain_percent", TUTTI_FIELD(struct placed, gain), .unit = "%", .decimals = 1},
    {"over", "over", .at = offsetof(struct placed, over), .get = cell_method},
    {"place", "rank", TUTTI_FIELD(struct placed, rank)},
    {"of", "count", TUTTI_FIELD(struct placed, of)},
    {"mean", "mean_percent", TUTTI_FIELD(struct placed, mean), .unit = "%", .decimals = 1},
    {"median", "median_percent", TUTTI_FIELD(struct placed, median), .unit = "%", .decimals = 1},
    {"worst", "max_percent", TUTTI_FIELD(struct placed, max), .unit = "%", .decimals = 1},
};

void place_print_document(const struct place *place)
{
  const tutti_table tables[] = {{.key = "summary", TUTTI_COLUMNS(summary), TUTTI_ROWS(place->items, place->count)},
                                place->methods,
                                place->points};
  const tutti_document document = {TUTTI_FACTS(facts, place), TUTTI_TABLES(tables)};
  must(tutti_document_print(&document, place->options->format, stdout, &failure));
}
