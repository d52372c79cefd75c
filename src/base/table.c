/* Cells, rows and documents; text is in table_text.c. */
#include "base/table.h"

#include "base/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells ---- */

void tutti_cell_format(tutti_cell *cell, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(cell->buffer, sizeof cell->buffer, format, arguments);
  va_end(arguments);
  cell->type = TUTTI_CELL_TEXT;
  cell->text = cell->buffer;
}

void tutti_cell_text(tutti_cell *cell, const char *text)
{
  cell->type = TUTTI_CELL_TEXT;
  cell->text = text;
}

void tutti_cell_boolean(tutti_cell *cell, bool boolean)
{
  cell->type = TUTTI_CELL_BOOLEAN;
  cell->boolean = boolean;
}

void tutti_cell_integer(tutti_cell *cell, int64_t integer)
{
  cell->type = TUTTI_CELL_INTEGER;
  cell->integer = integer;
}

void tutti_cell_count(tutti_cell *cell, uint64_t count)
{
  cell->type = TUTTI_CELL_COUNT;
  cell->count = count;
}

void tutti_cell_real(tutti_cell *cell, double real)
{
  cell->type = TUTTI_CELL_REAL;
  cell->real = real;
}

static void get_member(tutti_cell *cell, tutti_column_type type, const void *member)
{
  switch (type) {
  case TUTTI_COLUMN_TEXT:
    tutti_cell_text(cell, *(const char *const *)member);
    break;
  case TUTTI_COLUMN_CHARS:
    tutti_cell_text(cell, member);
    break;
  case TUTTI_COLUMN_INT:
    tutti_cell_integer(cell, *(const int *)member);
    break;
  case TUTTI_COLUMN_LONG:
    tutti_cell_integer(cell, *(const long *)member);
    break;
  case TUTTI_COLUMN_UNSIGNED:
    tutti_cell_count(cell, *(const unsigned *)member);
    break;
  case TUTTI_COLUMN_COUNT:
    tutti_cell_count(cell, *(const uint64_t *)member);
    break;
  case TUTTI_COLUMN_REAL:
    tutti_cell_real(cell, *(const double *)member);
    break;
  case TUTTI_COLUMN_BOOLEAN:
    tutti_cell_boolean(cell, *(const bool *)member);
    break;
  }
}

void tutti_cell_get(tutti_cell *cell, const tutti_column *column, const void *row)
{
  cell->column = column;
  cell->type = TUTTI_CELL_NONE;
  cell->shown = NULL;
  if (column->through && !(row = *(const void *const *)((const char *)row + column->through - 1)))
    return;
  if (column->get)
    column->get(cell, row);
  else
    get_member(cell, column->type, TUTTI_FIELD_OF(row, column));
  if ((cell->type == TUTTI_CELL_REAL && !isfinite(cell->real)) || (cell->type == TUTTI_CELL_TEXT && !cell->text))
    cell->type = TUTTI_CELL_NONE;
}

static const char *show_real(double real, const tutti_column *column, char *buffer)
{
  const char *suffix = column->suffix ? column->suffix : "";
  if (column->significant > 0)
    snprintf(buffer, TUTTI_CELL_LENGTH, "%.*g%s", column->significant, real, suffix);
  else
    snprintf(buffer, TUTTI_CELL_LENGTH, "%.*f%s", column->decimals, real, suffix);
  return buffer;
}

const char *tutti_cell_show(const tutti_cell *cell, const tutti_column *column, char *buffer)
{
  const char *suffix = column->suffix ? column->suffix : "";
  double scale = column->scale != 0 ? column->scale : 1;
  if (cell->shown)
    return cell->shown;
  switch (cell->type) {
  case TUTTI_CELL_TEXT:
    return cell->text;
  case TUTTI_CELL_INTEGER:
    snprintf(buffer, TUTTI_CELL_LENGTH, "%" PRId64 "%s", cell->integer, suffix);
    return buffer;
  case TUTTI_CELL_COUNT:
    snprintf(buffer, TUTTI_CELL_LENGTH, "%" PRIu64 "%s", cell->count, suffix);
    return buffer;
  case TUTTI_CELL_REAL:
    return show_real(scale * cell->real, column, buffer);
  case TUTTI_CELL_BOOLEAN:
    return cell->boolean ? "yes" : "no";
  case TUTTI_CELL_NONE:
    break;
  }
  return column->none ? column->none : "-";
}

