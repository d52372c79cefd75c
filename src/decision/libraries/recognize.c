/* What a file is, by its content: the table of kinds.def. */
#include "decision/libraries/recognize.h"

#include <ctype.h>
#include <string.h>

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

const tutti_tuning_kind *tutti_tuning_kind_at(size_t index)
{
  return index < KINDS ? &kinds[index].kind : NULL;
}

static struct look look_at(const char *text, size_t length)
{
  struct look look = {.text = text, .end = text + length, .line = text + length};
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

const tutti_tuning_kind *tutti_tuning_recognize(const char *text, size_t length)
{
  const struct look look = look_at(text, length);
  for (int i = 0; i < KINDS; i++)
    if (kinds[i].match(&look, kinds[i].word))
      return &kinds[i].kind;
  return NULL;
}

/* ---- what is done with a file ---- */

static tutti_status refuse_unknown(const char *path, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "%.200s: no tuning file that is known: these are rules, parameters and variables of Open MPI, "
                    "selections and variables of MPICH, decision files of Tutti, and decision trees of Fujitsu MPI "
                    "(docs/reference/lint.md, 'Kinds of files')",
                    path);
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
  const bool empty = !tutti_tuning_first(text, length);
  const tutti_tuning_kind *found = tutti_tuning_recognize(text, length);
  if (kind)
    *kind = found;
  if (target) {
    tutti_status status = tutti_library_version_parse(target, version, error);
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
