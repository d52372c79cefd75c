/* Scan (Pjesivac-Grbovic 2007, section 4.1.2, tables 4.11 and 5.4). The linear row without segments is the one with
   segments for n_s = 1. */
#include "algorithms/models/terms.h"

/* ---- linear ---- */

FORMULA(first, message(t, t->m_s) + t->gamma * t->m_s)
FORMULA(linear_hockney, (t->P + t->n_s - 2) * first(t))
FORMULA(linear_loggp_printed,
        (t->P - 1) * first(t) + (t->n_s - 1) * fmax(t->g, 2 * t->o + wire(t, t->m_s) + t->gamma * t->m_s))
FORMULA(linear_loggp,
        (t->P - 1) * first(t) + (t->n_s - 1) * (wire(t, t->m_s) + fmax(t->g, 2 * t->o + t->gamma * t->m_s)))

static double linear_plogp(const struct terms *t)
{
  double busy = o_s(t, t->m_s) + o_r(t, t->m_s) + t->gamma * t->m_s;
  return (t->P - 1) * first(t) + (t->n_s - 1) * fmax(gap(t, t->m_s), busy);
}

/* ---- binomial ---- */

FORMULA(binomial_loggp_printed, (message(t, t->m) + fmax(t->g, t->o + t->gamma * t->m)) * t->ceil_log)

/* The second gap is printed without its argument. */
FORMULA(binomial_plogp_printed, (message(t, t->m) + fmax(gap(t, t->m), o_s(t, t->m) + t->gamma * t->m)) * t->ceil_log)
FORMULA(binomial, (message(t, t->m) + t->gamma * t->m) * t->ceil_log)

/* ---- table 5.4 ---- */

SIZE(size_hockney, sqrt(t->m * t->alpha / ((t->P - 2) * (t->beta + t->gamma))))
SIZE(size_loggp_printed, sqrt((2 * t->o - t->G) * t->m / ((t->P - 2) * (t->G + t->gamma))))

/* Where max{g, 2 o + gamma m_s} is its second argument, its first one, and both. */
static int size_loggp(const struct terms *t, double *sizes)
{
  size_loggp_printed(t, sizes);
  sizes[1] = sqrt(t->m * (t->g - t->G) / ((t->P - 2) * t->G + (t->P - 1) * t->gamma));
  sizes[2] = (t->g - 2 * t->o) / t->gamma;
  return 3;
}

FORMULA(forwarded, gap(t, t->m_s) - o_s(t, t->m_s) - o_r(t, t->m_s) - t->gamma * t->m_s)

static const struct segmented sizes = {
    .printed = {size_hockney, size_loggp_printed}, .corrected = {size_hockney, size_loggp}, .crossings = {forwarded}};

static const struct row rows[] = {
    ROW(SCAN, "linear", PRINTED(linear_hockney, linear_loggp_printed, linear_plogp),
        CORRECTED(linear_hockney, linear_loggp, linear_plogp), .segmented = &sizes),
    ROW(SCAN, "binomial", PRINTED(binomial, binomial_loggp_printed, binomial_plogp_printed), CORRECTED_ALL(binomial)),
};

const struct rows tutti_scan_rows = ROWS(rows);
