/* Taking measurements in: environments, batches, and the question whether a point is there. */
#include <string.h>

#include "store/store_private.h"

/* A text that does not stay. */
static void bind_copy(sqlite3_stmt *statement, int index, const char *text)
{
  sqlite3_bind_text(statement, index, text, -1, SQLITE_TRANSIENT);
}

static void bind_text(sqlite3_stmt *statement, int index, const char *text)
{
  sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);
}

/* Step a statement that returns an id, if there is one (*found). */
static tutti_status step_id(tutti_store *store, sqlite3_stmt *statement, bool *found, int64_t *id, tutti_error *error)
{
  int code = sqlite3_step(statement);
  if (code != SQLITE_ROW && code != SQLITE_DONE)
    return tutti_store_step_fault(store, statement, "read it", error);
  *found = code == SQLITE_ROW;
  if (*found)
    *id = sqlite3_column_int64(statement, 0);
  sqlite3_reset(statement);
  return TUTTI_OK;
}

static tutti_status environment_statement(tutti_store *store, enum store_statement which,
                                          const tutti_environment *environment, sqlite3_stmt **statement,
                                          tutti_error *error)
{
  tutti_status status = tutti_store_prepare(store, which, statement, error);
  if (status != TUTTI_OK)
    return status;
  bind_text(*statement, 1, environment->platform);
  bind_text(*statement, 2, environment->platform_hash);
  bind_text(*statement, 3, environment->flavor);
  bind_text(*statement, 4, environment->library);
  bind_text(*statement, 5, environment->tutti);
  return TUTTI_OK;
}

static tutti_status find_environment(tutti_store *store, const tutti_environment *environment, bool *found, int64_t *id,
                                     tutti_error *error)
{
  sqlite3_stmt *statement;
  tutti_status status = environment_statement(store, STORE_ENVIRONMENT_FIND, environment, &statement, error);
  return status == TUTTI_OK ? step_id(store, statement, found, id, error) : status;
}

tutti_status tutti_store_environment(tutti_store *store, const tutti_environment *environment, int64_t *id,
                                     tutti_error *error)
{
  bool found = false;
  sqlite3_stmt *statement;
  tutti_status status = find_environment(store, environment, &found, id, error);
  if (status != TUTTI_OK || found)
    return status;
  status = environment_statement(store, STORE_ENVIRONMENT_ADD, environment, &statement, error);
  if (status == TUTTI_OK)
    status = tutti_store_change(store, statement, "add an environment", error);
  return status == TUTTI_OK ? find_environment(store, environment, &found, id, error) : status;
}

static tutti_status find_method(tutti_store *store, const char *name, bool *found, int64_t *id, tutti_error *error)
{
  sqlite3_stmt *statement;
  tutti_status status = tutti_store_prepare(store, STORE_METHOD_FIND, &statement, error);
  if (status != TUTTI_OK)
    return status;
  bind_text(statement, 1, name);
  return step_id(store, statement, found, id, error);
}

static tutti_status method_id(tutti_store *store, const tutti_method *method, int64_t *id, tutti_error *error)
{
  char name[TUTTI_METHOD_LENGTH];
  bool found = false;
  sqlite3_stmt *statement;
  tutti_status status = find_method(store, tutti_method_format(method, name), &found, id, error);
  if (status != TUTTI_OK || found)
    return status;
  status = tutti_store_prepare(store, STORE_METHOD_ADD, &statement, error);
  if (status != TUTTI_OK)
    return status;
  bind_text(statement, 1, name);
  bind_text(statement, 2, tutti_collective_name(method->algorithm->collective));
  status = tutti_store_change(store, statement, "add a method", error);
  return status == TUTTI_OK ? find_method(store, name, &found, id, error) : status;
}

void tutti_store_bind_patterns(sqlite3_stmt *statement, int first, const tutti_arrival *arrival,
                               const tutti_noise *noise)
{
  char text[TUTTI_ARRIVAL_LENGTH > TUTTI_NOISE_LENGTH ? TUTTI_ARRIVAL_LENGTH : TUTTI_NOISE_LENGTH];
  bind_copy(statement, first, tutti_arrival_format(arrival, text));
  bind_copy(statement, first + 1, tutti_noise_format(noise, text));
}

