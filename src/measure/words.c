#include "measure/words.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

tutti_status tutti_position_complain(const struct position *at, tutti_status status, const char *message,
                                     tutti_error *error)
{
  if (!at->name)
    return tutti_fail(error, status, "command line: %s", message);
  return tutti_fail(error, status, "%s:%d: %s", at->name, at->line, message);
}

tutti_status tutti_word_complain(const struct position *at, const char *what, const char *word, tutti_error *error)
{
  tutti_error reason;
  tutti_fail(&reason, TUTTI_ERR_ARGUMENT, "%s '%s'", what, word);
  return tutti_position_complain(at, TUTTI_ERR_ARGUMENT, reason.message, error);
}

bool tutti_word_number(const char *text, uint64_t most, uint64_t *value)
{
  char *end;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  *value = number;
  return errno == 0 && end != text && *end == '\0' && *text != '-' && number <= most;
}

const char *tutti_word_value(const char *word, const char *key)
{
  size_t length = strlen(key);
  return strncmp(word, key, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

bool tutti_word_take_int(const char *word, const char *key, int *target)
{
  const char *value = tutti_word_value(word, key);
  uint64_t number;
  if (!value || !tutti_word_number(value, INT_MAX, &number))
    return false;
  *target = (int)number;
  return true;
}

bool tutti_word_take_real(const char *word, const char *key, double *target)
{
  const char *value = tutti_word_value(word, key);
  char *end;
  if (!value)
    return false;
  *target = strtod(value, &end);
  return end != value && *end == '\0';
}

bool tutti_word_take_seconds(const char *word, const char *key, double *target)
{
  return tutti_word_take_real(word, key, target) && *target >= 0 && *target < 1;
}

static bool take_confidence(const char *word, tutti_measure *measure)
{
  return tutti_word_take_real(word, "confidence", &measure->confidence) && measure->confidence > 0;
}

static bool take_scheme(const char *word, tutti_measure *measure)
{
  const char *value = tutti_word_value(word, "scheme");
  return value && tutti_scheme_parse_ours(value, &measure->scheme, NULL) == TUTTI_OK;
}

static tutti_status parse_header(char *line, tutti_measure *measure, int *ranks_per_node, const struct position *at,
                                 tutti_error *error)
{
  char *word = strtok_r(line, " ", &line);
  if (!word || strcmp(word, "tutti-points") != 0)
    return tutti_word_complain(at, "expected a tutti-points line instead of", word ? word : "", error);
  int version = 0;
  while ((word = strtok_r(NULL, " ", &line))) {
    bool taken = tutti_word_take_int(word, "v", &version) || tutti_word_take_int(word, "warmup", &measure->warmup) ||
                 tutti_word_take_int(word, "repetitions_max", &measure->repetitions_max) ||
                 take_confidence(word, measure) || take_scheme(word, measure) ||
                 tutti_word_take_int(word, "ranks_per_node", ranks_per_node);
    if (!taken)
      return tutti_word_complain(at, "cannot use", word, error);
  }
  if (version != 1 || measure->repetitions_max < 1 || *ranks_per_node < 1)
    return tutti_word_complain(at, "needs v=1, repetitions_max and ranks_per_node of at least 1 in", "tutti-points",
                               error);
  return TUTTI_OK;
}

tutti_status tutti_lines_parse(char *text, const char *name, const struct lines *lines, tutti_error *error)
{
  struct position at = {name, 1};
  char *line = strsep(&text, "\n");
  tutti_status status = parse_header(line, lines->measure, lines->ranks_per_node, &at, error);
  while (status == TUTTI_OK && (line = strsep(&text, "\n"))) {
    at.line++;
    if (*line != '\0')
      status = lines->take(lines->points, line, &at, error);
  }
  return status;
}

size_t tutti_count_lines(const char *text)
{
  size_t lines = 1;
  for (; (text = strchr(text, '\n')); text++)
    lines++;
  return lines;
}
