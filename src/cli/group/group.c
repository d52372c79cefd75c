/* tutti group: build process groups at scale, within this process or simulated. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/group/group_words.h"

static tutti_status build_all(const struct group_options *options, struct group_results *results, int *signal,
                              tutti_error *error)
{
  if (options->platform)
    return group_simulate(options, results, signal, error);
  return group_build_in_process(options, results, error);
}

static tutti_status report(const struct group_words *words, const struct group_results *results, tutti_error *error)
{
  const struct group_options *options = &words->options;
  const char *where = options->platform ? options->platform : "in-process";
  tutti_status status = report_group(results, where, options->format, error);
  fflush(stdout); /* the text is there whatever becomes of the picture */
  return status == TUTTI_OK && words->plot.path ? group_plot_draw(&words->plot, results, where, error) : status;
}

static int run(void *values)
{
  struct group_words *words = values;
  const struct group_options *options = &words->options;
  struct group_results results = {.builds = NULL};
  tutti_error error = {0};
  int signal = 0;
  group_words_multiply(words);
  tutti_status status = group_plot_check(&words->plot, options, &error);
  if (status == TUTTI_OK)
    status = build_all(options, &results, &signal, &error);
  if (status == TUTTI_OK)
    status = report(words, &results, &error);
  free(results.builds);
  free(options->sweep.points);
  if (status == TUTTI_OK)
    return EXIT_DONE;
  complain(&error);
  return signal ? 128 + signal : EXIT_USAGE;
}

const struct command command_group = {
    .name = "group",
    .summary = "build process groups and count what that takes",
    .help = "Build system-ranked process groups whose members are drawn at random, by BUILDERs or by all of them.",
    .notes = "Messages, memory and the shape of the new tree are counted by the processes themselves. Times, which "
             "need --platform, are from the start broadcast on the original tree to the end of the reduction on the "
             "new one. Whole sweeps are run by `tutti bench EXPERIMENT.xml`.",
    .options = group_table,
    .size = sizeof(struct group_words),
    .run = run,
};
