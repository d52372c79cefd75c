/* tutti check: the regression gate. Measures on simulated hardware and compares with baselines. */
#include <errno.h>
#include <unistd.h>

#include "cli/check/check_gate.h"
#include "cli/command.h"
#include "cli/output/output.h"
#include "tutti/plugin.h"

/* ---- baselines ---- */

static const char preface[] = "# What simulated operations took and cost; docs/reference/baselines.md has the format.\n"
                              "# `tutti check --baseline FILE` compares with it, and with --update makes it anew.\n";

static void begin_baseline(const char *path, tutti_baseline *baseline)
{
  if (access(path, F_OK) == 0)
    must(tutti_baseline_read_to_update(path, baseline, &failure));
  else
    must(tutti_baseline_create(path, baseline, &failure));
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
static _Noreturn void fail_missing(const struct check_options *options, const char *path)
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
  die("%s: is not there: restore it from version control, or begin it with: %s", path, tutti_xclose_text(&command));
}

static void add_experiments(const struct check_options *options, tutti_baseline *baseline)
{
  bool empty = baseline->count == 0;
  for (size_t i = 0; i < options->experiments.count; i++)
    must(tutti_baseline_add_experiment(baseline, options->experiments.items[i], &failure));
  check_subjects_add(&options->subjects, baseline);
  if (baseline->count == 0)
    fail_missing(options, baseline->path);
  else if (empty)
    baseline->sections[0].comment = tutti_xstrdup(preface);
}

static bool is_strict(const struct check_options *options)
{
  const char *integration = getenv("CI");
  bool integrated = integration && *integration && strcmp(integration, "false") != 0;
  return options->strict || (integrated && !options->lenient);
}

static void read_one(const struct check_options *options, const char *path, tutti_baseline *baseline)
{
  if (!options->update && access(path, F_OK) != 0 && errno == ENOENT)
    fail_missing(options, path);
  if (!options->update) {
    must(tutti_baseline_read(path, baseline, &failure));
    if (baseline->unsealed && !is_strict(options))
      tutti_say(
          stderr,
          "tutti: warning: %s: this older baseline does not say how many points it has, so a cut one is not found; "
          "--update makes it one that does; the next version of Tutti refuses it\n",
          path);
    return;
  }
  begin_baseline(path, baseline);
  add_experiments(options, baseline);
  must(tutti_output_test(path, &failure));
}

/* Read the baselines, or for an update begin those that do not exist, and see that they can be written: one for each,
   zero-initialized. */
static void read_baselines(const struct check_options *options, struct checked *checked)
{
  for (size_t i = 0; i < options->baselines.count; i++)
    read_one(options, options->baselines.items[i], &checked[i].before);
  check_subjects_used(&options->subjects, checked, options->baselines.count);
  if (options->junit)
    must(tutti_output_test(options->junit, &failure));
}

/* Put what was measured in place of the baseline. */
static void write_baseline(struct checked *checked)
{
  struct tutti_output output;
  output_begin(checked->after.path, &output);
  tutti_baseline_adopt(&checked->after, &checked->before);
  must(tutti_baseline_write(&checked->after, output.stream, &failure));
  output_end(&output);
}

static void set_defaults(void *values)
{
  ((struct check_options *)values)->tolerance = tutti_tolerance_default();
}

static void read_tolerance(void *member, const char *text)
{
  tutti_tolerance *tolerance = member;
  must(tutti_tolerance_parse(text, tolerance, &failure));
  for (int a = 0; a < TUTTI_ASPECT_PENALTY; a++)
    if (tolerance->percent[a] >= 100)
      tutti_say(stderr, "tutti: warning: --tolerance %s: %s %s worse from %g times the baseline on\n", text,
                tutti_aspect_name((tutti_aspect)a),
                a == TUTTI_ASPECT_MESSAGES || a == TUTTI_ASPECT_BYTES ? "are" : "is", 1 + tolerance->percent[a] / 100);
}

