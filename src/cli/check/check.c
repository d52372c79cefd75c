/* tutti check: the regression gate. Measures on simulated hardware and compares with baselines. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/say.h"
#include "cli/check/check.h"
#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/output/output.h"
#include "harness/experiments/job.h"
#include "tutti/plugin.h"

/* ---- baselines ---- */

static const char preface[] = "# What simulated operations took and cost; docs/reference/baselines.md has the format.\n"
                              "# `tutti check --baseline FILE` compares with it, and with --update makes it anew.\n";

static tutti_status begin_baseline(const char *path, tutti_baseline *baseline, tutti_error *error)
{
  if (access(path, F_OK) == 0)
    return tutti_baseline_read_to_update(path, baseline, error);
  return tutti_baseline_create(path, baseline, error);
}

/* Takes over @p word. */
static void print_word(FILE *stream, const char *before, char *word)
{
  fprintf(stream, "%s%s", before, word);
  free(word);
}

/* The option --plugin for each that is loaded. */
static void print_plugins(FILE *stream)
{
  const tutti_algorithm *algorithm;
  const char *last = "";
  uint64_t code;
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++) {
    const char *file = tutti_algorithm_plugin_file(algorithm, &code);
    if (file && strcmp(file, last) != 0)
      print_word(stream, " --plugin ", tutti_xshell_word(last = file));
  }
}

/* Names a command that begins the baseline with what the command line has. */
static tutti_status fail_missing(const struct check_options *options, const char *path, tutti_error *error)
{
  const struct check_subjects *subjects = &options->subjects;
  struct tutti_text_stream command;
  tutti_xopen_text(&command);
  fputs("tutti", command.stream);
  print_plugins(command.stream);
  print_word(command.stream, " check --update --baseline ", tutti_xshell_word(path));
  for (size_t i = 0; i < subjects->commands.count; i++)
    print_word(command.stream, " --subject ", tutti_xshell_quoted(subjects->commands.items[i]));
  if (check_subjects_selector(subjects))
    fprintf(command.stream, " --selector %s", check_subjects_selector(subjects));
  if (options->engine)
    fprintf(command.stream, " --engine %s", options->engine);
  fputs(subjects->commands.count > 0 ? " --platform NAME --ranks LIST" : " EXPERIMENT.xml", command.stream);
  char *text = tutti_xclose_text(&command);
  tutti_fail(error, TUTTI_ERR_IO, "%s: is not there: restore it from version control, or begin it with: %s", path,
             text);
  free(text);
  return TUTTI_ERR_IO;
}

static tutti_status add_experiments(const struct check_options *options, tutti_baseline *baseline, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  bool empty = baseline->count == 0;
  for (size_t i = 0; i < options->experiments.count && status == TUTTI_OK; i++)
    status = tutti_baseline_add_experiment(baseline, options->experiments.items[i], error);
  if (status == TUTTI_OK)
    status = check_subjects_add(&options->subjects, baseline, error);
  if (status == TUTTI_OK && baseline->count == 0)
    return fail_missing(options, baseline->path, error);
  if (status == TUTTI_OK && empty)
    baseline->sections[0].comment = tutti_xstrdup(preface);
  return status;
}

/* Can the file be written? Asked before the measurements. */
static tutti_status probe(const char *path, tutti_error *error)
{
  struct tutti_output output;
  tutti_status status = tutti_output_begin(path, &output, error);
  if (status == TUTTI_OK)
    tutti_output_end(&output, TUTTI_ERR_UNSUPPORTED, error); /* which removes what was begun */
  return status;
}

static bool is_strict(const struct check_options *options)
{
  const char *integration = getenv("CI");
  bool usual = integration && *integration && strcmp(integration, "false") != 0;
  return options->strict || (usual && !options->lenient);
}

