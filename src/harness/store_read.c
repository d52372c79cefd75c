/* Reading measurements back: those of one environment and one scheme, never a mixture. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store_private.h"

struct rows {
  tutti_measurement *items;
  size_t count;
  size_t capacity;
};

static void bind_optional(sqlite3_stmt *statement, int index, const char *text)
{
  if (text)
    sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);
}

/* What is not bound is NULL and matches everything. */
tutti_status store_select(tutti_store *store, enum store_statement which, const tutti_selection *selection,
                          sqlite3_stmt **statement, tutti_error *error)
{
  tutti_status status = store_prepare(store, which, statement, error);
  if (status != TUTTI_OK)
    return status;
  bind_optional(*statement, 1, selection->platform);
  bind_optional(*statement, 2, selection->platform_hash);
  bind_optional(*statement, 3, selection->flavor);
  bind_optional(*statement, 4, selection->library);
  bind_optional(*statement, 5, selection->tutti);
  return TUTTI_OK;
}

static tutti_status selection_statement(tutti_store *store, enum store_statement which,
                                        const tutti_selection *selection, sqlite3_stmt **statement, tutti_error *error)
{
  tutti_status status = store_select(store, which, selection, statement, error);
  if (status != TUTTI_OK)
    return status;
  bind_optional(*statement, 6, tutti_collective_name(selection->collective));
  if (selection->scheme >= 0)
    bind_optional(*statement, 7, tutti_scheme_name((tutti_scheme)selection->scheme));
  sqlite3_bind_int(*statement, 8, selection->ranks_per_node);
  return TUTTI_OK;
}

const char *store_text_at(sqlite3_stmt *statement, int column)
{
  const unsigned char *text = sqlite3_column_text(statement, column);
  return text ? (const char *)text : "";
}

void store_append_condition(char *list, size_t capacity, sqlite3_stmt *statement, const char *scheme)
{
  size_t used = strlen(list);
  const char *hash = store_text_at(statement, 1);
  snprintf(list + used, capacity - used, "%s%s%s%.8s %s, library '%s', Tutti %s%s%s", used ? "; " : "",
           store_text_at(statement, 0), *hash ? " " : "", hash, store_text_at(statement, 2),
           store_text_at(statement, 3), store_text_at(statement, 4), scheme ? ", scheme " : "", scheme ? scheme : "");
}

/* Numbers taken under different conditions must not be mixed. */
static tutti_status check_single(tutti_store *store, const tutti_selection *selection, tutti_error *error)
{
  char list[TUTTI_ERROR_LENGTH] = "";
  int found = 0, code;
  sqlite3_stmt *statement;
  tutti_status status = selection_statement(store, STORE_CONDITIONS, selection, &statement, error);
  if (status != TUTTI_OK)
    return status;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    store_append_condition(list, sizeof list, statement, store_text_at(statement, 5));
    found++;
  }
  if (code != SQLITE_DONE)
    return store_step_fault(store, statement, "read it", error);
  sqlite3_reset(statement);
  if (found <= 1)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "%s: %d sets of measurements match; choose one with --platform-hash, --flavor, --library, "
                    "--tutti-version or --scheme: %s",
                    store->path, found, list);
}

static bool make_room(struct rows *rows)
{
  if (rows->count < rows->capacity)
    return true;
  size_t capacity = rows->capacity ? 2 * rows->capacity : 1024;
  tutti_measurement *grown = reallocarray(rows->items, capacity, sizeof *grown);
  if (!grown)
    return false;
  rows->items = grown;
  rows->capacity = capacity;
  return true;
}

