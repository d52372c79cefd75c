/* Tables: one description gives text that fits the terminal, JSON and CSV. */
#include "base/table.h"
#include "base/utf8.h"
#include "unit/base/printed.h"

struct row {
  const char *name;
  char method[24];
  int ranks;
  uint64_t bytes;
  double seconds, percent;
  bool best;
};

static const struct row rows[] = {
    {"first", "bcast/binomial/8KB", 4, 8192, 1.25e-3, 0, true},
    {"the second of two, which is \"quoted\"", "bcast/chain", 131072, 1, NAN, 12.345, false},
};

/* 8192 is printed as "8KB". */
static void get_size(tutti_cell *cell, const void *row)
{
  tutti_cell_count(cell, *(const uint64_t *)TUTTI_FIELD_OF(row, cell->column));
  snprintf(cell->buffer, sizeof cell->buffer, cell->count < 1024 ? "%dB" : "%dKB",
           (int)(cell->count < 1024 ? cell->count : cell->count / 1024));
  cell->shown = cell->buffer;
}

static const tutti_column columns[] = {
    {"name", "name", TUTTI_FIELD(struct row, name)},
    {"ranks", "ranks", TUTTI_FIELD(struct row, ranks)},
    {"size", "size_B", TUTTI_FIELD(struct row, bytes), .get = get_size},
    {"median", "median_s", TUTTI_FIELD(struct row, seconds), .unit = "us", .scale = 1e6, .decimals = 3},
    {"penalty", "penalty_percent", TUTTI_FIELD(struct row, percent), .suffix = " %", .decimals = 1, .gap = 1},
    {"best", "best", TUTTI_FIELD(struct row, best)},
    {NULL, "method", TUTTI_FIELD(struct row, method)},
    {"picked", NULL, TUTTI_FIELD(struct row, method)},
};

static const tutti_table table = {
    .key = "rows", .title = "Two rows", TUTTI_COLUMNS(columns), TUTTI_ROWS(rows, 2), .indent = 2};

static void check_text(const tutti_table *printing, int width, const char *expected)
{
  struct printed printed;
  assert_int_equal(tutti_table_print_width(printing, printed_begin(&printed), width, NULL), TUTTI_OK);
  printed_expect(&printed, expected);
}

TEST(text_is_as_wide_as_its_cells)
{
  check_text(&table, 0,
             "Two rows\n"
             "  name                                   ranks  size  median [us] penalty  best  picked\n"
             "  first                                      4   8KB     1250.000   0.0 %  yes   bcast/binomial/8KB\n"
             "  the second of two, which is \"quoted\"  131072    1B            -  12.3 %  no    bcast/chain\n");
}

/* Texts are shortened to make room, the longest ones first. */
TEST(texts_are_shortened_first)
{
  check_text(&table, 78,
             "Two rows\n"
             "  name                                  ranks  size  median [us] penalty  best\n"
             "  first                                     4   8KB     1250.000   0.0 %  yes\n"
             "  the second of two, which is \"quo...  131072    1B            -  12.3 %  no\n"
             "\n"
             "  name                                  picked\n"
             "  first                                 bcast/binomial/8KB\n"
             "  the second of two, which is \"quoted\"  bcast/chain\n");
}

TEST(what_has_no_room_follows_below)
{
  check_text(&table, 60,
             "Two rows\n"
             "  name                              ranks  size  median [us]\n"
             "  first                                 4   8KB     1250.000\n"
             "  the second of two, which is ...  131072    1B            -\n"
             "\n"
             "  name                     penalty  best  picked\n"
             "  first                      0.0 %  yes   bcast/binomial/8KB\n"
             "  the second of two, wh...  12.3 %  no    bcast/chain\n");
  check_text(&table, 40,
             "Two rows\n"
             "  name                       ranks  size\n"
             "  first                          4   8KB\n"
             "  the second of two, wh...  131072    1B\n"
             "\n"
             "  name                       median [us]\n"
             "  first                         1250.000\n"
             "  the second of two, whi...            -\n"
             "\n"
             "  name                     penalty  best\n"
             "  first                      0.0 %  yes\n"
             "  the second of two, wh...  12.3 %  no\n"
             "\n"
             "  name                      picked\n"
             "  first                     bcast/binomial/8KB\n"
             "  the second of two, wh...  bcast/chain\n");
}

