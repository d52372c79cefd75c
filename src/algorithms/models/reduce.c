/* Reduce on trees (Pjesivac-Grbovic 2007, tables 4.8 and 5.2). Rabenseifner's algorithm is in halving.c.

   What the corrected formulas are made of: first(), a segment on its way from one rank into the result of the next, and
   next(), how much later the segment after it is in there. With P = 2 all trees are one edge. With gamma = 0 the linear
   and the binomial formula are those of a broadcast, backwards. */
#include "algorithms/models/terms.h"

/* ---- the best segment sizes (table 5.2) ---- */

static int linear_size_loggp_printed(const struct terms *t, double *sizes)
{
  sizes[0] = sqrt(t->m * (t->P - 1) * (t->o - t->G) / t->G);
  return (t->P - 1) * (t->o + (sizes[0] - 1) * t->G + t->gamma * sizes[0]) > t->g ? 1 : 0;
}

SIZE(pipeline_size_hockney, sqrt(t->m * t->alpha / ((t->P - 2) * (t->beta + t->gamma))))
FORMULA(pipeline_busy_size, sqrt((2 * t->o - t->G) * t->m / ((t->P - 2) * (t->G + t->gamma))))

static int pipeline_size_loggp_printed(const struct terms *t, double *sizes)
{
  sizes[0] = pipeline_busy_size(t);
  return 2 * t->o + (sizes[0] - 1) * t->G + t->gamma * sizes[0] > t->g ? 1 : 0;
}

/* Where max{g, 2 o + gamma m_s} is its second argument, its first one, and both. */
static int pipeline_size_loggp(const struct terms *t, double *sizes)
{
  sizes[0] = pipeline_busy_size(t);
  sizes[1] = sqrt(t->m * (t->g - t->G) / ((t->P - 2) * t->G + (t->P - 1) * t->gamma));
  sizes[2] = (t->g - 2 * t->o) / t->gamma;
  return t->P > 2 ? 3 : 0;
}

SIZE(binary_size_hockney, sqrt(t->m * t->alpha / ((t->levels - 2) * (t->beta + t->gamma))))

static int binary_size_loggp_printed(const struct terms *t, double *sizes)
{
  sizes[0] = sqrt(t->m * (t->g - t->G) / (2 * t->gamma));
  if (t->g < t->o + t->gamma * sizes[0])
    sizes[0] = sqrt(t->m * (t->o - t->G) / (2 * t->gamma));
  return 1;
}

/* Where max{g, o + gamma m_s} is its second argument, its first one, and both. */
static int binary_size_loggp(const struct terms *t, double *sizes)
{
  sizes[0] = sqrt(t->m * (3 * t->o - 2 * t->G) / (2 * (t->levels - 2) * (t->G + t->gamma)));
  sizes[1] = sqrt(t->m * (t->o + 2 * (t->g - t->G)) / (2 * (t->levels - 2) * t->G + (t->levels - 1) * t->gamma));
  sizes[2] = (t->g - t->o) / t->gamma;
  return t->P > 2 ? 3 : 0;
}

FORMULA(received, gap(t, t->m_s) - o_r(t, t->m_s) - t->gamma * t->m_s)
FORMULA(forwarded, received(t) - o_s(t, t->m_s))

static const struct segmented linear_sizes = {.printed = {NULL, linear_size_loggp_printed}, .crossings = {received}};

static const struct segmented pipeline_sizes = {.printed = {pipeline_size_hockney, pipeline_size_loggp_printed},
                                                .corrected = {pipeline_size_hockney, pipeline_size_loggp},
                                                .crossings = {received}};

static const struct segmented binomial_sizes = {.crossings = {forwarded, received}};

static const struct segmented binary_sizes = {.printed = {binary_size_hockney, binary_size_loggp_printed},
                                              .corrected = {binary_size_hockney, binary_size_loggp},
                                              .crossings = {received}};

/* ---- times ---- */

FORMULA(edge, t->alpha + t->beta * t->m_s + t->gamma * t->m_s)
FORMULA(first, message(t, t->m_s) + t->gamma * t->m_s)

static double next(const struct terms *t)
{
  double computed = t->gamma * t->m_s;
  if (t->kind == TUTTI_MODEL_LOGGP)
    return wire(t, t->m_s) + fmax(t->g, t->o + computed);
  return fmax(gap(t, t->m_s), o_r(t, t->m_s) + computed);
}

/* ---- linear ---- */

FORMULA(linear_hockney, (t->P - 1) * t->n_s * edge(t))

static double linear_loggp_printed(const struct terms *t)
{
  double served = (t->P - 1) * (t->o + wire(t, t->m_s) + t->gamma * t->m_s);
  return t->o + wire(t, t->m_s) + t->L + t->n_s * fmax(t->g, served);
}

FORMULA(linear_plogp_printed, t->L + (t->P - 1) * t->n_s * next(t))
FORMULA(linear, first(t) + ((t->P - 1) * t->n_s - 1) * next(t))

