/* Levenberg 1944, Marquardt 1963: steps between those of Gauss and Newton and those down the gradient. A parameter at a
   bound that would go beyond it is held there. */
#include "cli/fit/least_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const double FIRST_DAMPING = 1e-3, MAX_DAMPING = 1e8, ENOUGH = 1e-5;

struct work {
  const struct least_squares *problem;
  double *jacobian; /* [points * parameters] by points */
  double *normal;   /* [parameters * parameters] J^T J */
  double *system;   /* the same, damped, with the right side as one more column */
  double *gradient; /* [parameters] J^T r */
  double *tried, *residuals;
};

static double sum_of_squares(const double *values, int count)
{
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += values[i] * values[i];
  return sum;
}

/* Differences to the side where there is more room. */
static tutti_status differentiate(struct work *work, const struct least_squares_fit *fit, tutti_error *error)
{
  const struct least_squares *problem = work->problem;
  const int n = problem->parameters;
  tutti_status status = TUTTI_OK;
  for (int p = 0; p < n && status == TUTTI_OK; p++) {
    const double step = problem->high[p] - fit->x[p] >= fit->x[p] - problem->low[p] ? problem->step : -problem->step;
    memcpy(work->tried, fit->x, (size_t)n * sizeof *fit->x);
    work->tried[p] += step;
    status = problem->function(problem->context, work->tried, work->residuals, error);
    for (int i = 0; i < problem->points && status == TUTTI_OK; i++)
      work->jacobian[i * n + p] = (work->residuals[i] - fit->residuals[i]) / step;
  }
  return status;
}

static void multiply(struct work *work, const double *residuals)
{
  const int n = work->problem->parameters;
  memset(work->normal, 0, (size_t)(n * n) * sizeof *work->normal);
  memset(work->gradient, 0, (size_t)n * sizeof *work->gradient);
  for (int i = 0; i < work->problem->points; i++) {
    const double *row = &work->jacobian[i * n];
    for (int p = 0; p < n; p++) {
      work->gradient[p] += row[p] * residuals[i];
      for (int q = 0; q < n; q++)
        work->normal[p * n + q] += row[p] * row[q];
    }
  }
}

/* Whether it is at a bound that a step down the gradient would cross. */
static bool is_held(const struct work *work, const double *x, int p)
{
  return (x[p] <= work->problem->low[p] && work->gradient[p] > 0) ||
         (x[p] >= work->problem->high[p] && work->gradient[p] < 0);
}

/* Gauss's elimination with pivots of the n rows of n + 1 numbers; the last column becomes the solution. Columns without
   a pivot, which nothing depends on, become 0. */
static void eliminate(double *rows, int n)
{
  const int width = n + 1;
  for (int c = 0; c < n; c++) {
    int pivot = c;
    for (int r = c + 1; r < n; r++)
      if (fabs(rows[r * width + c]) > fabs(rows[pivot * width + c]))
        pivot = r;
    for (int k = 0; k < width && pivot != c; k++) {
      const double swapped = rows[c * width + k];
      rows[c * width + k] = rows[pivot * width + k];
      rows[pivot * width + k] = swapped;
    }
    const double most = rows[c * width + c];
    for (int r = 0; r < n; r++) {
      const double factor = r == c || most == 0 ? 0 : rows[r * width + c] / most;
      for (int k = c; k < width && factor != 0; k++)
        rows[r * width + k] -= factor * rows[c * width + k];
    }
  }
  for (int r = 0; r < n; r++)
    rows[r * width + n] = rows[r * width + r] == 0 ? 0 : rows[r * width + n] / rows[r * width + r];
}

