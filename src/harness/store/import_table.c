/* Tables of other benchmarks: a format declares its columns, and this reads all of them. */
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/store/import_file.h"

#define LONGEST 1e9 /* seconds: what is longer was printed by a fault */

static const char blanks[] = " \t\r\n";

/* ---- cells ---- */

/* Cut the first of the cells off; returns the text after it, or NULL after the last. Quotes go; of two within quotes
   one stays (RFC 4180). */
static char *cut_quoted(char *text, char separator)
{
  char *end = text;
  for (bool quoted = false; *text && (quoted || *text != separator); text++)
    if (quoted && text[0] == '"' && text[1] == '"')
      *end++ = *text++;
    else if (*text == '"')
      quoted = !quoted;
    else
      *end++ = *text;
  const bool more = *text == separator;
  *end = '\0';
  return more ? text + 1 : NULL;
}

static char *cut_blank(char *text)
{
  char *end = text + strcspn(text, blanks), *next = end + strspn(end, blanks);
  *end = '\0';
  return *next ? next : NULL;
}

int tutti_import_cut(char *line, enum import_cut cut, char **cells)
{
  int count = 0;
  char *cell = line + (cut == CUT_BLANKS ? strspn(line, blanks) : 0);
  for (cell = cut == CUT_BLANKS && !*cell ? NULL : cell; cell; count++) {
    if (count < IMPORT_WORDS)
      cells[count] = cell;
    if (cut == CUT_TABS)
      strsep(&cell, "\t");
    else
      cell = cut == CUT_BLANKS ? cut_blank(cell) : cut_quoted(cell, cut == CUT_COMMAS ? ',' : ';');
  }
  return count;
}

int tutti_import_cells(struct import_table *table, char *line)
{
  char *cells[IMPORT_WORDS];
  const int count = tutti_import_cut(line, table->known->cut, cells);
  memset(table->cells, 0, sizeof table->cells);
  for (int i = 0; i < count && i < table->count && i < IMPORT_WORDS; i++)
    table->cells[table->fields[i]] = cells[i];
  return count;
}

/* ---- headings ---- */

/* Length of one of the headings at the beginning of a text, before one of the ends; 0: it is another one. */
static size_t match(const char *headings, const char *text, const char *ends)
{
  const char *at = text;
  for (; *headings && *headings != '|'; headings++) {
    const size_t length =
        *headings == '*' ? strspn(at, "0123456789") : tolower((unsigned char)*at) == tolower((unsigned char)*headings);
    if (length == 0)
      break;
    at += length;
  }
  if ((!*headings || *headings == '|') && strchr(ends, *at))
    return (size_t)(at - text);
  headings = strchr(headings, '|');
  return headings ? match(headings + 1, text, ends) : 0;
}

/* Add the column whose heading is at the beginning of a text; returns its length, 0 if it is unknown. */
static size_t add_column(struct import_table *table, const char *text)
{
  const struct import_columns *known = table->known;
  const char *ends = known->cut == CUT_BLANKS ? blanks : "";
  size_t length = 0;
  int c = 0;
  while (known->items[c].headings && (length = match(known->items[c].headings, text, ends)) == 0)
    c++;
  const enum import_field field = known->items[c].field;
  if (table->count < IMPORT_WORDS)
    table->fields[table->count] = field;
  table->count++;
  table->seen[field]++;
  return length;
}

const char *tutti_import_headings(struct import_table *table, char *line)
{
  const char *unknown = NULL;
  char *cells[IMPORT_WORDS];
  table->count = 0;
  memset(table->seen, 0, sizeof table->seen);
  if (table->known->cut != CUT_BLANKS) {
    const int count = tutti_import_cut(line, table->known->cut, cells);
    for (int i = 0; i < count && i < IMPORT_WORDS; i++)
      unknown = add_column(table, cells[i]) == 0 && !unknown ? cells[i] : unknown;
    return unknown;
  }
  for (const char *text = line; *(text += strspn(text, blanks));) { /* some headings have a blank in them */
    const size_t length = add_column(table, text);
    unknown = length == 0 && !unknown ? text : unknown;
    text += length > 0 ? length : strcspn(text, blanks);
  }
  return unknown;
}

/* ---- numbers ---- */

bool tutti_import_time(const char *text, double unit, double *number)
{
  char *end;
  if (!isdigit((unsigned char)*text) || text[strspn(text, "0123456789.eE+-")] != '\0')
    return false;
  const double given = strtod(text, &end);
  *number = unit * given;
  return *end == '\0' && *number <= LONGEST && (given == 0 || isnormal(*number));
}

static tutti_status fail(const struct import_file *file, const char *text, const char *why, tutti_error *error)
{
  return tutti_import_fail(file, error, why, "'%.40s'", text);
}

