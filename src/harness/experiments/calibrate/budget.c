#include "harness/experiments/calibrate/budget.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "harness/experiments/plan/plan.h"

/* ---- costs ---- */

/* Seconds of a start of ranks on a real machine, and messages that an engine simulates in a second, before any was
   seen. */
static const double START = 1, SIMULATED = 1e5;

double tutti_budget_left(const struct budget *budget)
{
  return fmax(0, budget->most_points > 0 ? (double)budget->most_points - (double)budget->spent
                                         : budget->most_seconds - (tutti_clock(CLOCK_MONOTONIC) - budget->begun));
}

/* Seconds that a point takes in a launch that measures others, too. */
static double seconds_of(const struct budget *budget, const tutti_point *point, size_t row)
{
  const tutti_measure *measure = &budget->experiment->measure;
  const double seconds = budget->experiment->platform_path
                             ? point->cost / SIMULATED
                             : exp(budget->sampler.mean[row]) * 2 * (measure->warmup + measure->repetitions_max);
  return budget->scale * seconds;
}

/* ---- what is known ---- */

/* Times of a real machine differ more between launches than within one: the deviation of their logarithms, from points
   that were measured in several, begun with a few that nobody saw. */
static double launch_noise(const struct budget *budget, const tutti_measurement *const *measured)
{
  static const double EXPECTED = 0.05, SEEN = 4, LARGEST = 1;
  double sum = SEEN * EXPECTED * EXPECTED, freedom = SEEN;
  for (size_t i = 0; i < budget->rows.count; i++) {
    double logarithms[BUDGET_LAUNCHES], mean = 0;
    int count = 0;
    for (int l = 0; l < budget->launches[i] && count < BUDGET_LAUNCHES; l++) {
      const tutti_measurement *found = measured[budget->first[i] + (size_t)l];
      if (found && found->median > 0)
        mean += logarithms[count++] = log(found->median);
    }
    for (int l = 0; l < count; l++)
      sum += pow(fmin(LARGEST, fabs(logarithms[l] - mean / count)), 2);
    freedom += count > 0 ? count - 1 : 0;
  }
  return sqrt(sum / freedom);
}

/* Standard deviation of the logarithm of a median whose 95 % interval in its launch is known. */
static double noise_of(const struct budget *budget, const tutti_measurement *measured)
{
  static const double DEVIATIONS = 1.96;
  return hypot(budget->noise, measured->spread / 100 / DEVIATIONS);
}

/* All measurements, from the beginning: what was expected of a batch may not have come. */
static void take_in(struct budget *budget, const tutti_measurement *const *measured)
{
  static const double SIMULATION = 1e-3;
  tutti_sampler_close(&budget->sampler);
  tutti_sampler_open(&budget->sampler, budget->points, budget->rows.count, budget->weights);
  budget->spent = budget->known = 0;
  budget->noise = budget->experiment->platform_path ? SIMULATION : launch_noise(budget, measured);
  for (size_t i = 0; i < budget->rows.count; i++) {
    budget->measured[i] = 0;
    for (int l = 0; l < budget->launches[i]; l++) {
      const tutti_measurement *found = measured[budget->first[i] + (size_t)l];
      if (!found || !(found->median > 0))
        continue;
      tutti_sampler_add(&budget->sampler, i, log(found->median), noise_of(budget, found));
      budget->rows.items[i].call.seconds = found->median;
      budget->measured[i]++;
      budget->spent++;
    }
    budget->known += budget->measured[i] > 0;
  }
  if (budget->spent >= SAMPLER_RESCALE)
    tutti_sampler_rescale(&budget->sampler);
}

static void judge(struct budget *budget)
{
  double sum = 0, weights = 0;
  budget->undecided = 0;
  for (size_t c = 0; c < budget->rows.cells.count; c++) {
    const struct sampler_choice choice = tutti_budget_decide(budget, c);
    sum += choice.loss * budget->sampler.weight[c];
    weights += budget->sampler.weight[c];
    budget->undecided += choice.loss > BUDGET_DECIDED;
  }
  budget->loss = weights > 0 ? sum / weights : 0;
}

struct sampler_choice tutti_budget_decide(const struct budget *budget, size_t call)
{
  return tutti_sampler_choose(&budget->sampler, call, budget->confidence);
}

/* ---- a batch ---- */

