/*
 * A folder of results as PICO writes it, turned into rows of the tables that import_pico.c reads:
 *
 *     MACHINE_metadata.csv                         a line a test (import_pico_tests.h)
 *     ANY/TIME.tar.gz, ANY/TIME/                   what was measured at a time; archives may be in such a folder
 *       alloc.csv, alloc_NODES.csv                 the nodes in the order of the ranks: the last field of each line
 *       NUMBER/COUNT_ALGORITHM_TYPE.csv            times in nanoseconds in the column `highest`: of each repetition the
 *                                                  slowest rank; COUNT elements, those of all blocks together
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "base/text.h"
#include "harness/store/import_pico_folder.h"

enum { TYPE_SIZE = 4 };

/* "2025_03_16___14_58_59/0" */
static char *run_of(const char *const *test)
{
  const char *number = test[FIELD_NUMBER] ? test[FIELD_NUMBER] : "";
  return tutti_xprintf("%s%s%s", test[FIELD_TIME], *number ? "/" : "", number);
}

/* ---- times ---- */

struct times {
  TUTTI_VECTOR(double);
};

/* What PICO itself writes after the times, and what is no time. */
static tutti_status take_cell(const struct import_walk *walk, const struct tutti_lines *lines, const char *cell,
                              struct times *times)
{
  char *end = NULL;
  const double time = cell ? strtod(cell, &end) : 0;
  if (cell && strncmp(cell, "Average runtime:", strlen("Average runtime:")) == 0)
    return TUTTI_OK;
  if (!end || end == cell || *end != '\0' || !(time >= 0) || isinf(time))
    return tutti_pass_over(&walk->imported->passed, lines->path, lines->number, "no time in the column 'highest'",
                           walk->error, "'%.40s'", cell ? cell : "");
  tutti_xpush(times, time);
  return TUTTI_OK;
}

static tutti_status read_times(const struct import_walk *walk, struct tutti_lines *lines, struct times *times)
{
  static const struct import_columns columns = {.cut = CUT_COMMAS, .items = {{"highest", FIELD_RUNTIME}}};
  struct import_table table = {.known = &columns};
  tutti_status status = TUTTI_OK;
  while (status == TUTTI_OK && tutti_lines_next(lines)) {
    if (lines->length == 0)
      continue;
    if (table.count > 0) {
      tutti_import_cells(&table, lines->text);
      status = take_cell(walk, lines, table.cells[FIELD_RUNTIME], times);
      continue;
    }
    tutti_import_headings(&table, lines->text);
    if (table.seen[FIELD_RUNTIME] == 0) {
      status = tutti_pass_over(&walk->imported->passed, lines->path, lines->number, "there is no column 'highest'",
                               walk->error, "%s", "");
      break;
    }
  }
  const tutti_status read = tutti_lines_close(lines);
  return status != TUTTI_OK ? status : read;
}

/* COUNT_ALGORITHM_TYPE.csv, or COUNT_ALGORITHM.csv of int32, which PICO measures unless it is told otherwise. False:
   the name is another one. */
static bool cut_name(const char *name, uint64_t *elements, char **algorithm, uint64_t *type_size)
{
  const size_t digits = strspn(name, "0123456789"), length = tutti_stem_length(name, ".csv");
  if (digits == 0 || name[digits] != '_' || length <= digits + 1)
    return false;
  char *number = tutti_xstrndup(name, digits), *rest = tutti_xstrndup(name + digits + 1, length - digits - 1);
  const bool whole = tutti_parse_integer(number, 1, UINT64_MAX / 16, elements);
  free(number);
  char *last = strrchr(rest, '_');
  *type_size = last ? tutti_import_type_size(last + 1) : 0;
  if (*type_size > 0)
    *last = '\0';
  else
    *type_size = TYPE_SIZE;
  *algorithm = rest;
  if (!whole)
    free(rest);
  return whole;
}

