/* Records: one line each, KEYWORD v=1 and NAME=VALUE fields without blanks, according to the columns of the kind. */
#include "tutti/record.h"

#include <inttypes.h>
#include <string.h>

#include "decision/results/row.h"

enum { RECORD_VERSION = 1 };

static const char blanks[] = " \t\r";

/* ---- printing ---- */

static int place(const struct tutti_row_column *column)
{
  enum { BEHIND = 100 };
  if (column->flags & TUTTI_ROW_COLUMN_UNRECORDED)
    return -1;
  return column->record ? column->record : BEHIND;
}

void tutti_record_print(FILE *stream, const tutti_record *record)
{
  const struct tutti_row_column *columns[TUTTI_ROW_COLUMNS_MAX];
  char text[TUTTI_ROW_VALUE_TEXT];
  const void *row;
  const struct tutti_row_kind *kind = tutti_kind_of_record(record, &row);
  if (!kind)
    return;
  size_t count = tutti_columns_select(kind, place, columns);
  fprintf(stream, "%s v=%d", kind->keyword, RECORD_VERSION);
  for (size_t i = 0; i < count; i++) {
    tutti_row_format(columns[i], row, text);
    if (!(columns[i]->flags & TUTTI_ROW_COLUMN_OPTIONAL) || strcmp(text, columns[i]->standard) != 0)
      fprintf(stream, " %s=%s", columns[i]->name, text);
  }
  fputc('\n', stream);
}

/* ---- reading ---- */

/* A parsed line: the positions of values in it, by column; NULL: absent. */
struct fields {
  const struct tutti_row_kind *kind;
  const char *values[TUTTI_ROW_COLUMNS_MAX];
  size_t lengths[TUTTI_ROW_COLUMNS_MAX];
  const char *version;
  size_t version_length;
};

static bool begins_with(const char *line, const char *keyword)
{
  size_t length = strlen(keyword);
  return strncmp(line, keyword, length) == 0 && (line[length] == '\0' || strchr(" \t\r", line[length]));
}

static bool is_named(const char *name, const char *text, size_t length)
{
  return strlen(name) == length && memcmp(name, text, length) == 0;
}

/* Where to put the value of a field; false: the field is unknown, and ignored. */
static bool find_field(struct fields *fields, const char *name, size_t length, const char ***value,
                       size_t **value_length)
{
  if (is_named("v", name, length)) {
    *value = &fields->version;
    *value_length = &fields->version_length;
    return true;
  }
  for (size_t i = 0; i < fields->kind->count; i++)
    if (!(fields->kind->columns[i].flags & TUTTI_ROW_COLUMN_UNRECORDED) &&
        is_named(fields->kind->columns[i].name, name, length)) {
      *value = &fields->values[i];
      *value_length = &fields->lengths[i];
      return true;
    }
  return false;
}

static tutti_status take_field(struct fields *fields, const char *token, size_t length, tutti_error *error)
{
  const char *equals = memchr(token, '=', length), **value;
  size_t *value_length;
  if (!equals)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: '%.*s' is not of the form NAME=VALUE", fields->kind->keyword,
                      (int)(length < 40 ? length : 40), token);
  int name = (int)(equals - token);
  if (!find_field(fields, token, (size_t)name, &value, &value_length))
    return TUTTI_OK;
  if (*value)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: field '%.*s' stands there twice", fields->kind->keyword, name,
                      token);
  *value = equals + 1;
  *value_length = length - (size_t)name - 1;
  return TUTTI_OK;
}

static tutti_status find_missing(const struct fields *fields, tutti_error *error)
{
  const char *missing = fields->version ? NULL : "v";
  for (size_t i = 0; i < fields->kind->count && !missing; i++)
    if (!fields->values[i] && !(fields->kind->columns[i].flags &
                                (TUTTI_ROW_COLUMN_UNRECORDED | TUTTI_ROW_COLUMN_OPTIONAL | TUTTI_ROW_COLUMN_COMPUTED)))
      missing = fields->kind->columns[i].name;
  if (!missing)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: field '%s' is missing", fields->kind->keyword, missing);
}

/* Take apart what follows the keyword. */
static tutti_status take_apart(struct fields *fields, const char *rest, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (rest += strspn(rest, blanks); *rest && status == TUTTI_OK; rest += strspn(rest, blanks)) {
    size_t length = strcspn(rest, blanks);
    status = take_field(fields, rest, length, error);
    rest += length;
  }
  return status == TUTTI_OK ? find_missing(fields, error) : status;
}