/* The step of this damping, into tried; what is beyond a bound is brought to it. */
static void make_step(struct work *work, const double *x, double damping)
{
  const struct least_squares *problem = work->problem;
  const int n = problem->parameters, width = n + 1;
  for (int p = 0; p < n; p++) {
    const bool held = is_held(work, x, p);
    for (int q = 0; q < n; q++)
      work->system[p * width + q] = held || is_held(work, x, q) ? 0 : work->normal[p * n + q];
    work->system[p * width + p] = held ? 1 : work->normal[p * n + p] * (1 + damping) + damping * ENOUGH;
    work->system[p * width + n] = held ? 0 : -work->gradient[p];
  }
  eliminate(work->system, n);
  for (int p = 0; p < n; p++)
    work->tried[p] = fmin(fmax(x[p] + work->system[p * width + n], problem->low[p]), problem->high[p]);
}

/* Try steps, each shorter than the one before, until one is better. *better: there was one. */
static tutti_status improve(struct work *work, struct least_squares_fit *fit, double *damping, bool *better,
                            tutti_error *error)
{
  const struct least_squares *problem = work->problem;
  *better = false;
  for (; *damping < MAX_DAMPING && !*better; *damping *= *better ? 0.1 : 8) {
    make_step(work, fit->x, *damping);
    const tutti_status status = problem->function(problem->context, work->tried, work->residuals, error);
    if (status != TUTTI_OK)
      return status;
    const double sum = sum_of_squares(work->residuals, problem->points);
    *better = sum < fit->sum * (1 - ENOUGH);
    if (*better) {
      memcpy(fit->x, work->tried, (size_t)problem->parameters * sizeof *fit->x);
      memcpy(fit->residuals, work->residuals, (size_t)problem->points * sizeof *fit->residuals);
      fit->sum = sum;
    }
  }
  return TUTTI_OK;
}

/* The diagonal of the inverse of J^T J, column by column; what nothing depends on is not known. */
static void find_errors(struct work *work, struct least_squares_fit *fit)
{
  const int n = work->problem->parameters, width = n + 1, freedom = work->problem->points - n;
  const double variance = freedom > 0 ? fit->sum / freedom : INFINITY;
  for (int p = 0; p < n; p++) {
    for (int r = 0; r < n; r++) {
      memcpy(&work->system[r * width], &work->normal[r * n], (size_t)n * sizeof *work->normal);
      work->system[r * width + n] = r == p;
    }
    eliminate(work->system, n);
    const double inverse = work->system[p * width + n];
    fit->errors[p] = inverse > 0 && work->normal[p * n + p] > 0 ? sqrt(variance * inverse) : INFINITY;
  }
}

static tutti_status solve(struct work *work, struct least_squares_fit *fit, tutti_error *error)
{
  const struct least_squares *problem = work->problem;
  double damping = FIRST_DAMPING;
  bool better = true;
  tutti_status status = problem->function(problem->context, fit->x, fit->residuals, error);
  fit->sum = sum_of_squares(fit->residuals, problem->points);
  for (fit->rounds = 0; status == TUTTI_OK; fit->rounds++) {
    status = differentiate(work, fit, error);
    if (status != TUTTI_OK)
      break;
    multiply(work, fit->residuals);
    if (!better || fit->rounds == problem->max_rounds)
      break;
    status = improve(work, fit, &damping, &better, error);
  }
  if (status == TUTTI_OK)
    find_errors(work, fit);
  return status;
}

tutti_status least_squares_solve(const struct least_squares *problem, struct least_squares_fit *fit, tutti_error *error)
{
  const size_t n = (size_t)problem->parameters, points = (size_t)problem->points;
  double *memory = tutti_xcalloc(points * n + n * n + n * (n + 1) + 2 * n + points, sizeof *memory);
  struct work work = {.problem = problem, .jacobian = memory};
  work.normal = work.jacobian + points * n;
  work.system = work.normal + n * n;
  work.gradient = work.system + n * (n + 1);
  work.tried = work.gradient + n;
  work.residuals = work.tried + n;
  const tutti_status status = solve(&work, fit, error);
  free(memory);
  return status;
}
