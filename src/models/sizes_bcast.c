/* The best segment sizes of broadcast (Pjesivac-Grbovic 2007, table 5.1). */
#include "models/sizes.h"

static int pipeline_size_hockney(const struct terms *t, double *sizes)
{
  sizes[0] = sqrt(t->m * t->alpha / ((t->P - 2) * t->beta));
  return 1;
}

static int pipeline_size_loggp(const struct terms *t, double *sizes)
{
  sizes[0] = sqrt(t->m * (t->o + t->g - t->G) / ((t->P - 2) * t->G));
  return 1;
}

static int binary_size_hockney_printed(const struct terms *t, double *sizes)
{
  sizes[0] = sqrt(2 * t->m * t->alpha / ((t->levels - 2) * t->beta));
  return 1;
}

static int binary_size_hockney(const struct terms *t, double *sizes)
{
  sizes[0] = sqrt(t->m * t->alpha / ((t->levels - 2) * t->beta));
  return 1;
}

static int binary_size_loggp(const struct terms *t, double *sizes)
{
  sizes[0] = sqrt(t->m * (t->o + 2 * (t->g - t->G)) / (2 * (t->levels - 2) * t->G));
  return 1;
}

/* Theorem 5.1. */
static int split_size_hockney(const struct terms *t, double *sizes)
{
  sizes[0] = sqrt(t->m * t->alpha / (2 * (t->levels - 2) * t->beta));
  return 1;
}

/* Theorem 5.2. */
static int split_size_loggp(const struct terms *t, double *sizes)
{
  sizes[0] = sqrt(t->m * (t->o + 2 * (t->g - t->G)) / (4 * (t->levels - 2) * t->G));
  return 1;
}

static double overheads(const struct terms *t)
{
  return gap(t, t->m_s) - o_r(t, t->m_s) - o_s(t, t->m_s);
}

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

const struct segmented tutti_bcast_no_size = {.halves = false};

const struct segmented tutti_bcast_pipeline_sizes = {.printed = {pipeline_size_hockney, pipeline_size_loggp},
                                                     .corrected = {pipeline_size_hockney, pipeline_size_loggp},
                                                     .crossings = {overheads}};

const struct segmented tutti_bcast_binary_sizes = {.printed = {binary_size_hockney_printed, binary_size_loggp},
                                                   .corrected = {binary_size_hockney, binary_size_loggp},
                                                   .crossings = {overheads}};

const struct segmented tutti_bcast_split_sizes = {.printed = {split_size_hockney, split_size_loggp},
                                                  .corrected = {split_size_hockney, split_size_loggp},
                                                  .crossings = {overheads},
                                                  .halves = true};
