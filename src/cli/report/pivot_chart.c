/* Charts of a pivot, in SVG: colors are classes of the style sheet, marks differ in shape, too. */
#include <math.h>

#include "cli/report/pivot.h"

enum { WIDTH = 460, HEIGHT = 260, LEFT = 62, RIGHT = 12, TOP = 12, BOTTOM = 40, STYLES = 8 };

struct axis {
  double min, max; /* of the values, above 0 */
  double from, to; /* where these are drawn */
};

static double place(const struct axis *axis, double value)
{
  double whole = log(axis->max / axis->min);
  return axis->from + (axis->to - axis->from) * (whole > 0 ? log(value / axis->min) / whole : 0.5);
}

static void widen(struct axis *axis, double value)
{
  if (!(value > 0))
    return;
  axis->min = fmin(axis->min, value);
  axis->max = fmax(axis->max, value);
}

bool pivot_has_chart(const struct pivot_grid *grid)
{
  int places = 0, values = 0;
  for (int r = 0; r < grid->row_count; r++)
    places += grid->positions[r] > 0;
  for (int i = 0; i < grid->row_count * grid->column_count; i++)
    values += grid->values[i] > 0;
  return places >= 3 && places == grid->row_count && values > 0;
}

/* ---- marks: shapes of one size ---- */

static void print_mark(FILE *out, int style, double x, double y)
{
  static const char *const shapes[STYLES] = {
      "m-3.5,0a3.5,3.5 0 1,0 7,0a3.5,3.5 0 1,0 -7,0z",
      "m0,-4.5l4.2,7.5h-8.4z",
      "m-3.2,-3.2h6.4v6.4h-6.4z",
      "m0,-4.6l4.6,4.6l-4.6,4.6l-4.6,-4.6z",
      "m0,4.5l4.2,-7.5h-8.4z",
      "m-4,-1.2h2.8v-2.8h2.4v2.8h2.8v2.4h-2.8v2.8h-2.4v-2.8h-2.8z",
      "m-4,-2h8v4h-8z",
      "m-2,-4h4v8h-4z",
  };
  fprintf(out, "<path class=\"mark s%d\" d=\"M%.1f,%.1f%s\"/>", style % STYLES, x, y, shapes[style % STYLES]);
}

static void print_line(const struct pivot_grid *grid, int column, const struct axis *x, const struct axis *y, FILE *out)
{
  bool begun = false;
  fprintf(out, "<path class=\"line s%d\" d=\"", column % STYLES);
  for (int r = 0; r < grid->row_count; r++) {
    double value = grid->values[r * grid->column_count + column];
    if (value > 0)
      fprintf(out, "%c%.1f,%.1f", begun ? 'L' : 'M', place(x, grid->positions[r]), place(y, value));
    begun = value > 0;
  }
  fputs("\"/>", out);
  for (int r = 0; r < grid->row_count; r++) {
    double value = grid->values[r * grid->column_count + column];
    if (value > 0)
      print_mark(out, column, place(x, grid->positions[r]), place(y, value));
  }
}

/* ---- axes ---- */

/* Labels of the values on the horizontal axis, as many as there is room for. */
static void print_places(const struct pivot *pivot, const struct pivot_grid *grid, const struct axis *x, FILE *out)
{
  double free_from = 0;
  for (int r = 0; r < grid->row_count; r++) {
    double at = place(x, grid->positions[r]);
    fprintf(out, "<path class=\"tick\" d=\"M%.1f,%dv4\"/>", at, HEIGHT - BOTTOM);
    if (at < free_from)
      continue;
    html_print(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", at, HEIGHT - BOTTOM + 16,
               pivot->rows.items[grid->rows[r]]);
    free_from = at + 30;
  }
  html_print(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6,
             pivot->row);
}

/* Powers of ten, and the more between them the fewer these are. */
static int steps_of(const struct axis *y, const double **steps)
{
  static const double few[] = {1, 2, 5}, many[] = {1, 1.5, 2, 3, 4, 5, 6, 8};
  double ratio = y->max / y->min;
  *steps = ratio < 8 ? many : few;
  return ratio < 8 ? 8 : ratio < 200 ? 3 : 1;
}

static void print_levels(const struct axis *y, FILE *out)
{
  char text[TEXT_LENGTH];
  const double *steps;
  int used = steps_of(y, &steps);
  for (int power = (int)floor(log10(y->min)); power <= log10(y->max); power++)
    for (int i = 0; i < used; i++) {
      double value = steps[i] * pow(10, power), at = place(y, value);
      if (value < y->min || value > y->max)
        continue;
      snprintf(text, sizeof text, "%.10g", value);
      html_print(out, "<path class=\"grid\" d=\"M%d,%.1fH%d\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                 LEFT, at, WIDTH - RIGHT, LEFT - 6, at + 4, text);
    }
}

/* ---- the chart ---- */

static void print_key(const struct pivot *pivot, const struct pivot_grid *grid, FILE *out)
{
  fputs("<figcaption>", out);
  for (int c = 0; c < grid->column_count; c++) {
    fputs("<span class=\"key\"><svg viewBox=\"-12 -6 24 12\" aria-hidden=\"true\">", out);
    fprintf(out, "<path class=\"line s%d\" d=\"M-12,0H12\"/>", c % STYLES);
    print_mark(out, c, 0, 0);
    html_print(out, "</svg>%s</span> ", pivot->columns.items[grid->columns[c]]);
  }
  fputs("</figcaption>\n", out);
}

void pivot_print_chart(const struct pivot *pivot, int table, const struct pivot_grid *grid, FILE *out)
{
  struct axis x = {INFINITY, 0, LEFT + 14, WIDTH - RIGHT - 14}, y = {INFINITY, 0, HEIGHT - BOTTOM - 8, TOP + 8};
  for (int r = 0; r < grid->row_count; r++)
    widen(&x, grid->positions[r]);
  for (int i = 0; i < grid->row_count * grid->column_count; i++)
    widen(&y, grid->values[i]);
  html_print(
      out,
      "<figure><svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s over %s, %s; the numbers are "
      "in the table beside it\">",
      WIDTH, HEIGHT, pivot->quantity, pivot->row, pivot->tables.items[table]);
  print_levels(&y, out);
  fprintf(out, "<path class=\"axis\" d=\"M%d,%dV%dH%d\"/>", LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT);
  print_places(pivot, grid, &x, out);
  html_print(out, "<text transform=\"translate(12,%d) rotate(-90)\" text-anchor=\"middle\">%s%s%s</text>",
             (TOP + HEIGHT - BOTTOM) / 2, pivot->quantity, *pivot->unit ? ", " : "", pivot->unit);
  for (int c = 0; c < grid->column_count; c++)
    print_line(grid, c, &x, &y, out);
  fputs("</svg>", out);
  print_key(pivot, grid, out);
  fputs("</figure>\n", out);
}
