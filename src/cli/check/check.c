/* tutti check: the regression gate. Measures on simulated hardware and compares with baselines. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cli/check/check.h"
#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/output/output_file.h"
#include "cli/output/progress.h"

static void begin(void *values)
{
  ((struct check_options *)values)->tolerance = tutti_tolerance_default();
}

static tutti_status read_tolerance(void *member, const char *text, tutti_error *error)
{
  return tutti_tolerance_parse(text, member, error);
}

static tutti_status check_usage(void *values, tutti_error *error)
{
  const struct check_options *options = values;
  const struct option_strings *experiments = &options->experiments;
  if (options->baselines.count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "which baseline? --baseline FILE");
  if (experiments->count > 0 && !options->update)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "experiments are named in the baseline; --update adds '%s' to it",
                      experiments->items[0]);
  if (experiments->count > 0 && options->baselines.count > 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "to which baseline should '%s' be added?", experiments->items[0]);
  return TUTTI_OK;
}

static const struct option_row options[] = {
    OPTION_BEGIN(begin),
    OPTION_HEADING("Baselines:"),
    OPTION_STRINGS("baseline", "FILE", struct check_options, baselines,
                   "compare with this one; may be given several times"),
    OPTION_FLAG("update", struct check_options, update,
                "write what was measured into the baseline; each EXPERIMENT that it does not have yet is added; a file "
                "that does not exist is begun"),
    OPTION_PARSE(
        "tolerance", "LIST", struct check_options, tolerance, read_tolerance,
        "allowed regression in percent: time=1,messages=0,bytes=0,memory=0 are the defaults, and penalty=0, in "
        "percentage points; a number alone is for time"),
    OPTION_HEADING("Output:"),
    OPTION_STRING("junit", "FILE", struct check_options, junit, "write JUnit XML for continuous integration, too"),
    OPTION_FORMAT(struct check_options, format),
    OPTION_STRING("output-db", "FILE", struct check_options, keep, "leave the store of what was measured there",
                  .otherwise = "nowhere", .aliases = "keep-db"),
    OPTION_HEADING("Measuring:"),
    OPTION_JOBS(struct check_options, launch.jobs),
    OPTION_QUIET(struct check_options, launch.quiet),
    OPTION_PROGRAM(struct check_options, launch.program),
    OPTION_BUILD_DIR(struct check_options, launch.build_dir),
    ARGUMENT_STRINGS("EXPERIMENT.xml", struct check_options, experiments, .optional = true),
    OPTION_CHECK(check_usage),
    OPTION_END};

/* ---- measuring ---- */

static char *find_program(void *context, const char *flavor, const char *name)
{
  return program_find(context, flavor, name);
}

static tutti_status measure(const struct check_options *options, const struct scratch *scratch, struct checked *checked,
                            int *signal, tutti_error *error)
{
  struct progress_display display = progress_display_open(options->launch.quiet);
  tutti_baseline_run run = {.database = scratch->database,
                            .jobs = program_jobs(&options->launch),
                            .find_program = find_program,
                            .context = (void *)&options->launch,
                            .report = progress_display_show,
                            .report_context = &display};
  tutti_status status = tutti_baseline_measure(&checked->before, &run, &checked->after, error);
  progress_display_close(&display);
  *signal = run.signal;
  return status == TUTTI_OK ? tutti_baseline_compare(&checked->before, &checked->after, &options->tolerance,
                                                     &checked->comparison, error)
                            : status;
}

static tutti_status measure_all(const struct check_options *options, struct checked *checked, int *signal,
                                tutti_error *error)
{
  struct scratch scratch;
  tutti_status status = scratch_open(options->keep, &scratch, error);
  if (status != TUTTI_OK)
    return status;
  for (size_t i = 0; i < options->baselines.count && status == TUTTI_OK; i++)
    status = measure(options, &scratch, &checked[i], signal, error);
  return scratch_close(&scratch, options->keep, status, error);
}

/* ---- output ---- */

static tutti_status write_junit(const char *path, const tutti_baseline_comparison *comparisons, size_t count,
                                tutti_error *error)
{
  struct output_file output;
  tutti_status status = output_file_begin(path, &output, error);
  if (status != TUTTI_OK)
    return status;
  return output_file_end(&output, tutti_baseline_write_junit(comparisons, count, output.stream, error), error);
}

static tutti_status report(const struct check_options *options, const struct checked *checked, tutti_error *error)
{
  size_t count = options->baselines.count;
  tutti_baseline_comparison *comparisons = tutti_xcalloc(count, sizeof *comparisons);
  for (size_t i = 0; i < count; i++)
    comparisons[i] = checked[i].comparison;
  tutti_status status = report_check(comparisons, count, options->update, options->format, error);
  if (status == TUTTI_OK && options->junit)
    status = write_junit(options->junit, comparisons, count, error);
  free(comparisons);
  return status;
}

static tutti_status check(const struct check_options *options, struct checked *checked, int *signal, tutti_error *error)
{
  tutti_status status = check_read(options, checked, error);
  if (status == TUTTI_OK)
    status = measure_all(options, checked, signal, error);
  if (status == TUTTI_OK)
    status = report(options, checked, error);
  for (size_t i = 0; i < options->baselines.count && status == TUTTI_OK && options->update; i++)
    status = check_write(&checked[i], error);
  return status;
}

static int exit_code(const struct check_options *options, const struct checked *checked)
{
  for (size_t i = 0; i < options->baselines.count; i++)
    if (!options->update && tutti_baseline_comparison_failed(&checked[i].comparison))
      return EXIT_FOUND;
  return EXIT_DONE;
}

static int run(void *values)
{
  const struct check_options *options = values;
  struct checked *checked = tutti_xcalloc(options->baselines.count, sizeof *checked);
  tutti_error error = {0};
  int signal = 0;
  int code = check(options, checked, &signal, &error) == TUTTI_OK ? exit_code(options, checked) : complain(&error);
  for (size_t i = 0; i < options->baselines.count; i++) {
    tutti_baseline_comparison_free(&checked[i].comparison);
    tutti_baseline_free(&checked[i].before);
    tutti_baseline_free(&checked[i].after);
  }
  free(checked);
  return signal ? 128 + signal : code;
}

const struct command command_check = {
    .name = "check",
    .summary = "compare with a baseline: what got slower, or costs more messages or memory",
    .help = "Measure on simulated hardware what a baseline has, in a fresh store, and show what got worse: simulated "
            "seconds, messages, bytes sent, bytes of temporary memory, percent of penalty.",
    .notes = "Exit status: 0 nothing got worse by more than the tolerance; 1 something did, or is not measured any "
             "more; 2 wrong usage or bad input. If the simulator is another one than that of the baseline only what "
             "schedules count is compared. docs/how-to/check.md has the format.",
    .options = options,
    .size = sizeof(struct check_options),
    .run = run,
};
