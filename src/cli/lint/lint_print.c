/* What lint found, as text, JSON and CSV. */
#include "cli/lint/lint.h"
#include "cli/output/output.h"
#include "decision/libraries/libraries.h"

void lint_fill_rows(const struct lint_options *options, struct linted *file)
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

/* ---- tables ---- */

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

static const tutti_column effect_columns[] = {
    {NULL, "collective", .at = offsetof(struct lint_effect, collective), .get = cell_collective},
    {NULL, "rule_count", TUTTI_FIELD(struct lint_effect, rules)},
};

static void list_effects(tutti_table *table, const void *row)
{
  const struct linted *file = row;
  *table = (tutti_table){.key = table->key,
                         TUTTI_COLUMNS(effect_columns),
                         TUTTI_ROWS(file->effects, file->effect_count > 0 ? file->effect_count : 0)};
}

static const tutti_column file_columns[] = {
    {NULL, "file", TUTTI_FIELD(struct linted, path)},
    {NULL, "target", .get = get_target},
    {NULL, "kind", .get = get_kind},
    {NULL, "refused", .get = get_refused},
    {NULL, "errors", TUTTI_FIELD(struct linted, errors)},
    {NULL, "warnings", TUTTI_FIELD(struct linted, warnings)},
    {NULL, "parts", .nested = list_parts},
    {NULL, "in_effect", .nested = list_effects},
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

enum { LINES_OF_FINDING = 3 };

void lint_print_findings(const struct linted *file)
{
  for (size_t i = 0; i < file->row_count; i++) {
    const struct finding_row *row = &file->rows[i];
    print_sentence(0, "%s:%d:%d: %s: %s: %s [%s]", row->file, row->line, row->column, row->severity, row->code.title,
                   row->message, row->code.name);
    print_sentence(4, "%s", row->code.effect);
    print_sentence(4, "%s", row->code.remedy);
  }
}

void lint_print_counts(const void *about)
{
  const struct linted *file = about;
  tutti_say(stdout, "%s for %s: %zu error%s, %zu warning%s, %zu note%s\n", file->path, file->target, file->errors,
            tutti_plural(file->errors), file->warnings, tutti_plural(file->warnings), file->notes,
            tutti_plural(file->notes));
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
  verdict_first(LINES_OF_FINDING * file->row_count, lint_print_counts, file);
  lint_print_findings(file);
  lint_print_effects(file);
  lint_print_counts(file);
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

void lint_print(const struct lint_options *options, const struct linted *files, size_t count)
{
  if (options->json || options->csv)
    print_table(options, files, count);
  else
    for (size_t i = 0; i < count; i++)
      print_text(options, &files[i]);
}
