/* tutti map: which method is best where. */
#include <unistd.h>

#include "cli/command.h"
#include "cli/map/map_report.h"
#include "cli/options/common.h"
#include "cli/options/comparisons.h"
#include "cli/output/output.h"
#include "cli/plot/plot.h"
#include "decision/maps/map.h"
#include "harness/experiments/calibrate/spread.h"

struct map_options {
  struct selection_options selection;
  tutti_collective collective;
  const char *plot;     /* NULL: no picture */
  const char *title;    /* of the picture */
  const char *decision; /* NULL: the best methods */
  const char *mine;     /* NULL: no method is set apart */
  const char *curves;   /* methods, with commas between them; NULL: a map */
  bool loss;
  bool times;
  bool gap;
  tutti_format format;
};

static void check_usage(void *values)
{
  struct map_options *chosen = values;
  if (chosen->loss && chosen->mine)
    die("--loss goes with --decision METHOD; --plot alone draws where --mine stands");
  if (chosen->loss && (!chosen->decision || !chosen->plot))
    die("--loss draws what a --decision loses to the --plot FILE");
  if (chosen->times && chosen->decision)
    die("--times shows the best methods, not a --decision");
  if (chosen->times && chosen->mine && (chosen->format == TUTTI_FORMAT_CSV || chosen->format == TUTTI_FORMAT_LATEX))
    die("--times and --mine are two tables, and --%s prints one of them",
        chosen->format == TUTTI_FORMAT_CSV ? "csv" : "latex");
  if (chosen->mine && chosen->decision)
    die("--mine shows a method among the best ones, not among a --decision");
  if (chosen->gap && (chosen->decision || chosen->mine || chosen->curves || chosen->times))
    die("--gap shows the best times beside their bounds, without --decision, --mine, --curves and --times");
  if (chosen->curves && (!chosen->plot || chosen->mine || chosen->decision))
    die("--curves draws to the --plot FILE, without --mine and --decision");
  gnuplot_check_title(chosen->title, chosen->plot, "plot");
  selection_need_store(&chosen->selection, chosen->collective);
}

static const struct option_row options[] = {
    OPTION_HEADING("Output:"),
    OPTION_STRING("decision", "DECISION", struct map_options, decision,
                  "show what runs where this decision (a file, a method, or library:NAME) picks methods instead"),
    OPTION_STRING("mine", "METHOD", struct map_options, mine,
                  "show where this method stands: its place at each point, how much more time it takes than the "
                  "fastest, and what it loses in all; a name without parameters, pipeline, is the fastest of all "
                  "forms that were measured, pipeline/none that without segments",
                  .everyday = true),
    OPTION_STRING("curves", "METHOD,...", struct map_options, curves,
                  "draw the times of these methods against the message size to the --plot FILE, both axes logarithmic, "
                  "a panel a number of ranks; names as those of --mine"),
    OPTION_FLAG(
        "gap", struct map_options, gap,
        "show how far the best time of each point is from the lower bound of any method, and which limit of the "
        "machine that is: rounds, distance, processor, injection, ejection, bisection or computation",
        .everyday = true),
    OPTION_FLAG("loss", struct map_options, loss,
                "draw what the decision loses, in percent of the best time, not what it picks"),
    OPTION_PARSE("plot", "FILE", struct map_options, plot, gnuplot_option,
                 "draw the map, where --mine stands, the --gap, or --curves, to FILE.svg, FILE.png or FILE.pdf too "
                 "(needs gnuplot)"),
    OPTION_TITLE(struct map_options, title),
    OPTION_FLAG(
        "times", struct map_options, times,
        "print the times of the best and the second best method of each point too; in JSON and CSV of all methods",
        .everyday = true),
    OPTION_FORMAT(struct map_options, format),
    OPTION_LATEX(struct map_options, format),
    OPTION_HEADING("Measurements:"),
    OPTION_NUMBERS("ranks", struct map_options, selection.ranks, tutti_experiment_parse_rank_count,
                   "only these numbers of ranks, of what was measured", .letter = 'P', .otherwise = "all"),
    OPTION_NUMBERS("size", struct map_options, selection.sizes, tutti_size_parse, "only these sizes, likewise",
                   .letter = 's', .otherwise = "all"),
    OPTION_TABLE(struct map_options, selection, optional_selection_table),
    ARGUMENT_PARSE("COLLECTIVE", struct map_options, collective, option_collective),
    OPTION_CHECK(check_usage),
    OPTION_END};

