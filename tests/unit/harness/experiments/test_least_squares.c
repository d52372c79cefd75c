/* Least squares within bounds: parameters that made the values come back, bounds hold, and what the points do not say
   is not claimed to be known. */
#include "harness/experiments/calibrate/least_squares.h"
#include "unit/test.h"

enum { POINTS = 6, MOST = 3 };

/* A curve a exp(b t), of which `c` is no part; the values are those of 2 exp(-0.5 t), with a disturbance. */
struct curve {
  double disturbance;
  int calls, fails_at;
};

static tutti_status curve(void *context, const double *x, double *residuals, tutti_error *error)
{
  struct curve *own = context;
  if (++own->calls == own->fails_at)
    return tutti_fail(error, TUTTI_ERR_FAULT, "no curve");
  for (int t = 0; t < POINTS; t++)
    residuals[t] = x[0] * exp(x[1] * t) - 2 * exp(-0.5 * t) - (t % 2 ? own->disturbance : -own->disturbance);
  return TUTTI_OK;
}

struct solution {
  double x[MOST], errors[MOST], residuals[POINTS];
  struct least_squares_fit fit;
  tutti_status status;
};

static void solve(struct curve *own, int parameters, double lowest_rate, struct solution *solution)
{
  const double low[MOST] = {0.1, lowest_rate, 0.1}, high[MOST] = {10, 1, 10};
  const struct least_squares problem = {.parameters = parameters,
                                        .points = POINTS,
                                        .low = low,
                                        .high = high,
                                        .step = 1e-4,
                                        .max_rounds = 100,
                                        .function = curve,
                                        .context = own};
  *solution = (struct solution){.x = {1, 0, 1}};
  solution->fit =
      (struct least_squares_fit){.x = solution->x, .errors = solution->errors, .residuals = solution->residuals};
  solution->status = tutti_least_squares(&problem, &solution->fit, REASON);
}

TEST(test_recovers)
{
  struct solution exact, disturbed;
  solve(&(struct curve){0}, 2, -2, &exact);
  assert_int_equal(exact.status, TUTTI_OK);
  assert_true(fabs(exact.x[0] - 2) < 1e-3 && fabs(exact.x[1] + 0.5) < 1e-3);
  assert_true(exact.fit.sum < 1e-6 && exact.fit.rounds > 1);
  solve(&(struct curve){.disturbance = 0.01}, 2, -2, &disturbed);
  /* Two parameters of six points, whose errors are 0.01 each. */
  assert_true(disturbed.errors[0] > 0.005 && disturbed.errors[0] < 0.02);
  assert_true(fabs(disturbed.x[0] - 2) < 3 * disturbed.errors[0]);
  assert_true(fabs(disturbed.x[1] + 0.5) < 3 * disturbed.errors[1]);
}

TEST(test_bound)
{
  struct solution held, free_one;
  solve(&(struct curve){0}, 2, -0.25, &held);
  solve(&(struct curve){0}, 2, -2, &free_one);
  assert_true(held.x[1] == -0.25);
  assert_true(held.fit.sum > free_one.fit.sum + 0.01);
  /* The other one is the best there: a change of it makes the sum larger. */
  for (int side = -1; side <= 1; side += 2) {
    double residuals[POINTS], moved[MOST] = {held.x[0] + side * 0.01, held.x[1]}, sum = 0;
    assert_int_equal(curve(&(struct curve){0}, moved, residuals, &error), TUTTI_OK);
    for (int t = 0; t < POINTS; t++)
      sum += residuals[t] * residuals[t];
    assert_true(sum > held.fit.sum);
  }
}

TEST(test_unknown)
{
  struct solution solution;
  solve(&(struct curve){.disturbance = 0.01}, 3, -2, &solution);
  assert_int_equal(solution.status, TUTTI_OK);
  assert_true(isinf(solution.errors[2]));
  assert_true(isfinite(solution.errors[0]) && isfinite(solution.errors[1]));
  assert_true(solution.x[2] == 1);
}

TEST(test_failure)
{
  struct solution solution;
  for (int call = 1; call <= 5; call++) {
    solve(&(struct curve){.fails_at = call}, 2, -2, &solution);
    assert_int_equal(solution.status, TUTTI_ERR_FAULT);
  }
}
