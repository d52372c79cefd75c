#include "harness/experiments/calibrate/budget.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/numbers.h"
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

/* Whether a time of this method is known at some call. */
static bool is_seen(const struct budget *budget, size_t method)
{
  const struct sampler *sampler = &budget->sampler;
  for (size_t c = 0; c < sampler->cells; c++) {
    const size_t row = sampler->of_method[method * sampler->cells + c];
    if (row < sampler->count && budget->measured[row] > 0)
      return true;
  }
  return false;
}

void tutti_budget_judge(struct budget *budget)
{
  double sum = 0, weights = 0;
  budget->calls = budget->undecided = 0;
  for (size_t c = 0; c < budget->rows.cells.count; c++) {
    const struct sampler_choice choice = tutti_budget_decide(budget, c);
    sum += choice.loss * budget->sampler.weight[c];
    weights += budget->sampler.weight[c];
    if (budget->weights && budget->weights[c] == 0)
      continue;
    budget->calls++;
    budget->undecided += !tutti_budget_is_decided(budget, &choice);
  }
  budget->loss = weights > 0 ? sum / weights : 0;
}

struct sampler_choice tutti_budget_decide(const struct budget *budget, size_t call)
{
  struct sampler_choice choice = tutti_sampler_choose(&budget->sampler, call, budget->confidence);
  const double *mean = budget->sampler.mean;
  if (budget->only && budget->only[call] != choice.chosen) {
    choice.loss = (1 + choice.loss) * exp(mean[budget->only[call]] - mean[choice.chosen]) - 1;
    choice.chosen = budget->only[call];
  }
  return choice;
}

bool tutti_budget_is_decided(const struct budget *budget, const struct sampler_choice *choice)
{
  return choice->loss <= BUDGET_DECIDED && is_seen(budget, budget->points[choice->chosen].method);
}

/* ---- a batch ---- */

