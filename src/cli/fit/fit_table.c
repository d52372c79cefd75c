/* tutti fit: its tables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "cli/fit/fit.h"
#include "cli/output/output.h"

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

struct point_row {
  char method[TUTTI_METHOD_LENGTH];
  const char *run;
  int ranks, ranks_per_node;
  uint64_t bytes;
  double measured, simulated, error;
};

static const tutti_column point_columns[] = {
    {"method", "method", TUTTI_FIELD(struct point_row, method)},
    {"ranks", "ranks", TUTTI_FIELD(struct point_row, ranks)},
    {"on a node", "ranks_per_node", TUTTI_FIELD(struct point_row, ranks_per_node)},
    {"size", "total_B", TUTTI_FIELD(struct point_row, bytes), .unit = "B"},
    {"measured", "measured_s", TUTTI_FIELD(struct point_row, measured), .unit = "us", .scale = 1e6, .decimals = 2},
    {"simulated", "simulated_s", TUTTI_FIELD(struct point_row, simulated), .unit = "us", .scale = 1e6, .decimals = 2},
    {"error", "error_percent", TUTTI_FIELD(struct point_row, error), .unit = "%", .decimals = 1},
    {NULL, "settings", TUTTI_FIELD(struct point_row, run)},
};

static struct point_row *make_points(const struct fit_points *points)
{
  struct point_row *rows = tutti_xcalloc(points->count, sizeof *rows);
  for (size_t i = 0; i < points->count; i++) {
    const struct fit_point *point = &points->items[i];
    rows[i] = (struct point_row){.run = point->run,
                                 .ranks = point->measured.ranks,
                                 .ranks_per_node = point->measured.ranks_per_node,
                                 .bytes = point->measured.total_bytes,
                                 .measured = point->measured.median,
                                 .simulated = point->seconds,
                                 .error = 100 * (point->seconds / point->measured.median - 1)};
    tutti_method_format(&point->measured.method, rows[i].method);
  }
  return rows;
}

struct error_row {
  const char *method; /* NULL: a size */
  uint64_t bytes;
  size_t points;
  double mean, median; /* mean: of errors with their sign, how far the simulation is off on the whole */
};

static const tutti_column method_columns[] = {
    {"method", "method", TUTTI_FIELD(struct error_row, method)},
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

static bool is_of(const struct point_row *point, const struct point_row *first, bool by_method)
{
  return by_method ? strcmp(point->method, first->method) == 0 : point->bytes == first->bytes;
}

static bool is_new(const struct point_row *rows, size_t index, bool by_method)
{
  for (size_t i = 0; i < index; i++)
    if (is_of(&rows[i], &rows[index], by_method))
      return false;
  return true;
}

/* Errors of groups of points: rows in the order of their first points. */
static struct error_row *sum_up(const struct point_row *rows, size_t count, bool by_method, size_t *groups)
{
  struct error_row *sums = tutti_xcalloc(count, sizeof *sums);
  double *errors = tutti_xcalloc(count, sizeof *errors);
  *groups = 0;
  for (size_t first = 0; first < count; first++) {
    struct error_row sum = {.method = by_method ? rows[first].method : NULL, .bytes = rows[first].bytes};
    double logarithms = 0;
    if (!is_new(rows, first, by_method))
      continue;
    for (size_t i = first; i < count; i++)
      if (is_of(&rows[i], &rows[first], by_method)) {
        logarithms += log1p(rows[i].error / 100);
        errors[sum.points++] = fabs(rows[i].error);
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
  struct point_row *points = make_points(&fit->points);
  struct error_row *by_method = sum_up(points, count, true, &methods), *by_size = sum_up(points, count, false, &sizes);
  const struct fact_row about = {.points = count,
                                 .left_out = fit->left_out,
                                 .rounds = fit->result.rounds,
                                 .before = tutti_fit_mean_error(fit->result.before, count),
                                 .after = tutti_fit_mean_error(fit->result.sum, count)};
  const tutti_table tables[] = {
      {.key = "fitted_parameters", TUTTI_COLUMNS(parameter_columns), TUTTI_ROWS(varied, parameters)},
      {.key = "fitted_points", TUTTI_COLUMNS(point_columns), TUTTI_ROWS(points, count)},
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
  free(points);
  free(by_method);
  free(by_size);
}
