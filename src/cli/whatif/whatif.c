/* tutti whatif: one experiment on a machine and on the same machine changed, side by side. */
#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/whatif/whatif.h"

static void check_usage(void *values)
{
  const struct whatif_options *chosen = values;
  if (chosen->experiment && chosen->trace)
    die("--trace: an experiment is named already: %s", chosen->experiment);
  if (!chosen->trace && (chosen->replay.decisions.count > 0 || chosen->replay.untuned || chosen->replay.rounds_apart ||
                         chosen->replay.ranks_per_node || chosen->sensitivity))
    die("--decision, --untuned, --rounds-apart, --ranks-per-node and --sensitivity go with a --trace");
  if (chosen->trace && chosen->engine && !tutti_flavor_is_engine(chosen->engine))
    die("--trace is simulated by the engines fast and flow; tutti replay --engine smpi simulates it on one machine");
  if (!chosen->experiment && !chosen->trace && !chosen->output)
    die("name an experiment or a --trace, or use --output FILE to write the changed platform only");
}

static const struct option_row options[] = {
    OPTION_HEADING("The change:"),
    OPTION_STRINGS("set", "EDIT", struct whatif_options, edits,
                   "change the platform; may be given several times, one edit after the other", .everyday = true),
    OPTION_STRING("output", "FILE", struct whatif_options, output, "write the changed platform to FILE, and keep it",
                  .letter = 'o', .writes = WRITES_TEXT),
    OPTION_HEADING("The experiment:"),
    OPTION_NUMBERS("ranks", struct whatif_options, ranks, tutti_experiment_parse_rank_count,
                   "numbers of ranks instead of those of the experiment: 2..28, 16..1024*2", .letter = 'P'),
    OPTION_NUMBERS("size", struct whatif_options, sizes, tutti_size_parse,
                   "message sizes instead of those of its sweeps: 1..64KB*4; 8..1MB*4 ends with 512KB", .letter = 's'),
    OPTION_ENGINE(struct whatif_options, engine, ENGINE_OF_EXPERIMENT),
    OPTION_ORDERS(struct whatif_options, orders),
    OPTION_JOBS(struct whatif_options, launch.jobs),
    OPTION_DB(struct whatif_options, launch.database),
    OPTION_TABLE(struct whatif_options, launch, program_table),
    OPTION_UNVERIFIED(struct whatif_options, unverified),
    OPTION_MOST_MESSAGES(struct whatif_options, launch),
    OPTION_NUMBER("chunk", "N", struct whatif_options, chunk, "give a job at most N points", .min = 1,
                  .max = 1000000000, .otherwise = "250"),
    OPTION_HEADING("A sweep of collectives, instead of a file:"),
    OPTION_TABLE(struct whatif_options, words, sweep_table),
    OPTION_HEADING("A program, instead of an experiment:"),
    OPTION_STRING("trace", "FILE", struct whatif_options, trace,
                  "replay the program that wrote FILE under the interposer (TUTTI_TRACE=FILE)", .everyday = true),
    OPTION_TABLE(struct whatif_options, replay, replay_table),
    OPTION_FLAG("sensitivity", struct whatif_options, sensitivity,
                "how the program's time depends on latency, bandwidth, overhead and computation of both machines, and "
                "how far each can rise until it is 1, 2 and 5 % longer"),
    OPTION_HEADING("Output:"),
    OPTION_FLAG("all", struct whatif_options, all, "the times of all methods, not of the best ones only"),
    OPTION_FORMAT(struct whatif_options, format),
    OPTION_QUIET(struct whatif_options, launch.quiet),
    ARGUMENT_STRING("PLATFORM", struct whatif_options, platform),
    ARGUMENT_STRING("EXPERIMENT.xml", struct whatif_options, experiment, .optional = true),
    OPTION_REQUIRED("set", "which change? --set EDIT, such as latency=*0.5"),
    OPTION_CHECK(check_usage),
    OPTION_END};

/* ---- the changed platform ---- */

