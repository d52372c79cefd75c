/* Cells that tables of the command share: sizes, methods, collectives, schemes and their patterns, axes of maps. */
#include "cli/output/output.h"
#include "tutti/decision.h"
#include "unit/base/printed.h"

struct row {
  uint64_t size;
  tutti_method method;
  tutti_collective collective;
  const char *basis;
  double seconds;
  tutti_decision_map map;
};

static const tutti_column columns[] = {
    {"size", "size_B", TUTTI_FIELD(struct row, size), .get = cell_size},
    {"method", "method", .at = offsetof(struct row, method), .get = cell_method},
    {"collective", "collective", .at = offsetof(struct row, collective), .get = cell_collective},
    CELL_SCHEME_COLUMNS(struct row, basis),
    {"median", "median_s", CELL_MICROSECONDS(struct row, seconds)},
    {NULL, "ranks", .at = offsetof(struct row, map), .list = list_map_ranks},
    {NULL, "sizes_B", .at = offsetof(struct row, map), .list = list_map_sizes},
};

static int ranks[] = {2, 4};
static uint64_t sizes[] = {1, 8192};

static void make_rows(struct row rows[2])
{
  const tutti_decision_map map = {.ranks_count = 2, .ranks = ranks, .size_count = 2, .sizes = sizes};
  rows[0] = (struct row){8192, {0}, TUTTI_COLL_BCAST, "occ, arrival sorted/1ms", 1.5e-6, map};
  rows[1] = (struct row){1, {0}, TUTTI_COLL_REDUCE, "window", 2e-3, map};
  assert_int_equal(tutti_method_parse("bcast/binomial/8KB", &rows[0].method, NULL), TUTTI_OK);
}

TEST(text_is_for_people)
{
  struct row rows[2];
  struct printed printed;
  make_rows(rows);
  const tutti_table table = {TUTTI_COLUMNS(columns), TUTTI_ROWS(rows, 2)};
  assert_int_equal(tutti_table_print_width(&table, printed_begin(&printed), 0, NULL), TUTTI_OK);
  printed_expect(&printed, "size  method              collective  median [us]\n"
                           " 8KB  bcast/binomial/8KB  bcast             1.500\n"
                           "  1B  -                   reduce         2000.000\n");
}

TEST(json_has_numbers_and_units)
{
  struct row rows[2];
  struct printed printed;
  make_rows(rows);
  const tutti_table table = {TUTTI_COLUMNS(columns), TUTTI_ROWS(rows, 2)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  assert_int_equal(tutti_document_print(&document, TUTTI_FORMAT_JSON, printed_begin(&printed), NULL), TUTTI_OK);
  printed_expect(&printed, "[\n"
                           " {\"size_B\": 8192, \"method\": \"bcast/binomial/8KB\", \"collective\": \"bcast\", "
                           "\"scheme\": \"occ\", \"patterns\": \"arrival sorted/1ms\", \"median_s\": 1.5e-06, "
                           "\"ranks\": [2, 4], \"sizes_B\": [1, 8192]},\n"
                           " {\"size_B\": 1, \"method\": null, \"collective\": \"reduce\", "
                           "\"scheme\": \"window\", \"patterns\": null, \"median_s\": 0.002, "
                           "\"ranks\": [2, 4], \"sizes_B\": [1, 8192]}\n"
                           "]\n");
}

TEST(csv_leaves_lists_out)
{
  struct row rows[2];
  struct printed printed;
  make_rows(rows);
  const tutti_table table = {TUTTI_COLUMNS(columns), TUTTI_ROWS(rows, 2)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  assert_int_equal(tutti_document_print(&document, TUTTI_FORMAT_CSV, printed_begin(&printed), NULL), TUTTI_OK);
  printed_expect(&printed, "size_B,method,collective,scheme,patterns,median_s\r\n"
                           "8192,bcast/binomial/8KB,bcast,occ,arrival sorted/1ms,1.5e-06\r\n"
                           "1,,reduce,window,,0.002\r\n");
}
