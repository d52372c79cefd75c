/* The prerequisites of a run before its first job: platform, launcher, store, work directory, environment, plan. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/say.h"
#include "harness/experiments/jobs/job.h"
#include "harness/experiments/plan/plan.h"
#include "harness/experiments/plan/run_present.h"

static bool is_simulated(const struct run *run)
{
  return run->experiment->platform_path != NULL;
}

static int larger_of(int max, const int *ranks, int count)
{
  for (int i = 0; i < count; i++)
    max = ranks[i] > max ? ranks[i] : max;
  return max;
}

static int largest_result(int max, const tutti_result_sweep *sweep)
{
  for (size_t p = 0; p < sweep->point_count; p++) {
    const tutti_result *point = &sweep->points[p];
    max = larger_of(max, &(int){tutti_result_ranks(point, 0)}, 1);
  }
  return max;
}

static int max_ranks(const tutti_experiment *experiment)
{
  int max = 1;
  for (int i = 0; i < experiment->sweep_count; i++)
    max = larger_of(max, experiment->sweeps[i].ranks, experiment->sweeps[i].ranks_count);
  for (int i = 0; i < experiment->group_count; i++)
    max = larger_of(max, experiment->groups[i].ranks, experiment->groups[i].ranks_count);
  for (int i = 0; i < experiment->result_count; i++)
    max = largest_result(max, &experiment->results[i]);
  return max;
}

/* Check the number of hosts now, not after the first hours. */
static tutti_status check_hosts(const struct run *run)
{
  FILE *nowhere = fopen("/dev/null", "w");
  if (!nowhere)
    return tutti_fail(run->error, TUTTI_ERR_IO, "cannot open /dev/null");
  tutti_error reason = {0};
  tutti_status status = tutti_platform_write_hostfile(&run->platform, max_ranks(run->experiment), nowhere, &reason);
  fclose(nowhere);
  return status == TUTTI_OK ? TUTTI_OK
                            : tutti_fail(run->error, status, "%s: %.400s", run->experiment->path, reason.message);
}

static tutti_status open_platform(struct run *run)
{
  if (!is_simulated(run))
    return TUTTI_OK;
  tutti_status status = tutti_platform_read(run->experiment->platform_path, &run->platform, run->error);
  if (status == TUTTI_OK)
    status = check_hosts(run);
  return status == TUTTI_OK ? tutti_platform_accept(&run->platform, max_ranks(run->experiment), stderr, run->error)
                            : status;
}

static tutti_status copy_word(const struct run *run, char *target, const char *word)
{
  if (strlen(word) < WORK_FIELD_LENGTH && !strpbrk(word, "\n\r")) {
    strcpy(target, word);
    return TUTTI_OK;
  }
  return tutti_fail(run->error, TUTTI_ERR_ARGUMENT,
                    "%s: the name of the platform is longer than %d characters or has a line break",
                    run->experiment->path, WORK_FIELD_LENGTH - 1);
}

/* As requested; 0: not given. */
static int ranks_per_node(const struct run *run)
{
  if (is_simulated(run))
    return run->platform.ranks_per_node;
  if (run->hosts.count > 0)
    return run->hosts.slots;
  return run->options->launch.ranks_per_node > 0 ? run->options->launch.ranks_per_node : run->options->launch.slurm;
}

/* Those of a file, else those that Slurm has for the launches, else this one. */
static tutti_status name_hosts(struct run *run)
{
  const tutti_launch_options *launch = &run->options->launch;
  const char *command = launch->slurm ? "sbatch" : run->launcher.kind == LAUNCHER_SRUN ? "srun" : "mpiexec";
  struct hosts slurm = {0};
  tutti_status status = TUTTI_OK;
  if (run->hosts.count == 0)
    status = tutti_slurm_hosts(command, launch->slurm ? launch->slurm_options : launch->arguments, &slurm, run->error);
  const struct hosts *hosts = run->hosts.count > 0 ? &run->hosts : &slurm;
  if (status == TUTTI_OK)
    tutti_settings_hosts(hosts->items, hosts->count, run->manifest.hosts);
  tutti_hosts_free(&slurm);
  return status;
}

