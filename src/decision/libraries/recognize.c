/* What a file is, by its content: the table of kinds.def. */
#include "decision/libraries/recognize.h"

#include <ctype.h>
#include <string.h>

#include "base/input.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"

static const struct kind {
  tutti_tuning_kind kind;
  tutti_look_function *match;
  const char *word;
} kinds[] = {
#define KIND(name, library, what, use, match, word) {{name, library, what, use}, tutti_look_##match, word},
#include "decision/libraries/kinds.def"
#undef KIND
};

enum { KINDS = sizeof kinds / sizeof *kinds };

_Static_assert((int)KINDS <= (int)TUTTI_TUNING_KINDS, "room for all kinds");

const tutti_tuning_kind *tutti_tuning_kind_at(size_t index)
{
  return index < KINDS ? &kinds[index].kind : NULL;
}

static struct look look_at(const char *text, size_t length, struct variables *variables)
{
  struct look look = {.text = text, .end = text + length, .line = text + length, .variables = variables};
  *variables = (struct variables){.kinds = KINDS};
  for (int i = 0; i < KINDS; i++)
    variables->of[i].words = kinds[i].match == tutti_look_variables ? kinds[i].word : NULL;
  for (const char *at = text; at < look.end && !look.first; at++) {
    if (*at == '#')
      while (at + 1 < look.end && at[1] != '\n')
        at++;
    else if (!isspace((unsigned char)*at)) {
      look.line = at;
      look.first = *at;
    }
  }
  return look;
}

/* The bytes of a byte order mark; no zero byte may follow the text. */
static size_t mark_of(const char *text, size_t length)
{
  return length < 3 ? 0 : tutti_input_mark(text);
}

/* Variables of several libraries may be in one file: of those of @p library first. */
static const tutti_tuning_kind *find_kind(const struct look *look, const char *library)
{
  const struct variables_of *of = look->variables->of;
  const tutti_tuning_kind *other = NULL;
  for (int i = 0; i < KINDS; i++) {
    const tutti_tuning_kind *kind = &kinds[i].kind;
    if ((other && !of[i].words) || !kinds[i].match(look, kinds[i].word))
      continue;
    if (!of[i].words || !library || (kind->library && strcmp(kind->library, library) == 0))
      return kind;
    other = other ? other : kind;
  }
  return other;
}

static const tutti_tuning_kind *recognize(const char *text, size_t length, const char *library)
{
  struct variables variables;
  const size_t mark = mark_of(text, length);
  const struct look look = look_at(text + mark, length - mark, &variables);
  return find_kind(&look, library);
}

const tutti_tuning_kind *tutti_tuning_recognize(const char *text, size_t length)
{
  return recognize(text, length, NULL);
}

const tutti_tuning_kind *tutti_tuning_recognize_for(const tutti_library_version *version, const char *text,
                                                    size_t length)
{
  return recognize(text, length, version->library->name);
}

size_t tutti_tuning_parts(const char *text, size_t length, tutti_tuning_part parts[TUTTI_TUNING_KINDS])
{
  struct variables variables;
  const size_t mark = mark_of(text, length);
  const struct look look = look_at(text + mark, length - mark, &variables);
  const tutti_tuning_kind *kind = find_kind(&look, NULL);
  size_t count = 0;
  for (int i = 0; i < KINDS && kind; i++)
    if (kind == &kinds[i].kind && !variables.of[i].words)
      return 0;
  for (int i = 0; i < KINDS; i++) {
    if (!variables.of[i].words || !tutti_look_variables(&look, kinds[i].word))
      continue;
    parts[count] = (tutti_tuning_part){.kind = &kinds[i].kind, .line = 1, .settings = variables.of[i].count};
    for (size_t at = 0; at < variables.of[i].first; at++)
      parts[count].line += look.text[at] == '\n';
    count++;
  }
  return count;
}

char *tutti_tuning_part_text(const char *path, const tutti_tuning_part *part)
{
  return tutti_xprintf("%.200s:%d: %s (%zu setting%s), which are %sjudged", path, part->line, part->kind->what,
                       part->settings, tutti_plural(part->settings), part->kind->library ? "" : "not ");
}

/* ---- what is done with a file ---- */

static bool has_kind(const char *library)
{
  bool found = false;
  for (int i = 0; i < KINDS; i++)
    found = found || (kinds[i].kind.library && strcmp(kinds[i].kind.library, library) == 0);
  return found;
}

static tutti_status refuse_unknown(const char *path, tutti_error *error)
{
  char known[200];
  tutti_word_list list = {.text = known, .length = sizeof known};
  for (size_t i = 0; tutti_library_at(i); i++)
    if (has_kind(tutti_library_at(i)->name))
      tutti_word_list_add(&list, tutti_library_at(i)->name);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "%.200s: no tuning file that is known: these are files of %s (docs/reference/lint.md, "
                    "'Kinds of files')",
                    path, tutti_word_list_end(&list));
}

static tutti_status refuse_kind(const char *path, const tutti_tuning_kind *kind, const char *target, tutti_error *error)
{
  if (!kind->library)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%.200s: %s; such files are not judged", path, kind->what);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%.200s: %s, no file for %.40s", path, kind->what, target);
}

tutti_status tutti_tuning_identify(const char *path, const char *text, size_t length, const char *target,
                                   const tutti_tuning_kind **kind, tutti_library_version *version, tutti_error *error)
{
  const size_t mark = mark_of(text, length);
  text += mark;
  length -= mark;
  const bool empty = !tutti_tuning_first(text, length);
  tutti_status status = target ? tutti_library_version_parse(target, version, error) : TUTTI_OK;
  const tutti_tuning_kind *found =
      recognize(text, length, target && status == TUTTI_OK ? version->library->name : NULL);
  if (kind)
    *kind = found;
  if (target) {
    if (status != TUTTI_OK || !found || (found->library && strcmp(found->library, version->library->name) == 0))
      return status; /* a library reads what is no file of any, too */
    return refuse_kind(path, found, target, error);
  }
  if (empty && length > 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%.200s: there is nothing but comments", path);
  if (!found && !empty)
    return refuse_unknown(path, error);
  if (found && !found->library)
    return refuse_kind(path, found, NULL, error);
  *version = tutti_tuning_version(found ? found->library : "tutti", text, length);
  return TUTTI_OK;
}
