/* Rows of every kind: columns described, set, formatted, compared, and points that read back. */
#include "decision/results/row.h"
#include "unit/test.h"

TEST(test_kinds_are_whole)
{
  for (int row = 0; row < TUTTI_ROW_KINDS; row++) {
    const struct tutti_row_kind *kind = tutti_kind_of((enum tutti_row)row);
    assert_true(kind->table && kind->mixture && kind->since >= 1);
    if (kind->since > TUTTI_SCHEMA_VERSION)
      fail_msg("%s: the kind is of version %d, but VERSION is %d: raise it in src/decision/results/kinds.def",
               kind->keyword, kind->since, TUTTI_SCHEMA_VERSION);
    assert_true(kind->count > 0 && kind->count <= TUTTI_ROW_COLUMNS_MAX);
    assert_int_equal(tutti_row_of(kind), row);
    for (size_t i = 0; i < kind->count; i++) {
      const struct tutti_row_column *column = &kind->columns[i];
      assert_ptr_equal(tutti_column_find(kind, column->name), column);
      assert_true(column->offset + (column->size > 8 ? 8 : column->size) <= kind->size);
      assert_true(!column->at_most || tutti_column_find(kind, column->at_most));
      if (column->since > TUTTI_SCHEMA_VERSION)
        fail_msg("%s: the column '%s' is of version %d, but VERSION is %d: raise it in src/decision/results/kinds.def",
                 kind->keyword, column->name, column->since, TUTTI_SCHEMA_VERSION);
      if ((column->since || column->flags & TUTTI_ROW_COLUMN_OPTIONAL) && !column->standard)
        fail_msg("%s: the column '%s' needs a default: .standard", kind->keyword, column->name);
    }
  }
}

TEST(test_units_follow_from_names)
{
  static const char *const units[][2] = {
      {"median_s", "s"}, {"type_B", "B"}, {"ranks", ""}, {"total_B", "B"}, {"repetitions", ""}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    assert_string_equal(tutti_column_unit(tutti_column_find(tutti_kind_of(TUTTI_ROW_MEASUREMENT), units[i][0])),
                        units[i][1]);
  assert_string_equal(tutti_column_unit(tutti_column_find(tutti_kind_of(TUTTI_ROW_PARAMETER), "value_s_per_B")), "s/B");
  assert_string_equal(tutti_column_unit(tutti_column_find(tutti_kind_of(TUTTI_ROW_PENALTY), "mean_percent")), "%");
}

TEST(test_columns_are_members)
{
  const struct tutti_row_kind *kind = tutti_kind_of(TUTTI_ROW_MEASUREMENT);
  tutti_measurement m = {.ranks = 8, .median = 0.25};
  char text[TUTTI_ROW_VALUE_TEXT];
  assert_true(tutti_row_number(tutti_column_find(kind, "median_s"), &m) == 0.25);
  assert_int_equal(tutti_row_integer(kind, &m, "ranks", -1), 8);
  assert_int_equal(tutti_row_integer(kind, &m, "no such column", -1), -1);
  tutti_row_set_integer(kind, &m, "root", 3);
  assert_int_equal(m.root, 3);
  assert_int_equal(tutti_row_parse(kind, tutti_column_find(kind, "method"), "bcast/chain/8KB and more", 15, &m, NULL),
                   TUTTI_OK);
  assert_string_equal(tutti_row_format(tutti_column_find(kind, "method"), &m, text), "bcast/chain/8KB");
  assert_string_equal(tutti_row_format(tutti_column_find(kind, "arrival"), &m, text), "none");
}

/* A line, what it reads as, and its kind. */
static const struct {
  enum tutti_row row;
  const char *line, *canonical;
} points[] = {
    {TUTTI_ROW_MEASUREMENT, "bcast/binomial", "bcast/binomial root=0 count=0 type_B=1"},
    {TUTTI_ROW_MEASUREMENT, "bcast/binomial noise=exponential/2us count=7 arrival=none",
     "bcast/binomial root=0 count=7 type_B=1 noise=exponential/2us/seed=1"},
    {TUTTI_ROW_GROUP, "chain", "chain fraction=1 branching=3 seed=0 colours=1 node_ranks=1"},
    {TUTTI_ROW_GROUP, "shrink-hash/no-filler seed=7 fraction=0.3 colours=2",
     "shrink-hash/no-filler fraction=0.3 branching=3 seed=7 colours=2 node_ranks=1"},
    {TUTTI_ROW_GROUP, "centralized members=5 branching=2",
     "centralized members=5 branching=2 seed=0 colours=1 node_ranks=1"},
    {TUTTI_ROW_PENALTY, "quadtree/depth=3 collective=bcast basis=occ",
     "quadtree/depth=3 collective=bcast basis=occ root=0"},
};

TEST(test_points_read_back)
{
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    const struct tutti_row_kind *kind = tutti_kind_of(points[i].row);
    char text[TUTTI_ROW_POINT];
    void *row = malloc(kind->size), *again = malloc(kind->size);
    tutti_row_clear(points[i].row, row);
    tutti_row_clear(points[i].row, again);
    if (tutti_row_parse_point(kind, points[i].line, 16, row, REASON) != TUTTI_OK)
      fail_msg("%s: %s", points[i].line, error.message);
    assert_string_equal(tutti_row_format_point(kind, row, text), points[i].canonical);
    assert_int_equal(tutti_row_parse_point(kind, text, 16, again, REASON), TUTTI_OK);
    assert_int_equal(tutti_row_compare(kind, row, again), 0);
    assert_int_equal(tutti_row_integer(kind, row, "ranks", 16), 16);
    free(row);
    free(again);
  }
}

TEST(test_group_points_are_those_of_groups)
{
  char text[TUTTI_ROW_POINT], expected[TUTTI_GROUP_POINT_LENGTH];
  tutti_group_run run = {0};
  assert_int_equal(tutti_row_parse_point(tutti_kind_of(TUTTI_ROW_GROUP), "chain members=4 seed=9", 8, &run, NULL),
                   TUTTI_OK);
  assert_int_equal(run.point.sample.members, 4);
  assert_string_equal(tutti_row_format_point(tutti_kind_of(TUTTI_ROW_GROUP), &run, text),
                      tutti_group_point_format(&run.point, expected));
}

TEST(test_order_is_that_of_reading)
{
  const struct tutti_row_kind *kind = tutti_kind_of(TUTTI_ROW_MEASUREMENT);
  tutti_measurement rows[4] = {
      {.ranks = 8, .rank_bytes = 4}, {.ranks = 4, .rank_bytes = 9}, {.ranks = 8}, {.ranks = 4}};
  for (int i = 0; i < 4; i++)
    assert_int_equal(tutti_method_parse("bcast/linear", &rows[i].method, NULL), TUTTI_OK);
  tutti_rows_sort(kind, rows, 4);
  assert_true(rows[0].ranks == 4 && rows[0].rank_bytes == 0 && rows[1].rank_bytes == 9);
  assert_true(rows[2].ranks == 8 && rows[2].rank_bytes == 0 && rows[3].rank_bytes == 4);
  assert_true(tutti_row_compare(kind, &rows[0], &rows[1]) < 0);
}
