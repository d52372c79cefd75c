/* Measured times beside a simulator's: how far one point moves others, which weights points ask for, and choices by
   expected loss. */
#include "harness/experiments/calibrate/evidence.h"
#include "harness/experiments/calibrate/gaussian.h"
#include "unit/test.h"

/* A simulated time of 1 s. */
static struct evidence_point point(int method, double size, double measured)
{
  return (struct evidence_point){
      .labels = {[EVIDENCE_ALGORITHM] = method, [EVIDENCE_METHOD] = method, [EVIDENCE_FAMILY] = method},
      .size = size,
      .ranks = 4,
      .measured = measured};
}

TEST(test_cholesky)
{
  double matrix[] = {4, 0, 0, 2, 5, 0, 1, 3, 6}, values[] = {11, 21, 25}, bad[] = {1, 0, 2, 1};
  assert_true(tutti_cholesky_factor(matrix, 3));
  assert_true(fabs(tutti_cholesky_determinant(matrix, 3) - log(67)) < 1e-12);
  tutti_cholesky_forward(matrix, 3, values);
  tutti_cholesky_backward(matrix, 3, values);
  for (int i = 0; i < 3; i++)
    assert_true(fabs(values[i] - (i + 1)) < 1e-12);
  assert_false(tutti_cholesky_factor(bad, 2));
}

/* More rows than are worked on together: L L^T is the matrix again, L^-1 L the identity, and several right sides give
   what each gives alone. */
TEST(test_cholesky_of_many)
{
  enum { N = 37, SIDES = 3 };
  double matrix[N * N] = {0}, inverse[N * N], sides[SIDES * N], alone[SIDES * N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      matrix[i * N + j] = exp(-0.1 * (i - j)) + (i == j);
  assert_true(tutti_cholesky_factor(matrix, N));
  memcpy(inverse, matrix, sizeof matrix);
  tutti_cholesky_invert(inverse, N);
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++) {
      double identity = 0;
      for (int k = j; k <= i; k++)
        identity += inverse[i * N + k] * matrix[k * N + j];
      assert_true(fabs(identity - (i == j)) < 1e-12);
      assert_true(fabs(tutti_dot(&matrix[i * N], &matrix[j * N], (size_t)j + 1) - exp(-0.1 * (i - j)) - (i == j)) <
                  1e-12);
    }
  for (int i = 0; i < SIDES * N; i++)
    sides[i] = alone[i] = i % 7;
  tutti_cholesky_forward_rows(matrix, N, sides, SIDES);
  for (int s = 0; s < SIDES; s++)
    tutti_cholesky_forward(matrix, N, &alone[s * N]);
  assert_memory_equal(sides, alone, sizeof sides);
}

/* Two measured jobs in which all is as the simulator says: losses are less than expected, and covariances shrink; one
   job says nothing. */
TEST(test_shrink)
{
  struct evidence_point points[120];
  for (int i = 0; i < 120; i++) {
    points[i] = point(i % 4, 4 + i / 4 % 15, 0.3 * (i % 4));
    points[i].longer = 0.3 * (i % 4) / 0.65;
    points[i].labels[EVIDENCE_JOB] = i / 60;
  }
  FREED_BY(tutti_evidence_free) struct evidence both, one;
  tutti_evidence_learn(&both, points, 120);
  assert_true(both.shrink < 1 && both.shrink >= 1.0 / 32);
  tutti_evidence_learn(&one, points, 60);
  assert_true(one.shrink == 1);
}

/* Without points times are the simulated ones, and methods differ by what tells them apart. */
TEST(test_prior)
{
  FREED_BY(tutti_evidence_free) struct evidence evidence;
  const struct evidence_point asked[] = {point(0, 10, 0), point(1, 10, 0)};
  double mean[2], covariance[4];
  tutti_evidence_learn(&evidence, NULL, 0);
  tutti_evidence_predict(&evidence, asked, 2, mean, covariance);
  assert_true(mean[0] == 0 && mean[1] == 0);
  assert_true(covariance[0] > 0 && covariance[0] == covariance[3] && covariance[1] == covariance[2]);
  assert_true(covariance[1] > 0 && covariance[1] < covariance[0]);
}

/* Points of one method that are all off by the same factor: it is believed of that method near them, less of it far
   away, less still of others; and what was measured is known best. */
TEST(test_near_and_far)
{
  FREED_BY(tutti_evidence_free) struct evidence evidence;
  struct evidence_point points[12];
  for (int i = 0; i < 12; i++)
    points[i] = point(i % 2, 8 + i / 2, i % 2 ? 0 : 1);
  const struct evidence_point asked[] = {point(0, 9.5, 0), point(0, 30, 0), point(1, 9.5, 0), point(2, 9.5, 0)};
  double mean[4], covariance[16];
  tutti_evidence_learn(&evidence, points, 12);
  tutti_evidence_predict(&evidence, asked, 4, mean, covariance);
  assert_true(mean[0] > 0.9 && mean[0] < 1.1);
  assert_true(mean[1] > 0.1 && mean[1] < mean[0]);
  assert_true(fabs(mean[2]) < 0.1);
  assert_true(mean[3] > 0 && mean[3] < mean[0]);
  assert_true(covariance[0] < covariance[5] && covariance[0] < covariance[15]);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      assert_true(covariance[i * 4 + j] == covariance[j * 4 + i]);
}

static struct evidence_choice choose(double first, double second, double sd, size_t own, double losses[2])
{
  const double mean[] = {first, second}, covariance[] = {sd * sd, 0, 0, sd * sd};
  return tutti_evidence_choose(mean, covariance, 2, own, 0.9, losses);
}

TEST(test_choices)
{
  double losses[2], again[2];
  const struct evidence_choice sure = choose(0, 0.5, 0.01, 1, losses);
  assert_int_equal(sure.chosen, 0);
  assert_true(losses[0] < 1e-6 && fabs(losses[1] - expm1(0.5)) < 0.01 && sure.confidence > 0.999);
  const struct evidence_choice unsure = choose(0, 0.05, 0.5, 1, losses);
  assert_int_equal(unsure.chosen, 1);
  assert_true(unsure.confidence == 1 && losses[0] < losses[1]);
  assert_int_equal(choose(0, 0.05, 0.5, 2, again).chosen, 0);
  assert_memory_equal(losses, again, sizeof again);
}

/* The difference of two independent normal logarithms of the same mean is normal with sqrt(2) times the deviation; the
   expected loss is E[exp(max(d, 0))] - 1 = exp(s^2 / 2) Phi(s) + 1 / 2 - 1. */
TEST(test_expected_loss)
{
  const double s = 0.3 * sqrt(2), expected = exp(s * s / 2) * 0.5 * erfc(-s / sqrt(2)) - 0.5;
  double losses[2];
  choose(0, 0, 0.3, 2, losses);
  assert_true(fabs(losses[0] / expected - 1) < 0.1 && fabs(losses[1] / losses[0] - 1) < 1e-9);
}

/* Equal candidates have a covariance that is not definite. */
TEST(test_equal_candidates)
{
  const double mean[] = {1, 1, 2}, covariance[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  double losses[3];
  const struct evidence_choice choice = tutti_evidence_choose(mean, covariance, 3, 3, 0.9, losses);
  assert_true(choice.chosen < 2 && losses[choice.chosen] < 1e-3);
}
