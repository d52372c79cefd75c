/* Which measurements: what is left out of them, and what to measure where there are none, or too few. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/options/selection.h"
#include "experiments/settings.h"

/* ---- a command that measures ---- */

enum { LISTED = 16, DEFAULT_RANKS = 16 };

/* Where the platform is a file, simulated; else by a library, the one that was asked for or measured, which is
 * returned.
 */
static const char *print_place(FILE *stream, const struct selection_options *selected, const char *flavor, int *ranks)
{
  char *path = NULL;
  tutti_platform platform;
  const char *argument = selected->platform_argument;
  bool found =
      tutti_platform_find(argument, &path, NULL) == TUTTI_OK && tutti_platform_read(path, &platform, NULL) == TUTTI_OK;
  free(path);
  fprintf(stream, " --platform %s", argument);
  *ranks = DEFAULT_RANKS;
  if (found && strcmp(flavor, TUTTI_FLAVOR_FAST) == 0)
    fprintf(stream, " --engine %s", flavor);
  if (found) {
    long long hosts = (long long)platform.host_count * platform.ranks_per_node;
    *ranks = hosts < DEFAULT_RANKS ? (int)hosts : DEFAULT_RANKS;
    tutti_platform_free(&platform);
    return NULL;
  }
  flavor = *flavor ? flavor : "openmpi";
  fprintf(stream, " --flavor %s", flavor);
  return flavor;
}

/* What the points of a map are, as a list where they are few. */
static void print_map_points(FILE *stream, const tutti_decision_map *map)
{
  char text[24];
  int first = map->size_count > 1 && map->sizes[0] == 0; /* of nothing */
  fprintf(stream, " -P ");
  for (int i = 0; i < map->ranks_count; i++)
    fprintf(stream, "%s%d", i ? "," : "", map->ranks[i]);
  if (map->collective == TUTTI_COLL_BARRIER)
    return;
  fprintf(stream, " -s ");
  if (map->size_count - first > LISTED) {
    fprintf(stream, "%s..", tutti_size_format(map->sizes[first], text));
    fprintf(stream, "%s*4", tutti_size_format(map->sizes[map->size_count - 1], text));
  } else
    for (int i = first; i < map->size_count; i++)
      fprintf(stream, "%s%s", i > first ? "," : "", tutti_size_format(map->sizes[i], text));
}

/* What can be called in the place of each other. */
static const char several[] = "bcast,scatter,gather,allgather,reduce,allreduce";

/* The settings of an environment; "" if they cannot be read. */
static char *read_settings(const struct selection_options *selected, int64_t environment)
{
  tutti_store *store;
  tutti_store_contents contents = {0};
  char *settings = NULL;
  if (tutti_store_open_existing(selected->database, &store, NULL) == TUTTI_OK) {
    tutti_store_contents_read(store, &contents, NULL);
    tutti_store_close(store);
  }
  for (int i = 0; i < contents.environment_count; i++)
    if (contents.ids[i] == environment)
      settings = tutti_xstrdup(contents.environments[i].settings);
  tutti_store_contents_free(&contents);
  return settings ? settings : tutti_xstrdup("");
}

/* The command with what sets the settings of the measurements. */
static char *with_settings(const struct selection_options *selected, const struct measured_map *measured, char *command)
{
  char *settings = read_settings(selected, measured->environment);
  char *variables = tutti_settings_again(measured->flavor, settings, true);
  char *words = tutti_settings_again(measured->flavor, settings, false), *arguments = tutti_xshell_word(words);
  char *whole =
      tutti_xprintf("%s%s%s%s", variables, command, *words ? " --launcher-args=" : "", *words ? arguments : "");
  free(settings);
  free(variables);
  free(words);
  free(arguments);
  free(command);
  return whole;
}