/* ---- what a decision picks, as a map of its own ---- */

/* What is picked, told its sides, or runs as its substitute; an algorithm of NULL: nothing. */
static void ask(const tutti_decision_map *map, const tutti_decision *decision, int ranks_index, int size_index,
                tutti_method *pick)
{
  const tutti_question question = tutti_decision_map_question(map, ranks_index, size_index);
  if (!decision->decide(decision, &question, pick)) {
    pick->algorithm = NULL;
    return;
  }
  tutti_decision_map_tell(map, question.ranks, pick);
  const int serving = tutti_decision_map_serving(map, ranks_index, size_index, pick);
  if (serving >= 0 && map->methods[serving].algorithm != pick->algorithm)
    *pick = map->methods[serving];
}

static void ask_all(const tutti_decision_map *map, const tutti_decision *decision, tutti_method *picks)
{
  for (int r = 0; r < map->ranks_count; r++)
    for (int s = 0; s < map->size_count; s++)
      ask(map, decision, r, s, picks++);
}

/* The distinct picks in order; returns how many. */
static int list_methods(const tutti_method *picks, size_t points, tutti_method *methods)
{
  size_t count = 0;
  int kept = 0;
  for (size_t i = 0; i < points; i++)
    if (picks[i].algorithm)
      methods[count++] = picks[i];
  qsort(methods, count, sizeof *methods, tutti_compare_methods);
  for (size_t i = 0; i < count; i++)
    if (kept == 0 || tutti_compare_methods(&methods[kept - 1], &methods[i]) != 0)
      methods[kept++] = methods[i];
  return kept;
}

/* A map with the same axes, the methods that are picked, no times, and the picks instead of the best methods. */
static void map_of_picks(const struct measured_map *measured, const tutti_decision *decision,
                         struct measured_map *picked)
{
  const tutti_decision_map *map = &measured->map;
  size_t points = tutti_decision_map_points(map);
  tutti_method *picks = tutti_xcalloc(points, sizeof *picks);
  tutti_decision_map named = *map;
  named.methods = tutti_xcalloc(points, sizeof *named.methods);
  ask_all(map, decision, picks);
  named.method_count = list_methods(picks, points, named.methods);
  *picked = *measured;
  picked->map = tutti_decision_map_copy_axes(&named, named.method_count);
  for (size_t i = 0; i < points; i++)
    picked->map.best[i] = picks[i].algorithm ? tutti_decision_map_find(&picked->map, &picks[i]) : -1;
  free(named.methods);
  free(picks);
}

/* ---- output ---- */

/* What is simulated on a fitted platform differs from the machine by a factor. */
static void print_fit(const struct map_report *report, const struct map_options *chosen)
{
  const char *name = chosen->selection.platform_argument;
  tutti_platform platform;
  struct spread spread = {.count = 0};
  if (!name || !*name || !tutti_flavor_is_simulated(report->measured->flavor) ||
      platform_load(name, &platform, NULL) != TUTTI_OK)
    return;
  if (tutti_spread_read(&platform, false, &spread, NULL) == TUTTI_OK && spread.count > 0) {
    const double factor = tutti_spread_predict(&spread, report->measured->map.methods, 0, 1, false).upper;
    printf("\n");
    print_sentence(2,
                   "Of a fitted platform: times are known to a factor of %.3g in %d of 100 cases; tutti predict says "
                   "which choices are too close to call.",
                   factor, SPREAD_LEVEL);
  }
  tutti_spread_free(&spread);
  tutti_platform_free(&platform);
}

static void print_compared(const struct map_report *report, const struct map_options *chosen)
{
  char *note = report->native ? NULL : comparisons_note(&chosen->selection, report->measured);
  if (note)
    print_sentence(4, "%s", note);
  free(note);
}

static void print_text(const struct map_report *report, const struct map_options *chosen)
{
  if (report->native)
    map_report_print_native(report);
  else
    map_report_print(report);
  if (!chosen->decision) {
    map_report_print_notes(report);
    print_fit(report, chosen);
    map_report_print_gains(report);
    print_compared(report, chosen);
  }
  if (report->mine.method.algorithm)
    map_mine_print(report);
  if (report->gaps)
    map_gap_print(report);
  if (chosen->times)
    map_report_print_times(report);
}

