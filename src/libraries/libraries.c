/* The table of libraries: versions, targets and rules by name. */
#include "libraries/libraries.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const tutti_library *const libraries[] = {
#define LIBRARY(name) &tutti_library_##name,
#include "libraries/libraries.def"
#undef LIBRARY
};

enum { LIBRARIES = sizeof libraries / sizeof *libraries };

/* ---- versions ---- */

static tutti_library_version default_version(const tutti_library *library)
{
  const int *numbers = library->default_version;
  return (tutti_library_version){library, numbers[0], numbers[1], numbers[2]};
}

/* A number and the dot behind it, if there is one. */
static bool parse_part(const char **text, int *number)
{
  char *end;
  if (!isdigit((unsigned char)**text))
    return false;
  unsigned long value = strtoul(*text, &end, 10);
  *number = value < 100 ? (int)value : 100;
  bool more = *end == '.' && isdigit((unsigned char)end[1]);
  *text = more ? end + 1 : end;
  return *number < 100 && (more || !*end);
}

static bool parse_numbers(const char *text, tutti_library_version *version)
{
  int *const parts[] = {&version->major, &version->minor, &version->patch};
  for (int i = 0; i < 3 && *text; i++)
    if (!parse_part(&text, parts[i]))
      return false;
  int number = version->major * 100 + (version->minor < 0 ? 0 : version->minor);
  return !*text && number >= version->library->min_version && number <= version->library->max_version;
}

/* The name of a library, and its numbers if it has versions. */
static bool parse_version(const tutti_library *library, const char *name, tutti_library_version *version)
{
  size_t length = strlen(library->name);
  if (!library->read || strncmp(name, library->name, length) != 0)
    return false;
  *version = default_version(library);
  if (!name[length])
    return true;
  version->major = version->minor = version->patch = -1;
  return name[length] == '-' && library->max_version && name[length + 1] && parse_numbers(name + length + 1, version);
}

tutti_status tutti_library_version_parse(const char *name, tutti_library_version *version, tutti_error *error)
{
  char known[200] = "";
  for (int i = 0; i < LIBRARIES; i++) {
    if (parse_version(libraries[i], name, version))
      return TUTTI_OK;
    if (libraries[i]->read)
      strcat(strcat(known, *known ? ", " : ""), libraries[i]->versions); /* a few short names of ours */
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "'%.40s' is no library with tuning files that are known: these are %s (openmpi-4.1.8 names a patch "
                    "level)",
                    name, known);
}

char *tutti_library_version_format(const tutti_library_version *version, char *text)
{
  size_t length = (size_t)snprintf(text, 40, "%s", version->library->name);
  const int parts[] = {version->major, version->minor, version->patch};
  for (int i = 0; i < 3 && parts[i] >= 0; i++)
    length += (size_t)snprintf(text + length, 40 - length, "%c%d", i ? '.' : '-', parts[i]);
  return text;
}

bool tutti_library_since(const tutti_library_version *version, int major, int minor, int patch)
{
  const int wanted[] = {major, minor, patch}, had[] = {version->major, version->minor, version->patch};
  for (int i = 0; i < 3; i++) {
    int number = had[i] < 0 ? 0 : had[i];
    if (number != wanted[i])
      return number > wanted[i];
  }
  return true;
}

bool tutti_library_between(const tutti_library_version *version, int since, int until)
{
  return tutti_library_since(version, since / 100, since % 100, 0) &&
         (until == 0 || !tutti_library_since(version, until / 100, until % 100, 0));
}

/* ---- tuning files ---- */

tutti_library_version tutti_tuning_guess(const char *text, size_t length)
{
  tutti_library_version version = {.library = NULL};
  for (int i = 0; i < LIBRARIES; i++) {
    version = default_version(libraries[i]);
    if (libraries[i]->recognize && libraries[i]->recognize(text, length, &version))
      break;
  }
  return version;
}

void tutti_tuning_print_use(const tutti_library_version *version, const char *path, FILE *stream)
{
  const tutti_target *used = version->library->targets;
  for (const tutti_target *target = used; target->name; target++)
    if (tutti_library_between(version, target->since, 0))
      used = target;
  used->print_use(path, stream);
}

const tutti_lint_code *tutti_lint_code_at(size_t index)
{
  for (int i = 0; i < LIBRARIES; i++) {
    if (index < libraries[i]->code_count)
      return &libraries[i]->codes[index];
    index -= libraries[i]->code_count;
  }
  return NULL;
}

