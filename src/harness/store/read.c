/* Reading rows back: those of one environment, and of one scheme where there are any, never a mixture. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "harness/store/private.h"
#include "harness/store/rows.h"
#include "tutti/plugin.h"

const char *tutti_store_text_at(sqlite3_stmt *statement, int column)
{
  const unsigned char *text = sqlite3_column_text(statement, column);
  return text ? (const char *)text : "";
}

bool tutti_store_is_shown(sqlite3_stmt *statement, int column)
{
  const char *text = tutti_store_text_at(statement, column);
  return strlen(text) == (size_t)sqlite3_column_bytes(statement, column) && tutti_utf8_is_line(text);
}

/* ---- selections ---- */

static void bind_optional(sqlite3_stmt *statement, int index, const char *text)
{
  if (text)
    sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);
}

/* Measurements are selected by more than an environment. */
static void bind_point(sqlite3_stmt *statement, const tutti_selection *selection)
{
  char text[TUTTI_ROW_VALUE_TEXT];
  bind_optional(statement, SELECT_COLLECTIVE, tutti_collective_name(selection->collective));
  if (selection->any_pattern)
    return;
  sqlite3_bind_text(statement, SELECT_ARRIVAL, tutti_arrival_format(&selection->arrival, text), -1, SQLITE_TRANSIENT);
  sqlite3_bind_text(statement, SELECT_NOISE, tutti_noise_format(&selection->noise, text), -1, SQLITE_TRANSIENT);
}

void tutti_store_bind_selection(sqlite3_stmt *statement, const tutti_selection *selection)
{
  bind_optional(statement, SELECT_PLATFORM, selection->platform);
  bind_optional(statement, SELECT_HASH, selection->platform_hash);
  bind_optional(statement, SELECT_FLAVOR, selection->flavor);
  bind_optional(statement, SELECT_LIBRARY, selection->library);
  bind_optional(statement, SELECT_TUTTI, selection->tutti);
  if (selection->environment)
    sqlite3_bind_int64(statement, SELECT_ENVIRONMENT, selection->environment);
  bind_optional(statement, SELECT_SETTINGS, selection->settings);
  bind_optional(statement, SELECT_HOSTS, selection->hosts);
  bind_optional(statement, SELECT_SETTING, selection->setting);
  int members = sqlite3_bind_parameter_count(statement);
  if (members >= SELECT_RANKS_PER_NODE && selection->ranks_per_node > 0)
    sqlite3_bind_int(statement, SELECT_RANKS_PER_NODE, selection->ranks_per_node);
  if (members >= SELECT_SCHEME && selection->scheme >= 0)
    bind_optional(statement, SELECT_SCHEME, tutti_scheme_name((tutti_scheme)selection->scheme));
  if (members >= SELECT_NOISE)
    bind_point(statement, selection);
}

static tutti_status ask(tutti_store *store, enum tutti_row row, const tutti_selection *selection,
                        enum store_action action, sqlite3_stmt **statement, tutti_error *error)
{
  tutti_status status = tutti_store_prepare(store, store_row_statement(row, action), statement, error);
  if (status == TUTTI_OK)
    tutti_store_bind_selection(*statement, selection);
  return status;
}

/* Numbers taken under different conditions must not be mixed. @p library receives that of the rows; or NULL. */
static tutti_status check_single(tutti_store *store, enum tutti_row row, const tutti_selection *selection,
                                 char *library, tutti_error *error)
{
  sqlite3_stmt *statement;
  struct conditions conditions = {0};
  int code;
  tutti_status status = ask(store, row, selection, STORE_CONDITIONS, &statement, error);
  if (status != TUTTI_OK)
    return status;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    tutti_conditions_add(&conditions, statement);
    if (library)
      snprintf(library, TUTTI_PLATFORM_NAME_LENGTH, "%s",
               tutti_store_text_at(statement, 1 + STORE_ENVIRONMENT_LIBRARY));
  }
  if (code != SQLITE_DONE)
    status = tutti_store_step_fault(store, statement, "read it", error);
  else if (conditions.count > 1)
    status = tutti_conditions_fail(&conditions, store->path, tutti_kind_of(row)->mixture, error);
  sqlite3_reset(statement);
  tutti_conditions_free(&conditions);
  return status;
}

/* ---- rows ---- */

struct rows {
  char *items; /* structs of the kind */
  size_t count, capacity;
};

