/* Results made up at random, for what writes and reads them. */
#ifndef TUTTI_TESTS_RANDOM_RESULT_H
#define TUTTI_TESTS_RANDOM_RESULT_H

#include <stdio.h>
#include <string.h>

#include "tutti/result.h"
#include "unit/base/random.h"

/* One of the words that the field can be, or one that no field knows. */
static inline void random_word(uint64_t *state, const tutti_field *field, char *word)
{
  int count = 1;
  snprintf(word, TUTTI_RESULT_WORD, "word-%d", (int)random_below(state, 1000));
  for (const char *at = field->words; at && (at = strchr(at, ' ')); at++)
    count++;
  const char *at = field->words;
  for (int skip = at ? (int)random_below(state, (uint64_t)count) : 0; skip > 0; skip--)
    at = strchr(at, ' ') + 1;
  if (at)
    snprintf(word, TUTTI_RESULT_WORD, "%.*s", (int)strcspn(at, " "), at);
}

/* Times of three significant digits. */
static inline void random_value(uint64_t *state, const tutti_field *field, tutti_value *value)
{
  uint64_t most = field->most - field->least > 1000000 ? 1000000 : field->most - field->least;
  if (field->type == TUTTI_FIELD_WORD)
    random_word(state, field, value->word);
  else if (field->type == TUTTI_FIELD_WHOLE)
    value->whole = field->least + random_below(state, most + 1);
  else
    value->seconds = 1e-6 * (double)random_below(state, 1000);
}

/* A way that all operations have. */
static inline void make_way(tutti_result *range)
{
  tutti_result_set_word(range, TUTTI_RANGE_FIELD_WAY, "ranges");
}

static inline void put_in_order(const tutti_field *field, tutti_value *low, tutti_value *high)
{
  tutti_value kept = *low;
  if (field->type == TUTTI_FIELD_WHOLE ? low->whole > high->whole : low->seconds > high->seconds) {
    *low = *high;
    *high = kept;
  }
}

/* Choices that the algorithm has, and as many elements as there are for each process. */
static inline void make_sensible(tutti_result *sort)
{
  static const char *const choices[][2] = {{"ranges", "-"}, {"alternating", "-"}, {"greedy", "-"}};
  tutti_value *values = sort->values;
  bool janus = strcmp(values[TUTTI_SORT_FIELD_ALGORITHM].word, "janus") == 0;
  for (int i = 0; i < 3; i++)
    if (janus == (strcmp(values[TUTTI_SORT_FIELD_LAYER + i].word, "-") == 0))
      tutti_result_set_word(sort, TUTTI_SORT_FIELD_LAYER + i, choices[i][!janus]);
  if (strcmp(values[TUTTI_SORT_FIELD_ALGORITHM].word, "hypercube") == 0)
    values[TUTTI_SORT_FIELD_RANKS].whole = UINT64_C(1) << values[TUTTI_SORT_FIELD_RANKS].whole % 20;
  uint64_t n = values[TUTTI_SORT_FIELD_ELEMENTS].whole, p = values[TUTTI_SORT_FIELD_RANKS].whole;
  values[TUTTI_SORT_FIELD_COUNT].whole = n / p + (n % p > 0);
}

/* Pairs form chains of three at most, so that two rounds put them in order. */
static inline tutti_result random_result(uint64_t *state)
{
  tutti_result result = {.kind = (tutti_result_kind)random_below(state, TUTTI_RESULT_KINDS),
                         .ranks_per_node = 1 + (int)random_below(state, 4)};
  const tutti_result_layout *layout = tutti_result_layout_of(result.kind);
  for (int f = 0; f < layout->field_count; f++)
    random_value(state, &layout->fields[f], &result.values[f]);
  for (int p = 0; p < 2 * layout->pair_count; p++) {
    const int *pair = layout->pairs[p % layout->pair_count];
    put_in_order(&layout->fields[pair[0]], &result.values[pair[0]], &result.values[pair[1]]);
  }
  if (result.kind == TUTTI_RESULT_SORT)
    make_sensible(&result);
  if (result.kind == TUTTI_RESULT_RANGE)
    make_way(&result);
  return result;
}

static inline bool is_same_value(tutti_field_type type, const tutti_value *a, const tutti_value *b)
{
  if (type == TUTTI_FIELD_WORD)
    return strcmp(a->word, b->word) == 0;
  double difference = a->seconds - b->seconds;
  return type == TUTTI_FIELD_WHOLE ? a->whole == b->whole : difference < 1e-17 && difference > -1e-17;
}

/* All but the ranks per node, which are not in a record. */
static inline bool is_same_result(const tutti_result *a, const tutti_result *b)
{
  const tutti_result_layout *layout = tutti_result_layout_of(a->kind);
  if (a->kind != b->kind)
    return false;
  for (int f = 0; f < layout->field_count; f++)
    if (!is_same_value(layout->fields[f].type, &a->values[f], &b->values[f]))
      return false;
  return true;
}

#endif
