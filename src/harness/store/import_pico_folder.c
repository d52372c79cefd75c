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
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "base/text.h"
#include "harness/store/import_archive.h"
#include "harness/store/import_pico.h"
#include "harness/store/import_pico_tests.h"
#include "tutti/import.h"

enum { TYPE_SIZE = 4, MAX_DEPTH = 16 };

struct folder {
  tutti_imported *imported;
  const tutti_import_how *how;
  struct pico_tests tests;
  bool metadata; /* this walk reads those alone */
  size_t files;  /* of times */
  int depth;
  struct import_allowance allowance;
  tutti_error *error;
};

/* ---- tables ---- */

static tutti_status read_table(struct folder *folder, const char *text, const char *name)
{
  FILE *stream = fmemopen((void *)text, strlen(text), "r");
  if (!stream)
    return tutti_fail(folder->error, TUTTI_ERR_IO, "%s: %s", name, strerror(errno));
  const tutti_status status = tutti_import_read(folder->imported, folder->how, stream, name, folder->error);
  fclose(stream);
  return status;
}

/* "2025_03_16___14_58_59/0" */
static char *run_of(const struct pico_test *test)
{
  const char *number = test->fields[FIELD_NUMBER];
  return tutti_xprintf("%s%s%s", test->fields[FIELD_TIME], *number ? "/" : "", number);
}

/* ---- times ---- */

struct times {
  TUTTI_VECTOR(double);
};

static void read_times(struct tutti_lines *lines, struct times *times)
{
  static const struct import_columns columns = {.cut = CUT_COMMAS, .items = {{"highest", FIELD_RUNTIME}}};
  struct import_table table = {.known = &columns};
  while (tutti_lines_next(lines)) {
    if (lines->length == 0)
      continue;
    if (table.count == 0) {
      tutti_import_headings(&table, lines->text);
      if (table.seen[FIELD_RUNTIME] == 0)
        tutti_lines_fault(lines, "there is no column 'highest'");
      continue;
    }
    tutti_import_cells(&table, lines->text);
    const char *cell = table.cells[FIELD_RUNTIME];
    char *end = NULL;
    const double time = cell ? strtod(cell, &end) : 0;
    if (!end || end == cell || *end != '\0' || !(time >= 0))
      tutti_lines_fault(lines, "no time in the column 'highest'");
    tutti_xpush(times, time);
  }
}

/* COUNT_ALGORITHM_TYPE.csv; false: the name is another one. */
static bool cut_name(const char *name, uint64_t *elements, char **algorithm, const char **type)
{
  const size_t digits = strspn(name, "0123456789"), length = tutti_stem_length(name, ".csv");
  const char *last = length ? memrchr(name, '_', length) : NULL;
  if (digits == 0 || name[digits] != '_' || !last || last <= name + digits)
    return false;
  char *number = tutti_xstrndup(name, digits);
  const bool whole = tutti_parse_integer(number, 1, UINT64_MAX / TYPE_SIZE, elements);
  free(number);
  if (!whole)
    return false;
  *algorithm = tutti_xstrndup(name + digits + 1, (size_t)(last - name) - digits - 1);
  *type = last + 1;
  return true;
}

static bool has_four_bytes(const char *type)
{
  static const char *const types[] = {"int32", "uint32", "int", "float"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strncmp(type, types[i], strlen(types[i])) == 0 && strcmp(type + strlen(types[i]), ".csv") == 0)
      return true;
  return false;
}

