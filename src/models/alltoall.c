/* Alltoall (Pjesivac-Grbovic 2007, table 4.7). m is one block. */
#include "models/terms.h"

/* ---- linear: P - 1 messages out and as many in, at once; an arrival may hold up the next send (section 4.3.1) ---- */

static double linear_hockney(const struct terms *t)
{
  return (t->P - 1) * (t->alpha + t->beta * t->m);
}

static double linear_loggp_printed(const struct terms *t)
{
  return message(t, t->m) + 2 * (t->P - 1) * t->g;
}

static double linear_loggp(const struct terms *t)
{
  return message(t, t->m) + (t->P - 2) * (t->g + wire(t, t->m) + t->o);
}

static double linear_plogp_printed(const struct terms *t)
{
  return t->L + 2 * (t->P - 1) * gap(t, t->m);
}

static double linear_plogp(const struct terms *t)
{
  return message(t, t->m) + (t->P - 2) * (gap(t, t->m) + o_r(t, t->m));
}

/* ---- pairwise exchange ---- */

static double pairwise_loggp_printed(const struct terms *t)
{
  return (t->P - 1) * (t->L + t->o + wire(t, t->m) + t->g);
}

static double pairwise(const struct terms *t)
{
  return (t->P - 1) * step(t, t->m);
}

/* ---- Bruck, radix 2: P / 2 blocks in each step at most, then those above the largest power of two; what arrives is
   copied ---- */

static double bruck_step(const struct terms *t, double blocks)
{
  return step(t, blocks * t->m) + t->delta * blocks * t->m;
}

static double bruck(const struct terms *t)
{
  double last = is_power(t) ? 0 : bruck_step(t, t->P - power_of_two(t->floor_log));
  return t->floor_log * bruck_step(t, t->P / 2.0) + last + t->delta * t->P * t->m;
}

static double bruck_plogp_printed(const struct terms *t)
{
  return bruck(t) + (is_power(t) ? gap(t, 0) : 0);
}

static const struct row rows[] = {
    ROW(ALLTOALL, "linear", PRINTED(linear_hockney, linear_loggp_printed, linear_plogp_printed),
        CORRECTED(linear_hockney, linear_loggp, linear_plogp)),
    ROW(ALLTOALL, "pairwise", PRINTED(pairwise, pairwise_loggp_printed, pairwise), CORRECTED_ALL(pairwise)),
    ROW(ALLTOALL, "bruck", PRINTED(bruck, bruck, bruck_plogp_printed), CORRECTED_ALL(bruck), .k = 2),
};

struct rows tutti_alltoall_rows(void)
{
  return ROWS(rows);
}
