/* Values of options: from text into members. */
#include "cli/options/option.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>

#include "base/words.h"
#include "cli/output/output.h"
#include "harness/platforms/platform_private.h"
#include "tutti/algorithm.h"
#include "tutti/experiment.h"
#include "tutti/model.h"

void option_collective(void *member, const char *text)
{
  must(tutti_collective_parse(text, member, &failure));
}

/* ---- models: KIND:NAME=TIME,NAME=TIME... ---- */

enum { MAX_PARAMETERS = 4, MAX_TEXT = 64 };

/* A kind of model, and where its parameters go. */
struct model_format {
  tutti_model_kind kind;
  struct {
    const char *name; /* NULL: no more */
    double *value;
  } parameters[MAX_PARAMETERS + 1];
};

/* One NAME=TIME, which lies in `item`. */
static tutti_status read_parameter(const struct model_format *format, char *item, unsigned *given, tutti_error *error)
{
  tutti_error cause;
  char *value = strchr(item, '=');
  if (value)
    *value++ = '\0';
  for (int i = 0; value && format->parameters[i].name; i++) {
    if (strcmp(item, format->parameters[i].name) != 0)
      continue;
    if (*given & 1u << i)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s is given twice", item);
    *given |= 1u << i;
    if (tutti_platform_parse_time(value, format->parameters[i].value, &cause) == TUTTI_OK)
      return TUTTI_OK;
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s=%s: %s", item, value, cause.message);
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' is no parameter of %s, or has no value", item,
                    tutti_model_kind_name(format->kind));
}

static tutti_status read_parameters(const struct model_format *format, const char *list, tutti_error *error)
{
  unsigned given = 0;
  tutti_status status = TUTTI_OK;
  for (const char *end; *list && status == TUTTI_OK; list = *end ? end + 1 : end) {
    char item[MAX_TEXT];
    end = list + strcspn(list, ",");
    if (snprintf(item, sizeof item, "%.*s", (int)(end - list), list) < MAX_TEXT)
      status = read_parameter(format, item, &given, error);
    else
      status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s...' is too long", item);
  }
  for (int i = 0; status == TUTTI_OK && format->parameters[i].name; i++)
    if (!(given & 1u << i))
      status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %s is missing", tutti_model_kind_name(format->kind),
                          format->parameters[i].name);
  return status;
}

tutti_status model_parse(const char *text, tutti_model *model, tutti_error *error)
{
  tutti_hockney *hockney = &model->network.hockney;
  tutti_loggp *loggp = &model->network.loggp;
  const struct model_format formats[] = {
      {TUTTI_MODEL_HOCKNEY, {{"alpha", &hockney->alpha}, {"beta", &hockney->beta}}},
      {TUTTI_MODEL_LOGGP, {{"L", &loggp->L}, {"o", &loggp->o}, {"g", &loggp->g}, {"G", &loggp->G}}},
  };
  const char *colon = strchr(text, ':');
  for (size_t i = 0; colon && i < sizeof formats / sizeof *formats; i++) {
    const char *name = tutti_model_kind_name(formats[i].kind);
    if (strncmp(text, name, (size_t)(colon - text)) != 0 || name[colon - text])
      continue;
    model->kind = formats[i].kind;
    return read_parameters(&formats[i], colon + 1, error);
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "'%s' is neither hockney:alpha=TIME,beta=TIME nor loggp:L=TIME,o=TIME,g=TIME,G=TIME", text);
}

void option_model(void *member, const char *text)
{
  must(model_parse(text, member, &failure));
}

/* ---- values by the kind of the row ---- */

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

static void read_number(const struct option_row *option, void *member, const char *text)
{
  uint64_t value, max = largest(option);
  if (!tutti_parse_integer(text, option->min, max, &value))
    die("'%s' is not a whole number from %" PRIu64 " to %" PRIu64, text, option->min, max);
  store_integer(option, member, value);
}

static void read_size(const struct option_row *option, void *member, const char *text)
{
  uint64_t value, max = largest(option);
  must(tutti_size_parse(text, &value, &failure));
  if (value < option->min || value > max)
    die("'%s' is not a size from %" PRIu64 " to %" PRIu64, text, option->min, max);
  store_integer(option, member, value);
}

static bool is_within(const struct option_row *option, double value)
{
  double high = option->high > 0 ? option->high : INFINITY;
  return option->open ? value > option->low && value < high : value >= option->low && value <= high;
}

