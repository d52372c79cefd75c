#include "harness/store/import_pico_tests.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "base/text.h"

static const struct import_columns columns = {.cut = CUT_COMMAS,
                                              .items = {{"machine|system", FIELD_MACHINE},
                                                        {"timestamp", FIELD_TIME},
                                                        {"test_id", FIELD_NUMBER},
                                                        {"nodes|nnodes", FIELD_NODES},
                                                        {"ranks_per_node|tasks_per_node|ppn", FIELD_RANKS_PER_NODE},
                                                        {"collective|collective_type", FIELD_COLLECTIVE},
                                                        {"library|mpi_lib", FIELD_LIBRARY},
                                                        {"library_version|mpi_lib_version", FIELD_VERSION},
                                                        {"settings|notes", FIELD_SETTINGS},
                                                        {"gpu_lib", FIELD_GPU},
                                                        {"gpu_lib_version", FIELD_GPU_VERSION}}};

static const struct {
  enum import_field field;
  const char *name;
} needed[] = {
    {FIELD_TIME, "timestamp"}, {FIELD_NODES, "nodes"}, {FIELD_COLLECTIVE, "collective"}, {FIELD_LIBRARY, "library"}};

enum { NEEDED = sizeof needed / sizeof *needed };

const char *tutti_pico_text(const char *cell)
{
  return cell && strcmp(cell, "null") != 0 ? cell : "";
}

/* "lumi" of ".../lumi_metadata.csv". */
static char *machine_of(const char *path)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *end = strstr(name, "_metadata");
  return tutti_xstrndup(name, end ? (size_t)(end - name) : 0);
}

static void add_test(const struct tutti_lines *lines, const struct import_table *table, struct pico_tests *tests)
{
  struct pico_test test = {.position = tests->count};
  for (int f = 0; f < FIELDS; f++)
    test.fields[f] = f == FIELD_MACHINE && !table->cells[f] ? machine_of(lines->path)
                                                            : tutti_xstrdup(tutti_pico_text(table->cells[f]));
  tutti_xpush(tests, test);
}

/* The first needed column that a table, or its line, lacks, or NULL. */
static const char *find_lacking(const struct import_table *table, bool line)
{
  for (int i = 0; i < NEEDED; i++)
    if (line ? !table->cells[needed[i].field] : table->seen[needed[i].field] == 0)
      return needed[i].name;
  return NULL;
}

static tutti_status read_tests(struct tutti_lines *lines, struct pico_tests *tests, tutti_passed *passed,
                               tutti_error *error)
{
  struct import_table table = {.known = &columns};
  const char *lacking = NULL;
  tutti_status status = TUTTI_OK;
  if (tutti_lines_next(lines)) {
    tutti_import_headings(&table, lines->text);
    lacking = find_lacking(&table, false);
  }
  if (lacking)
    return tutti_pass_over(passed, lines->path, lines->number, "the metadata lack a column", error, "%s", lacking);
  while (status == TUTTI_OK && tutti_lines_next(lines)) {
    if (lines->length == 0)
      continue;
    tutti_import_cells(&table, lines->text);
    lacking = find_lacking(&table, true);
    if (lacking)
      status = tutti_pass_over(passed, lines->path, lines->number, "a test lacks a field", error, "%s", lacking);
    else
      add_test(lines, &table, tests);
  }
  return status;
}

tutti_status tutti_pico_tests_read(const struct import_text *file, struct pico_tests *tests, tutti_passed *passed,
                                   tutti_error *error)
{
  struct tutti_lines lines;
  tutti_lines_open_text(&lines, file->bytes, file->length, file->shown, error);
  lines.zeros = true;
  const tutti_status status = read_tests(&lines, tests, passed, error), read = tutti_lines_close(&lines);
  return status != TUTTI_OK ? status : read;
}

void tutti_pico_tests_free(struct pico_tests *tests)
{
  for (size_t i = 0; i < tests->count; i++)
    for (int f = 0; f < FIELDS; f++)
      free(tests->items[i].fields[f]);
  tutti_vector_free(tests);
}

/* ---- finding ---- */

static int compare_tests(const void *left, const void *right)
{
  const struct pico_test *a = left, *b = right;
  int order = strcmp(a->fields[FIELD_TIME], b->fields[FIELD_TIME]);
  if (order == 0)
    order = strcmp(a->fields[FIELD_NUMBER], b->fields[FIELD_NUMBER]);
  return order != 0 ? order : THREE_WAY(a->position, b->position);
}

void tutti_pico_tests_sort(struct pico_tests *tests)
{
  tutti_vector_sort(tests, compare_tests);
}

/* The first test that is not before that time and number; NULL: none of that time. */
static const struct pico_test *look_up(const struct pico_tests *tests, char *time, char *number)
{
  const struct pico_test key = {.fields = {[FIELD_TIME] = time, [FIELD_NUMBER] = number}};
  size_t low = 0, high = *time ? tests->count : 0;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (compare_tests(&tests->items[middle], &key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < tests->count && strcmp(tests->items[low].fields[FIELD_TIME], time) == 0 ? &tests->items[low] : NULL;
}

/* The earlier of the two in the metadata, if @p other has that number. */
static const struct pico_test *earlier(const struct pico_test *found, const struct pico_test *other, const char *number)
{
  const bool fits = other && strcmp(other->fields[FIELD_NUMBER], number) == 0;
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
