/* tutti check: the regression gate. Measures on simulated hardware and compares with baselines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check/check.h"
#include "cli/check/report_check.h"
#include "cli/command.h"
#include "cli/output/output_file.h"
#include "cli/output/progress.h"

enum { OPTION_BASELINE = OPTION_OTHERS, OPTION_UPDATE, OPTION_TOLERANCE, OPTION_JUNIT, OPTION_JSON, OPTION_KEEP };

static const struct argp_option option_table[] = {
    {.doc = "Baselines:"},
    {"baseline", OPTION_BASELINE, "FILE", 0, "Compare with this one; may be given several times", 0},
    {"update", OPTION_UPDATE, 0, 0,
     "Write what was measured into the baseline; each EXPERIMENT that it does not have yet is added, and one that is "
     "not there is begun",
     0},
    {"tolerance", OPTION_TOLERANCE, "LIST", 0,
     "How much worse is not worse, in percent: time=1,messages=0,bytes=0,memory=0 are the defaults, and penalty=0, "
     "in percentage points; a number alone is for time",
     0},
    {.doc = "Output:"},
    {"junit", OPTION_JUNIT, "FILE", 0, "Write JUnit XML for continuous integration, too", 0},
    {"json", OPTION_JSON, 0, 0, "Print JSON", 0},
    {"keep-db", OPTION_KEEP, "FILE", 0, "Leave the store of what was measured there (default: nowhere)", 0},
    {.doc = "Measuring:"},
    {"jobs", 'j', "N", 0, "Run N jobs at once (default: processors online)", 0},
    {"quiet", 'q', NULL, 0, "Show no progress", 0},
    {"program", OPTION_PROGRAM, "PATH", 0, "The measuring program, if all experiments need the same one", 0},
    {"build-dir", OPTION_BUILD_DIR, "DIR", 0, "Look for the measuring programs in DIR/smpi", 0},
    {0},
};

/* The list is among the words of the command line, so it is never longer than that. */
static void add_baseline(struct argp_state *state, struct check_options *options, char *path)
{
  if (!options->baselines)
    options->baselines = calloc((size_t)state->argc, sizeof *options->baselines);
  if (options->baselines)
    options->baselines[options->baseline_count++] = path;
  else
    argp_failure(state, EXIT_USAGE, 0, "out of memory");
}

static void check_usage(struct argp_state *state, const struct check_options *options)
{
  if (options->baseline_count == 0)
    argp_error(state, "which baseline? --baseline FILE");
  else if (options->experiment_count > 0 && !options->update)
    argp_error(state, "experiments are named in the baseline; --update adds '%s' to it", options->experiments[0]);
  else if (options->experiment_count > 0 && options->baseline_count > 1)
    argp_error(state, "to which baseline should '%s' be added?", options->experiments[0]);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
  struct check_options *options = state->input;
  tutti_error error;
  switch (key) {
  case OPTION_BASELINE:
    add_baseline(state, options, text);
    return 0;
  case OPTION_UPDATE:
    options->update = true;
    return 0;
  case OPTION_TOLERANCE:
    if (tutti_tolerance_parse(text, &options->tolerance, &error) != TUTTI_OK)
      argp_error(state, "--tolerance: %s", error.message);
    return 0;
  case OPTION_JUNIT:
    options->junit = text;
    return 0;
  case OPTION_JSON:
    options->json = true;
    return 0;
  case OPTION_KEEP:
    options->keep = text;
    return 0;
  case ARGP_KEY_ARGS:
    options->experiments = state->argv + state->next;
    options->experiment_count = (size_t)(state->argc - state->next);
    return 0;
  case ARGP_KEY_END:
    check_usage(state, options);
    return 0;
  default:
    return key == OPTION_DB ? ARGP_ERR_UNKNOWN : program_parse(key, text, state, &options->launch);
  }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "[EXPERIMENT.xml...]",
    .doc = "Measure on simulated hardware what a baseline has, in a fresh store, and say what got worse: simulated "
           "seconds, messages, bytes sent, bytes of temporary memory, percent of penalty.\v"
           "Exit status: 0 nothing got worse by more than the tolerance; 1 something did, or is not measured any more; "
           "2 wrong usage or bad input. If the simulator is another one than that of the baseline only what schedules "
           "count is compared. include/tutti/baseline.h and docs/how-to/check.md have the format.",
};