char *selection_bench_command(const struct selection_options *selected, tutti_collective collective,
                              const struct measured_map *measured)
{
  struct tutti_text_stream text;
  const char *asked = selected->selection.flavor ? selected->selection.flavor : "";
  int ranks;
  tutti_xopen_text(&text);
  fprintf(text.stream, "tutti bench %s", collective == TUTTI_COLL_COUNT ? several : tutti_collective_name(collective));
  const char *library = print_place(text.stream, selected, measured ? measured->flavor : asked, &ranks);
  if (library)
    fprintf(text.stream, " --of %s", library);
  if (measured)
    print_map_points(text.stream, &measured->map);
  else
    fprintf(text.stream, " -P 2..%d*2%s", ranks, collective == TUTTI_COLL_BARRIER ? "" : " -s 8B..1MB*4");
  if (selected->database_given)
    fprintf(text.stream, " --db %s", selected->database);
  char *command = tutti_xclose_text(&text);
  return measured ? with_settings(selected, measured, command) : command;
}

char *selection_command(const struct selection_options *selected, const struct measured_map *measured,
                        const char *words, bool launches)
{
  static const char *const chosen[] = {"flavor",      "library",        "tutti-version", "setting",
                                       "environment", "ranks-per-node", "root",          NULL};
  char *given = options_given(chosen), *platform = tutti_xshell_word(selected->platform),
       *database = tutti_xshell_word(selected->database);
  char *command = tutti_xprintf("tutti %s --platform %s --db %s%s%s%s", words, platform, database,
                                measured->scheme == TUTTI_SCHEME_OCC ? "" : " --scheme ",
                                measured->scheme == TUTTI_SCHEME_OCC ? "" : tutti_scheme_name(measured->scheme), given);
  free(given);
  free(platform);
  free(database);
  return launches ? with_settings(selected, measured, command) : command;
}

char *selection_bench_call(const struct selection_options *selected, const char *flavor, const tutti_method *method,
                           int ranks, uint64_t bytes)
{
  struct tutti_text_stream text;
  const tutti_collective collective = method->algorithm->collective;
  const char *own = tutti_implementation_name(method->implementation);
  char name[TUTTI_METHOD_LENGTH], size[24];
  int most;
  tutti_xopen_text(&text);
  fprintf(text.stream, "tutti bench %s", tutti_collective_name(collective));
  print_place(text.stream, selected, own ? own : flavor, &most);
  fprintf(text.stream, " --methods %s -P %d", tutti_method_format(method, name), ranks);
  if (collective != TUTTI_COLL_BARRIER)
    fprintf(text.stream, " -s %s", tutti_size_format(bytes, size));
  if (selected->database_given)
    fprintf(text.stream, " --db %s", selected->database);
  return tutti_xclose_text(&text);
}

/* Is there such a platform in the store? If not, offer those that there are to the guess. */
static bool is_in_store(const struct selection_options *selected, tutti_guess *guess)
{
  tutti_store *store;
  tutti_store_contents contents = {0};
  bool found = false;
  if (tutti_store_open_existing(selected->database, &store, NULL) != TUTTI_OK)
    return false;
  tutti_store_contents_read(store, &contents, NULL);
  for (int i = 0; i < contents.environment_count; i++) {
    found = found || strcmp(contents.environments[i].platform, selected->platform) == 0;
    tutti_guess_try(guess, contents.environments[i].platform);
  }
  tutti_store_contents_free(&contents);
  tutti_store_close(store);
  return found;
}

static bool is_known(const struct selection_options *selected, tutti_guess *guess)
{
  char *path = NULL;
  bool known =
      is_in_store(selected, guess) || tutti_platform_find(selected->platform_argument, &path, NULL) == TUTTI_OK;
  free(path);
  return known;
}

bool selection_knows_platform(const struct selection_options *selected)
{
  tutti_guess guess = {.word = selected->platform};
  return is_known(selected, &guess);
}

/* The platform that was meant by one that is neither in the store nor a file: " (did you mean 'bgp'?)", or "". */
static char *guess_platform(const struct selection_options *selected, char meant[2 * TUTTI_GUESS_LENGTH])
{
  tutti_guess guess = {.word = selected->platform};
  bool known = is_known(selected, &guess);
  if (!known)
    tutti_platform_guess(&guess);
  *meant = '\0';
  return known ? meant : tutti_guess_text(&guess, meant);
}

