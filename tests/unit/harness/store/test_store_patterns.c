/* Arrival patterns and noise in the store: they are part of what a measurement is, and reading sees one pair of them at
   a time; a store of version 4 that is killed while it is brought up to date keeps what it has. */
#include <signal.h>
#include <sys/wait.h>

#include "unit/harness/store/store_fixture.h"

static const tutti_environment grig = {"grig", "abcdef012345", "smpi", "SimGrid-3.32", "0.1.0", .settings = ""};

static tutti_measurement point(const char *arrival, const char *noise, double seconds)
{
  tutti_measurement m = {.ranks = 8,
                         .ranks_per_node = 1,
                         .count = 100,
                         .type_size = 1,
                         .rank_bytes = 100,
                         .total_bytes = 100,
                         .repetitions = 1,
                         .minimum = seconds,
                         .median = seconds,
                         .mean = seconds,
                         .maximum = seconds};
  assert_int_equal(tutti_method_parse("bcast/linear", &m.method, NULL), TUTTI_OK);
  assert_int_equal(tutti_arrival_parse(arrival, &m.arrival, NULL), TUTTI_OK);
  assert_int_equal(tutti_noise_parse(noise, &m.noise, NULL), TUTTI_OK);
  return m;
}

static void add(tutti_store *store, tutti_measurement m)
{
  assert_ok(tutti_store_add(store, environment_id(store, &grig), &m, 1, REASON), error);
}

static size_t read_some(tutti_store *store, const tutti_selection *selection, tutti_measurement **read)
{
  size_t count;
  assert_ok(tutti_store_read(store, selection, read, &count, REASON), error);
  return count;
}

static const char *const patterns[][2] = {
    {"none", "none"},
    {"none", "exponential/1us/seed=1"},
    {"uniform/1ms/seed=1", "none"},
    {"uniform/1ms/seed=2", "none"},
    {"uniform/1ms/seed=1", "detour/1ms/1us/seed=4"},
    {"straggler/1ms/rank=3", "none"},
    {"trace/late.txt/sum=0123abcd", "none"},
};

enum { PATTERNS = sizeof patterns / sizeof *patterns };

