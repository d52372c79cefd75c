/* Commands to be pasted: what measures, and what is done with measurements. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/say.h"
#include "base/text.h"
#include "base/vector.h"
#include "base/words.h"
#include "cli/options/selection.h"
#include "harness/experiments/file/bench_command.h"

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

int64_t selection_number(const struct selection_options *selected, const char *sql, const char *first,
                         const char *second)
{
  tutti_store *store;
  int64_t number = 0;
  if (tutti_store_open_existing(selected->database, &store, NULL) != TUTTI_OK)
    return 0;
  (void)tutti_store_number(store, sql, (const char *[]){first, second}, second ? 2 : 1, &number, NULL);
  tutti_store_close(store);
  return number;
}

/* Whether the store has such a platform. If not, those that it has are offered to the guess. */
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

static bool has_real_rows(const struct selection_options *selected)
{
  return selection_number(selected,
                          "SELECT count(*) FROM environment WHERE platform = ?1"
                          " AND flavor NOT IN ('smpi', '" TUTTI_FLAVOR_FAST "', '" TUTTI_FLAVOR_FLOW "')",
                          selected->platform, NULL) > 0;
}

tutti_status selection_check_real(const char *database, const char *platform, const char *flavor, tutti_error *error)
{
  struct selection_options selected = {.database = database, .platform_argument = platform};
  char *path = NULL;
  snprintf(selected.platform, sizeof selected.platform, "%s", platform);
  if (tutti_platform_find(platform, &path, NULL) != TUTTI_OK || access(path, F_OK) != 0 || has_real_rows(&selected)) {
    free(path);
    return TUTTI_OK;
  }
  tutti_status status =
      tutti_fail(error, TUTTI_ERR_ARGUMENT,
                 "platform %s is a simulated one (%s), and %s runs on a real machine, which wants a name of its own, "
                 "such as my-cluster",
                 platform, path, flavor);
  free(path);
  return status;
}

/* The platforms of a store, as lines to choose one of. */
struct platforms {
  TUTTI_VECTOR(char *); /* "--platform NAME --flavor FLAVOR", or --engine ENGINE */
  size_t names;
  char last[TUTTI_PLATFORM_NAME_LENGTH]; /* "": there is none */
};

/* Those that were measured with a flavor, NULL: with any; those of a kind of library apart. */
static struct platforms list_platforms(const char *database, const char *flavor)
{
  const struct selection_options selected = {.database = database};
  tutti_store_contents contents = selection_contents(&selected);
  const tutti_environment *last = NULL;
  struct platforms found = {0};
  for (int i = 0; i < contents.environment_count; i++) {
    const tutti_environment *environment = &contents.environments[i];
    bool same = last && strcmp(last->platform, environment->platform) == 0;
    if ((flavor && strcmp(environment->flavor, flavor) != 0) ||
        (same && strcmp(last->flavor, environment->flavor) == 0) || !tutti_store_contents_has_rows(&contents, i))
      continue;
    char *platform = tutti_xshell_word(environment->platform), *kind = tutti_xshell_word(environment->flavor);
    tutti_xpush(&found, tutti_xprintf(" --platform %s --%s %s", platform,
                                      tutti_flavor_is_simulated(environment->flavor) ? "engine" : "flavor", kind));
    free(platform);
    free(kind);
    found.names += !same;
    last = environment;
  }
  snprintf(found.last, sizeof found.last, "%s", last ? last->platform : "");
  tutti_store_contents_free(&contents);
  return found;
}

static void free_platforms(struct platforms *platforms)
{
  for (size_t i = 0; i < platforms->count; i++)
    free(platforms->items[i]);
  tutti_vector_free(platforms);
}

static void fail_platform(const char *database, const struct platforms *platforms, const char *what)
{
  const tutti_choice choice = {.path = database,
                               .count = platforms->names,
                               .what = what,
                               .ending = "",
                               .items = platforms->items,
                               .lines = platforms->count};
  if (!platforms->count)
    die("--platform NAME is missing");
  must(tutti_choice_fail(&choice, &failure));
}

void selection_only_platform(const char *database, const char *flavor, char *platform)
{
  struct platforms found = list_platforms(database, flavor);
  if (found.names >= 2)
    fail_platform(database, &found, "platforms match");
  if (found.names == 1)
    tutti_say(stderr, "tutti: --platform %s, the only one in %s\n", found.last, database);
  memcpy(platform, found.last, sizeof found.last);
  free_platforms(&found);
}

void selection_fail_platform(const char *database)
{
  struct platforms all = list_platforms(database, NULL);
  fail_platform(database, &all, all.names == 1 ? "platform, of another flavor" : "platforms, of other flavors");
  free_platforms(&all);
}

