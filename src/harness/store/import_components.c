/* Importing: settings that choose which component of a library runs a collective, such as
 *
 *     --mca coll ^tuned    --mca coll_hcoll_enable 1    -x UCC_TL_UCP_TUNE=allreduce:@knomial
 *
 * Times of the library's own choice under them are a set of their own. A forced algorithm of coll/tuned is only known
 * to have run if no other component may go before it: by the list in `coll`, or by a priority (coll_tuned has 30).
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/numbers.h"
#include "base/words.h"
#include "harness/store/import_file.h"

enum { MOST_TEXT = 2048 };
enum { TUNED_PRIORITY = 30, HIGH_PRIORITY = 90 /* that of coll/hcoll */ };

/* The first two name files of parameters, which may choose as well (--am, --tune). */
static const char parameters[] = "OMPI_MCA_mca_base_param_file", variables[] = "OMPI_MCA_mca_base_envar_file",
                  list_name[] = "OMPI_MCA_coll", prefix[] = "OMPI_MCA_coll_";

static bool begins(const char *text, const char *with)
{
  return strncmp(text, with, strlen(with)) == 0;
}

bool tutti_import_is_component(const char *name)
{
  if (begins(name, prefix))
    return !tutti_stem_length(name, "_verbose") &&
           (!begins(name, "OMPI_MCA_coll_tuned_") || strcmp(name, "OMPI_MCA_coll_tuned_priority") == 0);
  return strcmp(name, list_name) == 0 || begins(name, parameters) || begins(name, variables) ||
         begins(name, "UCC_CL") || begins(name, "UCC_TL") || begins(name, "HCOLL_");
}

/* ---- those that hold ---- */

static bool add_name(struct import_names *names, const char *name, size_t length)
{
  for (size_t i = 0; i < names->count; i++)
    if (strlen(names->items[i]) == length && strncmp(names->items[i], name, length) == 0)
      return true;
  if (names->count <= IMPORT_COMPONENTS)
    tutti_xpush(names, tutti_xstrndup(name, length));
  return names->count <= IMPORT_COMPONENTS;
}

void tutti_import_note_component(struct import_settings *settings, const char *name)
{
  if (tutti_import_is_component(name))
    add_name(&settings->components, name, strlen(name));
}

void tutti_import_names_free(struct import_names *names)
{
  for (size_t i = 0; i < names->count; i++)
    free(names->items[i]);
  tutti_vector_free(names);
}

/* All that are set, or were. */
static struct import_names names_of(const struct import_file *file)
{
  struct import_names names = {.items = NULL};
  for (size_t i = 0; i < file->settings.components.count; i++)
    add_name(&names, file->settings.components.items[i], strlen(file->settings.components.items[i]));
  for (char **variable = environ; file->how->environment && *variable; variable++) {
    char *name = tutti_xstrndup(*variable, strcspn(*variable, "="));
    if (tutti_import_is_component(name) && tutti_import_reads_setting(name))
      add_name(&names, name, strlen(name));
    free(name);
  }
  return names;
}

/* The words in alphabetical order, each once. */
static char *join(struct import_names *words)
{
  char *text = NULL;
  qsort(words->items, words->count, sizeof *words->items, tutti_compare_texts);
  for (size_t i = 0; i < words->count; i++) {
    if (i > 0 && strcmp(words->items[i], words->items[i - 1]) == 0)
      continue;
    char *longer = tutti_xprintf("%s%s%s", text ? text : "", text ? " " : "", words->items[i]);
    free(text);
    text = longer;
  }
  return text;
}

tutti_status tutti_import_add_components(const struct import_file *file, char **settings, tutti_error *error)
{
  struct import_names names = names_of(file), words = {.items = NULL};
  const bool many = names.count > IMPORT_COMPONENTS;
  size_t length = 0;
  for (size_t i = 0; i < names.count && !many && length <= MOST_TEXT; i++) {
    const char *value = tutti_import_value(names.items[i], file);
    length += value ? strlen(names.items[i]) + strlen(value) + 2 : 0;
    if (value)
      tutti_xpush(&words, tutti_xprintf("%s=%s", names.items[i], value));
  }
  if (words.count > 0 && *settings) {
    char *state = NULL;
    for (char *word = strtok_r(*settings, " ", &state); word; word = strtok_r(NULL, " ", &state))
      tutti_xpush(&words, tutti_xstrdup(word));
  }
  if (words.count > 0) {
    free(*settings);
    *settings = join(&words);
  }
  tutti_import_names_free(&names);
  tutti_import_names_free(&words);
  if (!many && length <= MOST_TEXT)
    return TUTTI_OK;
  free(*settings);
  *settings = NULL;
  return tutti_import_fail(file, error, "the settings that choose components are too many", "more than %d%s",
                           many ? IMPORT_COMPONENTS : MOST_TEXT, many ? "" : " letters");
}

/* ---- coll/tuned against the others ---- */

static bool is_listed(const char *list, const char *component)
{
  if (!list)
    return true;
  return *list == '^' ? !tutti_word_is_listed(list + 1, ',', component) : tutti_word_is_listed(list, ',', component);
}

static const char *value_of(const struct import_file *file, const char *component, const char *what)
{
  char *name = tutti_xprintf("%s%s_%s", prefix, component, what);
  const char *value = tutti_import_value(name, file);
  free(name);
  return value;
}

static int64_t priority_of(const struct import_file *file, const char *component, int64_t usual)
{
  const char *value = value_of(file, component, "priority");
  char *end;
  const int64_t number = value ? strtoll(value, &end, 10) : usual;
  return value && (end == value || *end) ? INT64_MAX : number;
}

/* Whether the setting lets a component other than coll/tuned go before it. */
static bool goes_before_tuned(const struct import_file *file, const char *name)
{
  const size_t enable = tutti_stem_length(name, "_enable"), priority = tutti_stem_length(name, "_priority");
  if (!begins(name, prefix) || (!enable && !priority))
    return false;
  char *component = tutti_xprintf("%.*s", (int)((enable ? enable : priority) - strlen(prefix)), name + strlen(prefix));
  const char *enabled = value_of(file, component, "enable");
  const bool goes = strcmp(component, "tuned") != 0 && is_listed(tutti_import_value(list_name, file), component) &&
                    !(enabled && tutti_word_is_listed("0 false no off", ' ', enabled)) &&
                    priority_of(file, component, HIGH_PRIORITY) >= priority_of(file, "tuned", TUNED_PRIORITY);
  free(component);
  return goes;
}

const char *tutti_import_goes_before_tuned(const struct import_file *file, char *setting, size_t room)
{
  const char *list = tutti_import_value(list_name, file);
  struct import_names names = names_of(file);
  const char *why = NULL;
  if (!is_listed(list, "tuned")) {
    snprintf(setting, room, "%s=%.80s", list_name, list);
    why = "leaves coll/tuned out";
  }
  for (size_t i = 0; i < names.count && !why; i++)
    if (tutti_import_value(names.items[i], file) && goes_before_tuned(file, names.items[i])) {
      snprintf(setting, room, "%.80s=%.40s", names.items[i], tutti_import_value(names.items[i], file));
      why = "lets another component go before coll/tuned";
    }
  tutti_import_names_free(&names);
  return why;
}
