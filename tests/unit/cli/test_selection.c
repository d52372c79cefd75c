/* Which measurements a command reads: its options, and what is said where they do not lead to one map. */
#include "unit/store/store_fixture.h"

#include "cli/command.h"
#include "cli/options/selection.h"
#include "unit/cli/said.h"
#include "unit/decision/map_fixture.h"

/* A command line, words with blanks between them, and the store whose map of bcast is read. */
struct asked {
  const char *line;
  const char *database; /* NULL: none is read */
};

enum { MAX_WORDS = 32 };

static void ask(const void *context)
{
  static const struct option_usage usage = {.help = "Select."};
  const struct asked *asked = context;
  char text[512], *rest, *argv[MAX_WORDS] = {(char *)"tutti try"};
  struct selection_options selected = {0};
  struct measured_map measured;
  tutti_error error;
  int argc = 1;
  snprintf(text, sizeof text, "%s%s%s", asked->line, asked->database ? " --db " : "",
           asked->database ? asked->database : "");
  for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
    argv[argc++] = word;
  options_parse(selection_table, &usage, argc, argv, &selected);
  if (!asked->database)
    return;
  if (selection_read_map(&selected, TUTTI_COLL_BCAST, &measured, &error) != TUTTI_OK) {
    puts(error.message);
    return;
  }
  printf("%s %s %s, root %d, %d methods\n", measured.platform, measured.basis, measured.basis_name, measured.root,
         measured.map.method_count);
  tutti_decision_map_free(&measured.map);
}

static void assert_refused(const char *line, const char *message)
{
  char said[SAID_LENGTH], whole[512];
  const struct asked asked = {.line = line};
  snprintf(whole, sizeof whole, "tutti try: %s\n", message);
  assert_int_equal(said_by(ask, &asked, said), EXIT_USAGE);
  if (strncmp(said, whole, strlen(whole)) != 0)
    fail_msg("'%s' says '%s' instead of '%s'", line, said, whole);
}

/* What reading the map of bcast says; @p expected stands behind "STORE" where it begins with a colon. */
static void assert_read(const struct place *place, const char *line, const char *expected)
{
  char said[SAID_LENGTH], whole[512];
  const struct asked asked = {line, place->path};
  snprintf(whole, sizeof whole, "%s%s\n", *expected == ':' ? place->path : "", expected);
  assert_int_equal(said_by(ask, &asked, said), 0);
  assert_string_equal(said, whole);
}

static void add(const struct place *place, const char *platform, tutti_measurement measurement)
{
  const tutti_environment environment = {
      .platform = platform, .platform_hash = "", .flavor = "smpi", .library = "SimGrid", .tutti = "0.1.0"};
  tutti_store *store = open_store(place->path);
  measurement.minimum = measurement.mean = measurement.maximum = measurement.median;
  tutti_total_bytes(&measurement, &measurement.total_bytes);
  assert_int_equal(tutti_store_add(store, environment_id(store, &environment), &measurement, 1, NULL), TUTTI_OK);
  tutti_store_close(store);
}

static tutti_measurement point_with(tutti_scheme scheme, int root, const char *arrival)
{
  tutti_measurement point = map_point("bcast/binomial", 8, 1024, 1e-3);
  point.scheme = scheme;
  point.root = root;
  if (arrival)
    assert_int_equal(tutti_arrival_parse(arrival, &point.arrival, NULL), TUTTI_OK);
  return point;
}

static void options_that_do_not_go_together(void **state)
{
  (void)state;
  assert_refused("", "--platform NAME is missing");
  assert_refused("--platform platforms/.xml", "--platform: the name '.xml' is empty or too long");
  assert_refused("--platform grig --scheme best",
                 "--scheme: unknown measuring scheme 'best': known are occ, window, and of imports osu, imb, repro");
  assert_refused("--platform grig --arrival none,sorted/1ms",
                 "several patterns: --robust mean or --robust worst says how they are joined");
  assert_refused("--platform grig --arrival soon",
                 "--arrival: arrival pattern 'soon': known are none, uniform, straggler, sorted, reversed, trace");
  assert_refused("--platform grig --robust median",
                 "--robust: unknown way to be robust 'median': known are mean, worst");
  assert_refused("--platform grig --ranks-per-node 0",
                 "--ranks-per-node: '0' is not a whole number from 1 to 2147483647");
  assert_refused("--platform grig --root -1", "--root: '-1' is not a whole number from 0 to 2147483647");
}

static void nothing_matches(void **state)
{
  const struct place *place = *state;
  assert_read(place, "--platform grig", ": no such store of measurements (tutti bench makes one)");
  add(place, "grig", point_with(TUTTI_SCHEME_OCC, 0, NULL));
  assert_read(place, "--platform boba", ": no measurement of bcast on platform boba matches (tutti bench makes one)");
  assert_read(place, "--platform grig --arrival sorted/1ms",
              ": no measurement of bcast on platform grig under arrival sorted/1ms and noise none matches (tutti bench "
              "makes one)");
  assert_read(place, "--platform grig --root 3",
              ": no measurement of bcast on platform grig matches (tutti bench makes one)");
}

static void one_map_of_several(void **state)
{
  const struct place *place = *state;
  add(place, "grig", point_with(TUTTI_SCHEME_OCC, 0, NULL));
  assert_read(place, "--platform grig", "grig scheme occ, root 0, 1 methods");
  assert_read(place, "--platform platforms/grig.xml", "grig scheme occ, root 0, 1 methods");
  add(place, "grig", point_with(TUTTI_SCHEME_OCC, 3, NULL));
  assert_read(place, "--platform grig",
              "bcast/binomial with 8 ranks and 1KB was measured more than once, with several roots, numbers of ranks "
              "per node or types: select one (--root, --ranks-per-node)");
  assert_read(place, "--platform grig --root 3", "grig scheme occ, root 3, 1 methods");
  add(place, "grig", point_with(TUTTI_SCHEME_WINDOW, 0, NULL));
  assert_read(place, "--platform grig",
              ": 2 sets of measurements match; choose one with --platform-hash, --flavor, --library, --tutti-version "
              "or --scheme: grig smpi, library 'SimGrid', Tutti 0.1.0, scheme occ; grig smpi, library 'SimGrid', Tutti "
              "0.1.0, scheme window");
  assert_read(place, "--platform grig --scheme window", "grig scheme window, root 0, 1 methods");
}

static void patterns_are_joined(void **state)
{
  const struct place *place = *state;
  add(place, "grig", point_with(TUTTI_SCHEME_OCC, 0, NULL));
  add(place, "grig", point_with(TUTTI_SCHEME_OCC, 0, "sorted/1ms"));
  assert_read(place, "--platform grig --arrival none,sorted/1ms --robust worst",
              "grig scheme occ, worst of arrival none, sorted/1ms, root 0, 1 methods");
  add(place, "grig", point_with(TUTTI_SCHEME_WINDOW, 0, "reversed/1ms"));
  assert_read(place, "--platform grig --arrival none,reversed/1ms --robust mean",
              ": the patterns were measured under several schemes: choose one with --scheme");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_that_do_not_go_together),
      STORE_TEST(nothing_matches),
      STORE_TEST(one_map_of_several),
      STORE_TEST(patterns_are_joined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
