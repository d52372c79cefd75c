/* tutti lint: faults of tuning files that MPI libraries swallow. */
#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/output/output.h"
#include "decision/libraries/libraries.h"
#include "tutti/tuning.h"

struct lint_options {
  const char *target;
  bool codes, json, csv, activate, no_notes;
  struct option_strings paths;
};

static void check_options(void *values)
{
  const struct lint_options *options = values;
  if (!options->codes && !options->paths.count)
    die("which file?");
}

static const struct option_row option_table[] = {
    OPTION_STRING("target", "NAME", struct lint_options, target,
                  "library that reads the file, one of the targets below; a patch level may follow (openmpi-4.1.8)",
                  .otherwise = "what the file looks like", .aliases = "t"),
    OPTION_FLAG("activate", struct lint_options, activate,
                "print the variables with which the library reads the file, too"),
    OPTION_FLAG("no-notes", struct lint_options, no_notes, "only errors and warnings"),
    OPTION_JSON(struct lint_options, json),
    OPTION_CSV(struct lint_options, csv),
    OPTION_FLAG("list-codes", struct lint_options, codes, "print all kinds of faults and end"),
    ARGUMENT_STRINGS("FILE", struct lint_options, paths, .optional = true),
    OPTION_CHECK(check_options),
    OPTION_END};

/* ---- files and findings ---- */

/* What was found in a file. */
struct linted {
  const char *path;
  char target[40];
  const tutti_tuning_kind *kind;    /* NULL: it is read as --target says */
  char refused[TUTTI_ERROR_LENGTH]; /* why it is not judged; "": it is */
  tutti_library_version version;
  tutti_findings findings;
  bool leaves_all; /* with --activate: to the library */
  bool again;      /* the same file for another library: its parts are said before */
  size_t part_count;
  tutti_tuning_part parts[TUTTI_TUNING_KINDS]; /* variables of several kinds; none where there is only one */
  size_t errors, warnings, notes;
  struct finding_row {
    const char *file, *target, *severity;
    tutti_lint_code code;
    int line, column;
    const char *message;
  } * rows; /* of findings that are shown */
  size_t row_count;
};

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

