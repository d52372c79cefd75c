/* Barrier (Pjesivac-Grbovic 2007, table 4.2). Messages have no data. */
#include "algorithms/models/terms.h"

/* ---- linear: the reports come in as one message, then P - 1 exit messages go out (section 4.3.4) ---- */

FORMULA(flat_hockney_printed, (t->P - 1) * t->alpha)
FORMULA(flat_hockney, t->P * t->alpha)
FORMULA(flat_loggp, (t->P - 2) * (t->least ? t->g : t->g + t->o) + 2 * (t->L + 2 * t->o))

static double flat_plogp(const struct terms *t)
{
  double g = gap(t, 0), r = t->least ? 0 : o_r(t, 0);
  return t->P * (g + r) + 2 * (t->L - r);
}

/* ---- the others: a number of steps ---- */

/* A step as printed. */
FORMULA(printed_step, t->kind == TUTTI_MODEL_LOGGP ? t->L + t->o + t->g : message(t, 0))
FORMULA(double_ring_printed, 2 * t->P * printed_step(t))
FORMULA(double_ring, 2 * t->P * step(t, 0))
FORMULA(doubling_hockney_printed, is_power(t) ? lg(t) * t->alpha : (lg(t) + 2) * t->alpha)
FORMULA(doubling_printed, (t->ceil_log + (is_power(t) ? 0 : 2)) * printed_step(t))
FORMULA(doubling, (t->floor_log + (is_power(t) ? 0 : 2)) * step(t, 0))
FORMULA(bruck_printed, t->ceil_log *printed_step(t))
FORMULA(bruck, t->ceil_log *step(t, 0))

static const struct row rows[] = {
    ROW(BARRIER, "linear", PRINTED(flat_hockney_printed, flat_loggp, flat_plogp),
        CORRECTED(flat_hockney, flat_loggp, flat_plogp)),
    ROW(BARRIER, "double-ring", PRINTED_ALL(double_ring_printed), CORRECTED_ALL(double_ring)),
    ROW(BARRIER, "recursive-doubling", PRINTED(doubling_hockney_printed, doubling_printed, doubling_printed),
        CORRECTED_ALL(doubling)),
    ROW(BARRIER, "bruck", PRINTED_ALL(bruck_printed), CORRECTED_ALL(bruck)),
};

const struct rows tutti_barrier_rows = ROWS(rows);
