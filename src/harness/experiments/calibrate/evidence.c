#include "harness/experiments/calibrate/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/experiments/calibrate/gaussian.h"

/* ---- what two points have in common ---- */

enum condition { ANY, NOT_SIMULATED, UNKNOWN_CHOICE, KNOWN_CHOICE, CONDITIONS };

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
  enum evidence_scale scale;
  double deviation;
} terms[] = {
    {0, ANY, false, false, EVIDENCE_COMMON, 0.385},
    {SAME(COLLECTIVE), ANY, false, false, EVIDENCE_COMMON, 0.436},
    {SAME(JOB), ANY, false, true, EVIDENCE_COMMON, 0.247},
    {SAME(OWNER), ANY, false, false, EVIDENCE_COMMON, 0.291},
    {SAME(FAMILY), ANY, false, false, EVIDENCE_OF_METHODS, 0.2},
    {SAME(ALGORITHM), ANY, false, false, EVIDENCE_OF_METHODS, 0.3},
    {SAME(METHOD), ANY, false, false, EVIDENCE_OF_METHODS, 0.257},
    {SAME(METHOD) | SAME(JOB), ANY, false, true, EVIDENCE_OF_CALLS, 0.1},
    {SAME(METHOD), NOT_SIMULATED, false, false, EVIDENCE_OF_METHODS, 0.303},
    {SAME(COLLECTIVE), NOT_SIMULATED, false, false, EVIDENCE_OF_METHODS, 0.234},
    {0, UNKNOWN_CHOICE, false, false, EVIDENCE_OF_METHODS, 0.182},
    {SAME(COLLECTIVE), UNKNOWN_CHOICE, false, false, EVIDENCE_OF_METHODS, 0.142},
    {SAME(COLLECTIVE), KNOWN_CHOICE, false, false, EVIDENCE_OF_METHODS, 0.027},
    {SAME(COLLECTIVE), ANY, true, false, EVIDENCE_OF_METHODS, 0.17},
};

/* What is known neither of a method nor of its call; noise of a measurement; doublings. */
static const double ALONE = 0.102, NOISE = 0.03, SIZES = 8.825, RANKS = 7.704;

/* The mean of a prior: the simulator spreads methods further apart than machines do; what has no schedule is slower
   than the fastest. */
static const double SPREAD = 0.65,
                    LATER[] = {[EVIDENCE_RELATED] = 0.125, [EVIDENCE_UNKNOWN] = 0.275, [EVIDENCE_OWN_CHOICE] = 0.2};

static double square(double value)
{
  return value * value;
}

double tutti_evidence_expected(const struct evidence_point *point)
{
  return point->fastest + SPREAD * point->longer + LATER[point->kind];
}

/* The conditions that a point meets, a bit each; one of no use, the first, stays 0. */
static unsigned conditions_of(const struct evidence_point *point)
{
  const unsigned simulated =
                     point->kind != EVIDENCE_RELATED && point->kind != EVIDENCE_UNKNOWN ? 0 : 1U << NOT_SIMULATED,
                 unknown = point->kind == EVIDENCE_OWN_CHOICE ? 1U << UNKNOWN_CHOICE : 0;
  return simulated | unknown | (point->own && !unknown ? 1U << KNOWN_CHOICE : 0);
}

/* All sums of terms that two points can share. */
struct evidence_kernel {
  struct shared {
    double near_ranks, slope, any_ranks, alike, nearby;
  } shared[1 << (CONDITIONS - 1)][1 << EVIDENCE_LABELS]; /* by common conditions and labels */
  double alone;
};

/* What scales add. Methods to which the simulator gives the same time are mostly the same messages: e-foldings. Errors
   of a method that stay within a few doublings: libraries change their protocols. */
static const double ALIKE = 0.2, ALIKE_LENGTH = 0.1, NEARBY = 0.1, NEARBY_LENGTH = 3;

static void add_term(const struct term *term, double scale, struct shared *shared)
{
  *(term->slope       ? &shared->slope
    : term->any_ranks ? &shared->any_ranks
                      : &shared->near_ranks) += square(term->deviation) * scale;
}

struct evidence_kernel *tutti_evidence_kernel(const double scales[EVIDENCE_SCALES])
{
  static const double usual[EVIDENCE_SCALES] = {1, 1, 1, 0};
  const double *factors = scales ? scales : usual;
  struct evidence_kernel *kernel = tutti_xcalloc(1, sizeof *kernel);
  kernel->alone = square(ALONE) * factors[EVIDENCE_OF_CALLS];
  for (unsigned both = 0; both < 1 << (CONDITIONS - 1); both++)
    for (unsigned labels = 0; labels < 1 << EVIDENCE_LABELS; labels++) {
      struct shared *shared = &kernel->shared[both][labels];
      for (const struct term *term = terms; term < terms + sizeof terms / sizeof *terms; term++)
        if ((term->labels & labels) == term->labels && (term->both == ANY || both << 1 & 1U << term->both))
          add_term(term, factors[term->scale], shared);
      shared->alike = scales ? square(ALIKE) * factors[EVIDENCE_OF_METHODS] : 0;
      shared->nearby = labels & SAME(METHOD) ? square(NEARBY) * factors[EVIDENCE_NEARBY] : 0;
    }
  return kernel;
}

