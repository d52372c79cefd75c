/* Results in points files: their keys, one point a line. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/result_words.h"
#include "tutti/result.h"

/* ---- out ---- */

char *tutti_result_format_point(const tutti_result *result, char *text)
{
  const tutti_result_layout *layout = tutti_result_layout_of(result->kind);
  size_t used = (size_t)snprintf(text, TUTTI_RESULT_POINT_LENGTH, "%s", result->values[0].word);
  for (int f = 1; f < layout->field_count && layout->fields[f].key; f++) {
    const tutti_field *field = &layout->fields[f];
    if (f == layout->ranks)
      continue;
    if (field->type == TUTTI_FIELD_WORD)
      snprintf(text + used, TUTTI_RESULT_POINT_LENGTH - used, " %s=%s", field->name, result->values[f].word);
    else
      snprintf(text + used, TUTTI_RESULT_POINT_LENGTH - used, " %s=%" PRIu64, field->name, result->values[f].whole);
    used += strlen(text + used);
  }
  return text;
}

/* ---- in ---- */

static tutti_status parse_word(const char *keyword, const tutti_field *field, const char *text, tutti_value *value,
                               tutti_error *error)
{
  if (!*text || strlen(text) >= sizeof value->word)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: field '%s' is '%.40s', not a word of 1 to %zu characters",
                      keyword, field->name, text, sizeof value->word - 1);
  if (field->words && !tutti_result_word_is_among(field->words, text))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: field '%s' is '%s', not one of: %s", keyword, field->name, text,
                      field->words);
  memcpy(value->word, text, strlen(text) + 1);
  return TUTTI_OK;
}

static tutti_status parse_whole(const char *keyword, const tutti_field *field, const char *text, tutti_value *value,
                                tutti_error *error)
{
  char *end;
  errno = 0;
  uint64_t number = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || errno || number < field->least || number > field->most)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s: field '%s' is '%.40s', not a whole number from %" PRIu64 " to %" PRIu64, keyword,
                      field->name, text, field->least, field->most);
  value->whole = number;
  return TUTTI_OK;
}

tutti_status tutti_result_parse_value(tutti_result *result, int field, const char *text, tutti_error *error)
{
  const tutti_result_layout *layout = tutti_result_layout_of(result->kind);
  const tutti_field *described = &layout->fields[field];
  if (described->type == TUTTI_FIELD_SECONDS || described->type == TUTTI_FIELD_REAL)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: field '%s' is measured", layout->keyword, described->name);
  return (described->type == TUTTI_FIELD_WORD ? parse_word : parse_whole)(layout->keyword, described, text,
                                                                          &result->values[field], error);
}

/* The key NAME of NAME=VALUE; -1: there is none that may be named. */
static int find_key(const tutti_result_layout *layout, const char *word)
{
  size_t length = strcspn(word, "=");
  for (int f = 1; word[length] == '=' && f < layout->field_count && layout->fields[f].key; f++)
    if (f != layout->ranks && strlen(layout->fields[f].name) == length &&
        memcmp(layout->fields[f].name, word, length) == 0)
      return f;
  return -1;
}

static tutti_status take_word(const tutti_result_layout *layout, const char *word, bool first, uint32_t *seen,
                              tutti_result *result, tutti_error *error)
{
  int field = first ? 0 : find_key(layout, word);
  if (field < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "cannot use '%s'", word);
  if (*seen & UINT32_C(1) << field)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' stands there twice", layout->fields[field].name);
  *seen |= UINT32_C(1) << field;
  return tutti_result_parse_value(result, field, first ? word : strchr(word, '=') + 1, error);
}

/* Keys that were not named. */
static tutti_status fill_in(const tutti_result_layout *layout, uint32_t seen, tutti_result *result, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int f = 0; f < layout->field_count && layout->fields[f].key && status == TUTTI_OK; f++) {
    const tutti_field *field = &layout->fields[f];
    if (f == layout->ranks || seen & UINT32_C(1) << f)
      continue;
    if (!field->usual)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: '%s' is missing", layout->keyword, field->name);
    status = tutti_result_parse_value(result, f, tutti_result_applies(result, f) ? field->usual : "-", error);
  }
  return status;
}

_Static_assert(TUTTI_RESULT_FIELDS <= 32, "a bit each");

tutti_status tutti_result_parse_point(const char *line, int ranks, tutti_result *result, tutti_error *error)
{
  const tutti_result_layout *layout = tutti_result_layout_of(result->kind);
  char word[2 * TUTTI_RESULT_WORD];
  uint32_t seen = 0;
  tutti_status status = TUTTI_OK;
  if (layout->ranks >= 0)
    result->values[layout->ranks].whole = (uint64_t)ranks;
  for (line += strspn(line, " \t\r"); *line && status == TUTTI_OK; line += strspn(line, " \t\r")) {
    size_t length = strcspn(line, " \t\r");
    if (length >= sizeof word)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "cannot use '%.*s...'", (int)sizeof word - 1, line);
    memcpy(word, line, length);
    word[length] = '\0';
    status = take_word(layout, word, seen == 0, &seen, result, error);
    line += length;
  }
  return status == TUTTI_OK ? fill_in(layout, seen, result, error) : status;
}