tutti_status tutti_pico_add_result(struct import_walk *walk, const char *const *test, const char **cells,
                                   uint64_t type_size, bool of_summary, const char *shown)
{
  struct pico_folder *folder = walk->context;
  static const enum import_field of_test[] = {FIELD_MACHINE,  FIELD_NODES, FIELD_RANKS_PER_NODE, FIELD_COLLECTIVE,
                                              FIELD_SETTINGS, FIELD_GPU,   FIELD_GPU_VERSION};
  for (size_t i = 0; i < sizeof of_test / sizeof *of_test; i++)
    cells[of_test[i]] = tutti_pico_text(test[of_test[i]]);
  if (!*cells[FIELD_RANKS_PER_NODE])
    cells[FIELD_RANKS_PER_NODE] = "1";
  char *run = run_of(test), *key = tutti_xprintf("%s %s %llu %s", run, cells[FIELD_SIZE], (unsigned long long)type_size,
                                                 cells[FIELD_METHOD]);
  const char *version = tutti_pico_text(test[FIELD_VERSION]);
  char *library = tutti_xprintf("%s%s%s", tutti_pico_text(test[FIELD_LIBRARY]), *version ? "-" : "", version);
  cells[FIELD_LIBRARY] = library;
  cells[FIELD_RUN] = run;
  tutti_import_how how = *folder->how;
  how.type_size = type_size;
  const bool again = (*tutti_index_number(&folder->rows, key))++ > 0;
  const tutti_status status =
      again && of_summary ? TUTTI_OK : tutti_pico_add(walk->imported, &how, shown, cells, walk->error);
  free(library);
  free(key);
  free(run);
  return status;
}

static tutti_status add_times(struct import_walk *walk, const struct pico_test *test, const char *algorithm,
                              uint64_t bytes, uint64_t type_size, struct times *times, const char *shown)
{
  char numbers[FIELDS][32];
  const char *cells[FIELDS] = {[FIELD_METHOD] = algorithm};
  double sum = 0;
  tutti_doubles_sort(times->items, times->count);
  for (size_t i = 0; i < times->count; i++)
    sum += times->items[i];
  const double found[] = {[FIELD_MINIMUM] = times->items[0],
                          [FIELD_MEDIAN] = tutti_doubles_median(times->items, times->count),
                          [FIELD_MEAN] = sum / (double)times->count,
                          [FIELD_MAXIMUM] = times->items[times->count - 1]};
  for (int f = FIELD_MINIMUM; f <= FIELD_MAXIMUM; f++)
    snprintf(numbers[f], sizeof numbers[f], "%.17g", found[f]);
  snprintf(numbers[FIELD_SIZE], sizeof numbers[FIELD_SIZE], "%llu", (unsigned long long)bytes);
  snprintf(numbers[FIELD_REPETITIONS], sizeof numbers[FIELD_REPETITIONS], "%zu", times->count);
  for (int f = FIELD_SIZE; f <= FIELD_MAXIMUM; f++)
    if (f <= FIELD_REPETITIONS ? f != FIELD_COUNT : f >= FIELD_MINIMUM)
      cells[f] = numbers[f];
  return tutti_pico_add_result(walk, (const char *const *)test->fields, cells, type_size, false, shown);
}

static tutti_status take_times(struct import_walk *walk, const struct import_text *file, const char *algorithm,
                               uint64_t elements, uint64_t type_size)
{
  struct pico_folder *folder = walk->context;
  struct tutti_lines lines;
  struct times times = {.count = 0};
  const char *const shown = file->shown;
  const struct pico_test *test = tutti_pico_tests_find(&folder->tests, shown);
  folder->files++;
  if (!test)
    return tutti_pass_over(&walk->imported->passed, shown, 0, "the metadata have no test of this folder", walk->error,
                           "%s", "");
  tutti_lines_open_text(&lines, file->bytes, file->length, file->shown, walk->error);
  lines.zeros = true;
  const uint64_t before = walk->imported->passed.count;
  tutti_status status = read_times(walk, &lines, &times);
  if (status == TUTTI_OK && times.count > 0)
    status = add_times(walk, test, algorithm, elements * type_size, type_size, &times, shown);
  else if (status == TUTTI_OK && walk->imported->passed.count == before)
    status = tutti_pass_over(&walk->imported->passed, shown, 0, "no times", walk->error, "%s", "");
  tutti_vector_free(&times);
  return status;
}

/* ---- nodes ---- */