/* Where a script sets variables of two libraries, @p second has the findings for the other one. */
static void lint_file(const struct lint_options *options, struct linted *file, struct linted *second)
{
  char *text;
  size_t length;
  if (options->activate)
    must(tutti_input_permit_handing_on(file->path, &failure));
  must(tutti_input_read_bytes(file->path, TUTTI_INPUT_TEXT, &text, &length, &failure));
  if (!is_text(text, length)) {
    free(text);
    die("%s: is no text file", file->path);
  }
  if (tutti_tuning_identify(file->path, text, length, options->target, &file->kind, &file->version, &failure) ==
      TUTTI_OK)
    tutti_lint_text(text, length, file->path, &file->version, &file->findings);
  else
    strcpy(file->refused, failure.message);
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

static void fill_rows(const struct lint_options *options, struct linted *file)
{
  if (*file->refused)
    return;
  tutti_library_version_format(&file->version, file->target);
  file->errors = tutti_findings_count(&file->findings, TUTTI_ERROR);
  file->warnings = tutti_findings_count(&file->findings, TUTTI_WARNING);
  file->notes = tutti_findings_count(&file->findings, TUTTI_NOTE);
  file->rows = tutti_xcalloc(file->findings.count + 1, sizeof *file->rows);
  for (size_t i = 0; i < file->findings.count; i++) {
    const tutti_finding *finding = &file->findings.items[i];
    if (finding->code->severity != TUTTI_NOTE || !options->no_notes)
      file->rows[file->row_count++] = (struct finding_row){.file = file->path,
                                                           .target = file->target,
                                                           .severity = tutti_severity_name(finding->code->severity),
                                                           .code = *finding->code,
                                                           .line = finding->line,
                                                           .column = finding->column,
                                                           .message = finding->message};
  }
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

/* ---- output ---- */

static const tutti_column finding_columns[] = {
    {"file", "file", TUTTI_FIELD(struct finding_row, file)},
    {"target", "target", TUTTI_FIELD(struct finding_row, target)},
    {"line", "line", TUTTI_FIELD(struct finding_row, line)},
    {"column", "column", TUTTI_FIELD(struct finding_row, column)},
    {"code", "code", TUTTI_FIELD(struct finding_row, code.name)},
    {"severity", "severity", TUTTI_FIELD(struct finding_row, severity)},
    {"title", "title", TUTTI_FIELD(struct finding_row, code.title)},
    {"effect", "effect", TUTTI_FIELD(struct finding_row, code.effect)},
    {"remedy", "remedy", TUTTI_FIELD(struct finding_row, code.remedy)},
    {"message", "message", TUTTI_FIELD(struct finding_row, message)},
};

enum { FILE_COLUMNS = 2 }; /* of the columns above: not in the list of a file */

static void list_findings(tutti_table *table, const void *row)
{
  const struct linted *file = row;
  *table = (tutti_table){.key = table->key,
                         .columns = finding_columns + FILE_COLUMNS,
                         .column_count = sizeof finding_columns / sizeof *finding_columns - FILE_COLUMNS,
                         TUTTI_ROWS(file->rows, file->row_count)};
}

TUTTI_GETTER(get_target, struct linted, *row->refused ? NULL : row->target)

TUTTI_GETTER(get_kind, struct linted, row->kind ? row->kind->name : NULL)

TUTTI_GETTER(get_refused, struct linted, *row->refused ? row->refused : NULL)

TUTTI_GETTER(get_part_kind, tutti_tuning_part, row->kind->name)

TUTTI_GETTER(get_judged, tutti_tuning_part, (bool)row->kind->library)

static const tutti_column part_columns[] = {
    {NULL, "kind", .get = get_part_kind},
    {NULL, "line", TUTTI_FIELD(tutti_tuning_part, line)},
    {NULL, "count", TUTTI_FIELD(tutti_tuning_part, settings)},
    {NULL, "judged", .get = get_judged},
};

static void list_parts(tutti_table *table, const void *row)
{
  const struct linted *file = row;
  *table = (tutti_table){.key = table->key, TUTTI_COLUMNS(part_columns), TUTTI_ROWS(file->parts, file->part_count)};
}

static const tutti_column file_columns[] = {
    {NULL, "file", TUTTI_FIELD(struct linted, path)},
    {NULL, "target", .get = get_target},
    {NULL, "kind", .get = get_kind},
    {NULL, "refused", .get = get_refused},
    {NULL, "errors", TUTTI_FIELD(struct linted, errors)},
    {NULL, "warnings", TUTTI_FIELD(struct linted, warnings)},
    {NULL, "parts", .nested = list_parts},
    {NULL, "findings", .nested = list_findings},
};

/* How the library is told to read the file. */
static void print_use(const struct linted *file, const char *path)
{
  const tutti_target *target = tutti_target_of_version(&file->version);
  tutti_target layer = *target;
  if (file->kind && file->kind->use) {
    layer.use = file->kind->use;
    target = &layer;
  }
  tutti_target_print_use(target, path, stdout);
}

/* What else is in a script. */
static void print_parts(const struct linted *file)
{
  for (size_t i = 0; i < file->part_count; i++) {
    char *sentence = tutti_tuning_part_text(file->path, &file->parts[i]);
    tutti_say(*file->refused ? stderr : stdout, "%s%s\n", *file->refused ? "tutti: " : "", sentence);
    free(sentence);
  }
}

/* A paragraph for each finding, and a line that counts them. */
static void print_text(const struct lint_options *options, const struct linted *file)
{
  if (*file->refused)
    tutti_say(stderr, "tutti: %s\n", file->refused);
  print_parts(file);
  if (*file->refused)
    return;
  if (file->kind && file->kind->use && !file->part_count && !file->again)
    tutti_say(stdout, "%s: %s\n", file->path, file->kind->what);
  for (size_t i = 0; i < file->row_count; i++) {
    const struct finding_row *row = &file->rows[i];
    print_sentence(0, "%s:%d:%d: %s: %s: %s [%s]", row->file, row->line, row->column, row->severity, row->code.title,
                   row->message, row->code.name);
    print_sentence(4, "%s", row->code.effect);
    print_sentence(4, "%s", row->code.remedy);
  }
  tutti_say(stdout, "%s for %s: %zu error%s, %zu warning%s, %zu note%s\n", file->path, file->target, file->errors,
            tutti_plural(file->errors), file->warnings, tutti_plural(file->warnings), file->notes,
            tutti_plural(file->notes));
  char *path = options->activate ? realpath(file->path, NULL) : NULL;
  if (path && file->findings.without_rules)
    print_sentence(0, "%s has no rules: there is nothing to install", file->path);
  else if (path && file->leaves_all)
    print_sentence(0, "%s: the library's own choice everywhere: there is nothing to install", file->path);
  else if (path)
    print_use(file, path);
  free(path);
}

/* CSV has a row for each finding, JSON a list for each file. */
static void print_table(const struct lint_options *options, const struct linted *files, size_t count)
{
  tutti_table table = {.key = "files", TUTTI_COLUMNS(file_columns), TUTTI_ROWS(files, count)};
  if (options->csv) {
    table = (tutti_table){TUTTI_COLUMNS(finding_columns), .row_size = sizeof(struct finding_row)};
    for (size_t i = 0; i < count; i++)
      for (size_t j = 0; j < files[i].row_count; j++)
        must(tutti_table_add(&table, &files[i].rows[j], &failure));
  }
  tutti_document document = {.tables = &table, .table_count = 1};
  must(tutti_document_print(&document, options->csv ? TUTTI_FORMAT_CSV : TUTTI_FORMAT_JSON, stdout, &failure));
  tutti_table_free(&table);
}

static void print(const struct lint_options *options, const struct linted *files, size_t count)
{
  if (options->json || options->csv)
    print_table(options, files, count);
  else
    for (size_t i = 0; i < count; i++)
      print_text(options, &files[i]);
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
  fill_rows(options, file);
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
  print(options, files, *count);
  return refused ? EXIT_USAGE : found ? EXIT_FOUND : EXIT_DONE;
}

static int run(void *values)
{
  const struct lint_options *options = values;
  if (options->codes)
    return print_codes(options);
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
