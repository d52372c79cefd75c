#include "harness/experiments/calibrate/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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
  sampler->mean = tutti_xcalloc(2 * count + 1, sizeof *sampler->mean);
  sampler->variance = sampler->mean + count;
  for (size_t i = 0; i < pairs; i++)
    sampler->of_method[i] = count;
  for (size_t c = 0; c < cells; c++)
    sampler->weight[c] = weights ? weights[c] : 1;
  for (size_t i = count; i-- > 0;) {
    sampler->first[points[i].cell] = i;
    sampler->of_method[points[i].method * cells + points[i].cell] = i;
    sampler->mean[i] = tutti_evidence_expected(&points[i].point);
    sampler->variance[i] = tutti_evidence_covariance(&points[i].point, &points[i].point, true);
  }
  sampler->first[cells] = count;
}

void tutti_sampler_close(struct sampler *sampler)
{
  free(sampler->known);
  free(sampler->first);
  free(sampler->of_method);
  free(sampler->weight);
  free(sampler->times);
  free(sampler->mean);
  *sampler = (struct sampler){.count = 0};
}

/* ---- what is known ---- */

/* What two points have in common with what was measured; eight sums, which a processor adds side by side. */
static float common(const struct sampler *sampler, size_t a, size_t b)
{
  const float *left = &sampler->known[a * sampler->capacity], *right = &sampler->known[b * sampler->capacity];
  float sums[8] = {0}, sum = 0;
  for (size_t k = 0; k < sampler->measured; k += 8) /* the columns beyond are 0 */
    for (size_t l = 0; l < 8; l++)
      sums[l] += left[k + l] * right[k + l];
  for (int l = 0; l < 8; l++)
    sum += sums[l];
  return sum;
}

/* Of two points, given all measurements. */
static double covariance(const struct sampler *sampler, size_t a, size_t b)
{
  return tutti_evidence_covariance(&sampler->points[a].point, &sampler->points[b].point, a == b) -
         (double)common(sampler, a, b);
}

/* Twice as many columns. */
static void widen(struct sampler *sampler)
{
  const size_t wider = sampler->capacity ? 2 * sampler->capacity : 16, size = sizeof *sampler->known;
  float *known = tutti_xcalloc(sampler->count * wider, size);
  for (size_t i = 0; i < sampler->count && sampler->measured > 0; i++)
    memcpy(&known[i * wider], &sampler->known[i * sampler->capacity], sampler->measured * size);
  free(sampler->known);
  sampler->known = known;
  sampler->capacity = wider;
}

/* A column more: what is left of the covariance with the point, over its deviation. */
void tutti_sampler_add(struct sampler *sampler, size_t point, double logarithm, double noise)
{
  const double variance = sampler->variance[point] + noise * noise, deviation = sqrt(variance),
               surprise = (logarithm - sampler->mean[point]) / deviation;
  if (sampler->measured == sampler->capacity)
    widen(sampler);
  for (size_t i = 0; i < sampler->count; i++) {
    const double part = covariance(sampler, point, i) / deviation;
    sampler->mean[i] += part * surprise;
    sampler->variance[i] = fmax(0, sampler->variance[i] - part * part);
    if (i != point)
      sampler->known[i * sampler->capacity + sampler->measured] = (float)part;
  }
  sampler->known[point * sampler->capacity + sampler->measured] = (float)((variance - noise * noise) / deviation);
  sampler->measured++;
  sampler->times[point]++;
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
  double spread; /* the deviation of the difference that both measured once more will show */
  double value;  /* by cost */
};

/* Points that were measured before say less. */
static double share_of(const struct sampler *sampler, const struct pair *pair)
{
  const int point = sampler->times[pair->point], rival = sampler->times[pair->rival];
  return ldexp(1, -(point < rival ? point : rival));
}

static double cost_of(const struct sampler *sampler, const struct pair *pair)
{
  double cost = 0;
  if (sampler->times[pair->point] == 0 || sampler->times[pair->rival] > 0)
    cost += sampler->points[pair->point].cost;
  if (sampler->times[pair->rival] == 0)
    cost += sampler->points[pair->rival].cost;
  return cost;
}

/* By its own cell alone. */
static struct pair judge_locally(const struct sampler *sampler, size_t point, size_t rival, double noise)
{
  struct pair pair = {.point = point, .rival = rival};
  const double variance = sampler->variance[point] + sampler->variance[rival] - 2 * covariance(sampler, point, rival);
  pair.spread = sqrt(fmax(0, variance) + 2 * noise * noise);
  pair.value = gain(fmax(0, variance) / pair.spread, sampler->mean[point] - sampler->mean[rival]) *
               sampler->weight[sampler->points[point].cell] * share_of(sampler, &pair) / cost_of(sampler, &pair);
  return pair;
}

/* And by all cells that have the method. */
static double judge(const struct sampler *sampler, const struct leaders *leaders, const struct pair *pair)
{
  double sum = 0;
  const size_t method = sampler->points[pair->point].method;
  for (size_t c = 0; c < sampler->cells; c++) {
    const size_t own = sampler->of_method[method * sampler->cells + c];
    const size_t rival = own < sampler->count ? rival_of(&leaders[c], own) : sampler->count;
    if (rival == sampler->count)
      continue;
    const double common = covariance(sampler, pair->point, own) - covariance(sampler, pair->point, rival) -
                          covariance(sampler, pair->rival, own) + covariance(sampler, pair->rival, rival);
    sum += gain(fabs(common) / pair->spread, sampler->mean[own] - sampler->mean[rival]) * sampler->weight[c];
  }
  return sum * share_of(sampler, pair) / cost_of(sampler, pair);
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

/* The rival first, as the difference needs it. */
static int order(const struct sampler *sampler, const struct pair *pair, size_t next[2])
{
  const int point = sampler->times[pair->point], rival = sampler->times[pair->rival];
  int count = 0;
  if (rival == 0)
    next[count++] = pair->rival;
  if (point == 0)
    next[count++] = pair->point;
  if (count == 0)
    next[count++] = point <= rival ? pair->point : pair->rival;
  return count;
}

int tutti_sampler_next(const struct sampler *sampler, double noise, size_t next[2], double *worth)
{
  struct leaders *leaders = tutti_xcalloc(sampler->cells + 1, sizeof *leaders);
  struct pair list[SHORT_LIST];
  for (size_t c = 0; c < sampler->cells; c++)
    leaders[c] = find_leaders(sampler, c);
  const int count = make_short_list(sampler, leaders, noise, list);
  const struct pair *best = NULL;
  for (int i = 0; i < count; i++) {
    list[i].value = judge(sampler, leaders, &list[i]);
    best = !best || list[i].value > best->value ? &list[i] : best;
  }
  *worth = best ? best->value / (double)sampler->cells : 0;
  const int found = best ? order(sampler, best, next) : 0;
  free(leaders);
  return found;
}

struct sampler_choice tutti_sampler_choose(const struct sampler *sampler, size_t cell, double confidence, double shrink)
{
  const size_t first = sampler->first[cell], count = sampler->first[cell + 1] - first;
  double *matrix = tutti_xcalloc(count * (count + 1), sizeof *matrix), *losses = matrix + count * count;
  size_t own = count;
  for (size_t a = 0; a < count; a++) {
    own = sampler->points[first + a].point.own ? a : own;
    for (size_t b = 0; b <= a; b++)
      matrix[a * count + b] = matrix[b * count + a] = shrink * covariance(sampler, first + a, first + b);
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