STORE_TEST(test_each_pair_is_read_alone)
{
  tutti_measurement *read;
  const tutti_selection usual = {.platform = "grig", .scheme = -1};
  tutti_store *store = open_store(place->path);
  for (int i = 0; i < PATTERNS; i++)
    add(store, point(patterns[i][0], patterns[i][1], i + 1));
  tutti_store_close(store);
  store = open_store(place->path);
  for (int i = 0; i < PATTERNS; i++) {
    tutti_measurement asked = point(patterns[i][0], patterns[i][1], 0);
    tutti_selection selection = usual;
    bool present;
    selection.arrival = asked.arrival;
    selection.noise = asked.noise;
    assert_int_equal(read_some(store, &selection, &read), 1);
    assert_true(read->median == i + 1);
    assert_int_equal(tutti_arrival_compare(&read->arrival, &asked.arrival), 0);
    assert_int_equal(tutti_noise_compare(&read->noise, &asked.noise), 0);
    free(read);
    assert_int_equal(tutti_store_has(store, environment_id(store, &grig), &asked, &present, NULL), TUTTI_OK);
    assert_true(present);
    asked.noise.kind = TUTTI_NOISE_EXPONENTIAL;
    asked.noise.duration = 99;
    assert_int_equal(tutti_store_has(store, environment_id(store, &grig), &asked, &present, NULL), TUTTI_OK);
    assert_false(present);
  }
  assert_int_equal(read_some(store, &usual, &read), 1);
  assert_true(read->median == 1);
  free(read);
  tutti_selection any = usual;
  any.any_pattern = true;
  assert_int_equal(read_some(store, &any, &read), PATTERNS);
  free(read);
  add(store, point("straggler/1ms/rank=3", "none", 7));
  assert_int_equal(read_some(store, &any, &read), PATTERNS);
  free(read);
  tutti_store_close(store);
  assert_int_equal(query(place->path, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"), 0);
}

/* Somebody else wrote a word that we do not know. */
STORE_TEST(test_unknown_words_are_named)
{
  tutti_measurement *read;
  size_t count;
  const tutti_selection any = {.scheme = -1, .any_pattern = true};
  tutti_store *store = open_store(place->path);
  add(store, point("none", "none", 1));
  tutti_store_close(store);
  assert_int_equal(execute(place->path, "UPDATE measurement SET arrival = 'tomorrow'"), SQLITE_OK);
  assert_int_equal(execute(place->path, "UPDATE measurement SET noise = ''"), SQLITE_CONSTRAINT);
  store = open_store(place->path);
  assert_fails(tutti_store_read(store, &any, &read, &count, REASON), TUTTI_ERR_ARGUMENT, error, "'tomorrow'");
  assert_non_null(strstr(error.message, place->path));
  tutti_store_close(store);
}

enum { OLD_ROWS = 5000 };

/* Measurements, which have no patterns there, of one environment. */
static const char version_4[] =
    "INSERT INTO environment VALUES (9, 'grig', 'abcdef012345', 'smpi', 'SimGrid-3.32', '0.1.0');"
    "WITH RECURSIVE sizes (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM sizes WHERE n < 5000)"
    " INSERT INTO measurement SELECT 9, 1, 'occ', 8, 1, 0, n, 1, n, n, 3, n / 3.0, n / 3.0, n / 3.0, n + 0.5"
    " FROM sizes;";

static void make_version_4(const char *path)
{
  make_version(path, 4);
  assert_int_equal(execute(path, version_4), SQLITE_OK);
  assert_int_equal(query(path, "SELECT count(*) FROM measurement WHERE environment = 9"), OLD_ROWS);
}

static void assert_has_its_rows(tutti_store *store)
{
  const tutti_selection all = {.platform = "grig", .scheme = -1},
                        late = {.platform = "grig", .scheme = -1, .arrival = point("sorted/1ms", "none", 1).arrival};
  tutti_measurement *read;
  assert_int_equal(read_some(store, &all, &read), OLD_ROWS);
  for (int i = 0; i < OLD_ROWS; i++) {
    assert_int_equal(read[i].count, i + 1);
    assert_true(read[i].median == (i + 1) / 3.0 && read[i].maximum == i + 1.5 && read[i].repetitions == 3);
    assert_int_equal(read[i].arrival.kind, TUTTI_ARRIVAL_NONE);
    assert_int_equal(read[i].noise.kind, TUTTI_NOISE_NONE);
  }
  free(read);
  assert_int_equal(read_some(store, &late, &read), 0);
}

/* Killed after so many microseconds, in any phase of bringing it up to date, a store is as it was or done. */
static void kill_while_it_is_brought_up_to_date(const char *path, useconds_t microseconds)
{
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    tutti_store *store;
    _exit(tutti_store_open(path, &store, NULL) == TUTTI_OK ? 0 : 1);
  }
  usleep(microseconds);
  kill(child, SIGKILL);
  assert_int_equal(waitpid(child, NULL, 0), child);
  int64_t version = query(path, "PRAGMA user_version");
  assert_true(version == 4 || version == TUTTI_SCHEMA_VERSION);
  assert_int_equal(query(path, "SELECT count(*) FROM measurement WHERE environment = 9"), OLD_ROWS);
  assert_int_equal(query(path, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name LIKE 'measurement_%'"),
                   0);
}

STORE_TEST(test_killed_meanwhile_loses_nothing)
{
  int unfinished = 0;
  make_version_4(place->path);
  for (useconds_t microseconds = 0; query(place->path, "PRAGMA user_version") == 4;
       microseconds += 400 + microseconds / 16) { /* growing, so that a slow machine comes to the end as well */
    kill_while_it_is_brought_up_to_date(place->path, microseconds);
    unfinished += query(place->path, "PRAGMA user_version") == 4;
    assert_true(unfinished < 200);
  }
  assert_true(unfinished > 0);
  tutti_store *store = open_store(place->path);
  assert_has_its_rows(store);
  tutti_store_close(store);
  assert_int_equal(query(place->path, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"), 0);
}
