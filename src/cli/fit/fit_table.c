/* tutti fit: its tables. */
#include <math.h>

#include "base/numbers.h"
#include "cli/fit/fit.h"
#include "cli/output/output.h"
#include "harness/experiments/calibrate/choices.h"

/* ---- --check: a row a collective and one for all of them ---- */

struct row {
  const char *collective;
  struct fit_errors errors;
  double best, within_5, within_10; /* shares of the places */
  struct fit_choices choices;
  char single[TUTTI_METHOD_LENGTH];
};

#define PERCENT(member) TUTTI_FIELD(struct row, member), .unit = "%", .decimals = 1
#define SHARE(member)   TUTTI_FIELD(struct row, member), .unit = "%", .scale = 100, .decimals = 1

static const tutti_column columns[] = {
    {"collective", "collective", TUTTI_FIELD(struct row, collective)},
    {"points", "points", TUTTI_FIELD(struct row, errors.points)},
    {"median error", "median_error_percent", PERCENT(errors.median)},
    {"ranks' correlation", "rank_correlation", TUTTI_FIELD(struct row, errors.correlation), .decimals = 3},
    {"inside", "inside_share", SHARE(errors.inside)},
    {"choices", "choice_count", TUTTI_FIELD(struct row, choices.places)},
    {"best", "best_share", SHARE(best)},
    {"within 5 %", "within_5_share", SHARE(within_5)},
    {"within 10 %", "within_10_share", SHARE(within_10)},
    {"penalty", "mean_percent", PERCENT(choices.chosen.mean)},
    {"median", "median_percent", PERCENT(choices.chosen.median)},
    {"among simulated", "simulated_mean_percent", PERCENT(choices.among.mean)},
    {"median", "simulated_median_percent", PERCENT(choices.among.median)},
    {"library's", "library_mean_percent", PERCENT(choices.native.mean)},
    {"median", "library_median_percent", PERCENT(choices.native.median)},
    {"Hockney's", "hockney_mean_percent", PERCENT(choices.model.mean)},
    {"median", "hockney_median_percent", PERCENT(choices.model.median)},
    {"single", "single_mean_percent", PERCENT(choices.single_mean)},
    {"best single method", "single_method", TUTTI_FIELD(struct row, single)},
};

static struct row make_row(const struct fit_points *points, tutti_collective collective)
{
  struct row row = {.collective = collective == TUTTI_COLL_COUNT ? "all" : tutti_collective_name(collective),
                    .errors = tutti_fit_errors(points, collective),
                    .choices = tutti_fit_choose(points, collective),
                    .single = "-"};
  const double share = row.choices.places ? 1 / (double)row.choices.places : NAN;
  row.best = share * (double)row.choices.best;
  row.within_5 = share * (double)row.choices.within_5;
  row.within_10 = share * (double)row.choices.within_10;
  if (!isnan(row.choices.single_mean))
    tutti_method_format(&row.choices.single, row.single);
  return row;
}

static bool has_any(const struct fit_points *points, int collective)
{
  for (size_t i = 0; i < points->count; i++)
    if ((int)points->items[i].measured.method.algorithm->collective == collective)
      return true;
  return false;
}

