/* Measured parameters of the models: taking them in, and reading back those of one environment. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/store_private.h"
#include "tutti/measurement.h"

static bool is_per_byte(tutti_quantity quantity)
{
  return quantity == TUTTI_QUANTITY_GAMMA || quantity == TUTTI_QUANTITY_DELTA;
}

/* ---- in ---- */

static const char *fault_of(const tutti_parameter *parameter)
{
  if (parameter->bytes > INT64_MAX)
    return "is of a size that is too large to be stored";
  if (!isfinite(parameter->value))
    return "is not a finite number";
  if (parameter->value < 0)
    return "is negative";
  return NULL;
}

static tutti_status check(const tutti_parameter *parameter, tutti_error *error)
{
  const char *name = tutti_quantity_name(parameter->quantity), *fault = fault_of(parameter);
  if (!name)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no quantity is numbered %d", (int)parameter->quantity);
  if (!fault)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the %s of %s%s%" PRIu64 " bytes %s", name, parameter->of,
                    *parameter->of ? ", " : "", parameter->bytes, fault);
}

static tutti_status clear(tutti_store *store, int64_t environment, tutti_error *error)
{
  sqlite3_stmt *statement;
  tutti_status status = tutti_store_prepare(store, STORE_PARAMETER_CLEAR, &statement, error);
  if (status != TUTTI_OK)
    return status;
  sqlite3_bind_int64(statement, 1, environment);
  return tutti_store_change(store, statement, "remove parameters", error);
}

static tutti_status put(tutti_store *store, int64_t environment, const tutti_parameter *parameter, tutti_error *error)
{
  sqlite3_stmt *statement;
  tutti_status status = tutti_store_prepare(store, STORE_PARAMETER_PUT, &statement, error);
  if (status != TUTTI_OK)
    return status;
  sqlite3_bind_int64(statement, 1 + PARAMETER_ENVIRONMENT, environment);
  sqlite3_bind_text(statement, 1 + PARAMETER_QUANTITY, tutti_quantity_name(parameter->quantity), -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 1 + PARAMETER_OF, parameter->of, -1, SQLITE_STATIC);
  sqlite3_bind_int64(statement, 1 + PARAMETER_BYTES, (int64_t)parameter->bytes);
  sqlite3_bind_double(statement,
                      1 + (is_per_byte(parameter->quantity) ? PARAMETER_SECONDS_PER_BYTE : PARAMETER_SECONDS),
                      parameter->value);
  return tutti_store_change(store, statement, "add a parameter", error);
}

tutti_status tutti_store_put_parameters(tutti_store *store, int64_t environment, const tutti_parameter *parameters,
                                        size_t count, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < count && status == TUTTI_OK; i++)
    status = check(&parameters[i], error);
  if (status == TUTTI_OK)
    status = tutti_store_begin(store, error);
  if (status != TUTTI_OK)
    return status;
  status = clear(store, environment, error);
  for (size_t i = 0; i < count && status == TUTTI_OK; i++)
    status = put(store, environment, &parameters[i], error);
  return tutti_store_end(store, status, error);
}

/* ---- out ---- */

static void bind_nothing(sqlite3_stmt *statement, const tutti_selection *selection)
{
  (void)statement, (void)selection;
}

/* The context receives the library, which is the same for all rows; it may be NULL. */
static tutti_status read_row(sqlite3_stmt *row, void *context, void *item, tutti_error *error)
{
  tutti_parameter *parameter = item;
  *parameter = (tutti_parameter){.bytes = (uint64_t)sqlite3_column_int64(row, PARAMETER_BYTES)};
  tutti_status status = tutti_quantity_parse(tutti_store_text_at(row, PARAMETER_QUANTITY), &parameter->quantity, error);
  if (status != TUTTI_OK)
    return status;
  snprintf(parameter->of, sizeof parameter->of, "%s", tutti_store_text_at(row, PARAMETER_OF));
  parameter->value =
      sqlite3_column_double(row, is_per_byte(parameter->quantity) ? PARAMETER_SECONDS_PER_BYTE : PARAMETER_SECONDS);
  if (context)
    snprintf(context, TUTTI_PLATFORM_NAME_LENGTH, "%s", tutti_store_text_at(row, PARAMETER_LIBRARY));
  return TUTTI_OK;
}

tutti_status tutti_store_read_parameters(tutti_store *store, const tutti_selection *selection,
                                         tutti_parameter **parameters, size_t *count, char *library, tutti_error *error)
{
  const struct store_reading reading = {.conditions = STORE_PARAMETER_CONDITIONS,
                                        .rows = STORE_PARAMETER_ROWS,
                                        .mixture = "environments with parameters match",
                                        .item_size = sizeof **parameters,
                                        .bind = bind_nothing,
                                        .read = read_row,
                                        .context = library,
                                        .compare = tutti_parameter_compare};
  void *items;
  *parameters = NULL;
  *count = 0;
  if (store->version < 3) /* which had no parameters */
    return TUTTI_OK;
  tutti_status status = tutti_store_read_rows(store, &reading, selection, &items, count, error);
  *parameters = items;
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
  status = count > 0 ? tutti_parameter_set_derive(parameters, count, set, error)
                     : tutti_fail(error, TUTTI_ERR_ARGUMENT,
                                  "no parameters of %s are stored: tutti params %s measures them", platform, platform);
  free(parameters);
  if (status == TUTTI_OK)
    memcpy(set->library, library, sizeof library);
  return status;
}