static tutti_status add_row(struct folder *folder, const struct pico_test *test, const char *algorithm,
                            uint64_t elements, struct times *times, const char *shown)
{
  char *const *said = test->fields, *run = run_of(test);
  double sum = 0;
  tutti_doubles_sort(times->items, times->count);
  for (size_t i = 0; i < times->count; i++)
    sum += times->items[i];
  char *text = tutti_xprintf("%s\n%s\t%s\t%s\t%s\t%s%s%s\t%s\t%llu\t%s\t%zu\t%.17g\t%.17g\t%.17g\t%.17g\t%s\n",
                             tutti_pico_headings, said[FIELD_MACHINE], said[FIELD_NODES],
                             *said[FIELD_RANKS_PER_NODE] ? said[FIELD_RANKS_PER_NODE] : "1", said[FIELD_COLLECTIVE],
                             said[FIELD_LIBRARY], *said[FIELD_VERSION] ? "-" : "", said[FIELD_VERSION],
                             said[FIELD_SETTINGS], (unsigned long long)(elements * TYPE_SIZE), algorithm, times->count,
                             times->items[0], tutti_doubles_median(times->items, times->count),
                             sum / (double)times->count, times->items[times->count - 1], run);
  const tutti_status status = read_table(folder, text, shown);
  free(text);
  free(run);
  return status;
}

static tutti_status take_times(struct folder *folder, const struct import_text *file, const char *algorithm,
                               uint64_t elements, const char *type)
{
  struct tutti_lines lines;
  struct times times = {.count = 0};
  const char *const shown = file->shown;
  const struct pico_test *test = tutti_pico_tests_find(&folder->tests, shown);
  if (!test)
    return tutti_fail(folder->error, TUTTI_ERR_ARGUMENT, "%s: the metadata have no test of this folder", shown);
  if (!has_four_bytes(type))
    return tutti_fail(folder->error, TUTTI_ERR_ARGUMENT, "%s: elements of other than 4 bytes are not known", shown);
  tutti_lines_open_text(&lines, file->bytes, file->length, file->shown, folder->error);
  read_times(&lines, &times);
  tutti_status status = tutti_lines_close(&lines);
  if (status == TUTTI_OK && times.count == 0)
    status = tutti_fail(folder->error, TUTTI_ERR_ARGUMENT, "%s: no times", shown);
  if (status == TUTTI_OK)
    status = add_row(folder, test, algorithm, elements, &times, shown);
  folder->files++;
  tutti_vector_free(&times);
  return status;
}

/* ---- nodes ---- */

/* The names of nodes have digits, the heading has none. */
static tutti_status take_nodes(struct folder *folder, const struct import_text *file, const char *name)
{
  struct tutti_lines lines;
  struct tutti_text_stream list;
  char *fields[IMPORT_WORDS], *before = tutti_xstrdup("");
  const struct pico_test *test = tutti_pico_tests_find_time(&folder->tests, file->shown);
  tutti_xopen_text(&list);
  tutti_lines_open_text(&lines, file->bytes, file->length, file->shown, folder->error);
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
    char *text = tutti_xprintf("%s\n%s\t%s/%s\t%s\n", tutti_pico_allocation_headings, test->fields[FIELD_MACHINE],
                               test->fields[FIELD_TIME], name, nodes);
    status = read_table(folder, text, file->shown);
    free(text);
  }
  free(nodes);
  free(before);
  return status;
}

/* ---- folders and archives ---- */

static tutti_status walk(struct folder *folder, const char *path);

static size_t archive_stem(const char *name)
{
  return tutti_stem_length(name, ".tar.gz");
}

static bool is_metadata(const char *name)
{
  return strstr(name, "metadata") && tutti_stem_length(name, ".csv") > 0;
}

static bool is_wanted(const char *name)
{
  return *name != '.' && (tutti_stem_length(name, ".csv") > 0 || archive_stem(name) > 0);
}

static tutti_status import_entry(struct folder *folder, const struct import_text *file);

