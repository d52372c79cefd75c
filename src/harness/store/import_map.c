/* Tables of any benchmark: the map of the caller, COLUMN=HEADING, and the line that has its headings. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

const char *tutti_import_map_word(int column)
{
  return words[column];
}

/* ---- the map ---- */

/* COLUMN=HEADING, or setting:NAME=HEADING. */
struct pair {
  int column;       /* CSV_COLUMNS: not known */
  const char *name; /* of a setting */
  int name_length;
  const char *heading;
  size_t length;
  bool twice; /* a line has the heading so */
};

static bool is_name(const char *name, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (!isalnum((unsigned char)name[i]) && !strchr("_-", name[i]))
      return false;
  return length > 0 && length < CSV_NAME;
}

/* The next pair of a map. Returns the text after it, or NULL after the last. */
static const char *next_pair(const char *map, struct pair *pair)
{
  static const char prefix[] = "setting:";
  const size_t all = strcspn(map, ","), word = strcspn(map, "=,"), skipped = strlen(prefix);
  *pair = (struct pair){.heading = map + (word < all ? word + 1 : all)};
  pair->length = (size_t)(map + all - pair->heading);
  for (; pair->column < CSV_COLUMNS; ++pair->column)
    if (words[pair->column] && strlen(words[pair->column]) == word && strncmp(map, words[pair->column], word) == 0)
      break;
  if (word > skipped && strncmp(map, prefix, skipped) == 0 && is_name(map + skipped, word - skipped)) {
    pair->column = CSV_SETTING;
    pair->name = map + skipped;
    pair->name_length = (int)(word - skipped);
  }
  return map[all] ? map + all + 1 : NULL;
}

static bool is_time(int column)
{
  return column >= CSV_SECONDS && column <= CSV_NANOSECONDS;
}

tutti_status tutti_import_map_check(const char *map, tutti_error *error)
{
  int times = 0, sizes = 0, settings = 0;
  for (const char *at = map; at;) {
    struct pair pair;
    const char *text = at;
    at = next_pair(at, &pair);
    const int column = pair.column;
    if (column == CSV_COLUMNS || pair.length == 0)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                        "'%.*s' is not COLUMN=HEADING, where COLUMN is one of collective, method, ranks, "
                        "ranks_per_node, nodes, root, bytes, count, type_size, repetitions, minimum, maximum, seconds, "
                        "ms, us, ns, setting:NAME",
                        (int)strcspn(text, ","), text);
    times += is_time(column);
    sizes += column == CSV_BYTES || column == CSV_COUNT;
    settings += column == CSV_SETTING;
  }
  if (settings > CSV_SETTINGS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d settings are more than %d", settings, CSV_SETTINGS);
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

char *tutti_import_trim(char *cell)
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
static void note_lacking(struct import_file *file, char **cells, int count, int found, const struct pair *lacking)
{
  struct csv_state *state = &file->csv;
  if (found < state->found || (found == state->found && state->lacking))
    return;
  free(state->lacking);
  state->found = found;
  state->line = file->line;
  state->lacking = tutti_xprintf("'%.*s' is %s ", lacking->length > 80 ? 80 : (int)lacking->length, lacking->heading,
                                 lacking->twice ? "twice among" : "none of");
  for (int i = 0; i < count && strlen(state->lacking) < 200; i++) {
    char *longer = tutti_xprintf("%s%s'%.40s'", state->lacking, i ? ", " : "", cells[i]);
    free(state->lacking);
    state->lacking = longer;
  }
}

static int compare_settings(const void *left, const void *right)
{
  const struct csv_setting *a = left, *b = right;
  return strcmp(a->name, b->name);
}

static void add_column(struct csv_state *state, const struct pair *pair, int place)
{
  if (pair->column == CSV_SETTING) {
    struct csv_setting *added = &state->settings[state->setting_count++];
    snprintf(added->name, sizeof added->name, "%.*s", pair->name_length, pair->name);
    added->column = 1 + place;
  } else
    state->columns[pair->column] = 1 + place;
  state->mapped |= (uint64_t)1 << place;
  state->needed = place < state->needed ? state->needed : 1 + place;
  state->unit = is_time(pair->column) ? units[pair->column - CSV_SECONDS] : state->unit;
}

/* What is there but is not mapped. */
static void keep_headings(struct csv_state *state, char **cells, int count)
{
  for (int i = 0; i < count; i++)
    state->headings[i] = state->mapped >> i & 1 ? NULL : tutti_xstrdup(cells[i]);
  qsort(state->settings, (size_t)state->setting_count, sizeof *state->settings, compare_settings);
}

bool tutti_import_map_headings(struct import_file *file, char *line)
{
  struct csv_state *state = &file->csv;
  char *cells[IMPORT_WORDS];
  struct pair lacking = {.heading = NULL};
  int found = 0;
  state->cut = cut_of(line);
  state->needed = state->setting_count = 0;
  state->mapped = 0;
  const int cut = tutti_import_cut(line, state->cut, cells), count = cut < IMPORT_WORDS ? cut : IMPORT_WORDS;
  for (int i = 0; i < count; i++)
    cells[i] = tutti_import_trim(cells[i]);
  memset(state->columns, 0, sizeof state->columns);
  for (const char *at = file->how->map; at;) {
    struct pair pair;
    at = next_pair(at, &pair);
    const int place = place_of(cells, count, pair.heading, pair.length);
    const int next = place < count ? place + 1 : count;
    pair.twice = next + place_of(cells + next, count - next, pair.heading, pair.length) < count;
    if (place < count)
      add_column(state, &pair, place);
    if (!lacking.heading && (place == count || pair.twice))
      lacking = pair;
    found += place < count;
  }
  if (lacking.heading) {
    note_lacking(file, cells, count, found, &lacking);
    return false;
  }
  state->count = cut;
  state->line = file->line;
  keep_headings(state, cells, count);
  return true;
}
