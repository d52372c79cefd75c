/* The method that settings of a library's environment select: the reverse of tutti_method_directives(). */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/words.h"
#include "decision/libraries/libraries.h"

/* The settings that are asked, and what a method is looked for of. */
struct asking {
  const tutti_library *library;
  tutti_library_version version;
  tutti_collective collective;
  int ranks;
  tutti_setting_function *get;
  const void *context;
};

static const char *setting(const struct asking *asking, const char *name)
{
  return asking->get(name, asking->context);
}

/* The directive that names the algorithm: the first about the collective. */
static const tutti_directive *find_key(const struct asking *asking, const tutti_directives *directives)
{
  for (int i = 0; i < directives->count; i++)
    if (strcasestr(directives->items[i].name, tutti_collective_name(asking->collective)))
      return &directives->items[i];
  return NULL;
}

static bool has_directive(const tutti_directives *directives, const char *name, const char *value)
{
  for (int i = 0; i < directives->count; i++)
    if (strcmp(directives->items[i].name, name) == 0)
      return strcmp(directives->items[i].value, value) == 0;
  return false;
}

/* The method with a parameter from a setting; unchanged if the algorithm does not have it. */
static void set_parameter(const struct asking *asking, const char *key, const char *suffix, tutti_method *method)
{
  char name[sizeof(tutti_directive) + 32];
  uint64_t value;
  tutti_method changed = *method;
  tutti_directives directives = {.count = 0};
  snprintf(name, sizeof name, "%s%s", key, suffix);
  const char *text = setting(asking, name);
  if (!text || !tutti_parse_integer(text, 1, INT32_MAX, &value))
    return;
  if (strcmp(suffix, "_segmentsize") == 0)
    changed.parameters.segment_bytes = value;
  else
    changed.parameters.k = (int)value;
  if (asking->library->force(&changed, asking->ranks, &asking->version, &directives) &&
      has_directive(&directives, name, text))
    *method = changed;
}

static void set_parameters(const struct asking *asking, const char *key, tutti_method *method)
{
  static const char *const suffixes[] = {"_chain_fanout", "_tree_fanout", "_knomial_radix", "_max_requests",
                                         "_segmentsize"};
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    set_parameter(asking, key, suffixes[i], method);
}

/* Settings that make the library read this setting must be set, too, and none that overrides it; a priority may have
   its default. */
static tutti_status check_switches(const struct asking *asking, const tutti_directives *directives, const char *key,
                                   tutti_error *error)
{
  for (int i = 0; i < directives->count; i++) {
    const char *name = directives->items[i].name, *value = setting(asking, name);
    if (strcasestr(name, tutti_collective_name(asking->collective)) || strstr(name, "_priority"))
      continue;
    if (!*directives->items[i].value && value && *value)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s is set, but %s=%s goes before it", key, name, value);
    if (*directives->items[i].value && (!value || strcmp(value, "0") == 0))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s is set, but not %s=%s, without which the library ignores it",
                        key, name, directives->items[i].value);
  }
  return TUTTI_OK;
}

/* Whether the setting names the algorithm. *key receives the setting's name. */
static bool is_named(const struct asking *asking, const tutti_algorithm *algorithm, tutti_method *method,
                     tutti_directives *directives, tutti_directive *key)
{
  const tutti_method ours = tutti_method_default(algorithm);
  *method = tutti_method_as(&ours, tutti_library_implementation(asking->library));
  directives->count = 0;
  if (algorithm->collective != asking->collective || tutti_method_is_native(method) ||
      !asking->library->force(method, asking->ranks, &asking->version, directives))
    return false;
  const tutti_directive *found = find_key(asking, directives);
  if (found)
    *key = *found;
  const char *value = found ? setting(asking, found->name) : NULL;
  return value && (strcmp(value, found->value) == 0 ||
                   (asking->library->means &&
                    asking->library->means(&asking->version, asking->collective, value, found->value)));
}

tutti_status tutti_method_told(tutti_collective collective, tutti_implementation implementation, const char *run,
                               int ranks, tutti_setting_function *get, const void *context, tutti_method *method,
                               tutti_directive *told, tutti_error *error)
{
  const tutti_library *library = tutti_library_of(implementation);
  const struct asking asking = {library, tutti_library_version_told(library, run), collective, ranks, get, context};
  const tutti_algorithm *algorithm;
  tutti_directives directives;
  *told = (tutti_directive){.name = ""};
  *method = tutti_method_default(tutti_algorithm_find(collective, "native"));
  tutti_method named;
  for (size_t i = 0; asking.library->force && (algorithm = tutti_algorithm_at(i)); i++)
    if (is_named(&asking, algorithm, &named, &directives, told)) {
      *method = named;
      set_parameters(&asking, told->name, method);
      return check_switches(&asking, &directives, told->name, error);
    }
  const char *value = *told->name ? get(told->name, context) : NULL;
  if (value && !tutti_word_is_listed("0 auto ignore", ' ', value))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s=%.40s is no algorithm of the catalogue that runs on %d ranks",
                      told->name, value, ranks);
  *told = (tutti_directive){.name = ""};
  return TUTTI_OK;
}
