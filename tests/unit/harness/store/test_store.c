/* The store: what is added is read back, batches are atomic, and files that are not ours stay as they are. */
#include "unit/harness/store/store_fixture.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const tutti_environment grig = {"grig", "abcdef012345", "smpi", "SimGrid-3.32", "0.1.0", .settings = ""};
static const tutti_selection all_bcast = {.collective = TUTTI_COLL_BCAST, .scheme = -1};

static size_t read_all(tutti_store *store, const tutti_selection *selection, tutti_measurement **measurements)
{
  size_t count;
  assert_ok(tutti_store_read(store, selection, measurements, &count, REASON), error);
  return count;
}

static size_t count_all(tutti_store *store)
{
  FREED_BY(free_memory) tutti_measurement *measurements;
  return read_all(store, &all_bcast, &measurements);
}

static void add_one(tutti_store *store, int64_t environment, tutti_measurement m)
{
  assert_ok(tutti_store_add(store, environment, &m, 1, REASON), error);
}

static char *contents(const char *path, size_t *length)
{
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  char *bytes = malloc(1 << 20);
  assert_non_null(bytes);
  *length = fread(bytes, 1, 1 << 20, file);
  fclose(file);
  return bytes;
}

/* Opening, to write and to read, must fail, say @p reason, and leave the file and its directory as they are. */
static void assert_refused(const char *path, const char *reason)
{
  size_t before, after;
  char *old = contents(path, &before);
  for (int reading = 0; reading < 2; reading++) {
    tutti_store *store = (tutti_store *)&before;
    tutti_status status =
        reading ? tutti_store_open_existing(path, &store, REASON) : tutti_store_open(path, &store, REASON);
    assert_int_equal(status, TUTTI_ERR_IO);
    assert_null(store);
    assert_non_null(strstr(error.message, path));
    assert_contains(error.message, reason);
    char *now = contents(path, &after);
    assert_int_equal(before, after);
    assert_memory_equal(old, now, before);
    free(now);
  }
  free(old);
  char log[128];
  snprintf(log, sizeof log, "%s-wal", path);
  assert_int_not_equal(access(log, F_OK), 0);
}