/* ---- measuring ---- */

static char *find_program(void *context, const char *flavor, const char *name)
{
  return program_find(context, flavor, name);
}

static tutti_status measure(struct check_options *options, const struct scratch *scratch, struct checked *checked,
                            int *signal, tutti_error *error)
{
  struct progress_display display = progress_display_open(options->launch.quiet);
  tutti_baseline_run run = {.database = scratch->database,
                            .jobs = program_jobs(&options->launch),
                            .find_program = find_program,
                            .context = &options->launch,
                            .report = progress_display_show,
                            .report_context = &display};
  tutti_status status = tutti_baseline_measure(&checked->before, &run, &checked->after, error);
  progress_display_close(&display);
  *signal = run.signal;
  return status == TUTTI_OK ? tutti_baseline_compare(&checked->before, &checked->after, &options->tolerance,
                                                     &checked->comparison, error)
                            : status;
}

static tutti_status measure_all(struct check_options *options, struct checked *checked, int *signal, tutti_error *error)
{
  struct scratch scratch;
  tutti_status status = scratch_open(options->keep, &scratch, error);
  if (status != TUTTI_OK)
    return status;
  for (size_t i = 0; i < options->baseline_count && status == TUTTI_OK; i++)
    status = measure(options, &scratch, &checked[i], signal, error);
  return scratch_close(&scratch, options->keep, status, error);
}

/* ---- telling ---- */

static tutti_status write_junit(const char *path, const tutti_baseline_comparison *comparisons, size_t count,
                                tutti_error *error)
{
  struct output_file output;
  tutti_status status = output_file_begin(path, &output, error);
  if (status != TUTTI_OK)
    return status;
  return output_file_end(&output, tutti_baseline_write_junit(comparisons, count, output.stream, error), error);
}

static tutti_status tell(const struct check_options *options, const struct checked *checked, tutti_error *error)
{
  size_t count = options->baseline_count;
  tutti_baseline_comparison *comparisons = calloc(count, sizeof *comparisons);
  if (!comparisons)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %zu comparisons", count);
  for (size_t i = 0; i < count; i++)
    comparisons[i] = checked[i].comparison;
  if (options->json)
    report_check_print_json(comparisons, count);
  else
    report_check_print(comparisons, count, options->update);
  tutti_status status = options->junit ? write_junit(options->junit, comparisons, count, error) : TUTTI_OK;
  free(comparisons);
  return status;
}

static tutti_status check(struct check_options *options, struct checked *checked, int *signal, tutti_error *error)
{
  tutti_status status = check_read(options, checked, error);
  if (status == TUTTI_OK)
    status = measure_all(options, checked, signal, error);
  if (status == TUTTI_OK)
    status = tell(options, checked, error);
  for (size_t i = 0; i < options->baseline_count && status == TUTTI_OK && options->update; i++)
    status = check_write(&checked[i], error);
  return status;
}

static int exit_code(const struct check_options *options, const struct checked *checked)
{
  for (size_t i = 0; i < options->baseline_count; i++)
    if (!options->update && tutti_baseline_comparison_failed(&checked[i].comparison))
      return EXIT_FOUND;
  return EXIT_DONE;
}

static int check_main(int argc, char **argv)
{
  struct check_options options = {.tolerance = tutti_tolerance_default()};
  tutti_error error = {0};
  int signal = 0, code;
  parse_options(&argp, argc, argv, &options);
  struct checked *checked = calloc(options.baseline_count, sizeof *checked);
  tutti_status status = checked ? check(&options, checked, &signal, &error)
                                : tutti_fail(&error, TUTTI_ERR_MEMORY, "out of memory for the baselines");
  code = status == TUTTI_OK ? exit_code(&options, checked) : complain(&error);
  for (size_t i = 0; checked && i < options.baseline_count; i++) {
    tutti_baseline_comparison_free(&checked[i].comparison);
    tutti_baseline_free(&checked[i].before);
    tutti_baseline_free(&checked[i].after);
  }
  free(checked);
  free(options.baselines);
  return signal ? 128 + signal : code;
}

const struct command command_check = {
    .name = "check",
    .summary = "compare with a baseline: what got slower, or costs more messages or memory",
    .main = check_main,
};
