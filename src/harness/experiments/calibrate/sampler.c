#include "harness/experiments/calibrate/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Of a measurement: no time is exact, and one that is measured again has to tell something. */
static const double LEAST_NOISE = 1e-3;

static double square(double value)
{
  return value * value;
}

/* Nothing is known but the prior. */
static void begin(struct sampler *sampler)
{
  double factors[EVIDENCE_SCALES];
  for (int g = 0; g < EVIDENCE_SCALES; g++)
    factors[g] = exp(2 * sampler->scales[g]);
  free(sampler->kernel);
  sampler->kernel = tutti_evidence_kernel(factors);
  sampler->measured = 0;
  for (size_t i = 0; i < sampler->count; i++) {
    const struct evidence_point *point = &sampler->points[i].point;
    sampler->times[i] = 0;
    sampler->mean[i] = tutti_evidence_expected(point) + sampler->shift;
    sampler->variance[i] = tutti_evidence_covariance(sampler->kernel, point, point, true);
    sampler->rival[i] = sampler->count;
  }
}

void tutti_sampler_open(struct sampler *sampler, const struct sampler_point *points, size_t count,
                        const double *weights)
{
  *sampler = (struct sampler){.points = points, .count = count};
  for (size_t i = 0; i < count; i++) {
    sampler->cells = points[i].cell >= sampler->cells ? points[i].cell + 1 : sampler->cells;
    sampler->methods = points[i].method >= sampler->methods ? points[i].method + 1 : sampler->methods;
  }
  const size_t cells = sampler->cells, pairs = sampler->methods * cells;
  sampler->first = tutti_xcalloc(cells + 1, sizeof *sampler->first);
  sampler->of_method = tutti_xcalloc(pairs + 1, sizeof *sampler->of_method);
  sampler->weight = tutti_xcalloc(cells + 1, sizeof *sampler->weight);
  sampler->times = tutti_xcalloc(count + 1, sizeof *sampler->times);
  sampler->mean = tutti_xcalloc(3 * count + 1, sizeof *sampler->mean);
  sampler->variance = sampler->mean + count;
  sampler->with = sampler->variance + count;
  sampler->closed = tutti_xcalloc(count + 1, sizeof *sampler->closed);
  sampler->rival = tutti_xcalloc(count + 1, sizeof *sampler->rival);
  for (size_t i = 0; i < pairs; i++)
    sampler->of_method[i] = count;
  for (size_t c = 0; c < cells; c++)
    sampler->weight[c] = weights ? weights[c] : 1;
  for (size_t i = count; i-- > 0;) {
    sampler->first[points[i].cell] = i;
    sampler->of_method[points[i].method * cells + points[i].cell] = i;
  }
  sampler->first[cells] = count;
  begin(sampler);
}

void tutti_sampler_shift(struct sampler *sampler, double logarithm)
{
  sampler->shift = logarithm;
  begin(sampler);
}

void tutti_sampler_close(struct sampler *sampler)
{
  free(sampler->known);
  free(sampler->history);
  free(sampler->kernel);
  free(sampler->rival);
  free(sampler->first);
  free(sampler->of_method);
  free(sampler->weight);
  free(sampler->times);
  free(sampler->closed);
  free(sampler->mean);
  *sampler = (struct sampler){.count = 0};
}

/* ---- what is known ---- */

/* Of two rows; eight sums, which a processor adds side by side. */
static float product(const struct sampler *sampler, const float *left, const float *right)
{
  float sums[8] = {0}, sum = 0;
  for (size_t k = 0; k < sampler->measured; k += 8) /* the columns beyond are 0, or finite beside a 0 */
    for (size_t l = 0; l < 8; l++)
      sums[l] += left[k + l] * right[k + l];
  for (int l = 0; l < 8; l++)
    sum += sums[l];
  return sum;
}

static const float *row_of(const struct sampler *sampler, size_t point)
{
  return &sampler->known[point * sampler->capacity];
}

static double prior_covariance(const struct sampler *sampler, size_t a, size_t b)
{
  return tutti_evidence_covariance(sampler->kernel, &sampler->points[a].point, &sampler->points[b].point, a == b);
}

double tutti_sampler_covariance(const struct sampler *sampler, size_t a, size_t b)
{
  return prior_covariance(sampler, a, b) - (double)product(sampler, row_of(sampler, a), row_of(sampler, b));
}

/* Twice as many columns. */
static void widen(struct sampler *sampler)
{
  const size_t wider = sampler->capacity ? 2 * sampler->capacity : 16, size = sizeof *sampler->known;
  float *known = tutti_xcalloc(sampler->count * wider, size);
  for (size_t i = 0; i < sampler->count && sampler->measured > 0; i++)
    memcpy(&known[i * wider], row_of(sampler, i), sampler->measured * size);
  free(sampler->known);
  sampler->known = known;
  sampler->capacity = wider;
  sampler->history = tutti_xrealloc(sampler->history, wider * sizeof *sampler->history);
}

