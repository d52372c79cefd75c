/* Results: rows whose columns are an array of values, and what belongs together beyond the columns. */
#include "tutti/result.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/numbers.h"
#include "decision/results/range_point.h"
#include "decision/results/row.h"
#include "tutti/record.h"

void tutti_result_set_word(tutti_result *result, int field, const char *word)
{
  snprintf(result->values[field].string, sizeof result->values[field].string, "%s", word);
}

static bool is_column(const struct tutti_row_column *column, int field)
{
  return column->offset == offsetof(tutti_result, values) + (size_t)field * sizeof(tutti_value);
}

/* ---- sorts ---- */

/* Only janus sorts have a layer, an order and an assignment. */
bool tutti_sort_applies(const void *row, const struct tutti_row_column *column)
{
  const tutti_result *result = row;
  return strcmp(result->values[TUTTI_SORT_FIELD_ALGORITHM].string, "janus") == 0 ||
         !(is_column(column, TUTTI_SORT_FIELD_LAYER) || is_column(column, TUTTI_SORT_FIELD_ORDER) ||
           is_column(column, TUTTI_SORT_FIELD_ASSIGNMENT));
}

tutti_status tutti_sort_check_keys(const void *row, tutti_error *error)
{
  static const int choices[] = {TUTTI_SORT_FIELD_LAYER, TUTTI_SORT_FIELD_ORDER, TUTTI_SORT_FIELD_ASSIGNMENT};
  const tutti_value *values = ((const tutti_result *)row)->values;
  const char *algorithm = values[TUTTI_SORT_FIELD_ALGORITHM].string;
  if (strcmp(algorithm, "hypercube") == 0 && !tutti_is_power_of_two(values[TUTTI_SORT_FIELD_RANKS].integer))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "tutti-sort: the hypercube needs a power of two of processes");
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
    const struct tutti_row_column *column = tutti_result_column(TUTTI_RESULT_SORT, choices[i]);
    if (tutti_sort_applies(row, column) == (strcmp(values[choices[i]].string, "-") == 0))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "tutti-sort: %s with %s=%s", algorithm, column->name,
                        values[choices[i]].string);
  }
  return TUTTI_OK;
}

/* n elements are n / p for each process, rounded up. */
tutti_status tutti_sort_check(const void *row, tutti_error *error)
{
  const tutti_value *values = ((const tutti_result *)row)->values;
  uint64_t n = values[TUTTI_SORT_FIELD_ELEMENTS].integer, p = values[TUTTI_SORT_FIELD_RANKS].integer;
  uint64_t count = values[TUTTI_SORT_FIELD_COUNT].integer;
  if (n / p + (n % p > 0) == count)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "tutti-sort: %" PRIu64 " elements are not %" PRIu64 " for each of %" PRIu64 " processes", n, count,
                    p);
}

/* ---- operations on ranges ---- */

/* Only overlapping has an order. */
bool tutti_range_applies(const void *row, const struct tutti_row_column *column)
{
  const tutti_result *result = row;
  return strcmp(result->values[TUTTI_RANGE_FIELD_OPERATION].string, "overlapping") == 0 ||
         !is_column(column, TUTTI_RANGE_FIELD_ORDER);
}

tutti_status tutti_range_check(const void *row, tutti_error *error)
{
  const tutti_value *values = ((const tutti_result *)row)->values;
  struct range_point point = {.count = 0};
  tutti_error reason;
  tutti_status status =
      tutti_range_operation_parse(values[TUTTI_RANGE_FIELD_OPERATION].string, &point.operation, &reason);
  if (status == TUTTI_OK)
    status = tutti_range_way_parse(values[TUTTI_RANGE_FIELD_WAY].string, &point, &reason);
  return status == TUTTI_OK ? TUTTI_OK : tutti_fail(error, status, "tutti-range: %.400s", reason.message);
}

/* ---- any ---- */

const struct tutti_row_column *tutti_result_column(tutti_result_kind kind, int field)
{
  const struct tutti_row_kind *described = tutti_kind_of_result(kind);
  for (size_t i = 0; i < described->count; i++)
    if (is_column(&described->columns[i], field))
      return &described->columns[i];
  return NULL;
}

int tutti_result_ranks(const tutti_result *result, int otherwise)
{
  return (int)tutti_row_integer(tutti_kind_of_result(result->kind), result, "ranks", otherwise);
}

tutti_status tutti_result_check_words(const tutti_result *result, tutti_error *error)
{
  return result->kind == TUTTI_RESULT_RANGE ? tutti_range_check(result, error) : TUTTI_OK;
}

tutti_status tutti_result_check_point(const tutti_result *result, tutti_error *error)
{
  return tutti_row_validate_keys(tutti_kind_of_result(result->kind), result, error);
}

int tutti_result_compare(const tutti_result *left, const tutti_result *right)
{
  if (left->kind != right->kind)
    return left->kind < right->kind ? -1 : 1;
  return tutti_row_compare(tutti_kind_of_result(left->kind), left, right);
}

int tutti_compare_results(const void *left, const void *right)
{
  return tutti_result_compare(left, right);
}

char *tutti_result_format_point(const tutti_result *result, char *text)
{
  return tutti_row_format_point(tutti_kind_of_result(result->kind), result, text);
}

tutti_status tutti_result_parse_point(const char *line, int ranks, tutti_result *result, tutti_error *error)
{
  return tutti_row_parse_point(tutti_kind_of_result(result->kind), line, ranks, result, error);
}

/* ---- launches ---- */

static void set_known(tutti_result *launch, int field, const char *word)
{
  tutti_result_set_word(launch, field, *word ? word : "-");
}

bool tutti_record_launch(const tutti_record *run, const tutti_record *end, tutti_result *launch)
{
  *launch = (tutti_result){.kind = TUTTI_RESULT_LAUNCH, .ranks_per_node = run->ranks_per_node};
  set_known(launch, TUTTI_LAUNCH_FIELD_DATE, run->date);
  set_known(launch, TUTTI_LAUNCH_FIELD_HOSTS, run->hosts);
  set_known(launch, TUTTI_LAUNCH_FIELD_BINDING, run->binding);
  set_known(launch, TUTTI_LAUNCH_FIELD_END, end ? end->date : "");
  launch->values[TUTTI_LAUNCH_FIELD_RANKS].integer = (uint64_t)run->ranks;
  launch->values[TUTTI_LAUNCH_FIELD_LOAD].real = run->load;
  launch->values[TUTTI_LAUNCH_FIELD_END_LOAD].real = end ? end->load : 0;
  launch->values[TUTTI_LAUNCH_FIELD_ROWS].integer = end ? end->measurements : 0;
  return *run->date;
}
