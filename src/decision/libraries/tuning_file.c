/* Tuning files in memory: loading, places, findings. */
#include "decision/libraries/libraries.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/memory.h"

/* ---- places ---- */

char tutti_tuning_first(const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '#')
      while (i + 1 < length && text[i + 1] != '\n')
        i++;
    else if (!isspace((unsigned char)text[i]))
      return text[i];
  }
  return '\0';
}

/* To a place before. */
static void move_back(const struct tuning_file *file, size_t at, struct tuning_place *place)
{
  int lines = 0;
  for (size_t i = at; i < place->at; i++)
    lines += file->text[i] == '\n';
  const char *end = lines ? memrchr(file->text, '\n', at) : NULL; /* of the previous line */
  const size_t begin = lines ? (end ? (size_t)(end + 1 - file->text) : 0) : place->at - (size_t)(place->column - 1);
  *place = (struct tuning_place){at, place->line - lines, (int)(at - begin) + 1};
}

void tutti_tuning_move(const struct tuning_file *file, size_t at, struct tuning_place *place)
{
  if (place->line == 0)
    *place = (struct tuning_place){0, 1, 1};
  if (at < place->at)
    move_back(file, at, place);
  for (; place->at < at && place->at < file->length; place->at++) {
    bool ends = file->text[place->at] == '\n';
    place->column = ends ? 1 : place->column + 1;
    place->line += ends;
  }
}

static bool is_full(const struct tuning_file *file)
{
  return file->findings && file->findings->count >= TUTTI_MAX_FINDINGS;
}

/* Findings mostly follow each other: search from the line of the last one on. After the last finding that is kept,
   places are not needed. */
size_t tutti_tuning_line(const struct tuning_file *file, int number)
{
  const struct tuning_place *last = &file->last;
  if (is_full(file))
    return file->length;
  const bool behind = last->line > 0 && last->line <= number;
  const char *at = behind ? file->text + last->at - (last->column - 1) : file->text;
  for (int i = behind ? last->line : 1; i < number && at; i++)
    if ((at = memchr(at, '\n', file->length - (size_t)(at - file->text))))
      at++;
  return at ? (size_t)(at - file->text) : file->length;
}

size_t tutti_tuning_first_word(const struct tuning_file *file, int number)
{
  size_t at = tutti_tuning_line(file, number);
  return at + strspn(file->text + at, " \t\r");
}

/* ---- findings ---- */

const char *tutti_severity_name(tutti_severity severity)
{
  static const char *const names[] = {"note", "warning", "error"};
  return names[severity];
}

static void append(tutti_findings *findings, const tutti_finding *finding)
{
  tutti_xpush(findings, *finding);
  tutti_finding *items = findings->items;
  /* Kept in the order of the file: checks follow each other over the same lines. */
  size_t i = findings->count - 1;
  for (; i > 0 && (items[i - 1].line > finding->line ||
                   (items[i - 1].line == finding->line && items[i - 1].column > finding->column));
       i--)
    items[i] = items[i - 1];
  items[i] = *finding;
}

void tutti_tuning_vreport(struct tuning_file *file, int code, size_t at, const char *format, va_list arguments)
{
  tutti_finding finding = {.code = &file->version.library->codes[code]};
  if (!file->findings || is_full(file))
    return;
  tutti_tuning_move(file, at, &file->last);
  finding.line = file->last.line;
  finding.column = file->last.column;
  finding.message = tutti_xvprintf(format, arguments);
  append(file->findings, &finding);
}

void tutti_tuning_report(struct tuning_file *file, int code, size_t at, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  tutti_tuning_vreport(file, code, at, format, arguments);
  va_end(arguments);
}

void tutti_findings_free(tutti_findings *findings)
{
  for (size_t i = 0; i < findings->count; i++)
    free(findings->items[i].message);
  tutti_vector_free(findings);
  for (size_t i = 0; i < findings->edit_count; i++)
    free(findings->edits[i].text);
  free(findings->edits);
  findings->edits = NULL;
  findings->edit_count = findings->edit_capacity = 0;
}

size_t tutti_findings_count(const tutti_findings *findings, tutti_severity severity)
{
  size_t count = 0;
  for (size_t i = 0; i < findings->count; i++)
    count += findings->items[i].code->severity == severity;
  return count;
}

tutti_status tutti_findings_refuse(const tutti_findings *findings, const char *path,
                                   const tutti_library_version *version, tutti_severity least, tutti_error *error)
{
  char name[40];
  for (size_t i = 0; i < findings->count; i++) {
    const tutti_finding *finding = &findings->items[i];
    if (finding->code->severity >= least)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%d:%d: %.150s [%s]: with %s: %s (tutti lint lists all faults)",
                        path, finding->line, finding->column, finding->message, finding->code->name,
                        tutti_library_version_format(version, name), finding->code->effect);
  }
  return TUTTI_OK;
}

/* ---- the linter ---- */

static void lint_by_reading(struct tuning_file *file, const tutti_library *library)
{
  void *rules = tutti_xcalloc(1, library->rules_bytes);
  (void)library->read(file, rules, NULL);
  library->free_rules(rules);
  free(rules);
}

/* The readers of the libraries find the end of a text by the zero byte after it. */
static void lint_terminated(const char *text, size_t length, const char *path, const tutti_library_version *version,
                            tutti_findings *findings)
{
  const size_t mark = tutti_input_mark(text);
  struct tuning_file file = {.path = path,
                             .text = text + mark,
                             .length = length - mark,
                             .version = *version,
                             .findings = findings,
                             .marked = mark > 0};
  if (version->library->lint)
    version->library->lint(&file);
  else
    lint_by_reading(&file, version->library);
}

void tutti_lint_text(const char *text, size_t length, const char *path, const tutti_library_version *version,
                     tutti_findings *findings)
{
  char *copy = tutti_xcalloc(length + 1, 1);
  if (length > 0)
    memcpy(copy, text, length);
  lint_terminated(copy, length, path, version, findings);
  free(copy);
}

tutti_status tutti_lint_file(const char *path, const tutti_library_version *version, tutti_findings *findings,
                             tutti_error *error)
{
  char *text;
  size_t length;
  tutti_status status = tutti_input_read_bytes(path, TUTTI_INPUT_TEXT, &text, &length, error);
  if (status == TUTTI_OK)
    lint_terminated(text, length, path, version, findings);
  free(text);
  return status;
}
