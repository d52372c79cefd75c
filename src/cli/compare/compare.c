/* tutti compare: an MPI library before and after a tuning file, or two installations, measured where they will run. */
#include "cli/compare/compare.h"
#include "base/machine.h"
#include "cli/command.h"
#include "cli/output/output.h"

bool compare_is_untuned(const char *name)
{
  return decision_is_own_choice(name) || tutti_library_named(name);
}

/* ---- options ---- */

static void set_defaults(void *values)
{
  struct compare_options *options = values;
  options->measure = (tutti_measure){.warmup = 3, .repetitions_max = 200, .confidence = 0.05};
}

enum { DEFAULT_MARGIN_PERCENT = 5 };

/* Two are installations, which need no files; one is that of the store. */
static void check_libraries(struct compare_options *options)
{
  const bool two = options->libraries.count == 2;
  if (options->libraries.count > 2)
    die("--library is given twice, for the two installations to compare, or once, for that of the pairs in the store");
  if (options->libraries.count == 1)
    option_library(&options->among.library, options->libraries.items[0]);
  if (two && !options->names[0])
    options->names[0] = options->names[1] = "untuned";
  if (!options->names[0] || !options->names[1])
    die("%swhich after? Name files or 'untuned', or --library A --library B",
        options->names[0] ? "" : "which before?; ");
  if (two && (options->place.command || options->place.slurm))
    die("--launcher: each --library says what starts its ranks");
  if (two && options->margin == 0)
    options->margin = DEFAULT_MARGIN_PERCENT / 100.0;
  if (options->margin > 0 && options->mended)
    die("--output mends by what is won and lost, without verdicts: without --within and --library A --library B");
}

static void check_usage(void *values)
{
  struct compare_options *options = values;
  check_libraries(options);
  if (options->flavor && strcmp(options->flavor, "mpich") != 0 && strcmp(options->flavor, "openmpi") != 0)
    die("--flavor is mpich or openmpi: nothing else reads tuning files");
  if (options->mended && (!compare_is_untuned(options->names[0]) || compare_is_untuned(options->names[1])))
    die("--output mends AFTER, a file, where it loses against the library left alone: BEFORE must be 'untuned'");
  if (options->keep_unclear && !options->mended)
    die("--keep-unclear goes with --output");
}

static const char *const schemes[] = {"occ", "window", NULL};

