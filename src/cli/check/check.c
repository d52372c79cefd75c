/* tutti check: the regression gate. Measures on simulated hardware and compares with baselines. */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/check/check.h"
#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/output/output.h"

struct check_options {
  struct program_options launch;
  struct option_strings baselines, experiments; /* paths, as given */
  tutti_tolerance tolerance;
  const char *junit; /* NULL: none */
  const char *keep;  /* where to leave the store; NULL: nowhere */
  bool update;
  tutti_format format;
};

/* A baseline and what was measured for it. */
struct checked {
  tutti_baseline before, after;
  tutti_baseline_comparison comparison;
};

/* A temporary store. */
struct scratch {
  char *folder;
  char *database;
};

/* ---- baselines ---- */

static const char preface[] = "# What simulated operations took and cost; docs/how-to/check.md has the format.\n"
                              "# `tutti check --baseline FILE` compares with it, and with --update makes it anew.\n";

static tutti_status begin_baseline(const char *path, tutti_baseline *baseline, tutti_error *error)
{
  if (access(path, F_OK) == 0)
    return tutti_baseline_read_to_update(path, baseline, error);
  return tutti_baseline_create(path, baseline, error);
}

static tutti_status add_experiments(const struct check_options *options, tutti_baseline *baseline, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  bool empty = baseline->count == 0;
  for (size_t i = 0; i < options->experiments.count && status == TUTTI_OK; i++)
    status = tutti_baseline_add_experiment(baseline, options->experiments.items[i], error);
  if (status == TUTTI_OK && baseline->count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: is not there yet: name the experiments that it shall have",
                      baseline->path);
  if (status == TUTTI_OK && empty)
    baseline->sections[0].comment = tutti_xstrdup(preface);
  return status;
}

/* Can the file be written? Asked before the measurements. */
static tutti_status probe(const char *path, tutti_error *error)
{
  struct output_file output;
  tutti_status status = output_file_begin(path, &output, error);
  if (status == TUTTI_OK)
    output_file_end(&output, TUTTI_ERR_UNSUPPORTED, error); /* which removes what was begun */
  return status;
}

static tutti_status read_one(const struct check_options *options, const char *path, tutti_baseline *baseline,
                             tutti_error *error)
{
  if (!options->update) {
    tutti_status status = tutti_baseline_read(path, baseline, error);
    if (status == TUTTI_OK && baseline->unsealed)
      fprintf(stderr,
              "tutti: warning: %s: this older baseline does not say how many points it has, so a cut one is not found; "
              "--update makes it one that does; the next version of Tutti refuses it\n",
              path);
    return status;
  }
  tutti_status status = begin_baseline(path, baseline, error);
  if (status == TUTTI_OK)
    status = add_experiments(options, baseline, error);
  return status == TUTTI_OK ? probe(path, error) : status;
}

/* Read the baselines, or for an update begin those that do not exist, and see that they can be written: one for each,
   zero-initialized. */
static tutti_status read_baselines(const struct check_options *options, struct checked *checked, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < options->baselines.count && status == TUTTI_OK; i++)
    status = read_one(options, options->baselines.items[i], &checked[i].before, error);
  return status == TUTTI_OK && options->junit ? probe(options->junit, error) : status;
}

/* Put what was measured in place of the baseline. */
static tutti_status write_baseline(struct checked *checked, tutti_error *error)
{
  struct output_file output;
  tutti_status status = output_file_begin(checked->after.path, &output, error);
  if (status != TUTTI_OK)
    return status;
  tutti_baseline_adopt(&checked->after, &checked->before);
  return output_file_end(&output, tutti_baseline_write(&checked->after, output.stream, error), error);
}

/* ---- the store ---- */

/* Make its folder, beside @p keep if that is given, which must not exist. */
static tutti_status scratch_open(const char *keep, struct scratch *scratch, tutti_error *error)
{
  const char *temporary = getenv("TMPDIR");
  *scratch = (struct scratch){0};
  if (keep && access(keep, F_OK) == 0)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: is there already; a check measures into a store of its own", keep);
  scratch->folder = keep ? tutti_xprintf("%s.XXXXXX", keep)
                         : tutti_xprintf("%s/tutti-check.XXXXXX", temporary && *temporary ? temporary : "/tmp");
  if (mkdtemp(scratch->folder)) {
    scratch->database = tutti_xprintf("%s/check.db", scratch->folder);
    return TUTTI_OK;
  }
  tutti_status status =
      tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be made: %s", keep ? keep : scratch->folder, strerror(errno));
  free(scratch->folder);
  return status;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
  (void)status;
  (void)type;
  (void)place;
  remove(path);
  return 0;
}

/* Remove the folder. Before, if @p status, which is returned, is TUTTI_OK, leave the store in @p keep if that is given.
 */
static tutti_status scratch_close(struct scratch *scratch, const char *keep, tutti_status status, tutti_error *error)
{
  if (status == TUTTI_OK && keep && rename(scratch->database, keep) != 0)
    status = tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be written: %s", keep, strerror(errno));
  nftw(scratch->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  free(scratch->folder);
  free(scratch->database);
  return status;
}

/* ---- the command ---- */

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
    OPTION_JOB_TIMEOUT(struct check_options, launch.job_timeout),
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
                            .job_timeout = options->launch.job_timeout,
                            .find_program = find_program,
                            .context = (void *)&options->launch,
                            .report = progress_display_show,
                            .report_context = &display};
  tutti_status status = tutti_baseline_measure(&checked->before, &run, &checked->after, error);
  progress_display_close(&display);
  *signal = run.signal;
  if (status == TUTTI_OK && !options->update)
    status = tutti_baseline_check_times(&checked->before, &checked->after, error);
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

static tutti_status print(const struct check_options *options, const struct checked *checked, tutti_error *error)
{
  size_t count = options->baselines.count;
  tutti_baseline_comparison *comparisons = tutti_xcalloc(count, sizeof *comparisons);
  for (size_t i = 0; i < count; i++)
    comparisons[i] = checked[i].comparison;
  tutti_status status = check_print(comparisons, count, options->update, options->format, error);
  if (status == TUTTI_OK && options->junit)
    status = write_junit(options->junit, comparisons, count, error);
  free(comparisons);
  return status;
}

static tutti_status check(const struct check_options *options, struct checked *checked, int *signal, tutti_error *error)
{
  tutti_status status = read_baselines(options, checked, error);
  if (status == TUTTI_OK)
    status = measure_all(options, checked, signal, error);
  if (status == TUTTI_OK)
    status = print(options, checked, error);
  for (size_t i = 0; i < options->baselines.count && status == TUTTI_OK && options->update; i++)
    status = write_baseline(&checked[i], error);
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
