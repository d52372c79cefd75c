/*
 * ReproMPI, raw (one line a repetition) and summarized; times are seconds, of each repetition the slowest process:
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
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/import_file.h"

static const struct import_columns columns = {.cut = CUT_BLANKS,
                                              .unit = 1,
                                              .items = {{"test", FIELD_TEST},
                                                        {"count", FIELD_COUNT},
                                                        {"msize_bytes", FIELD_SIZE},
                                                        {"errorcode", FIELD_ERROR_CODE},
                                                        {"runtime_sec", FIELD_RUNTIME},
                                                        {"valid_nrep", FIELD_VALID},
                                                        {"mean_sec", FIELD_MEAN},
                                                        {"median_sec", FIELD_MEDIAN},
                                                        {"min_sec", FIELD_MINIMUM},
                                                        {"max_sec", FIELD_MAXIMUM}}};

/* ---- rows ---- */

/* Elements, and bytes of one. */
static tutti_status set_size(const struct import_file *file, uint64_t number, tutti_measurement *measurement,
                             tutti_error *error)
{
  const uint64_t type = file->repro.type_size ? file->repro.type_size : file->how->type_size;
  const bool elements = file->repro.table.cells[FIELD_COUNT], whole = elements || (type > 0 && number % type == 0);
  if (elements && type == 0)
    return tutti_import_fail(file, error,
                             "elements of a type that is not said (#@datatype_size_bytes): use --type-size", "%s", "");
  measurement->type_size = whole ? type : 1;
  measurement->count = elements || !whole ? number : number / type;
  return TUTTI_OK;
}

static tutti_status complete(struct import_file *file, tutti_collective collective, tutti_measurement *measurement,
                             tutti_error *error)
{
  measurement->scheme = TUTTI_SCHEME_REPRO;
  measurement->ranks = file->repro.ranks;
  tutti_status status = tutti_import_own_ranks(file, &measurement->ranks, error);
  if (status != TUTTI_OK)
    return status;
  if (tutti_collective_traits(collective) & TUTTI_HAS_ROOT)
    measurement->root = file->repro.root;
  if (measurement->ranks == 0)
    return tutti_import_fail(file, error, "no '#@nprocs=N' before the rows: say the number of processes with --ranks",
                             "%s", "");
  if (collective == TUTTI_COLL_BARRIER) {
    measurement->count = 0;
    measurement->type_size = 1;
  }
  return TUTTI_OK;
}

static tutti_status take_row(struct import_file *file, tutti_error *error)
{
  const char *const *cells = file->repro.table.cells, *test = cells[FIELD_TEST];
  tutti_collective collective;
  tutti_measurement measurement = {.repetitions = 1};
  uint64_t size = 0;
  if (strncmp(test, "MPI_", 4) != 0 || !tutti_import_collective(test + 4, strlen(test + 4), &collective)) {
    tutti_import_pass(file, tutti_import_no_collective, "%.50s", test);
    return TUTTI_OK;
  }
  tutti_status status = tutti_import_numbers(file, &file->repro.table, &size, &measurement, error);
  if (status == TUTTI_OK)
    status = set_size(file, size, &measurement, error);
  if (status == TUTTI_OK)
    status = complete(file, collective, &measurement, error);
  if (status != TUTTI_OK)
    return status;
  if (cells[FIELD_RUNTIME]) {
    const bool valid = !cells[FIELD_ERROR_CODE] || strcmp(cells[FIELD_ERROR_CODE], "0") == 0;
    tutti_import_points_note(file, &file->repro.points, collective, &measurement, valid ? &measurement.mean : NULL);
  } else if (measurement.repetitions > 0)
    return tutti_import_add(file, collective, &measurement, error);
  else
    tutti_import_pass(file, tutti_import_given_up, "%s", test);
  return TUTTI_OK;
}

/* ---- the header ---- */