static tutti_status read_row(sqlite3_stmt *row, tutti_measurement *measurement, tutti_error *error)
{
  measurement->ranks = sqlite3_column_int(row, COLUMN_RANKS);
  measurement->ranks_per_node = sqlite3_column_int(row, COLUMN_RANKS_PER_NODE);
  measurement->root = sqlite3_column_int(row, COLUMN_ROOT);
  measurement->count = (uint64_t)sqlite3_column_int64(row, COLUMN_COUNT);
  measurement->type_size = (uint64_t)sqlite3_column_int64(row, COLUMN_TYPE);
  measurement->rank_bytes = (uint64_t)sqlite3_column_int64(row, COLUMN_RANK_BYTES);
  measurement->total_bytes = (uint64_t)sqlite3_column_int64(row, COLUMN_TOTAL_BYTES);
  measurement->repetitions = sqlite3_column_int(row, COLUMN_REPETITIONS);
  measurement->minimum = sqlite3_column_double(row, COLUMN_MINIMUM);
  measurement->median = sqlite3_column_double(row, COLUMN_MEDIAN);
  measurement->mean = sqlite3_column_double(row, COLUMN_MEAN);
  measurement->maximum = sqlite3_column_double(row, COLUMN_MAXIMUM);
  return tutti_scheme_parse(store_text_at(row, COLUMN_SCHEME), &measurement->scheme, error);
}

/* Rows come grouped by method, so that a name is parsed once. */
static tutti_status append_row(struct rows *rows, sqlite3_stmt *row, int64_t *method_id, tutti_error *error)
{
  if (!make_room(rows))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %zu measurements", rows->count);
  tutti_measurement *measurement = &rows->items[rows->count];
  int64_t id = sqlite3_column_int64(row, COLUMN_METHOD);
  tutti_status status = TUTTI_OK;
  if (rows->count > 0 && id == *method_id)
    measurement->method = measurement[-1].method;
  else
    status = tutti_method_parse(store_text_at(row, COLUMN_METHOD_NAME), &measurement->method, error);
  *method_id = id;
  if (status == TUTTI_OK)
    status = read_row(row, measurement, error);
  rows->count += status == TUTTI_OK;
  return status;
}

static tutti_status read_rows(tutti_store *store, const tutti_selection *selection, struct rows *rows,
                              tutti_error *error)
{
  int code = SQLITE_ROW;
  int64_t method_id = 0;
  tutti_error reason;
  sqlite3_stmt *statement;
  tutti_status status = selection_statement(store, STORE_ROWS, selection, &statement, error);
  if (status != TUTTI_OK)
    return status;
  while (status == TUTTI_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
    status = append_row(rows, statement, &method_id, &reason);
    if (status != TUTTI_OK)
      tutti_fail(error, status, "%s: %s", store->path, reason.message);
  }
  if (status == TUTTI_OK && code != SQLITE_DONE)
    return store_step_fault(store, statement, "read it", error);
  sqlite3_reset(statement);
  return status;
}

#define THREE_WAY(a, b) (((a) > (b)) - ((a) < (b)))

/* By ranks, bytes and method as promised, then by the rest of the key, so that the order is total. */
static int compare(const void *left_item, const void *right_item)
{
  const tutti_measurement *left = left_item, *right = right_item;
  if (left->ranks != right->ranks)
    return THREE_WAY(left->ranks, right->ranks);
  if (left->rank_bytes != right->rank_bytes)
    return THREE_WAY(left->rank_bytes, right->rank_bytes);
  int methods = tutti_method_compare(&left->method, &right->method);
  if (methods != 0)
    return methods;
  if (left->ranks_per_node != right->ranks_per_node)
    return THREE_WAY(left->ranks_per_node, right->ranks_per_node);
  if (left->root != right->root)
    return THREE_WAY(left->root, right->root);
  return THREE_WAY(left->type_size, right->type_size);
}

tutti_status tutti_store_read(tutti_store *store, const tutti_selection *selection, tutti_measurement **measurements,
                              size_t *count, tutti_error *error)
{
  struct rows rows = {0};
  *measurements = NULL;
  *count = 0;
  tutti_status status = store_run(store, STORE_BEGIN_READ, error);
  if (status != TUTTI_OK)
    return status;
  status = check_single(store, selection, error);
  if (status == TUTTI_OK)
    status = read_rows(store, selection, &rows, error);
  status = store_end(store, status, error);
  if (status != TUTTI_OK || rows.count == 0) {
    free(rows.items);
    return status;
  }
  qsort(rows.items, rows.count, sizeof *rows.items, compare);
  *measurements = rows.items;
  *count = rows.count;
  return TUTTI_OK;
}
