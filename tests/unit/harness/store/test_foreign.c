/* Stores that somebody else made: what could change or hide measurements is refused by name before anything is written,
   what no command uses may stay. */
#include <sys/stat.h>

#include "unit/base/scratch_file.h"
#include "unit/harness/store/store_fixture.h"

static const tutti_environment grig = {"grig", "abcdef012345", "smpi", "SimGrid-3.32", "0.1.0", .settings = ""};

static void make_store(const char *path)
{
  tutti_store *store = open_store(path);
  environment_id(store, &grig);
  tutti_store_close(store);
  assert_int_equal(execute(path,
                           "INSERT INTO method VALUES (1, 'bcast/linear', 'bcast');"
                           "INSERT INTO measurement VALUES (1, 1, 'occ', 8, 1, 0, 8, 1, 'none', 'none', 0, 'none',"
                           " 8, 8, 1, 0, 0, 1, 1, 1, 1); PRAGMA wal_checkpoint; PRAGMA journal_mode = DELETE"),
                   SQLITE_OK);
}

static size_t read_file(const char *path, char **bytes)
{
  struct stat about;
  assert_int_equal(stat(path, &about), 0);
  *bytes = malloc((size_t)about.st_size);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fread(*bytes, 1, (size_t)about.st_size, file), about.st_size);
  fclose(file);
  return (size_t)about.st_size;
}

/* Refused with these words, for reading, for writing and for merging, and not a byte of the file is another. */
static void assert_refused(const char *path, const char *words)
{
  tutti_store *store, *other;
  tutti_merged merged;
  char *before, *after, into[128];
  size_t length = read_file(path, &before);
  for (int way = 0; way < 3; way++) {
    tutti_status status;
    if (way == 2) {
      const char *paths[] = {path};
      snprintf(into, sizeof into, "%s.into", path);
      other = open_store(into);
      status = tutti_store_merge(other, paths, 1, false, &merged, REASON);
      tutti_store_close(other);
    } else
      status = (way == 0 ? tutti_store_open_existing : tutti_store_open)(path, &store, REASON);
    assert_int_equal(status, TUTTI_ERR_IO);
    if (!strstr(error.message, words) || !strstr(error.message, path))
      fail_msg("'%s' does not say '%s'", error.message, words);
    assert_int_equal(read_file(path, &after), length);
    assert_memory_equal(before, after, length);
    free(after);
  }
  free(before);
}

