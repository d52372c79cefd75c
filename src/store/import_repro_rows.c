/* Rows of ReproMPI: a repetition, or the summary of some. */
#include <limits.h>
#include <string.h>

#include "store/import_repro.h"
#include "store/import_series.h"

struct row {
  const char *cells[REPRO_COLUMNS]; /* NULL: there is no such column */
};

/* Elements and bytes of one; a count without a type is none. */
static tutti_status read_size(const struct import_file *file, const struct row *row, tutti_measurement *measurement,
                              tutti_error *error)
{
  uint64_t type = file->repro.type_size ? file->repro.type_size : file->how->type_size, number;
  const char *text = row->cells[REPRO_COUNT] ? row->cells[REPRO_COUNT] : row->cells[REPRO_BYTES];
  if (!tutti_import_whole(text, &number))
    return tutti_import_fail(file, error, "'%.40s' is not a size", text);
  if (row->cells[REPRO_COUNT] && type == 0)
    return tutti_import_fail(file, error,
                             "elements of a type that is not said (#@datatype_size_bytes): use --type-size");
  bool whole = row->cells[REPRO_COUNT] || (type > 0 && number % type == 0);
  measurement->type_size = whole ? type : 1;
  measurement->count = row->cells[REPRO_COUNT] || !whole ? number : number / type;
  return TUTTI_OK;
}

static tutti_status read_time(const struct import_file *file, const char *text, double *seconds, tutti_error *error)
{
  return tutti_import_time(text, seconds) ? TUTTI_OK : tutti_import_fail(file, error, "'%.40s' is not a time", text);
}

static tutti_status take_summary(struct import_file *file, const struct row *row, tutti_collective collective,
                                 tutti_measurement *measurement, tutti_error *error)
{
  static const int cells[] = {REPRO_MEAN, REPRO_MINIMUM, REPRO_MAXIMUM};
  double *const times[] = {&measurement->mean, &measurement->minimum, &measurement->maximum};
  uint64_t repetitions;
  if (!tutti_import_whole(row->cells[REPRO_VALID], &repetitions) || repetitions > INT_MAX)
    return tutti_import_fail(file, error, "'%.40s' is not a number of repetitions", row->cells[REPRO_VALID]);
  if (repetitions == 0) {
    file->imported->given_up++;
    return TUTTI_OK;
  }
  measurement->repetitions = (int)repetitions;
  tutti_status status = read_time(file, row->cells[REPRO_MEDIAN], &measurement->median, error);
  for (int i = 0; i < 3 && status == TUTTI_OK; i++)
    if (row->cells[cells[i]])
      status = read_time(file, row->cells[cells[i]], times[i], error);
    else
      *times[i] = measurement->median;
  return status == TUTTI_OK ? tutti_import_add(file, collective, measurement, error) : status;
}

static tutti_status take_repetition(struct import_file *file, const struct row *row, tutti_collective collective,
                                    const tutti_measurement *measurement, tutti_error *error)
{
  double seconds;
  bool valid = !row->cells[REPRO_ERROR_CODE] || strcmp(row->cells[REPRO_ERROR_CODE], "0") == 0;
  tutti_status status = read_time(file, row->cells[REPRO_RUNTIME], &seconds, error);
  return status == TUTTI_OK ? tutti_import_series_add(file, collective, measurement, seconds, valid, error) : status;
}

static tutti_status complete(const struct import_file *file, tutti_collective collective,
                             tutti_measurement *measurement, tutti_error *error)
{
  measurement->scheme = TUTTI_SCHEME_REPRO;
  measurement->ranks = file->repro.ranks ? file->repro.ranks : file->how->ranks;
  if (tutti_collective_traits(collective) & TUTTI_HAS_ROOT)
    measurement->root = file->repro.root;
  if (measurement->ranks == 0)
    return tutti_import_fail(file, error, "no '#@nprocs=N' before the rows: say the number of processes with --ranks");
  if (collective == TUTTI_COLL_BARRIER) {
    measurement->count = 0;
    measurement->type_size = 1;
  }
  return TUTTI_OK;
}

tutti_status tutti_import_repro_row(struct import_file *file, const struct import_words *words, tutti_error *error)
{
  struct row row = {{NULL}};
  tutti_collective collective;
  tutti_measurement measurement = {.repetitions = 1};
  for (int i = 0; i < words->count; i++)
    if (file->repro.columns[i] != REPRO_OTHER)
      row.cells[file->repro.columns[i]] = words->items[i];
  const char *test = row.cells[REPRO_TEST];
  if (strncmp(test, "MPI_", 4) != 0 || !tutti_import_collective(test + 4, strlen(test + 4), &collective)) {
    char other[64];
    snprintf(other, sizeof other, "%.50s", test);
    tutti_import_pass_over(file, other);
    return TUTTI_OK;
  }
  tutti_status status = read_size(file, &row, &measurement, error);
  if (status == TUTTI_OK)
    status = complete(file, collective, &measurement, error);
  if (status != TUTTI_OK)
    return status;
  return row.cells[REPRO_RUNTIME] ? take_repetition(file, &row, collective, &measurement, error)
                                  : take_summary(file, &row, collective, &measurement, error);
}
