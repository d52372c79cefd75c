/* The report: no text of a store is ever markup, numbers have four digits, and the page holds what the store holds. */
#include "unit/cli/said.h"
#include "unit/harness/store/store_fixture.h"

#include "cli/report/pivot.h"
#include "cli/report/report.h"

typedef void write_text(FILE *stream, const char *text);

static void check_text(write_text *write, const char *text, const char *expected)
{
  FREED_BY(free_memory) char *written = NULL;
  size_t length;
  FILE *stream = open_memstream(&written, &length);
  write(stream, text);
  fclose(stream);
  assert_string_equal(written, expected);
}

TEST(markup_is_escaped)
{
  check_text(html_text, "a<b>&\"c\"'d'", "a&lt;b&gt;&amp;&quot;c&quot;&#39;d&#39;");
  check_text(html_text, "\x01\x7f\n\t\u00b5", "??\n\t\u00b5");
  check_text(html_text, "&amp;", "&amp;amp;");
  check_text(html_text, "a\u202eb\xc2\x9b]]>\ufeff\uffff", "a?b?]]&gt;??");
  check_text(html_text, "M\xfcnster \xe2\x82 \U0001f600<\xff", "M\ufffdnster \ufffd\ufffd \U0001f600&lt;\ufffd");
}

TEST(only_texts_of_formats_are_escaped)
{
  FREED_BY(free_memory) char *written = NULL;
  size_t length;
  FILE *stream = open_memstream(&written, &length);
  html_print(stream, "<b class=\"%s\">%d %zu %.2f %.3g%%</b>", "\"<x>\"", -3, (size_t)7, 1.005, 12345.0);
  fclose(stream);
  assert_string_equal(written, "<b class=\"&quot;&lt;x&gt;&quot;\">-3 7 1.00 1.23e+04%</b>");
}

/* A description gives a table whose texts are no markup. */
TEST(tables_are_described)
{
  struct row {
    const char *name;
    double percent;
    uint64_t count;
  };
  static const tutti_column columns[] = {{"Name", NULL, TUTTI_FIELD(struct row, name)},
                                         {"Mean", NULL, TUTTI_FIELD(struct row, percent), .decimals = 2, .none = "?"},
                                         {NULL, "count", TUTTI_FIELD(struct row, count)}};
  static const struct row rows[] = {{"<a>", 1.005, 1}, {"b", NAN, 2}};
  const tutti_table table = {.title = "T&T", TUTTI_COLUMNS(columns), TUTTI_ROWS(rows, 2)};
  FREED_BY(free_memory) char *written = NULL;
  size_t length;
  FILE *stream = open_memstream(&written, &length);
  html_table(stream, &table, "\"label\"");
  fclose(stream);
  assert_string_equal(written,
                      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"&quot;label&quot;\">\n"
                      "<table>\n<caption>T&amp;T</caption>\n<thead><tr><th scope=\"col\">Name</th>"
                      "<th scope=\"col\" class=\"n\">Mean</th></tr></thead>\n<tbody>\n"
                      "<tr><th scope=\"row\">&lt;a&gt;</th><td class=\"n\">1.00</td></tr>\n"
                      "<tr><th scope=\"row\">b</th><td class=\"n\">?</td></tr>\n"
                      "</tbody>\n</table>\n</div>\n");
}

static void check_real(double number, const char *expected)
{
  char text[TEXT_LENGTH];
  assert_string_equal(text_real(number, text), expected);
}

TEST(numbers_have_four_digits)
{
  char text[TEXT_LENGTH];
  check_real(0, "0");
  check_real(1, "1.000");
  check_real(0.99999, "1.000");
  check_real(99.999, "100.0");
  check_real(999.94, "999.9");
  check_real(999.96, "1,000");
  check_real(-12.344, "-12.34");
  check_real(-1234567.8, "-1,234,568");
  check_real(0.000123456, "0.0001235");
  check_real(1e-9, "1.000e-09");
  check_real(1e18, "1.000e+18");
  check_real(NAN, "\u2013");
  check_real(INFINITY, "\u2013");
  assert_string_equal(progress_format_count(0, text), "0");
  assert_string_equal(progress_format_count(999, text), "999");
  assert_string_equal(progress_format_count(32400, text), "32,400");
  assert_string_equal(progress_format_count(1234567890123, text), "1,234,567,890,123");
}

