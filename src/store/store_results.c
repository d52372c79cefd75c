/* Results of any kind: taking them in, and reading back those of one environment. */
#include "store/store_private.h"

/* ---- in ---- */

static void bind_value(sqlite3_stmt *statement, int index, tutti_field_type type, const tutti_value *value)
{
  if (type == TUTTI_FIELD_WORD)
    sqlite3_bind_text(statement, index, value->word, -1, SQLITE_STATIC);
  else if (type == TUTTI_FIELD_WHOLE)
    sqlite3_bind_int64(statement, index, (int64_t)value->whole);
  else
    sqlite3_bind_double(statement, index, type == TUTTI_FIELD_REAL ? value->real : value->seconds);
}

static tutti_status put(tutti_store *store, int64_t environment, const tutti_result *result, tutti_error *error)
{
  const tutti_result_layout *layout = tutti_result_layout_of(result->kind);
  sqlite3_stmt *statement;
  tutti_status status =
      tutti_store_prepare(store, tutti_store_result_statement(result->kind, RESULT_PUT), &statement, error);
  if (status != TUTTI_OK)
    return status;
  sqlite3_bind_int64(statement, 1 + RESULT_ENVIRONMENT, environment);
  sqlite3_bind_int(statement, 1 + RESULT_RANKS_PER_NODE, result->ranks_per_node);
  for (int f = 0; f < layout->field_count; f++)
    bind_value(statement, 1 + RESULT_FIELDS + f, layout->fields[f].type, &result->values[f]);
  return tutti_store_change(store, statement, "add a result", error);
}

tutti_status tutti_store_add_results(tutti_store *store, int64_t environment, const tutti_result *results, size_t count,
                                     tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < count && status == TUTTI_OK; i++)
    status = tutti_result_check(&results[i], error);
  if (status == TUTTI_OK)
    status = tutti_store_begin(store, error);
  if (status != TUTTI_OK)
    return status;
  for (size_t i = 0; i < count && status == TUTTI_OK; i++)
    status = put(store, environment, &results[i], error);
  return tutti_store_end(store, status, error);
}

/* ---- out ---- */

static void bind_selection(sqlite3_stmt *statement, const tutti_selection *selection)
{
  sqlite3_bind_int(statement, 6, selection->ranks_per_node);
}

static void read_value(sqlite3_stmt *row, int field, tutti_field_type type, tutti_result *result)
{
  tutti_value *value = &result->values[field];
  if (type == TUTTI_FIELD_WORD)
    tutti_result_set_word(result, field, tutti_store_text_at(row, RESULT_FIELDS + field));
  else if (type == TUTTI_FIELD_WHOLE)
    value->whole = (uint64_t)sqlite3_column_int64(row, RESULT_FIELDS + field);
  else if (type == TUTTI_FIELD_REAL)
    value->real = sqlite3_column_double(row, RESULT_FIELDS + field);
  else
    value->seconds = sqlite3_column_double(row, RESULT_FIELDS + field);
}

static tutti_status read_row(sqlite3_stmt *row, void *context, void *item, tutti_error *error)
{
  tutti_result *result = item;
  *result = (tutti_result){.kind = *(const tutti_result_kind *)context,
                           .ranks_per_node = sqlite3_column_int(row, RESULT_RANKS_PER_NODE)};
  const tutti_result_layout *layout = tutti_result_layout_of(result->kind);
  for (int f = 0; f < layout->field_count; f++)
    read_value(row, f, layout->fields[f].type, result);
  return tutti_result_check(result, error);
}

static int compare(const void *left, const void *right)
{
  return tutti_result_compare(left, right);
}

/* The first version of the schema that had a table of them. */
static int version_with(tutti_result_kind kind)
{
  return kind == TUTTI_RESULT_PENALTY ? 5 : 4;
}

tutti_status tutti_store_read_results(tutti_store *store, const tutti_selection *selection, tutti_result_kind kind,
                                      tutti_result **results, size_t *count, tutti_error *error)
{
  const struct store_reading reading = {.conditions = tutti_store_result_statement(kind, RESULT_CONDITIONS),
                                        .rows = tutti_store_result_statement(kind, RESULT_ROWS),
                                        .mixture = "environments with such results match",
                                        .item_size = sizeof **results,
                                        .bind = bind_selection,
                                        .read = read_row,
                                        .context = &kind,
                                        .compare = compare};
  void *items;
  *results = NULL;
  *count = 0;
  if (store->version < version_with(kind))
    return TUTTI_OK;
  tutti_status status = tutti_store_read_rows(store, &reading, selection, &items, count, error);
  *results = items;
  return status;
}