struct batch {
  struct budget *budget;
  const tutti_point *points;
  bool *wanted;
  const tutti_measurement *const *measured;
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

/* The place in the plan of the first launch of a row that is neither measured nor wanted. */
static size_t next_launch(const struct batch *batch, size_t row)
{
  size_t place = batch->budget->first[row];
  while (batch->measured[place] || batch->wanted[place])
    place++;
  return place;
}

/* Not of a closed point. */
static void add_point(struct batch *batch, size_t row)
{
  struct budget *budget = batch->budget;
  const double noise = budget->used[row] == 0 ? tutti_budget_first_noise(budget) : budget->noise;
  batch->wanted[next_launch(batch, row)] = true;
  batch->cost += budget->points[row].cost;
  batch->count++;
  budget->sampler.closed[row] = ++budget->used[row] >= budget->launches[row];
  open_launch(batch, &batch->points[budget->first[row]]);
  tutti_sampler_add(&budget->sampler, row, budget->sampler.mean[row], noise);
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
  struct budget *budget = batch->budget;
  size_t next[2];
  double worth;
  if (budget->loss < budget->worth)
    return BUDGET_WORTHLESS;
  while (batch->cost < batch->most) {
    const int found = tutti_sampler_next(&budget->sampler, budget->noise, next, &worth);
    if (found == 0)
      return BUDGET_MEASURED;
    if (worth * tutti_budget_left(budget) < budget->worth)
      return BUDGET_WORTHLESS;
    for (int i = 0; i < found && (batch->count == 0 || batch->cost < batch->most); i++)
      add_point(batch, next[i]);
  }
  return BUDGET_GOES_ON;
}

/* Methods that would be taken though nothing was measured of them anywhere, or all of which nothing was where the prior
   is that wrong: a point each, at the call that counts most. A wrong prior would never be found out otherwise. */
static void add_unseen(struct batch *batch)
{
  struct budget *budget = batch->budget;
  const struct sampler *sampler = &budget->sampler;
  size_t *rows = tutti_xcalloc(sampler->methods + 1, sizeof *rows); /* and 1; 0: none */
  for (size_t c = 0; c < sampler->cells; c++) {
    const size_t chosen = tutti_budget_decide(budget, c).chosen;
    for (size_t i = sampler->first[c]; i < sampler->first[c + 1]; i++) {
      const size_t method = budget->points[i].method;
      const double most = rows[method] ? sampler->weight[budget->points[rows[method] - 1].cell] : 0;
      if ((i == chosen || sampler->shift != 0) && sampler->weight[c] > most && !sampler->closed[i] &&
          !is_seen(budget, method))
        rows[method] = i + 1;
    }
  }
  for (size_t m = 0; m < sampler->methods && batch->cost < batch->most; m++)
    if (rows[m])
      add_point(batch, rows[m] - 1);
  free(rows);
}

/* A method that takes the place of the library's own is measured beside it first: a point of each that has none. */
static void add_replacements(struct batch *batch)
{
  struct budget *budget = batch->budget;
  for (size_t c = 0; c < budget->rows.cells.count; c++) {
    const struct sampler_choice choice = tutti_budget_decide(budget, c);
    const size_t both[] = {choice.chosen, choice.own};
    const bool replaces =
        budget->sampler.weight[c] > 0 && choice.own < budget->rows.count && choice.chosen != choice.own;
    for (int i = 0; i < 2 && replaces && batch->cost < batch->most; i++)
      if (budget->used[both[i]] == 0)
        add_point(batch, both[i]);
  }
}

/* By how many deviations of their difference a point is expected to be slower than the one that is chosen. */
static double deviations(const struct budget *budget, size_t chosen, size_t point)
{
  const struct sampler *sampler = &budget->sampler;
  const double variance =
      sampler->variance[point] + sampler->variance[chosen] - 2 * tutti_sampler_covariance(sampler, point, chosen);
  return (sampler->mean[point] - sampler->mean[chosen]) / sqrt(fmax(1e-12, variance));
}

/* The point of a call that is open and the likeliest to be faster than the chosen one; SIZE_MAX: all that can be the
   fastest are closed, up to two deviations. */
static size_t find_rival(const struct budget *budget, size_t chosen)
{
  static const double MOST = 2;
  const struct sampler *sampler = &budget->sampler;
  const size_t cell = budget->points[chosen].cell;
  size_t rival = SIZE_MAX;
  double least = MOST;
  for (size_t i = sampler->first[cell]; i < sampler->first[cell + 1]; i++) {
    const double off = i == chosen || sampler->closed[i] ? MOST : deviations(budget, chosen, i);
    if (off < least) {
      least = off;
      rival = i;
    }
  }
  return rival;
}

/* A call that is not decided. */
struct open_call {
  size_t chosen; /* point */
  double loss;   /* weighted */
};

/* The largest first; of equal ones that of the first call. */
static int by_loss(const void *left, const void *right)
{
  const struct open_call *a = left, *b = right;
  return a->loss != b->loss ? (a->loss < b->loss) - (a->loss > b->loss) : THREE_WAY(a->chosen, b->chosen);
}

/* What one measurement more would save is little where times differ much between launches, though several would decide
   a call. So time that nothing else needs goes to the calls that lose most: the chosen method, and its rival. */
static void add_rivals(struct batch *batch)
{
  struct budget *budget = batch->budget;
  struct open_call *open = tutti_xcalloc(budget->rows.cells.count + 1, sizeof *open);
  size_t count = 0;
  for (size_t c = 0; c < budget->rows.cells.count; c++) {
    const struct sampler_choice choice = tutti_budget_decide(budget, c);
    const double loss = choice.loss * budget->sampler.weight[c];
    if (loss > 0 && !tutti_budget_is_decided(budget, &choice))
      open[count++] = (struct open_call){choice.chosen, loss};
  }
  qsort(open, count, sizeof *open, by_loss);
  for (size_t i = 0; i < count && batch->cost < batch->most; i++) {
    const size_t chosen = open[i].chosen, rival = find_rival(budget, chosen);
    if (!budget->sampler.closed[chosen])
      add_point(batch, chosen);
    if (rival != SIZE_MAX)
      add_point(batch, rival);
  }
  free(open);
}

/* ---- the end ---- */

/* Whether all points of a call are closed that can be the fastest. */
static bool is_exhausted(const struct budget *budget, const struct sampler_choice *choice)
{
  return budget->sampler.closed[choice->chosen] && find_rival(budget, choice->chosen) == SIZE_MAX;
}

/* Why nothing is added: calls can be open where nothing more can be measured. */
static enum budget_end explain_end(const struct budget *budget, enum budget_end end)
{
  size_t open = 0, exhausted = 0;
  for (size_t c = 0; c < budget->rows.cells.count; c++) {
    const struct sampler_choice choice = tutti_budget_decide(budget, c);
    if (budget->sampler.weight[c] == 0 || tutti_budget_is_decided(budget, &choice))
      continue;
    open++;
    exhausted += is_exhausted(budget, &choice);
  }
  return open > 0 && exhausted == open && budget->loss >= budget->worth ? BUDGET_EXHAUSTED : end;
}

/* A batch that measured nothing will not do so again, but for one that time cut off. */
static bool is_stuck(struct budget *budget)
{
  budget->idle = budget->batch_count > 0 && budget->spent == budget->batch_spent ? budget->idle + 1 : 0;
  return budget->idle > (budget->most_points == 0);
}

/* ---- all ---- */

/* By all batches together: of one with few points most is what a run takes besides. */
static void learn_speed(struct budget *budget)
{
  if (budget->batch_seconds == 0)
    return;
  budget->took += tutti_clock(CLOCK_MONOTONIC) - budget->batch_begun;
  budget->expected += budget->batch_seconds / budget->scale;
  budget->scale = fmin(1e3, fmax(1e-3, budget->took / budget->expected));
}

static enum budget_end choose_batch(struct batch *batch)
{
  struct budget *budget = batch->budget;
  if (tutti_budget_left(budget) <= 0)
    return BUDGET_USED_UP;
  if (is_stuck(budget))
    return BUDGET_STUCK;
  const enum budget_end end = fill(batch);
  if (batch->count == 0)
    add_unseen(batch);
  if (batch->count == 0)
    add_replacements(batch);
  if (batch->count == 0 && end == BUDGET_WORTHLESS && budget->loss >= budget->worth && budget->most_points == 0 &&
      !budget->experiment->platform_path)
    add_rivals(batch);
  return batch->count > 0 ? BUDGET_GOES_ON : explain_end(budget, end);
}

tutti_status tutti_budget_choose(void *context, const tutti_point *points, const tutti_measurement *const *measured,
                                 size_t count, const char *library, bool *wanted, tutti_error *error)
{
  struct budget *budget = context;
  (void)count;
  const tutti_status status = budget->points ? TUTTI_OK : tutti_budget_make_points(budget, library, error);
  if (status != TUTTI_OK)
    return status;
  learn_speed(budget); /* before what takes time itself */
  tutti_budget_take_in(budget, measured);
  tutti_budget_judge(budget);
  struct batch batch = {.budget = budget, .points = points, .wanted = wanted, .measured = measured};
  batch.most = batch_limit(budget);
  set_costs(&batch);
  budget->end = choose_batch(&batch);
  budget->batch_count = batch.count;
  budget->batch_spent = budget->spent;
  budget->batch_begun = tutti_clock(CLOCK_MONOTONIC);
  budget->batch_seconds = budget->most_points > 0 ? 0 : batch.cost;
  return TUTTI_OK;
}
