/* What the values of common options and arguments stand for: measuring programs, launchers, platforms. */
#include "cli/options/common.h"

#include <math.h>
#include <unistd.h>

#include "base/machine.h"
#include "base/process.h"
#include "base/words.h"
#include "cli/output/output.h"
#include "harness/experiments/settings/settings.h"

void note_default(const char *option, const char *value)
{
  tutti_say(stderr, "tutti: note: --%s is not given: %s\n", option, value);
}

void warn_of_missing_file(const char *library)
{
  tutti_error error;
  if (tutti_settings_check_files(library, &error) != TUTTI_OK)
    tutti_say(stderr, "tutti: warning: %s\n", error.message);
  char *ignored = tutti_settings_ignored_file(library, NULL, NULL);
  if (ignored)
    tutti_say(stderr, "tutti: warning: %s\n", ignored);
  free(ignored);
}

/* ---- measuring programs ---- */

int program_jobs(const struct program_options *options)
{
  int cores = tutti_machine_cores();
  return options->jobs > 0 ? options->jobs : cores > 0 ? cores : 1;
}

double program_most_messages(const struct program_options *options, const char *flavor)
{
  return options->most_given ? (double)options->most_messages : tutti_most_messages(flavor);
}

tutti_status program_run(const struct program_options *options, const tutti_experiment *experiment,
                         tutti_run_options run, tutti_run_summary *summary, tutti_error *error)
{
  struct progress_display display = progress_display_open(options->quiet);
  char *program = program_find(options, experiment->flavor, tutti_experiment_program(experiment));
  run.database = run.database ? run.database : options->database;
  run.program = program;
  run.jobs = run.launch.slurm ? options->jobs : program_jobs(options);
  run.job_timeout = options->job_timeout;
  run.report = progress_display_show;
  run.context = &display;
  tutti_status status = tutti_experiment_run(experiment, &run, summary, error);
  free(program);
  progress_display_close(&display);
  return status;
}

void program_measure(const struct program_options *options, const tutti_experiment *experiment, tutti_run_options run,
                     tutti_run_summary *summary)
{
  tutti_status status = program_run(options, experiment, run, summary, &failure);
  failure_signal = summary->signal;
  must(status);
}

static void read_job_timeout(void *member, const char *text)
{
  double *seconds = member;
  if (strcmp(text, "none") == 0)
    *seconds = INFINITY;
  else if (!tutti_duration_parse(text, seconds) || !(*seconds > 0))
    die("'%s' is no time such as 90s, 30min or 2h, nor 'none'", text);
}

const struct option_row program_table[] = {
    OPTION_PROGRAM(struct program_options, program), OPTION_BUILD_DIR(struct program_options, build_dir),
    OPTION_PARSE("job-timeout", "TIME", struct program_options, job_timeout, read_job_timeout,
                 "end a job that has printed no record for so long, such as 90s, 30min, 2h, and report it as failed; "
                 "'none': never",
                 .otherwise = "1h, more for a point that should take longer than 3 minutes"),
    OPTION_END};

const struct option_row measuring_table[] = {OPTION_TABLE_ALL(program_table),
                                             OPTION_DB(struct program_options, database),
                                             OPTION_QUIET(struct program_options, quiet), OPTION_END};

void option_engine(void *member, const char *text)
{
  static const char *const engines[] = {"smpi", TUTTI_FLAVOR_FAST, TUTTI_FLAVOR_FLOW};
  enum { ENGINES = sizeof engines / sizeof *engines };
  char meant[2 * TUTTI_GUESS_LENGTH];
  if (!tutti_flavor_is_simulated(text))
    die("'%.40s'%s is none of smpi, " TUTTI_FLAVOR_FAST ", " TUTTI_FLAVOR_FLOW, text,
        tutti_word_meant(engines, ENGINES, text, meant));
  *(const char **)member = text;
}

void option_reproducible(void *member, const char *text)
{
  must(tutti_reproducible_parse(text, member, &failure));
}