/* Record the settings of a real machine, and their origin. */
static tutti_status describe_machine(struct run *run)
{
  const tutti_launch_options *launch = &run->options->launch;
  char *settings = tutti_settings_collect(run->launcher.flavor, run->launcher.command, run->launcher.extra, launch);
  snprintf(run->manifest.settings, sizeof run->manifest.settings, "%s", settings);
  free(settings);
  return name_hosts(run);
}

static tutti_status fill_manifest(struct run *run)
{
  struct job_manifest *manifest = &run->manifest;
  manifest->scheme = run->experiment->measure.scheme;
  manifest->ranks = 1;
  manifest->ranks_per_node = ranks_per_node(run);
  snprintf(manifest->tutti, sizeof manifest->tutti, "%s", TUTTI_VERSION);
  snprintf(manifest->flavor, sizeof manifest->flavor, "%s", run->launcher.flavor);
  snprintf(manifest->library, sizeof manifest->library, "%s", run->launcher.library);
  tutti_status status = is_simulated(run) ? TUTTI_OK : describe_machine(run);
  if (status != TUTTI_OK)
    return status;
  memcpy(manifest->platform_hash, is_simulated(run) ? run->platform.hash : "",
         is_simulated(run) ? TUTTI_HASH_LENGTH : 1);
  return copy_word(run, manifest->platform, is_simulated(run) ? run->platform.name : run->experiment->platform_name);
}

static tutti_status read_hosts(struct run *run)
{
  const char *path = run->options->launch.hostfile;
  if (!path)
    return TUTTI_OK;
  if (run->launcher.kind == LAUNCHER_SRUN || run->options->launch.slurm)
    return tutti_fail(run->error, TUTTI_ERR_ARGUMENT, "%s: under Slurm it is Slurm that knows the hosts", path);
  tutti_status status = tutti_hosts_read(path, &run->hosts, run->error);
  int max = max_ranks(run->experiment), slots = (int)run->hosts.count * run->hosts.slots;
  if (status == TUTTI_OK && slots < max)
    return tutti_fail(run->error, TUTTI_ERR_ARGUMENT, "%s: %d ranks on %d hosts are too few for the %d ranks of %s",
                      path, run->hosts.slots, (int)run->hosts.count, max, run->experiment->path);
  run->launcher.hosts = status == TUTTI_OK;
  return status;
}

/* More ranks than cores are refused, or reported at the end. */
static tutti_status check_ranks(const struct run *run)
{
  int ranks = max_ranks(run->experiment), cores = tutti_launcher_cores(&run->launcher);
  if (cores > 0 && ranks > cores) {
    run->summary->ranks = ranks;
    run->summary->cores = cores;
  }
  return tutti_launcher_check_ranks(&run->launcher, ranks, run->experiment->path, run->error);
}

/* Options for a real machine only. */
static tutti_status choose_launch(struct run *run)
{
  const tutti_launch_options *launch = &run->options->launch;
  if (launch->submit_only && !launch->slurm)
    return tutti_fail(run->error, TUTTI_ERR_ARGUMENT, "only what is queued by Slurm can be left alone");
  if (is_simulated(run) &&
      (launch->command || launch->arguments || launch->hostfile || launch->ranks_per_node || launch->oversubscribe))
    return tutti_fail(run->error, TUTTI_ERR_ARGUMENT,
                      "%s: is simulated, %s: another launcher, its arguments, hosts, ranks per node and "
                      "--oversubscribe are for real machines (--flavor openmpi or mpich)%s",
                      run->experiment->path,
                      tutti_flavor_is_engine(run->experiment->flavor) ? "by an engine of Tutti, which starts no ranks"
                                                                      : "under smpirun",
                      launch->ranks_per_node ? "; the ranks of a node are those of the platform (tutti platform)" : "");
  if (is_simulated(run))
    return TUTTI_OK;
  tutti_status status = tutti_launcher_choose(&run->launcher, launch->command, launch->arguments, run->error);
  if (status == TUTTI_OK)
    status = read_hosts(run);
  run->launcher.placed = launch->slurm || launch->hostfile;
  run->launcher.oversubscribe = launch->oversubscribe;
  return status == TUTTI_OK ? check_ranks(run) : status;
}

