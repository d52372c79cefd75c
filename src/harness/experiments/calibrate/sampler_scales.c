/* How far times are off on this machine: the scales of the covariance that make what was measured most likely. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "harness/experiments/calibrate/gaussian.h"
#include "harness/experiments/calibrate/sampler.h"

/* The last measurements are enough; standard deviation of the logarithm of a scale before anything is known. */
enum { MOST = 256 };
static const double BEFORE = 0.7;

/* What the likelihood is computed of. */
struct likelihood {
  size_t count;
  double *parts[EVIDENCE_SCALES]; /* [count][count] covariances of each scale alone */
  double *noise, *residual;       /* [count] */
  double *matrix, *solved;        /* work space */
};

static void open_likelihood(const struct sampler *sampler, struct likelihood *likelihood)
{
  const size_t n = sampler->measured < MOST ? sampler->measured : MOST;
  const struct sampler_measurement *history = &sampler->history[sampler->measured - n];
  double *piece = tutti_xcalloc((EVIDENCE_SCALES + 1) * n * n + 3 * n, sizeof *piece);
  *likelihood = (struct likelihood){.count = n, .matrix = piece, .noise = piece + (EVIDENCE_SCALES + 1) * n * n};
  likelihood->residual = likelihood->noise + n;
  likelihood->solved = likelihood->residual + n;
  for (int g = 0; g < EVIDENCE_SCALES; g++) {
    double only[EVIDENCE_SCALES] = {0};
    only[g] = 1;
    struct evidence_kernel *kernel = tutti_evidence_kernel(only);
    likelihood->parts[g] = piece + (size_t)(g + 1) * n * n;
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j <= i; j++)
        likelihood->parts[g][i * n + j] =
            tutti_evidence_covariance(kernel, &sampler->points[history[i].point].point,
                                      &sampler->points[history[j].point].point, history[i].point == history[j].point);
    free(kernel);
  }
  for (size_t i = 0; i < n; i++) {
    likelihood->noise[i] = fmax(history[i].noise, 1e-2);
    likelihood->residual[i] =
        history[i].logarithm - sampler->shift - tutti_evidence_expected(&sampler->points[history[i].point].point);
  }
}

/* Half the negative logarithm, with that of the scales, but for constants. */
static double unlikelihood(const struct likelihood *likelihood, const double *scales)
{
  const size_t n = likelihood->count;
  double factors[EVIDENCE_SCALES], sum = 0;
  for (int g = 0; g < EVIDENCE_SCALES; g++) {
    factors[g] = exp(2 * scales[g]);
    sum += scales[g] * scales[g] / (2 * BEFORE * BEFORE);
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j <= i; j++) {
      double *value = &likelihood->matrix[i * n + j];
      *value = i == j ? likelihood->noise[i] * likelihood->noise[i] : 0;
      for (int g = 0; g < EVIDENCE_SCALES; g++)
        *value += factors[g] * likelihood->parts[g][i * n + j];
    }
    likelihood->solved[i] = likelihood->residual[i];
  }
  if (!tutti_cholesky_factor(likelihood->matrix, n))
    return INFINITY;
  tutti_cholesky_forward(likelihood->matrix, n, likelihood->solved);
  return sum + 0.5 * (tutti_dot(likelihood->solved, likelihood->solved, n) +
                      tutti_cholesky_determinant(likelihood->matrix, n));
}

/* One step after the other along each scale, as long as it helps, and then smaller ones. */
void tutti_sampler_learn_scales(struct sampler *sampler)
{
  struct likelihood likelihood;
  double *scales = sampler->scales;
  open_likelihood(sampler, &likelihood);
  double least = unlikelihood(&likelihood, scales);
  for (double step = 0.5; step >= 0.25; step /= 2)
    for (int g = 0; g < EVIDENCE_SCALES; g++)
      for (int sign = -1; sign <= 1; sign += 2)
        for (bool better = true; better;) {
          scales[g] += sign * step;
          const double next = unlikelihood(&likelihood, scales);
          better = next < least - 1e-3;
          if (better)
            least = next;
          else
            scales[g] -= sign * step;
        }
  free(likelihood.matrix);
}
