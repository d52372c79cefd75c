#include "report/pivot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Index of a name, which is added if need be; -1: out of memory. */
static int name_index(struct pivot_names *names, const char *name)
{
  for (int i = names->count - 1; i >= 0; i--)
    if (strcmp(names->items[i], name) == 0)
      return i;
  char **grown = reallocarray(names->items, (size_t)names->count + 1, sizeof *grown);
  if (!grown)
    return -1;
  names->items = grown;
  grown[names->count] = strdup(name);
  return grown[names->count] ? names->count++ : -1;
}

bool tutti_pivot_add(struct pivot *pivot, const char *table, const char *row, double position, const char *column,
                     double value)
{
  const struct pivot_cell cell = {name_index(&pivot->tables, table), name_index(&pivot->rows, row),
                                  name_index(&pivot->columns, column), position, value};
  struct pivot_cell *grown = reallocarray(pivot->cells, (size_t)pivot->cell_count + 1, sizeof *grown);
  if (grown)
    pivot->cells = grown;
  if (!grown || cell.table < 0 || cell.row < 0 || cell.column < 0)
    return false;
  grown[pivot->cell_count++] = cell;
  return true;
}

static void free_names(struct pivot_names *names)
{
  for (int i = 0; i < names->count; i++)
    free(names->items[i]);
  free(names->items);
}

void tutti_pivot_free(struct pivot *pivot)
{
  free_names(&pivot->tables);
  free_names(&pivot->rows);
  free_names(&pivot->columns);
  free(pivot->cells);
}

/* ---- grids ---- */

static int place_of(const int *names, int count, int name)
{
  int place = 0;
  while (place < count && names[place] != name)
    place++;
  return place;
}

/* Rows are few: each goes to its place among those before it. */
static void insert_row(struct pivot_grid *grid, const struct pivot_cell *cell)
{
  if (place_of(grid->rows, grid->row_count, cell->row) < grid->row_count)
    return;
  int place = grid->row_count++;
  for (; place > 0 && grid->positions[place - 1] > cell->position; place--) {
    grid->rows[place] = grid->rows[place - 1];
    grid->positions[place] = grid->positions[place - 1];
  }
  grid->rows[place] = cell->row;
  grid->positions[place] = cell->position;
}

static void fill(const struct pivot *pivot, int table, struct pivot_grid *grid)
{
  for (int i = 0; i < grid->row_count * grid->column_count; i++)
    grid->values[i] = NAN;
  for (int i = 0; i < pivot->cell_count; i++) {
    const struct pivot_cell *cell = &pivot->cells[i];
    if (cell->table == table)
      grid->values[place_of(grid->rows, grid->row_count, cell->row) * grid->column_count +
                   place_of(grid->columns, grid->column_count, cell->column)] = cell->value;
  }
}

bool tutti_pivot_grid_create(const struct pivot *pivot, int table, struct pivot_grid *grid)
{
  size_t rows = (size_t)pivot->rows.count, columns = (size_t)pivot->columns.count;
  *grid = (struct pivot_grid){.rows = calloc(rows, sizeof *grid->rows),
                              .columns = calloc(columns, sizeof *grid->columns),
                              .positions = calloc(rows, sizeof *grid->positions),
                              .values = calloc(rows * columns, sizeof *grid->values)};
  if (!grid->rows || !grid->columns || !grid->positions || !grid->values)
    return false;
  for (int i = 0; i < pivot->cell_count; i++) {
    const struct pivot_cell *cell = &pivot->cells[i];
    if (cell->table != table)
      continue;
    insert_row(grid, cell);
    if (place_of(grid->columns, grid->column_count, cell->column) == grid->column_count)
      grid->columns[grid->column_count++] = cell->column;
  }
  fill(pivot, table, grid);
  return true;
}

void tutti_pivot_grid_free(struct pivot_grid *grid)
{
  free(grid->rows);
  free(grid->columns);
  free(grid->positions);
  free(grid->values);
}
