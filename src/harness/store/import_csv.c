/*
 * Tables of any benchmark, whose headings the caller names: --map ranks=np,bytes=size,us=latency
 *
 *     np,algorithm,size,latency                       between commas, semicolons, tabs or blanks
 *     64,binomial,1024,17.5
 *
 * A line is a repetition of its point, of which the median counts, unless a column has the number of repetitions, the
 * minimum or the maximum. What no column says, the caller says for all lines.
 */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/store/import_file.h"

static const char *const words[CSV_COLUMNS] = {[CSV_COLLECTIVE] = "collective", [CSV_METHOD] = "method",
                                               [CSV_RANKS] = "ranks",           [CSV_RANKS_PER_NODE] = "ranks_per_node",
                                               [CSV_NODES] = "nodes",           [CSV_ROOT] = "root",
                                               [CSV_BYTES] = "bytes",           [CSV_COUNT] = "count",
                                               [CSV_TYPE_SIZE] = "type_size",   [CSV_REPETITIONS] = "repetitions",
                                               [CSV_MINIMUM] = "minimum",       [CSV_MAXIMUM] = "maximum",
                                               [CSV_SECONDS] = "seconds",       [CSV_MILLISECONDS] = "ms",
                                               [CSV_MICROSECONDS] = "us",       [CSV_NANOSECONDS] = "ns"};

static const double units[] = {1, 1e-3, 1e-6, 1e-9};

/* ---- the map ---- */

/* The next COLUMN=HEADING of a map: the column, or CSV_COLUMNS if it is not known; *heading and *length are what
   follows the '='. Returns the text after it, or NULL after the last. */
static const char *next_pair(const char *map, int *column, const char **heading, size_t *length)
{
  const size_t all = strcspn(map, ","), word = strcspn(map, "=,");
  for (*column = 0; *column < CSV_COLUMNS; ++*column)
    if (strlen(words[*column]) == word && strncmp(map, words[*column], word) == 0)
      break;
  *heading = map + (word < all ? word + 1 : all);
  *length = (size_t)(map + all - *heading);
  return map[all] ? map + all + 1 : NULL;
}

static bool is_time(int column)
{
  return column >= CSV_SECONDS && column <= CSV_NANOSECONDS;
}

tutti_status tutti_import_map_check(const char *map, tutti_error *error)
{
  int times = 0, sizes = 0;
  for (const char *at = map, *heading; at;) {
    int column;
    size_t length;
    const char *pair = at;
    at = next_pair(at, &column, &heading, &length);
    if (column == CSV_COLUMNS || length == 0)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                        "'%.*s' is not COLUMN=HEADING, where COLUMN is one of collective, method, ranks, "
                        "ranks_per_node, nodes, root, bytes, count, type_size, repetitions, minimum, maximum, seconds, "
                        "ms, us, ns",
                        (int)strcspn(pair, ","), pair);
    times += is_time(column);
    sizes += column == CSV_BYTES || column == CSV_COUNT;
  }
  if (times != 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s of seconds, ms, us and ns is needed", times ? "only one" : "one");
  if (sizes > 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "only one of bytes and count is needed");
  return TUTTI_OK;
}

/* ---- headings ---- */

static enum import_cut cut_of(const char *line)
{
  return strchr(line, '\t')  ? CUT_TABS
         : strchr(line, ';') ? CUT_SEMICOLONS
         : strchr(line, ',') ? CUT_COMMAS
                             : CUT_BLANKS;
}

static char *trim(char *cell)
{
  cell += strspn(cell, " \t\r");
  for (size_t length = strlen(cell); length > 0 && strchr(" \t\r", cell[length - 1]); length--)
    cell[length - 1] = '\0';
  return cell;
}

/* The place of a heading, or the number of cells. */
static int place_of(char **cells, int count, const char *heading, size_t length)
{
  int i = 0;
  while (i < count && (strlen(cells[i]) != length || strncmp(cells[i], heading, length) != 0))
    i++;
  return i;
}