/* Of this many e-foldings on, more is no longer a difference of the same kind. */
static double slope(const struct evidence_point *point)
{
  return fmin(point->longer, 3);
}

static unsigned common_labels(const struct evidence_point *left, const struct evidence_point *right)
{
  unsigned same = 0;
  for (int l = 0; l < EVIDENCE_LABELS; l++)
    same |= (unsigned)(left->labels[l] == right->labels[l]) << l;
  return same;
}

/* By size Matern's function of smoothness 3/2 (Rasmussen, Williams 2006, 4.17), by ranks an exponential one. */
double tutti_evidence_covariance(const struct evidence_kernel *kernel, const struct evidence_point *left,
                                 const struct evidence_point *right, bool same)
{
  const struct shared *shared =
      &kernel->shared[(conditions_of(left) & conditions_of(right)) >> 1][common_labels(left, right)];
  const double size = fabs(left->size - right->size), ranks = fabs(left->ranks - right->ranks),
               sizes = sqrt(3) / SIZES * size;
  double near_ranks = shared->near_ranks + shared->slope * slope(left) * slope(right), any_ranks = shared->any_ranks;
  if (shared->alike > 0)
    near_ranks += shared->alike * exp(-fabs(left->longer - right->longer) / ALIKE_LENGTH);
  double sum = (same ? kernel->alone : 0) + (1 + sizes) * near_ranks * exp(-sizes - ranks / RANKS);
  if (any_ranks > 0)
    sum += (1 + sizes) * any_ranks * exp(-sizes);
  if (shared->nearby > 0)
    sum += shared->nearby * exp(-(size + ranks) / NEARBY_LENGTH);
  return sum;
}

/* ---- learning and predicting ---- */

/* The lower half of the covariance of measured values. */
static void fill(const struct evidence *evidence, double *matrix)
{
  const struct evidence_point *points = evidence->points;
  const size_t count = evidence->count;
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < i; j++)
      matrix[i * count + j] = tutti_evidence_covariance(evidence->kernel, &points[i], &points[j], false);
    matrix[i * count + i] = tutti_evidence_covariance(evidence->kernel, &points[i], &points[i], true) + square(NOISE);
  }
}

void tutti_evidence_learn(struct evidence *evidence, const struct evidence_point *points, size_t count)
{
  *evidence = (struct evidence){.count = count, .shrink = 1, .kernel = tutti_evidence_kernel(NULL)};
  if (count == 0)
    return;
  evidence->points = tutti_xcalloc(count, sizeof *points);
  memcpy(evidence->points, points, count * sizeof *points);
  evidence->factor = tutti_xcalloc(count * count, sizeof *evidence->factor);
  evidence->solved = tutti_xcalloc(count, sizeof *evidence->solved);
  fill(evidence, evidence->factor);
  (void)tutti_cholesky_factor(evidence->factor, count); /* definite: the diagonal has more than the rest */
  for (size_t i = 0; i < count; i++)
    evidence->solved[i] = points[i].measured - tutti_evidence_expected(&points[i]);
  tutti_cholesky_forward(evidence->factor, count, evidence->solved);
  tutti_cholesky_backward(evidence->factor, count, evidence->solved);
  evidence->shrink = tutti_evidence_calibrate(evidence);
}

void tutti_evidence_predict(const struct evidence *evidence, const struct evidence_point *asked, size_t count,
                            double *mean, double *matrix)
{
  const size_t n = evidence->count;
  double *common = tutti_xcalloc(count * n + 1, sizeof *common);
  for (size_t a = 0; a < count; a++) {
    double *row = &common[a * n];
    for (size_t i = 0; i < n; i++)
      row[i] = tutti_evidence_covariance(evidence->kernel, &asked[a], &evidence->points[i], false);
    mean[a] = tutti_evidence_expected(&asked[a]) + tutti_dot(row, evidence->solved, n);
  }
  tutti_cholesky_forward_rows(evidence->factor, n, common, count);
  for (size_t a = 0; a < count; a++)
    for (size_t b = 0; b <= a; b++)
      matrix[a * count + b] = matrix[b * count + a] =
          tutti_evidence_covariance(evidence->kernel, &asked[a], &asked[b], a == b) -
          tutti_dot(&common[a * n], &common[b * n], n);
  free(common);
}

void tutti_evidence_free(struct evidence *evidence)
{
  free(evidence->points);
  free(evidence->factor);
  free(evidence->solved);
  free(evidence->kernel);
  *evidence = (struct evidence){.count = 0};
}