/* Before the store is opened: a run that cannot start creates no file. */
static tutti_status open_tools(struct run *run)
{
  const tutti_experiment *experiment = run->experiment;
  const tutti_installation *installation = run->options->launch.installation;
  tutti_status status = open_platform(run);
  if (status == TUTTI_OK && installation)
    status = tutti_launcher_open_installed(installation, tutti_experiment_program(experiment), run->options->program,
                                           &run->launcher, run->error);
  else if (status == TUTTI_OK)
    status = tutti_launcher_open(experiment->flavor, tutti_experiment_program(experiment), run->options->program,
                                 &run->platform, &run->launcher, run->error);
  if (status == TUTTI_OK)
    status = choose_launch(run);
  return status == TUTTI_OK ? fill_manifest(run) : status;
}

static tutti_status open_store(struct run *run)
{
  run->made = access(run->options->database, F_OK) != 0;
  tutti_status status = tutti_store_open(run->options->database, &run->store, run->error);
  if (status == TUTTI_OK)
    status = tutti_work_open(run->options->database, run->options->launch.work_directory, &run->work, run->error);
  if (status == TUTTI_OK)
    status = tutti_slurm_review(&run->work, &run->slurm, run->error);
  if (status == TUTTI_OK)
    status = tutti_work_recover(&run->work, run->store, &run->summary->recovered, run->error);
  return status == TUTTI_OK ? tutti_launcher_link(&run->launcher, &run->work, run->error) : status;
}

static void fill_setting(struct run *run)
{
  run->notes = !run->options->quiet;
  run->setting = (struct job_setting){.work = &run->work,
                                      .notes = &run->notes,
                                      .launcher = &run->launcher,
                                      .platform = is_simulated(run) ? &run->platform : NULL,
                                      .plan = &run->plan,
                                      .hosts = run->hosts.count > 0 ? &run->hosts : NULL,
                                      .manifest = &run->manifest,
                                      .transient = run->options->transient,
                                      .experiment = run->experiment->path,
                                      .program = tutti_experiment_program(run->experiment)};
}

/* The machine that submits differs from those that measure; each of those inspects itself. */
static void forget_machine(struct job_manifest *manifest)
{
  *manifest->build = *manifest->cpu = *manifest->binding = '\0';
  manifest->cores = 0;
  manifest->probed = 1;
}

static tutti_status open_environment(struct run *run)
{
  fill_setting(run);
  if (!*run->manifest.library) {
    double limit = run->options->job_timeout > 0 ? run->options->job_timeout : JOB_SILENCE;
    tutti_status status = tutti_job_probe(&run->setting, run->work.next++, limit, &run->manifest, run->error);
    if (status != TUTTI_OK)
      return status;
    if (run->options->launch.slurm)
      forget_machine(&run->manifest);
  }
  snprintf(run->summary->library, sizeof run->summary->library, "%.63s", run->manifest.library);
  run->summary->ranks_per_node = run->manifest.ranks_per_node;
  run->ingest = tutti_ingest_create(run->store, &run->manifest, run->error);
  run->setting.ingest = run->ingest;
  if (!run->ingest)
    return run->error->status;
  run->ingest->noise.asked = 100 * run->experiment->measure.confidence;
  return TUTTI_OK;
}

static bool is_empty(tutti_store *store)
{
  tutti_store_contents contents = {0};
  bool empty = tutti_store_contents_read(store, &contents, NULL) == TUTTI_OK && contents.entry_count == 0;
  tutti_store_contents_free(&contents);
  return empty;
}

