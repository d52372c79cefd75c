/* Allreduce (Pjesivac-Grbovic 2007, section 4.1.2, tables 4.10 and 5.3). m is the whole message. */
#include "models/terms.h"

static double combined(const struct terms *t, double m)
{
  return message(t, m) + t->gamma * m;
}

/* ---- recursive doubling: one step more before, and one without computation after, if P is not a power of two ---- */

static double doubling_printed(const struct terms *t)
{
  if (is_power(t))
    return t->ceil_log * combined(t, t->m);
  return (t->ceil_log + 2) * combined(t, t->m) - t->gamma * t->m;
}

static double doubling(const struct terms *t)
{
  if (is_power(t))
    return t->floor_log * combined(t, t->m);
  return (t->floor_log + 2) * combined(t, t->m) - t->gamma * t->m;
}

/* ---- ring ---- */

static double ring(const struct terms *t)
{
  double block = share(t, t->P);
  return 2 * (t->P - 1) * message(t, block) + (t->P - 1) * t->gamma * block;
}

static double distribution(const struct terms *t)
{
  return (t->P - 1) * message(t, share(t, t->P));
}

static double segmented_hockney_printed(const struct terms *t)
{
  return (t->P + t->n_s - 2) * combined(t, t->m_s) + distribution(t);
}

static double segmented_loggp_printed(const struct terms *t)
{
  return (t->P - 1) * message(t, t->m_s) + (t->n_s - 1) * fmax(t->g, t->gamma * t->m_s + t->o) + wire(t, t->m_s) +
         distribution(t);
}

static double segmented_plogp_printed(const struct terms *t)
{
  return (t->P - 1) * combined(t, t->m_s) + (t->n_s - 1) * (gap(t, t->m_s) + t->gamma * t->m_s) + distribution(t);
}

/* One phase of P - 1 dependent steps for each segment of a block. */
static double segmented_ring(const struct terms *t)
{
  double block = share(t, t->P), segment = t->smooth ? t->m_s : fmin(t->m_s, block);
  double phases = t->smooth ? block / segment : segment > 0 ? ceil(block / segment) : 1;
  return phases * (t->P - 1) * combined(t, segment) + distribution(t);
}

/* ---- table 5.3 ---- */

static int size_hockney_printed(const struct terms *t, double *sizes)
{
  sizes[0] = sqrt(t->m * t->alpha / ((t->P - 2) * (t->beta + t->gamma)));
  return 1;
}

static int size_loggp_printed(const struct terms *t, double *sizes)
{
  sizes[0] = sqrt(t->m * (t->g - t->G) / ((t->P - 2) * t->G));
  if (t->g < t->o + t->gamma * sizes[0])
    sizes[0] = sqrt(t->m * (t->o - t->G) / ((t->P - 2) * t->G - t->gamma));
  return 1;
}

static const struct segmented sizes = {.printed = {size_hockney_printed, size_loggp_printed}};

static const struct row rows[] = {
    ROW(ALLREDUCE, "recursive-doubling", PRINTED_ALL(doubling_printed), CORRECTED_ALL(doubling)),
    ROW(ALLREDUCE, "ring", SAME_ALL(ring)),
    ROW(ALLREDUCE, "ring-segmented",
        PRINTED(segmented_hockney_printed, segmented_loggp_printed, segmented_plogp_printed),
        CORRECTED_ALL(segmented_ring), .segmented = &sizes),
    ROW(ALLREDUCE, "rabenseifner",
        PRINTED(tutti_rabenseifner_allreduce_hockney_printed, tutti_rabenseifner_allreduce_loggp_printed,
                tutti_rabenseifner_allreduce_plogp_printed),
        CORRECTED_ALL(tutti_rabenseifner_allreduce)),
};

struct rows tutti_allreduce_rows(void)
{
  return ROWS(rows);
}
