/* Where one method stands among all that were measured: its rank at each point, and what it loses. */
#include "base/words.h"
#include "cli/map/map_report.h"
#include "cli/output/output.h"
#include "decision/maps/map.h"

/* ---- which method ---- */

static void fail_unmeasured(const tutti_decision_map *map, const char *option, const char *name)
{
  char text[TUTTI_METHOD_LENGTH], meant[2 * TUTTI_GUESS_LENGTH];
  tutti_guess guess = {.word = name};
  for (int m = 0; m < map->method_count; m++)
    tutti_guess_try(&guess, tutti_method_format(&map->methods[m], text));
  die("--%s: %s was not measured%s: tutti map --json lists what was", option, name, tutti_guess_text(&guess, meant));
}

/* Index of a method on so many ranks, told the sides that were measured there; -1: it was not measured. */
static int find_exact(const tutti_decision_map *map, int ranks_index, tutti_method method)
{
  tutti_decision_map_tell(map, map->ranks[ranks_index], &method);
  return tutti_decision_map_find(map, &method);
}

static bool is_form(const tutti_method *method, const tutti_method *of)
{
  return method->algorithm == of->algorithm && method->implementation == of->implementation;
}

/* The fastest form there, the first of those as fast. */
static int find_form(const tutti_decision_map *map, int ranks_index, int size_index, const tutti_method *of)
{
  int found = -1;
  double least = INFINITY;
  for (int m = 0; m < map->method_count; m++) {
    const double time = tutti_decision_map_time(map, ranks_index, size_index, m);
    if (is_form(&map->methods[m], of) && time < least) {
      least = time;
      found = m;
    }
  }
  return found;
}

/* At a point, where most are. */
static int count_forms(const tutti_decision_map *map, const tutti_method *of)
{
  int most = 0;
  for (int i = 0; i < map->ranks_count * map->size_count; i++) {
    int count = 0;
    for (int m = 0; m < map->method_count; m++)
      count += is_form(&map->methods[m], of) &&
               !isnan(tutti_decision_map_time(map, i / map->size_count, i % map->size_count, m));
    most = count > most ? count : most;
  }
  return most;
}

static bool is_measured(const tutti_decision_map *map, const tutti_method *method)
{
  bool found = false;
  for (int i = 0; i < map->ranks_count && !found; i++)
    found = find_exact(map, i, *method) >= 0;
  return found;
}

void map_mine_find(const tutti_decision_map *map, const char *option, const char *text, struct map_mine *mine)
{
  char *name = tutti_experiment_method_name(map->collective, text, &mine->method, &failure);
  must(name ? TUTTI_OK : TUTTI_ERR_ARGUMENT);
  mine->any = !strchr(strchr(name, '/') + 1, '/');
  mine->forms = mine->any ? count_forms(map, &mine->method) : is_measured(map, &mine->method);
  if (mine->forms == 0)
    fail_unmeasured(map, option, name);
  free(name);
}

const char *map_mine_format(const struct map_mine *mine, char text[MAP_MINE_LENGTH])
{
  char name[TUTTI_METHOD_LENGTH];
  tutti_method_format(&mine->method, name);
  if (mine->forms > 1)
    snprintf(text, MAP_MINE_LENGTH, "%s, at each point the fastest of its %d forms,", name, mine->forms);
  else
    snprintf(text, MAP_MINE_LENGTH, "%s", name);
  return text;
}

/* ---- where it stands ---- */

struct standing_row {
  int ranks;
  uint64_t size;
  int rank; /* 1: no other is faster; 0: it was not measured */
  double time, best;
  double loss; /* percent */
};

int map_mine_at(const tutti_decision_map *map, int ranks_index, int size_index, const struct map_mine *mine)
{
  return mine->any ? find_form(map, ranks_index, size_index, &mine->method)
                   : find_exact(map, ranks_index, mine->method);
}

static struct standing_row stand_at(const tutti_decision_map *map, int ranks_index, int size_index,
                                    const struct map_mine *wanted)
{
  const int mine = map_mine_at(map, ranks_index, size_index, wanted);
  struct standing_row row = {.ranks = map->ranks[ranks_index],
                             .size = map->sizes[size_index],
                             .time = mine < 0 ? NAN : tutti_decision_map_time(map, ranks_index, size_index, mine),
                             .best = INFINITY,
                             .loss = NAN};
  if (isnan(row.time))
    return row;
  row.rank = 1;
  for (int m = 0; m < map->method_count; m++) {
    double time = tutti_decision_map_time(map, ranks_index, size_index, m);
    row.best = time < row.best ? time : row.best;
    row.rank += time < row.time && !tutti_decision_map_ties(map, ranks_index, size_index, m, mine);
  }
  if (row.best > 0)
    row.loss = row.rank == 1 ? 0 : 100 * (row.time - row.best) / row.best;
  return row;
}

void map_mine_list(const struct map_report *report, double *percents, int *places)
{
  const tutti_decision_map *map = &report->measured->map;
  for (int i = 0; i < map->ranks_count * map->size_count; i++) {
    const struct standing_row row = stand_at(map, i / map->size_count, i % map->size_count, &report->mine);
    percents[i] = row.loss;
    places[i] = row.rank;
  }
}

