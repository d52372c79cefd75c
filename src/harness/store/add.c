/* Adding rows: methods, batches, and the question whether a point is there. */
#include <string.h>

#include "harness/store/private.h"
#include "harness/store/rows.h"

/* ---- methods ---- */

static void bind_text(sqlite3_stmt *statement, int index, const char *text)
{
  sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);
}

static tutti_status find_method(tutti_store *store, const char *name, bool *found, int64_t *id, tutti_error *error)
{
  sqlite3_stmt *statement;
  tutti_status status = tutti_store_prepare(store, STORE_METHOD_FIND, &statement, error);
  if (status != TUTTI_OK)
    return status;
  bind_text(statement, 1, name);
  return tutti_store_step_number(store, statement, found, id, error);
}

tutti_status tutti_store_method(tutti_store *store, const char *name, const char *collective, int64_t *id,
                                tutti_error *error)
{
  bool found = false;
  sqlite3_stmt *statement;
  tutti_status status = find_method(store, name, &found, id, error);
  if (status != TUTTI_OK || found)
    return status;
  status = tutti_store_prepare(store, STORE_METHOD_ADD, &statement, error);
  if (status != TUTTI_OK)
    return status;
  bind_text(statement, 1, name);
  bind_text(statement, 2, collective);
  status = tutti_store_change(store, statement, "add a method", error);
  return status == TUTTI_OK ? find_method(store, name, &found, id, error) : status;
}

/* ---- rows ---- */

/* Rows on their way into a table. */
struct adding {
  tutti_store *store;
  enum tutti_row row;
  const struct tutti_row_kind *kind;
  int64_t environment;
  const struct tutti_row_column *columns[TUTTI_ROW_COLUMNS_MAX];
  size_t count;
  tutti_method method; /* of the row before, and its id */
  int64_t method_id;
};

static struct adding begin_rows(tutti_store *store, enum tutti_row row, int64_t environment)
{
  struct adding adding = {.store = store, .row = row, .kind = tutti_kind_of(row), .environment = environment};
  adding.count = tutti_stored_columns(adding.kind, adding.columns);
  return adding;
}

static void bind_cell(sqlite3_stmt *statement, int index, const struct tutti_row_value *cell)
{
  if (cell->class == TUTTI_ROW_VALUE_STRING)
    sqlite3_bind_text(statement, index, cell->text, -1, SQLITE_TRANSIENT);
  else if (cell->class == TUTTI_ROW_VALUE_INTEGER)
    sqlite3_bind_int64(statement, index, (int64_t)cell->integer);
  else if (cell->class == TUTTI_ROW_VALUE_REAL)
    sqlite3_bind_double(statement, index, cell->real);
}

/* Bind a column; unbound ones are NULL: times without a clock. */
static void bind_column(sqlite3_stmt *statement, const struct adding *adding, size_t at, const void *row)
{
  const struct tutti_row_column *column = adding->columns[at];
  struct tutti_row_value cell;
  if (column->flags & TUTTI_ROW_COLUMN_TIMED && tutti_row_integer(adding->kind, row, "repetitions", 1) == 0)
    return;
  tutti_row_get(column, row, &cell);
  bind_cell(statement, 2 + (int)at, &cell);
}

static const tutti_method *method_of(const struct tutti_row_column *column, const void *row)
{
  return (const void *)((const char *)row + column->offset);
}

/* Rows mostly come grouped by method. */
static tutti_status bind_method(sqlite3_stmt *statement, struct adding *adding, size_t at, const void *row,
                                tutti_error *error)
{
  const tutti_method *method = method_of(adding->columns[at], row);
  if (!adding->method.algorithm || tutti_method_compare(method, &adding->method) != 0) {
    char name[TUTTI_METHOD_LENGTH];
    tutti_status status =
        tutti_store_method(adding->store, tutti_method_format(method, name),
                           tutti_collective_name(method->algorithm->collective), &adding->method_id, error);
    if (status != TUTTI_OK)
      return status;
    adding->method = *method;
  }
  sqlite3_bind_int64(statement, 2 + (int)at, adding->method_id);
  return TUTTI_OK;
}

static tutti_status insert_row(struct adding *adding, const void *row, tutti_error *error)
{
  sqlite3_stmt *statement;
  tutti_status status =
      tutti_store_prepare(adding->store, store_row_statement(adding->row, STORE_PUT), &statement, error);
  if (status != TUTTI_OK)
    return status;
  sqlite3_bind_int64(statement, 1, adding->environment);
  for (size_t i = 0; i < adding->count && status == TUTTI_OK; i++)
    if (adding->columns[i]->type == TUTTI_ROW_COLUMN_METHOD)
      status = bind_method(statement, adding, i, row, error);
    else
      bind_column(statement, adding, i, row);
  return status == TUTTI_OK ? tutti_store_change(adding->store, statement, "add a row", error) : status;
}

