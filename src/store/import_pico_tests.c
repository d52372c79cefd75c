#include "store/import_pico_tests.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
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

/* Which column has each field; -1: none. */
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
  struct pico_test test;
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

/* Is it one of the folders on a path? */
static bool has_folder(const char *path, const char *name)
{
  const size_t length = strlen(name);
  for (const char *end; (end = strchr(path, '/')); path = end + 1)
    if ((size_t)(end - path) == length && strncmp(path, name, length) == 0)
      return true;
  return false;
}

/* Is it the innermost one? */
static bool is_in_folder(const char *path, const char *name)
{
  const char *end = strrchr(path, '/');
  const size_t length = strlen(name);
  return end && (size_t)(end - path) >= length && strncmp(end - length, name, length) == 0 &&
         (end - length == path || end[-(ptrdiff_t)length - 1] == '/');
}

static bool is_of_time(const struct pico_test *test, const char *path)
{
  return *test->fields[PICO_TEST_TIME] && has_folder(path, test->fields[PICO_TEST_TIME]);
}

const struct pico_test *tutti_pico_tests_find(const struct pico_tests *tests, const char *path)
{
  for (size_t i = 0; i < tests->count; i++) {
    const char *number = tests->items[i].fields[PICO_TEST_NUMBER];
    if (is_of_time(&tests->items[i], path) && (!*number || is_in_folder(path, number)))
      return &tests->items[i];
  }
  return NULL;
}

const struct pico_test *tutti_pico_tests_find_time(const struct pico_tests *tests, const char *path)
{
  for (size_t i = 0; i < tests->count; i++)
    if (is_of_time(&tests->items[i], path))
      return &tests->items[i];
  return NULL;
}
