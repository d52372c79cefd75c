/* tutti penalty --against: what decisions gain over one of them, a line each for each number of ranks. */
#include <math.h>

#include "cli/output/output.h"
#include "cli/penalty/penalty.h"
#include "decision/maps/map.h"

/* Seconds at each point of the map, as tutti_decision_times() has them. */
struct timed {
  const char *name;
  double *times;
};

/* The decisions: first that with which the others are compared, then the best method of each point. */
struct against {
  const struct penalty_options *chosen;
  const char *reference; /* the name of the first one */
  struct measured_map measured;
  struct penalty_decisions decisions;
  TUTTI_VECTOR(struct timed);
};

static const tutti_decision_map *map_of(const struct against *against)
{
  return &against->measured.map;
}

/* ---- times ---- */

static void add_best(struct against *against)
{
  const tutti_decision_map *map = map_of(against);
  struct timed best = {"best measured", tutti_xcalloc(tutti_decision_map_points(map), sizeof(double))};
  for (size_t point = 0; point < tutti_decision_map_points(map); point++)
    best.times[point] = tutti_decision_map_best_time(map, point);
  tutti_xpush(against, best);
}

/* All decisions must be about the collective of the first one, which chooses the map. */
static void read_decision(struct against *against, const char *name)
{
  struct measured_map *measured = &against->measured;
  tutti_collective before = measured->map.collective;
  penalty_add_decision(against->chosen, name, &against->decisions, measured);
  if (against->decisions.count > 1 && measured->map.collective != before)
    die("%s is about %s, %s about %s: they cannot be compared", name, tutti_collective_name(measured->map.collective),
        against->reference, tutti_collective_name(before));
}

static void add_times(struct against *against, size_t index)
{
  struct measured_map *measured = &against->measured;
  const struct penalty_decision *decision = &against->decisions.items[index];
  penalty_judge(against->chosen, &against->decisions, index, measured);
  struct timed timed = {decision->name, tutti_xcalloc(tutti_decision_map_points(&measured->map), sizeof(double))};
  struct penalty_asked asked;
  const tutti_decision asking = penalty_ask(decision, &measured->map, &asked);
  tutti_decision_times(&measured->map, &asking, timed.times);
  patience_at(NULL, 1);
  tutti_xpush(against, timed);
  if (index == 0)
    add_best(against);
}

static void add_all(struct against *against)
{
  const struct option_strings *names = &against->chosen->names;
  read_decision(against, against->reference);
  for (size_t i = 0; i < names->count; i++)
    read_decision(against, names->items[i]);
  for (size_t i = 0; i < against->decisions.count; i++)
    add_times(against, i);
}

/* ---- parts: the points of one number of ranks, or all ---- */

struct part {
  uint64_t ranks; /* 0: all */
  size_t first, count;
};

static int parts_of(const struct against *against)
{
  return against->chosen->ranks.count > 0 ? against->chosen->ranks.count : 1;
}

/* A number of ranks that was not measured has no points. */
static struct part part_at(const struct against *against, int index)
{
  const tutti_decision_map *map = map_of(against);
  size_t sizes = (size_t)map->size_count;
  if (against->chosen->ranks.count == 0)
    return (struct part){0, 0, (size_t)map->ranks_count * sizes};
  struct part part = {.ranks = against->chosen->ranks.items[index]};
  for (int r = 0; r < map->ranks_count; r++)
    if ((uint64_t)map->ranks[r] == part.ranks)
      part = (struct part){part.ranks, (size_t)r * sizes, sizes};
  return part;
}

/* ---- tables ---- */

struct improvement_row {
  const char *decision;
  double ranks; /* NaN: all */
  tutti_improvement improvement;
};

#define PERCENT(member) TUTTI_FIELD(struct improvement_row, improvement.member), .unit = "%", .width = 9, .decimals = 2

static const tutti_column improvement_columns[] = {
    {"decision", "decision", TUTTI_FIELD(struct improvement_row, decision)},
    {"ranks", "ranks", TUTTI_FIELD(struct improvement_row, ranks), .width = 6, .none = "all"},
    {"min", "min_percent", PERCENT(min)},
    {"max", "max_percent", PERCENT(max)},
    {"mean", "mean_percent", PERCENT(mean)},
    {"points", "points", TUTTI_FIELD(struct improvement_row, improvement.points), .width = 7},
    {"missing", "missing", TUTTI_FIELD(struct improvement_row, improvement.missing), .width = 8},
};

