/* The rows of stores to be merged. */
#include <stdlib.h>
#include <string.h>

#include "store/store_merge.h"

static tutti_status find_method(const struct merging *merging, sqlite3_stmt *row, int column, int64_t *id)
{
  sqlite3_stmt *statement;
  tutti_status status = tutti_store_prepare(merging->to, STORE_METHOD_ADD, &statement, merging->error);
  if (status != TUTTI_OK)
    return status;
  sqlite3_bind_value(statement, 1, sqlite3_column_value(row, column));
  sqlite3_bind_value(statement, 2, sqlite3_column_value(row, column + 1));
  status = tutti_store_change(merging->to, statement, "add a method", merging->error);
  if (status == TUTTI_OK)
    status = tutti_store_prepare(merging->to, STORE_METHOD_FIND, &statement, merging->error);
  if (status != TUTTI_OK)
    return status;
  sqlite3_bind_value(statement, 1, sqlite3_column_value(row, column));
  if (sqlite3_step(statement) != SQLITE_ROW)
    return tutti_store_step_fault(merging->to, statement, "merge it", merging->error);
  *id = sqlite3_column_int64(statement, 0);
  sqlite3_reset(statement);
  return TUTTI_OK;
}

/* Bind a row that was read, with the numbers that its environment and method have in the other store. */
static void bind_row(sqlite3_stmt *statement, const struct merge_table *table, int64_t environment, int64_t method)
{
  sqlite3_reset(statement);
  for (int c = 0; c < table->count; c++)
    if (c == table->environment)
      sqlite3_bind_int64(statement, c + 1, environment);
    else if (c == table->method)
      sqlite3_bind_int64(statement, c + 1, method);
    else
      sqlite3_bind_value(statement, c + 1, sqlite3_column_value(table->rows, c));
}

static tutti_status put(const struct merging *merging, const struct merge_table *table, int64_t environment,
                        int64_t method)
{
  bind_row(table->put, table, environment, method);
  int code = sqlite3_step(table->put);
  tutti_status status =
      code == SQLITE_DONE ? TUTTI_OK : tutti_merge_fault(merging->to, "merge into it", merging->error);
  sqlite3_reset(table->put);
  return status;
}

static tutti_status merge_row(const struct merging *merging, const struct merge_table *table, int64_t environment)
{
  int64_t method = 0;
  tutti_status status = table->method < 0 ? TUTTI_OK : find_method(merging, table->rows, table->count, &method);
  if (status != TUTTI_OK)
    return status;
  bind_row(table->equal, table, environment, method);
  int code = sqlite3_step(table->equal);
  bool there = code == SQLITE_ROW, equal = there && sqlite3_column_int(table->equal, 0);
  if (!there && code != SQLITE_DONE)
    return tutti_store_step_fault(merging->to, table->equal, "merge into it", merging->error);
  sqlite3_reset(table->equal);
  ++*(equal ? &merging->merged->same : there ? &merging->merged->differs : &merging->merged->added);
  return equal || merging->look || (there && merging->keep) ? TUTTI_OK : put(merging, table, environment, method);
}

tutti_status tutti_merge_rows(const struct merging *merging, const struct merge_table *table, int64_t from, int64_t to)
{
  int code = SQLITE_DONE;
  tutti_status status = TUTTI_OK;
  sqlite3_reset(table->rows);
  sqlite3_bind_int64(table->rows, 1, from);
  while (status == TUTTI_OK && (code = sqlite3_step(table->rows)) == SQLITE_ROW)
    status = merge_row(merging, table, to);
  if (status == TUTTI_OK && code != SQLITE_DONE)
    status = tutti_merge_fault(merging->from, "read it", merging->error);
  sqlite3_reset(table->rows);
  return status;
}

/* ---- surveys of parameters ---- */

/* How many rows has the environment? */
static tutti_status count_rows(const tutti_store *store, int64_t environment, int64_t *count, tutti_error *error)
{
  sqlite3_stmt *statement;
  tutti_status status =
      tutti_merge_prepare(store, strdup("SELECT count(*) FROM parameter WHERE environment = ?1"), &statement, error);
  if (status != TUTTI_OK)
    return status;
  sqlite3_bind_int64(statement, 1, environment);
  status = sqlite3_step(statement) == SQLITE_ROW ? TUTTI_OK : tutti_merge_fault(store, "read it", error);
  *count = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  return status;
}

static tutti_status clear_survey(const struct merging *merging, int64_t environment)
{
  sqlite3_stmt *statement;
  tutti_status status = tutti_store_prepare(merging->to, STORE_PARAMETER_CLEAR, &statement, merging->error);
  if (status != TUTTI_OK)
    return status;
  sqlite3_bind_int64(statement, 1, environment);
  return tutti_store_change(merging->to, statement, "remove parameters", merging->error);
}

static tutti_status replace_survey(const struct merging *merging, const struct merge_table *table, int64_t from,
                                   int64_t to)
{
  tutti_merged rows = {0};
  struct merging all = *merging;
  all.merged = &rows; /* which count as one */
  tutti_status status = clear_survey(merging, to);
  return status == TUTTI_OK ? tutti_merge_rows(&all, table, from, to) : status;
}

/* Sizes of one survey beside those of another would be neither. */
tutti_status tutti_merge_survey(const struct merging *merging, const struct merge_table *table, int64_t from,
                                int64_t to)
{
  int64_t theirs = 0, ours = 0;
  tutti_merged rows = {0};
  struct merging look = *merging;
  look.merged = &rows;
  look.look = true;
  tutti_status status = count_rows(merging->from, from, &theirs, merging->error);
  if (status == TUTTI_OK)
    status = count_rows(merging->to, to, &ours, merging->error);
  if (status == TUTTI_OK)
    status = tutti_merge_rows(&look, table, from, to);
  if (status != TUTTI_OK || theirs == 0)
    return status;
  bool equal = ours == theirs && rows.same == (size_t)theirs;
  ++*(equal ? &merging->merged->same : ours > 0 ? &merging->merged->differs : &merging->merged->added);
  return equal || (ours > 0 && merging->keep) ? TUTTI_OK : replace_survey(merging, table, from, to);
}
