/* tutti lint: faults of tuning files that MPI libraries swallow. */
#include "cli/lint/lint.h"
#include "cli/command.h"
#include "cli/output/output.h"
#include "decision/libraries/libraries.h"

static void check_options(void *values)
{
  const struct lint_options *options = values;
  if (!options->codes && !options->paths.count)
    die("which file?");
  if (options->fix != (options->output != NULL))
    die("--fix and --output go together: the mended file is another one");
  if (options->fix && options->paths.count > 1)
    die("--fix mends one file at a time");
  if (options->fix && (options->json || options->csv || options->activate))
    die("--fix prints text: lint the mended file with --json, --csv or --activate");
}

static const struct option_row option_table[] = {
    OPTION_STRING("target", "NAME", struct lint_options, target,
                  "library that reads the file, one of the targets below; a patch level may follow (openmpi-4.1.8)",
                  .otherwise = "what the file looks like", .aliases = "t"),
    OPTION_FLAG("activate", struct lint_options, activate,
                "print the variables with which the library reads the file, too"),
    OPTION_FLAG("fix", struct lint_options, fix,
                "write the file mended, where only one mend can be meant, to --output, and say what is left"),
    OPTION_STRING("output", "FILE", struct lint_options, output, "with --fix: the mended file", .letter = 'o',
                  .writes = WRITES_TEXT),
    OPTION_FLAG("no-notes", struct lint_options, no_notes, "only errors and warnings"),
    OPTION_JSON(struct lint_options, json),
    OPTION_CSV(struct lint_options, csv),
    OPTION_FLAG("list-codes", struct lint_options, codes, "print all kinds of faults and end"),
    ARGUMENT_STRINGS("FILE", struct lint_options, paths, .optional = true),
    OPTION_CHECK(check_options),
    OPTION_END};

/* ---- files and findings ---- */

/* No tuning file has bytes that are no characters; those of them that spaces are made of apart. */
static bool is_text(const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)text[i] < ' ' && !strchr("\t\n\v\f\r", text[i] ? text[i] : 1))
      return false;
  return true;
}

/* The library of a part that nobody asked about: the variables of the second one that are judged. */
static const char *second_library(const struct lint_options *options, const struct linted *file)
{
  for (size_t i = 0; i < file->part_count && !options->target && file->kind; i++) {
    const char *library = file->parts[i].kind->library;
    if (library && strcmp(library, file->version.library->name) != 0)
      return library;
  }
  return NULL;
}

char *lint_read(const struct lint_options *options, struct linted *file, size_t *length)
{
  char *text;
  if (options->activate)
    must(tutti_input_permit_handing_on(file->path, &failure));
  must(tutti_input_read_bytes(file->path, TUTTI_INPUT_TEXT, &text, length, &failure));
  if (!is_text(text, *length)) {
    free(text);
    die("%s: is no text file", file->path);
  }
  if (tutti_tuning_identify(file->path, text, *length, options->target, &file->kind, &file->version, &failure) !=
      TUTTI_OK)
    strcpy(file->refused, failure.message);
  return text;
}

/* Where a script sets variables of two libraries, @p second has the findings for the other one. */
static void lint_file(const struct lint_options *options, struct linted *file, struct linted *second)
{
  size_t length;
  char *text = lint_read(options, file, &length);
  if (!*file->refused)
    tutti_lint_text(text, length, file->path, &file->version, &file->findings);
  file->part_count = tutti_tuning_parts(text, length, file->parts);
  file->part_count = file->part_count > 1 ? file->part_count : 0;
  const char *library = *file->refused ? NULL : second_library(options, file);
  if (library) {
    *second = (struct linted){.path = file->path, .again = true};
    must(tutti_tuning_identify(file->path, text, length, library, &second->kind, &second->version, &failure));
    second->version = tutti_tuning_version(library, text, length);
    tutti_lint_text(text, length, file->path, &second->version, &second->findings);
  }
  free(text);
}

/* Does a file of MPICH, which names an algorithm for each call, name the library's own everywhere? Our interposer would
   choose itself without the file. */
