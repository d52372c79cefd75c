/* Importing: the measured method, from the caller, or from the settings of the library. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/index.h"
#include "base/numbers.h"
#include "base/words.h"
#include "decision/libraries/libraries.h"
#include "harness/store/import_file.h"
#include "tutti/library.h"

static const char which_method[] = "which method was it? (say it with --as)";

const char *tutti_import_value(const char *name, const void *context)
{
  const struct import_file *file = context;
  const struct import_setting *found = tutti_import_find_setting(&file->settings, name);
  const char *value = found ? found->value : file->how->environment ? getenv(name) : NULL;
  return value && *value ? value : NULL;
}

void tutti_import_note_told(const struct import_file *file, char *what)
{
  tutti_imported *imported = file->imported;
  if ((*tutti_index_number(&imported->index, what))++ == 0) {
    char *line = tutti_xprintf("%s:%zu%s", file->name, file->line, what);
    tutti_xappend(&imported->told, &imported->told_length, line);
    free(line);
  }
  free(what);
}

static tutti_status check_mentions(const struct import_file *file, tutti_collective collective, tutti_error *error)
{
  const struct import_setting *found = tutti_import_find_choice(&file->settings, false, collective);
  if (!found)
    return TUTTI_OK;
  return tutti_import_fail(
      file, error, which_method, "line %zu mentions %s, and its value, or what it does, is not understood%s",
      found->line, found->name,
      tutti_import_reads_setting(found->name) ? " (write the setting above the times as NAME=VALUE)" : "");
}

/* ---- settings that are not understood ---- */

static tutti_status refuse_foreign(const struct import_file *file, const char *name, const char *value,
                                   tutti_error *error)
{
  return tutti_import_fail(file, error, which_method, "%s=%.40s chooses one in words of %s, which are not known", name,
                           value, file->how->library);
}

static tutti_status check_variable(const struct import_file *file, tutti_collective collective, const char *variable,
                                   tutti_error *error)
{
  char *name = tutti_xprintf("%.*s", (int)strcspn(variable, "="), variable);
  const char *value = tutti_import_value(name, file);
  tutti_status status = TUTTI_OK;
  if (tutti_import_is_foreign_choice(name, value) && tutti_import_collective_named(name) == collective)
    status = refuse_foreign(file, name, value, error);
  free(name);
  return status;
}

/* Libraries that do not look at such settings are let off: others may have been set in the same script. */
static tutti_status check_all_foreign(const struct import_file *file, tutti_collective collective, tutti_error *error)
{
  const char *library = file->how->library;
  tutti_status status = TUTTI_OK;
  if (!library || file->how->implementation != TUTTI_IMPLEMENTATION_MPICH || strcasestr(library, "mpich"))
    return status;
  const struct import_setting *found = tutti_import_find_choice(&file->settings, true, collective);
  if (found)
    return refuse_foreign(file, found->name, found->value, error);
  for (char **variable = environ; file->how->environment && *variable && status == TUTTI_OK; variable++)
    status = check_variable(file, collective, *variable, error);
  return status;
}

/* ---- under a tuning file ---- */

/* The settings with which the library reads a file, in the form of the store: words in alphabetical order; NULL: no
   file. *lacking receives a variable that is not set, and without which the file is ignored; else NULL. */
static char *find_tuning(const struct import_file *file, const struct library_variable **lacking)
{
  const tutti_library *library = tutti_library_of(file->how->implementation);
  char *words[LIBRARY_VARIABLES] = {NULL}, *text = tutti_xstrdup("");
  size_t count = 0;
  *lacking = NULL;
  for (const struct library_variable *each = library->variables; each && each->name; each++) {
    const char *value = tutti_import_value(each->name, file);
    bool is_switch = each->tuned && *each->tuned && !each->kept;
    if (is_switch && (!value || strcmp(value, "0") == 0))
      *lacking = each;
    else if (value && count < LIBRARY_VARIABLES)
      words[count++] = tutti_xprintf("%s=%s", each->name, value);
  }
  qsort(words, count, sizeof *words, tutti_compare_texts);
  for (size_t i = 0; i < count; i++) {
    char *longer = tutti_xprintf("%s%s%s", text, i ? " " : "", words[i]);
    free(words[i]);
    free(text);
    text = longer;
  }
  if (!tutti_untuned_under(library, text))
    return text;
  free(text);
  return NULL;
}

