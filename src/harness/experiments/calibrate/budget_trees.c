/* Results that keep their bits at all sizes: where a number of ranks got methods with several trees, one for all calls.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "harness/experiments/calibrate/budget.h"
#include "tutti/reproducible.h"

static bool is_alike(const struct budget *budget, size_t a, size_t b)
{
  const tutti_point *one = &budget->samples[a], *other = &budget->samples[b];
  return one->ranks == other->ranks && one->method.algorithm->collective == other->method.algorithm->collective;
}

static bool is_aligned(const struct budget *budget, size_t point)
{
  return tutti_method_reproducible(&budget->rows.items[point].call.found.method) & TUTTI_REPRODUCIBLE_ALIGNED;
}

/* Whether all calls alike have one method, or methods of the aligned tree. */
static bool is_kept(const struct budget *budget, const size_t *chosen, size_t call)
{
  bool same = true, aligned = true;
  for (size_t c = 0; c < budget->sampler.cells; c++)
    if (is_alike(budget, call, c)) {
      same = same && budget->points[chosen[c]].method == budget->points[chosen[call]].method;
      aligned = aligned && is_aligned(budget, chosen[c]);
    }
  return same || aligned;
}

/* Of the logarithms of times, over all calls alike; INFINITY: it is not in all of them. */
static double loss_of(const struct budget *budget, const size_t *chosen, size_t call, size_t method)
{
  const struct sampler *sampler = &budget->sampler;
  double loss = 0;
  for (size_t c = 0; c < sampler->cells; c++) {
    const size_t point = sampler->of_method[method * sampler->cells + c];
    if (is_alike(budget, call, c))
      loss +=
          point == sampler->count ? INFINITY : sampler->weight[c] * (sampler->mean[point] - sampler->mean[chosen[c]]);
  }
  return loss;
}

static size_t find_method(const struct budget *budget, const size_t *chosen, size_t call)
{
  const struct sampler *sampler = &budget->sampler;
  size_t best = budget->points[chosen[call]].method;
  double least = INFINITY;
  for (size_t m = 0; m < sampler->methods; m++) {
    const double loss = loss_of(budget, chosen, call, m);
    best = loss < least ? m : best;
    least = fmin(loss, least);
  }
  return best;
}

void tutti_budget_keep_trees(struct budget *budget)
{
  const struct sampler *sampler = &budget->sampler;
  size_t *chosen = tutti_xcalloc(sampler->cells + 1, sizeof *chosen);
  size_t *only = tutti_xcalloc(sampler->cells + 1, sizeof *only);
  for (size_t c = 0; c < sampler->cells; c++)
    chosen[c] = tutti_budget_decide(budget, c).chosen;
  for (size_t c = 0; c < sampler->cells; c++) {
    const bool reduces = tutti_collective_traits(budget->samples[c].method.algorithm->collective) & TUTTI_REDUCES;
    const size_t method =
        reduces && !is_kept(budget, chosen, c) ? find_method(budget, chosen, c) : budget->points[chosen[c]].method;
    only[c] = sampler->of_method[method * sampler->cells + c];
  }
  for (size_t c = 0; c < sampler->cells; c++)
    only[c] = only[c] == sampler->count ? chosen[c] : only[c];
  budget->only = only;
  tutti_budget_judge(budget);
  free(chosen);
}
