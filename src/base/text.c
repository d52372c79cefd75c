#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"

enum { MAX_LINE = 16 << 20 };

tutti_status tutti_lines_open_stream(struct tutti_lines *lines, FILE *stream, const char *name, tutti_error *error)
{
  *lines = (struct tutti_lines){.path = name, .error = error, .stream = stream, .left = TUTTI_INPUT_RECORDS};
  if (!stream)
    lines->status = tutti_fail(error, TUTTI_ERR_IO, "%s: %s", name, strerror(errno));
  return lines->status;
}

tutti_status tutti_lines_open(struct tutti_lines *lines, const char *path, uint64_t limit, tutti_error *error)
{
  *lines = (struct tutti_lines){.path = path, .error = error, .left = limit};
  lines->stream = tutti_input_open(path, limit, error);
  return lines->status = lines->stream ? TUTTI_OK : TUTTI_ERR_IO;
}

tutti_status tutti_lines_open_text(struct tutti_lines *lines, const char *text, size_t length, const char *name,
                                   tutti_error *error)
{
  void *bytes = (void *)text; /* opened for reading only */
  return tutti_lines_open_stream(lines, fmemopen(bytes, length, "r"), name, error);
}

/* Append a byte, or the zero byte after the line. */
static tutti_status append(struct tutti_lines *lines, char byte)
{
  if (!tutti_grow(&lines->text, lines->length, &lines->capacity, 1, 1))
    return lines->status = tutti_fail(lines->error, TUTTI_ERR_MEMORY, "%s: out of memory", lines->path);
  lines->text[lines->length] = byte;
  return TUTTI_OK;
}

/* What packed the file, or how it is encoded; NULL at its later lines, too. */
static const char *find_packing(const struct tutti_lines *lines)
{
  if (lines->number > 1)
    return NULL;
  if (lines->length > 1 && (memcmp(lines->text, "\xff\xfe", 2) == 0 || memcmp(lines->text, "\xfe\xff", 2) == 0))
    return "in UTF-16: make it UTF-8 (iconv -f UTF-16 -t UTF-8)";
  return tutti_input_packing(lines->text, lines->length);
}

static tutti_status refuse_bytes(struct tutti_lines *lines)
{
  const char *packing = find_packing(lines);
  return packing
             ? lines->status = tutti_fail(lines->error, TUTTI_ERR_ARGUMENT, TUTTI_INPUT_PACKED, lines->path, packing)
             : tutti_lines_fault(lines, TUTTI_ZERO_BYTE);
}

/* Up to the end of the line or the file, which is returned, or to the first fault. */
static int read_line(struct tutti_lines *lines)
{
  int byte;
  for (lines->length = 0; (byte = getc_unlocked(lines->stream)) != EOF && byte != '\n'; lines->length++)
    if (byte == '\0' && !lines->zeros)
      return refuse_bytes(lines), byte;
    else if (lines->length >= MAX_LINE)
      return tutti_lines_fault(lines, "a line of more than %d MB", MAX_LINE >> 20), byte;
    else if (append(lines, (char)byte) != TUTTI_OK)
      return byte;
  return byte;
}

bool tutti_lines_next(struct tutti_lines *lines)
{
  if (lines->status != TUTTI_OK)
    return false;
  errno = 0;
  lines->number++;
  const int end = read_line(lines);
  lines->ended = end != EOF;
  if (lines->status != TUTTI_OK)
    return false;
  if (ferror(lines->stream))
    lines->status = tutti_fail(lines->error, TUTTI_ERR_IO, "%s: %s", lines->path, strerror(errno));
  else if (lines->length > lines->left)
    lines->status = tutti_fail(lines->error, TUTTI_ERR_IO, "%s: too long", lines->path);
  if (lines->status != TUTTI_OK || (end == EOF && lines->length == 0))
    return lines->number--, false;
  lines->left -= lines->length;
  if (find_packing(lines))
    return refuse_bytes(lines), false;
  if (lines->length > 0 && lines->text[lines->length - 1] == '\r')
    lines->length--;
  if (append(lines, '\0') != TUTTI_OK)
    return false;
  const size_t mark = lines->number == 1 ? tutti_input_mark(lines->text) : 0;
  memmove(lines->text, lines->text + mark, (lines->length -= mark) + 1);
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

tutti_status tutti_lines_leave(struct tutti_lines *lines, tutti_status status)
{
  lines->stream = NULL;
  const tutti_status ended = tutti_lines_close(lines);
  return status == TUTTI_OK ? ended : status;
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
