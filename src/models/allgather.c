/* Allgather (Pjesivac-Grbovic 2007, section 4.3.3, table 4.6). m is one block. */
#include "models/terms.h"

/* ---- Bruck: 1, 2, 4, ... blocks and what is left over; then P blocks are shifted ---- */

static double bruck_hockney_printed(const struct terms *t)
{
  return lg(t) * t->alpha + t->P * t->beta * t->m + t->P * t->delta * t->m;
}

static double bruck_loggp_printed(const struct terms *t)
{
  return t->floor_log * (t->o + fmax(t->g, t->L + t->o) - t->G) + (t->P - 1) * t->m * t->G + t->P * t->delta * t->m;
}

static double doubled(const struct terms *t)
{
  double sum = 0;
  for (int k = 0; k < t->floor_log; k++)
    sum += step(t, power_of_two(k) * t->m);
  return sum;
}

static double bruck_plogp_printed(const struct terms *t)
{
  return doubled(t) + message(t, (t->P - (power_of_two(t->floor_log) - 1)) * t->m) + t->P * t->delta * t->m;
}

static double bruck(const struct terms *t)
{
  double last = is_power(t) ? 0 : step(t, (t->P - power_of_two(t->floor_log)) * t->m);
  return doubled(t) + last + t->P * t->delta * t->m;
}

/* ---- ring ---- */

static double ring(const struct terms *t)
{
  return (t->P - 1) * message(t, t->m);
}

/* ---- neighbor exchange: one block, then two at a time ---- */

static double neighbor_plogp_printed(const struct terms *t)
{
  return message(t, t->m) + (t->P / 2.0 - 1) * gap(t, 2 * t->m);
}

static double neighbor(const struct terms *t)
{
  return message(t, t->m) + (t->P / 2.0 - 1) * message(t, 2 * t->m);
}

static const struct row rows[] = {
    ROW(ALLGATHER, "bruck", PRINTED(bruck_hockney_printed, bruck_loggp_printed, bruck_plogp_printed),
        CORRECTED_ALL(bruck)),
    ROW(ALLGATHER, "recursive-doubling", SAME_ALL(doubled), .domain = TUTTI_NEEDS_POWER_OF_TWO),
    ROW(ALLGATHER, "recursive-doubling-general", SAME_ALL(doubled), .domain = TUTTI_NEEDS_POWER_OF_TWO),
    ROW(ALLGATHER, "ring", SAME_ALL(ring)),
    ROW(ALLGATHER, "neighbor-exchange", PRINTED(neighbor, neighbor, neighbor_plogp_printed), CORRECTED_ALL(neighbor),
        .domain = TUTTI_NEEDS_EVEN),
};

struct rows tutti_allgather_rows(void)
{
  return ROWS(rows);
}
