/* The tables of stores to be merged, and the statements on them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/store_merge.h"

tutti_status tutti_merge_fault(const tutti_store *store, const char *what, tutti_error *error)
{
  return tutti_store_fault(store->database, store->path, what, error);
}

tutti_status tutti_merge_prepare(const tutti_store *store, char *sql, sqlite3_stmt **statement, tutti_error *error)
{
  if (!sql)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", store->path);
  int code = sqlite3_prepare_v2(store->database, sql, -1, statement, NULL);
  free(sql);
  return code == SQLITE_OK ? TUTTI_OK : tutti_merge_fault(store, "merge it", error);
}

/* ---- statements ---- */

/* A column of the store that is read, or what it would have there. */
static void print_source(FILE *stream, const struct merge_table *table)
{
  for (int c = 0; c < table->count; c++)
    if (table->defaults[c])
      fprintf(stream, "%s%s", c ? ", " : "", table->defaults[c]);
    else
      fprintf(stream, "%s[%s]", c ? ", " : "", table->columns[c]);
}

/* "[a] SEPARATOR [b]" of the columns that are wanted, each with its number where @p with is "=" or "IS". In brackets,
   because what is in quotes and no column is a text to SQLite. */
static void print_columns(FILE *stream, const struct merge_table *table, bool key, bool rest, const char *with,
                          const char *separator)
{
  const char *between = "";
  for (int c = 0; c < table->count; c++) {
    if (table->key[c] ? !key : !rest)
      continue;
    if (*with)
      fprintf(stream, "%s[%s] %s ?%d", between, table->columns[c], with, c + 1);
    else
      fprintf(stream, "%s[%s]", between, table->columns[c]);
    between = separator;
  }
}

static char *compose(const struct merge_table *table, void (*print)(FILE *stream, const struct merge_table *table))
{
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  if (!stream)
    return NULL;
  print(stream, table);
  return fclose(stream) == 0 ? text : NULL;
}

static void print_rows(FILE *stream, const struct merge_table *table)
{
  fprintf(stream, "SELECT ");
  print_source(stream, table);
  fprintf(stream, table->method < 0 ? ", NULL, NULL FROM [%s]" : ", m.name, m.collective FROM [%s]", table->name);
  if (table->method >= 0)
    fprintf(stream, " JOIN method m ON m.id = method");
  fprintf(stream, " WHERE environment = ?1");
}

static void print_equal(FILE *stream, const struct merge_table *table)
{
  fprintf(stream, "SELECT ");
  print_columns(stream, table, false, true, "IS", " AND ");
  fprintf(stream, " FROM [%s] WHERE ", table->name);
  print_columns(stream, table, true, false, "=", " AND ");
}

static void print_put(FILE *stream, const struct merge_table *table)
{
  fprintf(stream, "INSERT OR REPLACE INTO [%s] (", table->name);
  print_columns(stream, table, true, true, "", ", ");
  fprintf(stream, ") VALUES (");
  for (int c = 0; c < table->count; c++)
    fprintf(stream, "%s?%d", c ? ", " : "", c + 1);
  fprintf(stream, ")");
}

/* ---- tables ---- */

void tutti_merge_close_table(struct merge_table *table)
{
  sqlite3_finalize(table->rows);
  sqlite3_finalize(table->equal);
  sqlite3_finalize(table->put);
  for (int c = 0; c < table->count; c++) {
    free(table->columns[c]);
    free(table->defaults[c]);
  }
  free(table->name);
}

/* Columns, without those that are computed. */
static tutti_status read_columns(const struct merging *merging, struct merge_table *table)
{
  char *sql;
  sqlite3_stmt *statement;
  int code = 0;
  if (asprintf(&sql, "SELECT name, pk FROM pragma_table_info('%s')", table->name) < 0)
    sql = NULL;
  tutti_status status = tutti_merge_prepare(merging->to, sql, &statement, merging->error);
  if (status != TUTTI_OK)
    return status;
  table->environment = table->method = -1;
  while (table->count < MOST_COLUMNS && (code = sqlite3_step(statement)) == SQLITE_ROW) {
    char *name = strdup(tutti_store_text_at(statement, 0));
    if (!name)
      break;
    if (strcmp(name, "environment") == 0)
      table->environment = table->count;
    if (strcmp(name, "method") == 0)
      table->method = table->count;
    table->key[table->count] = sqlite3_column_int(statement, 1) > 0;
    table->columns[table->count++] = name;
  }
  sqlite3_finalize(statement);
  return code == SQLITE_DONE ? TUTTI_OK
                             : tutti_fail(merging->error, TUTTI_ERR_MEMORY, "%s: cannot list the columns of %s",
                                          merging->to->path, table->name);
}

/* What stands for a column that the store does not have which is read. */
static tutti_status take_default(const struct merging *merging, struct merge_table *table, int column)
{
  char *sql;
  sqlite3_stmt *statement;
  if (asprintf(&sql, "SELECT dflt_value FROM pragma_table_info('%s') WHERE name = '%s'", table->name,
               table->columns[column]) < 0)
    sql = NULL;
  tutti_status status = tutti_merge_prepare(merging->to, sql, &statement, merging->error);
  if (status != TUTTI_OK)
    return status;
  if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_type(statement, 0) != SQLITE_NULL)
    table->defaults[column] = strdup(tutti_store_text_at(statement, 0));
  sqlite3_finalize(statement);
  if (table->defaults[column])
    return TUTTI_OK;
  return tutti_fail(merging->error, TUTTI_ERR_IO, "%s: cannot merge it: its table %s has no column %s",
                    merging->from->path, table->name, table->columns[column]);
}

/* Older stores lack columns. */
static tutti_status find_missing(const struct merging *merging, struct merge_table *table)
{
  bool there[MOST_COLUMNS] = {false};
  char *sql;
  sqlite3_stmt *statement;
  if (asprintf(&sql, "SELECT name FROM pragma_table_info('%s')", table->name) < 0)
    sql = NULL;
  tutti_status status = tutti_merge_prepare(merging->from, sql, &statement, merging->error);
  if (status != TUTTI_OK)
    return status;
  while (sqlite3_step(statement) == SQLITE_ROW)
    for (int c = 0; c < table->count; c++)
      there[c] = there[c] || strcmp(table->columns[c], tutti_store_text_at(statement, 0)) == 0;
  sqlite3_finalize(statement);
  for (int c = 0; c < table->count && status == TUTTI_OK; c++)
    if (!there[c])
      status = take_default(merging, table, c);
  return status;
}

tutti_status tutti_merge_open_table(const struct merging *merging, struct merge_table *table)
{
  tutti_status status = read_columns(merging, table);
  if (status != TUTTI_OK || table->environment < 0)
    return status;
  status = find_missing(merging, table);
  if (status != TUTTI_OK)
    return status;
  status = tutti_merge_prepare(merging->from, compose(table, print_rows), &table->rows, merging->error);
  if (status == TUTTI_OK)
    status = tutti_merge_prepare(merging->to, compose(table, print_equal), &table->equal, merging->error);
  return status == TUTTI_OK ? tutti_merge_prepare(merging->to, compose(table, print_put), &table->put, merging->error)
                            : status;
}
