#include "harness/experiments/calibrate/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/experiments/calibrate/gaussian.h"

/* ---- what two points have in common ---- */

enum condition { ANY, NOT_SIMULATED, UNKNOWN_CHOICE, KNOWN_CHOICE };

#define SAME(label) (1U << EVIDENCE_##label)

/*
 * A part of the error that two points share if these labels are the same and both meet the condition. Deviations are
 * those that four machines make most likely together (docs/explanation/machines.md), before anything is known of
 * another one.
 */
static const struct term {
  unsigned labels;
  enum condition both;
  bool slope; /* times how much longer than the fastest both take: the simulator spreads them too far, or too little */
  bool any_ranks; /* it does not fade with the number of ranks */
  double deviation;
  enum { COMMON, METHOD } group; /* how they are learnt */
} terms[EVIDENCE_TERMS] = {
    {0, ANY, false, false, 0.385, COMMON},
    {SAME(COLLECTIVE), ANY, false, false, 0.436, COMMON},
    {SAME(JOB), ANY, false, true, 0.247, COMMON},
    {SAME(OWNER), ANY, false, false, 0.291, METHOD},
    {SAME(FAMILY), ANY, false, false, 0.2, METHOD},
    {SAME(ALGORITHM), ANY, false, false, 0.3, METHOD},
    {SAME(METHOD), ANY, false, false, 0.257, METHOD},
    {SAME(METHOD) | SAME(JOB), ANY, false, true, 0.1, METHOD},
    {SAME(METHOD), NOT_SIMULATED, false, false, 0.303, METHOD},
    {SAME(COLLECTIVE), NOT_SIMULATED, false, false, 0.234, METHOD},
    {0, UNKNOWN_CHOICE, false, false, 0.182, METHOD},
    {SAME(COLLECTIVE), UNKNOWN_CHOICE, false, false, 0.142, METHOD},
    {SAME(COLLECTIVE), KNOWN_CHOICE, false, false, 0.027, METHOD},
    {SAME(COLLECTIVE), ANY, true, false, 0.17, METHOD},
};

static const double NOISE = 0.106, SIZES = 8.825, RANKS = 7.704; /* the last two: doublings */

/* The mean of a prior: the simulator spreads methods further apart than machines do; what has no schedule is slower
   than the fastest. */
static const double SPREAD = 0.65,
                    LATER[] = {[EVIDENCE_RELATED] = 0.125, [EVIDENCE_UNKNOWN] = 0.275, [EVIDENCE_OWN_CHOICE] = 0.2};

static double square(double value)
{
  return value * value;
}

static double expected(const struct evidence_point *point)
{
  return point->fastest + SPREAD * point->longer + LATER[point->kind];
}

static bool meets(const struct evidence_point *point, enum condition condition)
{
  switch (condition) {
  case ANY:
    return true;
  case NOT_SIMULATED:
    return point->kind == EVIDENCE_RELATED || point->kind == EVIDENCE_UNKNOWN;
  case UNKNOWN_CHOICE:
    return point->kind == EVIDENCE_OWN_CHOICE;
  case KNOWN_CHOICE:
    break;
  }
  return point->own && point->kind != EVIDENCE_OWN_CHOICE;
}

/* Of this many e-foldings on, more is no longer a difference of the same kind. */
static double slope(const struct evidence_point *point)
{
  return fmin(point->longer, 3);
}

/* Matern's function of smoothness 3/2 (Rasmussen, Williams 2006, 4.17). */
static double fade_by_size(double distance)
{
  const double scaled = sqrt(3) * distance / SIZES;
  return (1 + scaled) * exp(-scaled);
}

static unsigned common_labels(const struct evidence_point *left, const struct evidence_point *right)
{
  unsigned same = 0;
  for (int l = 0; l < EVIDENCE_LABELS; l++)
    same |= left->labels[l] == right->labels[l] ? 1U << l : 0;
  return same;
}

static double covariance(const struct evidence_weights *weights, const struct evidence_point *left,
                         const struct evidence_point *right)
{
  const unsigned same = common_labels(left, right);
  double near_ranks = 0, any_ranks = 0;
  for (int t = 0; t < EVIDENCE_TERMS; t++) {
    const struct term *term = &terms[t];
    if ((term->labels & same) == term->labels && meets(left, term->both) && meets(right, term->both))
      *(term->any_ranks ? &any_ranks : &near_ranks) +=
          square(weights->terms[t]) * (term->slope ? slope(left) * slope(right) : 1);
  }
  return (near_ranks * exp(-fabs(left->ranks - right->ranks) / RANKS) + any_ranks) *
         fade_by_size(fabs(left->size - right->size));
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
    solved[i] = points[i].measured - expected(&points[i]);
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
  struct evidence_weights weights = {.noise = NOISE * exp2(steps[GROUPS - 1] / 2.0)};
  for (int t = 0; t < EVIDENCE_TERMS; t++)
    weights.terms[t] = terms[t].deviation * exp2(steps[terms[t].group] / 2.0);
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
  *evidence = (struct evidence){.weights = scaled((const int[GROUPS]){0}), .count = count};
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
    mean[a] = expected(&asked[a]) + tutti_dot(row, evidence->solved, n);
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
