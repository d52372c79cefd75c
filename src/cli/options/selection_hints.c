/* Which measurements: what is left out of them, and what to do where there are none, or too few. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/say.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/options/selection.h"
#include "cli/output/output.h"

/* ---- nothing matches ---- */

/* The environments of the platform, as options to be pasted, and after them what they are; to be freed. */
static char *list_environments(const struct selection_options *selected, const tutti_store_contents *contents)
{
  struct tutti_text_stream list;
  tutti_xopen_text(&list);
  for (int i = 0; i < contents->environment_count; i++) {
    const tutti_environment *environment = &contents->environments[i];
    if (strcmp(environment->platform, selected->platform) == 0 && tutti_store_contents_has_rows(contents, i))
      fprintf(list.stream, "\n  --environment %lld  # %s, %s", (long long)contents->ids[i], environment->flavor,
              environment->library);
  }
  return tutti_xclose_text(&list);
}

/* Whether the platform is in the store, but without an environment of that number, or without that library. */
static bool is_missing(const struct selection_options *selected, const tutti_store_contents *contents)
{
  const tutti_selection *selection = &selected->selection;
  bool platform = false;
  for (int i = 0; i < contents->environment_count; i++) {
    const tutti_environment *environment = &contents->environments[i];
    if (strcmp(environment->platform, selected->platform) != 0)
      continue;
    platform = true;
    if ((!selection->environment || contents->ids[i] == selection->environment) &&
        (!selection->library || strcmp(environment->library, selection->library) == 0))
      return false;
  }
  return platform && (selection->environment || selection->library);
}

bool selection_knows_environment(const struct selection_options *selected)
{
  tutti_store_contents contents = selection_contents(selected);
  bool missing = is_missing(selected, &contents);
  tutti_store_contents_free(&contents);
  return !missing;
}

static tutti_status fail_environment(const struct selection_options *selected, const tutti_store_contents *contents,
                                     tutti_error *error)
{
  const tutti_selection *selection = &selected->selection;
  char *list = list_environments(selected, contents), number[24] = "", meant[2 * TUTTI_GUESS_LENGTH] = "";
  tutti_guess guess = {.word = selection->library};
  for (int i = 0; i < contents->environment_count && selection->library; i++)
    tutti_guess_try(&guess, contents->environments[i].library);
  if (selection->library)
    tutti_guess_text(&guess, meant);
  if (selection->environment)
    snprintf(number, sizeof number, " %lld", (long long)selection->environment);
  tutti_status status = tutti_fail(
      error, TUTTI_ERR_ARGUMENT, "%s: no environment%s%s%.60s%s%s on platform %s; there is:%.300s", selected->database,
      number, selection->library ? " with library '" : "", selection->library ? selection->library : "",
      selection->library ? "'" : "", meant, selected->platform, list);
  free(list);
  return status;
}

static tutti_status fail_unmeasured(const struct selection_options *selected, tutti_collective collective,
                                    const char *under, tutti_error *error)
{
  if (selection_check_platform(selected, error) != TUTTI_OK)
    return TUTTI_ERR_ARGUMENT;
  char *command = selection_bench_command(selected, collective, NULL), meant[2 * TUTTI_GUESS_LENGTH] = "";
  bool one = collective < TUTTI_COLL_COUNT;
  tutti_guess guess;
  if (selection_guess_platform(selected, &guess))
    tutti_guess_text(&guess, meant);
  tutti_status status = tutti_fail(error, TUTTI_ERR_ARGUMENT,
                                   "%s: no measurement%s%s on platform %s%s%s matches%s; this makes some%s:\n  %s",
                                   selected->database, one ? " of " : "", one ? tutti_collective_name(collective) : "",
                                   selected->platform, *selected->hash ? ", as its file is now," : "", under, meant,
                                   *under ? ", with the same --arrival and --noise after it" : "", command);
  free(command);
  return status;
}

tutti_status selection_fail_empty(const struct selection_options *selected, tutti_collective collective,
                                  const char *under, tutti_error *error)
{
  tutti_store_contents contents = selection_contents(selected);
  tutti_status status = is_missing(selected, &contents) ? fail_environment(selected, &contents, error)
                                                        : fail_unmeasured(selected, collective, under, error);
  tutti_store_contents_free(&contents);
  return status;
}