/* Prove the plug-ins. On failure a new store is removed. */
static tutti_status prove(struct run *run)
{
  int unproven;
  tutti_status status = tutti_plan_prove(&run->plan, &unproven, run->error);
  run->abandoned = status != TUTTI_OK && run->made && is_empty(run->store);
  if (unproven > 0 && !run->options->quiet)
    tutti_say(stderr, "tutti: note: %s: %d ranks are too many to prove the algorithms of plug-ins before they run\n",
              run->experiment->path, unproven);
  return status;
}

/* Before the first job, as the others may take long, too. */
static void note_large(const struct run *run)
{
  tutti_say(
      stderr,
      "tutti: note: %s: left out, because they have more than %.3g messages: %s; --most-messages 0 simulates them "
      "all the same\n",
      run->manifest.platform, run->options->most_messages, run->plan.large_names);
}

static tutti_status make_plan(struct run *run)
{
  const struct job_manifest *manifest = &run->manifest;
  tutti_present present = {.row_count = 0};
  tutti_selection selection = {.environment = run->ingest->environment,
                               .scheme = (int)manifest->scheme,
                               .any_pattern = true,
                               .ranks_per_node = manifest->ranks_per_node};
  tutti_status status = manifest->probed
                            ? tutti_run_read_allowed(run, &selection, &present)
                            : tutti_present_read(run->store, run->experiment, &selection, &present, run->error);
  tutti_plan_options options = {.library = manifest->library,
                                .ranks_per_node = manifest->ranks_per_node,
                                .chunk_points = run->options->chunk_points,
                                .choice = run->options->choice,
                                .most_messages = run->options->most_messages,
                                .jobs = run->backend->share(run)};
  present.pending = run->slurm.pending.items;
  present.pending_count = run->slurm.pending.count;
  if (status == TUTTI_OK)
    status = tutti_plan_create(run->experiment, &options, &present, &run->plan, run->error);
  run->abandoned = status != TUTTI_OK && run->made && is_empty(run->store);
  tutti_present_free(&present);
  if (status == TUTTI_OK && !run->options->unproven)
    status = prove(run);
  if (status != TUTTI_OK)
    return status;
  run->summary->present = run->plan.present;
  run->summary->outside = run->plan.outside;
  run->summary->library_only = run->plan.library_only;
  run->summary->large = run->plan.large;
  memcpy(run->summary->large_names, run->plan.large_names, sizeof run->summary->large_names);
  const bool begins = run->plan.point_count > 0 && !run->options->choice.follows;
  if (begins && !run->options->again)
    tutti_launcher_warn(&run->launcher);
  if (begins && !is_simulated(run) && !run->options->again)
    tutti_run_note_conditions(run);
  if (begins && run->plan.large > 0 && !run->options->quiet)
    note_large(run);
  return TUTTI_OK;
}

/* Those that were adopted come first. */
static void make_jobs(struct run *run)
{
  int slots = run->backend->slots(run), adopted = run->job_count;
  struct job *grown = tutti_xrealloc(run->jobs, (size_t)(slots > 0 ? slots : 1) * sizeof *grown);
  run->jobs = grown;
  for (int i = 0; i < adopted; i++)
    grown[i].reader.manifest = &grown[i].manifest;
  for (run->job_count = adopted; run->job_count < slots; run->job_count++)
    grown[run->job_count] = (struct job){.active = false};
}

tutti_status tutti_run_prepare(struct run *run)
{
  tutti_status status = open_tools(run);
  if (status == TUTTI_OK && tutti_run_has_all(run))
    return TUTTI_OK;
  if (status == TUTTI_OK)
    status = open_store(run);
  if (status == TUTTI_OK)
    status = open_environment(run);
  if (status == TUTTI_OK && run->backend->adopt)
    status = run->backend->adopt(run);
  if (status == TUTTI_OK)
    status = make_plan(run);
  if (status == TUTTI_OK)
    make_jobs(run);
  return status;
}