/* A sentence stays whole; the terminal may wrap it. */
TEST(sentences_are_not_shortened)
{
  static const tutti_column whole[] = {{"name", "name", TUTTI_FIELD(struct row, name), .whole = true}};
  const tutti_table sentences = {TUTTI_COLUMNS(whole), TUTTI_ROWS(rows, 2)};
  check_text(&sentences, 10, "name\nfirst\nthe second of two, which is \"quoted\"\n");
}

/* Below its row, where it has no room beside the others. */
TEST(sentences_fold)
{
  static const tutti_column folding[] = {{"ranks", "ranks", TUTTI_FIELD(struct row, ranks)},
                                         {"name", "name", TUTTI_FIELD(struct row, name), .fold = true}};
  const tutti_table sentences = {TUTTI_COLUMNS(folding), TUTTI_ROWS(rows, 2), .indent = 1};
  check_text(&sentences, 80,
             "  ranks  name\n"
             "      4  first\n"
             " 131072  the second of two, which is \"quoted\"\n");
  check_text(&sentences, 20,
             "  ranks\n"
             "      4\n"
             "     first\n"
             " 131072\n"
             "     the second of\n"
             "     two, which is\n"
             "     \"quoted\"\n");
  check_text(&sentences, 5,
             "  ranks\n"
             "      4\n"
             "     first\n"
             " 131072\n"
             "     the\n     second\n     of\n     two,\n     which\n     is\n     \"quoted\"\n");
}

/* The columns that say whose row it is are in every block. */
TEST(keys_are_repeated)
{
  static const tutti_column keyed[] = {{"ranks", "ranks", TUTTI_FIELD(struct row, ranks)},
                                       {"size", "size_B", TUTTI_FIELD(struct row, bytes), .get = get_size},
                                       {"picked", NULL, TUTTI_FIELD(struct row, method)},
                                       {"best", "best", TUTTI_FIELD(struct row, best)}};
  const tutti_table points = {TUTTI_COLUMNS(keyed), TUTTI_ROWS(rows, 2), .keys = 2};
  check_text(&points, 34,
             " ranks  size  picked\n"
             "     4   8KB  bcast/binomial/8KB\n"
             "131072    1B  bcast/chain\n"
             "\n"
             " ranks  size  best\n"
             "     4   8KB  yes\n"
             "131072    1B  no\n");
}

/* However narrow the terminal, every number is there, whole. */
TEST(numbers_are_never_cut)
{
  for (int width = 1; width < 100; width++) {
    struct printed printed;
    assert_int_equal(tutti_table_print_width(&table, printed_begin(&printed), width, NULL), TUTTI_OK);
    assert_int_equal(fclose(printed.stream), 0);
    assert_non_null(strstr(printed.text, " 131072"));
    assert_non_null(strstr(printed.text, " 1250.000"));
    assert_non_null(strstr(printed.text, " 12.3 %"));
    for (char *line = strtok(printed.text, "\n"); line; line = strtok(NULL, "\n"))
      if (width >= 48)
        assert_true(tutti_utf8_width(line) <= width);
    free(printed.text);
  }
}

static void print_detail(FILE *stream, const void *row)
{
  fprintf(stream, "    runs %s\n", ((const struct row *)row)->method);
}

TEST(rows_may_have_lines_below_them)
{
  static const tutti_column names[] = {{"name", "name", TUTTI_FIELD(struct row, name), .most_width = 8}};
  const tutti_table bare = {TUTTI_COLUMNS(names), TUTTI_ROWS(rows, 2), .below = print_detail, .bare = true,
                            .notes = "the end"};
  check_text(&bare, 0, "first\n    runs bcast/binomial/8KB\nthe s...\n    runs bcast/chain\nthe end\n");
}

