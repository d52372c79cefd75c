/* The best segment sizes of reduce (Pjesivac-Grbovic 2007, table 5.2). */
#include "models/sizes.h"

static int linear_size_loggp_printed(const struct terms *t, double *sizes)
{
  sizes[0] = sqrt(t->m * (t->P - 1) * (t->o - t->G) / t->G);
  return (t->P - 1) * (t->o + (sizes[0] - 1) * t->G + t->gamma * sizes[0]) > t->g ? 1 : 0;
}

static int pipeline_size_hockney(const struct terms *t, double *sizes)
{
  sizes[0] = sqrt(t->m * t->alpha / ((t->P - 2) * (t->beta + t->gamma)));
  return 1;
}

static double pipeline_busy_size(const struct terms *t)
{
  return sqrt(t->m * (2 * t->o - t->G) / ((t->P - 2) * (t->G + t->gamma)));
}

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

static int binary_size_hockney(const struct terms *t, double *sizes)
{
  sizes[0] = sqrt(t->m * t->alpha / ((t->levels - 2) * (t->beta + t->gamma)));
  return 1;
}

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

static double received(const struct terms *t)
{
  return gap(t, t->m_s) - o_r(t, t->m_s) - t->gamma * t->m_s;
}

static double forwarded(const struct terms *t)
{
  return received(t) - o_s(t, t->m_s);
}

const struct segmented tutti_reduce_linear_sizes = {.printed = {NULL, linear_size_loggp_printed},
                                                    .crossings = {received}};

const struct segmented tutti_reduce_pipeline_sizes = {.printed = {pipeline_size_hockney, pipeline_size_loggp_printed},
                                                      .corrected = {pipeline_size_hockney, pipeline_size_loggp},
                                                      .crossings = {received}};

const struct segmented tutti_reduce_binomial_sizes = {.crossings = {forwarded, received}};

const struct segmented tutti_reduce_binary_sizes = {.printed = {binary_size_hockney, binary_size_loggp_printed},
                                                    .corrected = {binary_size_hockney, binary_size_loggp},
                                                    .crossings = {received}};
