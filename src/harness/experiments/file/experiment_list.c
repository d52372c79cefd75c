/* Lists of numbers, and the elements and texts that have them. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "base/text.h"
#include "harness/experiments/file/experiment_private.h"

/* More points on one axis than any experiment needs; a guard against 1..1000000000. */
enum { MAX_VALUES = 1 << 20 };

struct value_list {
  TUTTI_VECTOR(uint64_t);
};

struct range {
  uint64_t from, to, factor; /* factor 0: step 1 */
};

static tutti_status append(struct value_list *list, uint64_t value, tutti_error *error)
{
  if (list->count == MAX_VALUES)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "more than %d values", MAX_VALUES);
  tutti_xpush(list, value);
  return TUTTI_OK;
}

tutti_status tutti_experiment_parse_rank_count(const char *text, uint64_t *value, tutti_error *error)
{
  /* 1e3 and 4K are read, too, as where a number of ranks is one option; no unit of bytes is. */
  if (!isdigit((unsigned char)*text) || strchr("bB", text[strlen(text) - 1]) ||
      tutti_size_parse(text, value, NULL) != TUTTI_OK || *value < 1 || *value > INT_MAX)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' is not a number of ranks: a whole number of at least 1", text);
  return TUTTI_OK;
}

static tutti_status parse_factor(const char *text, uint64_t *factor, tutti_error *error)
{
  if (!tutti_parse_integer(text, 2, UINT64_MAX, factor))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'*%s' is not a factor: a whole number of at least 2", text);
  return TUTTI_OK;
}