static void read_real(const struct option_row *option, void *member, const char *text)
{
  double value;
  if (tutti_parse_real(text, &value) && is_within(option, value)) {
    *(double *)member = value * (option->scale > 0 ? option->scale : 1);
    return;
  }
  if (!(option->high > 0))
    die("'%s' is not a number %s %g", text, option->open ? "above" : "of at least", option->low);
  die("'%s' is not a number %s %g %s %g", text, option->open ? "between" : "from", option->low,
      option->open ? "and" : "to", option->high);
}

static void read_time(void *member, const char *text)
{
  tutti_error reason;
  if (tutti_platform_parse_time(text, member, &reason) != TUTTI_OK)
    die("'%.80s': %s", text, reason.message);
}

static void read_duration(void *member, const char *text)
{
  if (!tutti_duration_parse(text, member))
    die("'%s' is no time such as 30s, 10min or 1.5h", text);
}

static void read_word(const struct option_row *option, void *member, const char *text)
{
  char known[256] = "", meant[2 * TUTTI_GUESS_LENGTH];
  tutti_guess guess = {.word = text};
  for (int i = 0; option->words[i]; i++) {
    if (*text && strcmp(option->words[i], text) == 0) {
      store_integer(option, member, (uint64_t)i);
      return;
    }
    text_append(known, sizeof known, "%s%s", *known && *option->words[i] ? ", " : "", option->words[i]);
    tutti_guess_try(&guess, option->words[i]);
  }
  die("'%s'%s is not one of: %s", text, tutti_guess_text(&guess, meant), known);
}

/* A range may end before the number that was asked for. */
static void note_end(const struct option_row *option, const char *text, const char *words)
{
  uint64_t last;
  char size[24];
  if (!tutti_experiment_list_stops_short(words, option->number, &last))
    return;
  if (option->number == tutti_size_parse)
    tutti_size_format(last, size);
  else
    snprintf(size, sizeof size, "%" PRIu64, last);
  tutti_say(stderr, "tutti: note: --%s %s: the last step is %s\n", option->name, text, size);
}

enum { MAX_STEPS = 1 << 14 }; /* that anybody means by a range without a factor */

/* Whether a part before, after or between commas is empty. Blanks alone are empty. */
static bool has_gap(const char *text)
{
  for (text += strspn(text, " \t"); *text && *text != ','; text += strspn(text, " \t")) {
    const char *comma = strchr(text, ',');
    if (!comma)
      return false;
    text = comma + 1;
  }
  return true;
}

/* Reads a copy of the text with blanks for commas. */
static void read_numbers(const struct option_row *option, struct option_numbers *numbers, const char *text)
{
  if (strchr(text, ',') && has_gap(text))
    die("'%s' has an empty value", text);
  char *words = tutti_xstrdup(text);
  uint64_t *items = NULL;
  int count = 0;
  for (char *c = words; (c = strchr(c, ','));)
    *c = ' ';
  must(tutti_experiment_parse_list(words, option->number, &items, &count, &failure));
  if (count > MAX_STEPS && !strchr(text, '*'))
    die("'%s' has %d values: give the range a factor, %s*2", text, count, strchr(text, ',') ? "FROM..TO" : text);
  note_end(option, text, words);
  free(words);
  free(numbers->items);
  *numbers = (struct option_numbers){items, count};
}

static void add_word(const char **words, const char *text)
{
  if (!*text)
    die("'%s' has an empty value", text);
  char *longer = *words ? tutti_xprintf("%s %s", *words, text) : tutti_xstrdup(text);
  free((char *)*words);
  *words = longer;
}

void option_read(const struct option_row *option, void *values, const char *text)
{
  void *member = (char *)values + option->offset;
  switch (option->kind) {
  case OPTION_KIND_FLAG:
    *(bool *)member = true;
    break;
  case OPTION_KIND_SET:
    store_integer(option, member, (uint64_t)option->value);
    break;
  case OPTION_KIND_NUMBER:
    read_number(option, member, text);
    break;
  case OPTION_KIND_SIZE:
    read_size(option, member, text);
    break;
  case OPTION_KIND_REAL:
    read_real(option, member, text);
    break;
  case OPTION_KIND_TIME:
    read_time(member, text);
    break;
  case OPTION_KIND_DURATION:
    read_duration(member, text);
    break;
  case OPTION_KIND_WORD:
    read_word(option, member, text);
    break;
  case OPTION_KIND_STRING:
    *(const char **)member = text;
    break;
  case OPTION_KIND_STRINGS:
    tutti_xpush((struct option_strings *)member, text);
    break;
  case OPTION_KIND_WORDS:
    add_word(member, text);
    break;
  case OPTION_KIND_NUMBERS:
    read_numbers(option, member, text);
    break;
  case OPTION_KIND_PARSE:
    option->parse(member, text);
    break;
  default:
    break;
  }
}
