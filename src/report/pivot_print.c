/* Tables of a pivot, in HTML. */
#include <math.h>

#include "report/html.h"
#include "report/pivot.h"
#include "report/text.h"

static double least_of_row(const struct pivot_grid *grid, int row)
{
  double least = INFINITY;
  for (int c = 0; c < grid->column_count; c++)
    least = fmin(least, grid->values[row * grid->column_count + c]); /* fmin() passes over NAN */
  return least;
}

static void print_caption(const struct pivot *pivot, int table, FILE *out)
{
  tutti_html_print(out, "<caption>%s%s%s, %s</caption>\n", pivot->quantity, *pivot->unit ? " in " : "", pivot->unit,
                   pivot->tables.items[table]);
}

static void print_row(const struct pivot *pivot, const struct pivot_grid *grid, int row, FILE *out)
{
  char text[TEXT_LENGTH];
  double least = pivot->lower_is_better && grid->column_count > 1 ? least_of_row(grid, row) : NAN;
  tutti_html_print(out, "<tr><th scope=\"row\">%s</th>", pivot->rows.items[grid->rows[row]]);
  for (int c = 0; c < grid->column_count; c++) {
    double value = grid->values[row * grid->column_count + c];
    tutti_html_print(out, value == least ? "<td class=\"n\"><b>%s</b></td>" : "<td class=\"n\">%s</td>",
                     value >= 1 && value < 1e15 && value == floor(value) ? tutti_text_count((size_t)value, text)
                                                                         : tutti_text_real(value, text));
  }
  fputs("</tr>\n", out);
}

static void print_table(const struct pivot *pivot, int table, const struct pivot_grid *grid, FILE *out)
{
  tutti_html_print(out, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s, %s\">\n<table>\n",
                   pivot->quantity, pivot->tables.items[table]);
  print_caption(pivot, table, out);
  tutti_html_print(out, "<thead><tr><th scope=\"col\">%s</th>", pivot->row);
  for (int c = 0; c < grid->column_count; c++)
    tutti_html_print(out, "<th scope=\"col\" class=\"n\">%s</th>", pivot->columns.items[grid->columns[c]]);
  fputs("</tr></thead>\n<tbody>\n", out);
  for (int r = 0; r < grid->row_count; r++)
    print_row(pivot, grid, r, out);
  fputs("</tbody>\n</table>\n</div>\n", out);
}

tutti_status tutti_pivot_print(const struct pivot *pivot, void *out, tutti_error *error)
{
  for (int table = 0; table < pivot->tables.count; table++) {
    struct pivot_grid grid;
    bool made = tutti_pivot_grid_create(pivot, table, &grid);
    if (made) {
      fputs("<div class=\"pair\">\n", out);
      print_table(pivot, table, &grid, out);
      if (tutti_pivot_has_chart(&grid))
        tutti_pivot_print_chart(pivot, table, &grid, out);
      fputs("</div>\n", out);
    }
    tutti_pivot_grid_free(&grid);
    if (!made)
      return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a table of the report");
  }
  return TUTTI_OK;
}