/* ---- targets ---- */

const tutti_target *tutti_target_at(size_t index)
{
  for (int i = 0; i < LIBRARIES; i++)
    for (const tutti_target *target = libraries[i]->targets; target->name; target++)
      if (index-- == 0)
        return target;
  return NULL;
}

tutti_library_version tutti_library_version_of_target(const tutti_target *target)
{
  int i = 0;
  const tutti_target *found = libraries[0]->targets;
  while (found != target)
    found = found[1].name ? found + 1 : libraries[++i]->targets;
  if (target->since == 0)
    return default_version(libraries[i]);
  return (tutti_library_version){libraries[i], target->since / 100, target->since % 100, -1};
}

/* A library stands for the first of its targets, that of Debian 12. */
static const tutti_target *first_target_of(const char *name)
{
  for (int i = 0; i < LIBRARIES; i++)
    if (strcmp(libraries[i]->name, name) == 0)
      return libraries[i]->targets;
  return NULL;
}

tutti_status tutti_target_find(const char *name, const tutti_target **target, tutti_error *error)
{
  char known[400] = "";
  *target = first_target_of(name);
  for (size_t i = 0; !*target && tutti_target_at(i); i++)
    if (strcmp(tutti_target_at(i)->name, name) == 0)
      *target = tutti_target_at(i);
  if (*target)
    return TUTTI_OK;
  for (int i = 0; i < LIBRARIES; i++)
    if (strcmp(libraries[i]->name, libraries[i]->targets->name) != 0)
      strcat(strcat(known, libraries[i]->name), ", ");
  for (size_t i = 0; tutti_target_at(i); i++)
    strcat(strcat(known, i ? ", " : ""), tutti_target_at(i)->name); /* a dozen short names of ours */
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "nothing is written for '%.80s', only for %s", name, known);
}

char *tutti_target_supported(const tutti_target *target, tutti_collective collective, int ranks, char *text,
                             size_t size)
{
  const tutti_algorithm *algorithm;
  bool picks_parts = tutti_library_version_of_target(target).library->pick_parts;
  size_t length = 0;
  *text = '\0';
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++) {
    tutti_method method = tutti_method_default(algorithm);
    if (algorithm->collective != collective || (picks_parts && algorithm->parts[0].name) ||
        !target->supports(&method, ranks))
      continue;
    int more = snprintf(text + length, size - length, "%s%s", length ? ", " : "", algorithm->name);
    length = more < (int)(size - length) ? length + (size_t)more : size - 1;
  }
  return text;
}

/* ---- rules ---- */

static const struct default_rules *rules_at(size_t index)
{
  for (int i = 0; i < LIBRARIES; i++)
    for (const struct default_rules *rules = libraries[i]->defaults; rules && rules->name; rules++)
      if (index-- == 0)
        return rules;
  return NULL;
}

const char *tutti_library_name(size_t index)
{
  const struct default_rules *rules = rules_at(index);
  return rules ? rules->name : NULL;
}

bool tutti_library_named(const char *name)
{
  return strncmp(name, "library:", strlen("library:")) == 0;
}

static bool decide(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  const struct default_rules *rules = decision->data;
  return question->ranks >= 1 && rules->pick(question, method);
}

const struct default_rules *tutti_library_rules(const char *name)
{
  const struct default_rules *rules;
  for (size_t i = 0; (rules = rules_at(i)); i++)
    if (strcmp(rules->name, name) == 0)
      return rules;
  return NULL;
}

static tutti_status reject_name(const char *name, tutti_error *error)
{
  char known[400] = "";
  for (size_t i = 0; rules_at(i); i++)
    strcat(strcat(known, i ? ", " : ""), rules_at(i)->name); /* a few short names of ours */
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "unknown library '%.80s': known are %s", name, known);
}

tutti_status tutti_decision_library(const char *name, tutti_collective collective, tutti_decision *decision,
                                    tutti_error *error)
{
  *decision = (tutti_decision){.name = NULL};
  const struct default_rules *rules = tutti_library_rules(name);
  tutti_question question = {.collective = collective, .ranks = 4, .rank_bytes = 8};
  tutti_method method;
  if (!rules)
    return reject_name(name, error);
  if (!rules->pick(&question, &method))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s has no rule for %s", name, tutti_collective_name(collective));
  *decision = (tutti_decision){
      .name = strdup(name), .collective = collective, .decide = decide, .data = (void *)(uintptr_t)rules};
  return decision->name ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %s", name);
}
