/* Values of options: from text into members. */
#include "cli/options/option.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "platforms/platform_private.h"
#include "tutti/algorithm.h"
#include "tutti/experiment.h"

tutti_status option_collective(void *member, const char *text, tutti_error *error)
{
  return tutti_collective_parse(text, member, error);
}

static uint64_t largest(const struct option_row *option)
{
  if (option->max > 0)
    return option->max;
  return option->width == sizeof(int) ? INT_MAX : UINT64_MAX;
}

static void store_integer(const struct option_row *option, void *member, uint64_t value)
{
  if (option->width == sizeof(int))
    *(int *)member = (int)value;
  else
    *(uint64_t *)member = value;
}

static tutti_status read_number(const struct option_row *option, void *member, const char *text, tutti_error *error)
{
  uint64_t value, max = largest(option);
  if (!tutti_parse_integer(text, option->min, max, &value))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' is not a whole number from %" PRIu64 " to %" PRIu64, text,
                      option->min, max);
  store_integer(option, member, value);
  return TUTTI_OK;
}

static tutti_status read_size(const struct option_row *option, void *member, const char *text, tutti_error *error)
{
  uint64_t value, max = largest(option);
  tutti_status status = tutti_size_parse(text, &value, error);
  if (status == TUTTI_OK && (value < option->min || value > max))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' is not a size from %" PRIu64 " to %" PRIu64, text, option->min,
                      max);
  if (status == TUTTI_OK)
    store_integer(option, member, value);
  return status;
}

static bool is_within(const struct option_row *option, double value)
{
  double high = option->high > 0 ? option->high : INFINITY;
  return option->open ? value > option->low && value < high : value >= option->low && value <= high;
}

static tutti_status read_real(const struct option_row *option, void *member, const char *text, tutti_error *error)
{
  double value;
  if (tutti_parse_real(text, &value) && is_within(option, value)) {
    *(double *)member = value * (option->scale > 0 ? option->scale : 1);
    return TUTTI_OK;
  }
  if (!(option->high > 0))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' is not a number %s %g", text,
                      option->open ? "above" : "of at least", option->low);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' is not a number %s %g %s %g", text,
                    option->open ? "between" : "from", option->low, option->open ? "and" : "to", option->high);
}

static tutti_status read_duration(void *member, const char *text, tutti_error *error)
{
  if (tutti_duration_parse(text, member))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' is no time such as 30s, 10min or 1.5h", text);
}

static tutti_status read_word(const struct option_row *option, void *member, const char *text, tutti_error *error)
{
  char known[256] = "";
  for (int i = 0; option->words[i]; i++) {
    if (*text && strcmp(option->words[i], text) == 0) {
      store_integer(option, member, (uint64_t)i);
      return TUTTI_OK;
    }
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", used && *option->words[i] ? ", " : "", option->words[i]);
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' is not one of: %s", text, known);
}

static void append_string(struct option_strings *strings, const char *text)
{
  strings->items = tutti_xrealloc(strings->items, (strings->count + 1) * sizeof *strings->items);
  strings->items[strings->count++] = text;
}

/* The text is left as it is: blanks stand for its commas in a copy. */
static tutti_status read_numbers(const struct option_row *option, struct option_numbers *numbers, const char *text,
                                 tutti_error *error)
{
  char *words = tutti_xstrdup(text);
  uint64_t *items = NULL;
  int count = 0;
  for (char *c = words; (c = strchr(c, ','));)
    *c = ' ';
  tutti_status status = tutti_experiment_parse_list(words, option->number, &items, &count, error);
  free(words);
  if (status != TUTTI_OK)
    return status;
  free(numbers->items);
  *numbers = (struct option_numbers){items, count};
  return TUTTI_OK;
}

tutti_status option_read(const struct option_row *option, void *values, const char *text, tutti_error *error)
{
  void *member = (char *)values + option->offset;
  switch (option->kind) {
  case OPTION_KIND_FLAG:
    *(bool *)member = true;
    return TUTTI_OK;
  case OPTION_KIND_SET:
    store_integer(option, member, (uint64_t)option->value);
    return TUTTI_OK;
  case OPTION_KIND_NUMBER:
    return read_number(option, member, text, error);
  case OPTION_KIND_SIZE:
    return read_size(option, member, text, error);
  case OPTION_KIND_REAL:
    return read_real(option, member, text, error);
  case OPTION_KIND_TIME:
    return tutti_platform_parse_time(text, member, error);
  case OPTION_KIND_DURATION:
    return read_duration(member, text, error);
  case OPTION_KIND_WORD:
    return read_word(option, member, text, error);
  case OPTION_KIND_STRING:
    *(const char **)member = text;
    return TUTTI_OK;
  case OPTION_KIND_STRINGS:
    append_string(member, text);
    return TUTTI_OK;
  case OPTION_KIND_NUMBERS:
    return read_numbers(option, member, text, error);
  case OPTION_KIND_PARSE:
    return option->parse(member, text, error);
  default:
    return TUTTI_OK;
  }
}