/* Where the changed platform is written: --output, or DATABASE.work, where the runs put their files, too. They remove
   that folder only when it is empty. */
static void choose_path(struct whatif *whatif)
{
  if (whatif->options->output) {
    whatif->paths[1] = tutti_xstrdup(whatif->options->output);
    return;
  }
  char *directory = tutti_xprintf("%s.work", whatif->options->launch.database);
  if (mkdir(directory, 0777) == 0 || errno == EEXIST)
    whatif->paths[1] = tutti_xprintf("%s/%s.xml", directory, whatif->edited.name);
  else
    die("%s: cannot make the work directory: %s", directory, strerror(errno));
  free(directory);
}

static void write_platform(const struct whatif *whatif)
{
  struct tutti_output output;
  const tutti_edited_platform *edited = &whatif->edited;
  if (tutti_file_is_same(whatif->paths[0], whatif->paths[1]))
    die("--output: %s is the platform itself, which stays as it is", whatif->paths[1]);
  output_begin(whatif->paths[1], &output);
  if (fwrite(edited->bytes, 1, edited->length, output.stream) != edited->length)
    must(tutti_fail(&failure, TUTTI_ERR_IO, "%s: %s", whatif->paths[1], strerror(errno)));
  output_end(&output);
}

/* Read the names of both platforms, and how many ranks both have room for. */
static void read_platforms(struct whatif *whatif)
{
  whatif->room = INT_MAX;
  for (int side = 0; side < 2; side++) {
    tutti_platform platform;
    must(tutti_platform_read(whatif->paths[side], &platform, &failure));
    if (whatif->options->trace)
      platform_spread(&platform, whatif->options->replay.ranks_per_node);
    long room = (long)platform.host_count * platform.ranks_per_node;
    whatif->hosts[side] = platform.host_count;
    whatif->ranks_per_node[side] = platform.ranks_per_node;
    memcpy(whatif->names[side], platform.name, sizeof whatif->names[side]);
    whatif->places[side] = tutti_platform_places(&platform);
    whatif->room = room < whatif->room ? (int)room : whatif->room;
    tutti_platform_free(&platform);
  }
}

static void change_platform(struct whatif *whatif)
{
  const struct whatif_options *options = whatif->options;
  must(tutti_platform_find(options->platform, &whatif->paths[0], &failure));
  must(tutti_platform_edit(whatif->paths[0], options->edits.items, (int)options->edits.count, &whatif->edited,
                           &failure));
  choose_path(whatif);
  write_platform(whatif);
  read_platforms(whatif);
}

/* ---- the runs ---- */

/* The sweep of collectives that the options say, as for tutti bench. */
static void make_experiments(struct whatif *whatif, unsigned collectives)
{
  const struct whatif_options *options = whatif->options;
  for (int side = 0; side < 2; side++) {
    tutti_experiment_words words = options->words;
    words.collectives = collectives;
    words.platform = whatif->paths[side];
    words.engine = options->engine;
    words.orders = options->orders;
    words.ranks_count = options->ranks.count;
    words.ranks = options->ranks.items;
    words.size_count = options->sizes.count;
    words.sizes = options->sizes.items;
    experiment_argument_read(options->experiment, &words, &whatif->experiments[side]);
  }
}

static void read_experiments(struct whatif *whatif)
{
  const struct whatif_options *options = whatif->options;
  unsigned collectives = 0;
  char *path;
  if (collectives_parse(options->experiment, &collectives, NULL) == TUTTI_OK) {
    make_experiments(whatif, collectives);
    return;
  }
  if (options->words.methods || options->words.segments || options->words.scheme)
    die("--methods, --segments and --scheme go with collectives (bcast,allreduce), not with a file");
  must(tutti_experiment_find(options->experiment, &path, &failure));
  for (int side = 0; side < 2; side++) {
    tutti_experiment_setting setting = {.platform = whatif->paths[side],
                                        .ranks_count = options->ranks.count,
                                        .ranks = options->ranks.items,
                                        .size_count = options->sizes.count,
                                        .sizes = options->sizes.items,
                                        .room = whatif->room};
    must(tutti_experiment_read_on(path, &setting, &whatif->experiments[side], &failure));
    whatif->left_out = setting.left_out;
    must(tutti_experiment_choose_engine(&whatif->experiments[side], options->engine, options->orders, &failure));
  }
  free(path);
  if (!tutti_experiment_measures(&whatif->experiments[0]))
    die("%s measures nothing, it has steps and claims only", options->experiment);
  if (options->sizes.count > 0 && whatif->experiments[0].sweep_count == 0)
    die("--size: %s has no <sweep> that takes sizes", options->experiment);
}

