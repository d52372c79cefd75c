/* The store: opening and closing it, and its kept statements. A store is created in one transaction before it is
 * switched to WAL, so that a file is empty or marked as a store, whenever its maker is killed. */
#include "tutti/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"
#include "harness/store/private.h"

static tutti_status execute(tutti_store *store, const char *sql, const char *what, tutti_error *error)
{
  if (sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK)
    return TUTTI_OK;
  return tutti_store_fault(store->database, store->path, what, error);
}

/* Check that a file is a store. */
static tutti_status read_version(const tutti_store *store, int *version, tutti_error *error)
{
  tutti_status status = tutti_store_check_marks(store->database, store->path, version, error);
  if (status != TUTTI_OK || *version == 0)
    return status;
  return tutti_store_check_schema(store->database, store->path, *version, error);
}

static tutti_status migrate(tutti_store *store, int version, tutti_error *error)
{
  if (version == TUTTI_SCHEMA_VERSION)
    return TUTTI_OK;
  char *sql = tutti_store_migration(version);
  tutti_status status = execute(store, sql, version == 0 ? "create its tables" : "bring it up to date", error);
  free(sql);
  return status;
}

/* Create the tables, or add what an older version did not have. Two processes may get here at the same time: the one
   that waited finds it done. */
static tutti_status bring_up_to_date(tutti_store *store, tutti_error *error)
{
  int version = 0;
  tutti_status status = tutti_store_run(store, STORE_BEGIN_WRITE, error);
  if (status != TUTTI_OK)
    return status;
  status = read_version(store, &version, error);
  if (status == TUTTI_OK)
    status = migrate(store, version, error);
  return tutti_store_end(store, status, error);
}

/* A store of an older version is read from a migrated copy; the file stays. */
static tutti_status copy_up_to_date(tutti_store *store, int version, tutti_error *error)
{
  sqlite3 *file = store->database;
  tutti_status status = tutti_store_connect_copy(store->path, file, &store->database, error);
  sqlite3_close(file);
  if (status == TUTTI_OK)
    status = migrate(store, version, error);
  return status == TUTTI_OK ? execute(store, "PRAGMA query_only = ON", "open it", error) : status;
}

static tutti_status check_rows(tutti_store *store, tutti_error *error)
{
  tutti_status status = tutti_environment_check_all(store->database, store->path, error);
  return status == TUTTI_OK ? tutti_store_check_references(store->database, store->path, error) : status;
}

static tutti_status set_up_to_read(tutti_store *store, tutti_error *error)
{
  int version;
  tutti_status status = read_version(store, &version, error);
  if (status == TUTTI_OK && version < TUTTI_SCHEMA_VERSION)
    status = copy_up_to_date(store, version, error);
  return status == TUTTI_OK ? check_rows(store, error) : status;
}

/* To change the kind of its log, SQLite does not wait for a process that writes, as its busy handler could wait for
   ever (sqlite.org/c3ref/busy_handler.html); so it is asked again for as long as one waits elsewhere. */
static tutti_status set_up_log(tutti_store *store, tutti_error *error)
{
  const double end = tutti_clock(CLOCK_MONOTONIC) + STORE_BUSY_MILLISECONDS * 1e-3;
  tutti_status status = execute(store, tutti_store_settings, "set it up", error);
  while (status != TUTTI_OK && (sqlite3_errcode(store->database) & 0xff) == SQLITE_BUSY &&
         tutti_clock(CLOCK_MONOTONIC) < end) {
    sqlite3_sleep(5);
    status = execute(store, tutti_store_settings, "set it up", error);
  }
  return status;
}

static tutti_status set_up_to_write(tutti_store *store, int version, tutti_error *error)
{
  tutti_status status =
      version < TUTTI_SCHEMA_VERSION ? bring_up_to_date(store, error) : read_version(store, &version, error);
  if (status == TUTTI_OK)
    status = check_rows(store, error);
  if (status == TUTTI_OK)
    status = set_up_log(store, error);
  /* Once more through the log, which the first look at the file passed over. */
  return status == TUTTI_OK ? tutti_store_check_marks(store->database, store->path, &version, error) : status;
}

static tutti_status open_store(const char *path, enum store_mode mode, int version, tutti_store **store,
                               tutti_error *error)
{
  tutti_store *opened = tutti_xcalloc(1, sizeof *opened);
  opened->path = tutti_xstrdup(path);
  tutti_status status = tutti_store_connect(path, mode, &opened->database, error);
  if (status == TUTTI_OK)
    status = mode == STORE_WRITE ? set_up_to_write(opened, version, error) : set_up_to_read(opened, error);
  if (status != TUTTI_OK) {
    tutti_store_close(opened);
    return status;
  }
  sqlite3_db_config(opened->database, SQLITE_DBCONFIG_ENABLE_VIEW, 1, NULL); /* they are ours */
  *store = opened;
  return TUTTI_OK;
}