/* Texts aligned right are numbers with their units, which are not cut; missing values may have a word of their own. */
static void get_nothing(tutti_cell *cell, const void *row)
{
  (void)row;
  assert_int_equal(cell->column->index, 7);
  assert_string_equal(cell->column->context, "context");
  cell->type = TUTTI_CELL_NONE;
}

TEST(alignment_and_missing_values_are_chosen)
{
  static const tutti_column chosen[] = {
      {"method", NULL, TUTTI_FIELD(struct row, method), .alignment = TUTTI_ALIGN_RIGHT},
      {"ranks", NULL, TUTTI_FIELD(struct row, ranks), .alignment = TUTTI_ALIGN_LEFT, .width = 8},
      {"none", NULL, .get = get_nothing, .index = 7, .context = "context", .none = ""},
      {"none", NULL, .get = get_nothing, .index = 7, .context = "context"},
      {"time", NULL, TUTTI_FIELD(struct row, seconds), .significant = 2, .none = "?"},
  };
  const tutti_table chosen_table = {TUTTI_COLUMNS(chosen), TUTTI_ROWS(rows, 2), .gap = 1};
  check_text(&chosen_table, 0,
             "            method ranks    none none   time\n"
             "bcast/binomial/8KB 4             -    0.0013\n"
             "       bcast/chain 131072        -         ?\n");
}

/* A member may be in what a pointer of the row points to, which is the row of a getter, too; NULL has none. */
struct pointing {
  const struct row *at;
  int number;
};

TUTTI_GETTER(get_double, struct pointing, 2 * row->number)
TUTTI_GETTER(get_first, struct row, row->seconds > 0 ? row->name : NULL)
TUTTI_GETTER_FORMAT(get_both, struct row, "%s of %d", row->name, row->ranks)

TEST(members_are_found_through_pointers)
{
  static const struct pointing pointing[] = {{&rows[0], 3}, {&rows[1], 4}, {NULL, 5}};
  static const tutti_column found[] = {
      {"twice", "twice", .get = get_double},
      {"ranks", "ranks", TUTTI_FIELD_THROUGH(struct pointing, at, struct row, ranks)},
      {"first", "first", TUTTI_FIELD_THROUGH(struct pointing, at, struct row, name), .get = get_first},
      {"both", "both", .through = offsetof(struct pointing, at) + 1, .get = get_both, .most_width = 12},
  };
  const tutti_table found_table = {TUTTI_COLUMNS(found), TUTTI_ROWS(pointing, 3)};
  check_text(&found_table, 0,
             "twice   ranks  first  both\n"
             "    6       4  first  first of 4\n"
             "    8  131072  -      the secon...\n"
             "   10       -  -      -\n");
}

/* Text from files cannot move the cursor, and characters count as the columns that they take. */
TEST(text_is_made_harmless)
{
  static const struct row odd[] = {{.name = "a\033[2J\n"}, {.name = "\u6f22\u00b5"}, {.name = NULL}};
  static const tutti_column two[] = {{"name", "name", TUTTI_FIELD(struct row, name)},
                                     {"ranks", "ranks", TUTTI_FIELD(struct row, ranks)}};
  const tutti_table odd_table = {TUTTI_COLUMNS(two), TUTTI_ROWS(odd, 3)};
  check_text(&odd_table, 0,
             "name    ranks\n"
             "a?[2J?      0\n"
             "\u6f22\u00b5         0\n"
             "-           0\n");
}

TEST(a_file_is_no_terminal)
{
  FREED_BY(close_stream) FILE *file = tmpfile();
  assert_non_null(file);
  assert_int_equal(tutti_terminal_width(file), 0);
}

static void check_document(const tutti_document *document, tutti_format format, const char *expected)
{
  struct printed printed;
  assert_int_equal(tutti_document_print(document, format, printed_begin(&printed), NULL), TUTTI_OK);
  printed_expect(&printed, expected);
}

