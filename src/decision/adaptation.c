#include "decision/adaptation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/splitmix64.h"

/* Times the fastest: a candidate that always takes longer is dropped. */
#define ABORT 2.0

/* Times that are known before the favorite changes because of them. */
enum { BELIEVED = 4 };

/* Expected excess time of a candidate without known times, as a share of the time of the favorite. */
#define UNKNOWN_EXCESS 1.0

/* The mean of a candidate's times without the longest eighth, at least one; 0 if unknown. */
static double time_of(const struct tutti_adaptation *a, int arm)
{
  double sorted[TUTTI_ADAPT_TIMES], sum = 0;
  const int count = a->times_count, kept = count - (count < 8 ? 1 : count / 8);
  if (count == 0)
    return 0;
  memcpy(sorted, a->times[arm], (size_t)count * sizeof *sorted);
  tutti_doubles_sort(sorted, (size_t)count);
  for (int i = 0; i < kept; i++)
    sum += sorted[i];
  return sum / kept;
}

/* ---- places of trials ---- */

/* The number of a block is all that it hinges on. */
static uint64_t draw(const struct tutti_adaptation *a, uint64_t what)
{
  uint64_t state = a->block_begin * 64 + what;
  return tutti_splitmix64_next(&state);
}

/* The candidates left, in an order of the block's own, so that no two always follow each other (Fisher, Yates). */
static void shuffle(struct tutti_adaptation *a)
{
  int count = 0;
  for (int arm = 0; arm < a->arms; arm++)
    if (a->alive[arm])
      a->order[count++] = arm;
  for (int i = count - 1; i > 0; i--) {
    const int other = (int)(draw(a, (uint64_t)(TUTTI_ADAPT_ARMS + i)) % (uint64_t)(i + 1)), arm = a->order[i];
    a->order[i] = a->order[other];
    a->order[other] = arm;
  }
}

static uint64_t stratum_begin(const struct tutti_adaptation *a, int stratum)
{
  return a->block_begin + (uint64_t)stratum * a->width / (uint64_t)a->left;
}

static void plan_trial(struct tutti_adaptation *a)
{
  const uint64_t begin = stratum_begin(a, a->stratum), end = stratum_begin(a, a->stratum + 1);
  a->next = begin + draw(a, (uint64_t)a->stratum) % (end - begin);
  a->arm = a->order[a->stratum];
}

static void plan_block(struct tutti_adaptation *a, uint64_t begin)
{
  a->block_begin = begin;
  a->stratum = 0;
  shuffle(a);
  plan_trial(a);
}

/* Excess time of the candidates over the favorite in a block, in units of its time. */
static double excess(const struct tutti_adaptation *a)
{
  double sum = 0;
  const double favorite = time_of(a, a->favorite);
  for (int arm = 0; arm < a->arms; arm++)
    if (a->alive[arm] && arm != a->favorite)
      sum += a->times_count == 0 ? UNKNOWN_EXCESS : favorite > 0 ? fmax(0, time_of(a, arm) / favorite - 1) : 0;
  return sum;
}

/* The round begins at the end of the previous block, even after the last trial in it: the loss is paid for first. */
static void plan_round(struct tutti_adaptation *a)
{
  const uint64_t begin = a->block_begin + a->width;
  const double width = ceil(excess(a) / a->budget);
  a->width = width > (double)a->left ? (uint64_t)fmin(width, 1e15) : (uint64_t)a->left;
  a->blocks = a->times_count > 0 ? a->times_count : 2;
  a->block = a->trials = 0;
  plan_block(a, begin);
}

void tutti_adaptation_begin(struct tutti_adaptation *a, int arms, double budget)
{
  memset(a, 0, sizeof *a);
  a->arms = a->left = arms;
  a->budget = budget;
  for (int arm = 0; arm < arms; arm++)
    a->alive[arm] = true;
  a->decided = arms == 1;
  if (!a->decided)
    plan_round(a);
}

bool tutti_adaptation_end_trial(struct tutti_adaptation *a, double arrival, double end, int *count)
{
  a->seen[2 * a->trials] = arrival;
  a->seen[2 * a->trials + 1] = end;
  a->seen_arm[a->trials++] = a->arm;
  a->open = false;
  *count = 2 * a->trials;
  if (++a->stratum < a->left)
    plan_trial(a);
  else if (++a->block < a->blocks)
    plan_block(a, a->block_begin + a->width);
  else
    return true;
  return false;
}

/* ---- what is known ---- */

static int fastest(const struct tutti_adaptation *a)
{
  int best = a->favorite;
  for (int arm = 0; arm < a->arms; arm++)
    if (a->alive[arm] && (!a->alive[best] || time_of(a, arm) < time_of(a, best)))
      best = arm;
  return best;
}

/* Times of an arm that are longer than `factor` times that of another in the same block, or than a time. @{ */
static int count_losses(const struct tutti_adaptation *a, int arm, int other)
{
  int losses = 0;
  for (int i = 0; i < a->times_count; i++)
    losses += a->times[arm][i] > a->times[other][i];
  return losses;
}

static bool all_longer(const struct tutti_adaptation *a, int arm, double seconds)
{
  for (int i = 0; i < a->times_count; i++)
    if (a->times[arm][i] <= seconds)
      return false;
  return true;
}
/* @} */

static bool is_beaten(const struct tutti_adaptation *a, int arm, int best)
{
  const int losses = count_losses(a, arm, best);
  if (all_longer(a, arm, ABORT * time_of(a, best)))
    return true;
  switch (a->times_count) {
  case 2:
    return false;
  case 4:
    return losses == 4;
  case 8:
    return losses >= 7;
  case 16:
    return losses >= 12;
  default:
    return true;
  }
}

/* Take the times of the round. The maximum of arrivals can be after that of another call's ends only if clocks differ.
 */
static void keep_times(struct tutti_adaptation *a)
{
  int kept[TUTTI_ADAPT_ARMS] = {0};
  for (int t = 0; t < a->trials; t++) {
    const int arm = a->seen_arm[t];
    a->times[arm][a->times_count + kept[arm]++] = fmax(0, a->seen[2 * t + 1] - a->seen[2 * t]);
  }
  a->times_count += a->blocks;
}

void tutti_adaptation_agree(struct tutti_adaptation *a)
{
  keep_times(a);
  const int best = fastest(a);
  for (int arm = 0; arm < a->arms; arm++)
    if (a->alive[arm] && arm != best && is_beaten(a, arm, best)) {
      a->alive[arm] = false;
      a->left--;
    }
  if (a->times_count >= BELIEVED || !a->alive[a->favorite])
    a->favorite = best;
  a->decided = a->left == 1;
  if (!a->decided)
    plan_round(a);
}
