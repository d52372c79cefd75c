/* Commands to be pasted: what measures, and what is done with measurements. */
#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/options/selection.h"
#include "experiments/settings.h"

/* ---- what there is ---- */

/* What the store has, nothing if it cannot be read. */
tutti_store_contents selection_contents(const struct selection_options *selected)
{
  tutti_store *store;
  tutti_store_contents contents = {0};
  if (tutti_store_open_existing(selected->database, &store, NULL) != TUTTI_OK)
    return contents;
  tutti_store_contents_read(store, &contents, NULL);
  tutti_store_close(store);
  return contents;
}

/* Is there such a platform in the store? If not, offer those that there are to the guess. */
static bool is_in_store(const struct selection_options *selected, tutti_guess *guess)
{
  tutti_store_contents contents = selection_contents(selected);
  bool found = false;
  for (int i = 0; i < contents.environment_count; i++) {
    found = found || strcmp(contents.environments[i].platform, selected->platform) == 0;
    tutti_guess_try(guess, contents.environments[i].platform);
  }
  tutti_store_contents_free(&contents);
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

/* The platform that was meant by one that is neither in the store nor a file; NULL: it is, or nobody knows. */
const char *selection_guess_platform(const struct selection_options *selected, tutti_guess *guess)
{
  *guess = (tutti_guess){.word = selected->platform};
  if (is_known(selected, guess))
    return NULL;
  tutti_platform_guess(guess);
  return tutti_guess_word(guess);
}

tutti_status selection_check_platform(const struct selection_options *selected, tutti_error *error)
{
  char meant[2 * TUTTI_GUESS_LENGTH];
  tutti_guess guess = {.word = selected->platform, .few = true};
  if (is_known(selected, &guess) || !tutti_guess_word(&guess))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: the store has no platform '%s'%s", selected->database,
                    selected->platform, tutti_guess_text(&guess, meant));
}

/* ---- a command that measures ---- */

enum { LISTED = 16, DEFAULT_RANKS = 16 };

/* Where the platform is a file, simulated; else by a library, the one that was asked for or measured, which is
   returned, and on no more ranks than this machine has cores. A name that is misspelt is that which was meant. */
static const char *print_place(FILE *stream, const struct selection_options *selected, const char *flavor, int *ranks)
{
  char *path = NULL;
  tutti_platform platform;
  tutti_guess guess;
  const char *meant = selection_guess_platform(selected, &guess),
             *argument = meant ? meant : selected->platform_argument;
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
  *ranks = tutti_machine_cores() < DEFAULT_RANKS ? tutti_machine_cores() : DEFAULT_RANKS;
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
  tutti_store_contents contents = selection_contents(selected);
  char *settings = NULL;
  for (int i = 0; i < contents.environment_count; i++)
    if (contents.ids[i] == environment)
      settings = tutti_xstrdup(contents.environments[i].settings);
  tutti_store_contents_free(&contents);
  return settings ? settings : tutti_xstrdup("");
}

/* Did ranks of one node take turns on its cores? */
static bool was_oversubscribed(const struct measured_map *measured)
{
  const tutti_decision_map *map = &measured->map;
  return measured->cores > 0 && measured->ranks_per_node >= map->ranks[0] &&
         map->ranks[map->ranks_count - 1] > measured->cores;
}

/* The command with what sets the settings of the measurements. */
static char *with_settings(const struct selection_options *selected, const struct measured_map *measured, char *command)
{
  char *settings = read_settings(selected, measured->environment);
  char *set = tutti_settings_command(measured->flavor, settings, command);
  char *whole = tutti_xprintf("%s%s", set, was_oversubscribed(measured) ? " --oversubscribe" : "");
  free(settings);
  free(set);
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
  else {
    fputs(" -P 2", text.stream);
    if (ranks >= 4)
      fprintf(text.stream, "..%d*2", ranks);
    fputs(collective == TUTTI_COLL_BARRIER ? "" : " -s 8B..1MB*4", text.stream);
  }
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

char *selection_bench_call(const struct selection_options *selected, const struct measured_map *measured,
                           const tutti_method *method, int ranks, uint64_t bytes)
{
  struct tutti_text_stream text;
  const tutti_collective collective = method->algorithm->collective;
  const char *own = tutti_implementation_name(method->implementation);
  const char *flavor = own && strcmp(own, "smpi") != 0 ? own : measured->flavor;
  const bool again = *measured->flavor && strcmp(flavor, measured->flavor) == 0;
  char name[TUTTI_METHOD_LENGTH], size[24];
  int most;
  tutti_xopen_text(&text);
  fprintf(text.stream, "tutti bench %s", tutti_collective_name(collective));
  print_place(text.stream, selected, flavor, &most);
  fprintf(text.stream, " --methods %s -P %d", tutti_method_format(method, name), ranks);
  if (collective != TUTTI_COLL_BARRIER)
    fprintf(text.stream, " -s %s", tutti_size_format(bytes, size));
  if (again && measured->scheme == TUTTI_SCHEME_WINDOW)
    fprintf(text.stream, " --scheme %s", tutti_scheme_name(measured->scheme));
  if (selected->database_given)
    fprintf(text.stream, " --db %s", selected->database);
  char *command = tutti_xclose_text(&text);
  return again ? with_settings(selected, measured, command) : command;
}
