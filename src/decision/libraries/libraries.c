/* The table of libraries: versions and targets by name. */
#include "decision/libraries/libraries.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/say.h"
#include "base/words.h"

static const tutti_library *const libraries[] = {
#define LIBRARY(name) &tutti_library_##name,
#include "decision/libraries/libraries.def"
#undef LIBRARY
};

enum { LIBRARIES = sizeof libraries / sizeof *libraries };

const tutti_library *tutti_library_at(size_t index)
{
  return index < LIBRARIES ? libraries[index] : NULL;
}

/* ---- versions ---- */

static tutti_library_version default_version(const tutti_library *library)
{
  static const int none[] = {-1, -1, -1};
  const int *numbers = library->max_version > 0 ? library->default_version : none;
  return (tutti_library_version){library, numbers[0], numbers[1], numbers[2]};
}

/* A number and the dot after it, if any. */
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
  const tutti_library *library = version->library;
  return !*text && number >= library->min_version && number <= library->max_version &&
         (number <= library->last_before_gap || number >= library->gap_end);
}

/* The name of a target with a kind: "openmpi-han-5" is openmpi-5. */
static bool parse_beside(const char *name, tutti_library_version *version)
{
  const tutti_target *target;
  for (size_t i = 0; (target = tutti_target_at(i)); i++)
    if (target->kind && strcmp(target->name, name) == 0) {
      *version = (tutti_library_version){tutti_library_version_of_target(target).library, -1, -1, -1};
      return parse_numbers(strrchr(name, '-') + 1, version);
    }
  return false;
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
  char known[600], meant[2 * TUTTI_GUESS_LENGTH], plain[TUTTI_LIBRARY_WORD];
  tutti_word_list list = {.text = known, .length = sizeof known};
  tutti_guess guess = {.word = tutti_library_plain(name, plain)};
  for (size_t i = 0; tutti_target_at(i); i++)
    if (strchr(tutti_target_at(i)->name, '-'))
      tutti_guess_try(&guess, tutti_target_at(i)->name);
  if (parse_beside(plain, version))
    return TUTTI_OK;
  for (int i = 0; i < LIBRARIES; i++) {
    if (parse_version(libraries[i], plain, version))
      return TUTTI_OK;
    if (libraries[i]->read)
      tutti_word_list_add(&list, libraries[i]->versions);
  }
  return tutti_fail(
      error, TUTTI_ERR_ARGUMENT,
      "'%.40s'%s is no library with tuning files that are known: these are %s (openmpi-4.1.8 names a patch "
      "level)",
      name, tutti_guess_text(&guess, meant), tutti_word_list_end(&list));
}