/* A column more: what is left of the covariance with the point, over its deviation. */
static void learn(struct sampler *sampler, const struct sampler_measurement *added)
{
  const size_t point = added->point;
  const double noise = square(fmax(added->noise, LEAST_NOISE)), variance = sampler->variance[point] + noise,
               deviation = sqrt(variance), surprise = (added->logarithm - sampler->mean[point]) / deviation;
  double *parts = tutti_xcalloc(sampler->count, sizeof *parts);
  for (size_t i = 0; i < sampler->count; i++) {
    parts[i] = i == point ? (variance - noise) / deviation : tutti_sampler_covariance(sampler, point, i) / deviation;
    sampler->mean[i] += parts[i] * surprise;
    sampler->variance[i] = fmax(0, sampler->variance[i] - square(parts[i]));
  }
  for (size_t i = 0; i < sampler->count; i++) {
    sampler->known[i * sampler->capacity + sampler->measured] = (float)parts[i];
    if (sampler->rival[i] < sampler->count)
      sampler->with[i] -= parts[i] * parts[sampler->rival[i]];
  }
  free(parts);
  sampler->history[sampler->measured++] = *added;
  sampler->times[point] += added->times;
}

void tutti_sampler_add_launches(struct sampler *sampler, const struct sampler_measurement *added)
{
  if (sampler->measured == sampler->capacity)
    widen(sampler);
  learn(sampler, added);
}

void tutti_sampler_add(struct sampler *sampler, size_t point, double logarithm, double noise)
{
  tutti_sampler_add_launches(sampler, &(struct sampler_measurement){point, logarithm, noise, 1});
}

void tutti_sampler_rescale(struct sampler *sampler)
{
  const size_t measured = sampler->measured;
  if (measured == 0)
    return;
  tutti_sampler_learn_scales(sampler);
  memset(sampler->known, 0, sampler->count * sampler->capacity * sizeof *sampler->known);
  begin(sampler);
  for (size_t m = 0; m < measured; m++)
    learn(sampler, &sampler->history[m]);
}

/* ---- what a measurement is worth ---- */

/* How much the better of two is expected to gain when their difference, @p apart now, is going to move by a normal
   number of this deviation. */
static double gain(double deviation, double apart)
{
  if (!(deviation > 0))
    return 0;
  const double t = -fabs(apart) / deviation;
  return deviation * (t * 0.5 * erfc(-t / sqrt(2)) + exp(-0.5 * t * t) / sqrt(2 * M_PI));
}

/* To choose, deviations count as this many times what they are: the scales are learnt where the prior has its best
   methods, and say nothing of those that it has last. */
static const double EXPLORE = 2;

/* The least mean of a cell, and the next. */
struct leaders {
  size_t best, second; /* count: none */
};

static struct leaders find_leaders(const struct sampler *sampler, size_t cell)
{
  struct leaders leaders = {sampler->count, sampler->count};
  const double *mean = sampler->mean;
  for (size_t i = sampler->first[cell]; i < sampler->first[cell + 1]; i++)
    if (leaders.best == sampler->count || mean[i] < mean[leaders.best])
      leaders = (struct leaders){i, leaders.best};
    else if (leaders.second == sampler->count || mean[i] < mean[leaders.second])
      leaders.second = i;
  return leaders;
}

static size_t rival_of(const struct leaders *leaders, size_t point)
{
  return point == leaders->best ? leaders->second : leaders->best;
}

struct pair {
  size_t point, rival;
  size_t next[2]; /* what to measure of them, the first one first */
  int next_count; /* 0: they are closed */
  double spread;  /* the deviation of the difference that both measured once more will show */
  double value;   /* by cost */
};

/* What was not measured, the rival first, as the difference needs it; then what was measured less often. */
static void set_next(const struct sampler *sampler, struct pair *pair)
{
  const size_t both[] = {pair->rival, pair->point};
  const int *times = sampler->times;
  for (int i = 0; i < 2; i++)
    if (times[both[i]] == 0 && !sampler->closed[both[i]])
      pair->next[pair->next_count++] = both[i];
  for (int i = 1; i >= 0 && pair->next_count == 0; i--)
    if (!sampler->closed[both[i]] && (times[both[i]] <= times[both[1 - i]] || sampler->closed[both[1 - i]]))
      pair->next[pair->next_count++] = both[i];
}

/* Points that were measured before say less. */
static double share_of(const struct sampler *sampler, const struct pair *pair)
{
  return ldexp(1, -sampler->times[pair->next[0]]);
}

static double cost_of(const struct sampler *sampler, const struct pair *pair)
{
  double cost = 0;
  for (int i = 0; i < pair->next_count; i++)
    cost += sampler->points[pair->next[i]].cost;
  return cost;
}

