/* PLogP fitted to collectives (Pjesivac-Grbovic 2007, section 4.4.1). */
#include <math.h>

#include "tutti/model.h"

/* The time per additional process, by least squares; NaN with fewer than two numbers of processes. */
static double slope_of(const tutti_timed *times, size_t count)
{
  double ranks = 0, seconds = 0, products = 0, squares = 0;
  for (size_t i = 0; i < count; i++) {
    ranks += times[i].ranks / (double)count;
    seconds += times[i].seconds / (double)count;
  }
  for (size_t i = 0; i < count; i++) {
    products += (times[i].ranks - ranks) * (times[i].seconds - seconds);
    squares += (times[i].ranks - ranks) * (times[i].ranks - ranks);
  }
  return squares > 0 ? products / squares : NAN;
}

/* The time of one of the P - 1 steps of a pipeline with messages of one size, the first of the times; *used of them
   have that size. */
static double step_of(const tutti_timed *times, size_t count, size_t *used)
{
  double sum = 0;
  for (*used = 0; *used < count && times[*used].m <= times[0].m; (*used)++)
    sum += times[*used].seconds / (times[*used].ranks - 1);
  return sum / (double)*used;
}

static tutti_status check_times(const char *name, const tutti_timed *times, size_t count, tutti_error *error)
{
  for (size_t i = 0; i < count; i++)
    if (times[i].ranks < 2 || !isfinite(times[i].seconds) || (i > 0 && times[i].m < times[i - 1].m))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                        "%s: time %zu, of %d ranks, is not a finite one of two ranks or more in the order of sizes",
                        name, i, times[i].ranks);
  return TUTTI_OK;
}

/* The gap is at least the time that a process is busy. */
static tutti_plogp_point point_of(const tutti_plogp *measured, double m, double g)
{
  return (tutti_plogp_point){m, g, fmin(g, tutti_plogp_o_s(measured, m)), fmin(g, tutti_plogp_o_r(measured, m))};
}

tutti_status tutti_plogp_fit(const tutti_plogp *measured, const tutti_timed *barrier, size_t barrier_count,
                             const tutti_timed *pipeline, size_t pipeline_count, tutti_plogp_point *points,
                             tutti_plogp *fitted, tutti_error *error)
{
  tutti_status status = check_times("the barrier", barrier, barrier_count, error);
  if (status == TUTTI_OK)
    status = check_times("the pipeline", pipeline, pipeline_count, error);
  if (status != TUTTI_OK)
    return status;
  double slope = slope_of(barrier, barrier_count), g = slope - tutti_plogp_o_r(measured, 0);
  if (pipeline_count == 0 || !(g > 0))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "PLogP cannot be fitted: it takes linear barriers on several numbers of ranks, each longer than "
                      "the one before, and a broadcast by a pipeline");
  size_t count = 0, used;
  double L = step_of(pipeline, pipeline_count, &used) - g;
  for (size_t i = 0; i < pipeline_count; i += used)
    points[count++] = point_of(measured, pipeline[i].m, step_of(pipeline + i, pipeline_count - i, &used) - L);
  *fitted = (tutti_plogp){.L = L, .points = points, .count = count};
  return tutti_model_check(&(tutti_model){.kind = TUTTI_MODEL_PLOGP, .network.plogp = *fitted}, error);
}
