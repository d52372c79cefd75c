/* Conditions that a selection spans: what they differ in. */
#include "harness/store/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"

enum { CONDITION_SCHEME = 1 + STORE_ENVIRONMENT_COLUMNS, PARTS = STORE_ENVIRONMENT_COLUMNS + 1 };

void tutti_conditions_add(struct conditions *conditions, sqlite3_stmt *row)
{
  const tutti_environment environment = tutti_environment_at(row, 1);
  bool schemes = sqlite3_column_count(row) > CONDITION_SCHEME;
  tutti_xpush(conditions,
              (struct condition){.number = sqlite3_column_int64(row, 0),
                                 .environment = tutti_environment_copy(&environment),
                                 .scheme = tutti_xstrdup(schemes ? tutti_store_text_at(row, CONDITION_SCHEME) : "")});
}

void tutti_conditions_free(struct conditions *conditions)
{
  for (size_t i = 0; i < conditions->count; i++) {
    tutti_environment_free(&conditions->items[i].environment);
    free(conditions->items[i].scheme);
  }
  tutti_vector_free(conditions);
}

/* ---- what differs ---- */

bool tutti_settings_has(const char *settings, const char *word, size_t length)
{
  for (const char *at = settings; *at; at += strspn(at, " ")) {
    size_t own = strcspn(at, " ");
    if (own == length && memcmp(at, word, length) == 0)
      return true;
    at += own;
  }
  return false;
}

/* Whether a word begins so. */
static bool has_beginning(const char *settings, const char *word, size_t length)
{
  for (const char *at = settings; *at; at += strspn(at, " ")) {
    if (strncmp(at, word, length) == 0)
      return true;
    at += strcspn(at, " ");
  }
  return false;
}

/* Whether settings agree with words NAME=VALUE, or NAME= for one that is not set. */
static bool are_under(const char *settings, const char *words)
{
  for (size_t length; *(words += strspn(words, " ")); words += length) {
    length = strcspn(words, " ");
    const bool unset = words[length - 1] == '=';
    if (unset ? has_beginning(settings, words, length) : !tutti_settings_has(settings, words, length))
      return false;
  }
  return true;
}

static void under(sqlite3_context *context, int count, sqlite3_value **values)
{
  (void)count;
  const char *settings = (const char *)sqlite3_value_text(values[0]),
             *words = (const char *)sqlite3_value_text(values[1]);
  sqlite3_result_int(context, are_under(settings ? settings : "", words ? words : ""));
}

int tutti_store_add_functions(sqlite3 *database)
{
  return sqlite3_create_function(database, "tutti_under", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, under, NULL,
                                 NULL);
}

static bool all_have(const struct conditions *conditions, const char *word, size_t length)
{
  for (size_t i = 0; i < conditions->count; i++)
    if (!tutti_settings_has(conditions->items[i].environment.settings, word, length))
      return false;
  return true;
}

/* Settings that not all have. */
static void print_settings(FILE *stream, const struct conditions *conditions, const struct condition *own)
{
  const char *between = "settings ";
  for (const char *at = own->environment.settings; *at; at += strspn(at, " ")) {
    size_t length = strcspn(at, " ");
    if (!all_have(conditions, at, length)) {
      fprintf(stream, "%s%.*s", between, (int)length, at);
      between = " ";
    }
    at += length;
  }
  if (*between != ' ')
    fputs("none of these settings", stream);
}

static void print_part(FILE *stream, const struct conditions *conditions, const struct condition *own, int part)
{
  const tutti_environment *environment = &own->environment;
  switch (part) {
  case STORE_ENVIRONMENT_PLATFORM:
    fputs(environment->platform, stream);
    break;
  case STORE_ENVIRONMENT_HASH:
    fprintf(stream, "platform file %.8s", *environment->platform_hash ? environment->platform_hash : "none");
    break;
  case STORE_ENVIRONMENT_FLAVOR:
    fputs(environment->flavor, stream);
    break;
  case STORE_ENVIRONMENT_LIBRARY:
    fprintf(stream, "library '%s'", environment->library);
    break;
  case STORE_ENVIRONMENT_TUTTI:
    fprintf(stream, "Tutti %s", environment->tutti);
    break;
  case STORE_ENVIRONMENT_BUILD:
    fprintf(stream, "build %s", *environment->build ? environment->build : "not known");
    break;
  case STORE_ENVIRONMENT_SETTINGS:
    print_settings(stream, conditions, own);
    break;
  case STORE_ENVIRONMENT_HOSTS:
    fprintf(stream, "hosts %s", *environment->hosts ? environment->hosts : "not known");
    break;
  case STORE_ENVIRONMENT_CPU:
    fprintf(stream, "CPU %s", *environment->cpu ? environment->cpu : "not known");
    break;
  case STORE_ENVIRONMENT_CORES:
    fprintf(stream, "%d cores", environment->cores);
    break;
  case STORE_ENVIRONMENT_BINDING:
    fprintf(stream, "binding %s", *environment->binding ? environment->binding : "not known");
    break;
  default:
    fprintf(stream, "scheme %s", own->scheme);
  }
}

