/* tutti fit: parameters of a platform file by least squares from points that were measured on the machine. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/command.h"
#include "cli/fit/accuracy.h"
#include "cli/fit/least_squares.h"
#include "cli/fit/spread.h"
#include "cli/options/common.h"
#include "cli/output/output.h"

enum { USUAL_POINTS = 20 };

struct fit_options {
  struct accuracy_options common;
  const char *output;
  int points;
  struct option_strings varied;
  bool check;
};

static void check_options(void *values)
{
  const struct fit_options *chosen = values;
  const struct accuracy_options *common = &chosen->common;
  if (chosen->check && (chosen->varied.count > 0 || chosen->output || chosen->points > 0))
    die("--check fits nothing: leave out --%s", chosen->output ? "output" : chosen->points > 0 ? "points" : "vary");
  if (!chosen->check && (common->fitted > 0 || common->unfitted || common->per_algorithm))
    die("--%s is for --check", common->unfitted ? "unfitted" : common->per_algorithm ? "per-algorithm" : "fitted");
}

static const struct option_row options[] = {
    OPTION_HEADING("The points:"),
    OPTION_TABLE(struct fit_options, common.filter, points_table),
    OPTION_NUMBER("points", "N", struct fit_options, points,
                  "fit to so many of them at most, evenly over sizes, ranks and methods (default: 20)", .min = 1,
                  .max = 10000),
    OPTION_TABLE(struct fit_options, common.placement, placement_table),
    OPTION_HEADING("The parameters:"),
    OPTION_STRINGS(
        "vary", "EDIT=LOW..HIGH", struct fit_options, varied,
        "multiply what an edit means (latency, or an XPath as for tutti whatif) by a factor between these, or "
        "only the number at a place of a value with several, EDIT#PLACE=LOW..HIGH; again for others"),
    OPTION_HEADING("How near the simulated times are:"),
    OPTION_FLAG("check", struct fit_options, check,
                "fit nothing: print the errors of the times and of the choices by them, for all points"),
    OPTION_NUMBER("fitted", "N", struct fit_options, common.fitted,
                  "leave out of the errors the points to which tutti fit --points N fits with the same options",
                  .max = 10000, .otherwise = "none"),
    OPTION_FLAG("unfitted", struct fit_options, common.unfitted,
                "leave out of the errors the points that the platform says it was fitted to"),
    OPTION_FLAG("per-algorithm", struct fit_options, common.per_algorithm,
                "correct the times for each algorithm and size, as the points of the fit say"),
    OPTION_HEADING("Output:"),
    OPTION_OUTPUT(struct fit_options, output),
    OPTION_FORMAT(struct fit_options, common.format),
    ARGUMENT_STRING("PLATFORM", struct fit_options, common.platform),
    OPTION_CHECK(check_options),
    OPTION_END};

struct fit {
  const struct fit_options *options;
  char *path; /* of the platform */
  tutti_platform platform;
  struct fit_points points;
  struct placement placement;
  struct fit_parameters parameters;
  size_t left_out; /* points without a schedule */
  double before;   /* sum of squares with all factors 1 */
  struct least_squares_fit result;
};

/* ---- simulating ---- */

static void set_factors(struct fit *fit, const double *logarithms)
{
  for (size_t i = 0; i < fit->parameters.count; i++)
    fit->parameters.items[i].factor = exp(logarithms[i]);
}

static tutti_status find_residuals(void *context, const double *x, double *residuals, tutti_error *error)
{
  struct fit *fit = context;
  struct fit_edits edits = {.count = 0};
  set_factors(fit, x);
  fit_parameters_edits(&fit->parameters, &edits);
  struct fit_machines machines = {.path = fit->path, .edits = &edits};
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < fit->points.count && status == TUTTI_OK; i++) {
    struct fit_point *point = &fit->points.items[i];
    status = fit_machines_simulate(&machines, point, error);
    residuals[i] = log(point->seconds / point->measured.median);
  }
  fit_machines_free(&machines);
  fit_edits_free(&edits);
  return status;
}

/* ---- fitting ---- */

static tutti_status solve(struct fit *fit, tutti_error *error)
{
  const size_t n = fit->parameters.count, points = fit->points.count;
  double *memory = tutti_xcalloc(4 * n + points, sizeof *memory), *low = memory + 2 * n, *high = memory + 3 * n;
  const struct least_squares problem = {.parameters = (int)n,
                                        .points = (int)points,
                                        .low = low,
                                        .high = high,
                                        .step = 0.02,
                                        .max_rounds = 30,
                                        .function = find_residuals,
                                        .context = fit};
  fit->result = (struct least_squares_fit){.x = memory, .errors = memory + n, .residuals = memory + 4 * n};
  for (size_t i = 0; i < n; i++) {
    low[i] = log(fit->parameters.items[i].low);
    high[i] = log(fit->parameters.items[i].high);
  }
  tutti_status status = find_residuals(fit, fit->result.x, fit->result.residuals, error);
  for (size_t i = 0; i < points && status == TUTTI_OK; i++)
    fit->before += fit->result.residuals[i] * fit->result.residuals[i];
  if (status == TUTTI_OK)
    status = least_squares_solve(&problem, &fit->result, error);
  set_factors(fit, fit->result.x);
  for (size_t i = 0; i < n; i++)
    fit->parameters.items[i].error = fit->result.errors[i];
  for (size_t i = 0; i < points && status == TUTTI_OK; i++)
    fit->points.items[i].seconds = fit->points.items[i].measured.median * exp(fit->result.residuals[i]);
  return status;
}