/* @p word is FROM, FROM..TO or FROM..TO*FACTOR; it is cut to pieces. */
static tutti_status parse_range(char *word, experiment_number *parse, struct range *range, tutti_error *error)
{
  char *dots = strstr(word, ".."), *star = dots ? strchr(dots, '*') : NULL;
  if (dots)
    *dots = '\0';
  if (star)
    *star = '\0';
  *range = (struct range){0};
  tutti_status status = parse(word, &range->from, error);
  range->to = range->from;
  if (status == TUTTI_OK && dots)
    status = parse(dots + 2, &range->to, error);
  if (status == TUTTI_OK && star)
    status = parse_factor(star + 1, &range->factor, error);
  if (status != TUTTI_OK)
    return status;
  if (range->from > range->to)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the range %s..%s runs downwards", word, dots + 2);
  if (range->factor && range->from == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the range %s..%s*%s never leaves 0", word, dots + 2, star + 1);
  return TUTTI_OK;
}

static tutti_status append_range(struct value_list *list, const struct range *range, tutti_error *error)
{
  uint64_t value = range->from;
  for (;;) {
    tutti_status status = append(list, value, error);
    if (status != TUTTI_OK)
      return status;
    /* Compared before the step, which could overflow. */
    if (range->factor ? value > range->to / range->factor : value == range->to)
      return TUTTI_OK;
    value = range->factor ? value * range->factor : value + 1;
  }
}

static uint64_t last_of(const struct range *range)
{
  uint64_t value = range->from;
  while (value <= range->to / range->factor)
    value *= range->factor;
  return value;
}

static tutti_status parse_words(char *words, experiment_number *parse, struct value_list *list, tutti_error *error)
{
  char *state = NULL;
  tutti_status status = TUTTI_OK;
  for (char *word = strtok_r(words, " \t\r\n", &state); word && status == TUTTI_OK;
       word = strtok_r(NULL, " \t\r\n", &state)) {
    struct range range;
    status = parse_range(word, parse, &range, error);
    if (status == TUTTI_OK)
      status = append_range(list, &range, error);
  }
  if (status == TUTTI_OK && list->count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the list is empty");
  return status;
}

tutti_status tutti_experiment_parse_whole(const char *text, uint64_t *value, tutti_error *error)
{
  if (!tutti_parse_integer(text, 0, INT64_MAX, value))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' is not a whole number", text);
  return TUTTI_OK;
}

tutti_status tutti_experiment_parse_list(const char *text, experiment_number *parse, uint64_t **values, int *count,
                                         tutti_error *error)
{
  struct value_list list = {0};
  char *copy = tutti_xstrdup(text);
  tutti_status status = parse_words(copy, parse, &list, error);
  free(copy);
  if (status == TUTTI_OK)
    list.count = tutti_numbers_unique(list.items, list.count);
  else
    tutti_vector_free(&list);
  *values = list.items;
  *count = (int)list.count;
  return status;
}

bool tutti_experiment_list_stops_short(const char *text, experiment_number *parse, uint64_t *last)
{
  char *copy = tutti_xstrdup(text), *state = NULL;
  bool stops = false;
  for (char *word = strtok_r(copy, " \t\r\n", &state); word && !stops; word = strtok_r(NULL, " \t\r\n", &state)) {
    struct range range;
    if (parse_range(word, parse, &range, NULL) != TUTTI_OK || !range.factor)
      continue;
    *last = last_of(&range);
    stops = *last != range.to;
  }
  free(copy);
  return stops;
}

void tutti_experiment_copy_list(const uint64_t *list, int list_count, uint64_t **values, int *count)
{
  *values = tutti_xmalloc((size_t)list_count * sizeof **values);
  memcpy(*values, list, (size_t)list_count * sizeof **values);
  *count = list_count;
}

/* ---- in elements ---- */

tutti_status tutti_experiment_only_child(const xml_file *file, const xmlNode *node, const char *name,
                                         const xmlNode **child, tutti_error *error)
{
  *child = NULL;
  for (const xmlNode *at = tutti_xml_element_from(node->children); at; at = tutti_xml_element_from(at->next)) {
    if (!tutti_xml_is(at, name))
      continue;
    if (*child)
      return tutti_xml_fail(file, at, error, "second <%s> in one <%s>", name, (const char *)node->name);
    *child = at;
  }
  return TUTTI_OK;
}

char *tutti_experiment_text(const xmlNode *node)
{
  static const char blanks[] = " \t\r\n";
  xmlChar *content = xmlNodeGetContent(node);
  if (!content)
    tutti_out_of_memory();
  const char *begin = (const char *)content + strspn((const char *)content, blanks);
  size_t length = strlen(begin);
  while (length > 0 && strchr(blanks, begin[length - 1]))
    length--;
  char *text = tutti_xstrndup(begin, length);
  xmlFree(content);
  return text;
}

tutti_status tutti_experiment_read_list(const xml_file *file, const xmlNode *node, experiment_number *parse,
                                        uint64_t **values, int *count, tutti_error *error)
{
  tutti_error reason;
  char *text = tutti_experiment_text(node);
  tutti_status status = tutti_experiment_parse_list(text, parse, values, count, &reason);
  free(text);
  if (status == TUTTI_OK)
    return status;
  return tutti_xml_fail(file, node, error, "<%s>: %s", (const char *)node->name, reason.message);
}

tutti_status tutti_experiment_check_room(const xml_file *file, const xmlNode *node,
                                         const struct experiment_machine *machine, const uint64_t *values, int *count,
                                         tutti_error *error)
{
  uint64_t room = (uint64_t)(machine->setting ? machine->setting->room : machine->room), max = values[*count - 1];
  int fitting = 0;
  while (fitting < *count && values[fitting] <= room)
    fitting++;
  if (fitting == 0 && machine->setting && machine->setting->ranks_count > 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%llu ranks are asked for: the platform has room for %llu (%s)",
                      (unsigned long long)values[0], (unsigned long long)room, machine->platform);
  if (fitting < (machine->setting ? 1 : *count))
    return tutti_xml_fail(file, node, error, "%llu ranks: the platform has room for %llu (%s)",
                          (unsigned long long)values[machine->setting ? 0 : *count - 1], (unsigned long long)room,
                          machine->platform);
  if (fitting < *count && max > (uint64_t)machine->setting->left_out)
    machine->setting->left_out = (int)max;
  *count = fitting;
  return TUTTI_OK;
}

/* Those of the setting, or those of the file. */
static tutti_status list_ranks(const xml_file *file, const xmlNode *node, const struct experiment_machine *machine,
                               uint64_t **values, int *count, tutti_error *error)
{
  const tutti_experiment_setting *setting = machine->setting;
  if (!setting || setting->ranks_count == 0)
    return tutti_experiment_read_list(file, node, tutti_experiment_parse_rank_count, values, count, error);
  tutti_experiment_copy_list(setting->ranks, setting->ranks_count, values, count);
  return TUTTI_OK;
}

tutti_status tutti_experiment_read_ranks(const xml_file *file, const xmlNode *parent,
                                         const struct experiment_machine *machine, int **ranks, int *count,
                                         tutti_error *error)
{
  const xmlNode *node;
  uint64_t *values = NULL;
  tutti_status status = tutti_experiment_only_child(file, parent, "ranks", &node, error);
  if (status != TUTTI_OK)
    return status;
  if (!node)
    return tutti_xml_fail(file, parent, error, "<%s> has no <ranks>", (const char *)parent->name);
  status = list_ranks(file, node, machine, &values, count, error);
  if (status == TUTTI_OK)
    status = tutti_experiment_check_room(file, node, machine, values, count, error);
  if (status == TUTTI_OK) {
    *ranks = tutti_xmalloc((size_t)*count * sizeof **ranks);
    for (int i = 0; i < *count; i++)
      (*ranks)[i] = (int)values[i];
  }
  free(values);
  return status;
}