void accuracy_print(const struct fit_points *points, tutti_format format)
{
  struct row rows[TUTTI_COLL_COUNT + 1];
  int count = 0;
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (has_any(points, c))
      rows[count++] = make_row(points, (tutti_collective)c);
  rows[count++] = make_row(points, TUTTI_COLL_COUNT);
  const tutti_table table = {.key = "accuracies", TUTTI_COLUMNS(columns), TUTTI_ROWS(rows, count)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  must(tutti_document_print(&document, format, stdout, &failure));
}

/* ---- parameters ---- */

struct parameter_row {
  const char *name, *before;
  char *after;
  double factor, error, low, high;
  const char *remark;
};

static const tutti_column parameter_columns[] = {
    {"parameter", "parameter", TUTTI_FIELD(struct parameter_row, name)},
    {"before", "before", TUTTI_FIELD(struct parameter_row, before)},
    {"after", "after", TUTTI_FIELD(struct parameter_row, after)},
    {"factor", "factor", TUTTI_FIELD(struct parameter_row, factor), .significant = 4},
    {"+-", "error_percent", TUTTI_FIELD(struct parameter_row, error), .unit = "%", .decimals = 1},
    {"least", "low", TUTTI_FIELD(struct parameter_row, low), .significant = 4},
    {"most", "high", TUTTI_FIELD(struct parameter_row, high), .significant = 4},
    {"", "remark", TUTTI_FIELD(struct parameter_row, remark), .none = ""},
};

static const char *remark_on(const struct fit_parameter *parameter)
{
  if (!isfinite(parameter->error))
    return "the points do not depend on it";
  if (parameter->factor < parameter->low * 1.0001 || parameter->factor > parameter->high * 0.9999)
    return "at a bound";
  return parameter->error > 1 ? "hardly fixed by the points" : NULL;
}

static struct parameter_row *make_parameters(const struct fit_parameters *parameters)
{
  struct parameter_row *rows = tutti_xcalloc(parameters->count, sizeof *rows);
  for (size_t i = 0; i < parameters->count; i++) {
    const struct fit_parameter *each = &parameters->items[i];
    rows[i] = (struct parameter_row){.name = each->text,
                                     .before = each->before,
                                     .after = each->place ? tutti_fit_parameter_value(parameters, each)
                                                          : tutti_xprintf("times %.4g", each->factor),
                                     .factor = each->factor,
                                     .error = 100 * each->error,
                                     .low = each->low,
                                     .high = each->high,
                                     .remark = remark_on(each)};
  }
  return rows;
}

/* ---- points, and sums over them ---- */

static double error_of(const struct fit_point *point)
{
  return 100 * (point->seconds / point->measured.median - 1);
}

TUTTI_GETTER(get_error, struct fit_point, error_of(row))

static const tutti_column point_columns[] = {
    {"method", "method", .at = offsetof(struct fit_point, measured.method), .get = cell_method},
    {"ranks", "ranks", TUTTI_FIELD(struct fit_point, measured.ranks)},
    {"on a node", "ranks_per_node", TUTTI_FIELD(struct fit_point, measured.ranks_per_node)},
    {"size", "total_B", TUTTI_FIELD(struct fit_point, measured.total_bytes), .unit = "B"},
    {"measured", "measured_s", TUTTI_FIELD(struct fit_point, measured.median), .unit = "us", .scale = 1e6,
     .decimals = 2},
    {"simulated", "simulated_s", TUTTI_FIELD(struct fit_point, seconds), .unit = "us", .scale = 1e6, .decimals = 2},
    {"error", "error_percent", .get = get_error, .unit = "%", .decimals = 1, .alignment = TUTTI_ALIGN_RIGHT},
    {NULL, "settings", TUTTI_FIELD(struct fit_point, run)},
};

/* Errors of the points of a method, or of a size. */
struct error_row {
  tutti_method method;
  uint64_t bytes;
  size_t points;
  double mean, median; /* mean: of errors with their sign, how far the simulation is off on the whole */
};

static const tutti_column method_columns[] = {
    {"method", "method", .at = offsetof(struct error_row, method), .get = cell_method},
    {"points", "points", TUTTI_FIELD(struct error_row, points)},
    {"on the whole", "bias_percent", TUTTI_FIELD(struct error_row, mean), .unit = "%", .decimals = 1},
    {"median error", "median_error_percent", TUTTI_FIELD(struct error_row, median), .unit = "%", .decimals = 1},
};

static const tutti_column size_columns[] = {
    {"size", "total_B", TUTTI_FIELD(struct error_row, bytes), .unit = "B"},
    {"points", "points", TUTTI_FIELD(struct error_row, points)},
    {"on the whole", "bias_percent", TUTTI_FIELD(struct error_row, mean), .unit = "%", .decimals = 1},
    {"median error", "median_error_percent", TUTTI_FIELD(struct error_row, median), .unit = "%", .decimals = 1},
};

static bool is_of(const struct fit_point *point, const struct fit_point *first, bool by_method)
{
  return by_method ? tutti_method_compare(&point->measured.method, &first->measured.method) == 0
                   : point->measured.total_bytes == first->measured.total_bytes;
}

static bool is_new(const struct fit_point *points, size_t index, bool by_method)
{
  for (size_t i = 0; i < index; i++)
    if (is_of(&points[i], &points[index], by_method))
      return false;
  return true;
}

/* Errors of groups of points: rows in the order of their first points. */
static struct error_row *sum_up(const struct fit_points *points, bool by_method, size_t *groups)
{
  struct error_row *sums = tutti_xcalloc(points->count, sizeof *sums);
  double *errors = tutti_xcalloc(points->count, sizeof *errors);
  *groups = 0;
  for (size_t first = 0; first < points->count; first++) {
    const tutti_measurement *measured = &points->items[first].measured;
    struct error_row sum = {.method = measured->method, .bytes = measured->total_bytes};
    double logarithms = 0;
    if (!is_new(points->items, first, by_method))
      continue;
    for (size_t i = first; i < points->count; i++)
      if (is_of(&points->items[i], &points->items[first], by_method)) {
        logarithms += log1p(error_of(&points->items[i]) / 100);
        errors[sum.points++] = fabs(error_of(&points->items[i]));
      }
    tutti_doubles_sort(errors, sum.points);
    sum.mean = 100 * expm1(logarithms / (double)sum.points);
    sum.median = tutti_doubles_median(errors, sum.points);
    sums[(*groups)++] = sum;
  }
  free(errors);
  return sums;
}

/* ---- all of it ---- */

struct fact_row {
  size_t points, left_out;
  int rounds;
  double before, after;
};

static const tutti_column facts[] = {
    {NULL, "fitted_point_count", TUTTI_FIELD(struct fact_row, points)},
    {NULL, "without_schedule", TUTTI_FIELD(struct fact_row, left_out)},
    {NULL, "rounds", TUTTI_FIELD(struct fact_row, rounds)},
    {NULL, "mean_error_before_percent", TUTTI_FIELD(struct fact_row, before)},
    {NULL, "mean_error_percent", TUTTI_FIELD(struct fact_row, after)},
};

void fit_print(const struct fit *fit, tutti_format format)
{
  const size_t count = fit->points.count, parameters = fit->parameters.count;
  size_t methods, sizes;
  struct parameter_row *varied = make_parameters(&fit->parameters);
  struct error_row *by_method = sum_up(&fit->points, true, &methods), *by_size = sum_up(&fit->points, false, &sizes);
  const struct fact_row about = {.points = count,
                                 .left_out = fit->left_out,
                                 .rounds = fit->result.rounds,
                                 .before = tutti_fit_mean_error(fit->result.before, count),
                                 .after = tutti_fit_mean_error(fit->result.sum, count)};
  const tutti_table tables[] = {
      {.key = "fitted_parameters", TUTTI_COLUMNS(parameter_columns), TUTTI_ROWS(varied, parameters)},
      {.key = "fitted_points", TUTTI_COLUMNS(point_columns), TUTTI_ROWS(fit->points.items, count)},
      {.key = "errors_by_method", TUTTI_COLUMNS(method_columns), TUTTI_ROWS(by_method, methods)},
      {.key = "errors_by_size", TUTTI_COLUMNS(size_columns), TUTTI_ROWS(by_size, sizes)},
  };
  const tutti_document document = {TUTTI_FACTS(facts, &about), TUTTI_TABLES(tables)};
  if (format == TUTTI_FORMAT_TEXT)
    printf("%zu points fitted in %d rounds: mean error %.1f %%, %.1f %% before\n", count, about.rounds, about.after,
           about.before);
  must(tutti_document_print(&document, format, stdout, &failure));
  for (size_t i = 0; i < parameters; i++)
    free(varied[i].after);
  free(varied);
  free(by_method);
  free(by_size);
}
