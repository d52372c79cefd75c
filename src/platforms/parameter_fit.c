#include "platforms/parameters.h"

#include <inttypes.h>
#include <math.h>

struct measured tutti_measured_of(struct measured all, tutti_quantity quantity)
{
  struct measured found = {all.items, 0};
  while (all.count > 0 && found.items < all.items + all.count && found.items->quantity != quantity)
    found.items++;
  while (found.items + found.count < all.items + all.count && found.items[found.count].quantity == quantity)
    found.count++;
  return found;
}

const tutti_parameter *tutti_measured_find(struct measured all, tutti_quantity quantity, uint64_t bytes)
{
  struct measured some = tutti_measured_of(all, quantity);
  for (size_t i = 0; i < some.count; i++)
    if (some.items[i].bytes == bytes)
      return &some.items[i];
  return NULL;
}

/* ---- Hockney ---- */

/* Weighted sums of the normal equations of time = alpha + beta * bytes. */
struct sums {
  double weight, bytes, time, bytes_bytes, bytes_time;
};

static struct sums sums_of(struct measured trips)
{
  struct sums sums = {0};
  for (size_t i = 0; i < trips.count; i++) {
    double time = trips.items[i].value, bytes = (double)trips.items[i].bytes;
    double weight = time > 0 ? 1 / (time * time) : 1; /* or else the largest size alone would decide */
    sums.weight += weight;
    sums.bytes += weight * bytes;
    sums.time += weight * time;
    sums.bytes_bytes += weight * bytes * bytes;
    sums.bytes_time += weight * bytes * time;
  }
  return sums;
}

/* Where the line would cross zero, the best one with that parameter at 0 is taken: the sum of squares is convex. */
bool tutti_parameter_fit_hockney(struct measured trips, tutti_hockney *hockney)
{
  struct sums s = sums_of(trips);
  if (trips.count < 2 || trips.items[0].bytes == trips.items[trips.count - 1].bytes)
    return false;
  hockney->beta = (s.weight * s.bytes_time - s.bytes * s.time) / (s.weight * s.bytes_bytes - s.bytes * s.bytes);
  hockney->alpha = (s.time - hockney->beta * s.bytes) / s.weight;
  if (hockney->alpha < 0)
    *hockney = (tutti_hockney){.alpha = 0, .beta = s.bytes_time / s.bytes_bytes};
  else if (hockney->beta < 0)
    *hockney = (tutti_hockney){.alpha = s.time / s.weight, .beta = 0};
  return true;
}

bool tutti_parameter_fit_extremes(struct measured trips, tutti_hockney *hockney)
{
  *hockney = (tutti_hockney){INFINITY, INFINITY};
  for (size_t i = 0; i < trips.count; i++) {
    const tutti_parameter *trip = &trips.items[i];
    hockney->alpha = fmin(hockney->alpha, trip->value);
    if (trip->bytes > 0)
      hockney->beta = fmin(hockney->beta, trip->value / (double)trip->bytes);
  }
  return isfinite(hockney->beta);
}

/* ---- PLogP ---- */

/* What goes beyond the gap was waiting: a process cannot be busy for longer with each message of a row. */
static tutti_status read_overhead(struct measured all, tutti_quantity quantity, const tutti_parameter *gap,
                                  double *overhead, tutti_error *error)
{
  const tutti_parameter *found = tutti_measured_find(all, quantity, gap->bytes);
  if (!found)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "of %" PRIu64 " bytes there is a gap but no %s", gap->bytes,
                      tutti_quantity_name(quantity));
  *overhead = fmin(found->value, gap->value);
  return TUTTI_OK;
}

tutti_status tutti_parameter_fit_points(struct measured all, struct measured gaps, tutti_plogp_point *points,
                                        tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < gaps.count && status == TUTTI_OK; i++) {
    const tutti_parameter *gap = &gaps.items[i];
    points[i] = (tutti_plogp_point){.m = (double)gap->bytes, .g = gap->value};
    status = read_overhead(all, TUTTI_QUANTITY_SEND_OVERHEAD, gap, &points[i].o_s, error);
    if (status == TUTTI_OK)
      status = read_overhead(all, TUTTI_QUANTITY_RECEIVE_OVERHEAD, gap, &points[i].o_r, error);
  }
  return status;
}

size_t tutti_parameter_fit_end(tutti_plogp_point *points, size_t count)
{
  while (count > 1 && points[count - 2].g > points[count - 1].g) {
    points[count - 2] = points[count - 1];
    count--;
  }
  return count;
}