static bool is_same(const struct condition *left, const struct condition *right, int part)
{
  return part == STORE_ENVIRONMENT_COLUMNS
             ? strcmp(left->scheme, right->scheme) == 0
             : tutti_environment_is_same(&left->environment, &right->environment, (enum store_environment_column)part);
}

static bool differs(const struct conditions *conditions, int part)
{
  for (size_t i = 1; i < conditions->count; i++)
    if (!is_same(&conditions->items[0], &conditions->items[i], part))
      return true;
  return false;
}

/* Whether the environment, or its rows of one scheme, are the only ones of that number. */
static bool is_alone(const struct conditions *conditions, const struct condition *own, bool environments)
{
  size_t same = 0;
  for (size_t i = 0; i < conditions->count; i++)
    same += conditions->items[i].number == own->number;
  return same == (environments ? conditions->count : 1);
}

/* Whether the library, or the engine, alone identifies it: users know those better than numbers. */
static bool is_told_by_flavor(const struct conditions *conditions, const struct condition *own)
{
  bool measurements = *own->scheme, same = true;
  for (size_t i = 0; i < conditions->count; i++)
    same = same && (conditions->items[i].number == own->number) ==
                       (strcmp(conditions->items[i].environment.flavor, own->environment.flavor) == 0);
  return measurements && same;
}

/* Options that choose it, followed by the other differences, as a comment of the shell. */
static char *compose_line(const struct conditions *conditions, const struct condition *own)
{
  struct tutti_text_stream text;
  const char *between = "  # ";
  bool scheme = !is_alone(conditions, own, false),
       flavor = !is_alone(conditions, own, true) && is_told_by_flavor(conditions, own);
  tutti_xopen_text(&text);
  if (flavor)
    fprintf(text.stream, " --%s %s", tutti_flavor_is_simulated(own->environment.flavor) ? "engine" : "flavor",
            own->environment.flavor);
  else if (!is_alone(conditions, own, true))
    fprintf(text.stream, " --environment %" PRId64, own->number);
  if (scheme)
    fprintf(text.stream, " --scheme %s", own->scheme);
  for (int part = 0; part < STORE_ENVIRONMENT_COLUMNS + !scheme; part++)
    if (differs(conditions, part)) {
      fputs(between, text.stream);
      print_part(text.stream, conditions, own, part);
      between = ", ";
    }
  return tutti_xclose_text(&text);
}

tutti_status tutti_conditions_fail(const struct conditions *conditions, const char *path, const char *what,
                                   tutti_error *error)
{
  static const char file[] = "\nor the path of the platform file, which means the file as it is now";
  const tutti_choice choice = {.path = path,
                               .count = conditions->count,
                               .what = what,
                               .ending = differs(conditions, STORE_ENVIRONMENT_HASH) ? file : "",
                               .items = tutti_xcalloc(conditions->count, sizeof *choice.items),
                               .lines = conditions->count};
  for (size_t i = 0; i < choice.lines; i++)
    choice.items[i] = compose_line(conditions, &conditions->items[i]);
  tutti_status status = tutti_choice_fail(&choice, error);
  for (size_t i = 0; i < choice.lines; i++)
    free(choice.items[i]);
  free(choice.items);
  return status;
}

/* Whether both have a known value. Empty settings are known. */
static bool is_known(const struct condition *condition, int part)
{
  static const tutti_environment nothing = {.platform = ""};
  return part == STORE_ENVIRONMENT_SETTINGS ||
         !tutti_environment_is_same(&condition->environment, &nothing, (enum store_environment_column)part);
}

char *tutti_environment_differences(const tutti_environment *there, const tutti_environment *here)
{
  struct condition both[] = {{.environment = *there, .scheme = ""}, {.environment = *here, .scheme = ""}};
  const struct conditions conditions = {.items = both, .count = 2};
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  for (int part = 0; part < STORE_ENVIRONMENT_COLUMNS; part++)
    if (differs(&conditions, part) && is_known(&both[0], part) && is_known(&both[1], part)) {
      fputs(ftell(text.stream) > 0 ? "; " : "", text.stream);
      print_part(text.stream, &conditions, &both[0], part);
      fputs(" there, ", text.stream);
      print_part(text.stream, &conditions, &both[1], part);
      fputs(" here", text.stream);
    }
  return tutti_xclose_text(&text);
}
