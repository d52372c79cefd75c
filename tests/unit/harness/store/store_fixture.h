/* A store in a directory of its own for each test, and what it holds by SQLite alone. */
#ifndef TUTTI_TESTS_STORE_FIXTURE_H
#define TUTTI_TESTS_STORE_FIXTURE_H

#include <dirent.h>
#include <sqlite3.h>

#include "base/text.h"
#include "decision/results/row.h"
#include "harness/store/private.h"
#include "tutti/store.h"
#include "unit/harness/store/close_store.h"

enum { LAST_EARLIER_VERSION = 8 }; /* whose stores are all in tests/store/earlier.sql */

struct place {
  char directory[64];
  char path[96]; /* of the store, which does not exist yet */
};

static inline void close_database(sqlite3 **database)
{
  sqlite3_close(*database);
}

static inline void end_statement(sqlite3_stmt **statement)
{
  sqlite3_finalize(*statement);
}

static inline int set_up(void **state)
{
  struct place *place = calloc(1, sizeof *place);
  if (!place)
    return -1;
  strcpy(place->directory, "/tmp/tutti-store-XXXXXX");
  *state = place;
  if (!mkdtemp(place->directory))
    return -1;
  snprintf(place->path, sizeof place->path, "%s/results.db", place->directory);
  return 0;
}

static inline int tear_down(void **state)
{
  FREED_BY(free_memory) struct place *place = *state;
  DIR *directory = opendir(place->directory);
  for (struct dirent *entry; directory && (entry = readdir(directory));)
    if (entry->d_type == DT_REG)
      unlinkat(dirfd(directory), entry->d_name, 0);
  if (directory)
    closedir(directory);
  return rmdir(place->directory);
}

#define STORE_TEST(name) TEST_ON(name, set_up, tear_down, struct place, place)

static inline tutti_store *open_store(const char *path)
{
  tutti_store *store;
  assert_ok(tutti_store_open(path, &store, REASON), error);
  return store;
}

static inline int64_t environment_id(tutti_store *store, const tutti_environment *environment)
{
  int64_t id = -1;
  assert_int_equal(tutti_store_environment(store, environment, &id, NULL), TUTTI_OK);
  return id;
}

/* Times of a method that are all the same. */
static inline tutti_measurement stored_point(const char *method, int ranks, uint64_t bytes, double seconds)
{
  tutti_measurement m = {.scheme = TUTTI_SCHEME_OCC,
                         .ranks = ranks,
                         .ranks_per_node = 1,
                         .count = bytes,
                         .type_size = 1,
                         .rank_bytes = bytes,
                         .total_bytes = bytes,
                         .repetitions = 1,
                         .minimum = seconds,
                         .median = seconds,
                         .mean = seconds,
                         .maximum = seconds};
  assert_int_equal(tutti_method_parse(method, &m.method, NULL), TUTTI_OK);
  return m;
}

/* A number that a query on the file gives, by SQLite alone. */
static inline int64_t query(const char *path, const char *sql)
{
  FREED_BY(close_database) sqlite3 *database;
  FREED_BY(end_statement) sqlite3_stmt *statement;
  assert_int_equal(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
  return sqlite3_column_int64(statement, 0);
}

/* Asserts that the store is of the newest version. */
static inline void assert_newest(const char *path)
{
  assert_int_equal(query(path, "PRAGMA user_version"), TUTTI_SCHEMA_VERSION);
}

/* The code of SQLite for statements on the file, which is made if need be. */
static inline int execute(const char *path, const char *sql)
{
  FREED_BY(close_database) sqlite3 *database;
  assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
  return sqlite3_exec(database, sql, NULL, NULL, NULL);
}

/* The statement of a line if it is one of the version: those of older stores begin with their versions, "1-8 ". */
static inline const char *statement_of(const char *line, int version)
{
  if (version > LAST_EARLIER_VERSION)
    return line;
  return line[0] - '0' <= version && version <= line[2] - '0' ? line + 4 : "";
}

/* Make the store of a version, with rows that were measured then (tests/store). */
static inline void make_version(const char *path, int version)
{
  char name[256], *sql = NULL;
  size_t length = 0;
  struct tutti_lines lines;
  snprintf(name, sizeof name,
           version > LAST_EARLIER_VERSION ? "%s/tests/store/version_%d.sql" : "%s/tests/store/earlier.sql",
           TUTTI_SOURCE_DIR, version);
  if (access(name, R_OK) != 0)
    fail_msg("%s is missing: make it with tests/store/make.sh (docs/how-to/add-a-column.md)", name);
  FILE *stream = open_memstream(&sql, &length);
  tutti_lines_open(&lines, name, TUTTI_INPUT_TEXT, NULL);
  while (tutti_lines_next(&lines))
    fprintf(stream, "%s\n", statement_of(lines.text, version));
  assert_int_equal(tutti_lines_close(&lines), TUTTI_OK);
  fclose(stream);
  assert_int_equal(execute(path, sql), SQLITE_OK);
  assert_int_equal(query(path, "PRAGMA user_version"), version);
  free(sql);
}

#endif
