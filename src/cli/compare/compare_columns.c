/* The columns of points and of pairs of launches. */
#include <math.h>

#include "cli/compare/compare.h"
#include "cli/output/output.h"
#include "decision/results/row.h"

/* ---- points ---- */

static double change_of(double ratio)
{
  return 100 * (ratio - 1);
}

/* The ratio that the column is about, as a change in percent. */
static void get_change(tutti_cell *cell, const void *row)
{
  tutti_cell_real(cell, change_of(*(const double *)TUTTI_FIELD_OF(row, cell->column)));
}

/* An interval of a hundred times and more says nothing: no number. */
static bool is_useless(const tutti_compared_point *point)
{
  return !(point->high / point->low < 100);
}

/* An end of the interval, in the same way. */
static void get_end(tutti_cell *cell, const void *row)
{
  tutti_cell_real(cell, is_useless(row) ? NAN : change_of(*(const double *)TUTTI_FIELD_OF(row, cell->column)));
}

TUTTI_GETTER(get_outcome, tutti_compared_point, tutti_outcome_name(row->outcome))

#define POINT(member)  TUTTI_FIELD(tutti_compared_point, member)
#define CHANGE(member) POINT(member), .get = get_change, .unit = "%", .decimals = 1
#define END(member)    POINT(member), .get = get_end, .unit = "%", .decimals = 1

TUTTI_GETTER(get_verdict, tutti_compared_point, tutti_pair_verdict_name(row->verdict))

/* In percent. */
static void get_finds(tutti_cell *cell, const void *row)
{
  const tutti_compared_point *point = row;
  tutti_cell_real(cell, is_useless(point) ? NAN : 100 * point->finds);
}

/* No number where it is not known. */
static void get_enough(tutti_cell *cell, const void *row)
{
  const tutti_compared_point *point = row;
  if (point->enough > 0)
    tutti_cell_integer(cell, point->enough);
}

#define COMMON_COLUMNS                                                                                                 \
  {"collective", "collective", .at = offsetof(tutti_compared_point, collective), .get = cell_collective},              \
      {"ranks", "ranks", POINT(ranks)}, {NULL, "root", POINT(root)},                                                   \
      {"size", "size_B", POINT(bytes), .get = cell_size, .alignment = TUTTI_ALIGN_RIGHT},                              \
      {"pairs", "pairs", POINT(pairs)}, {"before", "before_s", CELL_MICROSECONDS(tutti_compared_point, before)},       \
      {"after", "after_s", CELL_MICROSECONDS(tutti_compared_point, after)},                                            \
      {"change", "change_percent", CHANGE(ratio)}, {"from", "low_percent", END(low)},                                  \
  {                                                                                                                    \
    "to", "high_percent", END(high)                                                                                    \
  }

const tutti_column compare_point_columns[COMPARE_POINT_COLUMNS] = {
    COMMON_COLUMNS,
    {"p", "p_value", POINT(p), .significant = 3},
    {"corrected", "corrected_p", POINT(corrected), .significant = 3},
    {"outcome", "outcome", .get = get_outcome},
};

const tutti_column compare_verdict_columns[COMPARE_VERDICT_COLUMNS] = {
    COMMON_COLUMNS,
    {NULL, "p_value", POINT(p)},
    {NULL, "corrected_p", POINT(corrected)},
    {NULL, "outside_p", POINT(outside)},
    {NULL, "corrected_outside_p", POINT(outside_corrected)},
    {"finds", "finds_percent", POINT(finds), .get = get_finds, .unit = "%", .decimals = 1},
    {NULL, "enough_rounds", .get = get_enough},
    {"verdict", "verdict", .get = get_verdict},
};

/* ---- launches ---- */

const tutti_column *compare_launch_columns(void)
{
  static const char *const names[][2] = {{"collective", "collective"},
                                         {"ranks", "ranks"},
                                         {"root", "root"},
                                         {"size_B", "size_B"},
                                         {"round", "round"},
                                         {"first", "first"},
                                         {"before_median_s", "before_s"},
                                         {"after_median_s", "after_s"}};
  _Static_assert(sizeof names / sizeof *names == COMPARE_LAUNCH_COLUMNS, "as the header says");
  const struct tutti_row_kind *kind = tutti_kind_of(TUTTI_ROW_COMPARISON);
  tutti_column *columns = tutti_xcalloc(COMPARE_LAUNCH_COLUMNS + 1, sizeof *columns);
  for (int i = 0; i < COMPARE_LAUNCH_COLUMNS; i++)
    columns[i] = (tutti_column){.heading = names[i][1],
                                .key = names[i][1],
                                .get = cell_row_column,
                                .context = tutti_column_find(kind, names[i][0]),
                                .digits = 17,
                                .significant = 6,
                                .gap = 2};
  return columns;
}
