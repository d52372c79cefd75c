#include "cli/map/map_report.h"

#include "cli/output/output.h"

static void make_even(tutti_column *columns, int count, const struct map_line *lines, int line_count)
{
  int widest = (int)strlen(columns[count - 1].heading);
  for (int i = 0; i < count * line_count; i++) {
    tutti_cell cell;
    tutti_cell_get(&cell, &columns[i / line_count], &lines[i % line_count]);
    const int width = (int)strlen(cell.text);
    widest = width > widest ? width : widest;
  }
  for (int i = 0; i < count; i++)
    columns[i].width = widest;
}

/* The table as text to standard output, or as LaTeX to @p latex. */
static void write_grid(const tutti_decision_map *map, const struct map_line *lines, const tutti_column *cell,
                       const struct map_grid *grid)
{
  tutti_column *columns = tutti_xcalloc((size_t)map->ranks_count + 1, sizeof *columns);
  columns[0] = (tutti_column){grid->latex ? "size / ranks" : "size", NULL, TUTTI_FIELD(struct map_line, size),
                              .get = cell_size, .width = grid->even ? 8 : 0};
  for (int i = 0; i < map->ranks_count; i++) {
    columns[i + 1] = *cell;
    columns[i + 1].heading = tutti_xprintf("%d", map->ranks[i]);
    columns[i + 1].index = i;
  }
  if (grid->even)
    make_even(columns + 1, map->ranks_count, lines, map->size_count);
  const tutti_table table = {.columns = columns,
                             .column_count = map->ranks_count + 1,
                             TUTTI_ROWS(lines, map->size_count),
                             .indent = grid->indent};
  must(grid->latex ? tutti_table_print_latex(&table, grid->latex, &failure)
                   : tutti_table_print(&table, stdout, &failure));
  for (int i = 1; i <= map->ranks_count; i++)
    free((char *)columns[i].heading);
  free(columns);
}

void map_grid_write(const tutti_decision_map *map, const void *about, const tutti_column *cell,
                    const struct map_grid *grid)
{
  struct map_line *lines = tutti_xcalloc((size_t)map->size_count, sizeof *lines);
  for (int j = 0; j < map->size_count; j++)
    lines[j] = (struct map_line){about, map->sizes[j], j};
  write_grid(map, lines, cell, grid);
  free(lines);
}

void map_grid_print(const tutti_decision_map *map, const void *about, const tutti_column *cell, int indent, bool even)
{
  map_grid_write(map, about, cell, &(struct map_grid){.indent = indent, .even = even});
}
