/*
 * ReproMPI, raw (one line a repetition) and summarised; times are seconds, of each repetition the slowest process:
 *
 *     #@datatype_size_bytes=1
 *     #@nprocs=4
 *                 test       nrep        count    runtime_sec             after a window: an errorcode before the time
 *            MPI_Bcast          0         1024   0.0000123450
 *
 *                 test        count total_nrep valid_nrep   mean_sec median_sec    min_sec    max_sec
 *            MPI_Bcast         1024         10         10   ...
 *
 * count is in elements of one process's block or of the message; some versions print msize_bytes in its place.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "harness/import_file.h"
#include "harness/import_series.h"

enum column {
  TEST,
  COUNT,
  BYTES,
  ERROR_CODE,
  RUNTIME,
  VALID,
  MEAN,
  MEDIAN,
  MINIMUM,
  MAXIMUM,
  COLUMNS,
  OTHER = COLUMNS
};

static const char *const column_names[COLUMNS] = {
    [TEST] = "test",           [COUNT] = "count",      [BYTES] = "msize_bytes", [ERROR_CODE] = "errorcode",
    [RUNTIME] = "runtime_sec", [VALID] = "valid_nrep", [MEAN] = "mean_sec",     [MEDIAN] = "median_sec",
    [MINIMUM] = "min_sec",     [MAXIMUM] = "max_sec"};

static bool recognises(const char *line)
{
  line += strspn(line, " \t");
  if (strncmp(line, "#@", 2) == 0)
    return true;
  return strncmp(line, "test ", 5) == 0 && (strstr(line, "runtime_sec") || strstr(line, "valid_nrep"));
}

/* ---- keys ---- */

static tutti_status take_key(struct import_file *file, const char *text, tutti_error *error)
{
  struct repro_state *state = &file->repro;
  const struct {
    const char *key;
    uint64_t least;
  } keys[] = {{"nprocs=", 1}, {"root_proc=", 0}, {"datatype_size_bytes=", 1}, {"datatype_extent_bytes=", 1}};
  uint64_t value;
  int k = 0;
  while (k < 4 && strncmp(text, keys[k].key, strlen(keys[k].key)) != 0)
    k++;
  if (k == 4)
    return TUTTI_OK;
  if (!import_whole(text + strlen(keys[k].key), &value) || value < keys[k].least || value > INT_MAX)
    return import_fail(file, error, "'%.80s' is not a number that can be used", text);
  if (k == 0)
    state->ranks = (int)value;
  else if (k == 1)
    state->root = (int)value;
  else if (k == 2 || state->type_size == 0) /* the size is better than the extent */
    state->type_size = value;
  return TUTTI_OK;
}

/* Settings that come after rows begin another run in the same file. */
static tutti_status take_setting(struct import_file *file, char *line, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  if (file->repro.column_count > 0) {
    status = import_series_end(file, error);
    file->repro = (struct repro_state){.series = file->repro.series, .series_capacity = file->repro.series_capacity};
  }
  line[strcspn(line, " \t\r\n")] = '\0';
  return status == TUTTI_OK ? take_key(file, line + 2, error) : status;
}

/* ---- the header ---- */

static enum column find_column(const char *name)
{
  for (int c = 0; c < COLUMNS; c++)
    if (strcmp(column_names[c], name) == 0)
      return (enum column)c;
  return OTHER;
}

static tutti_status check_header(const struct import_file *file, const int *seen, tutti_error *error)
{
  if (seen[TEST] != 1 || seen[COUNT] + seen[BYTES] != 1)
    return import_fail(file, error, "the header lacks one of 'test' and 'count' or 'msize_bytes'");
  if (seen[RUNTIME] == 0 && (seen[MEDIAN] == 0 || seen[VALID] == 0))
    return import_fail(file, error,
                       "a summary without median_sec: run ReproMPI with --summary=mean,median,min,max, or without");
  return TUTTI_OK;
}

static tutti_status take_header(struct import_file *file, const struct import_words *words, tutti_error *error)
{
  int seen[COLUMNS + 1] = {0};
  if (words->count > IMPORT_WORDS)
    return import_fail(file, error, "a header of more than %d columns", IMPORT_WORDS);
  file->repro.column_count = words->count;
  for (int i = 0; i < words->count; i++)
    seen[file->repro.columns[i] = (int)find_column(words->items[i])]++;
  return check_header(file, seen, error);
}

/* ---- rows ---- */

struct row {
  const char *cells[COLUMNS]; /* NULL: there is no such column */
};

/* Elements and bytes of one; a count without a type is none. */
static tutti_status read_size(const struct import_file *file, const struct row *row, tutti_measurement *measurement,
                              tutti_error *error)
{
  uint64_t type = file->repro.type_size ? file->repro.type_size : file->how->type_size, number;
  const char *text = row->cells[COUNT] ? row->cells[COUNT] : row->cells[BYTES];
  if (!import_whole(text, &number))
    return import_fail(file, error, "'%.40s' is not a size", text);
  if (row->cells[COUNT] && type == 0)
    return import_fail(file, error, "elements of a type that is not said (#@datatype_size_bytes): use --type-size");
  bool whole = row->cells[COUNT] || (type > 0 && number % type == 0);
  measurement->type_size = whole ? type : 1;
  measurement->count = row->cells[COUNT] || !whole ? number : number / type;
  return TUTTI_OK;
}

