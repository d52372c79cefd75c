/* Levenberg 1944, Marquardt 1963: steps between those of Gauss and Newton and those down the gradient. A parameter at a
   bound that would go beyond it is held there. */
#include "harness/experiments/calibrate/least_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const double FIRST_DAMPING = 1e-3, MAX_DAMPING = 1e8, ENOUGH = 1e-5;

struct work {
  const struct least_squares *problem;
  double *jacobian; /* [points * parameters] by points */
  double *normal;   /* [parameters * parameters] J^T J */
  double *system;   /* the same, damped, and its inverse */
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

/* Gauss and Jordan's steps: such a matrix needs no exchange of rows. */
double tutti_invert(double *matrix, size_t n)
{
  double logarithm = 0;
  for (size_t k = 0; k < n; k++) {
    const double pivot = matrix[k * n + k];
    logarithm += log(pivot);
    matrix[k * n + k] = 1;
    for (size_t j = 0; j < n; j++)
      matrix[k * n + j] = pivot > 0 ? matrix[k * n + j] / pivot : 0;
    for (size_t i = 0; i < n; i++) {
      const double factor = matrix[i * n + k];
      if (i == k)
        continue;
      matrix[i * n + k] = 0;
      for (size_t j = 0; j < n; j++)
        matrix[i * n + j] -= factor * matrix[k * n + j];
    }
  }
  return logarithm;
}

/* The step of this damping, into tried; what is beyond a bound is brought to it. */
static void make_step(struct work *work, const double *x, double damping)
{
  const struct least_squares *problem = work->problem;
  const int n = problem->parameters;
  for (int p = 0; p < n; p++) {
    for (int q = 0; q < n; q++)
      work->system[p * n + q] = is_held(work, x, p) || is_held(work, x, q) ? 0 : work->normal[p * n + q];
    work->system[p * n + p] = work->normal[p * n + p] * (1 + damping) + damping * ENOUGH;
  }
  tutti_invert(work->system, (size_t)n);
  for (int p = 0; p < n; p++) {
    double step = 0;
    for (int q = 0; q < n; q++)
      step -= is_held(work, x, q) ? 0 : work->system[p * n + q] * work->gradient[q];
    work->tried[p] = is_held(work, x, p) ? x[p] : fmin(fmax(x[p] + step, problem->low[p]), problem->high[p]);
  }
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

/* From the diagonal of the inverse of J^T J. */
static void find_errors(struct work *work, struct least_squares_fit *fit)
{
  const int n = work->problem->parameters, freedom = work->problem->points - n;
  const double variance = freedom > 0 ? fit->sum / freedom : INFINITY;
  tutti_invert(work->normal, (size_t)n);
  for (int p = 0; p < n; p++) {
    const double inverse = work->normal[p * n + p];
    fit->errors[p] = inverse > 0 ? sqrt(variance * inverse) : INFINITY;
  }
}

static tutti_status solve(struct work *work, struct least_squares_fit *fit, tutti_error *error)
{
  const struct least_squares *problem = work->problem;
  double damping = FIRST_DAMPING;
  bool better = true;
  tutti_status status = problem->function(problem->context, fit->x, fit->residuals, error);
  fit->before = fit->sum = sum_of_squares(fit->residuals, problem->points);
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

tutti_status tutti_least_squares(const struct least_squares *problem, struct least_squares_fit *fit, tutti_error *error)
{
  const size_t n = (size_t)problem->parameters, points = (size_t)problem->points;
  double *memory = tutti_xcalloc(points * n + 2 * n * n + 2 * n + points, sizeof *memory);
  struct work work = {.problem = problem, .jacobian = memory};
  work.normal = work.jacobian + points * n;
  work.system = work.normal + n * n;
  work.gradient = work.system + n * n;
  work.tried = work.gradient + n;
  work.residuals = work.tried + n;
  const tutti_status status = solve(&work, fit, error);
  free(memory);
  return status;
}