STORE_TEST(test_reopens_with_everything)
{
  tutti_store *store = open_store(place->path);
  tutti_measurement m = stored_point("bcast/chain/8KB/k=7", 12, 65536, 2.5e-3), *read;
  m.ranks_per_node = 4;
  m.root = 11;
  m.count = 16384;
  m.type_size = 4;
  m.repetitions = 9;
  m.minimum = -1e-7;
  m.maximum = 0.125;
  m.mean = 0.1 + 0.2;
  add_one(store, environment_id(store, &grig), m);
  tutti_store_close(store);
  store = open_store(place->path);
  assert_int_equal(read_all(store, &all_bcast, &read), 1);
  assert_int_equal(tutti_method_compare(&read->method, &m.method), 0);
  assert_int_equal(read->scheme, m.scheme);
  assert_true(read->ranks == 12 && read->ranks_per_node == 4 && read->root == 11 && read->repetitions == 9);
  assert_true(read->count == 16384 && read->type_size == 4 && read->rank_bytes == 65536 && read->total_bytes == 65536);
  assert_true(read->minimum == -1e-7 && read->median == 2.5e-3 && read->mean == 0.1 + 0.2 && read->maximum == 0.125);
  free(read);
  tutti_store_close(store);
  assert_newest(place->path);
  assert_int_not_equal(query(place->path, "PRAGMA application_id"), 0);
  assert_int_equal(query(place->path, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"), 0);
  assert_int_equal(query(place->path, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
}

/* Five launches of one point, among other points: the median of the medians, and how far these are apart. */
STORE_TEST(test_joins_launches)
{
  static const double medians[] = {5e-6, 1e-6, 3e-6, 2e-6, 4e-6};
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  int64_t environment = environment_id(store, &grig);
  FREED_BY(free_memory) tutti_measurement *read;
  for (int launch = 0; launch < 5; launch++) {
    tutti_measurement m = stored_point("bcast/binomial", 4, 8, medians[launch]);
    m.launch = launch;
    m.spread = 2;
    m.minimum = medians[launch] / 2;
    m.maximum = medians[launch] * 2;
    m.repetitions = 10;
    add_one(store, environment, m);
    m.minimum = m.median = m.mean = m.maximum = 3e-6;
    m.root = 1;
    add_one(store, environment, m);
  }
  add_one(store, environment, stored_point("bcast/linear", 4, 8, 7e-6));
  assert_int_equal(read_all(store, &all_bcast, &read), 3);
  assert_string_equal(read[0].method.algorithm->name, "linear");
  assert_true(read[0].median == 7e-6 && read[0].repetitions == 1 && read[0].spread == 0);
  assert_true(read[1].root == 0 && read[1].launch == 0 && read[1].repetitions == 50);
  assert_true(read[1].median == 3e-6 && read[1].minimum == 0.5e-6 && read[1].maximum == 10e-6);
  assert_float_equal(read[1].mean, 3e-6, 1e-12);
  assert_float_equal(read[1].spread, 50 * (5e-6 - 1e-6) / 3e-6, 1e-9);
  assert_true(read[2].root == 1 && read[2].median == 3e-6 && read[2].spread == 2); /* the noise within the launches */
}

/* Each of the orders in which the ranks of a simulation start is as good as any other: the spread is all that lies
   between them, not the interval of their median. */
STORE_TEST(test_joins_orders)
{
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  int64_t environment = environment_id(store, &grig);
  FREED_BY(free_memory) tutti_measurement *read;
  for (int launch = 0; launch < 21; launch++) {
    tutti_measurement m = stored_point("bcast/binomial", 4, 8, (20 + launch) * 1e-6);
    m.launch = launch;
    add_one(store, environment, m);
  }
  assert_int_equal(read_all(store, &all_bcast, &read), 1);
  assert_true(read[0].minimum == 20 * 1e-6 && read[0].median == 30 * 1e-6 && read[0].maximum == 40 * 1e-6);
  assert_float_equal(read[0].spread, 50 * 20. / 30, 1e-9);
}

STORE_TEST(test_replaces_the_same_point)
{
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  int64_t id = environment_id(store, &grig);
  tutti_measurement *read, other = stored_point("bcast/linear", 4, 1024, 5);
  tutti_measurement newer = stored_point("bcast/linear", 4, 1024, 2);
  newer.repetitions = 5;
  newer.minimum = 1;
  newer.mean = 2.5;
  newer.maximum = 4;
  add_one(store, id, stored_point("bcast/linear", 4, 1024, 3));
  add_one(store, id, newer);
  assert_int_equal(read_all(store, &all_bcast, &read), 1);
  assert_true(read->minimum == 1 && read->median == 2 && read->mean == 2.5 && read->maximum == 4);
  assert_true(read->repetitions == 5);
  free(read);
  other.root = 1;
  add_one(store, id, other);
  other.root = 0;
  other.count = 256;
  other.type_size = 4;
  add_one(store, id, other);
  assert_int_equal(count_all(store), 3);
}

STORE_TEST(test_one_row_for_equal_environments)
{
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  tutti_environment other = grig;
  other.platform_hash = "";
  assert_int_equal(environment_id(store, &grig), environment_id(store, &grig));
  assert_int_not_equal(environment_id(store, &grig), environment_id(store, &other));
  other.library = "";
  int64_t id;
  assert_int_equal(tutti_store_environment(store, &other, &id, NULL), TUTTI_ERR_ARGUMENT);
}

STORE_TEST(test_failing_batch_leaves_nothing)
{
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  int64_t id = environment_id(store, &grig);
  tutti_measurement batch[3] = {stored_point("bcast/linear", 4, 8, 1), stored_point("bcast/binomial", 4, 8, 1),
                                stored_point("bcast/chain", 4, 8, 1)};
  assert_int_equal(tutti_store_add(store, id + 1, batch, 3, REASON), TUTTI_ERR_ARGUMENT); /* no such environment */
  assert_int_equal(count_all(store), 0);
  /* A refusal in the middle of a batch, by the database itself. */
  assert_int_equal(execute(place->path, "DROP TABLE method; CREATE TABLE method (id INTEGER PRIMARY KEY,"
                                        " name TEXT NOT NULL UNIQUE, collective TEXT NOT NULL,"
                                        " CONSTRAINT \"no chains today\" CHECK (name <> 'bcast/chain')) STRICT"),
                   SQLITE_OK);
  assert_int_not_equal(tutti_store_add(store, id, batch, 3, REASON), TUTTI_OK);
  assert_non_null(strstr(error.message, "no chains today"));
  assert_int_equal(count_all(store), 0);
  assert_int_equal(query(place->path, "SELECT count(*) FROM method"), 0);
  assert_int_equal(tutti_store_add(store, id, batch, 2, REASON), TUTTI_OK);
  assert_int_equal(count_all(store), 2);
}

STORE_TEST(test_refuses_impossible_values)
{
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  int64_t id = environment_id(store, &grig);
  tutti_measurement good = stored_point("bcast/linear", 4, 8, 1), bad[14];
  for (int i = 0; i < 14; i++)
    bad[i] = good;
  bad[0].ranks = 0;
  bad[1].ranks_per_node = 0;
  bad[2].root = 4;
  bad[3].count = UINT64_MAX;
  bad[4].type_size = 0;
  bad[5].rank_bytes = 9;
  bad[6].repetitions = 0;
  bad[7].median = NAN;
  bad[8].maximum = INFINITY;
  bad[9].minimum = 2;
  bad[10].scheme = TUTTI_SCHEME_WINDOW;
  bad[10].minimum = -1;
  bad[11].scheme = TUTTI_SCHEME_COUNT;
  bad[12].total_bytes = 4 * bad[12].rank_bytes; /* a broadcast has one block */
  bad[13].count = bad[13].rank_bytes = bad[13].total_bytes = (uint64_t)INT64_MAX + 1;
  for (int i = 0; i < 14; i++) {
    tutti_measurement batch[2] = {good, bad[i]};
    assert_fails(tutti_store_add(store, id, batch, 2, REASON), TUTTI_ERR_ARGUMENT, error, "bcast/linear");
  }
  assert_int_equal(count_all(store), 0);
}

/* The schema refuses by itself too, should another program write. */
STORE_TEST(test_schema_checks)
{
  tutti_store *store = open_store(place->path);
  add_one(store, environment_id(store, &grig), stored_point("bcast/linear", 4, 8, 1));
  tutti_store_close(store);
  static const char *const updates[] = {"ranks = 0",
                                        "root = 4",
                                        "ranks_per_node = 0",
                                        "rank_B = 7",
                                        "repetitions = 0",
                                        "median_s = -1",
                                        "maximum_s = NULL",
                                        "ranks = 'four'",
                                        "scheme = ''",
                                        "type_B = 0",
                                        "count = -1",
                                        "environment = 99",
                                        "scheme = 'window', minimum_s = -1"};
  for (size_t i = 0; i < sizeof updates / sizeof *updates; i++) {
    char sql[160];
    snprintf(sql, sizeof sql, "PRAGMA foreign_keys = ON; UPDATE measurement SET %s", updates[i]);
    if ((execute(place->path, sql) & 0xff) != SQLITE_CONSTRAINT)
      fail_msg("accepted: %s", sql);
  }
  assert_int_equal(execute(place->path, "UPDATE measurement SET minimum_s = -1"), SQLITE_OK); /* occ */
}

STORE_TEST(test_refuses_environments)
{
  tutti_store *store = open_store(place->path);
  const char *const names[] = {"platform", "hash of the platform", "flavor", "library", "version of Tutti"};
  for (int i = 0; i < 5; i++) {
    tutti_environment environment = grig;
    const char **words[] = {&environment.platform, &environment.platform_hash, &environment.flavor,
                            &environment.library, &environment.tutti};
    char message[80];
    int64_t id;
    *words[i] = "M\xfcnster";
    snprintf(message, sizeof message, "the %s is not UTF-8", names[i]);
    assert_fails(tutti_store_environment(store, &environment, &id, REASON), TUTTI_ERR_ARGUMENT, error, message);
  }
  tutti_store_close(store);
  assert_int_equal(query(place->path, "SELECT count(*) FROM environment"), 0);
}

/* What another program wrote over the name of a method, the empty one included, is no method. */
STORE_TEST(test_refuses_names_of_methods)
{
  static const char *const names[] = {"''", "x'00'", "'bcast'", "'bcast/none'", "zeroblob(200)", "7"};
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  add_one(store, environment_id(store, &grig), stored_point("bcast/linear", 4, 8, 1));
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    tutti_measurement *read;
    size_t count;
    char sql[120];
    snprintf(sql, sizeof sql, "PRAGMA ignore_check_constraints = ON; UPDATE method SET name = %s", names[i]);
    execute(place->path, sql);
    if (tutti_store_read(store, &all_bcast, &read, &count, REASON) != TUTTI_ERR_ARGUMENT)
      fail_msg("read: %s", names[i]);
    assert_non_null(strstr(error.message, place->path));
  }
}

STORE_TEST(test_has)
{
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  int64_t id = environment_id(store, &grig);
  tutti_measurement there = stored_point("bcast/binomial/1KB", 4, 1024, 1), changed = there;
  bool present = true;
  assert_int_equal(tutti_store_has(store, id, &there, &present, NULL), TUTTI_OK);
  assert_false(present);
  add_one(store, id, there);
  changed.median = 77; /* not part of the key */
  assert_int_equal(tutti_store_has(store, id, &changed, &present, NULL), TUTTI_OK);
  assert_true(present);
  tutti_measurement others[6] = {there, there, there, there, there, there};
  others[0].method.parameters.segment_bytes = 2048;
  others[1].scheme = TUTTI_SCHEME_WINDOW;
  others[2].ranks = 5;
  others[3].ranks_per_node = 2;
  others[4].root = 1;
  others[5].count = 256;
  others[5].type_size = 4;
  for (int i = 0; i < 6; i++) {
    assert_int_equal(tutti_store_has(store, id, &others[i], &present, NULL), TUTTI_OK);
    assert_false(present);
  }
  assert_int_equal(tutti_store_has(store, id + 1, &there, &present, NULL), TUTTI_OK);
  assert_false(present);
}

STORE_TEST(test_reads_in_order_and_by_collective)
{
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  tutti_measurement *read,
      batch[] = {stored_point("barrier/bruck", 2, 0, 1),       stored_point("bcast/chain", 8, 1024, 1),
                 stored_point("bcast/binomial", 16, 1, 1),     stored_point("bcast/linear/8KB", 8, 1024, 1),
                 stored_point("bcast/linear/1KB", 8, 1024, 1), stored_point("bcast/linear", 8, 2, 1),
                 stored_point("bcast/pipeline", 2, 1 << 20, 1)};
  assert_int_equal(tutti_store_add(store, environment_id(store, &grig), batch, 7, NULL), TUTTI_OK);
  static const char *const expected[] = {"bcast/pipeline",   "bcast/linear", "bcast/linear/1KB",
                                         "bcast/linear/8KB", "bcast/chain",  "bcast/binomial"};
  assert_int_equal(read_all(store, &all_bcast, &read), 6);
  for (int i = 0; i < 6; i++) {
    char name[TUTTI_METHOD_LENGTH];
    assert_string_equal(tutti_method_format(&read[i].method, name), expected[i]);
  }
  free(read);
  tutti_selection reduce = {.collective = TUTTI_COLL_REDUCE, .scheme = -1};
  assert_int_equal(read_all(store, &reduce, &read), 0);
  assert_null(read);
}

static tutti_store *make_two_environments(const char *path)
{
  tutti_store *store = open_store(path);
  tutti_environment newer = grig;
  newer.platform_hash = "abc999";
  newer.tutti = "0.2.0";
  tutti_measurement window = stored_point("bcast/linear", 4, 8, 3);
  window.scheme = TUTTI_SCHEME_WINDOW;
  add_one(store, environment_id(store, &grig), stored_point("bcast/linear", 4, 8, 1));
  add_one(store, environment_id(store, &newer), stored_point("bcast/linear", 4, 8, 2));
  add_one(store, environment_id(store, &newer), window);
  return store;
}

STORE_TEST(test_never_mixes_environments)
{
  FREED_BY(close_store) tutti_store *store = make_two_environments(place->path);
  tutti_measurement *read = (tutti_measurement *)store;
  size_t count = 1;
  assert_int_equal(tutti_store_read(store, &all_bcast, &read, &count, REASON), TUTTI_ERR_ARGUMENT);
  assert_true(!read && count == 0);
  static const char message[] = ": 3 sets of measurements match; choose one by adding:\n"
                                "  --environment 2 --scheme occ  # platform file abc999, Tutti 0.2.0\n"
                                "  --environment 2 --scheme window  # platform file abc999, Tutti 0.2.0\n"
                                "  --environment 1  # platform file abcdef01, Tutti 0.1.0, scheme occ\n"
                                "or the path of the platform file, which means the file as it is now";
  assert_string_equal(error.message + strlen(place->path), message);
  tutti_selection by_scheme = all_bcast, by_hash = all_bcast, by_version = all_bcast;
  by_scheme.scheme = TUTTI_SCHEME_WINDOW;
  by_hash.platform_hash = "abcd";
  by_version.tutti = "0.2.0";
  assert_int_equal(read_all(store, &by_scheme, &read), 1);
  assert_true(read->median == 3);
  free(read);
  assert_int_equal(read_all(store, &by_hash, &read), 1);
  assert_true(read->median == 1);
  free(read);
  assert_int_equal(tutti_store_read(store, &by_version, &read, &count, REASON), TUTTI_ERR_ARGUMENT);
  by_version.scheme = TUTTI_SCHEME_OCC;
  assert_int_equal(read_all(store, &by_version, &read), 1);
  assert_true(read->median == 2);
  free(read);
}

/* No more lines than a message has room for, and how many there are more. */
STORE_TEST(test_lists_what_fits)
{
  tutti_measurement *read;
  size_t count;
  char library[64];
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  for (int i = 0; i < 40; i++) {
    tutti_environment other = grig;
    snprintf(library, sizeof library, "a library with quite a long name %02d", i);
    other.library = library;
    add_one(store, environment_id(store, &other), stored_point("bcast/linear", 4, 8, 1));
  }
  assert_fails(tutti_store_read(store, &all_bcast, &read, &count, REASON), TUTTI_ERR_ARGUMENT, error,
               "\n  --environment 3  # library 'a library with quite a long name 02'\n");
  const char *more = strstr(error.message, "\n  ... and ");
  assert_non_null(more);
  assert_string_equal(more + strcspn(more, "3"), "35 more: tutti report shows them");
}

STORE_TEST(test_refuses_other_files)
{
  FILE *file = fopen(place->path, "w");
  assert_non_null(file);
  for (int i = 0; i < 5000; i++)
    fprintf(file, "line %d of something else\n", i);
  fclose(file);
  assert_refused(place->path, "not a database");
  file = fopen(place->path, "w");
  fputs("short", file);
  fclose(file);
  assert_refused(place->path, "not a database");
}

STORE_TEST(test_refuses_databases_of_others)
{
  assert_int_equal(execute(place->path, "PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)"),
                   SQLITE_OK);
  assert_refused(place->path, "another program");
  assert_int_equal(execute(place->path, "PRAGMA application_id = 77"), SQLITE_OK);
  assert_refused(place->path, "another program");
}

STORE_TEST(test_refuses_newer_versions)
{
  tutti_store_close(open_store(place->path));
  char sql[64], named[32];
  snprintf(sql, sizeof sql, "PRAGMA user_version = %d", TUTTI_SCHEMA_VERSION + 1);
  snprintf(named, sizeof named, "version %d", TUTTI_SCHEMA_VERSION + 1);
  assert_int_equal(execute(place->path, sql), SQLITE_OK);
  assert_refused(place->path, named);
}

STORE_TEST(test_unwritable_places)
{
  char below[160];
  tutti_store *store;
  tutti_store_close(open_store(place->path));
  snprintf(below, sizeof below, "%s/below.db", place->path); /* below a regular file */
  assert_fails(tutti_store_open(below, &store, REASON), TUTTI_ERR_IO, error, "Not a directory");
  snprintf(below, sizeof below, "%s/missing/results.db", place->directory);
  assert_fails(tutti_store_open(below, &store, REASON), TUTTI_ERR_IO, error, below);
  assert_int_equal(tutti_store_open(place->directory, &store, REASON), TUTTI_ERR_IO);
  assert_int_equal(tutti_store_open("", &store, REASON), TUTTI_ERR_IO);
}

STORE_TEST(test_existing_never_creates)
{
  tutti_store *store;
  assert_fails(tutti_store_open_existing(place->path, &store, REASON), TUTTI_ERR_IO, error, place->path);
  assert_int_not_equal(access(place->path, F_OK), 0);
}

/* Names that mean something to SQLite are names of files here. */
STORE_TEST(test_odd_names)
{
  static const char *const names[] = {"a?mode=memory", "50%41.db", "x#y.db", ":memory:", "with blank.db"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[128];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", place->directory, names[i]);
    tutti_store *store = open_store(path);
    add_one(store, environment_id(store, &grig), stored_point("bcast/linear", 2, 1, 1));
    tutti_store_close(store);
    assert_int_equal(stat(path, &about), 0);
    assert_true(about.st_size > 0);
  }
}

STORE_TEST(test_reads_beside_a_writer)
{
  FREED_BY(close_store) tutti_store *writer = open_store(place->path), *reader;
  int64_t id = environment_id(writer, &grig);
  add_one(writer, id, stored_point("bcast/linear", 2, 1, 1));
  sqlite3 *busy;
  assert_int_equal(sqlite3_open(place->path, &busy), SQLITE_OK);
  assert_int_equal(sqlite3_exec(busy, "BEGIN IMMEDIATE; DELETE FROM measurement", NULL, NULL, NULL), SQLITE_OK);
  assert_ok(tutti_store_open_existing(place->path, &reader, REASON), error);
  assert_int_equal(count_all(reader), 1); /* what was committed */
  assert_int_equal(sqlite3_exec(busy, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(busy);
  add_one(writer, id, stored_point("bcast/linear", 3, 1, 1));
  assert_int_equal(count_all(reader), 2);
  tutti_measurement m = stored_point("bcast/linear", 4, 1, 1);
  assert_int_not_equal(tutti_store_add(reader, id, &m, 1, REASON), TUTTI_OK);
  assert_int_equal(count_all(writer), 2);
}

/* A reader leaves nothing behind but the store. */
STORE_TEST(test_reader_leaves_no_files)
{
  tutti_store *store = open_store(place->path);
  add_one(store, environment_id(store, &grig), stored_point("bcast/linear", 2, 1, 1));
  tutti_store_close(store);
  assert_int_equal(tutti_store_open_existing(place->path, &store, NULL), TUTTI_OK);
  assert_int_equal(count_all(store), 1);
  tutti_store_close(store);
  int files = 0;
  DIR *directory = opendir(place->directory);
  assert_non_null(directory);
  for (struct dirent *entry; (entry = readdir(directory));)
    files += entry->d_type == DT_REG;
  closedir(directory);
  assert_int_equal(files, 1);
}

/* Whatever is overwritten, reading ends with an answer or an error, and an error speaks. */
STORE_TEST(test_damaged_files)
{
  tutti_store *store = open_store(place->path);
  int64_t id = environment_id(store, &grig);
  for (int ranks = 2; ranks < 600; ranks++)
    add_one(store, id, stored_point(ranks % 2 ? "bcast/linear" : "bcast/binomial", ranks, 8, 1));
  tutti_store_close(store);
  size_t length;
  char *bytes = contents(place->path, &length);
  int failures = 0;
  for (size_t at = 0; at + 512 <= length; at += 512) {
    FILE *file = fopen(place->path, "w");
    assert_non_null(file);
    fwrite(bytes, 1, at, file);
    for (int i = 0; i < 512; i++)
      fputc((int)(at / 512 * 31 + (size_t)i * 7) & 0xff, file);
    fwrite(bytes + at + 512, 1, length - at - 512, file);
    fclose(file);
    tutti_measurement *read = NULL;
    size_t count;
    tutti_status status = tutti_store_open_existing(place->path, &store, REASON);
    if (status == TUTTI_OK)
      status = tutti_store_read(store, &all_bcast, &read, &count, REASON);
    assert_true(status == TUTTI_OK || *error.message);
    failures += status != TUTTI_OK;
    tutti_store_close(store);
    free(read);
  }
  free(bytes);
  assert_true(failures > 3);
}

/* Rows that were committed outlive a SIGKILL. */
STORE_TEST(test_killed_writer_loses_nothing)
{
  int committed[2];
  assert_int_equal(pipe(committed), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    tutti_store *store;
    int64_t id;
    if (tutti_store_open(place->path, &store, NULL) != TUTTI_OK ||
        tutti_store_environment(store, &grig, &id, NULL) != TUTTI_OK)
      _exit(1);
    for (int ranks = 2;; ranks++) {
      tutti_measurement m = {
          .method = tutti_method_default(tutti_algorithm_at(0)), .ranks = ranks, .ranks_per_node = 1, .repetitions = 1};
      if (tutti_store_add(store, id, &m, 1, NULL) != TUTTI_OK || write(committed[1], "", 1) != 1)
        _exit(1);
    }
  }
  close(committed[1]);
  size_t seen = 0;
  char byte;
  while (seen < 200 && read(committed[0], &byte, 1) == 1)
    seen++;
  kill(child, SIGKILL);
  while (read(committed[0], &byte, 1) == 1)
    seen++;
  close(committed[0]);
  assert_int_equal(waitpid(child, NULL, 0), child);
  assert_true(seen >= 200);
  tutti_store *store = open_store(place->path);
  size_t stored = count_all(store);
  assert_true(stored == seen || stored == seen + 1); /* killed between the commit and the byte */
  tutti_store_close(store);
  assert_int_equal(query(place->path, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"), 0);
}

/* Before a store has its log, a process that writes is waited for as well. */
STORE_TEST(test_waits_for_a_writer)
{
  tutti_store_close(open_store(place->path));
  assert_int_equal(execute(place->path, "PRAGMA journal_mode = DELETE"), SQLITE_OK);
  int begun[2], code;
  char byte;
  assert_int_equal(pipe(begun), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    sqlite3 *database;
    bool done =
        sqlite3_open(place->path, &database) == SQLITE_OK && sqlite3_busy_timeout(database, 10000) == SQLITE_OK &&
        sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK && write(begun[1], "", 1) == 1 &&
        usleep(100000) == 0 && sqlite3_exec(database, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    _exit(done ? 0 : 1);
  }
  close(begun[1]);
  assert_int_equal(read(begun[0], &byte, 1), 1);
  close(begun[0]);
  tutti_store_close(open_store(place->path));
  assert_int_equal(waitpid(child, &code, 0), child);
  assert_int_equal(code, 0);
}

/* Several processes make the same store at once. */
STORE_TEST(test_created_by_several)
{
  pid_t children[6];
  for (int i = 0; i < 6; i++) {
    children[i] = fork();
    assert_true(children[i] >= 0);
    if (children[i] > 0)
      continue;
    tutti_store *store;
    int64_t id;
    tutti_error error = {0};
    tutti_measurement m = {
        .method = tutti_method_default(tutti_algorithm_at(0)), .ranks = i + 1, .ranks_per_node = 1, .repetitions = 1};
    bool done = tutti_store_open(place->path, &store, &error) == TUTTI_OK &&
                tutti_store_environment(store, &grig, &id, &error) == TUTTI_OK &&
                tutti_store_add(store, id, &m, 1, &error) == TUTTI_OK;
    if (!done)
      fprintf(stderr, "%s\n", error.message);
    tutti_store_close(store);
    _exit(done ? 0 : 1);
  }
  for (int i = 0; i < 6; i++) {
    int code;
    assert_int_equal(waitpid(children[i], &code, 0), children[i]);
    assert_int_equal(code, 0);
  }
  tutti_store *store = open_store(place->path);
  assert_int_equal(count_all(store), 6);
  tutti_store_close(store);
}
