/* Codes and findings. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "libraries/lint/lint.h"

#define NOTE    TUTTI_NOTE
#define WARNING TUTTI_WARNING
#define ERROR   TUTTI_ERROR

static const tutti_lint_code codes[] = {
#define CODE(identifier, name, severity, title, effect, remedy) {name, severity, title, effect, remedy},
#include "libraries/lint/codes.def"
#undef CODE
};

const tutti_lint_code *tutti_lint_code_at(size_t index)
{
  return index < LINT_CODES ? &codes[index] : NULL;
}

const char *tutti_severity_name(tutti_severity severity)
{
  static const char *const names[] = {"note", "warning", "error"};
  return names[severity];
}

void tutti_lint_place(const char *text, size_t length, size_t at, int *line, int *column)
{
  *line = 1;
  *column = 1;
  for (size_t i = 0; i < at && i < length; i++) {
    *column = text[i] == '\n' ? 1 : *column + 1;
    *line += text[i] == '\n';
  }
}

size_t tutti_lint_line(const struct lint *lint, int number)
{
  const char *at = lint->text;
  for (int i = 1; i < number && at; i++)
    if ((at = memchr(at, '\n', lint->length - (size_t)(at - lint->text))))
      at++;
  return at ? (size_t)(at - lint->text) : lint->length;
}

size_t tutti_lint_first_word(const struct lint *lint, int number)
{
  size_t at = tutti_lint_line(lint, number);
  return at + strspn(lint->text + at, " \t\r");
}

void *tutti_lint_grow(void *items, size_t count, size_t *capacity, size_t size)
{
  if (count < *capacity)
    return items;
  size_t more = *capacity ? 2 * *capacity : 16;
  void *grown = realloc(items, more * size);
  if (grown)
    *capacity = more;
  return grown;
}

static bool append(tutti_findings *findings, const tutti_finding *finding)
{
  tutti_finding *items =
      tutti_lint_grow(findings->items, findings->count, &findings->capacity, sizeof *findings->items);
  if (!items)
    return false;
  findings->items = items;
  /* Kept in the order of the file: checks follow each other over the same lines. */
  size_t i = findings->count++;
  for (; i > 0 && (items[i - 1].line > finding->line ||
                   (items[i - 1].line == finding->line && items[i - 1].column > finding->column));
       i--)
    items[i] = items[i - 1];
  items[i] = *finding;
  return true;
}

/* From the last place on, unless that lies behind. */
static void find_place(struct lint *lint, size_t at, tutti_finding *finding)
{
  if (at < lint->last.at || lint->last.line == 0) {
    lint->last.at = 0;
    lint->last.line = lint->last.column = 1;
  }
  for (size_t i = lint->last.at; i < at && i < lint->length; i++) {
    lint->last.column = lint->text[i] == '\n' ? 1 : lint->last.column + 1;
    lint->last.line += lint->text[i] == '\n';
  }
  lint->last.at = at;
  finding->line = lint->last.line;
  finding->column = lint->last.column;
}

void tutti_lint_say(struct lint *lint, enum lint_code code, size_t at, const char *format, ...)
{
  tutti_finding finding = {.code = &codes[code]};
  va_list arguments;
  if (!lint->findings || lint->findings->count >= TUTTI_MOST_FINDINGS)
    return;
  find_place(lint, at, &finding);
  va_start(arguments, format);
  int written = vasprintf(&finding.message, format, arguments);
  va_end(arguments);
  if (written < 0 || !append(lint->findings, &finding)) {
    lint->out_of_memory = true;
    if (written >= 0)
      free(finding.message);
  }
}

void tutti_findings_free(tutti_findings *findings)
{
  for (size_t i = 0; i < findings->count; i++)
    free(findings->items[i].message);
  free(findings->items);
  *findings = (tutti_findings){0};
}

size_t tutti_findings_count(const tutti_findings *findings, tutti_severity severity)
{
  size_t count = 0;
  for (size_t i = 0; i < findings->count; i++)
    count += findings->items[i].code->severity == severity;
  return count;
}
