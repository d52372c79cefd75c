/* Smoothing: what is nearly the best counts as best, so that few methods and few boundaries remain. Greedy set cover:
 * the method that is good enough at most points not yet settled comes first. */
#include <math.h>
#include <stdlib.h>

#include "decision/maps/map_cells.h"
#include "decision/tie.h"

struct smoothing {
  tutti_decision_map *map;
  double share;   /* of the best time that is allowed above it */
  bool *settled;  /* [points] */
  double *bounds; /* [points] slowest time that is good enough; NaN: no point */
};

static bool is_good(const struct smoothing *smoothing, size_t point, int method)
{
  double time = smoothing->map->times[point * (size_t)smoothing->map->method_count + (size_t)method];
  double bound = smoothing->bounds[point];
  return !isnan(time) && !isnan(bound) && (time <= bound || decision_tie(time, bound));
}

static size_t count_good(const struct smoothing *smoothing, int method)
{
  size_t good = 0;
  for (size_t i = 0; i < decision_map_points(smoothing->map); i++)
    good += !smoothing->settled[i] && is_good(smoothing, i, method);
  return good;
}

static void settle(struct smoothing *smoothing, int method)
{
  for (size_t i = 0; i < decision_map_points(smoothing->map); i++)
    if (!smoothing->settled[i] && is_good(smoothing, i, method)) {
      smoothing->map->best[i] = method;
      smoothing->settled[i] = true;
    }
}

/* Settle the points of the best method; false if none is left. */
static bool settle_most(struct smoothing *smoothing)
{
  int best = -1;
  size_t most = 0;
  for (int m = 0; m < smoothing->map->method_count; m++) {
    size_t good = tutti_method_is_native(&smoothing->map->methods[m]) ? 0 : count_good(smoothing, m);
    if (good > most) {
      most = good;
      best = m;
    }
  }
  if (best >= 0)
    settle(smoothing, best);
  return best >= 0;
}

static void bound_all(struct smoothing *smoothing)
{
  const tutti_decision_map *map = smoothing->map;
  for (size_t i = 0; i < decision_map_points(map); i++) {
    double least = map->best[i] < 0 ? NAN : map->times[i * (size_t)map->method_count + (size_t)map->best[i]];
    smoothing->bounds[i] = least + smoothing->share * fabs(least);
  }
}

tutti_status tutti_decision_map_smooth(tutti_decision_map *map, double percent, tutti_error *error)
{
  if (!(percent >= 0 && isfinite(percent)))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "what is within %g %% of the best cannot count as best", percent);
  size_t points = decision_map_points(map);
  struct smoothing smoothing = {.map = map,
                                .share = percent / 100,
                                .settled = calloc(points, sizeof *smoothing.settled),
                                .bounds = calloc(points, sizeof *smoothing.bounds)};
  bool room = smoothing.settled && smoothing.bounds;
  if (room)
    bound_all(&smoothing);
  while (room && settle_most(&smoothing))
    ;
  free(smoothing.settled);
  free(smoothing.bounds);
  return room ? TUTTI_OK
              : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for smoothing the decision map of %s",
                           tutti_collective_name(map->collective));
}
