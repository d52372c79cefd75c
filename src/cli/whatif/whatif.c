/* tutti whatif: one experiment on a machine and on the same machine changed, side by side. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/say.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/output/output.h"
#include "cli/whatif/whatif.h"

static tutti_status check(void *values, tutti_error *error)
{
  const struct whatif_options *chosen = values;
  if (chosen->edits.count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no change given: use --set EDIT");
  if (chosen->experiment && chosen->trace)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--trace: an experiment is named already: %s", chosen->experiment);
  if (!chosen->trace && (chosen->replay.decisions.count > 0 || chosen->replay.untuned || chosen->replay.rounds_apart))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--decision, --untuned and --rounds-apart go with a --trace");
  if (!chosen->experiment && !chosen->trace && !chosen->output)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "name an experiment or a --trace, or use --output FILE to write the changed platform only");
  return TUTTI_OK;
}

static const struct option_row options[] = {
    OPTION_HEADING("The change:"),
    OPTION_STRINGS("set", "EDIT", struct whatif_options, edits,
                   "change the platform; may be given several times, one edit after the other"),
    OPTION_STRING("output", "FILE", struct whatif_options, output, "write the changed platform to FILE, and keep it",
                  .letter = 'o'),
    OPTION_HEADING("The experiment:"),
    OPTION_NUMBERS("ranks", struct whatif_options, ranks, tutti_experiment_parse_rank_count,
                   "numbers of ranks instead of those of the experiment: 2..28, 16..1024*2", .letter = 'P'),
    OPTION_NUMBERS("size", struct whatif_options, sizes, tutti_size_parse,
                   "message sizes instead of those of its sweeps: 1..64KB*4; 8..1MB*4 ends with 512KB, its last step",
                   .letter = 's'),
    OPTION_ENGINE(struct whatif_options, engine, ENGINE_OF_EXPERIMENT),
    OPTION_ORDERS(struct whatif_options, orders),
    OPTION_JOBS(struct whatif_options, launch.jobs),
    OPTION_DB(struct whatif_options, launch.database),
    OPTION_PROGRAM(struct whatif_options, launch.program),
    OPTION_BUILD_DIR(struct whatif_options, launch.build_dir),
    OPTION_JOB_TIMEOUT(struct whatif_options, launch.job_timeout),
    OPTION_UNVERIFIED(struct whatif_options, unverified),
    OPTION_NUMBER("chunk", "N", struct whatif_options, chunk, "give a job at most N points", .min = 1,
                  .max = 1000000000, .otherwise = "250"),
    OPTION_HEADING("A sweep of collectives, instead of a file:"),
    OPTION_TABLE(struct whatif_options, words, sweep_table),
    OPTION_HEADING("A program, instead of an experiment:"),
    OPTION_STRING("trace", "FILE", struct whatif_options, trace,
                  "replay the program that wrote FILE under the interposer (TUTTI_TRACE=FILE)"),
    OPTION_TABLE(struct whatif_options, replay, replay_table),
    OPTION_HEADING("Output:"),
    OPTION_FLAG("all", struct whatif_options, all, "the times of all methods, not of the best ones only"),
    OPTION_FORMAT(struct whatif_options, format),
    OPTION_QUIET(struct whatif_options, launch.quiet),
    ARGUMENT_STRING("PLATFORM", struct whatif_options, platform),
    ARGUMENT_STRING("EXPERIMENT.xml", struct whatif_options, experiment, .optional = true),
    OPTION_CHECK(check),
    OPTION_END};

/* ---- the changed platform ---- */

/* Where the changed platform is written: --output, or DATABASE.work, where the runs put their files, too; they leave it
   behind as long as something is in it. */
static tutti_status choose_path(struct whatif *whatif, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  if (whatif->options->output) {
    whatif->paths[1] = tutti_xstrdup(whatif->options->output);
    return TUTTI_OK;
  }
  char *directory = tutti_xprintf("%s.work", whatif->options->launch.database);
  if (mkdir(directory, 0777) == 0 || errno == EEXIST)
    whatif->paths[1] = tutti_xprintf("%s/%s.xml", directory, whatif->edited.name);
  else
    status = tutti_fail(error, TUTTI_ERR_IO, "%s: cannot make the work directory: %s", directory, strerror(errno));
  free(directory);
  return status;
}

