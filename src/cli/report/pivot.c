/* Numbers set out as tables: found rows and columns, grids, and their HTML. */
#include <math.h>

#include "cli/report/pivot.h"

/* Index of a name, which is added if need be. */
static int name_index(struct pivot_names *names, const char *name)
{
  for (int i = names->count - 1; i >= 0; i--)
    if (strcmp(names->items[i], name) == 0)
      return i;
  names->items = tutti_xroom(names->items, (size_t)names->count, sizeof *names->items);
  names->items[names->count] = tutti_xstrdup(name);
  return names->count++;
}

void pivot_add(struct pivot *pivot, const char *table, const char *row, double position, const char *column,
               double value)
{
  pivot->cells = tutti_xroom(pivot->cells, (size_t)pivot->cell_count, sizeof *pivot->cells);
  pivot->cells[pivot->cell_count++] =
      (struct pivot_cell){name_index(&pivot->tables, table), name_index(&pivot->rows, row),
                          name_index(&pivot->columns, column), position, value};
}

static void free_names(struct pivot_names *names)
{
  for (int i = 0; i < names->count; i++)
    free(names->items[i]);
  free(names->items);
}

void pivot_free(struct pivot *pivot)
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

void pivot_grid_create(const struct pivot *pivot, int table, struct pivot_grid *grid)
{
  size_t rows = (size_t)pivot->rows.count, columns = (size_t)pivot->columns.count;
  *grid = (struct pivot_grid){.rows = tutti_xcalloc(rows, sizeof *grid->rows),
                              .columns = tutti_xcalloc(columns, sizeof *grid->columns),
                              .positions = tutti_xcalloc(rows, sizeof *grid->positions),
                              .values = tutti_xcalloc(rows * columns, sizeof *grid->values)};
  for (int i = 0; i < pivot->cell_count; i++) {
    const struct pivot_cell *cell = &pivot->cells[i];
    if (cell->table != table)
      continue;
    insert_row(grid, cell);
    if (place_of(grid->columns, grid->column_count, cell->column) == grid->column_count)
      grid->columns[grid->column_count++] = cell->column;
  }
  fill(pivot, table, grid);
}

void pivot_grid_free(struct pivot_grid *grid)
{
  free(grid->rows);
  free(grid->columns);
  free(grid->positions);
  free(grid->values);
}

/* ---- tables in HTML ---- */

static double min_of_row(const struct pivot_grid *grid, int row)
{
  double min = INFINITY;
  for (int c = 0; c < grid->column_count; c++)
    min = fmin(min, grid->values[row * grid->column_count + c]); /* fmin() passes over NAN */
  return min;
}

static void print_row(const struct pivot *pivot, const struct pivot_grid *grid, int row, FILE *out)
{
  char text[TEXT_LENGTH];
  double min = pivot->lower_is_better && grid->column_count > 1 ? min_of_row(grid, row) : NAN;
  html_print(out, "<tr><th scope=\"row\">%s</th>", pivot->rows.items[grid->rows[row]]);
  for (int c = 0; c < grid->column_count; c++) {
    double value = grid->values[row * grid->column_count + c];
    html_print(out, value == min ? "<td class=\"n\"><b>%s</b></td>" : "<td class=\"n\">%s</td>",
               value >= 1 && value < 1e15 && value == floor(value) ? progress_format_count((size_t)value, text)
                                                                   : text_real(value, text));
  }
  fputs("</tr>\n", out);
}

static void print_table(const struct pivot *pivot, int table, const struct pivot_grid *grid, FILE *out)
{
  const char *name = pivot->tables.items[table];
  char *label = tutti_xprintf("%s, %s", pivot->quantity, name);
  char *caption = tutti_xprintf("%s%s%s, %s", pivot->quantity, *pivot->unit ? " in " : "", pivot->unit, name);
  html_table_begin(out, label, NULL, caption, NULL);
  html_heading(out, pivot->row, false);
  for (int c = 0; c < grid->column_count; c++)
    html_heading(out, pivot->columns.items[grid->columns[c]], true);
  html_headings_end(out);
  for (int r = 0; r < grid->row_count; r++)
    print_row(pivot, grid, r, out);
  html_table_end(out);
  free(label);
  free(caption);
}

void pivot_print(const struct pivot *pivot, void *out)
{
  for (int table = 0; table < pivot->tables.count; table++) {
    struct pivot_grid grid;
    pivot_grid_create(pivot, table, &grid);
    fputs("<div class=\"pair\">\n", out);
    print_table(pivot, table, &grid, out);
    if (pivot_has_chart(&grid))
      pivot_print_chart(pivot, table, &grid, out);
    fputs("</div>\n", out);
    pivot_grid_free(&grid);
  }
}
