/*
 * Tables of any benchmark, whose headings the caller names: --map ranks=np,bytes=size,us=latency
 *
 *     np,algorithm,size,latency                       between commas, semicolons, tabs or blanks
 *     64,binomial,1024,17.5
 *
 * A line is a repetition of its point, of which the median counts, unless a column has the number of repetitions, the
 * minimum or the maximum. What no column says, the caller says for all lines. Columns may be settings, which keep
 * points apart: --map setting:mapping=Allocation.
 */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/store/import_file.h"

/* ---- rows ---- */

/* The text of a column, or NULL. */
static const char *cell_of(const struct csv_state *state, char **cells, int column)
{
  return state->columns[column] ? tutti_import_trim(cells[state->columns[column] - 1]) : NULL;
}

static tutti_status read_number(const struct import_file *file, char **cells, int column, uint64_t least, uint64_t most,
                                uint64_t *number, tutti_error *error)
{
  const char *text = cell_of(&file->csv, cells, column);
  if (!text || tutti_parse_integer(text, least, most, number))
    return TUTTI_OK;
  tutti_error ignored;
  if ((column == CSV_BYTES || column == CSV_TYPE_SIZE) && isdigit((unsigned char)*text) &&
      tutti_size_parse(text, number, &ignored) == TUTTI_OK && *number >= least && *number <= most)
    return TUTTI_OK;
  return tutti_import_fail(file, error, "not a number that can be used", "%s '%.40s'", tutti_import_map_word(column),
                           text);
}

static tutti_status read_time(const struct import_file *file, char **cells, int column, double *time,
                              tutti_error *error)
{
  const char *text = cell_of(&file->csv, cells, column);
  if (!text || tutti_import_time(text, file->csv.unit, time))
    return TUTTI_OK;
  return tutti_import_fail(file, error, "not a time", "'%.40s'", text);
}

/* "bcast", "MPI_Ibcast"; without a column the caller's. */
static bool find_collective(const struct import_file *file, const char *text, tutti_collective *collective,
                            bool *nonblocking)
{
  *nonblocking = false;
  if (!text)
    return tutti_import_said_collective(file->how, collective);
  text += strncasecmp(text, "MPI_", 4) == 0 ? 4 : 0;
  if (tutti_import_collective(text, strlen(text), collective))
    return true;
  *nonblocking = *text == 'i' || *text == 'I';
  return *nonblocking && tutti_import_collective(text + 1, strlen(text + 1), collective);
}

static tutti_status read_ranks(struct import_file *file, char **cells, tutti_measurement *row, tutti_error *error)
{
  uint64_t ranks = 0, per_node = (uint64_t)file->how->ranks_per_node, nodes = 0, root = 0;
  tutti_status status = read_number(file, cells, CSV_RANKS, 1, INT_MAX, &ranks, error);
  if (status == TUTTI_OK)
    status = read_number(file, cells, CSV_RANKS_PER_NODE, 1, INT_MAX, &per_node, error);
  if (status == TUTTI_OK)
    status = read_number(file, cells, CSV_NODES, 1, INT_MAX, &nodes, error);
  if (status == TUTTI_OK)
    status = read_number(file, cells, CSV_ROOT, 0, INT_MAX, &root, error);
  if (ranks == 0)
    ranks = nodes * per_node <= INT_MAX ? nodes * per_node : 0;
  if (per_node == 0 && nodes > 0 && ranks % nodes == 0)
    per_node = ranks / nodes;
  row->ranks = (int)ranks;
  row->ranks_per_node = (int)per_node;
  row->root = (int)root;
  if (status == TUTTI_OK && row->ranks == 0)
    status = tutti_import_ranks(file, &row->ranks, error);
  if (status == TUTTI_OK && row->ranks == 0)
    status = tutti_import_fail(file, error, "no number of ranks: say it with --ranks", "%s", "");
  return status;
}

static tutti_status read_size(const struct import_file *file, char **cells, tutti_collective collective,
                              tutti_measurement *row, tutti_error *error)
{
  uint64_t bytes = 0, type = file->how->type_size;
  tutti_status status = read_number(file, cells, CSV_TYPE_SIZE, 1, 1 << 20, &type, error);
  if (status == TUTTI_OK)
    status = read_number(file, cells, CSV_COUNT, 0, INT64_MAX, &row->count, error);
  if (status == TUTTI_OK)
    status = read_number(file, cells, CSV_BYTES, 0, INT64_MAX, &bytes, error);
  if (status != TUTTI_OK)
    return status;
  row->type_size = type ? type : tutti_collective_traits(collective) & TUTTI_REDUCES ? 4 : 1;
  if (!file->csv.columns[CSV_COUNT])
    row->count = bytes / row->type_size;
  if (bytes % row->type_size != 0)
    return tutti_import_fail(file, error, "no whole number of elements (--type-size)", "%llu bytes",
                             (unsigned long long)bytes);
  return TUTTI_OK;
}