void option_flavor(void *member, const char *text)
{
  static const char *const flavors[] = {"smpi", TUTTI_FLAVOR_FAST, TUTTI_FLAVOR_FLOW, "mpich", "openmpi", "other"};
  enum { FLAVORS = sizeof flavors / sizeof *flavors };
  char meant[2 * TUTTI_GUESS_LENGTH], plain[TUTTI_LIBRARY_WORD];
  const int found = tutti_word_find(flavors, FLAVORS, tutti_library_plain(text, plain));
  if (found < 0)
    die("'%.40s'%s is none of smpi, " TUTTI_FLAVOR_FAST ", " TUTTI_FLAVOR_FLOW ", mpich, openmpi, other", text,
        tutti_word_meant(flavors, FLAVORS, plain, meant));
  *(const char **)member = flavors[found];
}

/* Of other texts, as "Open MPI v4.1", nothing is known. */
void option_library(void *member, const char *text)
{
  static char plain[TUTTI_LIBRARY_WORD];
  tutti_library_plain(text, plain);
  *(const char **)member = strcasecmp(text, plain) == 0 || strncmp(text, plain, sizeof plain - 1) == 0 ? text : plain;
}

/* DIRECTORY/FLAVOR/NAME, without the FLAVOR if it is NULL; NAME without a directory, which is freed. Owned. */
static char *program_in(char *directory, const char *flavor, const char *name)
{
  char *path = directory ? tutti_xprintf("%s/%s%s%s", directory, flavor ? flavor : "", flavor ? "/" : "", name)
                         : tutti_xstrdup(name);
  free(directory);
  return path;
}

char *program_find(const struct program_options *options, const char *flavor, const char *name)
{
  if (flavor && tutti_flavor_is_engine(flavor))
    flavor = TUTTI_FLAVOR_FAST; /* one program */
  if (options && options->program)
    return tutti_xstrdup(options->program);
  if (options && options->build_dir)
    return program_in(tutti_xstrdup(options->build_dir), flavor, name);
  char *built = program_in(tutti_self_directory(), flavor, name);
  if (access(built, R_OK) == 0)
    return built;
  char *installed = program_in(tutti_self_path("../libexec/tutti"), flavor, name);
  bool is_installed = access(installed, R_OK) == 0;
  free(is_installed ? built : installed);
  return is_installed ? installed : built;
}

/* ---- where jobs run ---- */

/* "slurm", "slurm:srun", "mpirun". */
static void read_launcher(void *values, const char *text)
{
  tutti_launch_options *options = values;
  options->slurm = strcmp(text, "slurm") == 0 || strncmp(text, "slurm:", 6) == 0;
  options->command = options->slurm ? (text[5] ? text + 6 : NULL) : text;
}

/* What Slurm does not hand on the ranks do not have, though it is stored with what they measure. */
static void check_export(const char *option, const char *words)
{
  char *value = words ? tutti_slurm_option(words, NULL, "--export") : NULL;
  bool whole = !value || strcmp(value, "ALL") == 0 || strncmp(value, "ALL,", 4) == 0;
  if (!whole)
    die("%s: with --export=%.80s the ranks would not have the settings that are stored with their times: it can be ALL "
        "or ALL,NAME=VALUE",
        option, value);
  free(value);
}

static void check_launch(void *values)
{
  const tutti_launch_options *options = values;
  check_export("--slurm-args", options->slurm_options);
  check_export("--launcher-args", options->arguments);
  if (!options->slurm && (options->submit_only || options->slurm_options))
    die("--submit-only and --slurm-args are for --launcher slurm");
  if (options->hostfile && options->ranks_per_node)
    die("--ranks-per-node cannot be combined with --hostfile, which has the number of ranks per node");
}

const struct option_row local_launch_table[] = {
    OPTION_PARSE_ALL("launcher", "NAME", read_launcher,
                     "what starts ranks on a real machine: mpirun, srun within an allocation, a path",
                     .otherwise = "mpiexec of the flavor"),
    OPTION_STRING("launcher-args", "WORDS", tutti_launch_options, arguments,
                  "more arguments for what starts ranks on a real machine"),
    OPTION_STRING("hostfile", "FILE", tutti_launch_options, hostfile,
                  "hosts of a real machine, a line 'NAME:RANKS' or 'NAME slots=RANKS' each; all have as many ranks"),
    OPTION_NUMBER("ranks-per-node", "N", tutti_launch_options, ranks_per_node,
                  "ranks on a node of a real machine without a hostfile, as asked of Slurm; a launch that places them "
                  "otherwise fails",
                  .min = 1, .max = 1 << 20, .otherwise = "1 under Slurm, else as the launcher places them"),
    OPTION_OVERSUBSCRIBE(tutti_launch_options, oversubscribe),
    OPTION_STRING("work-dir", "DIR", tutti_launch_options, work_directory,
                  "make the work directory in DIR, which all nodes see", .otherwise = "beside the store"),
    OPTION_CHECK(check_launch),
    OPTION_END};

