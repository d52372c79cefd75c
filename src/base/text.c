#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

tutti_status tutti_lines_open_stream(struct tutti_lines *lines, FILE *stream, const char *name, tutti_error *error)
{
  *lines = (struct tutti_lines){.path = name, .error = error, .stream = stream};
  if (!stream)
    lines->status = tutti_fail(error, TUTTI_ERR_IO, "%s: %s", name, strerror(errno));
  return lines->status;
}

tutti_status tutti_lines_open(struct tutti_lines *lines, const char *path, tutti_error *error)
{
  return tutti_lines_open_stream(lines, fopen(path, "r"), path, error);
}

tutti_status tutti_lines_open_text(struct tutti_lines *lines, const char *text, size_t length, const char *name,
                                   tutti_error *error)
{
  void *bytes = (void *)text; /* opened for reading only */
  return tutti_lines_open_stream(lines, fmemopen(bytes, length, "r"), name, error);
}

static void cut_end(struct tutti_lines *lines)
{
  if (lines->length > 0 && lines->text[lines->length - 1] == '\n')
    lines->length--;
  if (lines->length > 0 && lines->text[lines->length - 1] == '\r')
    lines->length--;
  lines->text[lines->length] = '\0';
}

bool tutti_lines_next(struct tutti_lines *lines)
{
  if (lines->status != TUTTI_OK)
    return false;
  errno = 0;
  ssize_t length = getline(&lines->text, &lines->capacity, lines->stream);
  if (length < 0) {
    if (!feof(lines->stream))
      lines->status = tutti_fail(lines->error, TUTTI_ERR_IO, "%s: %s", lines->path, strerror(errno));
    return false;
  }
  lines->number++;
  lines->length = (size_t)length;
  if (strlen(lines->text) != lines->length)
    return tutti_lines_fault(lines, "a zero byte: this is not a text file") == TUTTI_OK;
  cut_end(lines);
  return true;
}

tutti_status tutti_lines_fault(struct tutti_lines *lines, const char *format, ...)
{
  if (lines->status != TUTTI_OK)
    return lines->status;
  char reason[TUTTI_ERROR_LENGTH];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  return lines->status = tutti_fail(lines->error, TUTTI_ERR_ARGUMENT, "%s:%d: %s", lines->path, lines->number, reason);
}

tutti_status tutti_lines_close(struct tutti_lines *lines)
{
  if (lines->stream)
    fclose(lines->stream);
  free(lines->text);
  lines->stream = NULL;
  lines->text = NULL;
  return lines->status;
}

const char *tutti_word_value(const char *word, const char *key)
{
  size_t length = strlen(key);
  return strncmp(word, key, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

bool tutti_parse_integer(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
  if (!isdigit((unsigned char)*text))
    return false;
  char *end;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  if (*end || errno == ERANGE || number < min || number > max)
    return false;
  *value = number;
  return true;
}

bool tutti_parse_real(const char *text, double *value)
{
  if (!*text || isspace((unsigned char)*text))
    return false;
  char *end;
  double number = strtod(text, &end);
  if (*end || !isfinite(number))
    return false;
  *value = number;
  return true;
}
