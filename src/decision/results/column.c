/* Values of columns: how a member of a row is taken out, set, read from text, checked and compared. */
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/utf8.h"
#include "base/words.h"
#include "decision/results/pattern.h"
#include "decision/results/row.h"
#include "tutti/plugin.h"

static const void *member(const struct tutti_row_column *column, const void *row)
{
  return (const char *)row + column->offset;
}

/* ---- out ---- */

static const char *code_of(const tutti_method *method, char *room)
{
  uint64_t code = method->algorithm ? tutti_method_code(method) : 0;
  snprintf(room, TUTTI_ROW_VALUE_TEXT, code ? "%016" PRIx64 : "none", code);
  return room;
}

static const char *text_of(const struct tutti_row_column *column, const void *at, char *room)
{
  const tutti_method *method = at;
  const tutti_group_builder *const *builder = at;
  switch (column->type) {
  case TUTTI_ROW_COLUMN_METHOD:
    return method->algorithm ? tutti_method_format(method, room) : NULL;
  case TUTTI_ROW_COLUMN_CODE:
    return code_of(method, room);
  case TUTTI_ROW_COLUMN_SCHEME:
    return tutti_scheme_name(*(const tutti_scheme *)at);
  case TUTTI_ROW_COLUMN_ARRIVAL:
    return tutti_arrival_format(at, room);
  case TUTTI_ROW_COLUMN_NOISE:
    return tutti_noise_format(at, room);
  case TUTTI_ROW_COLUMN_BUILDER:
    return *builder ? tutti_group_builder_name(*builder) : NULL;
  case TUTTI_ROW_COLUMN_QUANTITY:
    return tutti_quantity_name(*(const tutti_quantity *)at);
  case TUTTI_ROW_COLUMN_UNIT:
    return tutti_quantity_unit(*(const tutti_quantity *)at);
  case TUTTI_ROW_COLUMN_HEX:
    snprintf(room, TUTTI_ROW_VALUE_TEXT, "%016" PRIx64, *(const uint64_t *)at);
    return room;
  default:
    return at;
  }
}

static uint64_t integer_of(const struct tutti_row_column *column, const void *at)
{
  const int number = column->type == TUTTI_ROW_COLUMN_INT ? *(const int *)at : 0;
  switch (column->type) {
  case TUTTI_ROW_COLUMN_INT:
    return (uint64_t)(int64_t)number;
  case TUTTI_ROW_COLUMN_EXACT:
    return ((const tutti_group_sample *)at)->members >= 0;
  case TUTTI_ROW_COLUMN_MESSAGES:
    return tutti_group_counted_messages(at);
  default:
    return *(const uint64_t *)at;
  }
}

static bool has_value(const struct tutti_row_column *column, const tutti_parameter *parameter)
{
  const char *unit = tutti_quantity_unit(parameter->quantity);
  return unit && strcmp(unit, tutti_column_unit(column)) == 0;
}

static double real_of(const struct tutti_row_column *column, const void *at)
{
  const tutti_group_sample *sample = at;
  if (column->type == TUTTI_ROW_COLUMN_FRACTION)
    return sample->members >= 0 ? (double)sample->members / sample->size : sample->fraction;
  return column->type == TUTTI_ROW_COLUMN_VALUE ? ((const tutti_parameter *)at)->value : *(const double *)at;
}

void tutti_row_get(const struct tutti_row_column *column, const void *row, struct tutti_row_value *cell)
{
  const void *at = member(column, row);
  cell->class = tutti_column_class(column);
  if (cell->class == TUTTI_ROW_VALUE_STRING) {
    const char *text = text_of(column, at, cell->room);
    cell->text = text ? text : "";
  } else if (cell->class == TUTTI_ROW_VALUE_INTEGER)
    cell->integer = integer_of(column, at);
  else if (column->type == TUTTI_ROW_COLUMN_VALUE && !has_value(column, at))
    cell->class = TUTTI_ROW_VALUE_NULL;
  else
    cell->real = real_of(column, at);
}