static tutti_status read_time(const struct import_file *file, const char *text, double *seconds, tutti_error *error)
{
  return import_time(text, seconds) ? TUTTI_OK : import_fail(file, error, "'%.40s' is not a time", text);
}

static tutti_status take_summary(struct import_file *file, const struct row *row, tutti_collective collective,
                                 tutti_measurement *measurement, tutti_error *error)
{
  static const int cells[] = {MEAN, MINIMUM, MAXIMUM};
  double *const times[] = {&measurement->mean, &measurement->minimum, &measurement->maximum};
  uint64_t repetitions;
  if (!import_whole(row->cells[VALID], &repetitions) || repetitions > INT_MAX)
    return import_fail(file, error, "'%.40s' is not a number of repetitions", row->cells[VALID]);
  if (repetitions == 0) {
    file->imported->given_up++;
    return TUTTI_OK;
  }
  measurement->repetitions = (int)repetitions;
  tutti_status status = read_time(file, row->cells[MEDIAN], &measurement->median, error);
  for (int i = 0; i < 3 && status == TUTTI_OK; i++)
    if (row->cells[cells[i]])
      status = read_time(file, row->cells[cells[i]], times[i], error);
    else
      *times[i] = measurement->median;
  return status == TUTTI_OK ? import_add(file, collective, measurement, error) : status;
}

static tutti_status take_repetition(struct import_file *file, const struct row *row, tutti_collective collective,
                                    const tutti_measurement *measurement, tutti_error *error)
{
  double seconds;
  bool valid = !row->cells[ERROR_CODE] || strcmp(row->cells[ERROR_CODE], "0") == 0;
  tutti_status status = read_time(file, row->cells[RUNTIME], &seconds, error);
  return status == TUTTI_OK ? import_series_add(file, collective, measurement, seconds, valid, error) : status;
}

static tutti_status complete(const struct import_file *file, tutti_collective collective,
                             tutti_measurement *measurement, tutti_error *error)
{
  measurement->scheme = TUTTI_SCHEME_REPRO;
  measurement->ranks = file->repro.ranks ? file->repro.ranks : file->how->ranks;
  if (tutti_collective_traits(collective) & TUTTI_HAS_ROOT)
    measurement->root = file->repro.root;
  if (measurement->ranks == 0)
    return import_fail(file, error, "no '#@nprocs=N' before the rows: say the number of processes with --ranks");
  if (collective == TUTTI_COLL_BARRIER) {
    measurement->count = 0;
    measurement->type_size = 1;
  }
  return TUTTI_OK;
}

static tutti_status take_row(struct import_file *file, const struct import_words *words, tutti_error *error)
{
  struct row row = {{NULL}};
  tutti_collective collective;
  tutti_measurement measurement = {.repetitions = 1};
  for (int i = 0; i < words->count; i++)
    if (file->repro.columns[i] != OTHER)
      row.cells[file->repro.columns[i]] = words->items[i];
  const char *test = row.cells[TEST];
  if (strncmp(test, "MPI_", 4) != 0 || !import_collective(test + 4, strlen(test + 4), &collective)) {
    char other[64];
    snprintf(other, sizeof other, "%.50s", test);
    import_pass_over(file, other);
    return TUTTI_OK;
  }
  tutti_status status = read_size(file, &row, &measurement, error);
  if (status == TUTTI_OK)
    status = complete(file, collective, &measurement, error);
  if (status != TUTTI_OK)
    return status;
  return row.cells[RUNTIME] ? take_repetition(file, &row, collective, &measurement, error)
                            : take_summary(file, &row, collective, &measurement, error);
}

/* ---- lines ---- */

static tutti_status take(struct import_file *file, char *line, tutti_error *error)
{
  struct import_words words;
  line += strspn(line, " \t");
  if (strncmp(line, "#@", 2) == 0)
    return take_setting(file, line, error);
  if (*line == '#')
    return TUTTI_OK;
  import_cut(line, &words);
  if (words.count == 0)
    return TUTTI_OK;
  if (strcmp(words.items[0], "process") == 0 && words.count > 1 && strcmp(words.items[1], "test") == 0)
    return import_fail(file, error, "times of single processes: run ReproMPI without -v");
  if (strcmp(words.items[0], "test") == 0)
    return take_header(file, &words, error);
  if (words.count == file->repro.column_count)
    return take_row(file, &words, error);
  if (strncmp(words.items[0], "MPI_", 4) == 0)
    return import_fail(file, error, "%d words under a header of %d columns", words.count, file->repro.column_count);
  return TUTTI_OK; /* output of something else */
}

static tutti_status end(struct import_file *file, tutti_status status, tutti_error *error)
{
  if (status == TUTTI_OK)
    status = import_series_end(file, error);
  import_series_free(file);
  return status;
}

const struct import_reader import_repro = {.recognises = recognises, .take = take, .end = end};