/* ---- rows ---- */

tutti_status tutti_table_add(tutti_table *table, const void *row, tutti_error *error)
{
  if (table->row_count == table->capacity) {
    size_t capacity = table->capacity ? 2 * table->capacity : 16;
    void *larger = reallocarray(table->owned, capacity, table->row_size);
    if (!larger)
      return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %zu rows of a table", capacity);
    table->rows = table->owned = larger;
    table->capacity = capacity;
  }
  memcpy((char *)table->owned + table->row_count++ * table->row_size, row, table->row_size);
  return TUTTI_OK;
}

void tutti_table_free(tutti_table *table)
{
  free(table->owned);
  table->rows = table->owned = NULL;
  table->row_count = table->capacity = 0;
}

static const void *row_at(const tutti_table *table, size_t index)
{
  return (const char *)table->rows + index * table->row_size;
}

/* ---- JSON ---- */

static void write_cell(const tutti_column *column, const char *key, const void *row, tutti_json *json)
{
  tutti_cell cell;
  tutti_cell_get(&cell, column, row);
  switch (cell.type) {
  case TUTTI_CELL_TEXT:
    tutti_json_string(json, key, cell.text);
    break;
  case TUTTI_CELL_INTEGER:
    tutti_json_integer(json, key, cell.integer);
    break;
  case TUTTI_CELL_COUNT:
    tutti_json_count(json, key, cell.count);
    break;
  case TUTTI_CELL_REAL:
    tutti_json_real(json, key, cell.real, column->digits);
    break;
  case TUTTI_CELL_BOOLEAN:
    tutti_json_boolean(json, key, cell.boolean);
    break;
  case TUTTI_CELL_NONE:
    tutti_json_null(json, key);
    break;
  }
}

static void write_column(const tutti_column *column, const char *key, const void *row, tutti_json *json)
{
  if (column->nested) {
    tutti_table table = {.key = key};
    column->nested(&table, row);
    tutti_table_write_json(&table, json);
    tutti_table_free(&table);
  } else if (column->list) {
    column->list(json, row, column);
  } else {
    write_cell(column, key, row, json);
  }
}

/* Bytes of "a." in the key "a.x"; 0 if the key names no object. */
static size_t object_length(const char *key)
{
  const char *dot = strchr(key, '.');
  return dot ? (size_t)(dot - key) + 1 : 0;
}

void tutti_row_write_json(const tutti_column *columns, int count, const void *row, tutti_json *json)
{
  const char *object = ""; /* the open one, as a key in it */
  for (int i = 0; i < count; i++) {
    const tutti_column *column = &columns[i];
    if (!column->key)
      continue;
    size_t length = object_length(column->key), open = object_length(object);
    if (length != open || strncmp(column->key, object, length) != 0) {
      char name[64];
      snprintf(name, sizeof name, "%.*s", (int)length - 1, column->key);
      if (open > 0)
        tutti_json_end(json);
      if (length > 0)
        tutti_json_object(json, name);
    }
    object = column->key;
    write_column(column, column->key + length, row, json);
  }
  if (object_length(object) > 0)
    tutti_json_end(json);
}

void tutti_table_write_json(const tutti_table *table, tutti_json *json)
{
  tutti_json_array(json, table->key);
  for (size_t i = 0; i < table->row_count; i++) {
    tutti_json_object(json, NULL);
    tutti_row_write_json(table->columns, table->column_count, row_at(table, i), json);
    tutti_json_end(json);
  }
  tutti_json_end(json);
}

static void write_json(const tutti_document *document, FILE *stream)
{
  tutti_json json = tutti_json_begin(stream);
  if (document->line_depth > 0)
    json.line_depth = document->line_depth;
  bool object = document->fact_count > 0 || document->table_count != 1 || document->tables[0].key;
  if (object)
    tutti_json_object(&json, NULL);
  tutti_row_write_json(document->facts, document->fact_count, document->about, &json);
  for (int i = 0; i < document->table_count; i++)
    tutti_table_write_json(&document->tables[i], &json);
  if (object)
    tutti_json_end(&json);
}