/* By its own cell alone. */
static struct pair judge_locally(const struct sampler *sampler, size_t point, size_t rival, double noise)
{
  struct pair pair = {.point = point, .rival = rival};
  set_next(sampler, &pair);
  if (pair.next_count == 0)
    return pair;
  if (sampler->rival[point] != rival) {
    sampler->rival[point] = rival;
    sampler->with[point] = tutti_sampler_covariance(sampler, point, rival);
  }
  const double variance = sampler->variance[point] + sampler->variance[rival] - 2 * sampler->with[point];
  pair.spread = sqrt(fmax(0, variance) + 2 * noise * noise);
  pair.value = gain(EXPLORE * fmax(0, variance) / pair.spread, sampler->mean[point] - sampler->mean[rival]) *
               sampler->weight[sampler->points[point].cell] * share_of(sampler, &pair) / cost_of(sampler, &pair);
  return pair;
}

/* ---- the next ones ---- */

/* So many are judged by all cells: they have most of what the best one is worth. */
enum { SHORT_LIST = 24 };

static void keep(struct pair list[SHORT_LIST], int *count, const struct pair *pair)
{
  if (*count == SHORT_LIST && list[SHORT_LIST - 1].value >= pair->value)
    return;
  int at = *count < SHORT_LIST ? (*count)++ : SHORT_LIST - 1;
  for (; at > 0 && list[at - 1].value < pair->value; at--)
    list[at] = list[at - 1];
  list[at] = *pair;
}

static int make_short_list(const struct sampler *sampler, const struct leaders *leaders, double noise,
                           struct pair list[SHORT_LIST])
{
  int count = 0;
  for (size_t i = 0; i < sampler->count; i++) {
    const size_t rival = rival_of(&leaders[sampler->points[i].cell], i);
    if (rival == sampler->count)
      continue;
    const struct pair pair = judge_locally(sampler, i, rival, noise);
    if (pair.value > 0)
      keep(list, &count, &pair);
  }
  return count;
}

/* What both together tell of one cell, by the difference of their rows. */
static double gain_at(const struct sampler *sampler, const struct leaders *leaders, const struct pair *pair,
                      const float *difference, double explore, size_t cell)
{
  const size_t own = sampler->of_method[sampler->points[pair->point].method * sampler->cells + cell];
  const size_t rival = own < sampler->count ? rival_of(&leaders[cell], own) : sampler->count;
  if (rival == sampler->count)
    return 0;
  const double common = prior_covariance(sampler, pair->point, own) - prior_covariance(sampler, pair->point, rival) -
                        prior_covariance(sampler, pair->rival, own) + prior_covariance(sampler, pair->rival, rival) -
                        (double)(product(sampler, difference, row_of(sampler, own)) -
                                 product(sampler, difference, row_of(sampler, rival)));
  return gain(explore * fabs(common) / pair->spread, sampler->mean[own] - sampler->mean[rival]) * sampler->weight[cell];
}

/* Judge by all cells that have the method. Cell by cell, as most of the time goes into fetching their rows. */
static void judge(const struct sampler *sampler, const struct leaders *leaders, struct pair *list, int count,
                  double explore)
{
  double sums[SHORT_LIST] = {0};
  const size_t wide = sampler->capacity;
  float *differences = tutti_xcalloc((size_t)count * wide + 1, sizeof *differences);
  for (int i = 0; i < count; i++)
    for (size_t k = 0; k < wide; k++)
      differences[(size_t)i * wide + k] = row_of(sampler, list[i].point)[k] - row_of(sampler, list[i].rival)[k];
  for (size_t c = 0; c < sampler->cells; c++)
    for (int i = 0; i < count; i++)
      sums[i] += gain_at(sampler, leaders, &list[i], &differences[(size_t)i * wide], explore, c);
  for (int i = 0; i < count; i++)
    list[i].value = sums[i] * share_of(sampler, &list[i]) / cost_of(sampler, &list[i]);
  free(differences);
}

int tutti_sampler_next(const struct sampler *sampler, double noise, size_t next[2], double *worth)
{
  struct leaders *leaders = tutti_xcalloc(sampler->cells + 1, sizeof *leaders);
  struct pair list[SHORT_LIST];
  for (size_t c = 0; c < sampler->cells; c++)
    leaders[c] = find_leaders(sampler, c);
  const int count = make_short_list(sampler, leaders, noise, list);
  struct pair *best = NULL;
  judge(sampler, leaders, list, count, EXPLORE);
  for (int i = 0; i < count; i++)
    best = !best || list[i].value > best->value ? &list[i] : best;
  if (best)
    judge(sampler, leaders, best, 1, 1);
  *worth = best ? best->value / (double)sampler->cells : 0;
  for (int i = 0; best && i < best->next_count; i++)
    next[i] = best->next[i];
  free(leaders);
  return best ? best->next_count : 0;
}
