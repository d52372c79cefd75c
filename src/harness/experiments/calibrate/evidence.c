#include "harness/experiments/calibrate/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/experiments/calibrate/gaussian.h"

/* Before anything is known of a machine. */
static const struct evidence_weights begin = {
    .labels = {[EVIDENCE_COLLECTIVE] = 0.4,
               [EVIDENCE_JOB] = 0.15,
               [EVIDENCE_ALGORITHM] = 0.3,
               [EVIDENCE_METHOD] = 0.25,
               [EVIDENCE_OWNER] = 0.2,
               [EVIDENCE_FAMILY] = 0.2},
    .unknown = 0.6,
    .kind = 0.3,
    .noise = 0.07,
    .size = 15,
    .ranks = 12,
};

/* ---- what two points have in common ---- */

static double square(double value)
{
  return value * value;
}

static double covariance(const struct evidence_weights *weights, const struct evidence_point *left,
                         const struct evidence_point *right)
{
  const bool unknown = left->prior != EVIDENCE_SIMULATED && right->prior != EVIDENCE_SIMULATED;
  double sum = 0, of_job = 0;
  for (int l = 0; l < EVIDENCE_LABELS; l++)
    if (left->labels[l] == right->labels[l])
      *(l == EVIDENCE_JOB ? &of_job : &sum) += square(weights->labels[l]);
  if (unknown && left->labels[EVIDENCE_METHOD] == right->labels[EVIDENCE_METHOD])
    sum += square(weights->unknown);
  if (sum > 0)
    sum *= exp(-fabs(left->ranks - right->ranks) / weights->ranks);
  sum += of_job;
  if (sum > 0)
    sum *= exp(-fabs(left->size - right->size) / weights->size);
  return sum + (unknown && left->prior == right->prior ? square(weights->kind) : 0);
}

/* The lower half of the covariance of measured values. */
static void fill(const struct evidence_weights *weights, const struct evidence_point *points, size_t count,
                 double *matrix)
{
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < i; j++)
      matrix[i * count + j] = covariance(weights, &points[i], &points[j]);
    matrix[i * count + i] = covariance(weights, &points[i], &points[i]) + square(weights->noise);
  }
}

/* factor, solved; returns the logarithm of the likelihood, but for a constant (Rasmussen, Williams 2006, 5.8). */
static double solve(const struct evidence_weights *weights, const struct evidence_point *points, size_t count,
                    double *factor, double *solved)
{
  fill(weights, points, count, factor);
  if (!tutti_cholesky_factor(factor, count))
    return -INFINITY;
  for (size_t i = 0; i < count; i++)
    solved[i] = points[i].measured - points[i].expected;
  tutti_cholesky_forward(factor, count, solved);
  const double squares = tutti_dot(solved, solved, count);
  tutti_cholesky_backward(factor, count, solved);
  return -0.5 * (squares + tutti_cholesky_determinant(factor, count));
}

/* ---- weights ---- */

enum { FIT_POINTS = 400, GROUPS = 3, STEPS_MAX = 8, ROUNDS = 4 };

/* The weights are learnt in groups, each by a factor 2^(step / 2): what all methods have in common, what tells them
   apart, and noise. */
static struct evidence_weights scaled(const int steps[GROUPS])
{
  struct evidence_weights weights = begin;
  const double common = exp2(steps[0] / 2.0), method = exp2(steps[1] / 2.0);
  for (int l = 0; l < EVIDENCE_LABELS; l++)
    weights.labels[l] *= l == EVIDENCE_COLLECTIVE || l == EVIDENCE_JOB ? common : method;
  weights.unknown *= method;
  weights.kind *= method;
  weights.noise *= exp2(steps[2] / 2.0);
  return weights;
}

struct search {
  const struct evidence_point *points;
  size_t count;
  double *factor, *solved;
  int steps[GROUPS];
  double most;
};

/* The likelihood times that of the factors, which are log-normal with a standard deviation of e. */
static double try_steps(struct search *search, const int steps[GROUPS])
{
  const struct evidence_weights weights = scaled(steps);
  double likelihood = solve(&weights, search->points, search->count, search->factor, search->solved);
  for (int g = 0; g < GROUPS; g++)
    likelihood -= 0.5 * square(steps[g] * log(2) / 2);
  return likelihood;
}