TEST(rows_are_in_order_and_gaps_stay_gaps)
{
  FREED_BY(pivot_free) struct pivot pivot = {.quantity = "Time", .unit = "", .row = "n"};
  struct pivot_grid grid;
  pivot_add(&pivot, "one", "16", 16, "a", 3);
  pivot_add(&pivot, "two", "4", 4, "b", 9);
  pivot_add(&pivot, "one", "4", 4, "b", 2);
  pivot_add(&pivot, "one", "8", 8, "a", 1);
  pivot_grid_create(&pivot, 0, &grid);
  assert_int_equal(grid.row_count, 3);
  assert_int_equal(grid.column_count, 2);
  const double positions[] = {4, 8, 16}, values[] = {NAN, 2, 1, NAN, 3, NAN};
  assert_memory_equal(grid.positions, positions, sizeof positions);
  for (int i = 0; i < 6; i++)
    assert_true(isnan(values[i]) ? isnan(grid.values[i]) : grid.values[i] == values[i]);
  assert_true(pivot_has_chart(&grid));
  pivot_grid_free(&grid);
  pivot_grid_create(&pivot, 1, &grid);
  assert_int_equal(grid.row_count, 1);
  assert_int_equal(grid.column_count, 1);
  assert_false(pivot_has_chart(&grid));
  pivot_grid_free(&grid);
}

static const tutti_environment hostile = {
    "</script><b id='x'>&\"", "0123456789abcdef", "smpi", "<i>Sim\"Grid</i>", "0.1.0", .settings = ""};

static tutti_measurement point(const char *method, int ranks, uint64_t bytes, double seconds)
{
  tutti_measurement measurement = stored_point(method, ranks, bytes, seconds);
  measurement.repetitions = 3;
  return measurement;
}

static void fill(const char *path)
{
  FREED_BY(close_store) tutti_store *store = open_store(path);
  const tutti_measurement points[] = {
      point("bcast/linear", 4, 1024, 2e-4), point("bcast/binomial", 4, 1024, 1e-4),
      point("bcast/linear", 8, 1024, 3e-4), point("bcast/binomial", 8, 1024, 6e-4),
      point("reduce/linear", 4, 8, 1e-5),
  };
  assert_int_equal(tutti_store_add(store, environment_id(store, &hostile), points, 5, NULL), TUTTI_OK);
}

#define DEFAULTS .only.scheme = -1, .maps.root = -1, .maps.implementation = -1

/* The page of a store; the caller frees. */
static char *write_page(const char *path, const struct report_options *options)
{
  char *page = NULL;
  size_t length;
  FREED_BY(report_free) struct report report;
  tutti_store *store = store_open_existing(path);
  report_create(options, store, &report);
  FILE *stream = open_memstream(&page, &length);
  report_write(&report, stream);
  fclose(stream);
  store_close(store);
  return page;
}

STORE_TEST(hostile_names_are_texts)
{
  const struct report_options options = {DEFAULTS, .title = "<u>\"Title\"</u>", .database = "my 'store'<x>.db"};
  fill(place->path);
  FREED_BY(free_memory) char *page = write_page(place->path, &options);
  const char *const forbidden[] = {"<b id=", "<i>Sim", "<u>", "<x>"};
  for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
    assert_null(strstr(page, forbidden[i]));
  assert_non_null(strstr(page, "<title>&lt;u&gt;&quot;Title&quot;&lt;/u&gt;</title>"));
  assert_non_null(strstr(page, "&lt;i&gt;Sim&quot;Grid&lt;/i&gt;"));
  /* The data end where they should. */
  char *data = strstr(page, "id=\"tutti-data\">");
  assert_non_null(data);
  char *end = strstr(data, "</script>");
  assert_non_null(end);
  assert_memory_equal(end - 3, "}]}", 3);
  *end = '\0';
  assert_non_null(strstr(data, "\\u003c/script>\\u003cb id='x'>&\\\""));
}

STORE_TEST(same_store_same_bytes)
{
  const struct report_options options = {DEFAULTS, .database = "results.db"};
  fill(place->path);
  FREED_BY(free_memory) char *first = write_page(place->path, &options), *second = write_page(place->path, &options);
  assert_string_equal(first, second);
}