tutti_status tutti_store_open(const char *path, tutti_store **store, tutti_error *error)
{
  int version;
  *store = NULL;
  tutti_status status = tutti_store_inspect(path, &version, error);
  return status == TUTTI_OK ? open_store(path, STORE_WRITE, version, store, error) : status;
}

tutti_status tutti_store_open_existing(const char *path, tutti_store **store, tutti_error *error)
{
  int version;
  *store = NULL;
  tutti_status status = tutti_store_inspect(path, &version, error);
  char meant[2 * TUTTI_GUESS_LENGTH];
  if (status == TUTTI_OK && version == 0) {
    const bool empty = access(path, F_OK) == 0;
    return tutti_fail(error, TUTTI_ERR_IO,
                      "%.180s: %s%s; this makes one:\n  tutti bench bcast --platform grig_mx "
                      "-P 8..64*2 -s 4B..1MB*4 --db %.200s",
                      path, empty ? "is empty, and no store of measurements" : "no such store of measurements",
                      empty ? "" : tutti_guess_file(path, ".db", meant), path);
  }
  return status == TUTTI_OK ? open_store(path, STORE_READ, version, store, error) : status;
}

void tutti_store_close(tutti_store *store)
{
  if (!store)
    return;
  for (int i = 0; i < STORE_STATEMENT_COUNT; i++)
    sqlite3_finalize(store->statements[i]);
  sqlite3_close(store->database);
  free(store->path);
  free(store);
}

tutti_status tutti_store_step_fault(tutti_store *store, sqlite3_stmt *statement, const char *what, tutti_error *error)
{
  tutti_status status = tutti_store_fault(store->database, store->path, what, error);
  sqlite3_reset(statement);
  return status;
}

tutti_status tutti_store_change(tutti_store *store, sqlite3_stmt *statement, const char *what, tutti_error *error)
{
  if (sqlite3_step(statement) != SQLITE_DONE)
    return tutti_store_step_fault(store, statement, what, error);
  sqlite3_reset(statement);
  return TUTTI_OK;
}

tutti_status tutti_store_step_number(tutti_store *store, sqlite3_stmt *statement, bool *found, int64_t *number,
                                     tutti_error *error)
{
  int code = sqlite3_step(statement);
  if (code != SQLITE_ROW && code != SQLITE_DONE)
    return tutti_store_step_fault(store, statement, "read it", error);
  *found = code == SQLITE_ROW;
  if (*found)
    *number = sqlite3_column_int64(statement, 0);
  sqlite3_reset(statement);
  return TUTTI_OK;
}

tutti_status tutti_store_query(sqlite3 *database, const char *path, const char *sql, tutti_store_take *take,
                               void *context, tutti_error *error)
{
  sqlite3_stmt *statement;
  int code = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
  tutti_status status = code == SQLITE_OK ? TUTTI_OK : tutti_store_fault(database, path, "read it", error);
  while (status == TUTTI_OK && (code = sqlite3_step(statement)) == SQLITE_ROW)
    status = take(context, statement, error);
  if (status == TUTTI_OK && code != SQLITE_DONE)
    status = tutti_store_fault(database, path, "read it", error);
  sqlite3_finalize(statement);
  return status;
}

tutti_status tutti_store_run(tutti_store *store, enum store_statement which, tutti_error *error)
{
  sqlite3_stmt *statement;
  tutti_status status = tutti_store_prepare(store, which, &statement, error);
  return status == TUTTI_OK ? tutti_store_change(store, statement, "write it", error) : status;
}

tutti_status tutti_store_begin(tutti_store *store, tutti_error *error)
{
  return store->together ? TUTTI_OK : tutti_store_run(store, STORE_BEGIN_WRITE, error);
}

tutti_status tutti_store_begin_together(tutti_store *store, tutti_error *error)
{
  tutti_status status = tutti_store_begin(store, error);
  store->together = status == TUTTI_OK;
  return status;
}

tutti_status tutti_store_end_together(tutti_store *store, tutti_status status, tutti_error *error)
{
  store->together = false;
  return tutti_store_end(store, status, error);
}

tutti_status tutti_store_end(tutti_store *store, tutti_status status, tutti_error *error)
{
  if (store->together)
    return status;
  if (status == TUTTI_OK)
    status = tutti_store_run(store, STORE_COMMIT, error);
  /* Some errors (a full disk) have ended the transaction already. */
  if (status != TUTTI_OK && !sqlite3_get_autocommit(store->database))
    tutti_store_run(store, STORE_ROLLBACK, NULL);
  return status;
}