tutti_status selection_fail_empty(const struct selection_options *selected, tutti_collective collective,
                                  const char *under, tutti_error *error)
{
  char *command = selection_bench_command(selected, collective, NULL), meant[2 * TUTTI_GUESS_LENGTH];
  bool one = collective < TUTTI_COLL_COUNT;
  tutti_status status = tutti_fail(
      error, TUTTI_ERR_ARGUMENT, "%s: no measurement%s%s on platform %s%s%s matches%s; this makes some:\n  %s",
      selected->database, one ? " of " : "", one ? tutti_collective_name(collective) : "", selected->platform,
      *selected->hash ? ", as its file is now," : "", under, guess_platform(selected, meant), command);
  free(command);
  return status;
}

tutti_status selection_fail_missing(const struct selection_options *selected, tutti_collective collective,
                                    tutti_error *error)
{
  char *command = selection_bench_command(selected, collective, NULL), meant[2 * TUTTI_GUESS_LENGTH];
  const char *guess = guess_platform(selected, meant);
  tutti_status status =
      tutti_fail(error, TUTTI_ERR_IO, "%s: no such store of measurements%s%s%s; this makes one:\n  %s",
                 selected->database, *guess ? " on platform " : "", *guess ? selected->platform : "", guess, command);
  free(command);
  return status;
}

void selection_note_native(const struct selection_options *selected, const struct measured_map *measured)
{
  const tutti_collective collective = measured->map.collective;
  if (selected->natives || !tutti_decision_map_default_candidates(&measured->map).native)
    return;
  char *command = selection_bench_command(selected, collective, measured);
  fprintf(stderr,
          "tutti: note: %s: of %s on %s only what the library chooses itself (%s/native) was measured, and there is "
          "nothing to choose from; this measures algorithms:\n  %s\n",
          selected->database, tutti_collective_name(collective), selected->platform, tutti_collective_name(collective),
          command);
  free(command);
}

/* ---- rows of the platform file as it was before ---- */

/* The day on which the file was changed. */
static const char *changed_on(const char *path, char day[32])
{
  struct stat about;
  struct tm parts;
  if (stat(path, &about) != 0 || !gmtime_r(&about.st_mtime, &parts) || strftime(day, 32, "%Y-%m-%d", &parts) == 0)
    snprintf(day, 32, "since");
  return day;
}

/* Rows of the kind, of the collective where they are measurements, in an environment. */
static size_t count_rows(const tutti_store_contents *contents, int environment, tutti_store_entry_kind kind,
                         tutti_collective collective)
{
  size_t rows = 0;
  for (int i = 0; i < contents->entry_count; i++) {
    const tutti_store_entry *entry = &contents->entries[i];
    if (entry->environment == environment && entry->kind == kind &&
        (kind != TUTTI_ENTRY_MEASUREMENTS || collective == TUTTI_COLL_COUNT || entry->collective == collective))
      rows += entry->rows;
  }
  return rows;
}

static void note_older(const struct selection_options *selected, const tutti_environment *older, size_t rows,
                       tutti_store_entry_kind kind, tutti_collective collective)
{
  char day[32];
  bool one = collective < TUTTI_COLL_COUNT;
  fprintf(stderr,
          "tutti: note: %s: %zu %s%s%s%s of %s as it was before it changed (%s): --platform-hash %.8s shows %s\n",
          selected->database, rows, kind == TUTTI_ENTRY_PARAMETERS ? "parameter" : "measurement", tutti_plural(rows),
          one ? " of " : "", one ? tutti_collective_name(collective) : "", selected->platform_argument,
          changed_on(selected->platform_argument, day), older->platform_hash, rows == 1 ? "it" : "them");
}

void selection_note_older(const struct selection_options *selected, tutti_store_entry_kind kind,
                          tutti_collective collective)
{
  tutti_store *store;
  tutti_store_contents contents = {0};
  if (!*selected->hash || tutti_store_open_existing(selected->database, &store, NULL) != TUTTI_OK)
    return;
  tutti_store_contents_read(store, &contents, NULL); /* the command itself reports a store that cannot be read */
  for (int i = 0; i < contents.environment_count; i++) {
    const tutti_environment *environment = &contents.environments[i];
    size_t rows = count_rows(&contents, i, kind, collective);
    if (rows > 0 && *environment->platform_hash && strcmp(environment->platform, selected->platform) == 0 &&
        strcmp(environment->platform_hash, selected->hash) != 0)
      note_older(selected, environment, rows, kind, collective);
  }
  tutti_store_contents_free(&contents);
  tutti_store_close(store);
}