STORE_TEST(maps_are_separate_and_right)
{
  const struct report_options options = {DEFAULTS, .database = "results.db"};
  FREED_BY(report_free) struct report report;
  fill(place->path);
  tutti_store *store = store_open_existing(place->path);
  report_create(&options, store, &report);
  assert_int_equal(report.map_count, 2);
  assert_int_equal(report.maps[0].map.collective, TUTTI_COLL_BCAST);
  assert_int_equal(report.maps[0].points, 4);
  assert_int_equal(report.maps[0].map.best[0], 1);
  assert_int_equal(report.maps[0].map.best[1], 0);
  assert_int_equal(report.maps[1].map.collective, TUTTI_COLL_REDUCE);
  /* The best single method loses 0 and 100 %, the other one 100 and 0 %: the first of the catalogue is taken. */
  const struct report_layer *last = &report.maps[0].layers[report.maps[0].layer_count - 1];
  assert_string_equal(last->name, "bcast/linear");
  assert_float_equal(last->penalty.mean, 50, 1e-9);
  char command[COMMAND_LENGTH];
  command_of_map(&report, "map bcast", &report.maps[0], command);
  assert_string_equal(command, "tutti map bcast --platform '</script><b id='\\''x'\\''>&\"'");
  store_close(store);
}

STORE_TEST(patterns_have_maps_of_their_own)
{
  const struct report_options options = {DEFAULTS, .database = "results.db"};
  tutti_measurement points[] = {point("bcast/linear", 4, 1, 1e-4), point("bcast/linear", 4, 1, 2e-4)};
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  FREED_BY(report_free) struct report report;
  char text[COMMAND_LENGTH];
  assert_int_equal(tutti_arrival_parse("straggler/5ms/seed=1", &points[1].arrival, NULL), TUTTI_OK);
  assert_int_equal(tutti_store_add(store, environment_id(store, &hostile), points, 2, NULL), TUTTI_OK);
  report_create(&options, store, &report);
  assert_int_equal(report.map_count, 2);
  assert_null(strstr(command_of_map(&report, "map bcast", &report.maps[0], text), "--arrival"));
  assert_contains(command_of_map(&report, "map bcast", &report.maps[1], text), " --arrival straggler/5ms/seed=1");
  assert_non_null(strstr(query_of_map(&report, &report.maps[1], text), "m.arrival = 'straggler/5ms/seed=1'"));
  assert_float_equal(report.maps[1].map.times[0], 2e-4, 0);
}

static void create_report_of_elsewhere(const void *path)
{
  struct selection_options selected = {.platform = "elsewhere"};
  const struct report_options options = {DEFAULTS, .database = "my.db", .platforms.count = 1, .selected = &selected};
  struct report report;
  report_create(&options, store_open_existing(path), &report);
}

STORE_TEST(unknown_platforms_are_refused)
{
  char said[SAID_LENGTH];
  fill(place->path);
  assert_int_equal(said_by(create_report_of_elsewhere, place->path, said), EXIT_USAGE);
  assert_non_null(strstr(said, "'elsewhere'"));
  assert_non_null(strstr(said, hostile.platform));
}

static int count_of(const char *page, const char *what)
{
  int found = 0;
  for (const char *at = page; (at = strstr(at, what)); at++)
    found++;
  return found;
}

/* An empty store says what fills it; of all others sections without data are absent, from the contents, too. */
STORE_TEST(sections_without_data_are_absent)
{
  const struct report_options options = {DEFAULTS, .database = "results.db"};
  tutti_store_close(open_store(place->path));
  char *page = write_page(place->path, &options);
  assert_int_equal(count_of(page, "<p class=\"nothing\">"), 1);
  assert_int_equal(count_of(page, "<section id="), 1);
  assert_int_equal(count_of(page, "<li><a href="), 1);
  assert_non_null(strstr(page, "tutti bench demo"));
  assert_non_null(strstr(page, "{\"maps\":[]}"));
  free(page);
  fill(place->path);
  page = write_page(place->path, &options);
  assert_int_equal(count_of(page, "<p class=\"nothing\">"), 0);
  assert_int_equal(count_of(page, "<section id="), 3); /* overview of two maps, maps, provenance */
  assert_int_equal(count_of(page, "<li><a href="), 3);
  free(page);
}