/* ---- CSV ---- */

static bool is_in_csv(const tutti_column *column)
{
  return column->key && !column->list && !column->nested;
}

static void write_field(FILE *stream, const char *text)
{
  size_t length = strlen(text);
  bool quoted = strpbrk(text, "\",\r\n") || (length > 0 && (text[0] == ' ' || text[length - 1] == ' ')) ||
                strncmp(text, "::", 2) == 0; /* no command of GitHub Actions at the beginning of a line */
  fputs(quoted ? "\"" : "", stream);
  while (*text) {
    if (*text == '"')
      fputc('"', stream);
    if (strchr("\r\n\t", *text))
      fputc(*text++, stream);
    else
      text += tutti_utf8_put(stream, text);
  }
  fputs(quoted ? "\"" : "", stream);
}

static void write_value(const tutti_column *column, const void *row, FILE *stream)
{
  static const tutti_column plain = {.none = ""};
  tutti_cell cell;
  char buffer[TUTTI_CELL_LENGTH];
  tutti_cell_get(&cell, column, row);
  cell.shown = NULL;
  if (cell.type == TUTTI_CELL_REAL)
    fprintf(stream, "%.*g", column->digits > 0 ? column->digits : 12, cell.real);
  else if (cell.type == TUTTI_CELL_BOOLEAN)
    fputs(cell.boolean ? "true" : "false", stream);
  else
    write_field(stream, tutti_cell_show(&cell, &plain, buffer));
}

static bool has_key(const tutti_table *table, const char *key)
{
  for (int i = 0; i < table->column_count; i++)
    if (is_in_csv(&table->columns[i]) && strcmp(table->columns[i].key, key) == 0)
      return true;
  return false;
}

/* The keys if `row` is NULL. Facts are before a table, and without those whose key the table has. */
static bool write_fields(const tutti_column *columns, int count, const void *row, bool first, const tutti_table *before,
                         FILE *stream)
{
  for (int i = 0; i < count; i++) {
    const tutti_column *column = &columns[i];
    if (!is_in_csv(column) || (before && has_key(before, column->key)))
      continue;
    if (!first)
      fputc(',', stream);
    if (row)
      write_value(column, row, stream);
    else
      write_field(stream, column->key);
    first = false;
  }
  return first;
}

static void write_record(const tutti_document *document, const tutti_table *table, const void *row, FILE *stream)
{
  bool first = write_fields(document->facts, document->fact_count, row ? document->about : NULL, true, table, stream);
  write_fields(table->columns, table->column_count, row, first, NULL, stream);
  fputs("\r\n", stream);
}

static void write_csv(const tutti_document *document, FILE *stream)
{
  static const tutti_table facts_only = {.row_count = 1, .rows = ""};
  const tutti_table *tables = document->table_count > 0 ? document->tables : &facts_only;
  int count = document->table_count > 0 ? document->table_count : 1;
  for (const tutti_table *table = tables; table < tables + count; table++) {
    if (table > tables)
      fputs("\r\n", stream);
    write_record(document, table, NULL, stream);
    for (size_t i = 0; i < table->row_count; i++)
      write_record(document, table, row_at(table, i), stream);
  }
}

/* ---- documents ---- */

static tutti_status print_texts(const tutti_document *document, bool latex, FILE *stream, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < document->table_count && status == TUTTI_OK; i++) {
    if (i > 0)
      fputc('\n', stream);
    status = (latex ? tutti_table_print_latex : tutti_table_print)(&document->tables[i], stream, error);
  }
  return status;
}

tutti_status tutti_document_print(const tutti_document *document, tutti_format format, FILE *stream, tutti_error *error)
{
  if (format == TUTTI_FORMAT_TEXT || format == TUTTI_FORMAT_LATEX)
    return print_texts(document, format == TUTTI_FORMAT_LATEX, stream, error);
  if (format == TUTTI_FORMAT_JSON)
    write_json(document, stream);
  else
    write_csv(document, stream);
  return ferror(stream) ? tutti_fail(error, TUTTI_ERR_IO, "a table cannot be written: %s", strerror(errno)) : TUTTI_OK;
}