/* A statement that returns rows. */
struct reading {
  tutti_store *store;
  enum tutti_row row;
  const struct tutti_row_kind *kind;
  sqlite3_stmt *statement;
  const struct tutti_row_column *columns[TUTTI_ROW_COLUMNS_MAX];
  size_t count;
  size_t number;                  /* of the row, from 1 on */
  bool outdated;                  /* the row is of a plug-in as it was before */
  char name[TUTTI_METHOD_LENGTH]; /* of the method of the row before */
  tutti_method method;
};

static bool is_of_class(sqlite3_stmt *statement, int index, const struct tutti_row_column *column,
                        enum tutti_row_value_class class)
{
  int type = sqlite3_column_type(statement, index);
  switch (class) {
  case TUTTI_ROW_VALUE_NULL:
    return type == SQLITE_NULL;
  case TUTTI_ROW_VALUE_STRING:
    return type == SQLITE_TEXT && tutti_store_is_shown(statement, index);
  case TUTTI_ROW_VALUE_INTEGER:
    return type == SQLITE_INTEGER && tutti_column_holds(column, (uint64_t)sqlite3_column_int64(statement, index));
  default:
    return type == SQLITE_FLOAT && isfinite(sqlite3_column_double(statement, index));
  }
}

bool tutti_store_is_value(sqlite3_stmt *statement, int index, const struct tutti_row_column *column,
                          enum tutti_row_value_class *class)
{
  const bool null = tutti_column_is_nullable(column) && sqlite3_column_type(statement, index) == SQLITE_NULL;
  *class = null ? TUTTI_ROW_VALUE_NULL : tutti_column_class(column);
  return is_of_class(statement, index, column, *class);
}

static tutti_status get_cell(const struct reading *reading, int index, struct tutti_row_value *cell, tutti_error *error)
{
  sqlite3_stmt *statement = reading->statement;
  const struct tutti_row_column *column = reading->columns[index];
  cell->text = NULL;
  if (!tutti_store_is_value(statement, index, column, &cell->class))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "table %s, row %zu: '%.80s' is no value of %s", reading->kind->table,
                      reading->number, tutti_store_text_at(statement, index), tutti_stored_name(column));
  if (cell->class == TUTTI_ROW_VALUE_STRING)
    cell->text = tutti_store_text_at(statement, index);
  else if (cell->class == TUTTI_ROW_VALUE_INTEGER)
    cell->integer = (uint64_t)sqlite3_column_int64(statement, index);
  else if (cell->class == TUTTI_ROW_VALUE_REAL)
    cell->real = sqlite3_column_double(statement, index);
  return TUTTI_OK;
}

/* Rows come grouped by method, so that a name is parsed once. */
static tutti_status set_method(struct reading *reading, const char *name, tutti_method *method, tutti_error *error)
{
  if (!reading->method.algorithm || strcmp(name, reading->name) != 0) {
    tutti_status status = tutti_method_parse(name, &reading->method, error);
    if (status != TUTTI_OK)
      return status;
    snprintf(reading->name, sizeof reading->name, "%s", name);
  }
  *method = reading->method;
  return TUTTI_OK;
}

/* Whether the row was measured with the plug-ins as they are. Its method was read. */
static bool is_of_code(const struct tutti_row_column *column, const void *row, const char *code)
{
  struct tutti_row_value loaded;
  tutti_row_get(column, row, &loaded);
  return strcmp(loaded.text, code) == 0;
}

static tutti_status read_row(struct reading *reading, void *row, tutti_error *error)
{
  const struct tutti_row_kind *kind = reading->kind;
  struct tutti_row_value cell;
  tutti_status status = TUTTI_OK;
  tutti_row_clear(reading->row, row);
  for (size_t i = 0; i < reading->count && status == TUTTI_OK; i++) {
    const struct tutti_row_column *column = reading->columns[i];
    status = get_cell(reading, (int)i, &cell, error);
    if (status != TUTTI_OK)
      break;
    if (column->type == TUTTI_ROW_COLUMN_CODE) {
      reading->outdated = !is_of_code(column, row, cell.text);
      continue;
    }
    if (cell.text && column->flags & TUTTI_ROW_COLUMN_OPTIONAL && strcmp(cell.text, column->standard) == 0)
      continue; /* the default */
    status = column->type == TUTTI_ROW_COLUMN_METHOD
                 ? set_method(reading, cell.text, (void *)((char *)row + column->offset), error)
                 : tutti_row_set(column, row, &cell, error);
  }
  if (status == TUTTI_OK && kind->complete)
    kind->complete(row);
  /* The tables check all but columns that are one of a few words, which results have. */
  return status == TUTTI_OK && reading->row >= TUTTI_ROW_SORT ? tutti_row_validate(kind, row, error) : status;
}

