/* Reading rows of any kind back: those of one environment, never a mixture. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/store_private.h"

struct rows {
  char *items; /* [capacity] of reading->item_size bytes */
  size_t count;
  size_t capacity;
};

const char *tutti_store_text_at(sqlite3_stmt *statement, int column)
{
  const unsigned char *text = sqlite3_column_text(statement, column);
  return text ? (const char *)text : "";
}

void tutti_store_bind_optional(sqlite3_stmt *statement, int index, const char *text)
{
  if (text)
    sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);
}

/* What is not bound is NULL and matches everything. */
static tutti_status select_rows(tutti_store *store, enum store_statement which, const struct store_reading *reading,
                                const tutti_selection *selection, sqlite3_stmt **statement, tutti_error *error)
{
  tutti_status status = tutti_store_prepare(store, which, statement, error);
  if (status != TUTTI_OK)
    return status;
  tutti_store_bind_optional(*statement, 1, selection->platform);
  tutti_store_bind_optional(*statement, 2, selection->platform_hash);
  tutti_store_bind_optional(*statement, 3, selection->flavor);
  tutti_store_bind_optional(*statement, 4, selection->library);
  tutti_store_bind_optional(*statement, 5, selection->tutti);
  reading->bind(*statement, selection);
  return TUTTI_OK;
}

/* ---- conditions ---- */

enum { CONDITION_SCHEME = 5 }; /* of those whose rows have one */

/* For a person. */
static void append_condition(char *list, size_t capacity, sqlite3_stmt *statement)
{
  size_t used = strlen(list);
  const char *hash = tutti_store_text_at(statement, 1);
  bool scheme = sqlite3_column_count(statement) > CONDITION_SCHEME;
  snprintf(list + used, capacity - used, "%s%s%s%.8s %s, library '%s', Tutti %s%s%s", used ? "; " : "",
           tutti_store_text_at(statement, 0), *hash ? " " : "", hash, tutti_store_text_at(statement, 2),
           tutti_store_text_at(statement, 3), tutti_store_text_at(statement, 4), scheme ? ", scheme " : "",
           scheme ? tutti_store_text_at(statement, CONDITION_SCHEME) : "");
}

/* Numbers taken under different conditions must not be mixed. */
static tutti_status check_single(tutti_store *store, const struct store_reading *reading,
                                 const tutti_selection *selection, tutti_error *error)
{
  char list[TUTTI_ERROR_LENGTH] = "";
  int found = 0, code;
  sqlite3_stmt *statement;
  tutti_status status = select_rows(store, reading->conditions, reading, selection, &statement, error);
  if (status != TUTTI_OK)
    return status;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    append_condition(list, sizeof list, statement);
    found++;
  }
  if (code != SQLITE_DONE)
    return tutti_store_step_fault(store, statement, "read it", error);
  sqlite3_reset(statement);
  if (found <= 1)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %d %s: %s", store->path, found, reading->mixture, list);
}

/* ---- rows ---- */

static bool make_room(struct rows *rows, size_t item_size)
{
  if (rows->count < rows->capacity)
    return true;
  size_t capacity = rows->capacity ? 2 * rows->capacity : 256;
  char *grown = reallocarray(rows->items, capacity, item_size);
  if (!grown)
    return false;
  rows->items = grown;
  rows->capacity = capacity;
  return true;
}

static tutti_status append_row(struct rows *rows, const struct store_reading *reading, sqlite3_stmt *row,
                               tutti_error *error)
{
  if (!make_room(rows, reading->item_size))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %zu rows", rows->count);
  tutti_status status = reading->read(row, reading->context, rows->items + rows->count * reading->item_size, error);
  rows->count += status == TUTTI_OK;
  return status;
}

static tutti_status read_rows(tutti_store *store, const struct store_reading *reading, const tutti_selection *selection,
                              struct rows *rows, tutti_error *error)
{
  int code = SQLITE_ROW;
  tutti_error reason;
  sqlite3_stmt *statement;
  tutti_status status = select_rows(store, reading->rows, reading, selection, &statement, error);
  if (status != TUTTI_OK)
    return status;
  while (status == TUTTI_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
    status = append_row(rows, reading, statement, &reason);
    if (status != TUTTI_OK)
      tutti_fail(error, status, "%s: %s", store->path, reason.message);
  }
  if (status == TUTTI_OK && code != SQLITE_DONE)
    return tutti_store_step_fault(store, statement, "read it", error);
  sqlite3_reset(statement);
  return status;
}

tutti_status tutti_store_read_rows(tutti_store *store, const struct store_reading *reading,
                                   const tutti_selection *selection, void **items, size_t *count, tutti_error *error)
{
  struct rows rows = {0};
  *items = NULL;
  *count = 0;
  tutti_status status = tutti_store_run(store, STORE_BEGIN_READ, error);
  if (status != TUTTI_OK)
    return status;
  status = check_single(store, reading, selection, error);
  if (status == TUTTI_OK)
    status = read_rows(store, reading, selection, &rows, error);
  status = tutti_store_end(store, status, error);
  if (status != TUTTI_OK || rows.count == 0) {
    free(rows.items);
    return status;
  }
  qsort(rows.items, rows.count, reading->item_size, reading->compare);
  *items = rows.items;
  *count = rows.count;
  return TUTTI_OK;
}
