#include "measure/range_compose.h"

#include <stdio.h>
#include <string.h>

#include "results/range_point.h"

/* Words of a list that is separated by commas: the next one, of *length letters; NULL at the end. */
static const char *next_word(const char **list, int *length)
{
  const char *word = *list;
  *length = (int)strcspn(word, ",");
  *list += *length + (word[*length] == ',');
  return *length > 0 ? word : NULL;
}

static void write_one(FILE *stream, const char *start, const char *order, const char *count, const char *uses)
{
  fprintf(stream, "%s order=%s count=%s uses=%s\n", start, order, count, uses);
}

static void write_uses(FILE *stream, const struct options_words *words, const char *start, const char *count)
{
  const char *list = options_word(words, RANGE_WORD_USES), *word;
  for (int length; (word = next_word(&list, &length));) {
    char uses[24];
    snprintf(uses, sizeof uses, "%.*s", length, word);
    write_one(stream, start, "-", count, uses);
  }
}

static void write_counts(FILE *stream, const struct options_words *words, const char *start, bool with_uses)
{
  const char *list = options_word(words, RANGE_WORD_COUNTS), *word;
  for (int length; (word = next_word(&list, &length));) {
    char count[24];
    snprintf(count, sizeof count, "%.*s", length, word);
    if (with_uses)
      write_uses(stream, words, start, count);
    else
      write_one(stream, start, "-", count, "0");
  }
}

/* Splits have no cascade: nobody asked for one who did not name the orders. */
static void write_orders(FILE *stream, const struct options_words *words, const char *start, bool splits)
{
  const char *list = words->given[RANGE_WORD_ORDERS], *word;
  if (!list)
    list = splits ? "alternating" : "cascaded,alternating";
  for (int length; (word = next_word(&list, &length));) {
    char order[24];
    snprintf(order, sizeof order, "%.*s", length, word);
    write_one(stream, start, order, "0", "0");
  }
}

/* All points of an operation done one way. */
static void write_way(FILE *stream, const struct options_words *words, enum range_operation operation, const char *way)
{
  char start[128];
  struct range_point point = {.operation = operation};
  tutti_error ignored;
  bool known = tutti_range_way_parse(way, &point, &ignored) == TUTTI_OK;
  const char *method = known && tutti_range_takes_method(operation, point.way) ? words->given[RANGE_WORD_METHOD] : NULL;
  const char *size = tutti_range_has_way(operation, WAY_NATIVE) ? "0" : options_word(words, RANGE_WORD_SIZE);
  snprintf(start, sizeof start, "%s way=%s%s%s size=%s", tutti_range_operation_name(operation), way, method ? "/" : "",
           method ? method : "", size);
  if (operation == RANGE_CREATE)
    write_one(stream, start, "-", "0", "0");
  else if (operation == RANGE_OVERLAPPING)
    write_orders(stream, words, start, known && (point.way == WAY_SPLIT || point.way == WAY_SPLIT_MPICH));
  else
    write_counts(stream, words, start, operation == RANGE_SUBRANGE_BCAST);
}

static void write_operation(FILE *stream, const struct options_words *words, enum range_operation operation)
{
  const char *list = words->given[RANGE_WORD_WAYS], *word;
  for (int w = 0; !list && w < RANGE_WAYS; w++)
    if (tutti_range_has_way(operation, (enum range_way)w))
      write_way(stream, words, operation, tutti_range_way_name((enum range_way)w));
  for (int length; list && (word = next_word(&list, &length));) {
    char way[RANGE_WAY_LENGTH + 1];
    snprintf(way, sizeof way, "%.*s", length, word);
    write_way(stream, words, operation, way);
  }
}

static tutti_status write_operations(FILE *stream, const struct options_words *words, tutti_error *error)
{
  const char *list = words->given[RANGE_WORD_OPERATIONS], *word;
  bool all = strcmp(list, "all") == 0;
  tutti_status status = TUTTI_OK;
  for (int o = 0; all && o < RANGE_OPERATIONS; o++)
    write_operation(stream, words, (enum range_operation)o);
  for (int length; !all && status == TUTTI_OK && (word = next_word(&list, &length));) {
    char name[32];
    enum range_operation operation;
    snprintf(name, sizeof name, "%.*s", length, word);
    status = tutti_range_operation_parse(name, &operation, error);
    if (status == TUTTI_OK)
      write_operation(stream, words, operation);
  }
  return status;
}

static void write_costs(FILE *stream, const struct options_words *words)
{
  static const struct {
    int word;
    const char *key;
  } costs[] = {{RANGE_WORD_RANGE, "range_s"},
               {RANGE_WORD_ENTRY, "entry_s"},
               {RANGE_WORD_COMPARE, "compare_s"},
               {RANGE_WORD_INNER, "inner"}};
  fprintf(stream, "costs");
  for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
    if (words->given[costs[i].word])
      fprintf(stream, " %s=%s", costs[i].key, words->given[costs[i].word]);
  fprintf(stream, "\n");
}

tutti_status range_compose(FILE *stream, const struct options_words *words, tutti_error *error)
{
  if (!words->given[RANGE_WORD_OPERATIONS])
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "nothing to time: give --points FILE or --operation NAMES");
  tutti_status status = options_words_check(words, error);
  if (status != TUTTI_OK)
    return status;
  fprintf(stream, "tutti-points v=1 repetitions_max=%s ranks_per_node=%s\n",
          options_word(words, RANGE_WORD_REPETITIONS), options_word(words, RANGE_WORD_RANKS_PER_NODE));
  write_costs(stream, words);
  return write_operations(stream, words, error);
}
