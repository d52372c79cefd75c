/* Random results, to test writing and reading them. */
#ifndef TUTTI_TESTS_RANDOM_RESULT_H
#define TUTTI_TESTS_RANDOM_RESULT_H

#include <stdio.h>
#include <string.h>

#include "decision/results/row.h"
#include "unit/base/random.h"

/* A possible word of the field, or one that no field has. */
static inline void random_word(uint64_t *state, const struct tutti_row_column *column, char *word)
{
  int count = 1;
  snprintf(word, TUTTI_RESULT_WORD, "word-%d", (int)random_below(state, 1000));
  for (const char *at = column->words; at && (at = strchr(at, ' ')); at++)
    count++;
  const char *at = column->words;
  for (int skip = at ? (int)random_below(state, (uint64_t)count) : 0; skip > 0; skip--)
    at = strchr(at, ' ') + 1;
  if (at)
    snprintf(word, TUTTI_RESULT_WORD, "%.*s", (int)strcspn(at, " "), at);
}

/* Times of three significant digits. */
static inline void random_value(uint64_t *state, const struct tutti_row_column *column, tutti_value *value)
{
  uint64_t span = tutti_column_max(column) - column->min;
  if (column->type == TUTTI_ROW_COLUMN_STRING)
    random_word(state, column, value->string);
  else if (column->type == TUTTI_ROW_COLUMN_INTEGER)
    value->integer = column->min + random_below(state, (span > 1000000 ? 1000000 : span) + 1);
  else
    value->seconds = 1e-6 * (double)random_below(state, 1000);
}

/* A way that all operations have. */
static inline void make_way(tutti_result *range)
{
  tutti_result_set_word(range, TUTTI_RANGE_FIELD_WAY, "ranges");
}

static inline void put_in_order(const struct tutti_row_column *column, tutti_value *low, tutti_value *high)
{
  tutti_value kept = *low;
  if (column->type == TUTTI_ROW_COLUMN_INTEGER ? low->integer > high->integer : low->seconds > high->seconds) {
    *low = *high;
    *high = kept;
  }
}

/* Parameters that the algorithm supports, and at least one element per process. */
static inline void make_sensible(tutti_result *sort)
{
  static const char *const choices[][2] = {{"ranges", "-"}, {"alternating", "-"}, {"greedy", "-"}};
  tutti_value *values = sort->values;
  bool janus = strcmp(values[TUTTI_SORT_FIELD_ALGORITHM].string, "janus") == 0;
  for (int i = 0; i < 3; i++)
    if (janus == (strcmp(values[TUTTI_SORT_FIELD_LAYER + i].string, "-") == 0))
      tutti_result_set_word(sort, TUTTI_SORT_FIELD_LAYER + i, choices[i][!janus]);
  if (strcmp(values[TUTTI_SORT_FIELD_ALGORITHM].string, "hypercube") == 0)
    values[TUTTI_SORT_FIELD_RANKS].integer = UINT64_C(1) << values[TUTTI_SORT_FIELD_RANKS].integer % 20;
  uint64_t n = values[TUTTI_SORT_FIELD_ELEMENTS].integer, p = values[TUTTI_SORT_FIELD_RANKS].integer;
  values[TUTTI_SORT_FIELD_COUNT].integer = n / p + (n % p > 0);
}

/* The field of a column; -1: it is none. */
static inline int field_named(tutti_result_kind kind, const char *name)
{
  const struct tutti_row_column *column;
  for (int f = 0; name && (column = tutti_result_column(kind, f)); f++)
    if (strcmp(column->name, name) == 0)
      return f;
  return -1;
}

static inline void put_all_in_order(tutti_result *result)
{
  const struct tutti_row_column *column;
  for (int f = 0, high; (column = tutti_result_column(result->kind, f)); f++)
    if ((high = field_named(result->kind, column->at_most)) >= 0)
      put_in_order(column, &result->values[f], &result->values[high]);
}

/* Pairs form chains of at most three, so that two rounds put them in order. */
static inline tutti_result random_result(uint64_t *state)
{
  tutti_result result = {.kind = (tutti_result_kind)random_below(state, TUTTI_RESULT_KINDS),
                         .ranks_per_node = 1 + (int)random_below(state, 4)};
  const struct tutti_row_column *column;
  for (int f = 0; (column = tutti_result_column(result.kind, f)); f++)
    random_value(state, column, &result.values[f]);
  put_all_in_order(&result);
  put_all_in_order(&result);
  if (result.kind == TUTTI_RESULT_SORT)
    make_sensible(&result);
  if (result.kind == TUTTI_RESULT_RANGE)
    make_way(&result);
  if (result.kind == TUTTI_RESULT_COMPARISON) /* rows of two schemes are not read together */
    tutti_result_set_word(&result, TUTTI_COMPARISON_FIELD_SCHEME, "occ");
  return result;
}

static inline bool is_same_value(enum tutti_row_column_type type, const tutti_value *a, const tutti_value *b)
{
  if (type == TUTTI_ROW_COLUMN_STRING)
    return strcmp(a->string, b->string) == 0;
  double difference = a->seconds - b->seconds;
  return type == TUTTI_ROW_COLUMN_INTEGER ? a->integer == b->integer : difference < 1e-17 && difference > -1e-17;
}

/* All but the ranks per node, which are not in a record. */
static inline bool is_same_result(const tutti_result *a, const tutti_result *b)
{
  const struct tutti_row_column *column;
  if (a->kind != b->kind)
    return false;
  for (int f = 0; (column = tutti_result_column(a->kind, f)); f++)
    if (!is_same_value(column->type, &a->values[f], &b->values[f]))
      return false;
  return true;
}

#endif