static tutti_table improvement_table(const struct against *against)
{
  const struct timed *reference = &against->items[0];
  struct improvement_row *rows = tutti_xcalloc(against->count * (size_t)parts_of(against), sizeof *rows);
  size_t count = 0;
  for (size_t i = 1; i < against->count; i++)
    for (int p = 0; p < parts_of(against); p++) {
      struct part part = part_at(against, p);
      rows[count++] =
          (struct improvement_row){.decision = against->items[i].name,
                                   .ranks = part.ranks > 0 ? (double)part.ranks : NAN,
                                   .improvement = tutti_improvement_over(against->items[i].times + part.first,
                                                                         reference->times + part.first, part.count)};
    }
  return (tutti_table){.key = "improvements",
                       TUTTI_COLUMNS(improvement_columns),
                       TUTTI_ROWS(rows, count),
                       .owned = rows,
                       .indent = 2,
                       .gap = 1};
}

struct time_row {
  const struct against *against;
  size_t point;
  int ranks;
  uint64_t size;
};

TUTTI_GETTER(get_time, struct time_row, row->against->items[cell->column->index].times[row->point])

/* Ranks, size, and a column for each decision; the caller frees columns and keys. */
static tutti_column *time_columns(const struct against *against)
{
  static const tutti_column first[] = {
      {"ranks", "ranks", TUTTI_FIELD(struct time_row, ranks), .width = 6},
      {"size", "size_B", TUTTI_FIELD(struct time_row, size), .get = cell_size, .width = 8}};
  tutti_column *columns = tutti_xcalloc(2 + against->count, sizeof *columns);
  memcpy(columns, first, sizeof first);
  for (size_t i = 0; i < against->count; i++)
    columns[2 + i] = (tutti_column){.heading = against->items[i].name,
                                    .key = tutti_xprintf("time_s.%s", against->items[i].name),
                                    .get = get_time,
                                    .index = (int)i,
                                    .alignment = TUTTI_ALIGN_RIGHT,
                                    .scale = 1e6,
                                    .decimals = 3,
                                    .width = 12};
  return columns;
}

static tutti_table time_table(const struct against *against)
{
  const tutti_decision_map *map = map_of(against);
  struct {
    TUTTI_VECTOR(struct time_row);
  } rows = {0};
  for (int p = 0; p < parts_of(against); p++) {
    struct part part = part_at(against, p);
    for (size_t point = part.first; point < part.first + part.count; point++) {
      const struct time_row row = {against, point, map->ranks[point / (size_t)map->size_count],
                                   map->sizes[point % (size_t)map->size_count]};
      tutti_xpush(&rows, row);
    }
  }
  return (tutti_table){.key = "times",
                       .title = "  Times [us]",
                       .columns = time_columns(against),
                       .column_count = (int)against->count + 2,
                       TUTTI_ROWS(rows.items, rows.count),
                       .owned = rows.items,
                       .indent = 2,
                       .gap = 1};
}

static void free_time_table(tutti_table *table)
{
  for (int i = 2; i < table->column_count; i++)
    free((char *)table->columns[i].key);
  free((tutti_column *)table->columns);
  tutti_table_free(table);
}

static const tutti_column facts[] = {
    {NULL, "platform", TUTTI_FIELD(struct against, measured.platform)},
    CELL_SCHEME_COLUMNS(struct against, measured.basis_name),
    {NULL, "candidates", .at = offsetof(struct against, measured.map.candidates), .get = cell_candidates},
    {NULL, "against", TUTTI_FIELD(struct against, reference)},
    {NULL, "ranks", .at = offsetof(struct against, measured.map), .list = list_map_ranks},
    {NULL, "sizes_B", .at = offsetof(struct against, measured.map), .list = list_map_sizes},
};

static void print_title(const struct against *against)
{
  const char *name = against->reference;
  char whose[TUTTI_CANDIDATES_LENGTH];
  print_sentence(0, "Improvement over %s on %s, scheme %s, methods of %s: 100 (t(%s) - t) / t(%s)", name,
                 against->measured.platform, against->measured.basis_name,
                 tutti_candidates_format(&map_of(against)->candidates, whose), name, name);
  printf("\n");
}

/* For decisions that leave the library its own choice: the number of these points among all. */
static void print_own_choices(const struct against *against)
{
  for (size_t i = 0; i < against->decisions.count; i++) {
    const struct penalty_decision *decision = &against->decisions.items[i];
    tutti_penalty penalty;
    if (tutti_penalty_compute(map_of(against), &decision->decision, &penalty, NULL) == TUTTI_OK)
      penalty_print_own_choices(decision->name, &penalty);
  }
}

