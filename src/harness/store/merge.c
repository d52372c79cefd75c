/* Merging stores, all in one transaction. Values go from one database to the other as they are, to the last bit. */
#include "tutti/store.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "harness/store/private.h"

/* One store being merged into another. */
struct merging {
  tutti_store *to, *from;
  bool keep;
  bool look; /* count, and put nothing */
  tutti_merged *merged;
  tutti_error *error;
};

/* The table of a kind in both stores. Columns are the environment and those that are stored. */
struct table {
  enum tutti_row row;
  const struct tutti_row_kind *kind;
  const struct tutti_row_column *columns[TUTTI_ROW_COLUMNS_MAX];
  size_t count;
  int method;          /* which column, or -1 */
  sqlite3_stmt *rows;  /* of the store that is read, of one environment: the columns, then the method's collective */
  sqlite3_stmt *equal; /* of the other: whether the row with these keys is equal; no row: it does not exist */
};

static tutti_status fault(const struct merging *merging, const tutti_store *store, const char *what)
{
  return tutti_store_fault(store->database, store->path, what, merging->error);
}

static tutti_status prepare(const struct merging *merging, const tutti_store *store,
                            void (*write)(FILE *stream, const void *what), const struct table *table,
                            sqlite3_stmt **statement)
{
  char *sql = tutti_compose(write, table);
  int code = sqlite3_prepare_v2(store->database, sql, -1, statement, NULL);
  free(sql);
  return code == SQLITE_OK ? TUTTI_OK : fault(merging, store, "merge it");
}

/* ---- tables ---- */

static void write_rows(FILE *stream, const void *what)
{
  const struct table *table = what;
  fprintf(stream, "SELECT ");
  for (size_t i = 0; i < table->count; i++)
    if ((int)i == table->method)
      fprintf(stream, "m.name, ");
    else
      fprintf(stream, "\"%s\", ", tutti_stored_name(table->columns[i]));
  fprintf(stream, table->method < 0 ? "NULL FROM %s" : "m.collective FROM %s LEFT JOIN method m ON m.id = method",
          table->kind->table);
  fprintf(stream, " WHERE environment = ?1");
}

static void write_equal(FILE *stream, const void *what)
{
  const struct table *table = what;
  const char *between = "";
  fprintf(stream, "SELECT ");
  for (size_t i = 0; i < table->count; i++)
    if (!tutti_column_is_key(table->columns[i])) {
      fprintf(stream, "%s\"%s\" IS ?%zu", between, tutti_stored_name(table->columns[i]), i + 2);
      between = " AND ";
    }
  fprintf(stream, " FROM %s WHERE environment = ?1", table->kind->table);
  for (size_t i = 0; i < table->count && tutti_column_is_key(table->columns[i]); i++)
    fprintf(stream, " AND \"%s\" = ?%zu", tutti_stored_name(table->columns[i]), i + 2);
}

static tutti_status open_table(const struct merging *merging, struct table *table)
{
  const tutti_store *from = merging->from;
  table->method = -1;
  table->count = tutti_stored_columns(table->kind, table->columns);
  for (size_t i = 0; i < table->count; i++) {
    const struct tutti_row_column *column = table->columns[i];
    table->method = column->type == TUTTI_ROW_COLUMN_METHOD ? (int)i : table->method;
  }
  tutti_status status = prepare(merging, from, write_rows, table, &table->rows);
  return status == TUTTI_OK ? prepare(merging, merging->to, write_equal, table, &table->equal) : status;
}

/* ---- rows ---- */

static tutti_status fail_cell(const struct merging *merging, const struct table *table, int i, const char *column)
{
  return tutti_fail(merging->error, TUTTI_ERR_IO, "%s: cannot merge it: table %s: '%.80s' is no value of %s",
                    merging->from->path, table->kind->table, tutti_store_text_at(table->rows, i), column);
}