static void print_map(const struct map_report *report, const struct map_options *chosen)
{
  if (chosen->format == TUTTI_FORMAT_CSV || chosen->format == TUTTI_FORMAT_LATEX) {
    if (report->mine.method.algorithm)
      map_mine_write_table(report, chosen->format);
    else if (report->gaps)
      map_gap_write_table(report, chosen->format);
    else
      map_report_write_table(report, chosen->times, chosen->format);
    return;
  }
  if (chosen->format == TUTTI_FORMAT_TEXT) {
    print_text(report, chosen);
    return;
  }
  tutti_json json = tutti_json_begin(stdout);
  map_report_write_json(report, chosen->times, &json);
}

/* Where there is no choice, there is nothing to draw, and no method stands anywhere. */
static void check_choice(const struct map_report *report, const struct map_options *chosen)
{
  if (report->native && !chosen->curves && (chosen->plot || chosen->mine || chosen->gap))
    die("--%s: there is no map: %s/native alone was measured",
        chosen->plot   ? "plot"
        : chosen->mine ? "mine"
                       : "gap",
        tutti_collective_name(chosen->collective));
}

static void draw(const struct map_report *report, const struct map_options *chosen, const double *percents)
{
  if (chosen->curves)
    map_curves_plot(report, chosen->curves, &(struct option_numbers){0}, chosen->plot);
  else if (report->mine.method.algorithm)
    plot_map_mine(report, chosen->plot);
  else if (report->gaps)
    plot_map_gap(report, chosen->plot);
  else if (chosen->loss)
    plot_map_loss(report, percents, chosen->plot);
  else
    plot_map(report, chosen->plot);
}

static struct gap_point *find_gaps(const struct measured_map *measured, const struct map_options *chosen)
{
  struct gap_point *gaps = NULL;
  tutti_error reason;
  if (chosen->gap && map_gap_find(measured, chosen->selection.platform_argument,
                                  selection_patterns_are_none(&chosen->selection.patterns), &gaps, &reason) != TUTTI_OK)
    die("--gap: %s", reason.message);
  return gaps;
}

/* @p percents of what a decision loses, NULL for the best methods. */
static void show(const struct measured_map *measured, const struct map_options *chosen, const double *percents)
{
  struct map_report report = map_report_create(measured);
  report.decision = chosen->decision;
  report.title = chosen->title;
  if (report.decision && strrchr(report.decision, '/') && access(report.decision, F_OK) == 0)
    report.decision = strrchr(report.decision, '/') + 1; /* of a file its name without the directory */
  report.native = report.native && !report.decision;
  check_choice(&report, chosen);
  struct gap_point *gaps = find_gaps(measured, chosen);
  report.gaps = gaps;
  if (chosen->mine)
    map_mine_find(&measured->map, "mine", chosen->mine, &report.mine);
  print_map(&report, chosen);
  fflush(stdout); /* the text is printed even if the picture fails */
  if (chosen->plot)
    draw(&report, chosen, percents);
  map_report_free(&report);
  free(gaps);
}

static void show_decision(struct measured_map *measured, const struct map_options *chosen)
{
  const tutti_decision_map *map = &measured->map;
  tutti_decision decision;
  struct measured_map picked;
  must(decision_argument_read(chosen->decision, chosen->collective, &decision, &failure));
  selection_judge(&chosen->selection, decision.implementation, &decision, measured);
  double *percents = tutti_xcalloc(tutti_decision_map_points(map), sizeof *percents);
  for (int i = 0; i < map->ranks_count * map->size_count; i++)
    percents[i] = tutti_penalty_at(map, &decision, i / map->size_count, i % map->size_count).percent;
  map_of_picks(measured, &decision, &picked);
  show(&picked, chosen, percents);
  tutti_decision_map_free(&picked.map);
  free(percents);
  tutti_decision_free(&decision);
}

static int run_map(void *values)
{
  const struct map_options *chosen = values;
  struct measured_map measured;
  must(selection_read_map(&chosen->selection, chosen->collective, &measured, &failure));
  must(selection_mark_own_choice(&measured, &failure));
  if (chosen->decision)
    show_decision(&measured, chosen);
  else
    show(&measured, chosen, NULL);
  tutti_decision_map_free(&measured.map);
  return EXIT_DONE;
}

DEFINE_COMMAND(map, "map", options, struct map_options, run_map);
