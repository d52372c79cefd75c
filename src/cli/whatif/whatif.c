/* tutti whatif: one experiment on a machine and on the same machine changed, side by side. */
#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/whatif/whatif_tables.h"

static tutti_status check(void *values, tutti_error *error)
{
  const struct whatif_options *chosen = values;
  if (chosen->edits.count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no change given: use --set EDIT");
  if (!chosen->experiment && !chosen->output)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "name an experiment, or use --output FILE to write the changed platform only");
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
                   "message sizes instead of those of its sweeps: 1..64KB*4", .letter = 's'),
    OPTION_JOBS(struct whatif_options, launch.jobs),
    OPTION_DB(struct whatif_options, launch.database),
    OPTION_PROGRAM(struct whatif_options, launch.program),
    OPTION_BUILD_DIR(struct whatif_options, launch.build_dir),
    OPTION_NUMBER("chunk", "N", struct whatif_options, chunk, "give a job at most N points", .min = 1,
                  .max = 1000000000, .otherwise = "250"),
    OPTION_HEADING("Output:"),
    OPTION_FLAG("all", struct whatif_options, all, "the times of all methods, not of the best ones only"),
    OPTION_FORMAT(struct whatif_options, format),
    OPTION_QUIET(struct whatif_options, launch.quiet),
    ARGUMENT_STRING("PLATFORM", struct whatif_options, platform),
    ARGUMENT_STRING("EXPERIMENT.xml", struct whatif_options, experiment, .optional = true),
    OPTION_CHECK(check),
    OPTION_END};

static int run(void *values)
{
  const struct whatif_options *chosen = values;
  struct whatif whatif = {.options = chosen};
  tutti_error error = {0};
  int signal = 0;
  tutti_status status = whatif_edit(&whatif, &error);
  if (status == TUTTI_OK && chosen->experiment)
    status = whatif_measure(&whatif, &signal, &error);
  if (status == TUTTI_OK)
    status = whatif_print(&whatif, &error);
  int code = status == TUTTI_OK ? EXIT_DONE : complain(&error);
  whatif_free(&whatif);
  return code != EXIT_DONE && signal ? 128 + signal : code;
}

const struct command command_whatif = {
    .name = "whatif",
    .summary = "run an experiment on a machine and on the same machine changed, side by side",
    .help = "Run an experiment on PLATFORM, whatever platform its file names, and on the same machine changed, and "
            "show side by side what changed: times, best methods, message sizes at which they change, and what "
            "staying with the old decisions would cost. What the store has already is not measured again.",
    .notes = "An EDIT is WORD=VALUE:\n  "
             "latency=*0.5  bandwidth=1GBps  speed=/2  overhead=+1us  actor=*2  loopback-latency=  "
             "loopback-bandwidth=  limiter=  backbone-latency=  backbone-bandwidth=  hosts=1024  ranks_per_node=4\n  "
             "topology=torus:16x16x8, fat-tree:32x32x32, fat-tree:512x18/4 (a quarter of the cables upwards), "
             "dragonfly:8x4x16x4, flat, or with SimGrid's parameters, fat-tree:2;512,18;1,128;1,1\n  "
             "network=PLATFORM: latency, bandwidth, overhead and network options of another platform\nor XPATH=VALUE "
             "for any attribute or <prop>: //link[@id=\"x\"]/@latency=+1us. A value is absolute with a unit as in "
             "platform files, or relative: *FACTOR, /FACTOR, +AMOUNT, -AMOUNT.\n\nTimes are microseconds, sizes "
             "bytes per rank; a speed-up is the time before over the time after. Exit status: 0 done, 2 usage or bad "
             "input.",
    .options = options,
    .size = sizeof(struct whatif_options),
    .run = run,
};