/* What a reader wants to know comes first: the map, what is lost without it, the rules. Parameters come last. */
STORE_TEST(results_come_first)
{
  const struct report_options options = {DEFAULTS, .database = "results.db"};
  static const char *const order[] = {"<section id=\"maps\"",       "takes <strong>",
                                      "<table class=\"map\"",       "What is lost to the best",
                                      "Recommended rules",          "bytes &lt;= 11 : linear (1)",
                                      "<section id=\"provenance\"", "<section id=\"platforms\""};
  const tutti_environment environment = {"torus", "0123", "smpi", "SimGrid-3.32", "0.1.0", .settings = ""};
  const tutti_measurement points[] = {
      point("bcast/linear", 4, 8, 1e-4),       point("bcast/binomial", 4, 8, 2e-4),
      point("bcast/k-nomial/k=4", 4, 8, 3e-4), point("bcast/linear", 4, 16, 2e-4),
      point("bcast/binomial", 4, 16, 1e-4),    point("bcast/k-nomial/k=4", 4, 16, 3e-4),
  };
  const tutti_parameter parameters[] = {{.quantity = TUTTI_QUANTITY_HALF_TRIP, .bytes = 1, .value = 1e-6},
                                        {.quantity = TUTTI_QUANTITY_HALF_TRIP, .bytes = 8, .value = 2e-6}};
  tutti_store *store = open_store(place->path);
  int64_t id = environment_id(store, &environment);
  assert_int_equal(tutti_store_add(store, id, points, 6, NULL), TUTTI_OK);
  assert_int_equal(tutti_store_put_parameters(store, id, parameters, 2, NULL), TUTTI_OK);
  tutti_store_close(store);
  FREED_BY(free_memory) char *page = write_page(place->path, &options);
  const char *at = page;
  for (size_t i = 0; i < sizeof order / sizeof *order; i++)
    if (!(at = strstr(at, order[i])))
      fail_msg("'%s' is missing, or not after '%s'", order[i], i ? order[i - 1] : "");
  assert_null(strstr(page, "<section id=\"overview\"")); /* there is one map */
  assert_non_null(strstr(page, "class=\"skip\" href=\"#maps\""));
}

/* On a real machine the file is learnt from the library's own times, limited and judged by the store, and compared. */
STORE_TEST(rules_for_a_real_library_are_judged)
{
  const struct report_options options = {DEFAULTS, .database = "o.db"};
  const tutti_environment environment = {"here",          "",      "openmpi",
                                         "OpenMPI-4.1.4", "0.1.0", .settings = "--bind-to=core OMPI_MCA_coll=^han"};
  const tutti_measurement points[] = {point("bcast/linear", 2, 8, 1e-4), point("bcast/binomial", 2, 8, 2e-4)};
  tutti_store *store = open_store(place->path);
  assert_int_equal(tutti_store_add(store, environment_id(store, &environment), points, 2, NULL), TUTTI_OK);
  tutti_store_close(store);
  FREED_BY(free_memory) char *page = write_page(place->path, &options);
  assert_contains(page, "<code>tutti learn optimal bcast --mean 1 --target openmpi -o bcast.tree --platform here "
                        "--db o.db</code> <code>tutti export bcast.tree --format openmpi -o bcast.rules "
                        "--platform here --db o.db</code> <code>OMPI_MCA_coll=&#39;^han&#39; tutti compare untuned "
                        "bcast.rules --between -o mended-bcast.rules --platform here --db o.db "
                        "--launcher-args=&#39;--bind-to core&#39;</code>");
}

/* What the library chooses itself is compared with the best, but is none. Alone it is shown as what it is. */
STORE_TEST(native_is_not_in_the_race)
{
  const struct report_options options = {DEFAULTS, .database = "results.db"};
  const tutti_measurement points[] = {point("bcast/linear", 4, 8, 2e-4), point("bcast/binomial", 4, 8, 4e-4),
                                      point("bcast/native", 4, 8, 1e-4), point("reduce/native", 4, 8, 1e-4)};
  tutti_store *store = open_store(place->path);
  assert_int_equal(tutti_store_add(store, environment_id(store, &hostile), points, 4, NULL), TUTTI_OK);
  tutti_store_close(store);
  FREED_BY(free_memory) char *page = write_page(place->path, &options);
  assert_non_null(strstr(page, "<strong>bcast/native</strong> takes <strong>50.0 %</strong> less time"));
  assert_non_null(strstr(page, "{\"name\":\"bcast/native\",\"letter\":\"N\""));
  assert_non_null(strstr(page, "1 of 2</td>")); /* methods best somewhere, of those that can be */
  const char *reduce = strstr(page, "id=\"map-2\"");
  assert_non_null(reduce);
  assert_non_null(strstr(reduce, "Only what the library chooses itself was measured"));
  assert_null(strstr(reduce, "Recommended rules"));
  assert_int_equal(count_of(page, "\"candidate\":false"), 1);
  assert_non_null(strstr(strstr(page, "\"name\":\"bcast/native\""), "\"candidate\":false"));
}