static tutti_status read_times(const struct import_file *file, const struct import_table *table, tutti_measurement *row,
                               tutti_error *error)
{
  double *const times[FIELDS] = {[FIELD_MINIMUM] = &row->minimum,
                                 [FIELD_MEDIAN] = &row->median,
                                 [FIELD_MEAN] = &row->mean,
                                 [FIELD_MAXIMUM] = &row->maximum,
                                 [FIELD_RUNTIME] = &row->mean};
  for (int f = FIELD_MINIMUM; f <= FIELD_RUNTIME; f++)
    if (table->cells[f] && !tutti_import_time(table->cells[f], table->known->unit, times[f]))
      return fail(file, table->cells[f], "not a time", error);
  const double usual = table->cells[FIELD_MEDIAN] ? row->median : row->mean;
  for (int f = FIELD_MINIMUM; f <= FIELD_MAXIMUM; f++)
    if (!table->cells[f])
      *times[f] = usual;
  return TUTTI_OK;
}

tutti_status tutti_import_numbers(const struct import_file *file, const struct import_table *table, uint64_t *size,
                                  tutti_measurement *row, tutti_error *error)
{
  uint64_t repetitions = 1;
  for (int f = FIELD_SIZE; f <= FIELD_COUNT; f++)
    if (table->cells[f] && !tutti_import_whole(table->cells[f], size))
      return fail(file, table->cells[f], "not a size", error);
  for (int f = FIELD_REPETITIONS; f <= FIELD_VALID; f++)
    if (table->cells[f] && !tutti_parse_integer(table->cells[f], f == FIELD_REPETITIONS, INT_MAX, &repetitions))
      return fail(file, table->cells[f], "not a number of repetitions", error);
  if (table->cells[FIELD_VERDICT] && strcmp(table->cells[FIELD_VERDICT], "Pass") != 0)
    return fail(file, table->cells[FIELD_VERDICT], tutti_import_wrong, error);
  double wrong = 0;
  if (table->cells[FIELD_WRONG] && (!tutti_parse_real(table->cells[FIELD_WRONG], &wrong) || wrong != 0))
    return fail(file, table->cells[FIELD_WRONG], tutti_import_wrong, error);
  row->repetitions = (int)repetitions;
  return repetitions > 0 ? read_times(file, table, row, error) : TUTTI_OK;
}

/* ---- benchmarks of OSU and IMB: means over a loop by size ---- */

tutti_status tutti_import_begin_table(struct import_file *file, struct import_benchmark *benchmark,
                                      const struct import_columns *known, char *line, tutti_error *error)
{
  struct import_table *table = &benchmark->table;
  table->known = known;
  const char *unknown = tutti_import_headings(table, line);
  table->open = unknown != NULL;
  if (unknown) { /* how many columns it heads is not known: some headings have a blank in them */
    line[unknown - line] = '\0';
    tutti_import_headings(table, line);
  }
  if (table->count <= IMPORT_WORDS && table->seen[FIELD_MEAN] == 1 &&
      table->seen[FIELD_SIZE] == (benchmark->collective != TUTTI_COLL_BARRIER))
    tutti_import_end_left(file);
  else {
    const bool long_one = table->count > IMPORT_WORDS, timed = table->seen[FIELD_MEAN] == 1;
    table->count = 0;
    return tutti_import_fail_table(file, error, "headings that are not understood", "%s without its column of %s",
                                   tutti_collective_name(benchmark->collective),
                                   long_one ? "more than 64"
                                   : timed  ? "sizes"
                                            : "times");
  }
  file->imported->tables++;
  return TUTTI_OK;
}

/* Bytes of the row in elements of the message or of one block; false: the blocks are not equal. */
static bool count_elements(const struct import_benchmark *benchmark, uint64_t bytes, uint64_t *count)
{
  uint64_t unit = benchmark->type_size * (benchmark->total ? (uint64_t)benchmark->ranks : 1);
  *count = bytes / unit;
  return bytes % unit == 0;
}

tutti_status tutti_import_table_row(struct import_file *file, struct import_benchmark *benchmark, tutti_scheme scheme,
                                    char *line, tutti_error *error)
{
  struct import_table *table = &benchmark->table;
  tutti_measurement row = {.scheme = scheme, .ranks = benchmark->ranks, .type_size = benchmark->type_size};
  uint64_t bytes = 0;
  if (table->count == 0 && tutti_import_leaves_row(file))
    return TUTTI_OK;
  if (table->count == 0)
    return tutti_import_fail(file, error, "a row before its header", "%s", "");
  const int count = tutti_import_cells(table, line);
  if (table->open ? count < table->count : count != table->count)
    return tutti_import_fail(file, error, "not as many words as headings", "%d under %d", count, table->count);
  tutti_status status = tutti_import_numbers(file, table, &bytes, &row, error);
  if (status != TUTTI_OK)
    return status;
  if (benchmark->collective == TUTTI_COLL_BARRIER || count_elements(benchmark, bytes, &row.count))
    return tutti_import_add(file, benchmark->collective, &row, error);
  if (!benchmark->total)
    return tutti_import_fail(file, error, "no whole number of elements (--type-size)", "%" PRIu64 " bytes, of %" PRIu64,
                             bytes, benchmark->type_size);
  tutti_import_pass(file, tutti_import_unequal, "%" PRIu64 " bytes", bytes);
  return TUTTI_OK;
}