static const struct option_row option_table[] = {
    OPTION_BEGIN(set_defaults),
    OPTION_HEADING("Sides:"),
    OPTION_STRINGS("library", "NAME=WORDS", struct compare_options, libraries,
                   "twice: installations, each a prefix, or settings VARIABLE=VALUE and what starts its ranks "
                   "(docs/how-to/compare-versions.md); once: the library of the pairs in the store, and its version"),
    OPTION_HEADING("Points:"),
    OPTION_PARSE("collective", "LIST", struct compare_options, collectives, option_collectives,
                 "only these, separated by commas", .otherwise = "those that the files have rules for"),
    OPTION_NUMBERS("ranks", struct compare_options, ranks, tutti_experiment_parse_rank_count, "numbers of ranks",
                   .letter = 'P', .otherwise = "those measured in the store, or of the files' rules"),
    OPTION_NUMBERS("size", struct compare_options, sizes, tutti_size_parse,
                   "bytes of the message, or of one rank's block: 4..1MB*4; 8..1MB*4 ends with 512KB, its last step",
                   .letter = 's', .otherwise = "those measured in the store, or of the files' rules"),
    OPTION_FLAG("between", struct compare_options, between,
                "also the first and the last size of each rule that lie between them, and some within it"),
    OPTION_FLAG("unchanged", struct compare_options, unchanged,
                "also the points at which the file changes nothing: what having a file costs"),
    OPTION_NUMBER("root", "RANK", struct compare_options, root, "root of the operations that have one"),
    OPTION_HEADING("Measuring:"),
    OPTION_NUMBER("rounds", "N", struct compare_options, rounds, "pairs of launches for each number of ranks", .min = 1,
                  .max = TUTTI_TUNING_ROUNDS,
                  .otherwise = "4 more than any point needs to be significant; with --stored those of the store",
                  .everyday = true),
    OPTION_REAL("level", "PERCENT", struct compare_options, level,
                "probability that any point is called won or lost without a difference", .initial = "5", .scale = 0.01,
                .high = 50, .open = true),
    OPTION_REAL(
        "within", "PERCENT", struct compare_options, margin,
        "verdicts, after a control of BEFORE against itself: slower, faster, equal within so much, not measured",
        .otherwise = "5 with two --library, else won, lost and unclear", .scale = 0.01, .high = 100, .open = true),
    OPTION_NUMBER("seed", "N", struct compare_options, seed, "of the orders of launches and points", .initial = "1"),
    OPTION_WORD("scheme", struct compare_options, measure.scheme, schemes, "how a call is timed", .initial = "occ"),
    OPTION_NUMBER("repetitions", "N", struct compare_options, measure.repetitions_max,
                  "most repetitions of a point in a launch", .min = 1, .max = 1000000, .initial = "200"),
    OPTION_STRING("platform", "NAME", struct compare_options, platform, "the machine, as in the store",
                  .otherwise = "the only one of the library in the store, or the name of this host"),
    OPTION_PARSE("flavor", "mpich|openmpi", struct compare_options, flavor, option_flavor, "the library",
                 .otherwise = "that of the files"),
    OPTION_FLAG("stored", struct compare_options, stored, "launch nothing: judge the pairs in the store",
                .everyday = true),
    OPTION_TABLE(struct compare_options, launch, measuring_table),
    OPTION_HEADING("Of the store, where points are taken from, and with --stored the pairs:"),
    OPTION_TABLE(struct compare_options, among, environment_table),
    OPTION_HEADING("Output:"),
    OPTION_STRING("output", "FILE", struct compare_options, mended,
                  "write AFTER mended: only what is significantly faster, everywhere else the library's own choice",
                  .letter = 'o', .writes = WRITES_TEXT),
    OPTION_FLAG("keep-unclear", struct compare_options, keep_unclear, "keep of AFTER what is unclear, too"),
    OPTION_FLAG("pairs", struct compare_options, pairs, "print every pair of launches, too"),
    OPTION_FORMAT(struct compare_options, format),
    OPTION_LATEX(struct compare_options, format),
    OPTION_HEADING("Where the launches run (docs/how-to/clusters.md):"),
    OPTION_TABLE(struct compare_options, place, local_launch_table),
    ARGUMENT_STRING("BEFORE", struct compare_options, names[0], .optional = true),
    ARGUMENT_STRING("AFTER", struct compare_options, names[1], .optional = true),
    OPTION_CHECK(check_usage),
    OPTION_END};

/* Settings of a side that its library does not take. */
static void warn_of_settings(const struct tutti_installation *installation)
{
  const char *library = *installation->library ? installation->library : installation->flavor;
  tutti_library_version version;
  tutti_findings findings = {.count = 0};
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  for (const struct tutti_variable *each = installation->variables; each->name; each++)
    if (strncmp(each->name, "OMPI_MCA_", 9) == 0 || strncmp(each->name, "MPIR_CVAR_", 10) == 0) {
      char *value = tutti_xshell_quoted(each->value);
      fprintf(text.stream, "export %s=%s\n", each->name, value);
      free(value);
    }
  tutti_xclose_text(&text);
  if (tutti_library_version_parse(library, &version, NULL) == TUTTI_OK && text.length > 0)
    tutti_lint_text(text.text, text.length, installation->name, &version, &findings);
  for (size_t i = 0; i < findings.count; i++)
    tutti_say(stderr, "tutti: warning: library %s: %s: %s: %s %s\n", installation->name, findings.items[i].message,
              findings.items[i].code->title, findings.items[i].code->effect, findings.items[i].code->remedy);
  tutti_findings_free(&findings);
  free(text.text);
}