static void print_against(const struct against *against, const tutti_table *improvements)
{
  tutti_table tables[] = {*improvements, {.key = NULL}};
  if (against->chosen->times)
    tables[1] = time_table(against);
  const tutti_document document = {TUTTI_FACTS(facts, against), .tables = tables,
                                   .table_count = against->chosen->times ? 2 : 1};
  if (against->chosen->format == TUTTI_FORMAT_TEXT)
    print_title(against);
  must(tutti_document_print(&document, against->chosen->format, stdout, &failure));
  if (against->chosen->format == TUTTI_FORMAT_TEXT)
    print_own_choices(against);
  free_time_table(&tables[1]);
}

/* ---- into the store ---- */

/* Tells the basis of penalties under patterns from that without; a word has no place for the patterns themselves. */
static const char *patterns_kind(const struct selection_patterns *patterns)
{
  const bool late = patterns->arrival_count && patterns->arrivals[0].kind != TUTTI_ARRIVAL_NONE;
  const bool noisy = patterns->noise_count && patterns->noises[0].kind != TUTTI_NOISE_NONE;
  return late && noisy ? ",arrival,noise" : late ? ",arrival" : noisy ? ",noise" : "";
}

/* "best", "best/ranks=24": of all points, or of those of a number of ranks. A penalty is a loss, an improvement a gain:
   0 - 0 is 0, where -0 would be written with its sign. */
static void store_row(const struct against *against, const char *name, const struct improvement_row *row)
{
  const struct measured_map *measured = &against->measured;
  const tutti_improvement *improvement = &row->improvement;
  tutti_result result = {.kind = TUTTI_RESULT_PENALTY, .ranks_per_node = measured->ranks_per_node};
  char basis[2 * TUTTI_RESULT_WORD];
  const int basis_length =
      snprintf(basis, sizeof basis, "%s%s", against->reference, patterns_kind(&against->chosen->selection.patterns));
  if (improvement->points == 0)
    return;
  char *text = isnan(row->ranks) ? tutti_xstrdup(name) : tutti_xprintf("%s/ranks=%d", name, (int)row->ranks);
  const char *stored = penalty_stored_name(text);
  if (strlen(stored) >= TUTTI_RESULT_WORD || basis_length >= TUTTI_RESULT_WORD)
    die("'%s' against '%s' is too long to be stored", stored, against->reference);
  tutti_result_set_word(&result, TUTTI_PENALTY_FIELD_COLLECTIVE, tutti_collective_name(measured->map.collective));
  tutti_result_set_word(&result, TUTTI_PENALTY_FIELD_DECISION, stored);
  tutti_result_set_word(&result, TUTTI_PENALTY_FIELD_BASIS, basis);
  result.values[TUTTI_PENALTY_FIELD_ROOT].integer = (uint64_t)measured->root;
  result.values[TUTTI_PENALTY_FIELD_POINTS].integer = (uint64_t)improvement->points;
  result.values[TUTTI_PENALTY_FIELD_SERVED].integer = (uint64_t)improvement->points;
  result.values[TUTTI_PENALTY_FIELD_MINIMUM].real = 0 - improvement->max;
  result.values[TUTTI_PENALTY_FIELD_MEAN].real = 0 - improvement->mean;
  result.values[TUTTI_PENALTY_FIELD_MEDIAN].real = 0 - improvement->median;
  result.values[TUTTI_PENALTY_FIELD_MAXIMUM].real = 0 - improvement->min;
  penalty_store_result(&against->chosen->selection, measured->environment, &result);
  free(text);
}

static void store_all(const struct against *against, const tutti_table *improvements)
{
  const char *given = against->chosen->store_as;
  const struct improvement_row *rows = improvements->rows;
  for (size_t i = 0; i < improvements->row_count; i++)
    store_row(against, given ? given : i < (size_t)parts_of(against) ? "best" : rows[i].decision, &rows[i]);
}

void penalty_show_against(const struct penalty_options *chosen)
{
  struct against against = {.chosen = chosen, .reference = chosen->against};
  add_all(&against);
  tutti_table improvements = improvement_table(&against);
  print_against(&against, &improvements);
  if (chosen->store)
    store_all(&against, &improvements);
  if (chosen->store && chosen->format == TUTTI_FORMAT_TEXT)
    penalty_print_stored(chosen->store_as ? chosen->store_as : "best", chosen->store_as ? NULL : &chosen->names,
                         improvements.row_count, chosen->selection.database);
  tutti_table_free(&improvements);
  for (size_t i = 0; i < against.count; i++)
    free(against.items[i].times);
  tutti_vector_free(&against);
  penalty_decisions_free(&against.decisions);
  tutti_decision_map_free(&against.measured.map);
}
