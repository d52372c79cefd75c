/* Rows in points files: their keys, one point a line. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "decision/results/row.h"

/* A key that a line may name. */
static bool is_said(const struct tutti_row_column *column)
{
  return tutti_column_is_key(column) && !(column->flags & TUTTI_ROW_COLUMN_LAUNCH);
}

static const char *name_of(const struct tutti_row_column *column)
{
  return column->in_points ? column->in_points : column->name;
}

static int place(const struct tutti_row_column *column)
{
  enum { BEHIND = 100 };
  if (!is_said(column))
    return -1;
  return column->record ? column->record : BEHIND;
}

/* ---- out ---- */

static char *format_value(const struct tutti_row_column *column, const void *row, char *text)
{
  if (column->type != TUTTI_ROW_COLUMN_EXACT)
    return tutti_row_format(column, row, text);
  const tutti_group_sample *sample = (const void *)((const char *)row + column->offset);
  snprintf(text, TUTTI_ROW_VALUE_TEXT, "%d", sample->members);
  return text;
}

char *tutti_row_format_point(const struct tutti_row_kind *kind, const void *row, char *text)
{
  const struct tutti_row_column *columns[TUTTI_ROW_COLUMNS_MAX];
  size_t count = tutti_columns_select(kind, place, columns), used = 0;
  char value[TUTTI_ROW_VALUE_TEXT];
  text[0] = '\0';
  for (size_t i = 0; i < count && used < TUTTI_ROW_POINT; i++) {
    bool word = columns[i]->type == TUTTI_ROW_COLUMN_STRING;
    if (!word && !tutti_row_applies(kind, columns[i], row))
      continue;
    format_value(columns[i], row, value);
    if (i == 0)
      used += (size_t)snprintf(text, TUTTI_ROW_POINT, "%s", value);
    else if (!(columns[i]->flags & TUTTI_ROW_COLUMN_OPTIONAL) || strcmp(value, columns[i]->standard) != 0)
      used += (size_t)snprintf(text + used, TUTTI_ROW_POINT - used, " %s=%s", name_of(columns[i]), value);
  }
  return text;
}

/* ---- in ---- */

/* A line on its way: which columns it has named. */
struct reading {
  const struct tutti_row_kind *kind;
  const struct tutti_row_column *columns[TUTTI_ROW_COLUMNS_MAX];
  size_t count;
  bool seen[TUTTI_ROW_COLUMNS_MAX];
  void *row;
};

static tutti_status parse_members(const struct reading *reading, const struct tutti_row_column *column,
                                  const char *text, tutti_error *error)
{
  struct tutti_row_column members = *column;
  members.type = TUTTI_ROW_COLUMN_INT;
  members.name = name_of(column);
  members.offset += offsetof(tutti_group_sample, members);
  return tutti_row_parse(reading->kind, &members, text, strlen(text), reading->row, error);
}

static tutti_status parse_value(const struct reading *reading, const struct tutti_row_column *column, const char *text,
                                tutti_error *error)
{
  if (column->type == TUTTI_ROW_COLUMN_EXACT)
    return parse_members(reading, column, text, error);
  if (column->type == TUTTI_ROW_COLUMN_FRACTION) /* the later one counts */
    ((tutti_group_sample *)(void *)((char *)reading->row + column->offset))->members = -1;
  return tutti_row_parse(reading->kind, column, text, strlen(text), reading->row, error);
}

/* The column that NAME=VALUE names; count: no such column. */
static size_t find_key(const struct reading *reading, const char *word)
{
  size_t length = strcspn(word, "="), i = 1;
  while (i < reading->count &&
         (strlen(name_of(reading->columns[i])) != length || memcmp(name_of(reading->columns[i]), word, length) != 0))
    i++;
  return word[length] == '=' ? i : reading->count;
}

static tutti_status take_word(struct reading *reading, const char *word, tutti_error *error)
{
  bool first = !reading->seen[0];
  size_t key = first ? 0 : find_key(reading, word);
  if (key >= reading->count)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "cannot use '%s'", word);
  if (reading->seen[key])
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' stands there twice", name_of(reading->columns[key]));
  reading->seen[key] = true;
  return parse_value(reading, reading->columns[key], first ? word : strchr(word, '=') + 1, error);
}

/* Keys that were not named. */
static tutti_status fill_in(struct reading *reading, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < reading->count && status == TUTTI_OK; i++) {
    const struct tutti_row_column *column = reading->columns[i];
    bool applies = tutti_row_applies(reading->kind, column, reading->row);
    if (reading->seen[i] || (!applies && column->type != TUTTI_ROW_COLUMN_STRING))
      continue;
    if (!column->standard)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: '%s' is missing", reading->kind->keyword, name_of(column));
    status = parse_value(reading, column, applies ? column->standard : "-", error);
  }
  return status;
}

/* Exact columns begin with 0, until a word sets them. */
static void set_exact_to_zero(const struct tutti_row_kind *kind, void *row)
{
  const struct tutti_row_value no = {.class = TUTTI_ROW_VALUE_INTEGER, .integer = 0};
  for (size_t i = 0; i < kind->count; i++)
    if (kind->columns[i].type == TUTTI_ROW_COLUMN_EXACT)
      tutti_row_set(&kind->columns[i], row, &no, NULL);
}

tutti_status tutti_row_parse_point(const struct tutti_row_kind *kind, const char *line, int ranks, void *row,
                                   tutti_error *error)
{
  struct reading reading = {.kind = kind, .row = row};
  char word[TUTTI_ROW_VALUE_TEXT];
  tutti_status status = TUTTI_OK;
  reading.count = tutti_columns_select(kind, place, reading.columns);
  set_exact_to_zero(kind, row);
  tutti_row_set_integer(kind, row, "ranks", ranks);
  for (line += strspn(line, " \t\r"); *line && status == TUTTI_OK; line += strspn(line, " \t\r")) {
    size_t length = strcspn(line, " \t\r");
    if (length >= sizeof word)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "cannot use '%.*s...'", 95, line);
    memcpy(word, line, length);
    word[length] = '\0';
    status = take_word(&reading, word, error);
    line += length;
  }
  return status == TUTTI_OK ? fill_in(&reading, error) : status;
}