/* Values are bound as they are: one that no reader takes would spoil the other store. */
static tutti_status check_cells(const struct merging *merging, const struct table *table)
{
  const int count = (int)table->count;
  enum tutti_row_value_class class;
  for (int i = 0; i < count; i++)
    if (!tutti_store_is_value(table->rows, i, table->columns[i], &class))
      return fail_cell(merging, table, i, tutti_stored_name(table->columns[i]));
  return tutti_store_is_shown(table->rows, count) ? TUTTI_OK : fail_cell(merging, table, count, "collective");
}

/* Bind a row that was read, with the numbers that its environment and method have in the other store. */
static void bind_row(sqlite3_stmt *statement, const struct table *table, int64_t environment, int64_t method)
{
  sqlite3_reset(statement);
  sqlite3_bind_int64(statement, 1, environment);
  for (int i = 0; i < (int)table->count; i++)
    if (i == table->method)
      sqlite3_bind_int64(statement, i + 2, method);
    else
      sqlite3_bind_value(statement, i + 2, sqlite3_column_value(table->rows, i));
}

static tutti_status insert_row(const struct merging *merging, const struct table *table, int64_t environment,
                               int64_t method)
{
  sqlite3_stmt *statement;
  tutti_status status =
      tutti_store_prepare(merging->to, store_row_statement(table->row, STORE_PUT), &statement, merging->error);
  if (status != TUTTI_OK)
    return status;
  bind_row(statement, table, environment, method);
  return tutti_store_change(merging->to, statement, "merge into it", merging->error);
}

static tutti_status merge_row(const struct merging *merging, const struct table *table, int64_t environment)
{
  int64_t method = 0;
  tutti_status status = check_cells(merging, table);
  if (status == TUTTI_OK && table->method >= 0)
    status = tutti_store_method(merging->to, tutti_store_text_at(table->rows, table->method),
                                tutti_store_text_at(table->rows, (int)table->count), &method, merging->error);
  if (status != TUTTI_OK)
    return status;
  bind_row(table->equal, table, environment, method);
  int code = sqlite3_step(table->equal);
  bool there = code == SQLITE_ROW, equal = there && sqlite3_column_int(table->equal, 0);
  if (!there && code != SQLITE_DONE)
    return tutti_store_step_fault(merging->to, table->equal, "merge into it", merging->error);
  sqlite3_reset(table->equal);
  ++*(equal ? &merging->merged->same : there ? &merging->merged->differs : &merging->merged->added);
  return equal || merging->look || (there && merging->keep) ? TUTTI_OK
                                                            : insert_row(merging, table, environment, method);
}

/* Those of one environment, whose number is @p from in the one store and @p to in the other. */
static tutti_status merge_rows(const struct merging *merging, const struct table *table, int64_t from, int64_t to)
{
  int code = SQLITE_DONE;
  tutti_status status = TUTTI_OK;
  sqlite3_reset(table->rows);
  sqlite3_bind_int64(table->rows, 1, from);
  while (status == TUTTI_OK && (code = sqlite3_step(table->rows)) == SQLITE_ROW)
    status = merge_row(merging, table, to);
  if (status == TUTTI_OK && code != SQLITE_DONE)
    status = fault(merging, merging->from, "read it");
  sqlite3_reset(table->rows);
  return status;
}

/* ---- surveys ---- */

static void write_count(FILE *stream, const void *what)
{
  const struct table *table = what;
  fprintf(stream, "SELECT count(*) FROM %s WHERE environment = ?1", table->kind->table);
}

/* How many rows has the environment? */
static tutti_status count_rows(const struct merging *merging, const tutti_store *store, const struct table *table,
                               int64_t environment, size_t *count)
{
  sqlite3_stmt *statement;
  tutti_status status = prepare(merging, store, write_count, table, &statement);
  if (status != TUTTI_OK)
    return status;
  sqlite3_bind_int64(statement, 1, environment);
  status = sqlite3_step(statement) == SQLITE_ROW ? TUTTI_OK : fault(merging, store, "read it");
  *count = (size_t)sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  return status;
}

