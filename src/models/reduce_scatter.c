/* Reduce-scatter of equal blocks (Pjesivac-Grbovic 2007, section 4.1.2, figure 4.9, table 4.9). m is one block. */
#include "models/terms.h"

/* ---- recursive halving ---- */

static double halving_hockney_printed(const struct terms *t)
{
  int P = t->P;
  if (is_power(t))
    return lg(t) * t->alpha + (P - 1) * (t->beta + t->gamma) * t->m;
  return (t->ceil_log + 2) * t->alpha + 2 * P * t->beta * t->m + (2 * P - 1) * t->gamma * t->m;
}

static double halving_loggp_printed(const struct terms *t)
{
  int P = t->P;
  if (is_power(t))
    return lg(t) * (t->L + 2 * t->o) + ((P - 1) * t->m - lg(t)) * t->G + (P - 1) * t->gamma * t->m;
  return (t->ceil_log + 2) * (t->L + 2) + (2 * (P * t->m - 1) - t->ceil_log) * t->G + (2 * P - 1) * t->gamma * t->m;
}

static double halving_plogp_printed(const struct terms *t)
{
  double sum = is_power(t) ? 0 : gap(t, t->P);
  for (int k = 1; k <= lg(t); k++)
    sum += gap(t, t->P / power_of_two(k));
  if (is_power(t))
    return lg(t) * t->L + (t->P - 1) * t->gamma * t->m + sum;
  return (t->ceil_log + 2) * t->L + gap(t, t->m) + (2 * t->P - 1) * t->gamma * t->m + sum;
}

static double combined(const struct terms *t, double blocks)
{
  return message(t, blocks * t->m) + t->gamma * blocks * t->m;
}

/* Q = 2^floor(log2 P) ranks take part, the first P - Q of them for two. Rank 0, which has most to do, combines the
   blocks of Q / 2, Q / 4, ... 1 of those ranks. */
static double halving(const struct terms *t)
{
  double twos = t->P - power_of_two(t->floor_log), sum = 0;
  for (int k = 0; k < t->floor_log; k++)
    sum += combined(t, power_of_two(k) + fmin(power_of_two(k), twos));
  return is_power(t) ? sum : combined(t, t->P) + sum + message(t, t->m);
}

/* ---- ring ---- */

static double ring(const struct terms *t)
{
  return (t->P - 1) * combined(t, 1) + t->P * t->delta * t->m;
}

#define HALVING PRINTED(halving_hockney_printed, halving_loggp_printed, halving_plogp_printed), CORRECTED_ALL(halving)

static const struct row rows[] = {
    ROW(REDUCE_SCATTER_BLOCK, "recursive-halving", HALVING),
    ROW(REDUCE_SCATTER_BLOCK, "ring", SAME_ALL(ring)),
    ROW(REDUCE_SCATTER, "recursive-halving", HALVING),
    ROW(REDUCE_SCATTER, "ring", SAME_ALL(ring)),
};

struct rows tutti_reduce_scatter_rows(void)
{
  return ROWS(rows);
}
