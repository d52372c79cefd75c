#include "harness/experiments/calibrate/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const char *tutti_fit_machine(const struct fit_request *request)
{
  return request->filter.machine ? request->filter.machine : request->platform.name;
}

double tutti_fit_mean_error(double sum, size_t points)
{
  return 100 * (exp(sqrt(sum / (double)points)) - 1);
}

/* ---- points ---- */

static tutti_status place_points(const struct fit_request *request, struct placement *placement,
                                 struct fit_points *points, tutti_error *error)
{
  tutti_status status = tutti_placement_read(&request->placement, request->platform.path, placement, error);
  for (size_t i = 0; i < points->count && status == TUTTI_OK; i++)
    status = tutti_placement_find(placement, tutti_fit_machine(request), &points->items[i], error);
  return status;
}

static tutti_status read_points(struct fit *fit, size_t most, tutti_error *error)
{
  const struct fit_request *request = fit->request;
  const tutti_status status = tutti_fit_points_read(&request->filter, request->platform.name, &fit->points, error);
  if (status != TUTTI_OK)
    return status;
  fit->left_out = tutti_fit_points_choose(&fit->points, most);
  if (fit->points.count <= fit->parameters.count)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%zu points do not fix %zu parameters: more points are needed",
                      fit->points.count, fit->parameters.count);
  return place_points(request, &fit->placement, &fit->points, error);
}

/* ---- fit ---- */

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
  tutti_fit_parameters_edits(&fit->parameters, &edits);
  struct fit_machines machines = {.path = fit->request->platform.path, .edits = &edits};
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < fit->points.count && status == TUTTI_OK; i++) {
    struct fit_point *point = &fit->points.items[i];
    status = tutti_fit_machines_simulate(&machines, point, error);
    residuals[i] = log(point->seconds / point->measured.median);
  }
  tutti_fit_machines_free(&machines);
  tutti_fit_edits_free(&edits);
  return status;
}

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
  const tutti_status status = tutti_least_squares(&problem, &fit->result, error);
  set_factors(fit, fit->result.x);
  for (size_t i = 0; i < n; i++)
    fit->parameters.items[i].error = fit->result.errors[i];
  for (size_t i = 0; i < points; i++)
    fit->points.items[i].seconds = fit->points.items[i].measured.median * exp(fit->result.residuals[i]);
  return status;
}

tutti_status tutti_fit(const struct fit_request *request, const char *const *parameters, size_t count, size_t most,
                       struct fit *fit, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  fit->request = request;
  for (size_t i = 0; i < count && status == TUTTI_OK; i++)
    status = tutti_fit_parameter_parse(parameters[i], request->platform.path, &fit->parameters, error);
  if (status == TUTTI_OK)
    status = read_points(fit, most, error);
  return status == TUTTI_OK ? solve(fit, error) : status;
}

void tutti_fit_free(struct fit *fit)
{
  free(fit->result.x);
  tutti_fit_points_free(&fit->points);
  tutti_placement_free(&fit->placement);
  tutti_fit_parameters_free(&fit->parameters);
}

/* ---- the fitted file ---- */

/* A comment may not hold two dashes. */
static void write_comment_text(FILE *stream, const char *text)
{
  for (; *text; text++)
    if (text[0] != '-' || text[1] != '-')
      fputc(*text, stream);
}

static void write_comment(const struct fit *fit, FILE *stream)
{
  fprintf(stream, "<!-- Fitted by tutti fit to %zu measured points of ", fit->points.count);
  write_comment_text(stream, tutti_fit_machine(fit->request));
  fprintf(stream, "; mean error %.1f %%.", tutti_fit_mean_error(fit->result.sum, fit->points.count));
  for (size_t i = 0; i < fit->parameters.count; i++) {
    const struct fit_parameter *parameter = &fit->parameters.items[i];
    fputs("\n     ", stream);
    write_comment_text(stream, parameter->text);
    fprintf(stream, ": times %.4g (standard error %.1f %%)", parameter->factor, 100 * parameter->error);
  }
  fputs(" -->\n", stream);
}

/* "fit=" and the spread of the points. */
static char *make_spread(const struct fit *fit)
{
  struct spread spread = {.parameters = (int)fit->parameters.count,
                          .machine = tutti_xstrdup(tutti_fit_machine(fit->request))};
  for (size_t i = 0; i < fit->points.count; i++) {
    const tutti_measurement *measured = &fit->points.items[i].measured;
    tutti_xpush(&spread, ((struct spread_point){.method = measured->method,
                                                .bytes = measured->total_bytes,
                                                .residual = -fit->result.residuals[i]}));
  }
  char *text = tutti_spread_format(&spread), *edit = tutti_xprintf("fit=%s", text);
  tutti_spread_free(&spread);
  free(text);
  return edit;
}