const struct option_row launch_table[] = {
    OPTION_PARSE_ALL("launcher", "NAME", read_launcher,
                     "'slurm': as an array of jobs in the queue of Slurm; or what starts ranks on a real machine: "
                     "mpirun, srun, a path; 'slurm:NAME': that within the jobs",
                     .otherwise = "mpiexec of the flavor"),
    OPTION_TABLE_ALL(local_launch_table),
    OPTION_STRING("slurm-args", "WORDS", tutti_launch_options, slurm_options,
                  "more options for sbatch, such as '-p short -t 30'"),
    OPTION_FLAG("submit-only", tutti_launch_options, submit_only,
                "do not wait for the queue: the same command later takes in what has arrived and submits what is "
                "missing"),
    OPTION_END};

/* ---- experiments ---- */

const struct option_row sweep_table[] = {
    OPTION_STRING("methods", "LIST", tutti_experiment_words, methods,
                  "these methods, separated by commas: binomial, chain/8KB/k=2, bcast/native",
                  .otherwise = "all algorithms"),
    OPTION_STRING("segments", "LIST", tutti_experiment_words, segments,
                  "all algorithms with each of these segments, such as none,8KB,64KB"),
    OPTION_STRING("scheme", "occ|window", tutti_experiment_words, scheme, "how a call is timed",
                  .otherwise = "occ; of engines above 32,768 ranks window"),
    OPTION_END};

static void read_file(const char *name, tutti_experiment *experiment)
{
  char *path;
  must(tutti_experiment_find(name, &path, &failure));
  must(tutti_experiment_read(path, experiment, &failure));
  free(path);
}

void experiment_argument_read(const char *name, const tutti_experiment_words *words, tutti_experiment *experiment)
{
  if (words->collectives)
    must(tutti_experiment_of_words(words, experiment, &failure));
  else
    read_file(name, experiment);
  must(tutti_experiment_choose_engine(experiment, words->engine, words->orders, &failure));
}

/* ---- collectives ---- */

tutti_status collectives_parse(const char *text, unsigned *collectives, tutti_error *error)
{
  unsigned read = strcmp(text, "all") == 0 ? (1u << TUTTI_COLL_COUNT) - 1 : 0;
  if (read) {
    *collectives |= read;
    return TUTTI_OK;
  }
  for (const char *end = text; *end; text = end + 1) {
    tutti_collective collective;
    end = text + strcspn(text, ",");
    char *name = tutti_xstrndup(text, (size_t)(end - text));
    tutti_status status = tutti_collective_parse(name, &collective, error);
    free(name);
    if (status != TUTTI_OK)
      return status;
    read |= 1u << collective;
  }
  *collectives |= read;
  return TUTTI_OK;
}

void option_collectives(void *member, const char *text)
{
  must(collectives_parse(text, member, &failure));
}

void option_target(void *member, const char *text)
{
  must(tutti_target_find(text, member, &failure));
}

/* ---- platforms ---- */

char *platform_of_host(void)
{
  char host[TUTTI_MACHINE_WORD];
  tutti_machine_host(host);
  return *host && *host != '.' ? tutti_xstrndup(host, strcspn(host, ".")) : tutti_xstrdup("here");
}

tutti_status platform_load(const char *name, tutti_platform *platform, tutti_error *error)
{
  char *path;
  tutti_status status = tutti_platform_find(name, &path, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_platform_read(path, platform, error);
  free(path);
  return status;
}

void platform_spread(tutti_platform *platform, int ranks_per_node)
{
  if (ranks_per_node > platform->ranks_per_node)
    die("--ranks-per-node: %s has %d rank%s a node; more are another machine: --set ranks_per_node=%d", platform->name,
        platform->ranks_per_node, tutti_plural((uint64_t)platform->ranks_per_node), ranks_per_node);
  if (ranks_per_node > 0)
    platform->ranks_per_node = ranks_per_node;
}