tutti_status tutti_store_clear(tutti_store *store, enum tutti_row kind, int64_t environment, tutti_error *error)
{
  sqlite3_stmt *statement;
  tutti_status status = tutti_store_prepare(store, store_row_statement(kind, STORE_CLEAR), &statement, error);
  if (status != TUTTI_OK)
    return status;
  sqlite3_bind_int64(statement, 1, environment);
  return tutti_store_change(store, statement, "remove rows", error);
}

tutti_status tutti_store_check_row(const struct tutti_row_kind *kind, const void *row, tutti_error *error)
{
  char point[TUTTI_ROW_POINT];
  tutti_error reason;
  tutti_status status = tutti_row_validate(kind, row, &reason);
  if (status == TUTTI_OK)
    return TUTTI_OK;
  return tutti_fail(error, status, "%.400s (%.300s)", reason.message, tutti_row_format_point(kind, row, point));
}

tutti_status tutti_store_add_rows(tutti_store *store, enum tutti_row kind, int64_t environment, const void *rows,
                                  size_t count, tutti_error *error)
{
  struct adding adding = begin_rows(store, kind, environment);
  const char *row = rows;
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < count && status == TUTTI_OK; i++)
    status = tutti_store_check_row(adding.kind, row + i * adding.kind->size, error);
  if (status == TUTTI_OK)
    status = tutti_store_begin(store, error);
  if (status != TUTTI_OK)
    return status;
  if (adding.kind->survey)
    status = tutti_store_clear(store, kind, environment, error);
  for (size_t i = 0; i < count && status == TUTTI_OK; i++)
    status = insert_row(&adding, row + i * adding.kind->size, error);
  return tutti_store_end(store, status, error);
}

/* ---- by the struct of the kind ---- */

tutti_status tutti_store_add(tutti_store *store, int64_t environment, const tutti_measurement *measurements,
                             size_t count, tutti_error *error)
{
  return tutti_store_add_rows(store, TUTTI_ROW_MEASUREMENT, environment, measurements, count, error);
}

tutti_status tutti_store_add_group_runs(tutti_store *store, int64_t environment, const tutti_group_run *builds,
                                        size_t count, tutti_error *error)
{
  return tutti_store_add_rows(store, TUTTI_ROW_GROUP, environment, builds, count, error);
}

tutti_status tutti_store_put_parameters(tutti_store *store, int64_t environment, const tutti_parameter *parameters,
                                        size_t count, tutti_error *error)
{
  return tutti_store_add_rows(store, TUTTI_ROW_PARAMETER, environment, parameters, count, error);
}

/* Results of one kind that follow each other are a batch of rows. */
static size_t batch_of(const tutti_result *results, size_t count)
{
  size_t batch = 1;
  while (batch < count && results[batch].kind == results->kind)
    batch++;
  return batch;
}

static tutti_status add_batches(tutti_store *store, int64_t environment, const tutti_result *results, size_t count,
                                tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t batch; count > 0 && status == TUTTI_OK; results += batch, count -= batch) {
    batch = batch_of(results, count);
    if (!tutti_kind_of_result(results->kind))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a result of no kind");
    status = tutti_store_add_rows(store, (enum tutti_row)(TUTTI_ROW_SORT + results->kind), environment, results, batch,
                                  error);
  }
  return status;
}

tutti_status tutti_store_add_results(tutti_store *store, int64_t environment, const tutti_result *results, size_t count,
                                     tutti_error *error)
{
  if (store->together)
    return add_batches(store, environment, results, count, error);
  tutti_status status = tutti_store_begin_together(store, error);
  return status == TUTTI_OK
             ? tutti_store_end_together(store, add_batches(store, environment, results, count, error), error)
             : status;
}

tutti_status tutti_store_has(tutti_store *store, int64_t environment, const tutti_measurement *point, bool *present,
                             tutti_error *error)
{
  const struct adding asked = begin_rows(store, TUTTI_ROW_MEASUREMENT, environment);
  int64_t one;
  sqlite3_stmt *statement;
  *present = false;
  tutti_status status =
      tutti_store_prepare(store, store_row_statement(TUTTI_ROW_MEASUREMENT, STORE_HAS), &statement, error);
  if (status != TUTTI_OK)
    return status;
  sqlite3_bind_int64(statement, 1, environment);
  for (size_t i = 0; i < asked.count && tutti_column_is_key(asked.columns[i]); i++)
    bind_column(statement, &asked, i, point);
  return tutti_store_step_number(store, statement, present, &one, error);
}