/* Measure these two sides: 0, 1 of the command line. */
static void compare_points(const struct compare_report *report, const int sides[2], tutti_tuning_comparison *found)
{
  const struct compare_options *options = report->options;
  const struct tutti_installation *installations = report->installations;
  const char *name = tutti_experiment_program(report->experiment);
  const bool again = options->margin > 0 && sides[0] != sides[1]; /* after the control */
  struct progress_display display = progress_display_open(options->launch.quiet);
  char *program = program_find(&options->launch, report->experiment->flavor, name);
  char *after = program_find(&options->launch, installations[sides[1]].flavor, name);
  const tutti_run_options run = {.database = options->launch.database,
                                 .program = program,
                                 .launch = options->place,
                                 .jobs = 1,
                                 .again = again,
                                 .quiet = options->launch.quiet,
                                 .job_timeout = options->launch.job_timeout,
                                 .report = progress_display_show,
                                 .context = &display};
  tutti_tuning_comparison_request request = {.experiment = report->experiment,
                                             .run = &run,
                                             .program_after = after,
                                             .margin = options->margin,
                                             .rounds = options->rounds,
                                             .seed = options->seed,
                                             .level = options->level,
                                             .stored = options->stored,
                                             .again = again,
                                             .unchanged =
                                                 options->unchanged || options->margin > 0, /* as in the control */
                                             .among = &options->among};
  for (int i = 0; i < 2; i++) {
    const char *file = options->names[sides[i]];
    request.files[i] = compare_is_untuned(file) ? NULL : file;
    request.installations[i] = installations[sides[i]].name ? &installations[sides[i]] : NULL;
  }
  const tutti_status status = tutti_tuning_compare(&request, found, &failure);
  free(program);
  free(after);
  progress_display_close(&display);
  failure_signal = found->signal;
  must(status);
}

static int report_all(const struct compare_report *report)
{
  if (report->options->margin > 0)
    compare_print_verdicts(report);
  else
    compare_print(report);
  if (report->options->mended)
    compare_mend(report);
  for (size_t i = 0; i < report->found->count; i++)
    if (report->found->points[i].outcome == TUTTI_LOST)
      return EXIT_FOUND;
  return EXIT_DONE;
}

static bool is_same_file(const char *one, const char *other)
{
  return strcmp(one, other) == 0 || (compare_is_untuned(one) && compare_is_untuned(other));
}

/* What cannot be told apart in the output, or differs in nothing. */
static void check_sides(const struct compare_options *options, const struct tutti_installation *sides)
{
  char digests[2][TUTTI_DIGEST_LENGTH];
  const bool same =
      strcmp(tutti_installation_digest(&sides[0], digests[0]), tutti_installation_digest(&sides[1], digests[1])) == 0;
  if (same && is_same_file(options->names[0], options->names[1]))
    die("--library %s, --library %s: both are the same, which the control compares anyway. Name another one; to "
        "compare "
        "it with itself once more, give one of them a variable that nothing reads: --library 'again=AGAIN=1 ...'",
        sides[0].name, sides[1].name);
  if (strcmp(sides[0].name, sides[1].name) == 0)
    die("--library: two are named '%s': give each a name of its own, --library old=... --library new=...",
        sides[0].name);
}

static int run_compare(void *values)
{
  const struct compare_options *options = values;
  tutti_experiment experiment;
  tutti_tuning_comparison found = {.count = 0}, control = {.count = 0};
  struct tutti_installation installations[2] = {{.name = NULL}, {.name = NULL}};
  const struct compare_report report = {options, &experiment, &found, installations, &control};
  for (int i = 0; i < 2 && options->libraries.count == 2; i++) {
    must(tutti_installation_parse(options->libraries.items[i], options->flavor, &installations[i], &failure));
    warn_of_settings(&installations[i]);
  }
  if (options->libraries.count == 2)
    check_sides(options, installations);
  compare_plan(options, installations[0].flavor, &experiment);
  if (options->margin > 0)
    compare_points(&report, (const int[]){0, 0}, &control);
  compare_points(&report, (const int[]){0, 1}, &found);
  compare_hold_back(&control, &found);
  int code = report_all(&report);
  tutti_tuning_comparison_free(&control);
  tutti_tuning_comparison_free(&found);
  tutti_experiment_free(&experiment);
  for (int i = 0; i < 2; i++)
    tutti_installation_free(&installations[i]);
  return found.signal ? 128 + found.signal : code;
}

DEFINE_COMMAND(compare, "compare", option_table, struct compare_options, run_compare);