static void run_side(struct whatif *whatif, int side)
{
  const struct whatif_options *options = whatif->options;
  const tutti_run_options run = {.chunk_points = options->chunk,
                                 .unproven = options->unverified,
                                 .most_messages =
                                     program_most_messages(&options->launch, whatif->experiments[side].flavor)};
  tutti_run_summary *summary = &whatif->summaries[side];
  const tutti_status status = program_run(&options->launch, &whatif->experiments[side], run, summary, &failure);
  if (!options->launch.quiet && (status == TUTTI_OK || summary->measured + summary->recovered > 0))
    tutti_say(stderr, "tutti: %s: %zu point%s measured, %zu there already, %.1f s\n", whatif->names[side],
              summary->measured, tutti_plural(summary->measured), summary->present + summary->recovered,
              summary->seconds);
  failure_signal = summary->signal;
  must(status);
}

static tutti_speedup speedup_of(const tutti_run_comparison *comparison)
{
  double *times = tutti_xcalloc(2 * comparison->count, sizeof *times), *after = times + comparison->count;
  for (size_t i = 0; i < comparison->count; i++) {
    times[i] = tutti_run_comparison_time(comparison, BEFORE, i);
    after[i] = tutti_run_comparison_time(comparison, AFTER, i);
  }
  const tutti_speedup speedup = tutti_speedup_of(times, after, comparison->count);
  free(times);
  return speedup;
}

static void measure_both(struct whatif *whatif)
{
  read_experiments(whatif);
  for (int side = 0; side < 2; side++)
    run_side(whatif, side);
  must(tutti_run_comparison_read(whatif->options->launch.database, whatif->experiments, whatif->summaries, false,
                                 &whatif->comparison, &failure));
  whatif->speedup = speedup_of(&whatif->comparison);
}

/* The changed platform is of use to this run alone, unless --output says where it stays. */
static void remove_platform(void *of)
{
  const struct whatif *whatif = of;
  if (!whatif->paths[1] || whatif->options->output)
    return;
  char *directory = tutti_xstrdup(whatif->paths[1]), *slash = strrchr(directory, '/');
  unlink(whatif->paths[1]);
  if (slash) {
    *slash = '\0';
    rmdir(directory); /* stays if a killed run left something in it */
  }
  free(directory);
}

static void free_whatif(struct whatif *whatif)
{
  failure_forget();
  remove_platform(whatif);
  for (int side = 0; side < 2; side++) {
    tutti_experiment_free(&whatif->experiments[side]);
    free(whatif->paths[side]);
  }
  tutti_edited_platform_free(&whatif->edited);
  tutti_run_comparison_free(&whatif->comparison);
  tutti_table_free(&whatif->replayed);
  sensitivity_free(&whatif->sensitivity);
  notes_free(&whatif->notes);
}

static int run_whatif(void *values)
{
  const struct whatif_options *chosen = values;
  struct whatif whatif = {.options = chosen};
  failure_undo(remove_platform, &whatif);
  change_platform(&whatif);
  if (chosen->experiment)
    measure_both(&whatif);
  if (chosen->trace)
    whatif_replay(&whatif);
  whatif_print(&whatif);
  free_whatif(&whatif);
  return EXIT_DONE;
}

DEFINE_COMMAND(whatif, "whatif", options, struct whatif_options, run_whatif);
