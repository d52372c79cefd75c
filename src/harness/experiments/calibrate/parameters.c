#include "harness/experiments/calibrate/fit.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* The number at a place of a value, "0:1e-6:0;65536:2e-6:0": its beginning, and its length; 0: there is none. */
static size_t find_number(const char *value, int place, const char **start)
{
  const char *at = value;
  for (int found = 0; *at;) {
    char *end;
    if (!isdigit((unsigned char)*at)) {
      at++;
      continue;
    }
    strtod(at, &end);
    if (++found == place) {
      *start = at;
      return (size_t)(end - at);
    }
    at = end;
  }
  return 0;
}

/* ---- reading ---- */

/* An edit returns what it replaces. */
static tutti_status read_before(struct fit_parameter *parameter, const char *path, tutti_error *error)
{
  tutti_edited_platform edited;
  char *edit = tutti_xprintf("%s=*2", parameter->edit);
  const tutti_status status = tutti_platform_edit(path, (const char *const[]){edit}, 1, &edited, error);
  const char *start;
  free(edit);
  if (status != TUTTI_OK)
    return status;
  parameter->before = tutti_xstrdup(edited.changes[0].before);
  tutti_edited_platform_free(&edited);
  if (parameter->place == 0)
    return TUTTI_OK;
  if (find_number(parameter->before, parameter->place, &start) == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s': \"%s\" has no number %d", parameter->text, parameter->before,
                      parameter->place);
  if (!(strtod(start, NULL) > 0))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s': number %d of \"%s\" is 0, which no factor changes",
                      parameter->text, parameter->place, parameter->before);
  return TUTTI_OK;
}

static bool read_bounds(const char *text, double *low, double *high)
{
  const char *dots = strstr(text, "..");
  char *first = dots ? tutti_xstrndup(text, (size_t)(dots - text)) : NULL;
  const bool good = dots && tutti_parse_real(first, low) && tutti_parse_real(dots + 2, high) && *low > 0 && *low <= 1 &&
                    *high >= 1 && *low < *high && isfinite(*high);
  free(first);
  return good;
}

tutti_status tutti_fit_parameter_parse(const char *text, const char *path, struct fit_parameters *parameters,
                                       tutti_error *error)
{
  struct fit_parameter parameter = {.text = text, .factor = 1, .error = INFINITY};
  const char *equals = strrchr(text, '=');
  if (!equals || equals == text || !read_bounds(equals + 1, &parameter.low, &parameter.high))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "'%s' is not EDIT=LOW..HIGH, a word or an XPath of tutti whatif with factors around 1", text);
  parameter.edit = tutti_xstrndup(text, (size_t)(equals - text));
  char *mark = strrchr(parameter.edit, '#');
  uint64_t place = 0;
  const bool good = !mark || tutti_parse_integer(mark + 1, 1, 1000, &place);
  if (mark)
    *mark = '\0';
  parameter.place = (int)place;
  tutti_xpush(parameters, parameter);
  if (!good)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s': after '#' a place from 1 on is expected", text);
  return read_before(&parameters->items[parameters->count - 1], path, error);
}

void tutti_fit_parameters_free(struct fit_parameters *parameters)
{
  for (size_t i = 0; i < parameters->count; i++) {
    free(parameters->items[i].edit);
    free(parameters->items[i].before);
  }
  tutti_vector_free(parameters);
}

/* ---- edits ---- */

static bool is_same_value(const struct fit_parameter *left, const struct fit_parameter *right)
{
  return left->place > 0 && right->place > 0 && strcmp(left->edit, right->edit) == 0;
}

/* The value with all its numbers that are varied. */
char *tutti_fit_parameter_value(const struct fit_parameters *parameters, const struct fit_parameter *parameter)
{
  char *value = tutti_xstrdup(parameter->before);
  for (size_t i = 0; i < parameters->count; i++) {
    const struct fit_parameter *each = &parameters->items[i];
    const char *start;
    if (!is_same_value(parameter, each))
      continue;
    const size_t length = find_number(value, each->place, &start);
    char *next =
        tutti_xprintf("%.*s%.6g%s", (int)(start - value), value, strtod(start, NULL) * each->factor, start + length);
    free(value);
    value = next;
  }
  return value;
}

/* A value that is set as a whole is set at the first of its numbers. */
static bool is_first(const struct fit_parameters *parameters, size_t index)
{
  for (size_t i = 0; i < index; i++)
    if (is_same_value(&parameters->items[i], &parameters->items[index]))
      return false;
  return true;
}

void tutti_fit_parameters_edits(const struct fit_parameters *parameters, struct fit_edits *edits)
{
  for (size_t i = 0; i < parameters->count; i++) {
    const struct fit_parameter *parameter = &parameters->items[i];
    char *value = parameter->place == 0 ? tutti_xprintf("*%.9g", parameter->factor)
                                        : tutti_fit_parameter_value(parameters, parameter);
    const bool changes = strcmp(value, parameter->before) != 0 && strcmp(value, "*1") != 0;
    if (changes && is_first(parameters, i))
      tutti_xpush(edits, tutti_xprintf("%s=%s", parameter->edit, value));
    free(value);
  }
}

void tutti_fit_edits_free(struct fit_edits *edits)
{
  for (size_t i = 0; i < edits->count; i++)
    free((char *)edits->items[i]);
  tutti_vector_free(edits);
}
