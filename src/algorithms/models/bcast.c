/* Broadcast (Pjesivac-Grbovic 2007, section 4.3.1, tables 4.3 and 5.1). With P = 2 all trees are one edge, on which no
   rank forwards: the linear formula. */
#include "algorithms/models/terms.h"

/* ---- the best segment sizes (table 5.1) ---- */

SIZE(pipeline_size_hockney, sqrt(t->m * t->alpha / ((t->P - 2) * t->beta)))
SIZE(pipeline_size_loggp, sqrt((t->o + t->g - t->G) * t->m / ((t->P - 2) * t->G)))
SIZE(binary_size_hockney_printed, sqrt(2 * t->m * t->alpha / ((t->levels - 2) * t->beta)))
SIZE(binary_size_hockney, sqrt(t->m * t->alpha / ((t->levels - 2) * t->beta)))
SIZE(binary_size_loggp, sqrt((t->o + 2 * (t->g - t->G)) * t->m / (2 * (t->levels - 2) * t->G)))

/* Theorem 5.1. */
SIZE(split_size_hockney, sqrt(t->m * t->alpha / (2 * (t->levels - 2) * t->beta)))

/* Theorem 5.2. */
SIZE(split_size_loggp, sqrt((t->o + 2 * (t->g - t->G)) * t->m / (4 * (t->levels - 2) * t->G)))

FORMULA(overheads, gap(t, t->m_s) - o_r(t, t->m_s) - o_s(t, t->m_s))

/* Corollary 5.5: 2 k b m_s^2 + m b m_s - m = 0. */
double tutti_split_binary_segment_exponential(int ranks, double bytes, double b, tutti_formula formula)
{
  bool printed = formula == TUTTI_FORMULA_PRINTED;
  int levels = 1;
  while (1LL << levels < (long long)ranks + 1)
    levels++;
  int k = printed ? levels - 1 : levels - 2;
  if (k < 1)
    return 0;
  double mb = bytes * b;
  return (sqrt(mb * mb + 8 * mb * k) - mb) / (4 * k * (printed ? 1 : b));
}

static const struct segmented no_size = {.halves = false};

static const struct segmented pipeline_sizes = {.printed = {pipeline_size_hockney, pipeline_size_loggp},
                                                .corrected = {pipeline_size_hockney, pipeline_size_loggp},
                                                .crossings = {overheads}};

static const struct segmented binary_sizes = {.printed = {binary_size_hockney_printed, binary_size_loggp},
                                              .corrected = {binary_size_hockney, binary_size_loggp},
                                              .crossings = {overheads}};

static const struct segmented split_sizes = {.printed = {split_size_hockney, split_size_loggp},
                                             .corrected = {split_size_hockney, split_size_loggp},
                                             .crossings = {overheads},
                                             .halves = true};

/* ---- times ---- */

FORMULA(edge, t->alpha + t->beta * t->m_s)

/* Time after which LogGP sends the next segment. */
FORMULA(pace, t->g + wire(t, t->m_s))

/* ---- linear ---- */

FORMULA(linear_hockney, (t->P - 1) * t->n_s * edge(t))
FORMULA(linear_loggp, t->L + 2 * t->o - t->g + t->n_s * (t->P - 1) * pace(t))
FORMULA(linear_plogp, t->L + t->n_s * (t->P - 1) * gap(t, t->m_s))

/* ---- pipeline ---- */

FORMULA(pipeline_hockney, (t->P + t->n_s - 2) * edge(t))
FORMULA(pipeline_loggp_printed, (t->P - 1) * message(t, t->m_s) + (t->n_s - 1) * (pace(t) + t->o))
FORMULA(pipeline_loggp, t->P == 2 ? linear_loggp(t) : pipeline_loggp_printed(t))
FORMULA(pipeline_plogp_printed, (t->P - 1) * message(t, t->m_s) + (t->n_s - 1) * gap(t, t->m_s))