static tutti_status read_one(const struct check_options *options, const char *path, tutti_baseline *baseline,
                             tutti_error *error)
{
  if (!options->update && access(path, F_OK) != 0 && errno == ENOENT)
    return fail_missing(options, path, error);
  if (!options->update) {
    tutti_status status = tutti_baseline_read(path, baseline, error);
    if (status == TUTTI_OK && baseline->unsealed && !is_strict(options))
      tutti_say(
          stderr,
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
  if (status == TUTTI_OK)
    status = check_subjects_used(&options->subjects, checked, options->baselines.count, error);
  return status == TUTTI_OK && options->junit ? probe(options->junit, error) : status;
}

/* Put what was measured in place of the baseline. */
static tutti_status write_baseline(struct checked *checked, tutti_error *error)
{
  struct tutti_output output;
  tutti_status status = tutti_output_begin(checked->after.path, &output, error);
  if (status != TUTTI_OK)
    return status;
  tutti_baseline_adopt(&checked->after, &checked->before);
  return tutti_output_end(&output, tutti_baseline_write(&checked->after, output.stream, error), error);
}

/* ---- the command ---- */

static void begin(void *values)
{
  ((struct check_options *)values)->tolerance = tutti_tolerance_default();
}

static tutti_status read_tolerance(void *member, const char *text, tutti_error *error)
{
  tutti_tolerance *tolerance = member;
  tutti_status status = tutti_tolerance_parse(text, tolerance, error);
  for (int a = 0; a < TUTTI_ASPECT_PENALTY && status == TUTTI_OK; a++)
    if (tolerance->percent[a] >= 100)
      tutti_say(stderr, "tutti: warning: --tolerance %s: %s %s worse from %g times the baseline on\n", text,
                tutti_aspect_name((tutti_aspect)a),
                a == TUTTI_ASPECT_MESSAGES || a == TUTTI_ASPECT_BYTES ? "are" : "is", 1 + tolerance->percent[a] / 100);
  return status;
}

static tutti_status check_engines_usage(const struct check_options *options, tutti_error *error)
{
  if (options->experiments.count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--engines: which experiment?");
  if (options->baselines.count > 0 || options->update || options->engine || options->junit ||
      options->subjects.commands.count > 0 || options->kind != OUTPUT_TEXT)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "--engines compares two engines, and has neither a baseline nor another output than --json and "
                      "--csv");
  return TUTTI_OK;
}

static tutti_status check_usage(void *values, tutti_error *error)
{
  const struct check_options *options = values;
  const struct option_strings *experiments = &options->experiments;
  if (options->engines)
    return check_engines_usage(options, error);
  if (options->sizes.count > 0 || options->words.methods || options->words.scheme)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--size, --methods and --scheme say a sweep for --engines");
  if (options->baselines.count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "which baseline? --baseline FILE");
  if (experiments->count > 0 && !options->update)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "experiments are named in the baseline; --update adds '%s' to it",
                      experiments->items[0]);
  if (experiments->count > 0 && options->baselines.count > 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "to which baseline should '%s' be added?", experiments->items[0]);
  if (options->strict && options->lenient)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--strict or --no-strict?");
  if (options->format != TUTTI_FORMAT_TEXT && options->kind != OUTPUT_TEXT)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--format github has neither --json nor --csv");
  return check_subjects_usage(&options->subjects, options->update, options->baselines.count, error);
}

static const char *const kinds[] = {[OUTPUT_TEXT] = "text", [OUTPUT_GITHUB] = "github", NULL};

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
        "percentage points; a number alone is for time; with --engines time=0.0001",
        OPTION_GIVEN(struct check_options, tolerance_given)),
    OPTION_FLAG(
        "strict", struct check_options, strict,
        "status 2 if anything that the baselines promise could not be compared: they were made with another "
        "SimGrid or platform file, have points that are not measured any more, lack points of their experiments, or "
        "are of version 1",
        .otherwise = "where CI is in the environment"),
    OPTION_FLAG("no-strict", struct check_options, lenient, "compare what can be compared"),
    OPTION_ENGINE(struct check_options, engine, ENGINE_OF_EXPERIMENT),
    OPTION_HEADING("Engines, instead of a baseline:"),
    OPTION_FLAG("engines", struct check_options, engines,
                "measure each EXPERIMENT by SMPI and by the fast engine, and show how far their times are apart; in "
                "place of a file it can be collectives, bcast,allreduce, with --platform, --ranks and:"),
    OPTION_NUMBERS("size", struct check_options, sizes, tutti_size_parse,
                   "bytes of the message, or of one rank's block", .letter = 's'),
    OPTION_STRING("methods", "LIST", struct check_options, words.methods, "these methods, separated by commas",
                  .otherwise = "all algorithms"),
    OPTION_STRING("scheme", "occ|window", struct check_options, words.scheme, "how a call is timed",
                  .otherwise = "occ"),
    OPTION_HEADING("MPI programs under SMPI:"),
    OPTION_TABLE(struct check_options, subjects, check_subjects_table),
    OPTION_HEADING("Output:"),
    OPTION_WORD("format", struct check_options, kind, kinds,
                "github: annotations of a change and a Markdown summary, appended to $GITHUB_STEP_SUMMARY if that is "
                "set"),
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