struct batch {
  struct budget *budget;
  const tutti_point *points;
  bool *wanted;
  double most, cost; /* in units of the budget */
  size_t count;
};

/* Points of a launch that is to start anyway cost only their own time. */
static void set_costs(const struct batch *batch)
{
  struct budget *budget = batch->budget;
  for (size_t i = 0; i < budget->rows.count && budget->most_points == 0; i++)
    budget->points[i].cost = seconds_of(budget, &batch->points[budget->first[i]], i) +
                             (budget->experiment->platform_path ? 0 : budget->scale * START);
}

static void open_launch(const struct batch *batch, const tutti_point *added)
{
  struct budget *budget = batch->budget;
  for (size_t i = 0; i < budget->rows.count && budget->most_points == 0; i++) {
    const tutti_point *point = &batch->points[budget->first[i]];
    if (point->ranks == added->ranks && tutti_point_compare_launch(point, added) == 0)
      budget->points[i].cost = seconds_of(budget, point, i);
  }
}

/* False: it has been measured as often as it can be. */
static bool add_point(struct batch *batch, size_t row)
{
  struct budget *budget = batch->budget;
  const bool more = budget->measured[row] < budget->launches[row];
  if (more) {
    const size_t place = budget->first[row] + (size_t)budget->measured[row]++;
    batch->wanted[place] = true;
    batch->cost += budget->points[row].cost;
    batch->count++;
    open_launch(batch, &batch->points[budget->first[row]]);
  }
  tutti_sampler_add(&budget->sampler, row, budget->sampler.mean[row], more ? budget->noise : 1e-6);
  return more;
}

/* Of points a twelfth of all, of time a sixth of what is left; in the beginning fewer: what they say is used for the
   choice of the others. */
static double batch_limit(const struct budget *budget)
{
  const double left = tutti_budget_left(budget);
  if (budget->most_points == 0)
    return left / 6;
  return fmin(left, fmax(4, fmin((double)budget->most_points / 12, (double)budget->spent / 2)));
}

/* As many points as the batch has room for, while they are worth it. */
static enum budget_end fill(struct batch *batch)
{
  enum { MOST_FULL = 64 }; /* choices of points that cannot be measured again */
  struct budget *budget = batch->budget;
  size_t next[2];
  double worth;
  if (budget->loss < budget->worth)
    return BUDGET_WORTHLESS;
  for (int full = 0; batch->cost < batch->most && full < MOST_FULL;) {
    const int found = tutti_sampler_next(&budget->sampler, budget->noise, next, &worth);
    if (found == 0)
      return BUDGET_MEASURED;
    if (worth * tutti_budget_left(budget) < budget->worth)
      return BUDGET_WORTHLESS;
    for (int i = 0; i < found && (batch->count == 0 || batch->cost < batch->most); i++)
      full += !add_point(batch, next[i]);
  }
  return batch->count > 0 ? BUDGET_GOES_ON : BUDGET_MEASURED;
}

static void learn_speed(struct budget *budget)
{
  const double took = tutti_clock(CLOCK_MONOTONIC) - budget->batch_begun;
  if (budget->batch_seconds > 0)
    budget->scale *= fmin(10, fmax(0.1, took / budget->batch_seconds));
}

tutti_status tutti_budget_choose(void *context, const tutti_point *points, const tutti_measurement *const *measured,
                                 size_t count, const char *library, bool *wanted, tutti_error *error)
{
  struct budget *budget = context;
  (void)count;
  const tutti_status status = budget->points ? TUTTI_OK : tutti_budget_make_points(budget, library, error);
  if (status != TUTTI_OK)
    return status;
  take_in(budget, measured);
  learn_speed(budget);
  judge(budget);
  struct batch batch = {.budget = budget, .points = points, .wanted = wanted, .most = batch_limit(budget)};
  set_costs(&batch);
  const enum budget_end end = tutti_budget_left(budget) > 0 ? fill(&batch) : BUDGET_USED_UP;
  budget->end = batch.count > 0 ? BUDGET_GOES_ON : end;
  if (budget->end != BUDGET_GOES_ON && budget->sampler.measured > budget->spent)
    take_in(budget, measured); /* without what was expected */
  budget->batch_begun = tutti_clock(CLOCK_MONOTONIC);
  budget->batch_seconds = budget->most_points > 0 ? 0 : batch.cost;
  return TUTTI_OK;
}
