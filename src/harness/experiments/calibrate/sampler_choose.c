/* What to take of a cell, by what is known of its points. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "harness/experiments/calibrate/sampler.h"

struct sampler_choice tutti_sampler_choose(const struct sampler *sampler, size_t cell, double confidence)
{
  const size_t first = sampler->first[cell], count = sampler->first[cell + 1] - first;
  double *matrix = tutti_xcalloc(count * (count + 1), sizeof *matrix), *losses = matrix + count * count;
  size_t own = count;
  for (size_t a = 0; a < count; a++) {
    own = sampler->points[first + a].point.own ? a : own;
    for (size_t b = 0; b <= a; b++)
      matrix[a * count + b] = matrix[b * count + a] = tutti_sampler_covariance(sampler, first + a, first + b);
  }
  const struct evidence_choice choice =
      tutti_evidence_choose(&sampler->mean[first], matrix, count, own, confidence, losses);
  const struct sampler_choice found = {.chosen = first + choice.chosen,
                                       .own = own < count ? first + own : sampler->count,
                                       .loss = losses[choice.chosen],
                                       .own_loss = own < count ? losses[own] : NAN,
                                       .confidence = choice.confidence};
  free(matrix);
  return found;
}
