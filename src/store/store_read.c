/* Reading measurements back: those of one environment and one scheme, never a mixture. */
#include <stdlib.h>

#include "store/store_private.h"

static void bind_selection(sqlite3_stmt *statement, const tutti_selection *selection)
{
  tutti_store_bind_optional(statement, 6, tutti_collective_name(selection->collective));
  if (selection->scheme >= 0)
    tutti_store_bind_optional(statement, 7, tutti_scheme_name((tutti_scheme)selection->scheme));
  sqlite3_bind_int(statement, 8, selection->ranks_per_node);
  if (!selection->any_pattern)
    tutti_store_bind_patterns(statement, 9, &selection->arrival, &selection->noise);
}

static tutti_status read_numbers(sqlite3_stmt *row, tutti_measurement *measurement, tutti_error *error)
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
  tutti_status status = tutti_scheme_parse(tutti_store_text_at(row, COLUMN_SCHEME), &measurement->scheme, error);
  if (status == TUTTI_OK)
    status = tutti_arrival_parse(tutti_store_text_at(row, COLUMN_ARRIVAL), &measurement->arrival, error);
  return status == TUTTI_OK ? tutti_noise_parse(tutti_store_text_at(row, COLUMN_NOISE), &measurement->noise, error)
                            : status;
}

/* The method of the row before. */
struct last_method {
  bool known;
  int64_t id;
  tutti_method method;
};

/* Rows come grouped by method, so that a name is parsed once. */
static tutti_status read_row(sqlite3_stmt *row, void *context, void *item, tutti_error *error)
{
  struct last_method *last = context;
  tutti_measurement *measurement = item;
  int64_t id = sqlite3_column_int64(row, COLUMN_METHOD);
  if (!last->known || id != last->id) {
    tutti_status status = tutti_method_parse(tutti_store_text_at(row, COLUMN_METHOD_NAME), &last->method, error);
    if (status != TUTTI_OK)
      return status;
    last->known = true;
    last->id = id;
  }
  measurement->method = last->method;
  return read_numbers(row, measurement, error);
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
  if (left->type_size != right->type_size)
    return THREE_WAY(left->type_size, right->type_size);
  int arrivals = tutti_arrival_compare(&left->arrival, &right->arrival);
  return arrivals ? arrivals : tutti_noise_compare(&left->noise, &right->noise);
}

static tutti_status read_id(sqlite3_stmt *row, void *context, void *item, tutti_error *error)
{
  (void)context, (void)error;
  *(int64_t *)item = sqlite3_column_int64(row, 0);
  return TUTTI_OK;
}

static int compare_ids(const void *left, const void *right)
{
  const int64_t *l = left, *r = right;
  return (*l > *r) - (*l < *r);
}

#define MIXTURE                                                                                                        \
  "sets of measurements match; choose one with --platform-hash, --flavor, --library, --tutti-version or --scheme"

tutti_status tutti_store_measured_in(tutti_store *store, const tutti_selection *selection, int64_t *environment,
                                     tutti_error *error)
{
  const struct store_reading reading = {.conditions = STORE_CONDITIONS,
                                        .rows = STORE_MEASURED_IN,
                                        .mixture = MIXTURE,
                                        .item_size = sizeof *environment,
                                        .bind = bind_selection,
                                        .read = read_id,
                                        .compare = compare_ids};
  void *items;
  size_t count;
  tutti_status status = tutti_store_read_rows(store, &reading, selection, &items, &count, error);
  if (status == TUTTI_OK && count == 0)
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: no measurement of %s matches", store->path,
                        tutti_collective_name(selection->collective));
  *environment = status == TUTTI_OK ? *(int64_t *)items : 0;
  free(items);
  return status;
}

tutti_status tutti_store_read(tutti_store *store, const tutti_selection *selection, tutti_measurement **measurements,
                              size_t *count, tutti_error *error)
{
  struct last_method last = {.known = false};
  const struct store_reading reading = {.conditions = STORE_CONDITIONS,
                                        .rows = STORE_ROWS,
                                        .mixture = MIXTURE,
                                        .item_size = sizeof **measurements,
                                        .bind = bind_selection,
                                        .read = read_row,
                                        .context = &last,
                                        .compare = compare};
  void *items;
  tutti_status status = tutti_store_read_rows(store, &reading, selection, &items, count, error);
  *measurements = items;
  return status;
}