static tutti_status measure(const struct check_options *options, const struct check_scratch *scratch,
                            struct checked *checked, int *signal, tutti_error *error)
{
  struct progress_display display = progress_display_open(options->launch.quiet);
  tutti_baseline_run run = {.database = scratch->database,
                            .jobs = program_jobs(&options->launch),
                            .job_timeout = options->launch.job_timeout,
                            .engine = options->engine,
                            .find_program = find_program,
                            .context = (void *)&options->launch,
                            .report = progress_display_show,
                            .report_context = &display,
                            .selector = check_subjects_selector(&options->subjects),
                            .programs = options->subjects.commands.items,
                            .program_count = options->subjects.commands.count};
  tutti_status status = tutti_baseline_measure(&checked->before, &run, &checked->after, error);
  progress_display_close(&display);
  *signal = run.signal;
  if (status == TUTTI_OK)
    check_subjects_warn(&checked->after, &options->tolerance);
  if (status == TUTTI_OK && options->update)
    check_subjects_note(&options->subjects, &checked->before, &checked->after);
  if (status == TUTTI_OK && !options->update)
    status = tutti_baseline_check_times(&checked->before, &checked->after, error);
  if (status == TUTTI_OK)
    status =
        tutti_baseline_compare(&checked->before, &checked->after, &options->tolerance, &checked->comparison, error);
  checked->comparison.strict = is_strict(options) && !options->update;
  return status;
}

static tutti_status measure_all(const struct check_options *options, struct checked *checked, int *signal,
                                tutti_error *error)
{
  struct check_scratch scratch;
  struct signals signals;
  tutti_signals_block(&signals); /* one that comes between the runs, too, ends this without leaving the folder */
  tutti_status status = check_scratch_open(options->keep, &scratch, error);
  if (status == TUTTI_OK) {
    for (size_t i = 0; i < options->baselines.count && status == TUTTI_OK; i++)
      status = measure(options, &scratch, &checked[i], signal, error);
    status = check_scratch_close(&scratch, options->keep, status, error);
  }
  tutti_signals_restore(&signals);
  return status;
}

/* ---- the whole ---- */

static tutti_status check(const struct check_options *options, struct checked *checked, int *signal, tutti_error *error)
{
  tutti_status status = read_baselines(options, checked, error);
  if (status == TUTTI_OK)
    status = measure_all(options, checked, signal, error);
  if (status == TUTTI_OK)
    status = check_report(options, checked, error);
  for (size_t i = 0; i < options->baselines.count && status == TUTTI_OK && options->update; i++)
    status = write_baseline(&checked[i], error);
  return status;
}

static int run(void *values)
{
  const struct check_options *options = values;
  if (options->engines)
    return check_engines_run(options);
  struct checked *checked = tutti_xcalloc(options->baselines.count, sizeof *checked);
  tutti_error error = {0};
  int signal = 0;
  int code = check(options, checked, &signal, &error) == TUTTI_OK ? check_exit_code(options, checked)
                                                                  : check_fail(options, &error);
  for (size_t i = 0; i < options->baselines.count; i++) {
    tutti_baseline_comparison_free(&checked[i].comparison);
    tutti_baseline_free(&checked[i].before);
    tutti_baseline_free(&checked[i].after);
  }
  free(checked);
  return signal ? 128 + signal : code;
}

extern const char tutti_help_check[];

const struct command command_check = {
    .name = "check",
    .text = tutti_help_check,
    .refused = check_refused,
    .options = options,
    .size = sizeof(struct check_options),
    .run = run,
};
