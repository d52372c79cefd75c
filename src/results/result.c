/* Results: their values checked and compared as their description says. */
#include "tutti/result.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results/range_point.h"
#include "results/result_words.h"

void tutti_result_set_word(tutti_result *result, int field, const char *word)
{
  snprintf(result->values[field].word, sizeof result->values[field].word, "%s", word);
}

bool tutti_result_word_is_among(const char *list, const char *word)
{
  size_t length = strlen(word);
  for (; *list; list += strcspn(list, " "), list += strspn(list, " "))
    if (strcspn(list, " ") == length && memcmp(list, word, length) == 0)
      return true;
  return false;
}

bool tutti_result_applies(const tutti_result *result, int field)
{
  const char *first = result->values[0].word;
  if (result->kind == TUTTI_RESULT_SORT)
    return strcmp(first, "janus") == 0 ||
           (field != TUTTI_SORT_FIELD_LAYER && field != TUTTI_SORT_FIELD_ORDER && field != TUTTI_SORT_FIELD_ASSIGNMENT);
  if (result->kind == TUTTI_RESULT_RANGE)
    return field != TUTTI_RANGE_FIELD_ORDER || strcmp(first, "overlapping") == 0;
  return true;
}

static bool is_word(const char *word)
{
  size_t length = 0;
  for (; length < TUTTI_RESULT_WORD && word[length]; length++)
    if (!isgraph((unsigned char)word[length]))
      return false;
  return length > 0 && length < TUTTI_RESULT_WORD;
}

static tutti_status check_value(const char *keyword, const tutti_field *field, const tutti_value *value,
                                tutti_error *error)
{
  if (field->type == TUTTI_FIELD_WORD && !is_word(value->word))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: field '%s' is not one word of less than %d characters", keyword,
                      field->name, TUTTI_RESULT_WORD);
  if (field->type == TUTTI_FIELD_WORD && field->words && !tutti_result_word_is_among(field->words, value->word))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: field '%s' is '%s', not one of: %s", keyword, field->name,
                      value->word, field->words);
  if (field->type == TUTTI_FIELD_WHOLE && (value->whole < field->least || value->whole > field->most))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s: field '%s' is %" PRIu64 ", not a whole number from %" PRIu64 " to %" PRIu64, keyword,
                      field->name, value->whole, field->least, field->most);
  if (field->type == TUTTI_FIELD_SECONDS && !(isfinite(value->seconds) && value->seconds >= 0))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: field '%s' is %g, not a finite number of seconds from 0 on",
                      keyword, field->name, value->seconds);
  if (field->type == TUTTI_FIELD_REAL && !isfinite(value->real))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: field '%s' is %g, not a finite number", keyword, field->name,
                      value->real);
  return TUTTI_OK;
}

/* Both of one type. */
static int compare_values(tutti_field_type type, const tutti_value *left, const tutti_value *right)
{
  if (type == TUTTI_FIELD_WORD)
    return strcmp(left->word, right->word);
  if (type == TUTTI_FIELD_WHOLE)
    return (left->whole > right->whole) - (left->whole < right->whole);
  if (type == TUTTI_FIELD_REAL)
    return (left->real > right->real) - (left->real < right->real);
  return (left->seconds > right->seconds) - (left->seconds < right->seconds);
}

static tutti_status check_pair(const tutti_result_layout *layout, const int *pair, const tutti_result *result,
                               tutti_error *error)
{
  const tutti_field *low = &layout->fields[pair[0]], *high = &layout->fields[pair[1]];
  if (compare_values(low->type, &result->values[pair[0]], &result->values[pair[1]]) <= 0)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: field '%s' is larger than '%s'", layout->keyword, low->name,
                    high->name);
}