double tutti_row_number(const struct tutti_row_column *column, const void *row)
{
  struct tutti_row_value cell;
  tutti_row_get(column, row, &cell);
  return cell.class == TUTTI_ROW_VALUE_REAL      ? cell.real
         : cell.class == TUTTI_ROW_VALUE_INTEGER ? (double)(int64_t)cell.integer
                                                 : NAN;
}

/* The shortest text that reads as the same number. */
static void format_shortest(double number, char *text)
{
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, TUTTI_ROW_VALUE_TEXT, "%.*g", digits, number);
    if (strtod(text, NULL) == number)
      return;
  }
}

/* Blanks would end a word, and an empty one would be refused. */
/* One word in UTF-8, which readers require, whatever the name of a library. */
static void format_word(const char *word, char *text)
{
  size_t used = 0;
  uint32_t code;
  for (int length; (length = tutti_utf8_decode(word, &code)) != 0; word += length < 0 ? 1 : length) {
    if (used + (size_t)(length < 0 ? 1 : length) >= TUTTI_ROW_VALUE_TEXT)
      break;
    unsigned char c = (unsigned char)*word;
    if (length > 1)
      memcpy(text + used, word, (size_t)length);
    else
      text[used] = length < 0 ? '?' : isspace(c) || iscntrl(c) ? '-' : (char)c;
    used += length < 0 ? 1 : (size_t)length;
  }
  strcpy(text + used, used ? "" : "-");
}

char *tutti_row_format(const struct tutti_row_column *column, const void *row, char *text)
{
  struct tutti_row_value cell;
  tutti_row_get(column, row, &cell);
  if (cell.class == TUTTI_ROW_VALUE_STRING)
    format_word(cell.text, text);
  else if (cell.class == TUTTI_ROW_VALUE_NULL)
    strcpy(text, "-");
  else if (column->type == TUTTI_ROW_COLUMN_FRACTION)
    format_shortest(cell.real, text);
  else if (cell.class == TUTTI_ROW_VALUE_REAL)
    snprintf(text, TUTTI_ROW_VALUE_TEXT, "%.12g", cell.real);
  else
    snprintf(text, TUTTI_ROW_VALUE_TEXT, column->type == TUTTI_ROW_COLUMN_INT ? "%" PRId64 : "%" PRIu64, cell.integer);
  return text;
}

/* ---- in ---- */

static tutti_status set_builder(const tutti_group_builder **builder, const char *name, tutti_error *error)
{
  *builder = tutti_group_builder_find(name, error);
  return *builder ? TUTTI_OK : TUTTI_ERR_ARGUMENT;
}

/* A row in memory is of the loaded code. One without a code was written by hand. */
static tutti_status set_code(const tutti_method *method, const char *text, tutti_error *error)
{
  char loaded[TUTTI_ROW_VALUE_TEXT];
  if (strcmp(text, "none") == 0 || strcmp(text, code_of(method, loaded)) == 0)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "code=%.20s: the plug-in that is loaded has code %s: it was changed",
                    text, loaded);
}

static tutti_status set_string(const struct tutti_row_column *column, void *at, const char *text, tutti_error *error)
{
  size_t length = strlen(text);
  if (length >= column->size)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s '%.40s...' is longer than %zu characters", column->name, text,
                      column->size - 1);
  memcpy(at, text, length + 1);
  return TUTTI_OK;
}

static tutti_status set_text(const struct tutti_row_column *column, void *at, const char *text, tutti_error *error)
{
  switch (column->type) {
  case TUTTI_ROW_COLUMN_METHOD:
    return tutti_method_parse(text, at, error);
  case TUTTI_ROW_COLUMN_CODE:
    return set_code(at, text, error);
  case TUTTI_ROW_COLUMN_SCHEME:
    return tutti_scheme_parse(text, at, error);
  case TUTTI_ROW_COLUMN_ARRIVAL:
    return tutti_arrival_parse(text, at, error);
  case TUTTI_ROW_COLUMN_NOISE:
    return tutti_noise_parse(text, at, error);
  case TUTTI_ROW_COLUMN_BUILDER:
    return set_builder(at, text, error);
  case TUTTI_ROW_COLUMN_QUANTITY:
    return tutti_quantity_parse(text, at, error);
  case TUTTI_ROW_COLUMN_HEX:
    *(uint64_t *)at = strtoull(text, NULL, 16);
    return TUTTI_OK;
  case TUTTI_ROW_COLUMN_STRING:
    return set_string(column, at, text, error);
  default:
    return TUTTI_OK;
  }
}