/* The method of a row that no loaded plug-in has so, and the code that it ran; NULL: it is another row. */
static const char *unknown_method(const struct reading *reading, const char **code)
{
  const char *method = NULL;
  *code = NULL;
  for (size_t i = 0; i < reading->count; i++) {
    const struct tutti_row_column *column = reading->columns[i];
    if (column->type == TUTTI_ROW_COLUMN_METHOD)
      method = tutti_store_text_at(reading->statement, (int)i);
    else if (column->type == TUTTI_ROW_COLUMN_CODE && strcmp(tutti_store_text_at(reading->statement, (int)i), "none"))
      *code = tutti_store_text_at(reading->statement, (int)i);
  }
  return method && *code && tutti_method_parse(method, &(tutti_method){0}, NULL) != TUTTI_OK ? method : NULL;
}

/* Whether the plug-in is loaded, but since it changed its algorithm takes other parameters. */
static bool is_former(const struct reading *reading)
{
  const char *code, *method = unknown_method(reading, &code), *slash = method ? strchr(method, '/') : NULL;
  char name[TUTTI_METHOD_LENGTH];
  tutti_method now;
  if (!slash)
    return false;
  snprintf(name, sizeof name, "%.*s", (int)(slash + 1 - method + (ptrdiff_t)strcspn(slash + 1, "/")), method);
  return tutti_method_parse(name, &now, NULL) == TUTTI_OK && tutti_algorithm_is_plugin(now.algorithm);
}

/* Why a row cannot be read: of an unknown method its plug-in is not loaded. */
static tutti_status fail_row(const struct reading *reading, tutti_status status, const tutti_error *reason,
                             tutti_error *error)
{
  const char *path = reading->store->path, *code, *method = unknown_method(reading, &code);
  if (!method)
    return tutti_fail(error, status, "%s: %s", path, reason->message);
  return tutti_fail(error, status, "%s: %s was measured with a plug-in (code %.8s): add --plugin FILE.%s", path, method,
                    code, strstr(method, "/msccl-") ? "xml" : "so");
}

static tutti_status append_row(struct rows *rows, struct reading *reading, tutti_error *error)
{
  size_t size = reading->kind->size;
  tutti_error reason;
  if (!tutti_grow(&rows->items, rows->count, &rows->capacity, 1, size))
    tutti_out_of_memory();
  reading->number++;
  tutti_status status = read_row(reading, rows->items + rows->count * size, &reason);
  rows->count += status == TUTTI_OK && !reading->outdated;
  const bool former = status != TUTTI_OK && is_former(reading);
  reading->store->outdated += former || (status == TUTTI_OK && reading->outdated);
  return former || status == TUTTI_OK ? TUTTI_OK : fail_row(reading, status, &reason, error);
}

static tutti_status read_rows(struct reading *reading, const tutti_selection *selection, struct rows *rows,
                              tutti_error *error)
{
  int code = SQLITE_ROW;
  tutti_status status = ask(reading->store, reading->row, selection, STORE_ROWS, &reading->statement, error);
  if (status != TUTTI_OK)
    return status;
  reading->count = tutti_stored_columns(reading->kind, reading->columns);
  reading->store->outdated = 0;
  while (status == TUTTI_OK && (code = sqlite3_step(reading->statement)) == SQLITE_ROW)
    status = append_row(rows, reading, error);
  if (status == TUTTI_OK && code != SQLITE_DONE)
    return tutti_store_step_fault(reading->store, reading->statement, "read it", error);
  sqlite3_reset(reading->statement);
  return status;
}

tutti_status tutti_store_read_rows(tutti_store *store, enum tutti_row kind, const tutti_selection *selection,
                                   void **items, size_t *count, char *library, tutti_error *error)
{
  struct reading reading = {.store = store, .row = kind, .kind = tutti_kind_of(kind)};
  struct rows rows = {0};
  *items = NULL;
  *count = 0;
  tutti_status status = store->together ? TUTTI_OK : tutti_store_run(store, STORE_BEGIN_READ, error);
  if (status != TUTTI_OK)
    return status;
  status = check_single(store, kind, selection, library, error);
  if (status == TUTTI_OK)
    status = read_rows(&reading, selection, &rows, error);
  status = tutti_store_end(store, status, error);
  if (status != TUTTI_OK || rows.count == 0) {
    free(rows.items);
    return status;
  }
  tutti_rows_sort(reading.kind, rows.items, rows.count);
  *items = rows.items;
  *count = rows.count;
  return TUTTI_OK;
}