static double pipeline_plogp(const struct terms *t)
{
  double rate = fmax(gap(t, t->m_s), o_r(t, t->m_s) + o_s(t, t->m_s));
  return t->P == 2 ? linear_plogp(t) : (t->P - 1) * message(t, t->m_s) + (t->n_s - 1) * rate;
}

/* ---- binomial ---- */

FORMULA(binomial_hockney, t->ceil_log * t->n_s * edge(t))
FORMULA(binomial_loggp, (message(t, t->m_s) + (t->n_s - 1) * pace(t)) * t->ceil_log)
FORMULA(binomial_plogp, (t->L + t->n_s * gap(t, t->m_s)) * t->ceil_log)

/* ---- binary, and the first phase of split-binary: n segments down each subtree ---- */

static double forward_hockney(const struct terms *t, double n)
{
  return 2 * (t->levels + n - 2) * edge(t);
}

static double forward_loggp(const struct terms *t, double n)
{
  return (t->levels - 1) * (t->L + t->g + 2 * (t->o + wire(t, t->m_s))) + (n - 1) * (t->o + 2 * pace(t));
}

static double forward_plogp(const struct terms *t, double n)
{
  double g = gap(t, t->m_s);
  return (t->levels - 1) * (t->L + 2 * g) + (n - 1) * fmax(2 * g, o_r(t, t->m_s) + g + o_s(t, t->m_s));
}

static double forward_printed(const struct terms *t, double n)
{
  switch (t->kind) {
  case TUTTI_MODEL_HOCKNEY:
    return forward_hockney(t, n);
  case TUTTI_MODEL_LOGGP:
    return forward_loggp(t, n);
  default:
    return forward_plogp(t, n);
  }
}

static double one_edge(const struct terms *t, double n)
{
  switch (t->kind) {
  case TUTTI_MODEL_HOCKNEY:
    return n * edge(t);
  case TUTTI_MODEL_LOGGP:
    return message(t, t->m_s) + (n - 1) * pace(t);
  default:
    return t->L + n * gap(t, t->m_s);
  }
}

static double forward(const struct terms *t, double n)
{
  return t->P == 2 ? one_edge(t, n) : forward_printed(t, n);
}

FORMULA(binary_printed, forward_printed(t, t->n_s))
FORMULA(binary, forward(t, t->n_s))
FORMULA(split_printed, forward_printed(t, t->half_segments) + message(t, t->m / 2))

/* Segments are not longer than the half that they are of. */
static double split(const struct terms *t)
{
  struct terms half = *t;
  half.m_s = t->smooth ? t->m_s : fmin(t->m_s, t->half);
  return forward(&half, t->half_segments) + message(t, t->half);
}

/* ---- rows ---- */

#define BINOMIAL SAME(binomial_hockney, binomial_loggp, binomial_plogp), .segmented = &no_size
#define BINARY   PRINTED_ALL(binary_printed), CORRECTED_ALL(binary), .segmented = &binary_sizes

static const struct row rows[] = {
    ROW(BCAST, "linear", SAME(linear_hockney, linear_loggp, linear_plogp), .segmented = &no_size),
    ROW(BCAST, "pipeline", PRINTED(pipeline_hockney, pipeline_loggp_printed, pipeline_plogp_printed),
        CORRECTED(pipeline_hockney, pipeline_loggp, pipeline_plogp), .segmented = &pipeline_sizes),
    ROW(BCAST, "binomial", BINOMIAL),
    ROW(BCAST, "in-order-binomial", BINOMIAL),
    ROW(BCAST, "binary", BINARY),
    ROW(BCAST, "in-order-binary", BINARY),
    ROW(BCAST, "split-binary", PRINTED_ALL(split_printed), CORRECTED_ALL(split), .segmented = &split_sizes),
};

const struct rows tutti_bcast_rows = ROWS(rows);
