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
#include <string.h>

#include "store/import_repro.h"

static const char *const column_names[REPRO_COLUMNS] = {
    [REPRO_TEST] = "test",           [REPRO_COUNT] = "count",
    [REPRO_BYTES] = "msize_bytes",   [REPRO_ERROR_CODE] = "errorcode",
    [REPRO_RUNTIME] = "runtime_sec", [REPRO_VALID] = "valid_nrep",
    [REPRO_MEAN] = "mean_sec",       [REPRO_MEDIAN] = "median_sec",
    [REPRO_MINIMUM] = "min_sec",     [REPRO_MAXIMUM] = "max_sec"};

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
  if (!tutti_import_whole(text + strlen(keys[k].key), &value) || value < keys[k].least || value > INT_MAX)
    return tutti_import_fail(file, error, "'%.80s' is not a number that can be used", text);
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
    status = tutti_import_repro_end(file, error);
    file->repro = (struct repro_state){0};
  }
  line[strcspn(line, " \t\r\n")] = '\0';
  return status == TUTTI_OK ? take_key(file, line + 2, error) : status;
}

/* ---- the header ---- */

static enum repro_column find_column(const char *name)
{
  for (int c = 0; c < REPRO_COLUMNS; c++)
    if (strcmp(column_names[c], name) == 0)
      return (enum repro_column)c;
  return REPRO_OTHER;
}

static tutti_status check_header(const struct import_file *file, const int *seen, tutti_error *error)
{
  if (seen[REPRO_TEST] != 1 || seen[REPRO_COUNT] + seen[REPRO_BYTES] != 1)
    return tutti_import_fail(file, error, "the header lacks one of 'test' and 'count' or 'msize_bytes'");
  if (seen[REPRO_RUNTIME] == 0 && (seen[REPRO_MEDIAN] == 0 || seen[REPRO_VALID] == 0))
    return tutti_import_fail(
        file, error, "a summary without median_sec: run ReproMPI with --summary=mean,median,min,max, or without");
  return TUTTI_OK;
}

static tutti_status take_header(struct import_file *file, const struct import_words *words, tutti_error *error)
{
  int seen[REPRO_COLUMNS + 1] = {0};
  if (words->count > IMPORT_WORDS)
    return tutti_import_fail(file, error, "a header of more than %d columns", IMPORT_WORDS);
  file->repro.column_count = words->count;
  for (int i = 0; i < words->count; i++)
    seen[file->repro.columns[i] = (int)find_column(words->items[i])]++;
  return check_header(file, seen, error);
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
  tutti_import_cut(line, &words);
  if (words.count == 0)
    return TUTTI_OK;
  if (strcmp(words.items[0], "process") == 0 && words.count > 1 && strcmp(words.items[1], "test") == 0)
    return tutti_import_fail(file, error, "times of single processes: run ReproMPI without -v");
  if (strcmp(words.items[0], "test") == 0)
    return take_header(file, &words, error);
  if (words.count == file->repro.column_count)
    return tutti_import_repro_row(file, &words, error);
  if (strncmp(words.items[0], "MPI_", 4) == 0)
    return tutti_import_fail(file, error, "%d words under a header of %d columns", words.count,
                             file->repro.column_count);
  return TUTTI_OK; /* output of something else */
}

static tutti_status end(struct import_file *file, tutti_status status, tutti_error *error)
{
  if (status == TUTTI_OK)
    status = tutti_import_repro_end(file, error);
  tutti_import_repro_free(file);
  return status;
}

const struct import_reader tutti_import_repro = {.recognizes = recognizes, .take = take, .end = end};
