/* Common parts of the readers of other benchmarks: words, numbers, names, rows of OSU and IMB (means over a loop, in
   microseconds, by size), and the measurement made from a row. */
#include "harness/store/import_file.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/words.h"
#include "harness/store/private.h"

tutti_status tutti_import_fail(const struct import_file *file, tutti_error *error, const char *format, ...)
{
  char reason[TUTTI_ERROR_LENGTH];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%zu: %.400s", file->name, file->line, reason);
}

bool tutti_import_time(const char *text, double *number)
{
  char *end;
  if (!isdigit((unsigned char)*text) || text[strspn(text, "0123456789.eE+-")] != '\0')
    return false;
  *number = strtod(text, &end);
  return *end == '\0' && isfinite(*number);
}

void tutti_import_cut(char *line, struct import_words *words)
{
  char *state = NULL;
  words->count = 0;
  for (char *word = strtok_r(line, " \t\r\n", &state); word && words->count <= IMPORT_WORDS;
       word = strtok_r(NULL, " \t\r\n", &state)) {
    if (words->count < IMPORT_WORDS)
      words->items[words->count] = word;
    words->count++;
  }
}

uint64_t tutti_import_type_size(const char *name)
{
  static const struct {
    const char *name;
    uint64_t bytes;
  } types[] = {{"MPI_BYTE", 1},  {"MPI_CHAR", 1},    {"MPI_SIGNED_CHAR", 1}, {"MPI_INT8_T", 1},
               {"MPI_SHORT", 2}, {"MPI_INT", 4},     {"MPI_INT32_T", 4},     {"MPI_FLOAT", 4},
               {"MPI_LONG", 8},  {"MPI_INT64_T", 8}, {"MPI_DOUBLE", 8}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    size_t length = strlen(types[i].name);
    if (strncmp(name, types[i].name, length) == 0 && !isalnum((unsigned char)name[length]) && name[length] != '_')
      return types[i].bytes;
  }
  return 0;
}

bool tutti_import_collective(const char *name, size_t length, tutti_collective *collective)
{
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    const char *known = tutti_collective_name((tutti_collective)c);
    if (strlen(known) == length && strncasecmp(known, name, length) == 0) {
      *collective = (tutti_collective)c;
      return true;
    }
  }
  return false;
}

void tutti_import_pass_over(struct import_file *file, const char *name)
{
  char *others = file->imported->others;
  size_t length = strlen(others);
  if (tutti_word_is_listed(others, ',', name) || length + strlen(name) + sizeof ", ..." > TUTTI_IMPORT_OTHERS)
    return;
  snprintf(others + length, TUTTI_IMPORT_OTHERS - length, "%s%s", length ? ", " : "", name);
}

tutti_status tutti_import_add(struct import_file *file, tutti_collective collective,
                              const tutti_measurement *measurement, tutti_error *error)
{
  tutti_import_item item = {.measurement = *measurement};
  tutti_measurement *made = &item.measurement;
  tutti_status status = tutti_import_method(file, collective, made->ranks, &made->method, &item.settings, error);
  if (status != TUTTI_OK)
    return status;
  made->ranks_per_node = tutti_import_ranks_per_node(file, made->ranks);
  item.table = file->imported->tables;
  snprintf(item.program, sizeof item.program, "%s", file->program);
  return tutti_import_append(file, &item, error);
}

tutti_status tutti_import_append(struct import_file *file, tutti_import_item *item, tutti_error *error)
{
  tutti_measurement *made = &item->measurement;
  tutti_error reason;
  bool fits = !__builtin_mul_overflow(made->count, made->type_size, &made->rank_bytes);
  tutti_total_bytes(made, &made->total_bytes);
  tutti_xpush(file->imported, *item);
  if (!fits)
    return tutti_import_fail(file, error, "the size is too large");
  if (tutti_store_check_row(tutti_kind_of(TUTTI_ROW_MEASUREMENT), made, &reason) != TUTTI_OK)
    return tutti_import_fail(file, error, "%s", reason.message);
  return TUTTI_OK;
}

/* ---- rows of OSU and IMB ---- */

struct row {
  uint64_t bytes, repetitions;
  double average, minimum, maximum; /* microseconds; negative: not there */
};

static tutti_status read_cell(const struct import_file *file, enum import_column column, const char *text,
                              struct row *row, tutti_error *error)
{
  double *const times[CELL_KINDS] = {
      [CELL_AVERAGE] = &row->average, [CELL_MINIMUM] = &row->minimum, [CELL_MAXIMUM] = &row->maximum};
  bool good = true;
  if (times[column])
    good = tutti_import_time(text, times[column]);
  else if (column == CELL_SIZE)
    good = tutti_import_whole(text, &row->bytes);
  else if (column == CELL_REPETITIONS)
    good = tutti_import_whole(text, &row->repetitions) && row->repetitions >= 1 && row->repetitions <= INT_MAX;
  else if (column == CELL_VERDICT && strcmp(text, "Pass") != 0)
    return tutti_import_fail(file, error, "the benchmark found its results wrong ('%.40s')", text);
  return good ? TUTTI_OK : tutti_import_fail(file, error, "'%.40s' is not what this column has", text);
}

static tutti_status read_row(const struct import_file *file, const struct import_table *table, char *line,
                             struct row *row, tutti_error *error)
{
  struct import_words words;
  tutti_status status = TUTTI_OK;
  tutti_import_cut(line, &words);
  if (words.count != table->column_count)
    return tutti_import_fail(file, error, "%d words under a header of %d columns", words.count, table->column_count);
  for (int i = 0; i < words.count && status == TUTTI_OK; i++)
    status = read_cell(file, table->columns[i], words.items[i], row, error);
  return status;
}

/* Bytes of the row in elements of the message or of one block; false: the blocks are not equal. */
static bool count_elements(const struct import_table *table, uint64_t bytes, uint64_t *count)
{
  uint64_t unit = table->type_size * (table->total ? (uint64_t)table->ranks : 1);
  *count = bytes / unit;
  return bytes % unit == 0;
}

tutti_status tutti_import_table_row(struct import_file *file, const struct import_table *table, tutti_scheme scheme,
                                    char *line, tutti_error *error)
{
  struct row row = {.repetitions = 1, .average = -1, .minimum = -1, .maximum = -1};
  tutti_measurement measurement = {
      .scheme = scheme, .ranks = table->ranks, .type_size = table->type_size, .repetitions = 1};
  tutti_status status = read_row(file, table, line, &row, error);
  if (status != TUTTI_OK)
    return status;
  if (table->collective != TUTTI_COLL_BARRIER && !count_elements(table, row.bytes, &measurement.count)) {
    if (!table->total)
      return tutti_import_fail(file, error,
                               "%" PRIu64 " bytes are no whole number of elements of %" PRIu64 " bytes "
                               "(--type-size)",
                               row.bytes, table->type_size);
    file->imported->unequal++;
    return TUTTI_OK;
  }
  measurement.repetitions = (int)row.repetitions;
  measurement.median = measurement.mean = 1e-6 * row.average;
  measurement.minimum = row.minimum >= 0 ? 1e-6 * row.minimum : measurement.mean;
  measurement.maximum = row.maximum >= 0 ? 1e-6 * row.maximum : measurement.mean;
  return tutti_import_add(file, table->collective, &measurement, error);
}
