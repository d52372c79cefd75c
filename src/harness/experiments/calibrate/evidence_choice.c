/* Which candidate to take where times are known as distributions: the one of least expected loss. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/splitmix64.h"
#include "harness/experiments/calibrate/evidence.h"
#include "harness/experiments/calibrate/gaussian.h"

enum { DRAWS = 400 };

/* Above exp(3) times the fastest it does not matter how much longer a candidate takes. */
static const double LARGEST_LOSS = 3;

/* Of [0, 1), and never 0. */
static double draw_share(uint64_t *state)
{
  return ((double)(tutti_splitmix64_next(state) >> 11) + 0.5) * 0x1p-53;
}

/* Standard normal numbers (Box, Muller 1958). */
static void draw_normals(uint64_t *state, double *normals, size_t count)
{
  for (size_t i = 0; i < count; i += 2) {
    const double radius = sqrt(-2 * log(draw_share(state))), angle = 2 * M_PI * draw_share(state);
    normals[i] = radius * cos(angle);
    if (i + 1 < count)
      normals[i + 1] = radius * sin(angle);
  }
}

/* The factor of the covariance with as little added to its diagonal as makes it definite: candidates may be equal. */
static void factor_covariance(const double *covariance, size_t count, double *factor)
{
  double most = 0;
  for (size_t i = 0; i < count; i++)
    most = fmax(most, covariance[i * count + i]);
  for (double more = 1e-10 * most + 1e-300; isfinite(more); more *= 100) {
    memcpy(factor, covariance, count * count * sizeof *factor);
    for (size_t i = 0; i < count; i++)
      factor[i * count + i] += more;
    if (tutti_cholesky_factor(factor, count))
      return;
  }
}

/* One draw of all logarithms by standard normal numbers, or by their negatives. */
static void draw(const double *mean, const double *factor, size_t count, const double *normals, int sign,
                 double *values)
{
  for (size_t i = 0; i < count; i++)
    values[i] = mean[i] + sign * tutti_dot(&factor[i * count], normals, i + 1);
}

struct tally {
  double *losses; /* [count] */
  double *faster; /* [count] than the library's own */
};

static void add_draw(const double *values, size_t count, size_t own, const struct tally *tally)
{
  double least = values[0];
  for (size_t i = 1; i < count; i++)
    least = fmin(least, values[i]);
  for (size_t i = 0; i < count; i++) {
    tally->losses[i] += expm1(fmin(values[i] - least, LARGEST_LOSS)) / DRAWS;
    tally->faster[i] += own < count && values[i] < values[own] ? 1.0 / DRAWS : 0;
  }
}

static struct evidence_choice decide(const struct tally *tally, size_t count, size_t own, double confidence)
{
  size_t best = own < count ? own : 0;
  for (size_t i = 0; i < count; i++)
    if (tally->losses[i] < tally->losses[best] && (own == count || tally->faster[i] >= confidence))
      best = i;
  return (struct evidence_choice){.chosen = best, .confidence = own == count || best == own ? 1 : tally->faster[best]};
}

struct evidence_choice tutti_evidence_choose(const double *mean, const double *covariance, size_t count, size_t own,
                                             double confidence, double *losses)
{
  uint64_t state = 1;
  double *factor = tutti_xcalloc(count * (count + 3), sizeof *factor), *normals = factor + count * count,
         *values = normals + count;
  const struct tally tally = {.losses = losses, .faster = values + count};
  memset(losses, 0, count * sizeof *losses);
  factor_covariance(covariance, count, factor);
  for (int d = 0; d < DRAWS; d += 2) { /* in pairs, whose means are exact */
    draw_normals(&state, normals, count);
    for (int sign = 1; sign >= -1; sign -= 2) {
      draw(mean, factor, count, normals, sign, values);
      add_draw(values, count, own, &tally);
    }
  }
  const struct evidence_choice choice = decide(&tally, count, own, confidence);
  free(factor);
  return choice;
}