static void check_engines_usage(const struct check_options *options)
{
  if (options->experiments.count == 0)
    die("--engines: which experiment?");
  if (options->baselines.count > 0 || options->update || options->junit || options->subjects.commands.count > 0 ||
      options->kind != OUTPUT_TEXT)
    die("--engines compares two engines, and has neither a baseline nor another output than --json and --csv");
  if (options->engine && strcmp(options->engine, TUTTI_FLAVOR_FLOW) != 0)
    die("--engines compares smpi and fast; with --engine flow, fast and flow");
}

static void check_init_usage(const struct check_options *options)
{
  if (options->baselines.count > 0 || options->experiments.count > 0 || options->subjects.commands.count > 0 ||
      options->engines || options->update || options->junit || options->kind != OUTPUT_TEXT ||
      options->format != TUTTI_FORMAT_TEXT)
    die("--init finds by itself what to check, and takes --platform, --ranks, --gitlab and --force only");
}

/* Whether the command line leaves it to the gate of this repository what is compared. */
static bool is_gate(const struct check_options *options)
{
  return options->baselines.count == 0 && options->experiments.count == 0 && options->subjects.commands.count == 0 &&
         access(CHECK_GATE, F_OK) == 0;
}

static void check_usage(void *values)
{
  const struct check_options *options = values;
  const struct option_strings *experiments = &options->experiments;
  if (options->engines) {
    check_engines_usage(options);
    return;
  }
  if (options->init) {
    check_init_usage(options);
    return;
  }
  if (options->force || options->gitlab)
    die("--force and --gitlab are of --init");
  if (options->sizes.count > 0 || options->words.methods || options->words.scheme)
    die("--size, --methods and --scheme say a sweep for --engines");
  if (is_gate(options))
    return;
  if (options->baselines.count == 0)
    die("which baseline? --baseline FILE; or begin a gate for this repository: tutti check --init");
  if (experiments->count > 0 && !options->update)
    die("experiments are named in the baseline; --update adds '%s' to it", experiments->items[0]);
  if (experiments->count > 0 && options->baselines.count > 1)
    die("to which baseline should '%s' be added?", experiments->items[0]);
  if (options->strict && options->lenient)
    die("--strict or --no-strict?");
  if (options->format != TUTTI_FORMAT_TEXT && options->kind != OUTPUT_TEXT)
    die("--format github has neither --json nor --csv");
  check_subjects_usage(&options->subjects, options->update, options->baselines.count);
}

static const char *const kinds[] = {[OUTPUT_TEXT] = "text", [OUTPUT_GITHUB] = "github", NULL};