static void set_integer(const struct tutti_row_column *column, void *at, uint64_t integer)
{
  if (column->type == TUTTI_ROW_COLUMN_INT)
    *(int *)at = (int)integer;
  else if (column->type == TUTTI_ROW_COLUMN_EXACT)
    ((tutti_group_sample *)at)->members = integer ? 0 : -1; /* another column has the number */
  else if (column->type == TUTTI_ROW_COLUMN_INTEGER)
    *(uint64_t *)at = integer;
}

static void set_real(const struct tutti_row_column *column, void *at, double real)
{
  if (column->type == TUTTI_ROW_COLUMN_FRACTION)
    ((tutti_group_sample *)at)->fraction = real;
  else if (column->type == TUTTI_ROW_COLUMN_VALUE)
    ((tutti_parameter *)at)->value = real;
  else
    *(double *)at = real;
}

tutti_status tutti_row_set(const struct tutti_row_column *column, void *row, const struct tutti_row_value *cell,
                           tutti_error *error)
{
  void *at = (char *)row + column->offset;
  if (cell->class == TUTTI_ROW_VALUE_STRING)
    return set_text(column, at, cell->text, error);
  if (cell->class == TUTTI_ROW_VALUE_INTEGER)
    set_integer(column, at, cell->integer);
  else if (cell->class == TUTTI_ROW_VALUE_REAL)
    set_real(column, at, cell->real);
  return TUTTI_OK;
}

/* ---- possible values ---- */

uint64_t tutti_column_max(const struct tutti_row_column *column)
{
  if (column->max)
    return column->max;
  return column->type == TUTTI_ROW_COLUMN_INTEGER ? INT64_MAX : column->type == TUTTI_ROW_COLUMN_EXACT ? 1 : INT_MAX;
}

bool tutti_column_holds(const struct tutti_row_column *column, uint64_t integer)
{
  return integer >= column->min && integer <= tutti_column_max(column);
}

static bool is_real(const struct tutti_row_column *column, double real)
{
  bool from_0 = column->type != TUTTI_ROW_COLUMN_DIFFERENCE && column->type != TUTTI_ROW_COLUMN_REAL;
  return isfinite(real) && (!from_0 || real >= 0) && (column->type != TUTTI_ROW_COLUMN_FRACTION || real <= 1);
}

/* "a whole number from 1 to 2147483647"; returns @p text of TUTTI_ROW_VALUE_TEXT bytes. */
static const char *expected(const struct tutti_row_column *column, char *text)
{
  static const char *const reals[TUTTI_ROW_COLUMN_TYPES] = {
      [TUTTI_ROW_COLUMN_SECONDS] = "a finite number of seconds from 0 on",
      [TUTTI_ROW_COLUMN_DIFFERENCE] = "a finite number of seconds",
      [TUTTI_ROW_COLUMN_REAL] = "a finite number",
      [TUTTI_ROW_COLUMN_FRACTION] = "a number from 0 to 1",
      [TUTTI_ROW_COLUMN_VALUE] = "a finite number of seconds from 0 on",
      [TUTTI_ROW_COLUMN_HEX] = "16 hexadecimal digits",
  };
  if (reals[column->type])
    return reals[column->type];
  if (tutti_column_class(column) == TUTTI_ROW_VALUE_INTEGER)
    snprintf(text, TUTTI_ROW_VALUE_TEXT, "a whole number from %" PRIu64 " to %" PRIu64, column->min,
             tutti_column_max(column));
  else
    snprintf(text, TUTTI_ROW_VALUE_TEXT, "a word of 1 to %zu characters",
             column->type == TUTTI_ROW_COLUMN_STRING ? column->size - 1 : TUTTI_ROW_VALUE_TEXT - (size_t)1);
  return text;
}