tutti_status tutti_library_version_of_run(const char *library, const char *run, tutti_library_version *version,
                                          tutti_error *error)
{
  const char *dash = strrchr(run, '-');
  char name[80];
  snprintf(name, sizeof name, "%.20s%.50s", library, dash ? dash : "");
  return tutti_library_version_parse(name, version, error);
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

tutti_implementation tutti_library_implementation(const tutti_library *library)
{
  for (int i = TUTTI_IMPLEMENTATION_TUTTI + 1; i < TUTTI_IMPLEMENTATION_COUNT; i++)
    if (strcmp(tutti_implementation_name((tutti_implementation)i), library->name) == 0)
      return (tutti_implementation)i;
  return TUTTI_IMPLEMENTATION_TUTTI;
}

/* ---- tuning files ---- */

/* The version that the first line of an exported file names, where that is another one than by default. */
static void read_target(const char *text, size_t length, tutti_library_version *version)
{
  static const char begin[] = TUTTI_TUNING_TARGET;
  const size_t words = sizeof begin - 1;
  tutti_library_version named;
  char name[40];
  size_t count = 0;
  if (length < words || memcmp(text, begin, words) != 0)
    return;
  while (words + count < length && count < sizeof name - 1 && !isspace((unsigned char)text[words + count]))
    count++;
  snprintf(name, sizeof name, "%.*s", (int)count, text + words);
  if (tutti_library_version_parse(name, &named, NULL) == TUTTI_OK && named.library == version->library &&
      (named.major != version->major || named.minor > version->minor))
    *version = named;
}

tutti_library_version tutti_tuning_version(const char *library, const char *text, size_t length)
{
  int i = 0;
  while (strcmp(libraries[i]->name, library) != 0)
    i++;
  tutti_library_version version = default_version(libraries[i]);
  if (libraries[i]->refine)
    libraries[i]->refine(text, length, &version);
  read_target(text, length, &version);
  return version;
}

/* The last one of a kind (NULL: of the main reader) that the version reads; NULL: there is none. */
static const tutti_target *target_of(const tutti_library_version *version, const char *kind)
{
  const tutti_target *used = NULL;
  for (const tutti_target *target = version->library->targets; target->name; target++)
    if (tutti_library_between(version, target->since, 0) &&
        (kind ? target->kind && strcmp(target->kind, kind) == 0 : !target->kind))
      used = target;
  return used;
}

const tutti_target *tutti_target_of_version(const tutti_library_version *version)
{
  const tutti_target *used = target_of(version, NULL);
  return used ? used : version->library->targets;
}

const tutti_target *tutti_target_of_file(const struct tuning_file *file)
{
  const tutti_tuning_kind *kind = tutti_tuning_recognize_for(&file->version, file->text, file->length);
  const tutti_target *used = kind && kind->library ? target_of(&file->version, kind->name) : NULL;
  return used ? used : tutti_target_of_version(&file->version);
}

const tutti_target *tutti_target_of_kind(const char *kind)
{
  const tutti_target *target;
  for (size_t i = 0; (target = tutti_target_at(i)); i++)
    if (target->kind && strcmp(target->kind, kind) == 0)
      break;
  return target;
}

/* The settings with which a library reads files of a target; NULL: those of its variables. */
static const char *use_of(const tutti_target *target)
{
  const tutti_tuning_kind *kind;
  for (size_t i = 0; target->kind && (kind = tutti_tuning_kind_at(i)); i++)
    if (strcmp(kind->name, target->kind) == 0)
      return kind->use;
  return target->use;
}

static void print_variables(const struct library_variable *variables, int since, const char *quoted, FILE *stream)
{
  for (; variables->name; variables++)
    if (variables->tuned && variables->since <= since)
      tutti_say(stream, "export %s=%s\n", variables->name, *variables->tuned ? variables->tuned : quoted);
}

void tutti_target_print_use(const tutti_target *target, const char *path, FILE *stream)
{
  const char *use = use_of(target), *at = use ? strstr(use, "%s") : NULL;
  char *quoted = tutti_xshell_quoted(path);
  if (at)
    tutti_say(stream, "%.*s%s%s\n", (int)(at - use), use, quoted, at + 2);
  else
    print_variables(tutti_library_version_of_target(target).library->variables, target->since, quoted, stream);
  free(quoted);
}

/* The names that lines "export NAME=..." set. */
static void print_unset(const char *use, FILE *stream)
{
  static const char export[] = "export ";
  const char *begin = "unset";
  for (const char *at = use; (at = strstr(at, export)); begin = "") {
    at += sizeof export - 1;
    tutti_say(stream, "%s %.*s", begin, (int)strcspn(at, "="), at);
  }
  if (!*begin)
    tutti_say(stream, "\n");
}

void tutti_target_print_undo(const tutti_target *target, FILE *stream)
{
  const struct library_variable *variable = tutti_library_version_of_target(target).library->variables;
  const char *begin = "unset";
  if (target->kind)
    print_unset(use_of(target), stream);
  for (; !target->use && !target->kind && variable->name; variable++)
    if (variable->tuned && variable->since <= target->since) {
      tutti_say(stream, "%s %s", begin, variable->name);
      begin = "";
    }
  if (!*begin)
    tutti_say(stream, "\n");
}

void tutti_library_variables(const tutti_library_version *version, const char *path,
                             struct tutti_variable variables[LIBRARY_VARIABLES + 1])
{
  int count = 0;
  for (const struct library_variable *variable = version->library->variables; variable && variable->name; variable++) {
    const char *tuned = variable->tuned && !*variable->tuned ? path : variable->tuned;
    if (tutti_library_between(version, variable->since, 0) && (path || !variable->kept) && count < LIBRARY_VARIABLES)
      variables[count++] = (struct tutti_variable){variable->name, path ? tuned : variable->untuned};
  }
  variables[count] = (struct tutti_variable){NULL, NULL};
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

tutti_implementation tutti_target_implementation(const tutti_target *target)
{
  return tutti_library_implementation(tutti_library_version_of_target(target).library);
}

bool tutti_target_supports(const tutti_target *target, const tutti_method *method, int ranks)
{
  const tutti_method ours = tutti_method_as(method, TUTTI_IMPLEMENTATION_TUTTI);
  if (tutti_method_is_native(method) && target->own_choice)
    return method->parameters.k == 0 || (target->kind && target->supports(method, ranks));
  if (method->implementation != TUTTI_IMPLEMENTATION_TUTTI &&
      method->implementation != tutti_target_implementation(target))
    return false;
  return target->supports(&ours, ranks);
}

/* A library name means its first target, that of Debian 12. */
static const tutti_target *first_target_of(const char *name)
{
  for (int i = 0; i < LIBRARIES; i++)
    if (strcmp(libraries[i]->name, name) == 0)
      return libraries[i]->targets;
  return NULL;
}

tutti_status tutti_target_find(const char *name, const tutti_target **target, tutti_error *error)
{
  char known[800], meant[2 * TUTTI_GUESS_LENGTH], plain[TUTTI_LIBRARY_WORD];
  tutti_word_list list = {.text = known, .length = sizeof known};
  tutti_library_version version;
  tutti_guess guess = {.word = tutti_library_plain(name, plain)};
  *target = first_target_of(plain);
  for (size_t i = 0; !*target && tutti_target_at(i); i++)
    if (strcmp(tutti_target_at(i)->name, plain) == 0)
      *target = tutti_target_at(i);
  if (!*target && tutti_library_version_parse(name, &version, NULL) == TUTTI_OK)
    *target = tutti_target_of_version(&version);
  if (*target)
    return TUTTI_OK;
  for (int i = 0; i < LIBRARIES; i++)
    if (strcmp(libraries[i]->name, libraries[i]->targets->name) != 0) {
      tutti_word_list_add(&list, libraries[i]->name);
      tutti_guess_try(&guess, libraries[i]->name);
    }
  for (size_t i = 0; tutti_target_at(i); i++) {
    tutti_word_list_add(&list, tutti_target_at(i)->name);
    tutti_guess_try(&guess, tutti_target_at(i)->name);
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "nothing is written for '%.80s'%s, only for %s", name,
                    tutti_guess_text(&guess, meant), tutti_word_list_end(&list));
}

bool tutti_target_reproduces(const tutti_target *target, const tutti_method *method, unsigned classes)
{
  const bool ours = method->implementation == TUTTI_IMPLEMENTATION_TUTTI && !tutti_method_is_native(method);
  const tutti_method as_run = ours ? tutti_method_as(method, tutti_target_implementation(target)) : *method;
  return (tutti_method_reproducible(&as_run) & classes) == classes;
}

char *tutti_target_supported(const tutti_target *target, tutti_collective collective, int ranks, unsigned classes,
                             char *text, size_t size)
{
  const tutti_algorithm *algorithm;
  bool picks_parts = tutti_library_version_of_target(target).library->pick_parts;
  size_t length = 0;
  *text = '\0';
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++) {
    tutti_method method = tutti_method_default(algorithm);
    if (algorithm->collective != collective || (picks_parts && algorithm->parts[0].name) ||
        !target->supports(&method, ranks) || !tutti_target_reproduces(target, &method, classes))
      continue;
    int more = snprintf(text + length, size - length, "%s%s", length ? ", " : "", algorithm->name);
    length = more < (int)(size - length) ? length + (size_t)more : size - 1;
  }
  tutti_method native = tutti_method_default(tutti_algorithm_find(collective, "native"));
  for (int k = 1; target->kind && tutti_selector_name(k); k++) {
    native.parameters.k = k;
    if (classes == 0 && target->supports(&native, ranks) && length < size - 1)
      length += (size_t)snprintf(text + length, size - length, "%snative/selector=%s", length ? ", " : "",
                                 tutti_selector_name(k));
    length = length < size ? length : size - 1;
  }
  return text;
}

/* ---- by implementation ---- */

const tutti_library *tutti_library_of(tutti_implementation implementation)
{
  for (int i = 0; i < LIBRARIES; i++)
    if (tutti_library_implementation(libraries[i]) == implementation)
      return libraries[i];
  return NULL;
}

tutti_library_span tutti_library_span_of(tutti_implementation implementation, const tutti_algorithm *algorithm)
{
  const tutti_library *library = tutti_library_of(implementation);
  return library->span ? library->span(algorithm) : (tutti_library_span){0};
}

tutti_library_version tutti_library_version_told(const tutti_library *library, const char *run)
{
  tutti_library_version version;
  bool known = run && tutti_library_version_of_run(library->name, run, &version, NULL) == TUTTI_OK;
  return known ? version : default_version(library);
}
