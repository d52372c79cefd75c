/* Which points the store has. */
#include "base/numbers.h"
#include "cli/compare/compare.h"
#include "harness/experiments/launch/launcher.h"
#include "harness/experiments/settings/settings.h"

/* Under which the launches of the comparison would be stored; NULL: nothing can be launched here. */
static char *launch_settings(const struct compare_options *options, const tutti_experiment *experiment)
{
  const char *name = tutti_experiment_program(experiment);
  char *program = program_find(&options->launch, experiment->flavor, name), *settings = NULL;
  struct launcher launcher;
  tutti_error error;
  tutti_status status = tutti_launcher_open(experiment->flavor, name, program, NULL, &launcher, &error);
  if (status == TUTTI_OK)
    status = tutti_launcher_choose(&launcher, options->place.command, options->place.arguments, &error);
  if (status == TUTTI_OK)
    settings = tutti_settings_collect(experiment->flavor, launcher.command, launcher.extra, &options->place);
  tutti_launcher_close(&launcher);
  free(program);
  return settings;
}

static bool read_one(tutti_store *store, const tutti_selection *selection, int64_t *environment,
                     tutti_measurement **measurements, size_t *count)
{
  return tutti_store_measured_in(store, selection, environment, NULL) == TUTTI_OK &&
         tutti_store_read(store, selection, measurements, count, NULL) == TUTTI_OK;
}

/* Read, from several sets of measurements, that of the launches' settings, or else that of this host, if unique. */
static bool read_own(const struct compare_options *options, const tutti_experiment *experiment, tutti_store *store,
                     tutti_selection selection, tutti_measurement **measurements, size_t *count)
{
  char *settings = launch_settings(options, experiment), digest[TUTTI_DIGEST_LENGTH];
  int64_t environment = 0;
  selection.settings = settings;
  bool found = settings && read_one(store, &selection, &environment, measurements, count);
  if (settings && !found && !options->place.hostfile) {
    selection.hosts = tutti_settings_hosts(NULL, 0, digest);
    found = read_one(store, &selection, &environment, measurements, count);
  }
  if (found && experiment->sweep_count == 0)
    tutti_say(stderr, "tutti: --environment %lld, the only one in %s under the settings of these launches%s\n",
              (long long)environment, options->launch.database, selection.hosts ? " on this host" : "");
  free(settings);
  return found;
}

static void list_axes(const tutti_measurement *measurements, size_t count, struct compare_axes *axes)
{
  axes->ranks = tutti_xcalloc(count + 1, sizeof *axes->ranks);
  axes->sizes = tutti_xcalloc(count + 1, sizeof *axes->sizes);
  for (size_t i = 0; i < count; i++) {
    axes->ranks[i] = (uint64_t)measurements[i].ranks;
    axes->sizes[i] = measurements[i].rank_bytes;
  }
  axes->ranks_count = (int)tutti_numbers_unique(axes->ranks, count);
  axes->size_count = (int)tutti_numbers_unique(axes->sizes, count);
}

void compare_read_store(const struct compare_options *options, const tutti_experiment *experiment,
                        tutti_collective collective, struct compare_axes *axes)
{
  tutti_selection selection = options->among;
  selection.platform = experiment->platform_name;
  selection.platform_hash = "";
  selection.flavor = experiment->flavor;
  selection.collective = collective;
  selection.scheme = (int)options->measure.scheme;
  tutti_measurement *measurements = NULL;
  tutti_store *store;
  size_t count = 0;
  if (tutti_store_open_existing(options->launch.database, &store, NULL) != TUTTI_OK)
    return;
  tutti_status status = tutti_store_read(store, &selection, &measurements, &count, &failure);
  if (status == TUTTI_ERR_ARGUMENT && read_own(options, experiment, store, selection, &measurements, &count))
    status = TUTTI_OK;
  tutti_store_close(store);
  must(status);
  list_axes(measurements, count, axes);
  free(measurements);
}
