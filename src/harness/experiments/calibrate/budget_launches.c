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
double tutti_budget_noise(const struct budget *budget, const tutti_measurement *const *measured)
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

struct sampler_measurement tutti_budget_launches(const struct budget *budget, size_t row,
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