static tutti_status replace_survey(const struct merging *merging, const struct table *table, int64_t from, int64_t to)
{
  tutti_merged rows = {0};
  struct merging all = *merging;
  all.merged = &rows; /* which count as one */
  tutti_status status = tutti_store_clear(merging->to, table->row, to, merging->error);
  return status == TUTTI_OK ? merge_rows(&all, table, from, to) : status;
}

/* Rows that are taken or left as a whole: sizes of one survey beside those of another would be neither. */
static tutti_status merge_survey(const struct merging *merging, const struct table *table, int64_t from, int64_t to)
{
  size_t theirs = 0, ours = 0;
  tutti_merged rows = {0};
  struct merging look = *merging;
  look.merged = &rows;
  look.look = true;
  tutti_status status = count_rows(merging, merging->from, table, from, &theirs);
  if (status == TUTTI_OK)
    status = count_rows(merging, merging->to, table, to, &ours);
  if (status == TUTTI_OK)
    status = merge_rows(&look, table, from, to);
  if (status != TUTTI_OK || theirs == 0)
    return status;
  bool equal = ours == theirs && rows.same == theirs;
  ++*(equal ? &merging->merged->same : ours > 0 ? &merging->merged->differs : &merging->merged->added);
  return equal || (ours > 0 && merging->keep) ? TUTTI_OK : replace_survey(merging, table, from, to);
}

/* ---- stores ---- */

/* One environment of a table. */
struct environment_merge {
  const struct merging *merging;
  const struct table *table;
};

static tutti_status merge_environment(void *context, sqlite3_stmt *row, tutti_error *error)
{
  const struct environment_merge *merge = context;
  int64_t from = sqlite3_column_int64(row, 0), to;
  const tutti_environment environment = tutti_environment_at(row, 1);
  tutti_status status = tutti_store_environment(merge->merging->to, &environment, &to, error);
  if (status != TUTTI_OK)
    return status;
  return (merge->table->kind->survey ? merge_survey : merge_rows)(merge->merging, merge->table, from, to);
}

static tutti_status merge_table(const struct merging *merging, const struct table *table)
{
  struct environment_merge merge = {merging, table};
  return tutti_environment_each(merging->from->database, merging->from->path, merge_environment, &merge,
                                merging->error);
}

static tutti_status merge_tables(const struct merging *merging)
{
  tutti_status status = TUTTI_OK;
  for (int row = 0; row < TUTTI_ROW_KINDS && status == TUTTI_OK; row++) {
    struct table table = {.row = (enum tutti_row)row, .kind = tutti_kind_of((enum tutti_row)row)};
    status = open_table(merging, &table);
    if (status == TUTTI_OK)
      status = merge_table(merging, &table);
    sqlite3_finalize(table.rows);
    sqlite3_finalize(table.equal);
  }
  return status;
}

static tutti_status merge_one(tutti_store *store, const char *path, bool keep, tutti_merged *merged, tutti_error *error)
{
  struct merging merging = {.to = store, .keep = keep, .merged = merged, .error = error};
  if (tutti_file_is_same(store->path, path))
    return tutti_fail(error, TUTTI_ERR_IO, "%s: is the store that others are merged into", path);
  tutti_status status = tutti_store_open_existing(path, &merging.from, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_store_run(merging.from, STORE_BEGIN_READ, error);
  if (status == TUTTI_OK)
    status = merge_tables(&merging);
  tutti_store_close(merging.from);
  return status;
}

tutti_status tutti_store_merge(tutti_store *store, const char *const *paths, size_t count, bool keep,
                               tutti_merged *merged, tutti_error *error)
{
  tutti_status status = tutti_store_begin_together(store, error);
  if (status != TUTTI_OK)
    return status;
  for (size_t i = 0; i < count && status == TUTTI_OK; i++) {
    merged[i] = (tutti_merged){0};
    status = merge_one(store, paths[i], keep, &merged[i], error);
  }
  return tutti_store_end_together(store, status, error);
}
