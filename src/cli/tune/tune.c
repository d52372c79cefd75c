/* tutti tune: the command line. */
#include "cli/tune/tune.h"

#include "base/clock.h"
#include "cli/command.h"

static void check_usage(void *values)
{
  const struct tune_options *options = values;
  if (options->flavor && strcmp(options->flavor, "mpich") != 0 && strcmp(options->flavor, "openmpi") != 0)
    die("--flavor is mpich or openmpi: nothing else reads tuning files");
  if (options->place.submit_only)
    die("--submit-only: a comparison needs the end of the measurements; in a script for sbatch the command needs no "
        "--launcher slurm");
  if (options->place.slurm && !options->ranks.count)
    die("--launcher slurm needs -P LIST: the queue says nothing of how many ranks there are to tune for");
}

static const struct option_row option_table[] = {
    OPTION_HEADING("What to tune:"),
    OPTION_PARSE("flavor", "mpich|openmpi", struct tune_options, flavor, option_flavor, "the library",
                 .otherwise = "that of the profile, the only one here, or that of mpiexec"),
    OPTION_NUMBERS("ranks", struct tune_options, ranks, tutti_experiment_parse_rank_count, "numbers of ranks",
                   .letter = 'P', .otherwise = "those of the profile, or 2 to all cores in doublings"),
    OPTION_NUMBERS("size", struct tune_options, sizes, tutti_size_parse,
                   "bytes of the message, or of one rank's block: 4..1MB*4", .letter = 's',
                   .otherwise = "those of the profile, or 4 B to 1 MB, each 4 times the last"),
    OPTION_STRING("profile", "FILE", struct tune_options, profile,
                  "for the calls of this program: what the interposer wrote", .otherwise = "all calls count the same",
                  .everyday = true),
    OPTION_PARSE(
        "reproducible", "CLASS", struct tune_options, reproducible, option_reproducible,
        "reductions by methods with this class only, or several with commas: ranks, arrival, nodes, size, "
        "aligned; the file is kept where the library's own choice is faster, and the comparison says what that "
        "costs"),
    OPTION_STRING("platform", "NAME", struct tune_options, platform, "name of the machine in the store",
                  .otherwise = "the name of this host"),
    OPTION_HEADING("How:"),
    OPTION_DURATION("budget", struct tune_options, budget,
                    "aim at so long: half to measure methods, the rest to compare before and after", .initial = "10min",
                    .low = 1),
    OPTION_NUMBER("seed", "N", struct tune_options, seed, "of the orders of launches and points that are compared",
                  .initial = "1"),
    OPTION_STRING("dir", "DIR", struct tune_options, folder, "the folder of all that is measured and written",
                  .otherwise = "tutti-tune-FLAVOR", .everyday = true),
    OPTION_FLAG("again", struct tune_options, again, "begin anew, although the folder has results", .everyday = true),
    OPTION_TABLE(struct tune_options, launch, program_table),
    OPTION_HEADING("Output:"),
    OPTION_STRING("output", "FILE", struct tune_options, file, "the tuning file", .letter = 'o', .writes = WRITES_TEXT,
                  .otherwise = "in DIR"),
    OPTION_QUIET(struct tune_options, quiet),
    OPTION_FORMAT(struct tune_options, format),
    OPTION_HEADING("Where the launches run (docs/how-to/clusters.md):"),
    OPTION_TABLE(struct tune_options, place, launch_table),
    ARGUMENT_PARSE("COLLECTIVE,...", struct tune_options, collectives, option_collectives, .optional = true),
    OPTION_CHECK(check_usage),
    OPTION_END};

static int run(void *values)
{
  const struct tune_options *options = values;
  struct tuning tuning = {.options = options, .started = tutti_clock(CLOCK_MONOTONIC)};
  struct tune_result result = {.outcome = NULL};
  if (options->file)
    must(tutti_output_test(options->file, &failure));
  tune_look(options, &tuning);
  tune_open_folder(&tuning);
  tune_run_steps(&tuning, &result);
  tune_print(&tuning, &result);
  tune_verdict_free(&result.verdict);
  free(result.file);
  free(result.end);
  tune_free(&tuning);
  return EXIT_DONE;
}

DEFINE_COMMAND(tune, "tune", option_table, struct tune_options, run);
