/* tutti fit: parameters of a platform file by least squares from points that were measured on the machine. */
#include "cli/fit/fit.h"
#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/output/output.h"

enum { DEFAULT_POINTS = 20 };

const struct option_row placement_table[] = {
    OPTION_STRING(
        "allocation", "FILE", struct placement_files, allocation,
        "put ranks where the job had them: a line a job, whose last field lists its nodes in the order of the "
        "ranks, before that machine and run; with --levels",
        .otherwise = "ranks on consecutive nodes"),
    OPTION_STRING("levels", "FILE", struct placement_files, levels,
                  "the switch, cell or group of each node: a table with the headings first_node, last_node and those"),
    OPTION_END};

static void check_options(void *values)
{
  struct fit_options *chosen = values;
  struct point_filter *filter = &chosen->request.filter;
  if (chosen->check && (chosen->varied.count > 0 || chosen->output || chosen->points > 0))
    die("--check fits nothing: leave out --%s", chosen->output ? "output" : chosen->points > 0 ? "points" : "vary");
  if (!chosen->check && (chosen->fitted > 0 || chosen->unfitted || chosen->per_algorithm))
    die("--%s is for --check", chosen->unfitted ? "unfitted" : chosen->per_algorithm ? "per-algorithm" : "fitted");
  filter->settings = chosen->settings.items;
  filter->setting_count = chosen->settings.count;
  filter->ranks = chosen->ranks.items;
  filter->ranks_count = chosen->ranks.count;
}

static const struct option_row options[] = {
    OPTION_HEADING("The points:"),
    OPTION_STRING("from", "FILE", struct fit_options, request.filter.database, "the store with the measured points",
                  .initial = "results.db"),
    OPTION_STRING("machine", "NAME", struct fit_options, request.filter.machine,
                  "by which name the machine was measured", .otherwise = "the platform's"),
    OPTION_PARSE("collective", "LIST", struct fit_options, request.filter.collectives, option_collectives,
                 "only points of these collectives: bcast,allreduce", .otherwise = "all"),
    OPTION_NUMBERS("ranks", struct fit_options, ranks, tutti_experiment_parse_rank_count,
                   "only points of these numbers of ranks", .letter = 'P'),
    OPTION_NUMBER("ranks-per-node", "N", struct fit_options, request.filter.ranks_per_node,
                  "only points of so many ranks on a node", .min = 1, .otherwise = "any"),
    OPTION_SIZE("min-size", "BYTES", struct fit_options, request.filter.min_size,
                "only points whose message, or all blocks together, has so many bytes at least"),
    OPTION_SIZE("max-size", "BYTES", struct fit_options, request.filter.max_size, "or at most", .min = 1,
                .otherwise = "any"),
    OPTION_STRINGS("setting", "NAME=VALUE", struct fit_options, settings,
                   "only points measured under this setting, NAME= without any of that name; again for others"),
    OPTION_NUMBER("points", "N", struct fit_options, points,
                  "fit to so many of them at most, evenly over sizes, ranks and methods (default: 20)", .min = 1,
                  .max = 10000),
    OPTION_TABLE(struct fit_options, request.placement, placement_table),
    OPTION_HEADING("The parameters:"),
    OPTION_STRINGS(
        "vary", "EDIT=LOW..HIGH", struct fit_options, varied,
        "multiply what an edit means (latency, or an XPath as for tutti whatif) by a factor between these, or "
        "only the number at a place of a value with several, EDIT#PLACE=LOW..HIGH; again for others",
        .everyday = true),
    OPTION_HEADING("How near the simulated times are:"),
    OPTION_FLAG("check", struct fit_options, check,
                "fit nothing: print the errors of the times and of the choices by them, for all points",
                .everyday = true),
    OPTION_NUMBER("fitted", "N", struct fit_options, fitted,
                  "leave out of the errors the points to which tutti fit --points N fits with the same options",
                  .max = 10000, .otherwise = "none"),
    OPTION_FLAG("unfitted", struct fit_options, unfitted,
                "leave out of the errors the points that the platform says it was fitted to"),
    OPTION_FLAG("per-algorithm", struct fit_options, per_algorithm,
                "correct the times for each algorithm and size, as the points of the fit say"),
    OPTION_HEADING("Output:"),
    OPTION_OUTPUT(struct fit_options, output),
    OPTION_FORMAT(struct fit_options, format),
    ARGUMENT_STRING("PLATFORM", struct fit_options, platform),
    OPTION_CHECK(check_options),
    OPTION_END};

static void fit_platform(const struct fit_options *chosen)
{
  struct fit fit = {.left_out = 0};
  if (chosen->varied.count == 0)
    die("no parameter given: use --vary latency=0.1..10");
  must(tutti_fit(&chosen->request, chosen->varied.items, chosen->varied.count,
                 chosen->points > 0 ? (size_t)chosen->points : DEFAULT_POINTS, &fit, &failure));
  if (chosen->output) {
    char *text;
    struct tutti_output output;
    must(tutti_fit_format(&fit, &text, &failure));
    output_begin(chosen->output, &output);
    fputs(text, output.stream);
    output_end(&output);
    free(text);
  }
  fit_print(&fit, chosen->format);
  tutti_passed_print(chosen->request.placement.passed, stderr, 0);
  tutti_fit_free(&fit);
}

/* ---- --check ---- */

/* Print a note if the platform was not fitted to this machine or, if unknown, the machine has its own platform. */
static void note_other_machine(const char *machine, const tutti_platform *platform, const struct spread *spread)
{
  char *path = NULL;
  if (spread->machine && strcmp(machine, spread->machine) != 0)
    tutti_say(stderr, "tutti: note: the points are of %s, but %s was fitted to %s", machine, platform->name,
              spread->machine);
  else if (!spread->machine && strcmp(machine, platform->name) != 0 &&
           tutti_platform_find(machine, &path, NULL) == TUTTI_OK)
    tutti_say(stderr, "tutti: note: the points are of %s, whose platform is %s, but %s is simulated", machine, path,
              platform->name);
  else
    return;
  fputs(": the errors are also those between two machines\n", stderr);
  free(path);
}

static void check_platform(const struct fit_options *chosen)
{
  const struct fit_request *request = &chosen->request;
  const struct fit_check check = {
      .fitted = (size_t)chosen->fitted, .unfitted = chosen->unfitted, .per_algorithm = chosen->per_algorithm};
  struct spread spread = {.count = 0};
  struct fit_points points = {.count = 0};
  must(tutti_spread_read(&request->platform, check.per_algorithm || check.unfitted, &spread, &failure));
  must(tutti_fit_simulate(request, &check, &spread, &points, &failure));
  note_other_machine(tutti_fit_machine(request), &request->platform, &spread);
  accuracy_print(&points, chosen->format);
  tutti_passed_print(request->placement.passed, stderr, 0);
  tutti_fit_points_free(&points);
  tutti_spread_free(&spread);
}

static int fit_or_check(void *values)
{
  struct fit_options *chosen = values;
  tutti_passed passed = {.strict = false};
  chosen->request.placement.passed = &passed;
  must(platform_load(chosen->platform, &chosen->request.platform, &failure));
  if (chosen->check)
    check_platform(chosen);
  else
    fit_platform(chosen);
  tutti_passed_free(&passed);
  tutti_platform_free(&chosen->request.platform);
  return EXIT_DONE;
}

DEFINE_COMMAND(fit, "fit", options, struct fit_options, fit_or_check);
