/* Control variables of MPICH: which of them name an algorithm that it does not have, and what they choose. They go
   before every file of a selection. What MPICH does with others was tried with 4.0.2. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "decision/libraries/mpich/mpich.h"

enum { NAME_LENGTH = 120 };

void tutti_mpich_read_variables(const struct tuning_file *file, struct settings *settings)
{
  tutti_settings_read(file, "MPIR_CVAR_ MPIR_PARAM_ MPICH_*_ALGORITHM MPICH_*_JSON_FILE", settings);
}

/* ---- faults ---- */

/* Whether the setting chooses an algorithm of a collective: "BCAST_INTRA_ALGORITHM". *kind receives "intra" or "inter".
 */
static const char *collective_of(const char *name, const char **kind)
{
  const char *collective;
  *kind = NULL;
  if (!strstr(name, "_INTRA_ALGORITHM") && !strstr(name, "_INTER_ALGORITHM"))
    return NULL;
  for (int i = 0; (collective = tutti_mpich_collective_at(i)); i++) {
    const size_t length = strlen(collective);
    const char *rest = name + length;
    if (strncasecmp(name, collective, length) != 0)
      continue;
    *kind = strcmp(rest, "_INTRA_ALGORITHM") == 0 ? "intra" : strcmp(rest, "_INTER_ALGORITHM") == 0 ? "inter" : NULL;
    if (*kind)
      return collective;
  }
  return NULL;
}

/* "Bcast_intra_binomial", or "Bcast_allcomm_nb". */
static void name_algorithm(const char *collective, const char *kind, const char *value, char text[NAME_LENGTH])
{
  const bool all = strcmp(value, "nb") == 0 || strstr(collective, "neighbor") ||
                   strcmp(collective + strlen(collective) - 1, "v") == 0;
  snprintf(text, NAME_LENGTH, "%s_%s_%.60s", collective, kind, value);
  text[0] = (char)toupper((unsigned char)text[0]);
  const char *ignored;
  if (all && !tutti_mpich_knows(&(tutti_library_version){&tutti_library_mpich, 5, 0, 0}, text, &ignored)) {
    snprintf(text, NAME_LENGTH, "%s_allcomm_%.60s", collective, value);
    text[0] = (char)toupper((unsigned char)text[0]);
  }
}

static bool leaves_it(const char *value)
{
  return strcmp(value, "auto") == 0 || strcmp(value, "sched_auto") == 0;
}

static void check_setting(struct tuning_file *file, const struct setting *setting)
{
  const char *kind = NULL, *parameters, *collective = collective_of(setting->name, &kind);
  const size_t length = strlen(setting->name);
  char name[NAME_LENGTH];
  if (!setting->prefixed || setting->ends)
    return;
  if (strstr(setting->name, "_JSON_FILE"))
    tutti_tuning_report(file, LINT_MPICH_FILE, setting->value_at, "%.200s", setting->value);
  if (!collective) {
    const bool named = length > 10 && strcmp(setting->name + length - 10, "_ALGORITHM") == 0;
    if (named && !strstr(setting->name, "POSIX") && !strstr(setting->name, "_INTRA_") &&
        !strstr(setting->name, "_INTER_"))
      tutti_tuning_report(file, LINT_MPICH_VARIABLE, setting->at, "%.80s", setting->name);
    return;
  }
  name_algorithm(collective, kind, setting->value, name);
  if (!setting->computed && !leaves_it(setting->value) && !tutti_mpich_knows(&file->version, name, &parameters))
    tutti_tuning_report(file, LINT_MPICH_CHOICE, setting->value_at, "%s has no algorithm '%.40s'", collective,
                        setting->value);
}

static bool is_of_collectives(const char *name)
{
  const char *collective;
  if (strstr(name, "_ALGORITHM") || strstr(name, "COLL") || strstr(name, "_JSON_FILE"))
    return true;
  for (int i = 0; (collective = tutti_mpich_collective_at(i)); i++)
    if (strncasecmp(name, collective, strlen(collective)) == 0 && name[strlen(collective)] == '_')
      return true;
  return false;
}

/* The place of the first if none is about collectives; SIZE_MAX: one is. */
static size_t place_without(const struct settings *settings)
{
  for (size_t i = 0; i < settings->count; i++)
    if (settings->items[i].prefixed && is_of_collectives(settings->items[i].name))
      return SIZE_MAX;
  return settings->count ? settings->items[0].at : 0;
}

void tutti_mpich_lint_variables(struct tuning_file *file, const struct settings *settings)
{
  if (place_without(settings) != SIZE_MAX)
    tutti_tuning_report(file, LINT_MPICH_NONE, place_without(settings), "%zu of other things", settings->count);
  if (settings->returns) {
    tutti_tuning_report(file, LINT_MPICH_RETURN, settings->return_at, "from here on");
    tutti_tuning_edit_returns(file, LINT_MPICH_RETURN);
  }
  for (size_t i = 0; i < settings->count; i++)
    check_setting(file, &settings->items[i]);
  tutti_settings_check_twice(file, settings, LINT_MPICH_SET_TWICE);
}

/* ---- what they choose ---- */

static void step_files(struct explaining *explaining, const struct settings *settings)
{
  for (size_t i = 0; !explaining->silent && i < settings->count; i++)
    if (strstr(settings->items[i].name, "_JSON_FILE"))
      tutti_explain_step(explaining, settings->items[i].at,
                         "where no variable chooses, %s does: tutti explain "
                         "--decision FILE",
                         settings->items[i].value);
}

const char *tutti_mpich_chosen(struct explaining *explaining, char text[MPICH_NAME_LENGTH], size_t *at)
{
  const struct mpich_selection *selection = explaining->tuning->rules;
  const struct settings *settings = &selection->settings;
  const char *collective = tutti_collective_name(explaining->call->collective), *parameters;
  char name[NAME_LENGTH];
  snprintf(name, sizeof name, "%s_INTRA_ALGORITHM", collective);
  for (char *letter = name; *letter; letter++)
    *letter = (char)toupper((unsigned char)*letter);
  const struct setting *setting = tutti_settings_find(settings, name);
  tutti_settings_step_launch(explaining, settings);
  if (place_without(settings) != SIZE_MAX)
    tutti_explain_step(explaining, place_without(settings), "no variable of collectives in the file");
  step_files(explaining, settings);
  if (!setting || leaves_it(setting->value)) {
    tutti_explain_step(explaining, setting ? setting->at : NO_PLACE, "MPIR_CVAR_%s %s", name,
                       setting ? "leaves it to MPICH" : "is not set");
    return NULL;
  }
  *at = setting->at;
  name_algorithm(collective, "intra", setting->value, name);
  snprintf(text, MPICH_NAME_LENGTH, "%.95s", name);
  tutti_explain_step(explaining, setting->at, "%s = %s", setting->name, setting->value);
  if (tutti_mpich_knows(&explaining->tuning->file.version, name, &parameters))
    return text;
  tutti_explain_step(explaining, setting->at, "MPI_Init fails: %s has no such algorithm", collective);
  tutti_explain_failure(explaining);
  return NULL;
}