STORE_TEST(test_foreign_schemas_are_refused)
{
  static const struct {
    const char *sql, *words;
  } cases[] = {
      {"CREATE TRIGGER take AFTER INSERT ON measurement BEGIN DELETE FROM measurement; END", "the trigger take"},
      {"CREATE TRIGGER skip BEFORE INSERT ON measurement BEGIN SELECT RAISE(IGNORE); END", "the trigger skip"},
      {"CREATE TABLE own (a); CREATE TRIGGER far AFTER INSERT ON own BEGIN DELETE FROM method; END", "the trigger far"},
      {"ALTER TABLE measurement RENAME TO kept; CREATE VIEW measurement AS SELECT * FROM kept", "the view measurement"},
      {"ALTER TABLE measurement RENAME TO kept; CREATE VIEW measurement AS SELECT * FROM kept;"
       "CREATE TRIGGER instead INSTEAD OF INSERT ON measurement BEGIN SELECT 1; END",
       "the "},
      {"CREATE TRIGGER \"a\nb\tc\" AFTER INSERT ON measurement BEGIN SELECT 1; END",
       "the trigger a?b?c on measurement,"},
      {"CREATE TABLE own (a); CREATE VIEW \"a\nb\" AS SELECT 1", "the view a?b,"},
      {"ALTER TABLE measurement ADD COLUMN \"a\nb\" INTEGER", "has the column a?b INTEGER"},
      {"CREATE VIEW best AS SELECT * FROM measurement", "the view best"},
      {"DROP VIEW points; CREATE VIEW points AS SELECT * FROM measurements WHERE ranks < 64", "the view points"},
      {"DROP VIEW counts", "lacks the view counts"},
      {"CREATE VIRTUAL TABLE words USING fts5(a)", "the virtual table words"},
      {"DROP TABLE launch; CREATE VIRTUAL TABLE launch USING fts5(a)", "the virtual table"},
      {"CREATE INDEX costly ON measurement (abs(median_s))", "the index costly"},
      {"CREATE INDEX some ON measurement (median_s) WHERE median_s > 0", "the index some"},
      {"CREATE UNIQUE INDEX one ON measurement (scheme)", "the index one"},
      {"ALTER TABLE measurement ADD COLUMN extra INTEGER", "table measurement has the column extra INTEGER"},
      {"ALTER TABLE measurement ADD COLUMN late REAL AS (median_s * 2)", "the column late"},
      {"ALTER TABLE measurement DROP COLUMN spread_percent", "table measurement lacks the column spread_percent"},
      {"DROP TABLE launch; CREATE TABLE launch (a)", "table launch"},
      {"CREATE TABLE l AS SELECT * FROM launch; DROP TABLE launch; ALTER TABLE l RENAME TO launch", "table launch"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[160];
    snprintf(path, sizeof path, "%s/%zu.db", place->directory, i);
    make_store(path);
    char *sql = sqlite3_mprintf("PRAGMA legacy_alter_table = ON; %s", cases[i].sql); /* our views stay as they are */
    assert_int_equal(execute(path, sql), SQLITE_OK);
    sqlite3_free(sql);
    assert_refused(path, cases[i].words);
  }
}

/* The definition of a table, with something else in place of a part of it; owned by the caller. */
static char *changed_definition(const char *path, const char *table, const char *from, const char *to)
{
  FREED_BY(close_database) sqlite3 *database;
  FREED_BY(end_statement) sqlite3_stmt *statement;
  char *sql = sqlite3_mprintf("SELECT sql, replace(sql, %Q, %Q) FROM sqlite_schema WHERE name = %Q", from, to, table);
  assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
  assert_string_not_equal((char *)sqlite3_column_text(statement, 0), (char *)sqlite3_column_text(statement, 1));
  char *changed = sqlite3_mprintf("DROP TABLE %s; %s", table, sqlite3_column_text(statement, 1));
  sqlite3_free(sql);
  return changed;
}

STORE_TEST(test_other_definitions_are_refused)
{
  static const struct {
    const char *table, *from, *to, *words;
  } cases[] = {
      {"measurement", "CHECK (minimum_s >= 0", "CHECK (abs(minimum_s) >= 0", "'abs' in the definition"},
      {"parameter", "\"of\", \"message_B\")", "\"of\", \"message_B\") ON CONFLICT IGNORE", "'ON' in the definition"},
      {"method", "NOT NULL UNIQUE", "NOT NULL UNIQUE COLLATE NOCASE", "table method"},
      {"method", "TEXT NOT NULL UNIQUE", "TEXT NOT NULL ON CONFLICT IGNORE UNIQUE", "'ON' in the definition"},
      {"method", "TEXT NOT NULL UNIQUE", "TEXT NOT NULL UNIQUE ON CONFLICT REPLACE", "'ON' in the definition"},
      {"method", "TEXT NOT NULL UNIQUE", "TEXT UNIQUE", "the column name TEXT"},
      {"measurement", "REFERENCES environment (id)", "REFERENCES environment (id) ON DELETE CASCADE",
       "ON DELETE CASCADE"},
      {"measurement", "PRIMARY KEY (", "UNIQUE (scheme), PRIMARY KEY (", "the unique key scheme"},
      {"measurement", "STRICT, ", "", "the form"},
      {"measurement", "\"mean_s\" REAL", "\"mean_s\" ANY", "the column mean_s ANY"},
      {"group_build", "upward + relocation", "upward / relocation", "'/' in the definition of table group_build"},
      {"group_build", "upward + relocation", "upward + abs(relocation)", "'abs'"},
      {"group_build", "upward + relocation", "upward - relocation", "'AS' in the definition of table group_build"},
      {"group_build", "(upward + relocation", "(0 * upward + relocation",
       "'AS' in the definition of table group_build"},
      {"group_build", "AS (upward + relocation", "AS  ( start + upward + relocation",
       "'AS' in the definition of table group_build"},
      {"group_build", "scan),", "scan) ,", "'AS' in the definition of table group_build"},
      {"group_build", "NOT NULL AS (upward", "NOT NULL as (upward", "'as' in the definition of table group_build"},
      {"launch", "\"load\" REAL NOT NULL", "\"load\" REAL NOT NULL DEFAULT (random())", "'random'"},
      {"launch", "\"load\" REAL NOT NULL", "\"load\" REAL NOT NULL /* x */", "'/'"},
      {"launch", "\"load\" REAL NOT NULL", "[load] REAL NOT NULL", "'['"},
      {"launch", ") STRICT, WITHOUT ROWID", ") WITHOUT ROWID --) STRICT, WITHOUT ROWID", "the form"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[160];
    snprintf(path, sizeof path, "%s/%zu.db", place->directory, i);
    make_store(path);
    char *sql = changed_definition(path, cases[i].table, cases[i].from, cases[i].to);
    if (execute(path, sql) != SQLITE_OK)
      fail_msg("%s", sql);
    assert_refused(path, cases[i].words);
    sqlite3_free(sql);
  }
}

STORE_TEST(test_two_tables_on_one_page_are_refused)
{
  make_store(place->path);
  assert_int_equal(execute(place->path, "CREATE TABLE own (a); PRAGMA writable_schema = ON; UPDATE sqlite_schema SET"
                                        " rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'method')"
                                        " WHERE name = 'own'"),
                   SQLITE_OK);
  assert_refused(place->path, "the pages of another table");
}

/* Before a migration: tables of later versions and those that a migration makes are not taken from the store. */
STORE_TEST(test_older_stores_are_looked_at_too)
{
  char path[160];
  for (int version = 1; version < TUTTI_SCHEMA_VERSION; version++) {
    tutti_store *store;
    snprintf(path, sizeof path, "%s/trigger_%d.db", place->directory, version);
    make_version(path, version);
    execute(path, "CREATE TRIGGER take AFTER INSERT ON measurement BEGIN DELETE FROM measurement; END");
    assert_refused(path, "the trigger take");
    if (version >= tutti_kind_of(TUTTI_ROW_CALL)->since)
      continue;
    snprintf(path, sizeof path, "%s/later_%d.db", place->directory, version);
    make_version(path, version);
    execute(path, "CREATE TABLE program_call (a)");
    assert_fails(tutti_store_open(path, &store, REASON), TUTTI_ERR_IO, error, "program_call already exists");
    assert_int_equal(query(path, "PRAGMA user_version"), version);
  }
}

/* A journal may name a file, which SQLite would delete after a rollback. */
STORE_TEST(test_journals_that_name_files_are_refused)
{
  static const unsigned char magic[] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
  char journal[160], victim[160];
  make_store(place->path);
  snprintf(journal, sizeof journal, "%s-journal", place->path);
  snprintf(victim, sizeof victim, "%s/victim", place->directory);
  write_file(victim, "kept");
  const uint32_t length = (uint32_t)strlen(victim);
  uint32_t sum = 0;
  for (const char *c = victim; *c; c++)
    sum += (uint32_t)(signed char)*c;
  const uint32_t pending = 0x40000000 / 4096 + 1;
  unsigned char numbers[12];
  for (int i = 0; i < 4; i++) {
    numbers[i] = (unsigned char)(pending >> (24 - 8 * i));
    numbers[4 + i] = (unsigned char)(length >> (24 - 8 * i));
    numbers[8 + i] = (unsigned char)(sum >> (24 - 8 * i));
  }
  unsigned char head[512] = {0};
  memcpy(head, magic, sizeof magic);
  head[22] = 0x02, head[26] = 0x10; /* sectors of 512 bytes, pages of 4096 */
  FILE *file = fopen(journal, "wb");
  fwrite(head, 1, sizeof head, file);
  fwrite(numbers, 1, 4, file);
  fwrite(victim, 1, length, file);
  fwrite(numbers + 4, 1, 8, file);
  fwrite(magic, 1, sizeof magic, file);
  fclose(file);
  assert_refused(place->path, "-journal");
  assert_int_equal(access(victim, F_OK), 0);
}

STORE_TEST(test_tables_are_missed)
{
  make_store(place->path);
  assert_int_equal(execute(place->path, "DROP TABLE parameter"), SQLITE_OK);
  assert_refused(place->path, "table parameter lacks");
}

/* ---- what is in the cells ---- */

/* Change a store as no statement can: its tables lose their checks and types in between. */
static void change_cells(const char *path, const char *table, const char *update)
{
  char *sql = sqlite3_mprintf("PRAGMA writable_schema = ON; CREATE TABLE kept (sql); INSERT INTO kept SELECT sql FROM"
                              " sqlite_schema WHERE name = %Q;"
                              "UPDATE sqlite_schema SET sql = replace(sql, 'STRICT, ', '') WHERE name = %Q;"
                              "UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name = %Q",
                              table, table, table);
  assert_int_equal(execute(path, sql), SQLITE_OK);
  sqlite3_free(sql);
  sql = sqlite3_mprintf("PRAGMA ignore_check_constraints = ON; %s", update);
  assert_int_equal(execute(path, sql), SQLITE_OK);
  sqlite3_free(sql);
  sql = sqlite3_mprintf("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = (SELECT sql FROM kept)"
                        " WHERE name = %Q; DROP TABLE kept",
                        table);
  assert_int_equal(execute(path, sql), SQLITE_OK);
  sqlite3_free(sql);
}

/* Or else they would make another store one that nobody reads. */
static void assert_not_merged(const char *path, const char *what)
{
  const char *paths[] = {path};
  char into[192];
  tutti_merged merged;
  snprintf(into, sizeof into, "%s.into", path);
  tutti_store *store = open_store(into);
  if (tutti_store_merge(store, paths, 1, false, &merged, REASON) == TUTTI_OK || !strstr(error.message, path))
    fail_msg("%s: merged, '%s'", what, error.message);
  tutti_store_close(store);
  assert_int_equal(query(into, "SELECT count(*) FROM measurement"), 0);
}

STORE_TEST(test_cells_that_are_no_values_are_errors)
{
  static const struct {
    const char *table, *update, *words;
  } cases[] = {
      {"measurement", "UPDATE measurement SET median_s = 'soon'", "table measurement, row 1: 'soon' is no value of"},
      {"measurement", "UPDATE measurement SET median_s = 9e999", "row 1: 'Inf' is no value of median_s"},
      {"measurement", "UPDATE measurement SET median_s = 9e999, maximum_s = 9e999", "'Inf' is no value of median_s"},
      {"measurement", "UPDATE measurement SET repetitions = 1.5", "'1.5' is no value of repetitions"},
      {"measurement", "UPDATE measurement SET repetitions = -1", "repetitions"},
      {"measurement", "UPDATE measurement SET ranks = 9e15", "ranks"},
      {"measurement", "UPDATE measurement SET ranks = 4294967298, total_B = 1", "ranks"},
      {"measurement", "UPDATE measurement SET ranks_per_node = 0", "ranks_per_node"},
      {"measurement", "UPDATE measurement SET scheme = x'6f6363'", "no value of scheme"},
      {"measurement", "UPDATE measurement SET scheme = 'occ' || char(0) || 'x'", "no value of scheme"},
      {"measurement", "UPDATE measurement SET scheme = zeroblob(2000000)", "too big"},
      {"measurement", "UPDATE measurement SET method = 99", "table measurement has rows of method 99"},
      {"measurement", "UPDATE measurement SET environment = 7", "table measurement has rows of environment 7"},
      {"parameter", "INSERT INTO parameter VALUES (8, 'gap', '', 8, 1e-6, NULL)",
       "parameter has rows of environment 8"},
      {"method", "UPDATE method SET name = 'bcast/' || char(27) || '[31m'", "no value of method"},
      {"environment", "UPDATE environment SET platform = 'a' || char(27) || '[2J'",
       "table environment, row 1: 'a?[2J' is no platform"},
      {"environment", "UPDATE environment SET platform = 'a' || char(155) || 'x'", "'a?x' is no platform"},
      {"environment", "UPDATE environment SET cpu = 'a' || char(8238) || 'x'", "'a?x' is no model of the CPU"},
      {"environment", "UPDATE environment SET library = CAST(x'80ff' AS TEXT)",
       "'?"
       "?' is no library"},
      {"environment", "UPDATE environment SET hosts = 'a' || char(10) || '::error::x'", "is no digest of the hosts"},
      {"environment", "UPDATE environment SET cores = 'many'", "'many' is no number of cores"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const tutti_selection any = {.collective = TUTTI_COLL_BCAST, .scheme = -1, .any_pattern = true};
    tutti_measurement *read = NULL;
    tutti_store *store;
    size_t count;
    char path[160];
    snprintf(path, sizeof path, "%s/%zu.db", place->directory, i);
    make_store(path);
    change_cells(path, cases[i].table, cases[i].update);
    tutti_status status = tutti_store_open_existing(path, &store, REASON);
    if (status == TUTTI_OK) {
      status = tutti_store_read(store, &any, &read, &count, REASON);
      tutti_store_close(store);
    }
    if (status == TUTTI_OK || !strstr(error.message, cases[i].words) || !strstr(error.message, path))
      fail_msg("%s: '%s' does not say '%s'", cases[i].update, error.message, cases[i].words);
    assert_not_merged(path, cases[i].update);
  }
}

STORE_TEST(test_harmless_additions_stay)
{
  static const char *const additions[] = {
      "CREATE TABLE own (a TEXT UNIQUE, b REFERENCES environment (id)); INSERT INTO own VALUES ('x', 1)",
      "CREATE INDEX quick ON measurement (ranks, median_s)", "CREATE INDEX \"by name\" ON method (collective DESC)",
      "ANALYZE"};
  char path[160];
  for (int version = 1; version <= TUTTI_SCHEMA_VERSION; version++) {
    snprintf(path, sizeof path, "%s/%d.db", place->directory, version);
    make_version(path, version);
    for (size_t i = 0; i < sizeof additions / sizeof *additions; i++)
      assert_int_equal(execute(path, additions[i]), SQLITE_OK);
    tutti_store *store;
    assert_ok(tutti_store_open_existing(path, &store, REASON), error);
    tutti_store_close(store);
    tutti_store_close(open_store(path));
    tutti_store_close(open_store(path)); /* migrated */
    assert_newest(path);
    assert_int_equal(query(path, "SELECT count(*) FROM own"), 1);
  }
}