/* Native times under a file. */
static tutti_status note_tuning(const struct import_file *file, char **settings, tutti_error *error)
{
  const struct library_variable *lacking;
  char *text = find_tuning(file, &lacking);
  if (!text || !lacking) {
    if (text)
      tutti_import_note_told(file, tutti_xprintf(": native under a tuning file (%s)\n", text));
    *settings = text;
    return tutti_import_add_components(file, settings, error);
  }
  tutti_status status =
      tutti_import_fail(file, error, which_method, "%s is set, but not %s=%s, without which the library ignores it",
                        text, lacking->name, lacking->tuned);
  free(text);
  return status;
}

/* A library of another name, whose launch nevertheless forces an algorithm in words of Open MPI or MPICH. */
static tutti_status check_launch(const struct import_file *file, tutti_collective collective, tutti_error *error)
{
  const struct import_setting *found = tutti_import_find_forced(&file->settings, collective);
  return found ? tutti_import_fail(file, error, which_method,
                                   "line %zu sets %s=%.40s, and the library is neither Open MPI nor MPICH by its name "
                                   "(--library)",
                                   found->line, found->name, found->value)
               : TUTTI_OK;
}

static tutti_status find_method(const struct import_file *file, tutti_collective collective, int ranks,
                                tutti_method *method, char **settings, tutti_error *error)
{
  const tutti_import_how *how = file->how;
  char name[TUTTI_METHOD_LENGTH];
  tutti_directive told;
  tutti_error reason;
  *settings = NULL;
  for (size_t i = 0; i < how->method_count; i++)
    if (how->methods[i].algorithm->collective == collective) {
      *method = how->methods[i];
      return TUTTI_OK;
    }
  *method = tutti_method_default(tutti_algorithm_find(collective, "native"));
  if (how->implementation == TUTTI_IMPLEMENTATION_TUTTI)
    return check_launch(file, collective, error);
  tutti_status status = check_mentions(file, collective, error);
  if (status != TUTTI_OK || file->untold)
    return status;
  if (tutti_method_told(collective, how->implementation, how->library, ranks, tutti_import_value, file, method, &told,
                        &reason) != TUTTI_OK)
    return tutti_import_fail(file, error, which_method, "%s", reason.message);
  if (!*told.name)
    status = check_all_foreign(file, collective, error);
  if (!*told.name)
    return status == TUTTI_OK ? note_tuning(file, settings, error) : status;
  char setting[160];
  const char *before = strncmp(told.name, "OMPI_MCA_coll_tuned_", strlen("OMPI_MCA_coll_tuned_")) == 0
                           ? tutti_import_goes_before_tuned(file, setting, sizeof setting)
                           : NULL;
  if (before)
    return tutti_import_fail(file, error, which_method, "%s is set, but %s %s", told.name, setting, before);
  tutti_import_note_told(file,
                         tutti_xprintf(": %s (%s=%s)\n", tutti_method_format(method, name), told.name, told.value));
  return TUTTI_OK;
}

tutti_status tutti_import_method(struct import_file *file, tutti_collective collective, int ranks, tutti_method *method,
                                 char **settings, tutti_error *error)
{
  struct import_answer *last = &file->answer;
  if (!last->known || last->collective != collective || last->ranks != ranks ||
      last->changes != file->settings.changes) {
    free(last->settings);
    *last = (struct import_answer){.collective = collective, .ranks = ranks, .changes = file->settings.changes};
    tutti_status status = find_method(file, collective, ranks, &last->method, &last->settings, error);
    if (status != TUTTI_OK)
      return status;
    last->known = true;
  }
  *method = last->method;
  *settings = last->settings ? tutti_xstrdup(last->settings) : NULL;
  return TUTTI_OK;
}