static bool is_same_file(const char *left, const char *right)
{
  struct stat a, b;
  return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static tutti_status write_platform(const struct whatif *whatif, tutti_error *error)
{
  struct tutti_output output;
  const tutti_edited_platform *edited = &whatif->edited;
  if (is_same_file(whatif->paths[0], whatif->paths[1]))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--output: %s is the platform itself, which stays as it is",
                      whatif->paths[1]);
  tutti_status status = tutti_output_begin(whatif->paths[1], &output, error);
  if (status != TUTTI_OK)
    return status;
  if (fwrite(edited->bytes, 1, edited->length, output.stream) != edited->length)
    status = tutti_fail(error, TUTTI_ERR_IO, "%s: %s", whatif->paths[1], strerror(errno));
  return tutti_output_end(&output, status, error);
}

/* Read the names of both platforms, and how many ranks both have room for. */
static tutti_status read_platforms(struct whatif *whatif, tutti_error *error)
{
  whatif->room = INT_MAX;
  for (int side = 0; side < 2; side++) {
    tutti_platform platform;
    tutti_status status = tutti_platform_read(whatif->paths[side], &platform, error);
    if (status != TUTTI_OK)
      return status;
    long room = (long)platform.host_count * platform.ranks_per_node;
    memcpy(whatif->names[side], platform.name, sizeof whatif->names[side]);
    whatif->places[side] = tutti_platform_places(&platform);
    whatif->room = room < whatif->room ? (int)room : whatif->room;
    tutti_platform_free(&platform);
  }
  return TUTTI_OK;
}

static tutti_status edit(struct whatif *whatif, tutti_error *error)
{
  const struct whatif_options *options = whatif->options;
  tutti_status status = tutti_platform_find(options->platform, &whatif->paths[0], error);
  if (status == TUTTI_OK)
    status =
        tutti_platform_edit(whatif->paths[0], options->edits.items, (int)options->edits.count, &whatif->edited, error);
  if (status == TUTTI_OK)
    status = choose_path(whatif, error);
  if (status == TUTTI_OK)
    status = write_platform(whatif, error);
  return status == TUTTI_OK ? read_platforms(whatif, error) : status;
}

/* ---- the runs ---- */

/* The sweep of collectives that the options say, as for tutti bench. */
static tutti_status make_experiments(struct whatif *whatif, unsigned collectives, tutti_error *error)
{
  const struct whatif_options *options = whatif->options;
  tutti_status status = TUTTI_OK;
  for (int side = 0; side < 2 && status == TUTTI_OK; side++) {
    tutti_experiment_words words = options->words;
    words.collectives = collectives;
    words.platform = whatif->paths[side];
    words.engine = options->engine;
    words.orders = options->orders;
    words.ranks_count = options->ranks.count;
    words.ranks = options->ranks.items;
    words.size_count = options->sizes.count;
    words.sizes = options->sizes.items;
    status = experiment_argument_read(options->experiment, &words, &whatif->experiments[side], error);
  }
  return status;
}

