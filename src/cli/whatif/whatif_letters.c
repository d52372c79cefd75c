/* tutti whatif: the letters of the methods that are best before or after, the grid of both, and crossovers. */
#include "cli/map/map_report.h"
#include "cli/whatif/whatif.h"

/* ---- letters: of the methods that are best anywhere in either map ---- */

struct legend {
  const struct whatif_map *map;
  int *won[2]; /* [methods] points; owned */
  tutti_marks marks;
  bool *shown; /* [methods] of the marks: won somewhere; owned */
};

static struct legend make_legend(const struct whatif_map *map)
{
  size_t methods = (size_t)map->maps[BEFORE].method_count;
  int *numbers = tutti_xcalloc(2 * methods, sizeof *numbers);
  struct legend legend = {
      .map = map, .won = {numbers, numbers + methods}, .shown = tutti_xcalloc(methods, sizeof *legend.shown)};
  for (int side = BEFORE; side <= AFTER; side++)
    for (size_t point = 0; point < whatif_map_points(map); point++)
      if (map->maps[side].best[point] >= 0)
        legend.won[side][map->maps[side].best[point]]++;
  for (size_t m = 0; m < methods; m++)
    legend.shown[m] = legend.won[BEFORE][m] + legend.won[AFTER][m] > 0;
  legend.marks = (tutti_marks){.methods = map->maps[BEFORE].methods, .shown = legend.shown, .count = (int)methods};
  return legend;
}

static const char *name_of(const struct legend *legend, int method, char name[REPORT_LETTERS_LENGTH])
{
  return method < 0 ? "." : tutti_marks_letters(&legend->marks, method, name);
}

struct legend_row {
  char letters[REPORT_LETTERS_LENGTH];
  tutti_method method;
  int won[2];
  const char *points;
};

static const tutti_column legend_columns[] = {
    {"letter", NULL, TUTTI_FIELD(struct legend_row, letters)},
    {"method", NULL, .at = offsetof(struct legend_row, method), .get = cell_method},
    {"before", NULL, TUTTI_FIELD(struct legend_row, won[BEFORE])},
    {"after", NULL, TUTTI_FIELD(struct legend_row, won[AFTER]), .width = 6},
    {"points", NULL, TUTTI_FIELD(struct legend_row, points), .none = ""}, /* what the columns before it are */
};

static void print_legend(const struct legend *legend)
{
  const tutti_decision_map *map = &legend->map->maps[BEFORE];
  tutti_table table = {TUTTI_COLUMNS(legend_columns), .row_size = sizeof(struct legend_row), .indent = 2};
  for (int m = 0; m < map->method_count; m++)
    if (legend->shown[m]) {
      struct legend_row row = {.method = map->methods[m], .won = {legend->won[BEFORE][m], legend->won[AFTER][m]}};
      name_of(legend, m, row.letters);
      must(tutti_table_add(&table, &row, &failure));
    }
  printf("\n");
  must(tutti_table_print(&table, stdout, &failure));
  tutti_table_free(&table);
}

/* ---- the grid: "A", or "A>B" where B is best now ---- */

static void get_winners(tutti_cell *cell, const void *item)
{
  const struct map_line *line = item;
  const struct legend *legend = line->about;
  const tutti_decision_map *maps = legend->map->maps;
  char first[REPORT_LETTERS_LENGTH], second[REPORT_LETTERS_LENGTH];
  const int before = tutti_decision_map_best_at(&maps[BEFORE], cell->column->index, line->size_index);
  const int after = tutti_decision_map_best_at(&maps[AFTER], cell->column->index, line->size_index);
  const char *from = name_of(legend, before, first), *to = name_of(legend, after, second);
  tutti_cell_format(cell, "%s%s%s", from, before == after ? "" : ">", before == after ? "" : to);
}

static void print_grid(const struct legend *legend)
{
  static const tutti_column winners = {.get = get_winners};
  tutti_say(stdout, "\n  %8s  ranks\n", "");
  map_grid_print(&legend->map->maps[BEFORE], legend, &winners, 2, true);
}

/* ---- crossovers ---- */

/* In text a row for both maps where they are the same, else one for each. */
struct crossover_row {
  const struct legend *legend; /* of text */
  const struct whatif_map *map;
  int ranks_index, ranks, side;
  const char *when;
};