/* The first fields, up to @p count. */
static tutti_status check_fields(const tutti_result *result, const tutti_result_layout *layout, int count,
                                 tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  if (result->ranks_per_node < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: needs at least one rank per node", layout->keyword);
  for (int f = 0; f < count && status == TUTTI_OK; f++)
    status = check_value(layout->keyword, &layout->fields[f], &result->values[f], error);
  for (int p = 0; p < layout->pair_count && status == TUTTI_OK; p++)
    if (layout->pairs[p][0] < count && layout->pairs[p][1] < count)
      status = check_pair(layout, layout->pairs[p], result, error);
  return status;
}

static bool is_power_of_two(uint64_t number)
{
  return number > 0 && (number & (number - 1)) == 0;
}

/* What the fields do not say one by one. */
static tutti_status check_sort(const tutti_result *result, tutti_error *error)
{
  const tutti_value *values = result->values;
  const char *algorithm = values[TUTTI_SORT_FIELD_ALGORITHM].word;
  if (strcmp(algorithm, "hypercube") == 0 && !is_power_of_two(values[TUTTI_SORT_FIELD_RANKS].whole))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "tutti-sort: the hypercube needs a power of two of processes");
  static const int choices[] = {TUTTI_SORT_FIELD_LAYER, TUTTI_SORT_FIELD_ORDER, TUTTI_SORT_FIELD_ASSIGNMENT};
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
    if (tutti_result_applies(result, choices[i]) == (strcmp(values[choices[i]].word, "-") == 0))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "tutti-sort: %s with %s=%s", algorithm,
                        tutti_result_layout_of(result->kind)->fields[choices[i]].name, values[choices[i]].word);
  return TUTTI_OK;
}

/* n elements are n / p for each process, rounded up. */
static tutti_status check_elements(const tutti_result *result, tutti_error *error)
{
  uint64_t n = result->values[TUTTI_SORT_FIELD_ELEMENTS].whole, p = result->values[TUTTI_SORT_FIELD_RANKS].whole;
  uint64_t count = result->values[TUTTI_SORT_FIELD_COUNT].whole;
  if (n / p + (n % p > 0) == count)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "tutti-sort: %" PRIu64 " elements are not %" PRIu64 " for each of %" PRIu64 " processes", n, count,
                    p);
}

tutti_status tutti_result_check_words(const tutti_result *result, tutti_error *error)
{
  struct range_point point = {.count = 0};
  tutti_error reason;
  if (result->kind != TUTTI_RESULT_RANGE)
    return TUTTI_OK;
  tutti_status status =
      tutti_range_operation_parse(result->values[TUTTI_RANGE_FIELD_OPERATION].word, &point.operation, &reason);
  if (status == TUTTI_OK)
    status = tutti_range_way_parse(result->values[TUTTI_RANGE_FIELD_WAY].word, &point, &reason);
  return status == TUTTI_OK ? TUTTI_OK : tutti_fail(error, status, "tutti-range: %.400s", reason.message);
}

tutti_status tutti_result_check(const tutti_result *result, tutti_error *error)
{
  const tutti_result_layout *layout = tutti_result_layout_of(result->kind);
  if (!layout)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a result of no kind");
  tutti_status status = check_fields(result, layout, layout->field_count, error);
  if (status == TUTTI_OK)
    status = tutti_result_check_words(result, error);
  if (status == TUTTI_OK && result->kind == TUTTI_RESULT_SORT)
    status = check_sort(result, error);
  return status == TUTTI_OK && result->kind == TUTTI_RESULT_SORT ? check_elements(result, error) : status;
}

tutti_status tutti_result_check_point(const tutti_result *result, tutti_error *error)
{
  const tutti_result_layout *layout = tutti_result_layout_of(result->kind);
  int keys = 0;
  while (keys < layout->field_count && layout->fields[keys].key)
    keys++;
  tutti_status status = check_fields(result, layout, keys, error);
  return status == TUTTI_OK && result->kind == TUTTI_RESULT_SORT ? check_sort(result, error) : status;
}

int tutti_result_compare(const tutti_result *left, const tutti_result *right)
{
  if (left->kind != right->kind)
    return left->kind < right->kind ? -1 : 1;
  const tutti_result_layout *layout = tutti_result_layout_of(left->kind);
  int order = 0;
  for (int f = 0; f < layout->field_count && layout->fields[f].key && order == 0; f++)
    order = compare_values(layout->fields[f].type, &left->values[f], &right->values[f]);
  return order ? order
               : (left->ranks_per_node > right->ranks_per_node) - (left->ranks_per_node < right->ranks_per_node);
}