/* Remember the line with the most headings, to say what it lacks. */
static void note_lacking(struct import_file *file, char **cells, int count, int found, const char *lacking,
                         size_t length)
{
  struct csv_state *state = &file->csv;
  if (found < state->found || (found == state->found && state->lacking))
    return;
  free(state->lacking);
  state->found = found;
  state->line = file->line;
  state->lacking = tutti_xprintf("'%.*s' is none of ", length > 80 ? 80 : (int)length, lacking);
  for (int i = 0; i < count && strlen(state->lacking) < 200; i++) {
    char *longer = tutti_xprintf("%s%s'%.40s'", state->lacking, i ? ", " : "", cells[i]);
    free(state->lacking);
    state->lacking = longer;
  }
}

/* Whether the line has all headings of the map, which are then the columns. */
static bool take_headings(struct import_file *file, char *line)
{
  struct csv_state *state = &file->csv;
  char *cells[IMPORT_WORDS];
  const char *lacking = NULL;
  size_t lacking_length = 0;
  int found = 0;
  state->cut = cut_of(line);
  state->needed = 0;
  const int cut = tutti_import_cut(line, state->cut, cells), count = cut < IMPORT_WORDS ? cut : IMPORT_WORDS;
  for (int i = 0; i < count; i++)
    cells[i] = trim(cells[i]);
  memset(state->columns, 0, sizeof state->columns);
  for (const char *at = file->how->map, *heading; at;) {
    int column;
    size_t length;
    at = next_pair(at, &column, &heading, &length);
    const int i = place_of(cells, count, heading, length);
    if (i < count)
      found++;
    else if (!lacking) {
      lacking = heading;
      lacking_length = length;
    }
    state->columns[column] = 1 + i;
    state->needed = i < state->needed ? state->needed : 1 + i;
    state->unit = is_time(column) ? units[column - CSV_SECONDS] : state->unit;
  }
  if (lacking)
    note_lacking(file, cells, count, found, lacking, lacking_length);
  else
    state->count = cut;
  return !lacking;
}

/* ---- rows ---- */

/* The text of a column, or NULL. */
static const char *cell_of(const struct csv_state *state, char **cells, int column)
{
  return state->columns[column] ? trim(cells[state->columns[column] - 1]) : NULL;
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
  return tutti_import_fail(file, error, "not a number that can be used", "%s '%.40s'", words[column], text);
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

/* Whether a line has cells that no heading is for. It may lack the last ones, as far as the map does not need them. */
static bool has_more(const struct csv_state *state, char **cells, int count)
{
  for (int i = state->count; i < count && i < IMPORT_WORDS; i++)
    if (*trim(cells[i]))
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
  tutti_import_set_words(file, nonblocking, nonblocking ? "form=nonblocking" : "");
  if (state->columns[CSV_REPETITIONS] || state->columns[CSV_MINIMUM] || state->columns[CSV_MAXIMUM] || nonblocking)
    return tutti_import_add(file, collective, &row, error);
  tutti_import_points_note(file, &state->points, collective, &row, &row.mean);
  return TUTTI_OK;
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
  take_headings(file, line);
  return TUTTI_OK;
}

static tutti_status end(struct import_file *file, tutti_status status, tutti_error *error)
{
  if (status == TUTTI_OK && file->csv.count == 0)
    status = tutti_pass_over(&file->imported->passed, file->name, file->csv.line, "no line has the headings of --map",
                             error, "%s", file->csv.lacking ? file->csv.lacking : file->how->map);
  free(file->csv.lacking);
  tutti_import_set_words(file, false, "");
  if (status == TUTTI_OK)
    status = tutti_import_points_end(file, &file->csv.points, error);
  tutti_import_points_clear(&file->csv.points);
  return status;
}

const struct import_reader tutti_import_csv = {.recognizes = recognizes, .take = take, .end = end};