/* ---- pipeline ---- */

FORMULA(pipeline_hockney, (t->P + t->n_s - 2) * edge(t))

static double pipeline_loggp_printed(const struct terms *t)
{
  double computed = t->gamma * t->m_s;
  return (t->P - 1) * (message(t, t->m_s) + computed) +
         (t->n_s - 1) * fmax(t->g, 2 * t->o + wire(t, t->m_s) + computed);
}

FORMULA(pipeline_plogp_printed, (t->P - 1) * (t->L + next(t)) + (t->n_s - 1) * (next(t) + o_s(t, t->m_s)))

static double pipeline_loggp(const struct terms *t)
{
  double rate = wire(t, t->m_s) + fmax(t->g, 2 * t->o + t->gamma * t->m_s);
  return t->P == 2 ? linear(t) : (t->P - 1) * first(t) + (t->n_s - 1) * rate;
}

FORMULA(pipeline_plogp, t->P == 2 ? linear(t) : (t->P - 1) * first(t) + (t->n_s - 1) * (next(t) + o_s(t, t->m_s)))

/* ---- binomial: for every child, for every segment ---- */

FORMULA(binomial_hockney, t->n_s * t->ceil_log * edge(t))
FORMULA(binomial_loggp_printed, (t->o + t->L + t->n_s * next(t)) * t->ceil_log)

static double binomial_plogp_printed(const struct terms *t)
{
  double busy = o_r(t, t->m_s) + t->gamma * t->m_s + o_s(t, t->m_s);
  return t->ceil_log * (t->L + t->n_s * fmax(gap(t, t->m_s), busy));
}

FORMULA(binomial_loggp, (first(t) + (t->n_s - 1) * next(t)) * t->ceil_log)

static double binomial_plogp(const struct terms *t)
{
  double busy = o_r(t, t->m_s) + t->gamma * t->m_s + o_s(t, t->m_s);
  return t->P == 2 ? linear(t) : t->ceil_log * (first(t) + (t->n_s - 1) * fmax(gap(t, t->m_s), busy));
}

/* ---- binary ---- */

FORMULA(binary_hockney_printed, 2 * (t->levels + t->n_s - 2) * edge(t))

static double binary_loggp_printed(const struct terms *t)
{
  double computed = t->gamma * t->m_s, wired = wire(t, t->m_s);
  double rate = wired + fmax(t->g, 3 * t->o + 2 * computed);
  return (t->levels - 1) * (t->L + 3 * t->o + wired + 2 * computed + (t->n_s - 1) * rate);
}

FORMULA(binary_plogp_printed, (t->levels - 1) * (t->L + 2 * next(t)) + (t->n_s - 1) * (o_s(t, t->m_s) + 2 * next(t)))
FORMULA(binary_hockney, t->P == 2 ? linear_hockney(t) : binary_hockney_printed(t))

static double binary(const struct terms *t)
{
  double sent = t->kind == TUTTI_MODEL_LOGGP ? t->o : o_s(t, t->m_s);
  if (t->P == 2)
    return linear(t);
  return (t->levels - 1) * (first(t) + next(t)) + (t->n_s - 1) * (sent + 2 * next(t));
}

/* ---- rows ---- */

#define BINOMIAL                                                                                                       \
  PRINTED(binomial_hockney, binomial_loggp_printed, binomial_plogp_printed),                                           \
      CORRECTED(binomial_hockney, binomial_loggp, binomial_plogp), .segmented = &binomial_sizes
#define BINARY                                                                                                         \
  PRINTED(binary_hockney_printed, binary_loggp_printed, binary_plogp_printed),                                         \
      CORRECTED(binary_hockney, binary, binary), .segmented = &binary_sizes

static const struct row rows[] = {
    ROW(REDUCE, "linear", PRINTED(linear_hockney, linear_loggp_printed, linear_plogp_printed),
        CORRECTED(linear_hockney, linear, linear), .segmented = &linear_sizes),
    ROW(REDUCE, "pipeline", PRINTED(pipeline_hockney, pipeline_loggp_printed, pipeline_plogp_printed),
        CORRECTED(pipeline_hockney, pipeline_loggp, pipeline_plogp), .segmented = &pipeline_sizes),
    ROW(REDUCE, "binomial", BINOMIAL),
    ROW(REDUCE, "in-order-binomial", BINOMIAL),
    ROW(REDUCE, "binary", BINARY),
    ROW(REDUCE, "in-order-binary", BINARY),
    ROW(REDUCE, "rabenseifner",
        PRINTED(tutti_rabenseifner_reduce_hockney_printed, tutti_rabenseifner_reduce_loggp_printed,
                tutti_rabenseifner_reduce_plogp_printed),
        CORRECTED_ALL(tutti_rabenseifner_reduce)),
};

const struct rows tutti_reduce_rows = ROWS(rows);
