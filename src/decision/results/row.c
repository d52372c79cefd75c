/* Rows: checked and compared according to their columns. */
#include <stdlib.h>
#include <string.h>

#include "decision/results/row.h"

int64_t tutti_row_integer(const struct tutti_row_kind *kind, const void *row, const char *name, int64_t otherwise)
{
  struct tutti_row_value cell;
  const struct tutti_row_column *column = tutti_column_find(kind, name);
  if (!column)
    return otherwise;
  tutti_row_get(column, row, &cell);
  return (int64_t)cell.integer;
}

static void set_if_there(const struct tutti_row_kind *kind, void *row, const char *name,
                         const struct tutti_row_value *cell)
{
  const struct tutti_row_column *column = tutti_column_find(kind, name);
  if (column)
    tutti_row_set(column, row, cell, NULL);
}

void tutti_row_set_integer(const struct tutti_row_kind *kind, void *row, const char *name, int64_t value)
{
  set_if_there(kind, row, name,
               &(struct tutti_row_value){.class = TUTTI_ROW_VALUE_INTEGER, .integer = (uint64_t)value});
}

void tutti_row_set_real(const struct tutti_row_kind *kind, void *row, const char *name, double value)
{
  set_if_there(kind, row, name, &(struct tutti_row_value){.class = TUTTI_ROW_VALUE_REAL, .real = value});
}

void tutti_row_clear(enum tutti_row kind, void *row)
{
  memset(row, 0, tutti_kind_of(kind)->size);
  if (kind >= TUTTI_ROW_SORT && kind < TUTTI_ROW_KINDS)
    ((tutti_result *)row)->kind = (tutti_result_kind)(kind - TUTTI_ROW_SORT);
}

/* ---- checking ---- */

bool tutti_row_applies(const struct tutti_row_kind *kind, const struct tutti_row_column *column, const void *row)
{
  return !kind->applies || kind->applies(row, column);
}

/* Both columns are of one class. */
static bool is_at_most(const struct tutti_row_column *low, const struct tutti_row_column *high, const void *row)
{
  struct tutti_row_value left, right;
  tutti_row_get(low, row, &left);
  tutti_row_get(high, row, &right);
  return left.class == TUTTI_ROW_VALUE_INTEGER ? left.integer <= right.integer : left.real <= right.real;
}

static tutti_status check_columns(const struct tutti_row_kind *kind, const void *row, bool keys, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < kind->count && status == TUTTI_OK; i++)
    if (!keys || tutti_column_is_key(&kind->columns[i]))
      status = tutti_column_check(kind, &kind->columns[i], row, error);
  for (size_t i = 0; i < kind->count && status == TUTTI_OK; i++) {
    const struct tutti_row_column *low = &kind->columns[i];
    const struct tutti_row_column *high = low->at_most ? tutti_column_find(kind, low->at_most) : NULL;
    if (high && (!keys || (tutti_column_is_key(low) && tutti_column_is_key(high))) && !is_at_most(low, high, row))
      status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: field '%s' is larger than '%s'", kind->keyword, low->name,
                          high->name);
  }
  return status;
}

tutti_status tutti_row_validate_keys(const struct tutti_row_kind *kind, const void *row, tutti_error *error)
{
  tutti_status status = check_columns(kind, row, true, error);
  return status == TUTTI_OK && kind->check_keys ? kind->check_keys(row, error) : status;
}

tutti_status tutti_row_validate(const struct tutti_row_kind *kind, const void *row, tutti_error *error)
{
  tutti_status status = check_columns(kind, row, false, error);
  if (status == TUTTI_OK && kind->check_keys)
    status = kind->check_keys(row, error);
  return status == TUTTI_OK && kind->check ? kind->check(row, error) : status;
}

/* ---- order ---- */

struct order {
  const struct tutti_row_kind *kind;
  size_t count;
  const struct tutti_row_column *columns[TUTTI_ROW_COLUMNS_MAX];
};

static int place(const struct tutti_row_column *column)
{
  enum { BEHIND = TUTTI_ROW_COLUMN_LAST - 1 };
  return column->order ? column->order : tutti_column_is_key(column) ? BEHIND : -1;
}

static struct order order_of(const struct tutti_row_kind *kind)
{
  struct order order = {.kind = kind};
  order.count = tutti_columns_select(kind, place, order.columns);
  return order;
}

static int compare(const void *left, const void *right, void *context)
{
  const struct order *order = context;
  int result = order->kind->compare ? order->kind->compare(left, right) : 0;
  for (size_t i = 0; !order->kind->compare && i < order->count && result == 0; i++)
    result = tutti_column_compare(order->columns[i], left, right);
  return result;
}

int tutti_row_compare(const struct tutti_row_kind *kind, const void *left, const void *right)
{
  struct order order = order_of(kind);
  return compare(left, right, &order);
}

void tutti_rows_sort(const struct tutti_row_kind *kind, void *rows, size_t count)
{
  struct order order = order_of(kind);
  if (count > 0)
    qsort_r(rows, count, kind->size, compare, &order);
}
