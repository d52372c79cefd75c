/* Rows of environments and methods that a store lacks: a join would leave them out without a word. SQLite finds them
 * only by reading every row; here each environment, and each method of it, is found at the front of the key. */
#include <stdlib.h>

#include "base/memory.h"
#include "harness/store/private.h"

struct look_up {
  const char *path, *table, *missing; /* what is missing */
};

/* A row of the query: the number that a row of the table has. */
static tutti_status fail_missing(void *context, sqlite3_stmt *row, tutti_error *error)
{
  const struct look_up *look_up = context;
  return tutti_fail(error, TUTTI_ERR_IO, "%.200s: table %s has rows of %s %lld, which the store lacks", look_up->path,
                    look_up->table, look_up->missing, (long long)sqlite3_column_int64(row, 0));
}

static tutti_status look_up(sqlite3 *database, const struct look_up *what, char *sql, tutti_error *error)
{
  tutti_status status = tutti_store_query(database, what->path, sql, fail_missing, (void *)what, error);
  free(sql);
  return status;
}

static tutti_status check_environments(sqlite3 *database, const char *path, const char *table, tutti_error *error)
{
  const struct look_up what = {path, table, "environment"};
  return look_up(
      database, &what,
      tutti_xprintf("WITH RECURSIVE found (e) AS (SELECT min(environment) FROM %s UNION ALL"
                    " SELECT (SELECT min(environment) FROM %s WHERE environment > e) FROM found"
                    " WHERE e IS NOT NULL)"
                    " SELECT e FROM found WHERE e IS NOT NULL AND e NOT IN (SELECT id FROM environment) LIMIT 1",
                    table, table),
      error);
}

static tutti_status check_methods(sqlite3 *database, const char *path, const char *table, tutti_error *error)
{
  const struct look_up what = {path, table, "method"};
  return look_up(database, &what,
                 tutti_xprintf("WITH RECURSIVE found (e, m) AS (SELECT id, (SELECT min(method) FROM %s WHERE"
                               " environment = id) FROM environment UNION ALL SELECT e, (SELECT min(method) FROM %s"
                               " WHERE environment = e AND method > m) FROM found WHERE m IS NOT NULL)"
                               " SELECT m FROM found WHERE m IS NOT NULL AND m NOT IN (SELECT id FROM method) LIMIT 1",
                               table, table),
                 error);
}

static bool has_methods(const struct tutti_row_kind *kind)
{
  for (size_t i = 0; i < kind->count; i++)
    if (kind->columns[i].type == TUTTI_ROW_COLUMN_METHOD)
      return true;
  return false;
}

tutti_status tutti_store_check_references(sqlite3 *database, const char *path, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int row = 0; row < TUTTI_ROW_KINDS && status == TUTTI_OK; row++) {
    const struct tutti_row_kind *kind = tutti_kind_of((enum tutti_row)row);
    status = check_environments(database, path, kind->table, error);
    if (status == TUTTI_OK && has_methods(kind))
      status = check_methods(database, path, kind->table, error);
  }
  return status;
}