static tutti_status check_among(const struct tutti_row_kind *kind, const struct tutti_row_column *column,
                                const char *word, tutti_error *error)
{
  if (!column->words || tutti_word_is_listed(column->words, ' ', word))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: field '%s' is '%s', not one of: %s", kind->keyword, column->name,
                    word, column->words);
}

/* ---- from text ---- */

static tutti_status refuse(const struct tutti_row_kind *kind, const struct tutti_row_column *column, const char *text,
                           size_t length, tutti_error *error)
{
  char wanted[TUTTI_ROW_VALUE_TEXT];
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: field '%s' is '%.*s', not %s", kind->keyword, column->name,
                    (int)(length < 40 ? length : 40), text, expected(column, wanted));
}

/* In decimal notation. */
static bool read_real(const char *text, size_t length, double *number)
{
  char copy[48], *end;
  if (length == 0 || length >= sizeof copy)
    return false;
  memcpy(copy, text, length);
  copy[length] = '\0';
  if (strspn(copy, "0123456789.eE+-") < length)
    return false;
  *number = strtod(copy, &end);
  return end > copy && *end == '\0';
}

static tutti_status parse_word(const struct tutti_row_kind *kind, const struct tutti_row_column *column,
                               const char *word, void *row, tutti_error *error)
{
  void *at = (char *)row + column->offset;
  if (column->type == TUTTI_ROW_COLUMN_SCHEME) /* schemes of programs of other projects are not in records */
    return tutti_scheme_parse_ours(word, at, error);
  if (column->type == TUTTI_ROW_COLUMN_UNIT) {
    const char *unit = tutti_quantity_unit(*(const tutti_quantity *)at);
    return strcmp(word, unit) == 0 ? TUTTI_OK
                                   : tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: the unit of %s is %s", kind->keyword,
                                                tutti_quantity_name(*(const tutti_quantity *)at), unit);
  }
  if (column->flags & TUTTI_ROW_COLUMN_MAY_BE_EMPTY && strcmp(word, "-") == 0)
    word = "";
  tutti_status status = check_among(kind, column, word, error);
  return status == TUTTI_OK ? set_text(column, at, word, error) : status;
}

static tutti_status parse_text(const struct tutti_row_kind *kind, const struct tutti_row_column *column,
                               const char *text, size_t length, void *row, tutti_error *error)
{
  char word[TUTTI_ROW_VALUE_TEXT];
  size_t room = column->type == TUTTI_ROW_COLUMN_STRING ? column->size : sizeof word;
  bool hexadecimal = column->type == TUTTI_ROW_COLUMN_HEX;
  if (length == 0 || length >= room || (hexadecimal && length != 16))
    return refuse(kind, column, text, length, error);
  memcpy(word, text, length);
  word[length] = '\0';
  if (!tutti_utf8_is_valid(word))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: field '%s' is not UTF-8", kind->keyword, column->name);
  if (hexadecimal && strspn(word, "0123456789abcdef") < 16)
    return refuse(kind, column, text, length, error);
  return parse_word(kind, column, word, row, error);
}

tutti_status tutti_row_parse(const struct tutti_row_kind *kind, const struct tutti_row_column *column, const char *text,
                             size_t length, void *row, tutti_error *error)
{
  struct tutti_row_value cell = {.class = tutti_column_class(column)};
  if (cell.class == TUTTI_ROW_VALUE_STRING)
    return parse_text(kind, column, text, length, row, error);
  bool good = cell.class == TUTTI_ROW_VALUE_INTEGER
                  ? tutti_pattern_parse_digits(text, length, &cell.integer) && tutti_column_holds(column, cell.integer)
                  : read_real(text, length, &cell.real) && is_real(column, cell.real);
  return good ? tutti_row_set(column, row, &cell, error) : refuse(kind, column, text, length, error);
}

/* ---- in rows ---- */

