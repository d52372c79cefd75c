/* The sampler: what it knows after some measurements is what all of them say at once, and it finds where a simulator
   is wrong by few of them. */
#include "harness/experiments/calibrate/gaussian.h"
#include "harness/experiments/calibrate/sampler.h"
#include "unit/test.h"

enum { CELLS = 24, METHODS = 5, POINTS = CELLS * METHODS };

/* Method m is simulated with m / 10 more than the fastest. */
static void make_points(struct sampler_point points[POINTS])
{
  for (size_t i = 0; i < POINTS; i++) {
    const size_t cell = i / METHODS, method = i % METHODS;
    points[i] = (struct sampler_point){
        .point = {.size = (double)(cell % 12), .ranks = cell < 12 ? 3 : 5, .longer = 0.1 * (double)method},
        .cell = cell,
        .method = method,
        .cost = 1};
    for (int l = 0; l < EVIDENCE_LABELS; l++)
      points[i].point.labels[l] = l == EVIDENCE_JOB          ? (int)points[i].point.ranks
                                  : l == EVIDENCE_COLLECTIVE ? 0
                                  : l == EVIDENCE_OWNER      ? 0
                                                             : (int)method;
  }
}

TEST(test_one_after_the_other)
{
  enum { MEASURED = 5, ASKED = 50 };
  struct sampler_point points[POINTS];
  double matrix[MEASURED * MEASURED], residuals[MEASURED], common[MEASURED];
  make_points(points);
  FREED_BY(tutti_sampler_close) struct sampler sampler;
  tutti_sampler_open(&sampler, points, POINTS, NULL);
  const struct evidence_kernel *kernel = sampler.kernel;
  for (size_t i = 0; i < MEASURED; i++) {
    const struct evidence_point *point = &points[i * 7].point;
    tutti_sampler_add(&sampler, i * 7, 0.1 * (double)(i % 3), 0.03);
    residuals[i] = 0.1 * (double)(i % 3) - tutti_evidence_expected(point);
    common[i] = tutti_evidence_covariance(kernel, point, &points[ASKED].point, false);
    for (size_t j = 0; j <= i; j++)
      matrix[i * MEASURED + j] =
          tutti_evidence_covariance(kernel, point, &points[j * 7].point, i == j) + (i == j ? 0.03 * 0.03 : 0);
  }
  assert_true(tutti_cholesky_factor(matrix, MEASURED));
  tutti_cholesky_forward(matrix, MEASURED, residuals);
  tutti_cholesky_forward(matrix, MEASURED, common);
  const struct evidence_point *asked = &points[ASKED].point;
  assert_true(fabs(sampler.mean[ASKED] - tutti_evidence_expected(asked) - tutti_dot(common, residuals, MEASURED)) <
              1e-5);
  assert_true(fabs(sampler.variance[ASKED] - tutti_evidence_covariance(kernel, asked, asked, true) +
                   tutti_dot(common, common, MEASURED)) < 1e-5);
}

/* Deviations shrink where times are those of the prior, and of methods grow where each is off by its own factor. A
   point that is measured again without noise changes nothing. */
TEST(test_scales)
{
  struct sampler_point points[POINTS];
  make_points(points);
  for (int off = 0; off < 2; off++) {
    FREED_BY(tutti_sampler_close) struct sampler sampler;
    tutti_sampler_open(&sampler, points, POINTS, NULL);
    for (size_t i = 0; i < 12; i++) {
      const size_t point = i * 11 % POINTS, method = points[point].method;
      tutti_sampler_add(&sampler, point,
                        tutti_evidence_expected(&points[point].point) + off * 0.8 * (double)((int)(method * 3 % 5) - 2),
                        0.03);
    }
    tutti_sampler_rescale(&sampler);
    assert_true(off ? sampler.scales[EVIDENCE_OF_METHODS] > 0 : sampler.scales[EVIDENCE_OF_METHODS] < -0.5);
    assert_true(off || sampler.scales[EVIDENCE_COMMON] < -0.5);
    const double mean = sampler.mean[11];
    for (int again = 0; again < 3; again++)
      tutti_sampler_add(&sampler, 11, mean, 0);
    assert_true(fabs(sampler.mean[11] - mean) < 1e-3 && sampler.variance[11] >= 0);
  }
}

/* The simulator has the first method ahead everywhere; on the machine it takes twice as long, and the last one half. */
TEST(test_finds_what_is_wrong)
{
  struct sampler_point points[POINTS];
  double worth, first_worth = 0;
  size_t next[2];
  int measured = 0;
  make_points(points);
  FREED_BY(tutti_sampler_close) struct sampler sampler;
  tutti_sampler_open(&sampler, points, POINTS, NULL);
  for (int step = 0; step < 12; step++) {
    const int count = tutti_sampler_next(&sampler, 0.03, next, &worth);
    first_worth = step == 0 ? worth : first_worth;
    assert_true(count > 0 && worth > 0);
    for (int i = 0; i < count; i++, measured++) {
      const size_t method = points[next[i]].method;
      tutti_sampler_add(&sampler, next[i],
                        points[next[i]].point.longer + (method == 0             ? log(2)
                                                        : method == METHODS - 1 ? -log(2)
                                                                                : 0),
                        0.03);
    }
  }
  assert_true(measured < POINTS / 5);
  assert_true(worth < first_worth);
  for (size_t c = 0; c < CELLS; c++) {
    const struct sampler_choice choice = tutti_sampler_choose(&sampler, c, EVIDENCE_CONFIDENCE);
    assert_int_equal(points[choice.chosen].method, METHODS - 1);
    assert_true(choice.loss < 0.2);
  }
}

/* The same state gives the same points; weights send it where the program is. */
TEST(test_weights)
{
  struct sampler_point points[POINTS];
  double weights[CELLS] = {0}, worth, again;
  size_t next[2], other[2];
  make_points(points);
  weights[7] = 1;
  FREED_BY(tutti_sampler_close) struct sampler sampler;
  tutti_sampler_open(&sampler, points, POINTS, weights);
  assert_int_equal(tutti_sampler_next(&sampler, 0.03, next, &worth), 2);
  assert_int_equal(points[next[0]].cell, 7);
  assert_int_equal(tutti_sampler_next(&sampler, 0.03, other, &again), 2);
  assert_true(next[0] == other[0] && next[1] == other[1] && worth == again);
}

/* Closed points are not chosen, and of points that take the same time the others are. */
TEST(test_closed)
{
  struct sampler_point points[POINTS];
  size_t next[2], measured = 0;
  double worth;
  make_points(points);
  FREED_BY(tutti_sampler_close) struct sampler sampler;
  tutti_sampler_open(&sampler, points, POINTS, NULL);
  for (int count; (count = tutti_sampler_next(&sampler, 0.03, next, &worth)) > 0; measured += (size_t)count)
    for (int i = 0; i < count; i++) {
      assert_false(sampler.closed[next[i]]);
      tutti_sampler_add(&sampler, next[i], -10 + 0.1 * (double)points[next[i]].cell, 0);
      sampler.closed[next[i]] = true;
    }
  assert_int_equal(measured, POINTS);
}