static bool climb(struct search *search, int group, int step)
{
  bool moved = false;
  while (abs(search->steps[group] + step) <= STEPS_MAX) {
    int steps[GROUPS];
    memcpy(steps, search->steps, sizeof steps);
    steps[group] += step;
    const double likelihood = try_steps(search, steps);
    if (!(likelihood > search->most + 1e-6))
      break;
    search->most = likelihood;
    memcpy(search->steps, steps, sizeof steps);
    moved = true;
  }
  return moved;
}

static bool is_same_cell(const struct evidence_point *left, const struct evidence_point *right)
{
  return left->labels[EVIDENCE_JOB] == right->labels[EVIDENCE_JOB] && left->size == right->size;
}

/* Whole cells, evenly over the order of the points: what tells methods apart is seen within them. */
static size_t sample(const struct evidence_point *points, size_t count, struct evidence_point *chosen)
{
  size_t cells = 0, cell = 0, taken = 0;
  for (size_t i = 0; i < count; i++)
    cells += i == 0 || !is_same_cell(&points[i - 1], &points[i]);
  const double share = fmin(1, (double)FIT_POINTS / (double)count);
  const size_t wanted = (size_t)fmax(1, floor((double)cells * share + 0.5));
  for (size_t i = 0; i < count; i++) {
    cell += i > 0 && !is_same_cell(&points[i - 1], &points[i]);
    if ((cell + 1) * wanted / cells > cell * wanted / cells)
      chosen[taken++] = points[i];
  }
  return taken;
}

static struct evidence_weights fit_weights(const struct evidence_point *points, size_t count)
{
  struct evidence_point *chosen = tutti_xcalloc(count, sizeof *chosen);
  struct search search = {.points = chosen, .count = sample(points, count, chosen)};
  search.factor = tutti_xcalloc(search.count * search.count, sizeof *search.factor);
  search.solved = tutti_xcalloc(search.count, sizeof *search.solved);
  search.most = try_steps(&search, search.steps);
  bool moved = true;
  for (int round = 0; round < ROUNDS && moved; round++) {
    moved = false;
    for (int g = 0; g < GROUPS; g++)
      moved |= climb(&search, g, 1) || climb(&search, g, -1);
  }
  free(search.factor);
  free(search.solved);
  free(chosen);
  return scaled(search.steps);
}

/* ---- learning and predicting ---- */

void tutti_evidence_learn(struct evidence *evidence, const struct evidence_point *points, size_t count)
{
  *evidence = (struct evidence){.weights = begin, .count = count};
  if (count == 0)
    return;
  evidence->points = tutti_xcalloc(count, sizeof *points);
  memcpy(evidence->points, points, count * sizeof *points);
  evidence->factor = tutti_xcalloc(count * count, sizeof *evidence->factor);
  evidence->solved = tutti_xcalloc(count, sizeof *evidence->solved);
  evidence->weights = fit_weights(points, count);
  solve(&evidence->weights, points, count, evidence->factor, evidence->solved);
}

void tutti_evidence_predict(const struct evidence *evidence, const struct evidence_point *asked, size_t count,
                            double *mean, double *matrix)
{
  const size_t n = evidence->count;
  double *common = tutti_xcalloc(count * n + 1, sizeof *common);
  for (size_t a = 0; a < count; a++) {
    double *row = &common[a * n];
    for (size_t i = 0; i < n; i++)
      row[i] = covariance(&evidence->weights, &asked[a], &evidence->points[i]);
    mean[a] = asked[a].expected + tutti_dot(row, evidence->solved, n);
    tutti_cholesky_forward(evidence->factor, n, row);
    for (size_t b = 0; b <= a; b++)
      matrix[a * count + b] = matrix[b * count + a] =
          covariance(&evidence->weights, &asked[a], &asked[b]) - tutti_dot(row, &common[b * n], n);
  }
  free(common);
}

void tutti_evidence_free(struct evidence *evidence)
{
  free(evidence->points);
  free(evidence->factor);
  free(evidence->solved);
  *evidence = (struct evidence){.count = 0};
}
