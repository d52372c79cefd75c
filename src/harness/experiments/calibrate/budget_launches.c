/* What the launches of a point say together. Times of a real machine differ more between launches than within one, and
   some launches are far off: their median counts. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "harness/experiments/calibrate/budget.h"

/* Times of 0 or less say nothing. */
static bool has_time(const tutti_measurement *measured)
{
  return measured && measured->median > 0 && isfinite(measured->median);
}

/* The logarithms of the times of a row, sorted. */
struct launches {
  double *logarithms; /* [count] owned */
  size_t count;
  double median;
  double square; /* sum of those of the deviations of each within its launch */
};

static struct launches open_launches(const struct budget *budget, size_t row, const tutti_measurement *const *measured)
{
  static const double DEVIATIONS = 1.96; /* of a 95 % interval */
  struct launches launches = {.logarithms =
                                  tutti_xcalloc((size_t)budget->launches[row] + 1, sizeof *launches.logarithms)};
  for (int l = 0; l < budget->launches[row]; l++) {
    const tutti_measurement *found = measured[budget->first[row] + (size_t)l];
    if (!has_time(found))
      continue;
    launches.logarithms[launches.count++] = log(found->median);
    launches.square += pow(found->spread / 100 / DEVIATIONS, 2);
  }
  if (launches.count > 0) {
    tutti_doubles_sort(launches.logarithms, launches.count);
    launches.median = tutti_doubles_median(launches.logarithms, launches.count);
  }
  return launches;
}

static bool is_real(const struct budget *budget)
{
  return !budget->experiment->platform_path;
}

/* The deviation of the logarithms, begun with launches that nobody saw: few that agree do not show that all do. */
static double learn_noise(const struct budget *budget, const tutti_measurement *const *measured)
{
  static const double SIMULATION = 1e-3, EXPECTED = 0.2, SEEN = 4, LARGEST = 1;
  double sum = SEEN * EXPECTED * EXPECTED, freedom = SEEN;
  for (size_t i = 0; i < budget->rows.count && is_real(budget); i++) {
    struct launches launches = open_launches(budget, i, measured);
    for (size_t l = 0; l < launches.count; l++)
      sum += pow(fmin(LARGEST, fabs(launches.logarithms[l] - launches.median)), 2);
    freedom += launches.count > 0 ? (double)launches.count - 1 : 0;
    free(launches.logarithms);
  }
  return is_real(budget) ? sqrt(sum / freedom) : SIMULATION;
}

/* The standard deviation of a median is that of a mean up to two, and grows to sqrt(pi / 2) times that. */
static double share_of_noise(size_t count)
{
  return sqrt((count > 2 ? M_PI / 2 : 1) / (double)count);
}

/* Of the first launch nothing says whether it is far off. */
double tutti_budget_first_noise(const struct budget *budget)
{
  return (is_real(budget) ? 2 : 1) * budget->noise;
}

/* Of the logarithms of a row by the median of their distances from the median, which one far off does not move. */
static double own_noise(const struct launches *launches)
{
  static const double NORMAL = 1.4826; /* a standard deviation */
  double *distances = tutti_xcalloc(launches->count + 1, sizeof *distances);
  for (size_t l = 0; l < launches->count; l++)
    distances[l] = fabs(launches->logarithms[l] - launches->median);
  tutti_doubles_sort(distances, launches->count);
  const double own = NORMAL * tutti_doubles_median(distances, launches->count);
  free(distances);
  return own;
}

static struct sampler_measurement put_together(const struct budget *budget, size_t row,
                                               const tutti_measurement *const *measured)
{
  struct launches launches = open_launches(budget, row, measured);
  struct sampler_measurement together = {
      .point = row, .logarithm = launches.median, .times = (int)launches.count, .noise = 0};
  if (launches.count == 1)
    together.noise = tutti_budget_first_noise(budget);
  else if (launches.count > 1)
    together.noise = fmax(budget->noise, own_noise(&launches)) * share_of_noise(launches.count);
  if (launches.count > 0)
    together.noise = hypot(together.noise, sqrt(launches.square) / (double)launches.count);
  free(launches.logarithms);
  return together;
}

/* ---- all that is known ---- */

/* How often a row was measured; of what it says only what has a time counts. A simulated call without messages takes
   none: there is nothing to decide. */
static struct sampler_measurement count_launches(struct budget *budget, size_t row,
                                                 const tutti_measurement *const *measured)
{
  const struct sampler_measurement together = put_together(budget, row, measured);
  budget->measured[row] = together.times;
  budget->used[row] = 0;
  for (int l = 0; l < budget->launches[row]; l++)
    budget->used[row] += measured[budget->first[row] + (size_t)l] != NULL;
  budget->sampler.closed[row] = budget->used[row] >= budget->launches[row];
  if (!is_real(budget) && budget->used[row] > together.times)
    budget->sampler.weight[budget->points[row].cell] = 0;
  budget->spent += (size_t)budget->used[row];
  budget->known += budget->used[row] > 0;
  return together;
}

/* The median of what the logarithms of measured times are off, if it is more than machines differ by: then the times of
   the prior are of another unit, and none of them says anything. */
static double shift_of(const struct budget *budget, const struct sampler_measurement *known, size_t count)
{
  static const double MOST = 4;
  if (count < SAMPLER_RESCALE)
    return 0;
  double *errors = tutti_xcalloc(count, sizeof *errors);
  for (size_t i = 0; i < count; i++)
    errors[i] = known[i].logarithm - tutti_evidence_expected(&budget->points[known[i].point].point);
  tutti_doubles_sort(errors, count);
  const double median = tutti_doubles_median(errors, count);
  free(errors);
  return fabs(median) > MOST ? median : 0;
}

/* One launch that is far from all that others say may be off itself: up to so many deviations it counts. */
static double doubt_of(const struct budget *budget, const struct sampler_measurement *one)
{
  static const double DEVIATIONS = 3;
  const double surprise = one->logarithm - budget->sampler.mean[one->point];
  return sqrt(fmax(pow(one->noise, 2), pow(surprise / DEVIATIONS, 2) - budget->sampler.variance[one->point]));
}

/* On a real machine what was measured in several launches first. */
static void learn(struct budget *budget, struct sampler_measurement *known, size_t count)
{
  for (int single = 0; single < 2; single++)
    for (size_t k = 0; k < count; k++) {
      if ((known[k].times == 1) != single)
        continue;
      if (single && is_real(budget))
        known[k].noise = doubt_of(budget, &known[k]);
      tutti_sampler_add_launches(&budget->sampler, &known[k]);
    }
}

void tutti_budget_take_in(struct budget *budget, const tutti_measurement *const *measured)
{
  tutti_sampler_close(&budget->sampler);
  tutti_sampler_open(&budget->sampler, budget->points, budget->rows.count, budget->weights);
  budget->spent = budget->known = 0;
  budget->noise = learn_noise(budget, measured);
  struct sampler_measurement *known = tutti_xcalloc(budget->rows.count + 1, sizeof *known);
  size_t count = 0;
  for (size_t i = 0; i < budget->rows.count; i++) {
    known[count] = count_launches(budget, i, measured);
    if (known[count].times > 0)
      budget->rows.items[i].call.seconds = exp(known[count++].logarithm);
  }
  tutti_sampler_shift(&budget->sampler, shift_of(budget, known, count));
  learn(budget, known, count);
  free(known);
  if (budget->sampler.measured >= SAMPLER_RESCALE)
    tutti_sampler_rescale(&budget->sampler);
}