TEST(json_has_typed_values)
{
  const tutti_document document = {.tables = &table, .table_count = 1};
  check_document(&document, TUTTI_FORMAT_JSON,
                 "{\"rows\": [\n"
                 "  {\"name\": \"first\", \"ranks\": 4, \"size_B\": 8192, \"median_s\": 0.00125, "
                 "\"penalty_percent\": 0, \"best\": true, \"method\": \"bcast/binomial/8KB\"},\n"
                 "  {\"name\": \"the second of two, which is \\\"quoted\\\"\", \"ranks\": 131072, \"size_B\": 1, "
                 "\"median_s\": null, "
                 "\"penalty_percent\": 12.345, \"best\": false, \"method\": \"bcast/chain\"}\n"
                 " ]}\n");
}

TEST(csv_has_the_same_keys)
{
  const tutti_document document = {.tables = &table, .table_count = 1};
  check_document(&document, TUTTI_FORMAT_CSV,
                 "name,ranks,size_B,median_s,penalty_percent,best,method\r\n"
                 "first,4,8192,0.00125,0,true,bcast/binomial/8KB\r\n"
                 "\"the second of two, which is \"\"quoted\"\"\",131072,1,,12.345,false,bcast/chain\r\n");
}

TEST(csv_quotes_what_it_must)
{
  static const struct row odd[] = {{.name = "two\nlines"}, {.name = " blank"}, {.name = ""}, {.name = NULL}};
  static const tutti_column name[] = {{"name", "name", TUTTI_FIELD(struct row, name)}};
  const tutti_table odd_table = {TUTTI_COLUMNS(name), TUTTI_ROWS(odd, 4)};
  const tutti_document document = {.tables = &odd_table, .table_count = 1};
  check_document(&document, TUTTI_FORMAT_CSV, "name\r\n\"two\nlines\"\r\n\" blank\"\r\n\r\n\r\n");
  check_document(&document, TUTTI_FORMAT_JSON,
                 "[\n {\"name\": \"two\\u000alines\"},\n {\"name\": \" blank\"},\n {\"name\": \"\"},\n"
                 " {\"name\": null}\n]\n");
}

TEST(latex_is_a_tabular_without_packages)
{
  static const struct row odd[] = {{.name = "a_b & 50 % of {x} # $1 ~ \\ ^", .ranks = 7, .percent = NAN}};
  static const tutti_column odd_columns[] = {
      {"name <1>", "name", TUTTI_FIELD(struct row, name)},
      {"penalty", "penalty_percent", TUTTI_FIELD(struct row, percent), .unit = "%"},
      {NULL, "best", TUTTI_FIELD(struct row, best)},
      {"ranks", "ranks", TUTTI_FIELD(struct row, ranks)}};
  const tutti_table odd_table = {.title = "no title", TUTTI_COLUMNS(odd_columns), TUTTI_ROWS(odd, 1)};
  const tutti_document document = {.tables = &odd_table, .table_count = 1};
  check_document(
      &document, TUTTI_FORMAT_LATEX,
      "\\begin{tabular}{lrr}\n\\hline\n"
      "name \\textless{}1\\textgreater{} & penalty [\\%] & ranks \\\\\n\\hline\n"
      "a\\_b \\& 50 \\% of \\{x\\} \\# \\$1 \\textasciitilde{} \\textbackslash{} \\textasciicircum{} & - & 7 \\\\\n"
      "\\hline\n\\end{tabular}\n");
}

static void write_powers(tutti_json *json, const void *row, const tutti_column *column)
{
  tutti_json_array(json, column->key);
  for (int i = 1; i <= ((const struct row *)row)->ranks; i *= 2)
    tutti_json_integer(json, NULL, i);
  tutti_json_end(json);
}

static void make_nested(tutti_table *nested, const void *row)
{
  static const tutti_column inner[] = {{NULL, "ranks", TUTTI_FIELD(struct row, ranks)}};
  nested->columns = inner;
  nested->column_count = 1;
  nested->row_size = sizeof(struct row);
  assert_int_equal(tutti_table_add(nested, row, NULL), TUTTI_OK);
}

