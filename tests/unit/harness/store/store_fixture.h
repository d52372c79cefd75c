/* A store in a directory of its own for each test, and what it holds by SQLite alone. */
#ifndef TUTTI_TESTS_STORE_FIXTURE_H
#define TUTTI_TESTS_STORE_FIXTURE_H

#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decision/results/row.h"
#include "harness/store/private.h"
#include "tutti/store.h"
#include "unit/test.h"

struct place {
  char directory[64];
  char path[96]; /* of the store, which does not exist yet */
};

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
  struct place *place = *state;
  DIR *directory = opendir(place->directory);
  for (struct dirent *entry; directory && (entry = readdir(directory));)
    if (entry->d_type == DT_REG)
      unlinkat(dirfd(directory), entry->d_name, 0);
  if (directory)
    closedir(directory);
  int code = rmdir(place->directory);
  free(place);
  return code;
}

#define STORE_TEST(name) TEST_WITH(name, set_up, tear_down)

/* As the first versions had them. @{ */
#define FIRST_MEASUREMENT_TABLE                                                                                        \
  "CREATE TABLE measurement ("                                                                                         \
  "  environment INTEGER NOT NULL REFERENCES environment (id),"                                                        \
  "  method INTEGER NOT NULL REFERENCES method (id),  scheme TEXT NOT NULL CHECK (scheme <> ''),"                      \
  "  ranks INTEGER NOT NULL CHECK (ranks >= 1),  ranks_per_node INTEGER NOT NULL CHECK (ranks_per_node >= 1),"         \
  "  root INTEGER NOT NULL CHECK (root BETWEEN 0 AND ranks - 1),  count INTEGER NOT NULL CHECK (count >= 0),"          \
  "  type_B INTEGER NOT NULL CHECK (type_B >= 1 OR (type_B = 0 AND count = 0)),"                                       \
  "  rank_B INTEGER NOT NULL CHECK (rank_B = count * type_B),  total_B INTEGER NOT NULL CHECK (total_B >= 0),"         \
  "  repetitions INTEGER NOT NULL CHECK (repetitions >= 1),"                                                           \
  "  minimum_s REAL NOT NULL CHECK (minimum_s >= 0 OR scheme = 'occ'),"                                                \
  "  median_s REAL NOT NULL CHECK (median_s >= minimum_s),"                                                            \
  "  mean_s REAL NOT NULL CHECK (mean_s >= 0 OR scheme = 'occ'),"                                                      \
  "  maximum_s REAL NOT NULL CHECK (maximum_s >= median_s),"                                                           \
  "  PRIMARY KEY (environment, method, scheme, ranks, ranks_per_node, root, count, type_B)) STRICT, WITHOUT ROWID;"
#define FIRST_ENVIRONMENT_TABLE                                                                                        \
  "CREATE TABLE environment ("                                                                                         \
  "  id INTEGER PRIMARY KEY,  platform TEXT NOT NULL CHECK (platform <> ''),  platform_hash TEXT NOT NULL,"            \
  "  flavor TEXT NOT NULL CHECK (flavor <> ''),  library TEXT NOT NULL CHECK (library <> ''),"                         \
  "  tutti TEXT NOT NULL CHECK (tutti <> ''),"                                                                         \
  "  UNIQUE (platform, platform_hash, flavor, library, tutti)) STRICT;"
/* @} */

static inline tutti_store *open_store(const char *path)
{
  tutti_store *store;
  tutti_error error = {0};
  assert_ok(tutti_store_open(path, &store, &error), error);
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
  sqlite3 *database;
  sqlite3_stmt *statement;
  assert_int_equal(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
  int64_t number = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return number;
}

/* Asserts that the store is of the newest version. */
static inline void assert_newest(const char *path)
{
  assert_int_equal(query(path, "PRAGMA user_version"), TUTTI_SCHEMA_VERSION);
}

/* The code of SQLite for statements on the file, which is made if need be. */
static inline int execute(const char *path, const char *sql)
{
  sqlite3 *database;
  assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
  int code = sqlite3_exec(database, sql, NULL, NULL, NULL);
  sqlite3_close(database);
  return code;
}

/* Make a store one of an older version, with what its tables can hold. */
static inline void make_older(const char *path, int version)
{
  char newest[128], *tables = tutti_store_tables(version), *sql;
  snprintf(newest, sizeof newest, "%s.newest", path);
  assert_int_equal(execute(path, "PRAGMA journal_mode = DELETE"), SQLITE_OK);
  assert_int_equal(rename(path, newest), 0);
  assert_int_equal(execute(path, tables), SQLITE_OK);
  free(tables);
  sqlite3 *database;
  sqlite3_stmt *names;
  assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
  sql = sqlite3_mprintf("PRAGMA application_id = %d; PRAGMA user_version = %d; ATTACH %Q AS newest",
                        STORE_APPLICATION_ID, version, newest);
  assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
  sqlite3_free(sql);
  assert_int_equal(sqlite3_prepare_v2(database,
                                      "SELECT t.name, group_concat('\"' || c.name || '\"') FROM main.sqlite_schema t,"
                                      " pragma_table_info(t.name, 'main') c WHERE t.type = 'table' GROUP BY t.name",
                                      -1, &names, NULL),
                   SQLITE_OK);
  while (sqlite3_step(names) == SQLITE_ROW) {
    const unsigned char *table = sqlite3_column_text(names, 0), *columns = sqlite3_column_text(names, 1);
    sql = sqlite3_mprintf("INSERT INTO main.%s (%s) SELECT %s FROM newest.%s", table, columns, columns, table);
    assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_free(sql);
  }
  sqlite3_finalize(names);
  sqlite3_close(database);
  assert_int_equal(unlink(newest), 0);
}

#endif
