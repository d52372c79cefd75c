#include "harness/store/import_pico_tests.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "base/text.h"

enum { NAMES = 3, MAX_COLUMNS = 64 };

static const struct {
  const char *names[NAMES];
  bool needed;
} columns[PICO_TEST_FIELDS] = {
    [PICO_TEST_MACHINE] = {{"machine", "system"}, false},
    [PICO_TEST_TIME] = {{"timestamp"}, true},
    [PICO_TEST_NUMBER] = {{"test_id"}, false},
    [PICO_TEST_NODES] = {{"nodes", "nnodes"}, true},
    [PICO_TEST_RANKS_PER_NODE] = {{"ranks_per_node", "tasks_per_node", "ppn"}, false},
    [PICO_TEST_COLLECTIVE] = {{"collective", "collective_type"}, true},
    [PICO_TEST_LIBRARY] = {{"library", "mpi_lib"}, true},
    [PICO_TEST_VERSION] = {{"library_version", "mpi_lib_version"}, false},
    [PICO_TEST_SETTINGS] = {{"settings", "notes"}, false},
};

int tutti_pico_cut_csv(char *line, char **fields, int most)
{
  int count = 0;
  for (bool more = true; more; count++) {
    char *end = line;
    if (count < most)
      fields[count] = line;
    for (bool quoted = false; *line && (quoted || *line != ','); line++)
      if (*line == '"')
        quoted = !quoted;
      else
        *end++ = *line;
    more = *line == ',';
    line += more;
    *end = '\0';
  }
  return count;
}

/* The column of each field; -1: none. */
static void read_headings(struct tutti_lines *lines, int places[PICO_TEST_FIELDS])
{
  char *names[MAX_COLUMNS];
  const int count = tutti_pico_cut_csv(lines->text, names, MAX_COLUMNS);
  for (int f = 0; f < PICO_TEST_FIELDS; f++) {
    places[f] = -1;
    for (int c = 0; c < count && c < MAX_COLUMNS; c++)
      for (int n = 0; n < NAMES && columns[f].names[n]; n++)
        if (strcasecmp(names[c], columns[f].names[n]) == 0)
          places[f] = c;
    if (places[f] < 0 && columns[f].needed)
      tutti_lines_fault(lines, "the metadata have no column '%s'", columns[f].names[0]);
  }
}

/* "lumi" of ".../lumi_metadata.csv". */
static char *machine_of(const char *path)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *end = strstr(name, "_metadata");
  return tutti_xstrndup(name, end ? (size_t)(end - name) : 0);
}

static void read_test(struct tutti_lines *lines, const int places[PICO_TEST_FIELDS], struct pico_tests *tests)
{
  struct pico_test test = {.position = tests->count};
  char *fields[MAX_COLUMNS];
  const int count = tutti_pico_cut_csv(lines->text, fields, MAX_COLUMNS);
  for (int f = 0; f < PICO_TEST_FIELDS; f++) {
    const bool there = places[f] >= 0 && places[f] < count;
    if (!there && columns[f].needed)
      tutti_lines_fault(lines, "it has no field '%s'", columns[f].names[0]);
    test.fields[f] = there ? tutti_xstrdup(fields[places[f]])
                           : (f == PICO_TEST_MACHINE ? machine_of(lines->path) : tutti_xstrdup(""));
  }
  tutti_xpush(tests, test);
}

tutti_status tutti_pico_tests_read(const struct import_text *file, struct pico_tests *tests, tutti_error *error)
{
  struct tutti_lines lines;
  int places[PICO_TEST_FIELDS];
  tutti_lines_open_text(&lines, file->bytes, file->length, file->shown, error);
  if (tutti_lines_next(&lines))
    read_headings(&lines, places);
  while (tutti_lines_next(&lines))
    if (lines.length > 0)
      read_test(&lines, places, tests);
  return tutti_lines_close(&lines);
}

void tutti_pico_tests_free(struct pico_tests *tests)
{
  for (size_t i = 0; i < tests->count; i++)
    for (int f = 0; f < PICO_TEST_FIELDS; f++)
      free(tests->items[i].fields[f]);
  tutti_vector_free(tests);
}

/* ---- finding ---- */

static int compare_tests(const void *left, const void *right)
{
  const struct pico_test *a = left, *b = right;
  int order = strcmp(a->fields[PICO_TEST_TIME], b->fields[PICO_TEST_TIME]);
  if (order == 0)
    order = strcmp(a->fields[PICO_TEST_NUMBER], b->fields[PICO_TEST_NUMBER]);
  return order != 0 ? order : THREE_WAY(a->position, b->position);
}

void tutti_pico_tests_sort(struct pico_tests *tests)
{
  tutti_vector_sort(tests, compare_tests);
}

/* The first test that is not before that time and number; NULL: none of that time. */
static const struct pico_test *look_up(const struct pico_tests *tests, char *time, char *number)
{
  const struct pico_test key = {.fields = {[PICO_TEST_TIME] = time, [PICO_TEST_NUMBER] = number}};
  size_t low = 0, high = *time ? tests->count : 0;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (compare_tests(&tests->items[middle], &key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < tests->count && strcmp(tests->items[low].fields[PICO_TEST_TIME], time) == 0 ? &tests->items[low] : NULL;
}

/* The earlier of the two in the metadata, if @p other has that number. */
static const struct pico_test *earlier(const struct pico_test *found, const struct pico_test *other, const char *number)
{
  const bool fits = other && strcmp(other->fields[PICO_TEST_NUMBER], number) == 0;
  return fits && (!found || other->position < found->position) ? other : found;
}

/* "a\0b" of "a/b/file"; @p innermost receives the last one. Owned by the caller. */
static char *cut_folders(const char *path, size_t *length, char **innermost)
{
  const char *end = strrchr(path, '/');
  *length = end ? (size_t)(end - path) : 0;
  char *folders = *innermost = tutti_xstrndup(path, *length);
  for (char *slash = folders; (slash = strchr(slash, '/')); *innermost = slash)
    *slash++ = '\0';
  return folders;
}

const struct pico_test *tutti_pico_tests_find(const struct pico_tests *tests, const char *path)
{
  size_t length;
  char *innermost, none[] = "", *folders = cut_folders(path, &length, &innermost);
  const struct pico_test *found = NULL;
  for (char *folder = folders; folder <= folders + length; folder += strlen(folder) + 1) {
    found = earlier(found, look_up(tests, folder, none), none);
    found = earlier(found, look_up(tests, folder, innermost), innermost);
  }
  free(folders);
  return found;
}

const struct pico_test *tutti_pico_tests_find_time(const struct pico_tests *tests, const char *path)
{
  size_t length;
  char *innermost, none[] = "", *folders = cut_folders(path, &length, &innermost);
  const struct pico_test *found = NULL;
  for (char *folder = folders; folder <= folders + length && !found; folder += strlen(folder) + 1)
    found = look_up(tests, folder, none);
  free(folders);
  return found;
}