static const struct option_row options[] = {
    OPTION_BEGIN(set_defaults),
    OPTION_HEADING("A repository:"),
    OPTION_FLAG("init", struct check_options, init,
                "begin the gate of this repository: measure what is here, and write " CHECK_GATE ", " CHECK_BASELINE
                " and a workflow of GitHub",
                .everyday = true),
    OPTION_FLAG("force", struct check_options, force, "with --init: replace these files"),
    OPTION_FLAG("gitlab", struct check_options, gitlab, "with --init: write a job of GitLab, too",
                .otherwise = "where .gitlab-ci.yml is"),
    OPTION_HEADING("Baselines:"),
    OPTION_STRINGS("baseline", "FILE", struct check_options, baselines,
                   "compare with this one; may be given several times", .everyday = true,
                   .otherwise = "what " CHECK_GATE " says"),
    OPTION_FLAG("update", struct check_options, update,
                "write what was measured into the baseline; each EXPERIMENT that it does not have yet is added; a file "
                "that does not exist is begun",
                .everyday = true),
    OPTION_PARSE(
        "tolerance", "LIST", struct check_options, tolerance, read_tolerance,
        "allowed regression in percent: time=1,messages=0,bytes=0,memory=0 are the defaults, and penalty=0, in "
        "percentage points; a number alone is for time; with --engines time=0.0001, and 1 for flow",
        OPTION_GIVEN(struct check_options, tolerance_given), .everyday = true),
    OPTION_FLAG(
        "strict", struct check_options, strict,
        "status 2 if anything that the baselines promise could not be compared: they were made with another "
        "SimGrid or platform file, have points that are not measured any more, lack points of their experiments, or "
        "are of version 1",
        .otherwise = "where CI is in the environment"),
    OPTION_FLAG("no-strict", struct check_options, lenient, "compare what can be compared"),
    OPTION_ENGINE(struct check_options, engine, ENGINE_OF_EXPERIMENT),
    OPTION_HEADING("Engines, instead of a baseline:"),
    OPTION_FLAG(
        "engines", struct check_options, engines,
        "measure each EXPERIMENT by SMPI and by the fast engine, or with --engine flow by fast and flow, and show how "
        "far their times are apart; in place of a file it can be collectives, bcast,allreduce, with --platform, "
        "--ranks and:"),
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
    OPTION_STRING("junit", "FILE", struct check_options, junit, "write JUnit XML for continuous integration, too",
                  .writes = WRITES_TEXT),
    OPTION_FORMAT(struct check_options, format),
    OPTION_STRING("output-db", "FILE", struct check_options, keep, "leave the store of what was measured there",
                  .otherwise = "nowhere", .aliases = "keep-db"),
    OPTION_HEADING("Measuring:"),
    OPTION_JOBS(struct check_options, launch.jobs),
    OPTION_QUIET(struct check_options, launch.quiet),
    OPTION_TABLE(struct check_options, launch, program_table),
    ARGUMENT_STRINGS("EXPERIMENT.xml", struct check_options, experiments, .optional = true),
    OPTION_CHECK(check_usage),
    OPTION_END};

/* ---- measuring ---- */

static char *find_program(void *context, const char *flavor, const char *name)
{
  return program_find(context, flavor, name);
}

static void measure_baseline(const struct check_options *options, const struct check_scratch *scratch,
                             struct checked *checked)
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
  const tutti_status status = tutti_baseline_measure(&checked->before, &run, &checked->after, &failure);
  progress_display_close(&display);
  failure_signal = run.signal;
  must(status);
  check_subjects_warn(&checked->after, &options->tolerance);
  if (options->update)
    check_subjects_note(&options->subjects, &checked->before, &checked->after);
  if (!options->update)
    must(tutti_baseline_check_times(&checked->before, &checked->after, &failure));
  tutti_baseline_compare(&checked->before, &checked->after, &options->tolerance, &checked->comparison);
  checked->comparison.strict = is_strict(options) && !options->update;
}

static void measure_all(const struct check_options *options, struct checked *checked)
{
  struct check_scratch scratch;
  check_scratch_open(options->keep, &scratch);
  for (size_t i = 0; i < options->baselines.count; i++)
    measure_baseline(options, &scratch, &checked[i]);
  check_scratch_close(&scratch, options->keep);
}

/* ---- the whole ---- */

static void check_baselines(const struct check_options *options, struct checked *checked)
{
  read_baselines(options, checked);
  measure_all(options, checked);
  check_report(options, checked);
  for (size_t i = 0; i < options->baselines.count && options->update; i++)
    write_baseline(&checked[i]);
}

static int run_check(void *values)
{
  const struct check_options *options = values;
  if (options->engines)
    return check_engines_run(options);
  if (options->init)
    return check_init(options);
  struct checked *checked = tutti_xcalloc(options->baselines.count, sizeof *checked);
  failure_undo(check_report_failure, values);
  if (is_gate(options)) {
    const int code = gate_run();
    failure_forget();
    free(checked);
    return code;
  }
  check_baselines(options, checked);
  failure_forget();
  int code = check_exit_code(options, checked);
  for (size_t i = 0; i < options->baselines.count; i++) {
    tutti_baseline_comparison_free(&checked[i].comparison);
    tutti_baseline_free(&checked[i].before);
    tutti_baseline_free(&checked[i].after);
  }
  free(checked);
  return failure_signal ? 128 + failure_signal : code;
}

DEFINE_COMMAND(check, "check", options, struct check_options, run_check, .refused = check_refused);