static tutti_crossover *crossovers_of(const struct crossover_row *row, int side, int *count)
{
  const tutti_decision_map *map = &row->map->maps[side];
  tutti_crossover *crossovers = tutti_xcalloc((size_t)map->size_count, sizeof *crossovers);
  *count = tutti_decision_map_crossovers(map, row->ranks_index, crossovers);
  return crossovers;
}

/* "1B A, 8KB B" */
static void get_crossovers(tutti_cell *cell, const void *item)
{
  const struct crossover_row *row = item;
  int count;
  tutti_crossover *crossovers = crossovers_of(row, row->side, &count);
  tutti_cell_format(cell, "%s", "");
  for (int i = 0; i < count; i++) {
    char size[24], name[REPORT_LETTERS_LENGTH];
    text_append(cell->buffer, sizeof cell->buffer, "%s%s %s", i ? ", " : "",
                tutti_size_format(crossovers[i].size, size), name_of(row->legend, crossovers[i].method, name));
  }
  free(crossovers);
}

struct crossover_item {
  uint64_t size;
  tutti_method method;
};

static const tutti_column crossover_item_columns[] = {
    {NULL, "size_B", TUTTI_FIELD(struct crossover_item, size)},
    {NULL, "method", .at = offsetof(struct crossover_item, method), .get = cell_method},
};

static void nest_side(tutti_table *table, const struct crossover_row *row, int side)
{
  int count;
  tutti_crossover *crossovers = crossovers_of(row, side, &count);
  struct crossover_item *items = tutti_xcalloc((size_t)count + 1, sizeof *items);
  for (int i = 0; i < count; i++)
    items[i] = (struct crossover_item){crossovers[i].size, row->map->maps[side].methods[crossovers[i].method]};
  *table =
      (tutti_table){.key = table->key, TUTTI_COLUMNS(crossover_item_columns), TUTTI_ROWS(items, count), .owned = items};
  free(crossovers);
}

static void nest_before(tutti_table *table, const void *row)
{
  nest_side(table, row, BEFORE);
}

static void nest_after(tutti_table *table, const void *row)
{
  nest_side(table, row, AFTER);
}

static const tutti_column crossover_columns[] = {
    {"ranks", "ranks", TUTTI_FIELD(struct crossover_row, ranks), .width = 7},
    {"", NULL, TUTTI_FIELD(struct crossover_row, when), .width = 6},
    {"", NULL, .get = get_crossovers, .whole = true, .gap = 1},
    {NULL, "before", .nested = nest_before},
    {NULL, "after", .nested = nest_after},
};

static bool is_same_row(const struct whatif_map *map, int ranks_index)
{
  size_t sizes = (size_t)map->maps[BEFORE].size_count, first = (size_t)ranks_index * sizes;
  return memcmp(map->maps[BEFORE].best + first, map->maps[AFTER].best + first, sizes * sizeof(int)) == 0;
}

static void add_crossovers(tutti_table *table, struct crossover_row row, int side, const char *when)
{
  row.side = side;
  row.when = when;
  must(tutti_table_add(table, &row, &failure));
}

static tutti_table crossover_table(const struct whatif_map *map, const struct legend *legend)
{
  tutti_table table = {TUTTI_COLUMNS(crossover_columns), .row_size = sizeof(struct crossover_row), .indent = 2};
  for (int i = 0; i < map->maps[BEFORE].ranks_count; i++) {
    const struct crossover_row row = {
        .legend = legend, .map = map, .ranks_index = i, .ranks = map->maps[BEFORE].ranks[i]};
    bool two = legend && !is_same_row(map, i);
    add_crossovers(&table, row, BEFORE, two ? "before" : "both");
    if (two)
      add_crossovers(&table, row, AFTER, "after");
  }
  return table;
}

void whatif_nest_crossovers(tutti_table *table, const void *row)
{
  const char *key = table->key;
  *table = crossover_table(row, NULL);
  table->key = key;
}

static void print_crossovers(const struct legend *legend)
{
  tutti_table table = crossover_table(legend->map, legend);
  printf("\n  Crossovers: the size from which on a method is best\n");
  must(tutti_table_print(&table, stdout, &failure));
  tutti_table_free(&table);
}

void whatif_map_print_letters(const struct whatif_map *map)
{
  struct legend legend = make_legend(map);
  print_legend(&legend);
  print_grid(&legend);
  if (map->maps[BEFORE].size_count > 1)
    print_crossovers(&legend);
  free(legend.won[0]);
  free(legend.shown);
}