/* Facts, objects by dotted keys, lists and tables in rows. */
TEST(documents_have_facts_and_tables)
{
  static const tutti_column facts[] = {{NULL, "platform", TUTTI_FIELD(struct row, name)},
                                       {NULL, "powers", .list = write_powers}};
  static const tutti_column grouped[] = {{NULL, "before.ranks", TUTTI_FIELD(struct row, ranks)},
                                         {NULL, "before.size_B", TUTTI_FIELD(struct row, bytes)},
                                         {NULL, "after.size_B", TUTTI_FIELD(struct row, bytes)},
                                         {NULL, "best", TUTTI_FIELD(struct row, best)},
                                         {NULL, "inner", .nested = make_nested},
                                         {NULL, "last.x", TUTTI_FIELD(struct row, best)}};
  const tutti_table tables[] = {{.key = "rows", TUTTI_COLUMNS(grouped), TUTTI_ROWS(rows, 1)},
                                {.key = "none", TUTTI_COLUMNS(grouped), TUTTI_ROWS(rows, 0)}};
  const tutti_document document = {TUTTI_FACTS(facts, &rows[0]), TUTTI_TABLES(tables)};
  check_document(&document, TUTTI_FORMAT_JSON,
                 "{\"platform\": \"first\",\n"
                 " \"powers\": [1, 2, 4],\n"
                 " \"rows\": [\n"
                 "  {\"before\": {\"ranks\": 4, \"size_B\": 8192}, \"after\": {\"size_B\": 8192}, \"best\": true, "
                 "\"inner\": [{\"ranks\": 4}], \"last\": {\"x\": true}}\n"
                 " ],\n"
                 " \"none\": []}\n");
  check_document(&document, TUTTI_FORMAT_CSV,
                 "platform,before.ranks,before.size_B,after.size_B,best,last.x\r\n"
                 "first,4,8192,8192,true,true\r\n"
                 "\r\n"
                 "platform,before.ranks,before.size_B,after.size_B,best,last.x\r\n");
}

/* A header has no key twice. */
TEST(csv_leaves_out_facts_that_the_table_has)
{
  static const tutti_column facts[] = {{NULL, "name", TUTTI_FIELD(struct row, name)},
                                       {NULL, "best", TUTTI_FIELD(struct row, best)}};
  static const tutti_column name[] = {{NULL, "name", TUTTI_FIELD(struct row, name)}};
  const tutti_table tables[] = {{.key = "rows", TUTTI_COLUMNS(name), TUTTI_ROWS(rows, 1)},
                                {.key = "best", TUTTI_COLUMNS(facts), TUTTI_ROWS(rows, 1)}};
  const tutti_document document = {TUTTI_FACTS(facts, &rows[0]), TUTTI_TABLES(tables)};
  check_document(&document, TUTTI_FORMAT_CSV, "best,name\r\ntrue,first\r\n\r\nname,best\r\nfirst,true\r\n");
}

TEST(rows_may_be_added_one_by_one)
{
  tutti_table added = {TUTTI_COLUMNS(columns), .row_size = sizeof(struct row)};
  char name[16];
  struct printed printed;
  for (int i = 0; i < 100; i++) {
    struct row row = rows[0];
    row.ranks = i;
    assert_int_equal(tutti_table_add(&added, &row, NULL), TUTTI_OK);
  }
  assert_int_equal(added.row_count, 100);
  assert_int_equal(tutti_table_print_width(&added, printed_begin(&printed), 0, NULL), TUTTI_OK);
  fclose(printed.stream);
  snprintf(name, sizeof name, "first     %d ", 99);
  assert_non_null(strstr(printed.text, name));
  free(printed.text);
  tutti_table_free(&added);
  assert_int_equal(added.row_count, 0);
}

/* A full disk is said, whatever the format. */
TEST(what_cannot_be_written_is_an_error)
{
  const tutti_document document = {.tables = &table, .table_count = 1};
  for (int format = TUTTI_FORMAT_TEXT; format <= TUTTI_FORMAT_LATEX; format++) {
    FILE *full = fopen("/dev/full", "w");
    if (!full)
      skip();
    setvbuf(full, NULL, _IONBF, 0);
    assert_fails(tutti_document_print(&document, (tutti_format)format, full, &error), TUTTI_ERR_IO, error, "table");
    fclose(full);
  }
}
