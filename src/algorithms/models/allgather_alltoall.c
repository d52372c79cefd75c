/* Allgather and alltoall (Pjesivac-Grbovic 2007, sections 4.3.1 and 4.3.3, tables 4.6 and 4.7). m is one block. */
#include "algorithms/models/terms.h"

/* ---- allgather, Bruck: 1, 2, 4, ... blocks and what is left over; then P blocks are shifted ---- */

FORMULA(bruck_hockney_printed, lg(t) * t->alpha + t->P * t->beta * t->m + t->P * t->delta * t->m)
FORMULA(bruck_loggp_printed,
        (t->o + fmax(t->g, t->L + t->o) - t->G) * t->floor_log + (t->P - 1) * t->m * t->G + t->P * t->delta * t->m)

static double doubled(const struct terms *t)
{
  double sum = 0;
  for (int k = 0; k < t->floor_log; k++)
    sum += step(t, power_of_two(k) * t->m);
  return sum;
}

FORMULA(bruck_plogp_printed,
        doubled(t) + message(t, (t->P - (power_of_two(t->floor_log) - 1)) * t->m) + t->P * t->delta * t->m)

static double bruck(const struct terms *t)
{
  double last = is_power(t) ? 0 : step(t, (t->P - power_of_two(t->floor_log)) * t->m);
  return doubled(t) + last + t->P * t->delta * t->m;
}

/* ---- allgather, ring ---- */

FORMULA(ring, (t->P - 1) * message(t, t->m))

/* ---- allgather, neighbor exchange: one block, then two at a time ---- */

FORMULA(neighbor_plogp_printed, message(t, t->m) + (t->P / 2.0 - 1) * gap(t, 2 * t->m))
FORMULA(neighbor, message(t, t->m) + (t->P / 2.0 - 1) * message(t, 2 * t->m))

static const struct row rows[] = {
    ROW(ALLGATHER, "bruck", PRINTED(bruck_hockney_printed, bruck_loggp_printed, bruck_plogp_printed),
        CORRECTED_ALL(bruck)),
    ROW(ALLGATHER, "recursive-doubling", SAME_ALL(doubled), .domain = TUTTI_NEEDS_POWER_OF_TWO),
    ROW(ALLGATHER, "recursive-doubling-general", SAME_ALL(doubled), .domain = TUTTI_NEEDS_POWER_OF_TWO),
    ROW(ALLGATHER, "ring", SAME_ALL(ring)),
    ROW(ALLGATHER, "neighbor-exchange", PRINTED(neighbor, neighbor, neighbor_plogp_printed), CORRECTED_ALL(neighbor),
        .domain = TUTTI_NEEDS_EVEN),
};

const struct rows tutti_allgather_rows = ROWS(rows);

/* ---- alltoall, linear (section 4.3.1) ---- */

/* P - 1 messages out and as many in, at once; an arrival may delay the next send. */
FORMULA(linear_hockney, (t->P - 1) * (t->alpha + t->beta * t->m))
FORMULA(linear_loggp_printed, message(t, t->m) + 2 * (t->P - 1) * t->g)
FORMULA(linear_loggp, message(t, t->m) + (t->P - 2) * (t->g + wire(t, t->m) + t->o))
FORMULA(linear_plogp_printed, t->L + 2 * (t->P - 1) * gap(t, t->m))
FORMULA(linear_plogp, message(t, t->m) + (t->P - 2) * (gap(t, t->m) + o_r(t, t->m)))

/* ---- alltoall, pairwise exchange ---- */

FORMULA(pairwise_loggp_printed, (t->P - 1) * (t->L + t->o + wire(t, t->m) + t->g))
FORMULA(pairwise, (t->P - 1) * step(t, t->m))

/* ---- alltoall, Bruck, radix 2 ---- */

/* P / 2 blocks in each step at most, then those above the largest power of two; arrived blocks are copied. */
static double bruck_step(const struct terms *t, double blocks)
{
  return step(t, blocks * t->m) + t->delta * blocks * t->m;
}

static double alltoall_bruck(const struct terms *t)
{
  double last = is_power(t) ? 0 : bruck_step(t, t->P - power_of_two(t->floor_log));
  return t->floor_log * bruck_step(t, t->P / 2.0) + last + t->delta * t->P * t->m;
}

FORMULA(alltoall_bruck_plogp_printed, alltoall_bruck(t) + (is_power(t) ? gap(t, 0) : 0))

static const struct row alltoall_rows[] = {
    ROW(ALLTOALL, "linear", PRINTED(linear_hockney, linear_loggp_printed, linear_plogp_printed),
        CORRECTED(linear_hockney, linear_loggp, linear_plogp)),
    ROW(ALLTOALL, "pairwise", PRINTED(pairwise, pairwise_loggp_printed, pairwise), CORRECTED_ALL(pairwise)),
    ROW(ALLTOALL, "bruck", PRINTED(alltoall_bruck, alltoall_bruck, alltoall_bruck_plogp_printed),
        CORRECTED_ALL(alltoall_bruck), .k = 2),
};

const struct rows tutti_alltoall_rows = ROWS(alltoall_rows);