tutti_status selection_fail_missing(const struct selection_options *selected, tutti_collective collective,
                                    tutti_error *error)
{
  char *command = selection_bench_command(selected, collective, NULL), meant[2 * TUTTI_GUESS_LENGTH] = "";
  char store[2 * TUTTI_GUESS_LENGTH];
  tutti_guess guess;
  bool guessed = selection_guess_platform(selected, &guess);
  tutti_status status =
      tutti_fail(error, TUTTI_ERR_IO, "%s: no such store of measurements%s%s%s%s; this makes one:\n  %s",
                 selected->database, tutti_guess_file(selected->database, ".db", store), guessed ? " on platform " : "",
                 guessed ? selected->platform : "", guessed ? tutti_guess_text(&guess, meant) : "", command);
  free(command);
  return status;
}

void selection_need_store(struct selection_options *selected, tutti_collective collective)
{
  struct selection_options example = *selected;
  const char *flavor = selected->selection.flavor;
  if (*selected->platform || access(selected->database, F_OK) == 0 || errno != ENOENT) {
    selection_need_platform(selected);
    return;
  }
  example.platform_argument = !flavor || tutti_flavor_is_simulated(flavor) ? "grig_mx" : "my-cluster";
  snprintf(example.platform, sizeof example.platform, "%s", example.platform_argument);
  must(selection_fail_missing(&example, collective, &failure));
}

void selection_note_native(const struct selection_options *selected, const struct measured_map *measured)
{
  const tutti_collective collective = measured->map.collective;
  if (selected->natives || !tutti_decision_map_only_native(&measured->map))
    return;
  char *command = selection_bench_command(selected, collective, measured);
  tutti_say(stderr,
            "tutti: note: %s: of %s on %s only what the library chooses itself (%s/native) was measured, and there is "
            "nothing to choose from; this measures algorithms:\n  %s\n",
            selected->database, tutti_collective_name(collective), selected->platform,
            tutti_collective_name(collective), command);
  free(command);
}

void selection_note_rounds_apart(const char *database, const char *platform, const tutti_method *method, size_t points)
{
  char name[TUTTI_METHOD_LENGTH];
  tutti_say(stderr,
            "tutti: note: %s%smethods such as %s are the fastest at %zu point%s on %s, but their " ROUNDS_APART
            ", so they are not chosen: --rounds-apart lets them be\n",
            database ? database : "", database ? ": " : "", tutti_method_format(method, name), points,
            tutti_plural(points), platform);
}

void selection_note_map_apart(const char *database, const char *platform, const tutti_decision_map *map)
{
  size_t points;
  const int method = tutti_decision_map_faster_apart(map, &points);
  if (method >= 0)
    selection_note_rounds_apart(database, platform, &map->methods[method], points);
}

/* ---- rows of the platform file as it was before ---- */

/* The day on which the file of a platform was changed. */
static const char *changed_on(const char *platform, char day[32])
{
  struct stat about;
  struct tm parts;
  char *path = NULL;
  if (tutti_platform_find(platform, &path, NULL) != TUTTI_OK || stat(path, &about) != 0 ||
      !gmtime_r(&about.st_mtime, &parts) || strftime(day, 32, "%Y-%m-%d", &parts) == 0)
    snprintf(day, 32, "since");
  free(path);
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
  tutti_say(stderr,
            "tutti: note: %s: %zu %s%s%s%s of %s as it was before it changed (%s): --platform-hash %.8s shows %s\n",
            selected->database, rows, kind == TUTTI_ENTRY_PARAMETERS ? "parameter" : "measurement", tutti_plural(rows),
            one ? " of " : "", one ? tutti_collective_name(collective) : "", selected->platform_argument,
            changed_on(selected->platform_argument, day), older->platform_hash, rows == 1 ? "it" : "them");
}

void selection_note_outdated(const struct selection_options *selected, size_t outdated)
{
  if (outdated > 0)
    tutti_say(
        stderr,
        "tutti: note: %s: %zu measurement%s of plug-ins as they were before they changed %s left out: tutti bench "
        "measures anew\n",
        selected->database, outdated, tutti_plural(outdated), outdated == 1 ? "is" : "are");
}

void selection_note_older(const struct selection_options *selected, tutti_store_entry_kind kind,
                          tutti_collective collective)
{
  if (!*selected->hash)
    return;
  tutti_store_contents contents =
      selection_contents(selected); /* the command itself reports a store that cannot be read */
  for (int i = 0; i < contents.environment_count; i++) {
    const tutti_environment *environment = &contents.environments[i];
    size_t rows = count_rows(&contents, i, kind, collective);
    if (rows > 0 && *environment->platform_hash && strcmp(environment->platform, selected->platform) == 0 &&
        strcmp(environment->platform_hash, selected->hash) != 0)
      note_older(selected, environment, rows, kind, collective);
  }
  tutti_store_contents_free(&contents);
}