static bool is_word(const char *word, size_t room)
{
  size_t length = 0;
  for (; length < room && word[length]; length++)
    if (!isgraph((unsigned char)word[length]))
      return false;
  return length > 0 && length < room;
}

/* Something that has a name. */
static bool is_known(const struct tutti_row_column *column, const void *at)
{
  char room[TUTTI_ROW_VALUE_TEXT];
  if (column->type == TUTTI_ROW_COLUMN_METHOD)
    return ((const tutti_method *)at)->algorithm;
  return column->type == TUTTI_ROW_COLUMN_ARRIVAL || column->type == TUTTI_ROW_COLUMN_NOISE ||
         column->type == TUTTI_ROW_COLUMN_HEX || text_of(column, at, room);
}

static tutti_status check_string(const struct tutti_row_kind *kind, const struct tutti_row_column *column,
                                 const char *word, tutti_error *error)
{
  if (!*word && column->flags & TUTTI_ROW_COLUMN_MAY_BE_EMPTY)
    return TUTTI_OK;
  if (!is_word(word, column->size))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: field '%s' is not one word of less than %zu characters",
                      kind->keyword, column->name, column->size);
  return check_among(kind, column, word, error);
}

tutti_status tutti_column_check(const struct tutti_row_kind *kind, const struct tutti_row_column *column,
                                const void *row, tutti_error *error)
{
  struct tutti_row_value cell;
  char text[TUTTI_ROW_VALUE_TEXT], wanted[TUTTI_ROW_VALUE_TEXT];
  if (column->type == TUTTI_ROW_COLUMN_STRING)
    return check_string(kind, column, member(column, row), error);
  if (tutti_column_class(column) == TUTTI_ROW_VALUE_STRING)
    return is_known(column, member(column, row))
               ? TUTTI_OK
               : tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: no known %s", kind->keyword, column->name);
  tutti_row_get(column, row, &cell);
  if (cell.class == TUTTI_ROW_VALUE_NULL ||
      (cell.class == TUTTI_ROW_VALUE_INTEGER ? tutti_column_holds(column, cell.integer) : is_real(column, cell.real)))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: field '%s' is %s, not %s", kind->keyword, column->name,
                    tutti_row_format(column, row, text), expected(column, wanted));
}

int tutti_column_compare(const struct tutti_row_column *column, const void *left, const void *right)
{
  const void *a = member(column, left), *b = member(column, right);
  struct tutti_row_value l, r;
  switch (column->type) {
  case TUTTI_ROW_COLUMN_STRING:
    return strcmp(a, b);
  case TUTTI_ROW_COLUMN_METHOD:
    return tutti_method_compare(a, b);
  case TUTTI_ROW_COLUMN_CODE: /* follows from the method */
    return 0;
  case TUTTI_ROW_COLUMN_SCHEME:
  case TUTTI_ROW_COLUMN_QUANTITY:
  case TUTTI_ROW_COLUMN_INT:
    return THREE_WAY(*(const int *)a, *(const int *)b);
  case TUTTI_ROW_COLUMN_INTEGER:
    return THREE_WAY(*(const uint64_t *)a, *(const uint64_t *)b);
  case TUTTI_ROW_COLUMN_ARRIVAL:
    return tutti_arrival_compare(a, b);
  case TUTTI_ROW_COLUMN_NOISE:
    return tutti_noise_compare(a, b);
  default:
    tutti_row_get(column, left, &l);
    tutti_row_get(column, right, &r);
  }
  if (l.class == TUTTI_ROW_VALUE_STRING)
    return strcmp(l.text, r.text);
  return l.class == TUTTI_ROW_VALUE_INTEGER ? THREE_WAY(l.integer, r.integer) : THREE_WAY(l.real, r.real);
}

_Static_assert(sizeof(tutti_scheme) == sizeof(int) && sizeof(tutti_quantity) == sizeof(int),
               "they are compared as int");
_Static_assert(TUTTI_ROW_VALUE_TEXT >= TUTTI_ARRIVAL_LENGTH && TUTTI_ROW_VALUE_TEXT >= TUTTI_NOISE_LENGTH,
               "texts have room");