static tutti_status read_times(const struct import_file *file, char **cells, tutti_measurement *row, tutti_error *error)
{
  uint64_t repetitions = 1;
  const int column = CSV_SECONDS + (file->csv.columns[CSV_MILLISECONDS]   ? 1
                                    : file->csv.columns[CSV_MICROSECONDS] ? 2
                                    : file->csv.columns[CSV_NANOSECONDS]  ? 3
                                                                          : 0);
  tutti_status status = read_time(file, cells, column, &row->median, error);
  row->mean = row->minimum = row->maximum = row->median;
  if (status == TUTTI_OK)
    status = read_time(file, cells, CSV_MINIMUM, &row->minimum, error);
  if (status == TUTTI_OK)
    status = read_time(file, cells, CSV_MAXIMUM, &row->maximum, error);
  if (status == TUTTI_OK)
    status = read_number(file, cells, CSV_REPETITIONS, 1, INT_MAX, &repetitions, error);
  row->repetitions = (int)repetitions;
  return status;
}

/* The settings of a line in alphabetical order: form=nonblocking, and those of the map, in which '_' stands for blanks.
   False: they are too long. */
static bool read_settings(const struct csv_state *state, char **cells, int count, bool nonblocking, char *settings)
{
  static const char form[] = "form";
  size_t length = 0;
  bool formed = !nonblocking;
  *settings = '\0';
  for (int i = 0; i <= state->setting_count && length < IMPORT_SETTINGS; i++) {
    const struct csv_setting *setting = i < state->setting_count ? &state->settings[i] : NULL;
    if (!formed && (!setting || strcmp(setting->name, form) > 0)) {
      length +=
          (size_t)snprintf(settings + length, IMPORT_SETTINGS - length, "%s%s=nonblocking", length ? " " : "", form);
      formed = true;
    }
    const char *value = setting && setting->column <= count ? tutti_import_trim(cells[setting->column - 1]) : "";
    if (!*value || length >= IMPORT_SETTINGS)
      continue;
    const size_t begin = length + (length > 0);
    length += (size_t)snprintf(settings + length, IMPORT_SETTINGS - length, "%s%s=%s", length ? " " : "", setting->name,
                               value);
    for (size_t at = begin; at < length && at < IMPORT_SETTINGS - 1; at++)
      settings[at] = (char)(isgraph((unsigned char)settings[at]) ? settings[at] : '_');
  }
  return length < IMPORT_SETTINGS;
}

/* Whether a line has cells that no heading is for. It may lack the last ones, as far as the map does not need them. */
static bool has_more(const struct csv_state *state, char **cells, int count)
{
  for (int i = state->count; i < count && i < IMPORT_WORDS; i++)
    if (*tutti_import_trim(cells[i]))
      return true;
  return count > IMPORT_WORDS && state->count <= IMPORT_WORDS;
}

static tutti_status take_row(struct import_file *file, char *line, tutti_error *error)
{
  struct csv_state *state = &file->csv;
  char *cells[IMPORT_WORDS];
  tutti_measurement row = {.scheme = TUTTI_SCHEME_CSV};
  tutti_collective collective;
  bool nonblocking;
  const int count = tutti_import_cut(line, state->cut, cells);
  if (count < state->needed || has_more(state, cells, count))
    return tutti_import_fail(file, error, "not as many cells as headings", "%d under %d", count, state->count);
  const char *name = cell_of(state, cells, CSV_COLLECTIVE), *method = cell_of(state, cells, CSV_METHOD);
  if (!find_collective(file, name, &collective, &nonblocking))
    return tutti_import_fail(file, error,
                             name ? "no collective" : "which collective was it? (say it with --collective)", "'%.40s'",
                             name ? name : "");
  tutti_status status = read_ranks(file, cells, &row, error);
  if (status == TUTTI_OK && method && *method &&
      !tutti_import_find_method(file, collective, method, row.ranks, &row.method)) {
    tutti_import_pass(file, "methods that Tutti does not have", "%s/%.60s", tutti_collective_name(collective), method);
    return TUTTI_OK;
  }
  if (status == TUTTI_OK)
    status = read_size(file, cells, collective, &row, error);
  if (status == TUTTI_OK)
    status = read_times(file, cells, &row, error);
  if (status != TUTTI_OK)
    return status;
  char settings[IMPORT_SETTINGS];
  if (!read_settings(state, cells, count, nonblocking, settings))
    return tutti_import_fail(file, error, "the settings are too long", "%.60s ...", settings);
  const bool whole = state->columns[CSV_REPETITIONS] || state->columns[CSV_MINIMUM] || state->columns[CSV_MAXIMUM];
  tutti_import_group_note(file, collective, &row, (struct csv_line){settings, nonblocking, whole, cells, count});
  tutti_import_set_words(file, nonblocking, settings);
  return whole ? tutti_import_add(file, collective, &row, error) : TUTTI_OK;
}

static bool recognizes(const char *line)
{
  (void)line;
  return false; /* the caller says it */
}

static tutti_status take(struct import_file *file, char *line, tutti_error *error)
{
  line += strspn(line, file->csv.count == 0 ? "# " : "");
  if (!*line || *line == '#')
    return TUTTI_OK;
  if (file->csv.count > 0)
    return take_row(file, line, error);
  tutti_import_map_headings(file, line);
  return TUTTI_OK;
}

static tutti_status end(struct import_file *file, tutti_status status, tutti_error *error)
{
  if (status == TUTTI_OK && file->csv.count == 0)
    status = tutti_pass_over(&file->imported->passed, file->name, file->csv.line, "no line has the headings of --map",
                             error, "%s", file->csv.lacking ? file->csv.lacking : file->how->map);
  return tutti_import_groups_end(file, status, error);
}

const struct import_reader tutti_import_csv = {.recognizes = recognizes, .take = take, .end = end};