static tutti_status open_archive(struct folder *folder, const struct import_text *file)
{
  struct import_texts texts = {.count = 0};
  if (folder->depth >= MAX_DEPTH)
    return tutti_fail(folder->error, TUTTI_ERR_ARGUMENT, "%s: too many archives in each other", file->shown);
  char *inside = tutti_xstrndup(file->shown, archive_stem(file->shown));
  tutti_status status = tutti_import_archive_read(file, inside, is_wanted, &folder->allowance, &texts, folder->error);
  folder->depth++;
  for (size_t i = 0; i < texts.count && status == TUTTI_OK; i++) {
    status = import_entry(folder, &texts.items[i]);
    tutti_import_text_free(&texts.items[i]);
  }
  folder->depth--;
  tutti_import_texts_free(&texts);
  free(inside);
  return status;
}

static tutti_status import_entry(struct folder *folder, const struct import_text *file)
{
  uint64_t elements;
  char *algorithm;
  const char *type, *slash = strrchr(file->shown, '/'), *name = slash ? slash + 1 : file->shown;
  if (folder->metadata)
    return is_metadata(name) ? tutti_pico_tests_read(file, &folder->tests, folder->error) : TUTTI_OK;
  if (archive_stem(name) > 0)
    return open_archive(folder, file);
  if (strncmp(name, "alloc", strlen("alloc")) == 0)
    return take_nodes(folder, file, name);
  if (!cut_name(name, &elements, &algorithm, &type))
    return TUTTI_OK;
  const tutti_status taken = take_times(folder, file, algorithm, elements, type);
  free(algorithm);
  return taken;
}

/* A folder, or a regular file that may be of PICO: everything else is passed over, links among it. */
static tutti_status take_path(struct folder *folder, const char *path, const char *name)
{
  struct stat entry;
  struct import_text file;
  if (lstat(path, &entry) != 0)
    return tutti_fail(folder->error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
  if (S_ISDIR(entry.st_mode))
    return walk(folder, path);
  if (!S_ISREG(entry.st_mode) || !is_wanted(name) || is_metadata(name) != folder->metadata)
    return TUTTI_OK;
  tutti_status status = tutti_import_file_read(path, path, &folder->allowance, &file, folder->error);
  if (status != TUTTI_OK)
    return status;
  status = import_entry(folder, &file);
  tutti_import_text_free(&file);
  return status;
}

static int is_shown(const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

/* In the order of the names. */
static tutti_status walk(struct folder *folder, const char *path)
{
  struct dirent **entries = NULL;
  const int count = folder->depth < MAX_DEPTH ? scandir(path, &entries, is_shown, alphasort) : -1;
  if (count < 0)
    return tutti_fail(folder->error, TUTTI_ERR_IO, "%s: cannot be read: %s", path,
                      folder->depth < MAX_DEPTH ? strerror(errno) : "too many folders in each other");
  tutti_status status = TUTTI_OK;
  folder->depth++;
  for (int i = 0; i < count; i++) {
    char *inner = tutti_xprintf("%s/%s", path, entries[i]->d_name);
    if (status == TUTTI_OK)
      status = take_path(folder, inner, entries[i]->d_name);
    free(inner);
    free(entries[i]);
  }
  folder->depth--;
  free(entries);
  return status;
}

tutti_status tutti_import_read_folder(tutti_imported *imported, const tutti_import_how *how, const char *path,
                                      tutti_error *error)
{
  struct folder folder = {.imported = imported, .how = how, .metadata = true, .error = error};
  folder.allowance = tutti_import_allowance();
  if (how->format != TUTTI_IMPORT_PICO)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: a folder; those of PICO are read with --format pico", path);
  tutti_status status = walk(&folder, path);
  if (status == TUTTI_OK && folder.tests.count == 0)
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: no file of metadata (..._metadata.csv) with tests", path);
  folder.metadata = false;
  tutti_pico_tests_sort(&folder.tests);
  if (status == TUTTI_OK)
    status = walk(&folder, path);
  if (status == TUTTI_OK && folder.files == 0)
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: no times (COUNT_ALGORITHM_TYPE.csv)", path);
  tutti_pico_tests_free(&folder.tests);
  return status;
}