/* The name under which it was measured. */
static const char *machine_of(const struct fit *fit)
{
  return fit->options->common.filter.machine ? fit->options->common.filter.machine : fit->platform.name;
}

static void read_points(struct fit *fit)
{
  struct fit_points *points = &fit->points;
  fit_points_read(&fit->options->common.filter, fit->platform.name, points);
  fit->left_out = fit_points_choose(points, fit->options->points > 0 ? (size_t)fit->options->points : USUAL_POINTS);
  if (points->count <= fit->parameters.count)
    die("%zu points do not fix %zu parameters: more points are needed", points->count, fit->parameters.count);
  placement_read(&fit->options->common.placement, fit->path, &fit->placement);
  for (size_t i = 0; i < points->count; i++)
    placement_find(&fit->placement, machine_of(fit), &points->items[i]);
}

static void read_parameters(struct fit *fit)
{
  const struct option_strings *varied = &fit->options->varied;
  if (varied->count == 0)
    die("no parameter given: use --vary latency=0.1..10");
  for (size_t i = 0; i < varied->count; i++)
    fit_parameter_parse(varied->items[i], fit->path, &fit->parameters);
}

/* ---- the fitted file ---- */

/* What a comment may hold. */
static void print_comment_text(FILE *stream, const char *text)
{
  for (; *text; text++)
    if (text[0] != '-' || text[1] != '-')
      fputc(*text, stream);
}

static void print_comment(const struct fit *fit, FILE *stream)
{
  fprintf(stream, "<!-- Fitted by tutti fit to %zu measured points of ", fit->points.count);
  print_comment_text(stream, machine_of(fit));
  fprintf(stream, "; mean error %.1f %%.", fit_mean_error(fit->result.sum, fit->points.count));
  for (size_t i = 0; i < fit->parameters.count; i++) {
    const struct fit_parameter *parameter = &fit->parameters.items[i];
    fputs("\n     ", stream);
    print_comment_text(stream, parameter->text);
    fprintf(stream, ": times %.4g (standard error %.1f %%)", parameter->factor, 100 * parameter->error);
  }
  fputs(" -->\n", stream);
}

/* "fit=" and how far the points are. */
static char *make_spread(const struct fit *fit)
{
  struct spread spread = {.parameters = (int)fit->parameters.count, .machine = tutti_xstrdup(machine_of(fit))};
  for (size_t i = 0; i < fit->points.count; i++) {
    const tutti_measurement *measured = &fit->points.items[i].measured;
    tutti_xpush(&spread, ((struct spread_point){.method = measured->method,
                                                .bytes = measured->total_bytes,
                                                .residual = -fit->result.residuals[i]}));
  }
  char *text = spread_format(&spread), *edit = tutti_xprintf("fit=%s", text);
  spread_free(&spread);
  free(text);
  return edit;
}

/* What was said of the machine stays, with the fit before it. */
static void write_platform(const struct fit *fit)
{
  struct fit_edits edits = {.count = 0};
  tutti_edited_platform edited;
  struct tutti_output output;
  fit_parameters_edits(&fit->parameters, &edits);
  if (edits.count == 0) {
    fit_edits_free(&edits);
    die("%s: the best factors are all 1, so there is nothing to write", fit->path);
  }
  if (fit->platform.description)
    tutti_xpush(&edits, tutti_xprintf("//prop[@id=\"tutti/description\"]=%s (fitted)", fit->platform.description));
  if (fit->points.count <= SPREAD_POINTS)
    tutti_xpush(&edits, make_spread(fit));
  must(tutti_platform_edit(fit->path, edits.items, (int)edits.count, &edited, &failure));
  fit_edits_free(&edits);
  output_begin(fit->options->output, &output);
  const char *root = strstr(edited.bytes, "<platform");
  const size_t head = (size_t)(root - edited.bytes);
  fwrite(edited.bytes, 1, head, output.stream);
  print_comment(fit, output.stream);
  fwrite(root, 1, edited.length - head, output.stream);
  output_end(&output);
  tutti_edited_platform_free(&edited);
}

static void fit_platform(const struct fit_options *chosen)
{
  struct fit fit = {.options = chosen};
  must(tutti_platform_find(chosen->common.platform, &fit.path, &failure));
  must(tutti_platform_read(fit.path, &fit.platform, &failure));
  read_parameters(&fit);
  read_points(&fit);
  must(solve(&fit, &failure));
  if (chosen->output)
    write_platform(&fit);
  fit_print(&(struct fit_report){.points = &fit.points,
                                 .parameters = &fit.parameters,
                                 .left_out = fit.left_out,
                                 .rounds = fit.result.rounds,
                                 .before = fit.before,
                                 .after = fit.result.sum},
            chosen->common.format);
  free(fit.result.x);
  fit_points_free(&fit.points);
  placement_free(&fit.placement);
  fit_parameters_free(&fit.parameters);
  tutti_platform_free(&fit.platform);
  free(fit.path);
}

static int run(void *values)
{
  const struct fit_options *chosen = values;
  if (chosen->check)
    accuracy_run(&chosen->common);
  else
    fit_platform(chosen);
  return EXIT_DONE;
}

extern const char tutti_help_fit[];

const struct command command_fit = {
    .name = "fit",
    .text = tutti_help_fit,
    .options = options,
    .size = sizeof(struct fit_options),
    .run = run,
};