size_t tutti_store_outdated(const tutti_store *store)
{
  return store->outdated;
}

static tutti_status find_environment(tutti_store *store, enum tutti_row kind, const tutti_selection *selection,
                                     int64_t *environment, tutti_error *error)
{
  bool found;
  sqlite3_stmt *statement;
  tutti_status status = check_single(store, kind, selection, NULL, error);
  if (status == TUTTI_OK)
    status = ask(store, kind, selection, STORE_MEASURED_IN, &statement, error);
  return status == TUTTI_OK ? tutti_store_step_number(store, statement, &found, environment, error) : status;
}

tutti_status tutti_store_environment_of_rows(tutti_store *store, enum tutti_row kind, const tutti_selection *selection,
                                             int64_t *environment, tutti_error *error)
{
  *environment = 0;
  tutti_status status = tutti_store_run(store, STORE_BEGIN_READ, error);
  if (status == TUTTI_OK)
    status = tutti_store_end(store, find_environment(store, kind, selection, environment, error), error);
  return status;
}

tutti_status tutti_store_measured_in(tutti_store *store, const tutti_selection *selection, int64_t *environment,
                                     tutti_error *error)
{
  tutti_status status = tutti_store_environment_of_rows(store, TUTTI_ROW_MEASUREMENT, selection, environment, error);
  if (status == TUTTI_OK && *environment == 0)
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: no measurement of %s matches", store->path,
                        tutti_collective_name(selection->collective));
  return status;
}

/* ---- by the struct of the kind ---- */

tutti_status tutti_store_read(tutti_store *store, const tutti_selection *selection, tutti_measurement **measurements,
                              size_t *count, tutti_error *error)
{
  void *rows;
  tutti_status status = tutti_store_read_rows(store, TUTTI_ROW_MEASUREMENT, selection, &rows, count, NULL, error);
  *measurements = rows;
  *count = tutti_store_join_launches(rows, *count);
  return status;
}

tutti_status tutti_store_read_group_runs(tutti_store *store, const tutti_selection *selection, tutti_group_run **builds,
                                         size_t *count, tutti_error *error)
{
  void *rows;
  tutti_status status = tutti_store_read_rows(store, TUTTI_ROW_GROUP, selection, &rows, count, NULL, error);
  *builds = rows;
  return status;
}

tutti_status tutti_store_read_results(tutti_store *store, const tutti_selection *selection, tutti_result_kind kind,
                                      tutti_result **results, size_t *count, tutti_error *error)
{
  tutti_selection any_scheme = *selection;
  any_scheme.scheme = -1;
  void *rows;
  tutti_status status =
      tutti_store_read_rows(store, (enum tutti_row)(TUTTI_ROW_SORT + kind), &any_scheme, &rows, count, NULL, error);
  *results = rows;
  return status;
}

tutti_status tutti_store_read_parameters(tutti_store *store, const tutti_selection *selection,
                                         tutti_parameter **parameters, size_t *count, char *library, tutti_error *error)
{
  void *rows;
  tutti_status status = tutti_store_read_rows(store, TUTTI_ROW_PARAMETER, selection, &rows, count, library, error);
  *parameters = rows;
  return status;
}

tutti_status tutti_parameters_read(tutti_store *store, const tutti_selection *selection, tutti_parameter_set *set,
                                   tutti_error *error)
{
  tutti_parameter *parameters;
  size_t count;
  char library[TUTTI_PLATFORM_NAME_LENGTH] = "";
  *set = (tutti_parameter_set){0};
  tutti_status status = tutti_store_read_parameters(store, selection, &parameters, &count, library, error);
  if (status != TUTTI_OK)
    return status;
  const char *platform = selection->platform ? selection->platform : "PLATFORM";
  char *word = tutti_xshell_word(platform);
  status = count > 0 ? tutti_parameter_set_derive(parameters, count, set, error)
                     : tutti_fail(error, TUTTI_ERR_ARGUMENT,
                                  "no parameters of %s are stored: tutti params %s measures them", platform, word);
  free(word);
  free(parameters);
  if (status == TUTTI_OK)
    memcpy(set->library, library, sizeof library);
  return status;
}
