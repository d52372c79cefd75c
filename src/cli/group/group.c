/* tutti group: build process groups at scale, within this process or simulated. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/group/group_words.h"
#include "cli/group/report_group.h"

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
  (options->json ? report_group_print_json : report_group_print)(results->builds, results->count, where);
  fflush(stdout); /* the text is there whatever becomes of the picture */
  return words->plot.path ? group_plot_draw(&words->plot, results, where, error) : TUTTI_OK;
}

static int run_group(struct group_words *words)
{
  const struct group_options *options = &words->options;
  struct group_results results = {.builds = NULL};
  tutti_error error = {0};
  int signal = 0;
  tutti_status status = group_words_multiply(words, &error);
  if (status == TUTTI_OK)
    status = group_plot_check(&words->plot, options, &error);
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

static int group_main(int argc, char **argv)
{
  struct group_words words;
  group_words_read(argc, argv, &words);
  return run_group(&words);
}

const struct command command_group = {
    .name = "group",
    .summary = "build process groups and count what that takes",
    .main = group_main,
};
