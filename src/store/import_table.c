/* Rows of OSU and IMB: means over a loop, in microseconds, by size. */
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "store/import_file.h"

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