static bool recognizes(const char *line)
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
  const bool is_number =
      tutti_import_whole(text + strlen(keys[k].key), &value) && value >= keys[k].least && value <= INT_MAX;
  if (!is_number)
    value = k == 1 ? INT_MAX : 0; /* of no rank, or unknown: rows that need it are passed over */
  if (k == 0)
    state->ranks = (int)value;
  else if (k == 1)
    state->root = (int)value;
  else if (k == 2 || state->type_size == 0) /* the size is better than the extent */
    state->type_size = value;
  return is_number ? TUTTI_OK : tutti_import_fail(file, error, "not a number that can be used", "'%.80s'", text);
}

/* Settings that come after rows begin another run in the same file. */
static tutti_status take_setting(struct import_file *file, char *line, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  tutti_import_end_left(file);
  if (file->repro.table.count > 0) {
    status = tutti_import_points_end(file, &file->repro.points, error);
    file->repro = (struct repro_state){0};
  }
  line[strcspn(line, " \t\r\n")] = '\0';
  return status == TUTTI_OK ? take_key(file, line + 2, error) : status;
}

static tutti_status take_header(struct import_file *file, char *line, tutti_error *error)
{
  struct import_table *table = &file->repro.table;
  const int *seen = table->seen;
  tutti_import_headings(table, line);
  const char *lacks = NULL;
  tutti_import_end_left(file);
  if (table->count > IMPORT_WORDS)
    lacks = "a header of more than 64 columns";
  else if (seen[FIELD_TEST] != 1 || seen[FIELD_COUNT] + seen[FIELD_SIZE] != 1)
    lacks = "the header lacks one of 'test' and 'count' or 'msize_bytes'";
  else if (seen[FIELD_RUNTIME] == 0 && (seen[FIELD_MEDIAN] == 0 || seen[FIELD_VALID] == 0))
    lacks = "a summary without median_sec: run ReproMPI with --summary=mean,median,min,max, or without";
  table->count = lacks ? 0 : table->count;
  return lacks ? tutti_import_fail_table(file, error, lacks, "%s", "") : TUTTI_OK;
}

/* ---- lines ---- */

/* The text after the first word of a line, if it is this one; else NULL. */
static const char *skip_word(const char *line, const char *word)
{
  const size_t length = strlen(word);
  if (strncmp(line, word, length) != 0 || !strchr(" \t\r\n", line[length]))
    return NULL;
  return line + length + strspn(line + length, " \t");
}

static tutti_status leave_processes(struct import_file *file, tutti_error *error)
{
  tutti_import_end_left(file);
  file->repro.table.count = 0;
  return tutti_import_fail_table(file, error, "times of single processes: run ReproMPI without -v", "%s", "");
}

static tutti_status parse_line(struct import_file *file, char *line, tutti_error *error)
{
  line += strspn(line, " \t");
  file->repro.table.known = &columns;
  if (strncmp(line, "#@", 2) == 0)
    return take_setting(file, line, error);
  if (*line == '#')
    return TUTTI_OK;
  const char *rest = skip_word(line, "process");
  if (rest && skip_word(rest, "test"))
    return leave_processes(file, error);
  if (skip_word(line, "test"))
    return take_header(file, line, error);
  const bool measured = strncmp(line, "MPI_", 4) == 0;
  const int count = tutti_import_cells(&file->repro.table, line);
  if (count > 0 && count == file->repro.table.count)
    return take_row(file, error);
  if (file->repro.table.count == 0 && tutti_import_leaves_row(file))
    return TUTTI_OK;
  if (measured)
    return tutti_import_fail(file, error, "not as many words as headings", "%d under %d", count,
                             file->repro.table.count);
  return TUTTI_OK; /* output of something else */
}

static tutti_status end(struct import_file *file, tutti_status status, tutti_error *error)
{
  if (status == TUTTI_OK)
    status = tutti_import_points_end(file, &file->repro.points, error);
  tutti_import_points_clear(&file->repro.points);
  return status;
}

const struct import_reader tutti_import_repro = {.recognizes = recognizes, .take = parse_line, .end = end};