/* The comment stands before the root element. */
static char *add_comment(const struct fit *fit, const tutti_edited_platform *edited)
{
  struct tutti_text_stream text;
  const char *root = strstr(edited->bytes, "<platform");
  const size_t head = (size_t)(root - edited->bytes);
  tutti_xopen_text(&text);
  fwrite(edited->bytes, 1, head, text.stream);
  write_comment(fit, text.stream);
  fwrite(root, 1, edited->length - head, text.stream);
  return tutti_xclose_text(&text);
}

tutti_status tutti_fit_format(const struct fit *fit, char **text, tutti_error *error)
{
  const tutti_platform *platform = &fit->request->platform;
  struct fit_edits edits = {.count = 0};
  tutti_edited_platform edited;
  tutti_fit_parameters_edits(&fit->parameters, &edits);
  if (edits.count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: the best factors are all 1, so there is nothing to write",
                      platform->path);
  if (platform->description)
    tutti_xpush(&edits, tutti_xprintf("//prop[@id=\"tutti/description\"]=%s (fitted)", platform->description));
  if (fit->points.count <= SPREAD_POINTS)
    tutti_xpush(&edits, make_spread(fit));
  const tutti_status status = tutti_platform_edit(platform->path, edits.items, (int)edits.count, &edited, error);
  tutti_fit_edits_free(&edits);
  if (status != TUTTI_OK)
    return status;
  *text = add_comment(fit, &edited);
  tutti_edited_platform_free(&edited);
  return TUTTI_OK;
}

/* ---- check ---- */

/* Times come from the store, so that equal points have equal bits. */
static bool has_point(const struct fit_points *points, const struct fit_point *point)
{
  for (size_t i = 0; i < points->count; i++)
    if (tutti_fit_point_compare(&points->items[i], point) == 0)
      return true;
  return false;
}

static tutti_status mark_fitted(const struct fit_request *request, size_t count, struct fit_points *points,
                                tutti_error *error)
{
  struct fit_points fitted = {.count = 0};
  const tutti_status status =
      count ? tutti_fit_points_read(&request->filter, request->platform.name, &fitted, error) : TUTTI_OK;
  tutti_fit_points_choose(&fitted, count);
  for (size_t i = 0; i < points->count; i++)
    points->items[i].fitted = has_point(&fitted, &points->items[i]);
  tutti_fit_points_free(&fitted);
  return status;
}

static tutti_status simulate(const struct fit_check *check, const struct spread *spread, struct fit_machines *machines,
                             struct fit_points *points, tutti_error *error)
{
  tutti_predictor hockney;
  tutti_status status = tutti_fit_model_read(machines, &hockney, error);
  for (size_t i = 0; i < points->count && status == TUTTI_OK; i++) {
    struct fit_point *point = &points->items[i];
    const tutti_measurement *measured = &point->measured;
    if (tutti_fit_point_check(point, NULL) != TUTTI_OK)
      continue;
    status = tutti_fit_machines_simulate(machines, point, error);
    tutti_fit_model_price(&hockney, point);
    point->fitted |= check->unfitted && tutti_spread_has(spread, &measured->method, measured->total_bytes,
                                                         log(measured->median / point->seconds));
    tutti_spread_apply(spread, check->per_algorithm, point);
    point->hosts = NULL; /* which are the placement's */
  }
  return status;
}

tutti_status tutti_fit_simulate(const struct fit_request *request, const struct fit_check *check,
                                const struct spread *spread, struct fit_points *points, tutti_error *error)
{
  struct fit_machines machines = {.path = request->platform.path};
  struct placement placement = {.files = NULL};
  tutti_status status = tutti_fit_points_read(&request->filter, request->platform.name, points, error);
  if (status == TUTTI_OK)
    status = mark_fitted(request, check->fitted, points, error);
  if (status == TUTTI_OK)
    status = place_points(request, &placement, points, error);
  if (status == TUTTI_OK)
    status = simulate(check, spread, &machines, points, error);
  tutti_fit_machines_free(&machines);
  tutti_placement_free(&placement);
  return status;
}