void tutti_store_bind_key(sqlite3_stmt *statement, int64_t environment, const tutti_measurement *point)
{
  sqlite3_bind_int64(statement, 1 + COLUMN_ENVIRONMENT, environment);
  bind_text(statement, 1 + COLUMN_SCHEME, tutti_scheme_name(point->scheme));
  sqlite3_bind_int(statement, 1 + COLUMN_RANKS, point->ranks);
  sqlite3_bind_int(statement, 1 + COLUMN_RANKS_PER_NODE, point->ranks_per_node);
  sqlite3_bind_int(statement, 1 + COLUMN_ROOT, point->root);
  sqlite3_bind_int64(statement, 1 + COLUMN_COUNT, (int64_t)point->count);
  sqlite3_bind_int64(statement, 1 + COLUMN_TYPE, (int64_t)point->type_size);
  tutti_store_bind_patterns(statement, 1 + COLUMN_ARRIVAL, &point->arrival, &point->noise);
}

static void bind_values(sqlite3_stmt *statement, const tutti_measurement *measurement)
{
  sqlite3_bind_int64(statement, 1 + COLUMN_RANK_BYTES, (int64_t)measurement->rank_bytes);
  sqlite3_bind_int64(statement, 1 + COLUMN_TOTAL_BYTES, (int64_t)measurement->total_bytes);
  sqlite3_bind_int(statement, 1 + COLUMN_REPETITIONS, measurement->repetitions);
  sqlite3_bind_double(statement, 1 + COLUMN_MINIMUM, measurement->minimum);
  sqlite3_bind_double(statement, 1 + COLUMN_MEDIAN, measurement->median);
  sqlite3_bind_double(statement, 1 + COLUMN_MEAN, measurement->mean);
  sqlite3_bind_double(statement, 1 + COLUMN_MAXIMUM, measurement->maximum);
}

static tutti_status put(tutti_store *store, int64_t environment, int64_t method, const tutti_measurement *measurement,
                        tutti_error *error)
{
  sqlite3_stmt *statement;
  tutti_status status = tutti_store_prepare(store, STORE_PUT, &statement, error);
  if (status != TUTTI_OK)
    return status;
  tutti_store_bind_key(statement, environment, measurement);
  sqlite3_bind_int64(statement, 1 + COLUMN_METHOD, method);
  bind_values(statement, measurement);
  return tutti_store_change(store, statement, "add a measurement", error);
}

static tutti_status put_all(tutti_store *store, int64_t environment, const tutti_measurement *measurements,
                            size_t count, tutti_error *error)
{
  int64_t method = 0;
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < count && status == TUTTI_OK; i++) {
    const tutti_measurement *measurement = &measurements[i];
    if (i == 0 || tutti_method_compare(&measurement->method, &measurement[-1].method) != 0)
      status = method_id(store, &measurement->method, &method, error);
    if (status == TUTTI_OK)
      status = put(store, environment, method, measurement, error);
  }
  return status;
}

tutti_status tutti_store_add(tutti_store *store, int64_t environment, const tutti_measurement *measurements,
                             size_t count, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < count && status == TUTTI_OK; i++)
    status = tutti_store_check_measurement(&measurements[i], error);
  if (status == TUTTI_OK)
    status = tutti_store_begin(store, error);
  if (status != TUTTI_OK)
    return status;
  return tutti_store_end(store, put_all(store, environment, measurements, count, error), error);
}

tutti_status tutti_store_has(tutti_store *store, int64_t environment, const tutti_measurement *point, bool *present,
                             tutti_error *error)
{
  char name[TUTTI_METHOD_LENGTH];
  int64_t exists = 0;
  bool row;
  sqlite3_stmt *statement;
  *present = false;
  tutti_status status = tutti_store_prepare(store, STORE_HAS, &statement, error);
  if (status != TUTTI_OK)
    return status;
  tutti_store_bind_key(statement, environment, point);
  bind_text(statement, 1 + COLUMN_METHOD, tutti_method_format(&point->method, name));
  status = step_id(store, statement, &row, &exists, error);
  *present = exists != 0;
  return status;
}
