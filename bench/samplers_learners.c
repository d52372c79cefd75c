/* Learners that predict the time of each method by itself, from random points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/experiments/calibrate/gaussian.h"
#include "samplers.h"

/* The nearest measured point of the same method, in doublings of the size and of the ranks, which count twice. */
void predict_nearest(struct sample_run *run)
{
  const struct sample_map *map = run->map;
  for (size_t i = 0; i < map->count; i++) {
    const struct sampler_point *asked = &map->points[i];
    double least = INFINITY;
    run->predicted[i] = run->known_count > 0 ? INFINITY : map->base[i];
    for (size_t k = 0; k < run->known_count; k++) {
      const struct sampler_point *known = &map->points[run->known[k]];
      const double distance =
          fabs(asked->point.size - known->point.size) + 2 * fabs(asked->point.ranks - known->point.ranks);
      if (known->method != asked->method || distance >= least)
        continue;
      least = distance;
      run->predicted[i] = run->values[run->known[k]] - map->base[run->known[k]] + map->base[i];
    }
  }
}

/* ---- a regression a method ---- */

/*
 * A regression for each method, and the method of the least predicted time (Hunold, Bhatele, Bosilca, Knees 2020,
 * Predicting MPI collective communication performance using machine learning): here least squares in the logarithms of
 * size and ranks, up to their squares, with as small a penalty as makes it unique.
 */
enum { FEATURES = 6 };

static void features_of(const struct evidence_point *point, double *features)
{
  const double size = point->size / 10, ranks = point->ranks / 3;
  const double all[FEATURES] = {1, size, ranks, size * size, ranks * ranks, size * ranks};
  memcpy(features, all, sizeof all);
}

/* False: the method was not measured. */
static bool fit(const struct sample_run *run, size_t method, double weights[FEATURES])
{
  double matrix[FEATURES * FEATURES] = {0}, features[FEATURES];
  size_t count = 0;
  memset(weights, 0, FEATURES * sizeof *weights);
  for (int f = 0; f < FEATURES; f++)
    matrix[f * FEATURES + f] = f == 0 ? 1e-4 : 1e-2;
  for (size_t k = 0; k < run->known_count; k++) {
    const size_t i = run->known[k];
    if (run->map->points[i].method != method)
      continue;
    count++;
    features_of(&run->map->points[i].point, features);
    for (int f = 0; f < FEATURES; f++) {
      weights[f] += features[f] * (run->values[i] - run->map->base[i]);
      for (int g = 0; g < FEATURES; g++)
        matrix[f * FEATURES + g] += features[f] * features[g];
    }
  }
  (void)tutti_cholesky_factor(matrix, FEATURES); /* the penalty makes it definite */
  tutti_cholesky_forward(matrix, FEATURES, weights);
  tutti_cholesky_backward(matrix, FEATURES, weights);
  return count > 0;
}

void predict_regression(struct sample_run *run)
{
  const struct sample_map *map = run->map;
  for (size_t m = 0; m < map->methods; m++) {
    double weights[FEATURES], features[FEATURES];
    const bool known = fit(run, m, weights);
    for (size_t i = 0; i < map->count; i++) {
      if (map->points[i].method != m)
        continue;
      features_of(&map->points[i].point, features);
      run->predicted[i] =
          known || run->known_count == 0 ? map->base[i] + tutti_dot(weights, features, FEATURES) : INFINITY;
    }
  }
}