static tutti_status check_version(const struct fields *fields, tutti_error *error)
{
  static const char known[] = {'0' + RECORD_VERSION, '\0'};
  if (is_named(known, fields->version, fields->version_length))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: version %.*s of the record, but this program reads version %s only",
                    fields->kind->keyword, (int)(fields->version_length < 40 ? fields->version_length : 40),
                    fields->version, known);
}

/* A program must have measured its record: at least once, and a time above 0. */
static tutti_status check_timed(const struct tutti_row_kind *kind, const void *row, tutti_error *error)
{
  const struct tutti_row_column *minimum = tutti_column_find(kind, "minimum_s");
  if (tutti_row_integer(kind, row, "repetitions", 1) == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: field 'repetitions' is '0', not a whole number from 1 on",
                      kind->keyword);
  if (minimum && tutti_row_number(minimum, row) < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: field 'minimum_s' is '%g', but nothing takes less than no time",
                      kind->keyword, tutti_row_number(minimum, row));
  return TUTTI_OK;
}

/* Set a column: its value in the line, else its default. */
static tutti_status read_column(const struct fields *fields, size_t i, void *row, tutti_error *error)
{
  const struct tutti_row_column *column = &fields->kind->columns[i];
  if (column->flags & TUTTI_ROW_COLUMN_COMPUTED)
    return TUTTI_OK;
  if (fields->values[i])
    return tutti_row_parse(fields->kind, column, fields->values[i], fields->lengths[i], row, error);
  if (column->flags & TUTTI_ROW_COLUMN_OPTIONAL)
    return tutti_row_parse(fields->kind, column, column->standard, strlen(column->standard), row, error);
  return TUTTI_OK;
}

static tutti_status read_row(const struct fields *fields, void *row, tutti_error *error)
{
  const struct tutti_row_kind *kind = fields->kind;
  tutti_status status = check_version(fields, error);
  for (size_t i = 0; i < kind->count && status == TUTTI_OK; i++)
    status = read_column(fields, i, row, error);
  if (status != TUTTI_OK || !kind->table)
    return status;
  tutti_row_set_integer(kind, row, "ranks_per_node", 1);
  if (kind->complete)
    kind->complete(row);
  if (kind->derive)
    status = kind->derive(row, error);
  if (status == TUTTI_OK)
    status = check_timed(kind, row, error);
  return status == TUTTI_OK ? tutti_row_validate(kind, row, error) : status;
}

/* The kind of record that a line begins like. */
static const struct tutti_row_kind *find_kind(const char *line, tutti_record *record)
{
  static const tutti_record_kind kinds[TUTTI_ROW_RECORDS] = {
      [TUTTI_ROW_MEASUREMENT] = TUTTI_RECORD_MEASUREMENT,
      [TUTTI_ROW_GROUP] = TUTTI_RECORD_GROUP,
      [TUTTI_ROW_PARAMETER] = TUTTI_RECORD_PARAMETER,
      [TUTTI_ROW_RUN] = TUTTI_RECORD_RUN,
      [TUTTI_ROW_END] = TUTTI_RECORD_END,
  };
  for (int row = 0; row < TUTTI_ROW_RECORDS; row++)
    if (begins_with(line, tutti_kind_of((enum tutti_row)row)->keyword)) {
      record->kind = kinds[row] ? kinds[row] : TUTTI_RECORD_RESULT;
      if (!kinds[row])
        record->result.kind = (tutti_result_kind)(row - TUTTI_ROW_SORT);
      return tutti_kind_of((enum tutti_row)row);
    }
  return NULL;
}

const struct tutti_row_kind *tutti_record_unknown(const char *line, const char **field, size_t *length)
{
  tutti_record record;
  struct fields fields = {.kind = find_kind(line, &record)};
  const char **value, *at = *field ? *field + *length : fields.kind ? line + strlen(fields.kind->keyword) : NULL;
  size_t *value_length;
  while (fields.kind && *(at += strspn(at, blanks))) {
    *length = strcspn(at, blanks);
    const char *equals = memchr(at, '=', *length);
    *field = at;
    if (equals && !find_field(&fields, at, (size_t)(equals - at), &value, &value_length))
      return fields.kind;
    at += *length;
  }
  return NULL;
}

tutti_status tutti_record_parse(const char *line, tutti_record *record, tutti_error *error)
{
  const void *row;
  memset(record, 0, sizeof *record);
  struct fields fields = {.kind = find_kind(line, record)};
  if (!fields.kind)
    return TUTTI_OK;
  tutti_kind_of_record(record, &row);
  tutti_status status = take_apart(&fields, line + strlen(fields.kind->keyword), error);
  if (status == TUTTI_OK)
    status = read_row(&fields, (void *)row, error);
  if (status != TUTTI_OK)
    memset(record, 0, sizeof *record);
  return status;
}