static void find_leaving(struct linted *file)
{
  tutti_tuning *tuning;
  bool decides = file->errors > 0 || (file->kind && file->kind->use) ||
                 tutti_library_implementation(file->version.library) == TUTTI_IMPLEMENTATION_TUTTI;
  if (decides)
    return;
  must(tutti_tuning_open(file->path, &file->version, &tuning, &failure));
  for (int c = 0; c < TUTTI_COLL_COUNT && !decides; c++) {
    tutti_step_table table = {.row_count = 0};
    must(tutti_tuning_steps(tuning, (tutti_collective)c, 0, &table, &failure));
    decides = tutti_step_table_answers(&table);
    tutti_step_table_free(&table);
  }
  tutti_tuning_close(tuning);
  file->leaves_all = !decides;
}

/* ---- codes ---- */

TUTTI_GETTER(get_severity, tutti_lint_code, tutti_severity_name(row->severity))

static const tutti_column code_columns[] = {
    {"code", "code", TUTTI_FIELD(tutti_lint_code, name), .width = 10},
    {"severity", "severity", .get = get_severity, .width = 8, .gap = 1},
    {"title", "title", TUTTI_FIELD(tutti_lint_code, title), .gap = 1},
    {NULL, "effect", TUTTI_FIELD(tutti_lint_code, effect)},
    {NULL, "remedy", TUTTI_FIELD(tutti_lint_code, remedy)},
};

static int print_codes(const struct lint_options *options)
{
  tutti_table table = {.key = "codes", TUTTI_COLUMNS(code_columns), .row_size = sizeof(tutti_lint_code), .bare = true};
  tutti_document document = {.tables = &table, .table_count = 1};
  for (size_t i = 0; tutti_lint_code_at(i); i++)
    must(tutti_table_add(&table, tutti_lint_code_at(i), &failure));
  must(tutti_document_print(&document,
                            options->json  ? TUTTI_FORMAT_JSON
                            : options->csv ? TUTTI_FORMAT_CSV
                                           : TUTTI_FORMAT_TEXT,
                            stdout, &failure));
  tutti_table_free(&table);
  return EXIT_DONE;
}

/* Returns whether something was found. */
static bool judge(const struct lint_options *options, struct linted *file, const tutti_library **warned)
{
  if (*file->refused)
    return false;
  if (file->version.library != *warned)
    warn_of_missing_file(file->version.library->name);
  *warned = file->version.library;
  lint_fill_rows(options, file);
  lint_find_effects(file);
  if (options->activate)
    find_leaving(file);
  return file->errors || file->warnings;
}

static int lint_files(const struct lint_options *options, struct linted *files, size_t *count)
{
  bool found = false, refused = false;
  const tutti_library *warned = NULL;
  tutti_library_version version;
  if (options->target)
    must(tutti_library_version_parse(options->target, &version, &failure));
  for (size_t i = 0; i < options->paths.count; i++) {
    struct linted *file = &files[(*count)++];
    file->path = options->paths.items[i];
    lint_file(options, file, file + 1);
    refused = refused || *file->refused;
    found = judge(options, file, &warned) || found;
    if (file[1].path) {
      (*count)++;
      found = judge(options, file + 1, &warned) || found;
    }
  }
  lint_print(options, files, *count);
  return refused ? EXIT_USAGE : found ? EXIT_FOUND : EXIT_DONE;
}

static int run(void *values)
{
  const struct lint_options *options = values;
  if (options->codes)
    return print_codes(options);
  if (options->fix)
    return lint_fix(options);
  struct linted *files = tutti_xcalloc(2 * options->paths.count, sizeof *files); /* of a script for two libraries */
  size_t count = 0;
  int code = lint_files(options, files, &count);
  for (size_t i = 0; i < count; i++) {
    tutti_findings_free(&files[i].findings);
    free(files[i].rows);
  }
  free(files);
  return code;
}

/* The libraries with tuning files, below the options. */
static char *list_targets(void)
{
#define LIBRARY(name) &tutti_library_##name,
  static const tutti_library *const libraries[] = {
#include "decision/libraries/libraries.def"
  };
#undef LIBRARY
  char *list = NULL;
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
    if (!libraries[i]->versions)
      continue;
    char *longer = tutti_xprintf("%s%s%s", list ? list : "Targets: ", list ? ", " : "", libraries[i]->versions);
    free(list);
    list = longer;
  }
  return list;
}

DEFINE_COMMAND(lint, "lint", option_table, struct lint_options, run, .list = list_targets);