static const tutti_column point_columns[] = {
    {"ranks", "ranks", TUTTI_FIELD(struct standing_row, ranks)},
    {"size", "size_B", TUTTI_FIELD(struct standing_row, size), .get = cell_size},
    {"place", "rank", TUTTI_FIELD(struct standing_row, rank)},
    {"time", "time_s", CELL_MICROSECONDS(struct standing_row, time)},
    {"fastest", "best_s", CELL_MICROSECONDS(struct standing_row, best)},
    {"penalty", "penalty_percent", TUTTI_FIELD(struct standing_row, loss), .unit = "%", .decimals = 1},
};

/* All points where it was measured, by ranks and size. */
static tutti_table list_points(const struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  struct standing_row *rows = tutti_xcalloc(tutti_decision_map_points(map) + 1, sizeof *rows);
  size_t count = 0;
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++) {
      struct standing_row row = stand_at(map, i, j, &report->mine);
      if (row.rank > 0)
        rows[count++] = row;
    }
  return (tutti_table){.key = "standings", TUTTI_COLUMNS(point_columns), TUTTI_ROWS(rows, count), .owned = rows};
}

/* ---- in short ---- */

struct standing {
  tutti_method method;
  int forms;
  size_t points, won;
  double share, mean, max; /* percent */
  int max_ranks;
  uint64_t max_size;
  tutti_table rows; /* of standing_row */
};

static struct standing sum_up(const struct map_report *report)
{
  struct standing sum = {
      .method = report->mine.method, .forms = report->mine.forms, .rows = list_points(report), .max = -1};
  const struct standing_row *rows = sum.rows.rows;
  sum.points = sum.rows.row_count;
  for (size_t i = 0; i < sum.points; i++) {
    double loss = isnan(rows[i].loss) ? 0 : rows[i].loss;
    sum.won += rows[i].rank == 1;
    sum.mean += loss / (double)sum.points;
    if (loss <= sum.max)
      continue;
    sum.max = loss;
    sum.max_ranks = rows[i].ranks;
    sum.max_size = rows[i].size;
  }
  sum.share = 100.0 * (double)sum.won / (double)sum.points;
  return sum;
}

static void nest_points(tutti_table *table, const void *row)
{
  *table = ((const struct standing *)row)->rows;
  table->owned = NULL;
}

static const tutti_column columns[] = {
    {NULL, "method", .at = offsetof(struct standing, method), .get = cell_method},
    {NULL, "forms", TUTTI_FIELD(struct standing, forms)},
    {NULL, "points", TUTTI_FIELD(struct standing, points)},
    {NULL, "won", TUTTI_FIELD(struct standing, won)},
    {NULL, "share_percent", TUTTI_FIELD(struct standing, share), .digits = 6},
    {NULL, "mean_percent", TUTTI_FIELD(struct standing, mean)},
    {NULL, "max_percent", TUTTI_FIELD(struct standing, max)},
    {NULL, "worst_ranks", TUTTI_FIELD(struct standing, max_ranks)},
    {NULL, "worst_size_B", TUTTI_FIELD(struct standing, max_size)},
    {NULL, "standings", .nested = nest_points},
};

void map_mine_write_json(const struct map_report *report, tutti_json *json)
{
  struct standing sum = sum_up(report);
  tutti_json_object(json, "mine");
  tutti_row_write_json(columns, (int)(sizeof columns / sizeof *columns), &sum, json);
  tutti_json_end(json);
  tutti_table_free(&sum.rows);
}

void map_mine_write_table(const struct map_report *report, tutti_format format)
{
  struct standing sum = sum_up(report);
  const tutti_document document = {TUTTI_FACTS(columns, &sum), .tables = &sum.rows, .table_count = 1};
  must(tutti_document_print(&document, format, stdout, &failure));
  tutti_table_free(&sum.rows);
}

/* ---- text: "3 +25%" where it is the third and takes a quarter more than the fastest ---- */

static void get_standing(tutti_cell *cell, const void *item)
{
  const struct map_line *row = item;
  const struct map_report *report = row->about;
  const struct standing_row here =
      stand_at(&report->measured->map, cell->column->index, row->size_index, &report->mine);
  if (here.rank == 0)
    tutti_cell_format(cell, ".");
  else if (here.rank == 1 || isnan(here.loss))
    tutti_cell_format(cell, "%d", here.rank);
  else
    tutti_cell_format(cell, "%d +%.*f%%", here.rank, here.loss < 9.95 ? 1 : 0, here.loss);
}

static const tutti_column standing_cell = {.get = get_standing};

void map_mine_write_grid(const struct map_report *report, FILE *latex)
{
  const struct map_grid grid = {.latex = latex};
  map_grid_write(&report->measured->map, report, &standing_cell, &grid);
}

void map_mine_print(const struct map_report *report)
{
  struct standing sum = sum_up(report);
  char name[MAP_MINE_LENGTH], size[24];
  putchar('\n');
  print_sentence(2,
                 "%s among the %d methods that were measured: its place, and how much more time it takes than the "
                 "fastest, by size and ranks",
                 map_mine_format(&report->mine, name), report->measured->map.method_count);
  map_grid_print(&report->measured->map, report, &standing_cell, 4, false);
  putchar('\n');
  print_sentence(2,
                 "It is the fastest, or ties, at %zu of %zu point%s (%.1f %%). It loses %.2f %% in the mean, at most "
                 "%.2f %% (%d ranks, %s).",
                 sum.won, sum.points, tutti_plural(sum.points), sum.share, sum.mean, sum.max, sum.max_ranks,
                 tutti_size_format(sum.max_size, size));
  tutti_table_free(&sum.rows);
}
