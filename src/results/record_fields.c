/* Fields of a record line: finding them, and reading words, whole numbers and seconds with errors that name the field.
 */
#include "results/record_fields.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int field_index(const struct record_layout *layout, const char *name, size_t length)
{
  for (int i = 0; layout->fields[i]; i++)
    if (strlen(layout->fields[i]) == length && memcmp(layout->fields[i], name, length) == 0)
      return i;
  return -1;
}

static void take_field(struct record_fields *fields, const char *token, size_t length)
{
  const char *equals = memchr(token, '=', length);
  if (!equals) {
    fields->status = tutti_fail(fields->error, TUTTI_ERR_ARGUMENT, "%s: '%.*s' is not of the form NAME=VALUE",
                                fields->layout->keyword, (int)(length < 40 ? length : 40), token);
    return;
  }
  int index = field_index(fields->layout, token, (size_t)(equals - token));
  if (index < 0)
    return;
  if (fields->values[index]) {
    fields->status = tutti_fail(fields->error, TUTTI_ERR_ARGUMENT, "%s: field '%s' stands there twice",
                                fields->layout->keyword, fields->layout->fields[index]);
    return;
  }
  fields->values[index] = equals + 1;
  fields->lengths[index] = length - (size_t)(equals + 1 - token);
}

void tutti_record_fields_take(struct record_fields *fields, const char *rest)
{
  static const char blanks[] = " \t\r";
  for (rest += strspn(rest, blanks); *rest && fields->status == TUTTI_OK; rest += strspn(rest, blanks)) {
    size_t length = strcspn(rest, blanks);
    take_field(fields, rest, length);
    rest += length;
  }
  for (int i = 0; fields->layout->fields[i + fields->layout->optional] && fields->status == TUTTI_OK; i++)
    if (!fields->values[i])
      fields->status = tutti_fail(fields->error, TUTTI_ERR_ARGUMENT, "%s: field '%s' is missing",
                                  fields->layout->keyword, fields->layout->fields[i]);
}

static void refuse(struct record_fields *fields, int index, const char *expected)
{
  size_t length = fields->lengths[index];
  fields->status =
      tutti_fail(fields->error, TUTTI_ERR_ARGUMENT, "%s: field '%s' is '%.*s', not %s", fields->layout->keyword,
                 fields->layout->fields[index], (int)(length < 40 ? length : 40), fields->values[index], expected);
}

/* The index of a field of the layout, or -1 once something failed. */
static int usable(const struct record_fields *fields, const char *name)
{
  return fields->status == TUTTI_OK ? field_index(fields->layout, name, strlen(name)) : -1;
}

bool tutti_record_fields_has(const struct record_fields *fields, const char *name)
{
  int index = usable(fields, name);
  return index >= 0 && fields->values[index];
}

void tutti_record_fields_text(struct record_fields *fields, const char *name, char *text, size_t capacity)
{
  int index = usable(fields, name);
  if (index < 0)
    return;
  size_t length = fields->lengths[index];
  if (length == 0 || length >= capacity) {
    char expected[48];
    snprintf(expected, sizeof expected, "a word of 1 to %zu characters", capacity - 1);
    refuse(fields, index, expected);
    return;
  }
  memcpy(text, fields->values[index], length);
  text[length] = '\0';
}

static bool read_digits(const char *text, size_t length, uint64_t *number)
{
  *number = 0;
  for (size_t i = 0; i < length; i++) {
    if (!isdigit((unsigned char)text[i]) || __builtin_mul_overflow(*number, 10, number) ||
        __builtin_add_overflow(*number, (uint64_t)(text[i] - '0'), number))
      return false;
  }
  return length > 0;
}

uint64_t tutti_record_fields_number(struct record_fields *fields, const char *name, uint64_t least, uint64_t most)
{
  int index = usable(fields, name);
  uint64_t number = 0;
  if (index < 0)
    return 0;
  if (read_digits(fields->values[index], fields->lengths[index], &number) && number >= least && number <= most)
    return number;
  char expected[80];
  snprintf(expected, sizeof expected, "a whole number from %" PRIu64 " to %" PRIu64, least, most);
  refuse(fields, index, expected);
  return 0;
}

/* A finite number in decimal notation; otherwise the field is refused as not what was expected. */
static double read_real(struct record_fields *fields, const char *name, const char *expected)
{
  int index = usable(fields, name);
  char text[48];
  tutti_record_fields_text(fields, name, text, sizeof text);
  if (index < 0 || fields->status != TUTTI_OK)
    return 0;
  char *end = text;
  double number = strspn(text, "0123456789.eE+-") == strlen(text) ? strtod(text, &end) : 0;
  if (end == text || *end != '\0' || !isfinite(number))
    refuse(fields, index, expected);
  return number;
}

double tutti_record_fields_seconds(struct record_fields *fields, const char *name)
{
  return read_real(fields, name, "a finite number of seconds");
}

double tutti_record_fields_real(struct record_fields *fields, const char *name)
{
  return read_real(fields, name, "a finite number");
}

double tutti_record_fields_fraction(struct record_fields *fields, const char *name)
{
  static const char expected[] = "a number from 0 to 1";
  double number = read_real(fields, name, expected);
  if (fields->status == TUTTI_OK && !(number >= 0 && number <= 1))
    refuse(fields, usable(fields, name), expected);
  return fields->status == TUTTI_OK ? number : 0;
}

uint64_t tutti_record_fields_hexadecimal(struct record_fields *fields, const char *name)
{
  int index = usable(fields, name);
  char text[17];
  if (index < 0)
    return 0;
  if (fields->lengths[index] != 16 || strspn(fields->values[index], "0123456789abcdef") < 16) {
    refuse(fields, index, "16 hexadecimal digits");
    return 0;
  }
  memcpy(text, fields->values[index], 16);
  text[16] = '\0';
  return strtoull(text, NULL, 16);
}

void tutti_record_fields_fault(struct record_fields *fields, const char *sentence)
{
  if (fields->status == TUTTI_OK)
    fields->status = tutti_fail(fields->error, TUTTI_ERR_ARGUMENT, "%s: %s", fields->layout->keyword, sentence);
}