static tutti_status read_experiments(struct whatif *whatif, tutti_error *error)
{
  const struct whatif_options *options = whatif->options;
  unsigned collectives = 0;
  char *path;
  if (option_collectives(&collectives, options->experiment, NULL) == TUTTI_OK)
    return make_experiments(whatif, collectives, error);
  if (options->words.methods || options->words.segments || options->words.scheme)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "--methods, --segments and --scheme go with collectives (bcast,allreduce), not with a file");
  tutti_status status = tutti_experiment_find(options->experiment, &path, error);
  if (status != TUTTI_OK)
    return status;
  for (int side = 0; side < 2 && status == TUTTI_OK; side++) {
    tutti_experiment_setting setting = {.platform = whatif->paths[side],
                                        .ranks_count = options->ranks.count,
                                        .ranks = options->ranks.items,
                                        .size_count = options->sizes.count,
                                        .sizes = options->sizes.items,
                                        .room = whatif->room};
    status = tutti_experiment_read_on(path, &setting, &whatif->experiments[side], error);
    whatif->left_out = setting.left_out;
    if (status == TUTTI_OK)
      status = tutti_experiment_choose_engine(&whatif->experiments[side], options->engine, options->orders, error);
  }
  free(path);
  if (status == TUTTI_OK && !tutti_experiment_measures(&whatif->experiments[0]))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s measures nothing, it has steps and claims only",
                      options->experiment);
  if (status == TUTTI_OK && options->sizes.count > 0 && whatif->experiments[0].sweep_count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--size: %s has no <sweep> that takes sizes", options->experiment);
  return status;
}

static tutti_status run_side(struct whatif *whatif, int side, tutti_error *error)
{
  const struct whatif_options *options = whatif->options;
  const tutti_run_options run = {.chunk_points = options->chunk, .unproven = options->unverified};
  tutti_status status = program_run(&options->launch, &whatif->experiments[side], run, &whatif->summaries[side], error);
  const tutti_run_summary *summary = &whatif->summaries[side];
  if (!options->launch.quiet && (status == TUTTI_OK || summary->measured + summary->recovered > 0))
    tutti_say(stderr, "tutti: %s: %zu point%s measured, %zu there already, %.1f s\n", whatif->names[side],
              summary->measured, tutti_plural(summary->measured), summary->present + summary->recovered,
              summary->seconds);
  return status;
}

static tutti_status measure(struct whatif *whatif, int *signal, tutti_error *error)
{
  tutti_status status = read_experiments(whatif, error);
  if (status != TUTTI_OK)
    return status;
  for (int side = 0; side < 2 && status == TUTTI_OK; side++) {
    status = run_side(whatif, side, error);
    *signal = whatif->summaries[side].signal;
  }
  if (status != TUTTI_OK)
    return status;
  const tutti_finished_run runs[2] = {{&whatif->experiments[0], &whatif->summaries[0]},
                                      {&whatif->experiments[1], &whatif->summaries[1]}};
  return tutti_run_comparison_read(whatif->options->launch.database, runs, false, &whatif->comparison, error);
}

static void remove_platform(const char *path)
{
  char *directory = tutti_xstrdup(path), *slash = strrchr(directory, '/');
  unlink(path);
  if (slash) {
    *slash = '\0';
    rmdir(directory); /* stays if a killed run left something in it */
  }
  free(directory);
}

static void finish(struct whatif *whatif)
{
  if (whatif->paths[1] && !whatif->options->output)
    remove_platform(whatif->paths[1]);
  for (int side = 0; side < 2; side++) {
    tutti_experiment_free(&whatif->experiments[side]);
    free(whatif->paths[side]);
  }
  tutti_edited_platform_free(&whatif->edited);
  tutti_run_comparison_free(&whatif->comparison);
  tutti_table_free(&whatif->replayed);
  notes_free(&whatif->notes);
}

/* ---- the command ---- */

static int run(void *values)
{
  const struct whatif_options *chosen = values;
  struct whatif whatif = {.options = chosen};
  tutti_error error = {0};
  int signal = 0;
  tutti_status status = edit(&whatif, &error);
  if (status == TUTTI_OK && chosen->experiment)
    status = measure(&whatif, &signal, &error);
  if (status == TUTTI_OK && chosen->trace)
    status = whatif_replay(&whatif, &error);
  if (status == TUTTI_OK)
    status = whatif_print(&whatif, &error);
  int code = status == TUTTI_OK ? EXIT_DONE : complain(&error);
  finish(&whatif);
  return code != EXIT_DONE && signal ? 128 + signal : code;
}

extern const char tutti_help_whatif[];

const struct command command_whatif = {
    .name = "whatif",
    .text = tutti_help_whatif,
    .options = options,
    .size = sizeof(struct whatif_options),
    .run = run,
};