/* A name near to one of the store may be meant, where a library of a real machine is asked for. Owned by the caller. */
static char *measure_another(const struct selection_options *selected)
{
  const char *flavor = selected->selection.flavor;
  if (!flavor || tutti_flavor_is_simulated(flavor))
    return tutti_xstrdup("");
  const struct bench_command wanted = {.collective = TUTTI_COLL_BCAST,
                                       .platform = selected->platform_argument,
                                       .flavor = flavor,
                                       .database = selected->database};
  char *command = tutti_bench_command(&wanted);
  char *text = tutti_xprintf("; this measures another machine of that name:\n  %s", command);
  free(command);
  return text;
}

tutti_status selection_check_platform(const struct selection_options *selected, tutti_error *error)
{
  char meant[2 * TUTTI_GUESS_LENGTH], names[TUTTI_ERROR_LENGTH / 4];
  tutti_guess guess = {.word = selected->platform, .few = true};
  if (is_known(selected, &guess) || !tutti_guess_word(&guess))
    return TUTTI_OK;
  tutti_store_contents contents = selection_contents(selected);
  char *measures = measure_another(selected);
  tutti_status status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: the store has no platform '%s'%s, only %s%s",
                                   selected->database, selected->platform, tutti_guess_text(&guess, meant),
                                   tutti_store_contents_platforms(&contents, names, sizeof names), measures);
  free(measures);
  tutti_store_contents_free(&contents);
  return status;
}

/* ---- a command that measures ---- */

struct meant {
  tutti_guess guess;
  char file[TUTTI_PLATFORM_NAME_LENGTH + 8];
  bool simulated; /* what the store has of the platform is, all of it */
};

/* The platform; where its name is misspelt, the one that was meant. What is simulated from a user's own file is found
   by the path of that file alone. */
static const char *platform_meant(const struct selection_options *selected, struct meant *meant)
{
  const char *guessed = selection_guess_platform(selected, &meant->guess), *argument = selected->platform_argument;
  tutti_guess none = {.word = selected->platform};
  const char *flavor = selected->selection.flavor;
  char *path = NULL;
  meant->simulated = !guessed && (!flavor || tutti_flavor_is_simulated(flavor)) && is_in_store(selected, &none) &&
                     !has_real_rows(selected);
  if (!meant->simulated)
    return guessed ? guessed : argument;
  if (tutti_platform_find(argument, &path, NULL) != TUTTI_OK) {
    snprintf(meant->file, sizeof meant->file, "./%s.xml", selected->platform);
    argument = meant->file;
  }
  free(path);
  return argument;
}

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

/* What measures a map again, with the settings of its environment, which are owned by the caller. */
static struct bench_command measure_again(const struct selection_options *selected, const struct measured_map *measured,
                                          char **settings)
{
  *settings = read_settings(selected, measured->environment);
  return (struct bench_command){.flavor = measured->flavor,
                                .map = &measured->map,
                                .settings = *settings,
                                .cores = measured->cores,
                                .ranks_per_node = measured->ranks_per_node};
}

/* The command with what sets the settings of the measurements. */
static char *with_settings(const struct selection_options *selected, const struct measured_map *measured, char *command)
{
  char *settings;
  const struct bench_command again = measure_again(selected, measured, &settings);
  char *whole = tutti_bench_with_settings(&again, command);
  free(settings);
  return whole;
}

char *selection_bench_command(const struct selection_options *selected, tutti_collective collective,
                              const struct measured_map *measured)
{
  struct meant meant;
  char *settings = NULL;
  struct bench_command wanted = {.flavor = ""};
  if (measured)
    wanted = measure_again(selected, measured, &settings);
  else if (selected->wanted)
    wanted = *selected->wanted;
  if (!measured && selected->selection.flavor)
    wanted.flavor = selected->selection.flavor;
  wanted.collective = collective;
  wanted.platform = platform_meant(selected, &meant);
  if (meant.simulated && !*wanted.flavor)
    wanted.flavor = "smpi";
  wanted.database = selected->database_given ? selected->database : NULL;
  char *command = tutti_bench_command(&wanted);
  free(settings);
  return command;
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
  struct meant meant;
  int most;
  tutti_xopen_text(&text);
  fprintf(text.stream, "tutti bench %s", tutti_collective_name(collective));
  const char *library = tutti_bench_place(platform_meant(selected, &meant), flavor, &most, text.stream);
  if (library && tutti_method_is_native(method))
    fprintf(text.stream, " --of %s", library); /* alone it says nothing of what could run in its place */
  else
    fprintf(text.stream, " --methods %s", tutti_method_format(method, name));
  fprintf(text.stream, " -P %d", ranks);
  if (collective != TUTTI_COLL_BARRIER)
    fprintf(text.stream, " -s %s", tutti_size_format(bytes, size));
  if (again && measured->scheme == TUTTI_SCHEME_WINDOW)
    fprintf(text.stream, " --scheme %s", tutti_scheme_name(measured->scheme));
  if (selected->database_given) {
    char *database = tutti_xshell_word(selected->database);
    fprintf(text.stream, " --db %s", database);
    free(database);
  }
  char *command = tutti_xclose_text(&text);
  return again ? with_settings(selected, measured, command) : command;
}