/* Times below zero, which older stores have, are left out and counted: no percentage is of one. */
STORE_TEST(no_percentage_of_a_negative_time)
{
  const struct report_options options = {DEFAULTS, .database = "results.db"};
  struct report report;
  char statement[] = "UPDATE measurement SET minimum_s = -1e-4, median_s = -1e-4, mean_s = -1e-4 WHERE ranks = 4 AND "
                     "method = (SELECT id FROM method WHERE name = 'bcast/linear')";
  fill(place->path);
  assert_int_equal(execute(place->path, statement), SQLITE_OK);
  tutti_store *store = store_open_existing(place->path);
  report_create(&options, store, &report);
  for (int m = 0; m < report.map_count; m++)
    for (int i = 0; i < report.maps[m].layer_count; i++)
      for (size_t p = 0; p < tutti_decision_map_points(&report.maps[m].map); p++)
        assert_true(isnan(report.maps[m].layers[i].percents[p]) || report.maps[m].layers[i].percents[p] >= 0);
  report_free(&report);
  store_close(store);
  FREED_BY(free_memory) char *page = write_page(place->path, &options);
  assert_non_null(strstr(page, "1 measurement below zero is left out"));
}

static struct report_layer loses(char *name, const char *kind, double mean, int missing)
{
  return (struct report_layer){
      .name = name, .kind = kind, .penalty = {.points = 4, .missing = missing, .mean = mean, .max = mean}};
}

static char *write_overview(struct report_layer *layers, int count)
{
  const struct report_options options = {DEFAULTS, .database = "results.db"};
  const tutti_measurement points[] = {point("bcast/linear", 4, 8, 1e-4), point("bcast/binomial", 4, 8, 2e-4)};
  tutti_environment environment = {.platform = "torus"};
  struct report_map maps[2] = {{.layers = layers, .layer_count = count}, {.root = 1}};
  char *text = NULL;
  size_t length;
  for (int i = 0; i < 2; i++)
    assert_int_equal(tutti_decision_map_create(points, 2, &maps[i].map, NULL), TUTTI_OK);
  const struct report report = {.options = &options,
                                .contents = {.environments = &environment, .environment_count = 1, .entry_count = 1},
                                .map_count = 2,
                                .maps = maps};
  FILE *stream = open_memstream(&text, &length);
  section_overview(&report, stream);
  fclose(stream);
  for (int i = 0; i < 2; i++)
    tutti_decision_map_free(&maps[i].map);
  return text;
}

/* Not the library that loses least is what a user without tuning has, but those of today, or the one that ran. */
TEST(former_libraries_flatter_nobody)
{
  char recommended[] = "recommended", native[] = "bcast/native", old[] = "library:openmpi-1.x",
       openmpi[] = "library:openmpi-4.1", mpich[] = "library:mpich-4.0";
  struct report_layer layers[] = {loses(recommended, "recommended", 0.5, 0), loses(old, "library", 0.2972, 4),
                                  loses(openmpi, "library", 38, 0), loses(mpich, "library", 24.44, 36),
                                  loses(native, "native", 12, 0)};
  char *text = write_overview(layers, 4);
  assert_contains(text, "<td><div>openmpi-4.1 <span class=\"soft\">38.0 %</span></div>"
                        "<div>mpich-4.0 <span class=\"soft\">24.4 % (4 of 40)</span></div></td>"
                        "<td class=\"n\">0.5 %</td>");
  assert_null(strstr(text, "openmpi-1.x"));
  free(text);
  layers[1] = layers[4]; /* native comes before libraries */
  text = write_overview(layers, 4);
  assert_non_null(strstr(text, "<td><div>bcast/native <span class=\"soft\">12.0 %</span></div></td>"));
  assert_null(strstr(text, "openmpi-4.1"));
  free(text);
}
