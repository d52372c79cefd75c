/* Rows of the same collectives under other conditions, which should not be mistaken for the current ones. */
#include <stdlib.h>

#include "base/say.h"
#include "harness/experiments/jobs/job.h"
#include "harness/experiments/plan/plan.h"
#include "tutti/tuning.h"

/* The measurements of the experiment's collectives in an environment. */
static size_t count_rows(const struct run *run, const tutti_store_contents *contents, int environment)
{
  size_t rows = 0;
  for (int i = 0; i < contents->entry_count; i++) {
    const tutti_store_entry *entry = &contents->entries[i];
    if (entry->kind == TUTTI_ENTRY_MEASUREMENTS && entry->environment == environment &&
        tutti_experiment_has(run->experiment, entry->collective))
      rows += entry->rows;
  }
  return rows;
}

/* Whether the environment is the one of this run. For a job in a queue the node is not known yet. */
static bool is_own(const struct run *run, const tutti_store_contents *contents, int environment)
{
  return run->manifest.probed ? tutti_manifest_allows(&run->manifest, &contents->environments[environment])
                              : contents->ids[environment] == run->ingest->environment;
}

/* The other environment of the machine with the most rows; -1: none, or the own one has rows, too. */
static int find_other(const struct run *run, const tutti_store_contents *contents, size_t *most)
{
  int other = -1;
  *most = 0;
  for (int i = 0; i < contents->environment_count; i++) {
    const tutti_environment *environment = &contents->environments[i];
    size_t rows = count_rows(run, contents, i);
    if (rows == 0 || strcmp(environment->platform, run->manifest.platform) != 0 ||
        strcmp(environment->flavor, run->manifest.flavor) != 0)
      continue;
    if (is_own(run, contents, i))
      return -1;
    if (rows > *most) {
      *most = rows;
      other = i;
    }
  }
  return other;
}

/* ---- the same machine by another name ---- */

/* The name under which the hosts of a new platform were measured before; NULL: it is not new, or they were not. */
static const char *find_name(const struct run *run, const tutti_store_contents *contents)
{
  const char *name = NULL;
  for (int i = 0; i < contents->environment_count; i++) {
    const tutti_environment *environment = &contents->environments[i];
    if (!tutti_store_contents_has_rows(contents, i))
      continue;
    if (strcmp(environment->platform, run->manifest.platform) == 0)
      return NULL;
    if (*run->manifest.hosts && strcmp(environment->hosts, run->manifest.hosts) == 0)
      name = environment->platform;
  }
  return name;
}

void tutti_run_note_conditions(const struct run *run)
{
  tutti_store_contents contents = {0};
  size_t rows;
  if (tutti_store_contents_read(run->store, &contents, NULL) != TUTTI_OK)
    return;
  const char *name = find_name(run, &contents);
  if (name)
    tutti_say(stderr, "tutti: note: %s: a new platform '%s'; the store has '%s' of the same hosts\n",
              run->options->database, run->manifest.platform, name);
  int other = find_other(run, &contents, &rows);
  if (other >= 0) {
    const tutti_environment own = tutti_manifest_environment(&run->manifest);
    char *differences = tutti_environment_differences(&contents.environments[other], &own);
    if (*differences)
      tutti_say(stderr, "tutti: note: %s has %zu measurement%s on %s under other settings (environment %lld): %s\n",
                run->options->database, rows, tutti_plural(rows), own.platform, (long long)contents.ids[other],
                differences);
    free(differences);
  }
  tutti_store_contents_free(&contents);
}

void tutti_run_warn_of_tuning(const struct run *run)
{
  const tutti_environment own = tutti_manifest_environment(&run->manifest);
  tutti_library_version version;
  size_t natives = 0;
  for (size_t i = 0; i < run->plan.point_count; i++)
    natives += run->plan.points[i].method.algorithm && tutti_method_is_native(&run->plan.points[i].method);
  if (natives > 0 && own.settings &&
      tutti_library_version_of_run(own.flavor, own.library, &version, NULL) == TUTTI_OK &&
      !tutti_untuned_under(version.library, own.settings))
    tutti_say(
        stderr,
        "tutti: warning: %s runs under a tuning file, or is told an algorithm (tutti doctor shows which): native is "
        "not what it does untuned\n",
        own.library);
}
