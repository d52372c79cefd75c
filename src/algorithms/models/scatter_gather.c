/* Scatter and gather (Pjesivac-Grbovic 2007, section 4.3.2, tables 4.4 and 4.5). m is one block. A gather is a scatter
   backwards, and so are the formulas. */
#include "algorithms/models/terms.h"

/* ---- linear ---- */

FORMULA(linear_hockney, (t->P - 1) * (t->alpha + t->beta * t->m))
FORMULA(linear_loggp_printed, t->L + 2 * t->o + (t->P - 2) * (wire(t, t->m) + t->g))
FORMULA(linear_loggp, message(t, t->m) + (t->P - 2) * (wire(t, t->m) + t->g))
FORMULA(linear_plogp, t->L + (t->P - 1) * gap(t, t->m))

/* ---- binomial: the root's messages, of 1, 2, 4, ... blocks and what is left over ---- */

FORMULA(binomial_scatter_hockney_printed, lg(t) * t->alpha + (t->P - 1) * t->beta * t->m)
FORMULA(binomial_gather_hockney_printed, lg(t) * t->alpha + t->P * t->beta * t->m)
FORMULA(binomial_hockney, t->ceil_log * t->alpha + (t->P - 1) * t->beta * t->m)

static double binomial_loggp(const struct terms *t)
{
  double bytes = t->m * (t->P - 1) - t->ceil_log;
  return t->L + 2 * t->o + (t->printed ? bytes : fmax(bytes, 0)) * t->G +
         (t->ceil_log - 1) * fmax(t->L + 2 * t->o, t->g);
}

FORMULA(binomial_gather_loggp_printed,
        (t->ceil_log - 1) * (t->L + 2 * t->o) + ((2 * t->P - 1) * t->m - t->ceil_log) * t->G)

/* Messages of 1, 2, 4, ... blocks, one after the other. */
static double doubled(const struct terms *t, int messages)
{
  double sum = 0;
  for (int k = 0; k < messages; k++)
    sum += message(t, power_of_two(k) * t->m);
  return sum;
}

FORMULA(binomial_plogp_printed, doubled(t, t->ceil_log))

static double binomial_plogp(const struct terms *t)
{
  double last = is_power(t) ? 0 : message(t, (t->P - power_of_two(t->floor_log)) * t->m);
  return doubled(t, t->floor_log) + last;
}

/* ---- linear gather with synchronisation: a go-ahead, then the block in two parts of m_s and m - m_s bytes ---- */

static bool one_part(const struct terms *t)
{
  return t->m_s >= t->m;
}

FORMULA(sync_hockney_printed, t->alpha + (t->P - 1) * (2 * t->alpha + t->beta * t->m))

/* With one part the second one cannot overlap the go-ahead. */
FORMULA(sync_hockney, one_part(t) ? (t->P - 1) * (2 * t->alpha + t->beta * t->m) : sync_hockney_printed(t))

/* Each rank is called up when the first part of the one before it has arrived. */
FORMULA(sync_loggp_called, (t->P - 1) * (2 * t->L + 4 * t->o + wire(t, t->m_s)) + t->g + wire(t, t->m - t->m_s))

static double sync_loggp_printed(const struct terms *t)
{
  if (t->g + t->m * t->G < t->L + 2 * (t->o + t->m_s * t->G))
    return sync_loggp_called(t);
  return (t->P - 1) * (t->o + t->g + (t->m - 2) * t->G + t->L + t->o);
}

/* Until the first part of the next rank is there: called up for it, or the root receives two messages. */
static double sync_loggp(const struct terms *t)
{
  double second = t->g + wire(t, t->m - t->m_s), called = 2 * t->L + 4 * t->o + wire(t, t->m_s);
  if (one_part(t))
    return (t->P - 1) * (2 * t->L + 4 * t->o + wire(t, t->m));
  return called + second + (t->P - 2) * fmax(called, t->g + wire(t, t->m_s) + second);
}

FORMULA(sync_plogp_called, (t->P - 1) * (2 * t->L + gap(t, t->m_s) + gap(t, 0)) + gap(t, t->m - t->m_s))
FORMULA(sync_plogp_queued, 2 * t->L + gap(t, 0) + (t->P - 1) * (gap(t, t->m_s) + gap(t, t->m - t->m_s)))
FORMULA(sync_plogp_printed, gap(t, t->m - t->m_s) < t->L + gap(t, 0) ? sync_plogp_called(t) : sync_plogp_queued(t))

static double sync_plogp(const struct terms *t)
{
  double second = gap(t, t->m - t->m_s), called = 2 * t->L + gap(t, 0) + gap(t, t->m_s);
  if (one_part(t))
    return (t->P - 1) * called;
  return called + second + (t->P - 2) * fmax(called, gap(t, t->m_s) + second);
}

/* ---- rows ---- */

#define LINEAR                                                                                                         \
  PRINTED(linear_hockney, linear_loggp_printed, linear_plogp), CORRECTED(linear_hockney, linear_loggp, linear_plogp)
#define BINOMIAL CORRECTED(binomial_hockney, binomial_loggp, binomial_plogp)

static const struct row scatter_rows[] = {
    ROW(SCATTER, "linear", LINEAR),
    ROW(SCATTER, "binomial", PRINTED(binomial_scatter_hockney_printed, binomial_loggp, binomial_plogp_printed),
        BINOMIAL),
};

static const struct row gather_rows[] = {
    ROW(GATHER, "linear", LINEAR),
    ROW(GATHER, "linear-sync", PRINTED(sync_hockney_printed, sync_loggp_printed, sync_plogp_printed),
        CORRECTED(sync_hockney, sync_loggp, sync_plogp)),
    ROW(GATHER, "binomial",
        PRINTED(binomial_gather_hockney_printed, binomial_gather_loggp_printed, binomial_plogp_printed), BINOMIAL),
};

const struct rows tutti_scatter_rows = ROWS(scatter_rows);
const struct rows tutti_gather_rows = ROWS(gather_rows);