/* The names of nodes have digits, the heading has none. */
static tutti_status take_nodes(struct import_walk *walk, const struct import_text *file, const char *name)
{
  const struct pico_folder *folder = walk->context;
  struct tutti_lines lines;
  struct tutti_text_stream list;
  char *fields[IMPORT_WORDS], *before = tutti_xstrdup("");
  const struct pico_test *test = tutti_pico_tests_find_time(&folder->tests, file->shown);
  tutti_xopen_text(&list);
  tutti_lines_open_text(&lines, file->bytes, file->length, file->shown, walk->error);
  lines.zeros = true;
  while (test && tutti_lines_next(&lines)) {
    const int count = tutti_import_cut(lines.text, CUT_COMMAS, fields);
    const char *node = fields[count > IMPORT_WORDS ? IMPORT_WORDS - 1 : count - 1];
    if (!strpbrk(node, "0123456789") || strcmp(node, before) == 0)
      continue;
    fprintf(list.stream, "%s%s", *before ? " " : "", node);
    free(before);
    before = tutti_xstrdup(node);
  }
  char *nodes = tutti_xclose_text(&list);
  tutti_status status = tutti_lines_close(&lines);
  if (status == TUTTI_OK && *nodes) {
    char *run = tutti_xprintf("%s/%s", test->fields[FIELD_TIME], name);
    tutti_pico_add_allocation(walk->imported, test->fields[FIELD_MACHINE], run, nodes);
    free(run);
  }
  free(nodes);
  free(before);
  return status;
}

/* ---- the folder ---- */

static bool is_metadata(const char *name)
{
  return strstr(name, "metadata") && tutti_stem_length(name, ".csv") > 0;
}

static bool is_result(const char *name)
{
  return *name != '.' && !is_metadata(name) &&
         (tutti_stem_length(name, ".csv") > 0 || tutti_import_archive_stem(name) > 0);
}

static tutti_status take_metadata(struct import_walk *walk, const struct import_text *file, const char *name)
{
  struct pico_folder *folder = walk->context;
  (void)name;
  return tutti_pico_tests_read(file, &folder->tests, &walk->imported->passed, walk->error);
}

static tutti_status take_result(struct import_walk *walk, const struct import_text *file, const char *name)
{
  uint64_t elements, type_size;
  char *algorithm;
  if (strncmp(name, "alloc", strlen("alloc")) == 0)
    return take_nodes(walk, file, name);
  const bool numbered = isdigit((unsigned char)*name), whole = cut_name(name, &elements, &algorithm, &type_size);
  if (numbered && !whole)
    return tutti_pass_over(&walk->imported->passed, file->shown, 0, "not the name of a file of times", walk->error,
                           "%s", "COUNT_ALGORITHM_TYPE.csv");
  if (!whole)
    return tutti_pico_keep_summary(walk->context, file);
  const tutti_status taken = take_times(walk, file, algorithm, elements, type_size);
  free(algorithm);
  return taken;
}

tutti_status tutti_pico_read_folder(struct import_walk *walk, const tutti_import_how *how, const char *path)
{
  struct pico_folder folder = {.how = how};
  walk->context = &folder;
  walk->wanted = is_metadata;
  walk->take = take_metadata;
  tutti_status status = tutti_import_walk(walk, path);
  tutti_pico_tests_sort(&folder.tests);
  walk->wanted = is_result;
  walk->take = take_result;
  if (status == TUTTI_OK)
    status = tutti_import_walk(walk, path);
  const tutti_status read = tutti_pico_read_summaries(walk);
  status = status == TUTTI_OK ? read : status;
  if (status == TUTTI_OK && folder.tests.count == 0 && walk->imported->count == 0)
    status = tutti_fail(walk->error, TUTTI_ERR_ARGUMENT, "%s: no file of metadata (..._metadata.csv) with tests", path);
  if (status == TUTTI_OK && folder.files == 0)
    status = tutti_fail(walk->error, TUTTI_ERR_ARGUMENT, "%s: no times (COUNT_ALGORITHM_TYPE.csv)", path);
  tutti_pico_tests_free(&folder.tests);
  tutti_index_free(&folder.rows);
  return status;
}
