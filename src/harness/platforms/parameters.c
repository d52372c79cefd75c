/* From measured values to the parameters of all models, and what was published beside them. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/platforms/parameters.h"
#include "harness/platforms/platform_private.h"
#include "tutti/parameters.h"

/* Measured values in the order of tutti_parameter_compare(). */
struct measured {
  const tutti_parameter *items;
  size_t count;
};

/* The values of one quantity. */
static struct measured measured_of(struct measured all, tutti_quantity quantity)
{
  struct measured found = {all.items, 0};
  while (all.count > 0 && found.items < all.items + all.count && found.items->quantity != quantity)
    found.items++;
  while (found.items + found.count < all.items + all.count && found.items[found.count].quantity == quantity)
    found.count++;
  return found;
}

/* The value of a quantity for @p bytes bytes, or NULL. */
static const tutti_parameter *find_measured(struct measured all, tutti_quantity quantity, uint64_t bytes)
{
  struct measured some = measured_of(all, quantity);
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

/* Least squares of the relative error of alpha + beta m, neither negative; false with fewer than two sizes. Where the
 * line would cross zero, that parameter is 0 and the other one is fitted: the sum of squares is convex. */
static bool fit_hockney(struct measured trips, tutti_hockney *hockney)
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

/* Minimum time and inverse of the highest bandwidth; false without a size above 0. */
static bool fit_extremes(struct measured trips, tutti_hockney *hockney)
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

/* Time beyond the gap was waiting: a process cannot be busy for longer with each message of a row. */
static tutti_status read_overhead(struct measured all, tutti_quantity quantity, const tutti_parameter *gap,
                                  double *overhead, tutti_error *error)
{
  const tutti_parameter *found = find_measured(all, quantity, gap->bytes);
  if (!found)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "of %" PRIu64 " bytes there is a gap but no %s", gap->bytes,
                      tutti_quantity_name(quantity));
  *overhead = fmin(found->value, gap->value);
  return TUTTI_OK;
}

/* Fill in points[gaps.count]. TUTTI_ERR_ARGUMENT names the size whose overhead was not measured. */
static tutti_status fit_points(struct measured all, struct measured gaps, tutti_plogp_point *points, tutti_error *error)
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

/* Leave out points before the last one that have a longer gap: beyond it, gaps would shrink for ever. Returns how many
   points are left. */
static size_t fit_end(tutti_plogp_point *points, size_t count)
{
  while (count > 1 && points[count - 2].g > points[count - 1].g) {
    points[count - 2] = points[count - 1];
    count--;
  }
  return count;
}

/* ---- parameter sets ---- */

static const tutti_parameter *find_half_trip(const tutti_parameter_set *set, uint64_t bytes)
{
  const tutti_parameter key = {.quantity = TUTTI_QUANTITY_HALF_TRIP, .bytes = bytes};
  return set->parameter_count > 0
             ? bsearch(&key, set->parameters, set->parameter_count, sizeof key, tutti_parameter_compare)
             : NULL;
}

bool tutti_parameter_set_contradicts(const tutti_parameter_set *set, tutti_parameter_contradiction *worst)
{
  double most = TUTTI_PARAMETER_MOST_HALF_TRIPS;
  bool found = false;
  for (size_t i = 0; i < set->parameter_count; i++) {
    const tutti_parameter *gap = &set->parameters[i];
    if (gap->quantity != TUTTI_QUANTITY_GAP || gap->bytes < TUTTI_PARAMETER_LEAST_CONTRADICTING)
      continue;
    const tutti_parameter *half_trip = find_half_trip(set, gap->bytes);
    if (!half_trip || gap->value <= most * half_trip->value)
      continue;
    *worst = (tutti_parameter_contradiction){gap->bytes, gap->value, half_trip->value};
    most = half_trip->value > 0 ? gap->value / half_trip->value : most;
    found = true;
  }
  return found;
}

void tutti_parameter_values(const tutti_parameter_set *set, const tutti_platform *published,
                            struct parameter_value values[PARAMETER_VALUES])
{
  const bool *has = set->has;
  const tutti_platform none = tutti_platform_unpublished();
  const tutti_platform *p = published ? published : &none;
  const tutti_hockney *h = &set->hockney, *e = &set->extremes;
  const tutti_loggp *l = &set->loggp;
  const tutti_plogp_point *first = set->plogp.count ? set->points : &(tutti_plogp_point){NAN, NAN, NAN, NAN};
  const struct parameter_value all[PARAMETER_VALUES] = {
      {"Hockney, fit", "alpha", "hockney_alpha_s", false, h->alpha, p->published_alpha},
      {"Hockney, fit", "beta", "hockney_beta_s_per_B", true, h->beta, p->published_beta},
      {"Hockney, extremes", "alpha", "extreme_alpha_s", false, e->alpha, p->published_alpha},
      {"Hockney, extremes", "beta", "extreme_beta_s_per_B", true, e->beta, p->published_beta},
      {"LogGP", "L", "loggp_L_s", false, l->L, p->published_L},
      {"LogGP", "o", "loggp_o_s", false, l->o, p->published_o},
      {"LogGP", "L + 2o", "loggp_L_2o_s", false, l->L + 2 * l->o, p->published_L + 2 * p->published_o},
      {"LogGP", "g", "loggp_g_s", false, l->g, p->published_g},
      {"LogGP", "G", "loggp_G_s_per_B", true, l->G, p->published_G},
      {"PLogP", "L", "plogp_L_s", false, set->plogp.L, NAN},
      {"PLogP", "g(0)", "plogp_g0_s", false, first->g, NAN},
      {"PLogP", "o_s(0)", "plogp_o_s0_s", false, first->o_s, NAN},
      {"PLogP", "o_r(0)", "plogp_o_r0_s", false, first->o_r, NAN},
      {"computation", "gamma", "gamma_s_per_B", true, set->gamma, p->published_gamma},
      {"computation", "delta", "delta_s_per_B", true, set->delta, NAN},
  };
  for (int i = 0; i < PARAMETER_VALUES; i++) {
    values[i] = all[i];
    bool known = i < 4 ? has[TUTTI_MODEL_HOCKNEY] : i < 9 ? has[TUTTI_MODEL_LOGGP] : i >= 13 || has[TUTTI_MODEL_PLOGP];
    if (!known)
      values[i].measured = NAN;
  }
}

double tutti_parameter_value_difference(const struct parameter_value *value)
{
  double percent = 100 * (value->measured - value->published) / value->published;
  return fabs(percent) < 0.005 ? 0 : percent; /* a value printed as 0.00 has no sign */
}

/* ---- parameter sets: derived from measured values, or read off a platform file ---- */

/* ---- measured ---- */

static void copy_parameters(const tutti_parameter *parameters, size_t count, tutti_parameter_set *set)
{
  set->parameters = tutti_xcalloc(count + 1, sizeof *parameters);
  if (count > 0)
    memcpy(set->parameters, parameters, count * sizeof *parameters);
  qsort(set->parameters, count, sizeof *parameters, tutti_parameter_compare);
  set->parameter_count = count;
}

static void derive_hockney(struct measured all, tutti_parameter_set *set)
{
  struct measured trips = measured_of(all, TUTTI_QUANTITY_HALF_TRIP);
  set->has[TUTTI_MODEL_HOCKNEY] = fit_hockney(trips, &set->hockney) && fit_extremes(trips, &set->extremes);
}

/* A message of no bytes takes L + g(0) (equation 4.4); table 4.1 makes LogGP of it. */
static tutti_status derive_plogp(struct measured all, tutti_parameter_set *set, tutti_error *error)
{
  struct measured gaps = measured_of(all, TUTTI_QUANTITY_GAP);
  const tutti_parameter *trip = find_measured(all, TUTTI_QUANTITY_HALF_TRIP, 0);
  if (!trip || gaps.count == 0 || gaps.items[0].bytes != 0)
    return TUTTI_OK;
  set->points = tutti_xcalloc(gaps.count, sizeof *set->points);
  tutti_status status = fit_points(all, gaps, set->points, error);
  if (status != TUTTI_OK)
    return status;
  set->plogp = (tutti_plogp){.L = fmax(0, trip->value - gaps.items[0].value),
                             .points = set->points,
                             .count = fit_end(set->points, gaps.count)};
  set->loggp = tutti_loggp_from_plogp(&set->plogp);
  set->loggp.L = fmax(0, set->loggp.L);
  set->has[TUTTI_MODEL_PLOGP] = set->has[TUTTI_MODEL_LOGGP] = true;
  return TUTTI_OK;
}

static void derive_computation(struct measured all, tutti_parameter_set *set)
{
  struct measured gammas = measured_of(all, TUTTI_QUANTITY_GAMMA), deltas = measured_of(all, TUTTI_QUANTITY_DELTA);
  for (size_t i = 0; i < gammas.count; i++)
    if (strcmp(gammas.items[i].of, TUTTI_PARAMETER_MODEL_GAMMA) == 0)
      set->gamma = gammas.items[i].value; /* of the largest arrays: they come last */
  if (deltas.count > 0)
    set->delta = deltas.items[deltas.count - 1].value;
}

static bool has_any(const tutti_parameter_set *set)
{
  bool any = false;
  for (int kind = 0; kind < TUTTI_MODEL_KINDS; kind++)
    any = any || set->has[kind];
  return any;
}

static tutti_status derive(tutti_parameter_set *set, tutti_error *error)
{
  struct measured all = {set->parameters, set->parameter_count};
  derive_hockney(all, set);
  derive_computation(all, set);
  tutti_status status = derive_plogp(all, set, error);
  if (status == TUTTI_OK && !has_any(set))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%zu measured values do not give the parameters of any model",
                      set->parameter_count);
  return status;
}

tutti_status tutti_parameter_set_derive(const tutti_parameter *parameters, size_t count, tutti_parameter_set *set,
                                        tutti_error *error)
{
  *set = (tutti_parameter_set){.origin = TUTTI_PARAMETERS_MEASURED, .gamma = NAN, .delta = NAN};
  copy_parameters(parameters, count, set);
  tutti_status status = derive(set, error);
  if (status != TUTTI_OK)
    tutti_parameter_set_free(set);
  return status;
}

/* ---- published ---- */

/* The inverse of table 4.1; where g < o, g(m) is bounded by o up to where the line g + (m - 1) G reaches it. */
static void publish_plogp(tutti_parameter_set *set)
{
  enum { POINTS = 3 };
  const tutti_loggp *loggp = &set->loggp;
  double L = loggp->L + 2 * loggp->o - loggp->g, bounded = fmax(0, (loggp->o - loggp->g) / loggp->G);
  if (L < 0)
    return;
  set->points = tutti_xcalloc(POINTS, sizeof *set->points);
  const double sizes[POINTS] = {1, 1 + bounded, 1 + 2 * bounded + 1024};
  size_t count = 0;
  for (int i = bounded > 0 ? 0 : 1; i < POINTS; i++) {
    double g = fmax(loggp->g + (sizes[i] - 1) * loggp->G, loggp->o);
    set->points[count++] = (tutti_plogp_point){.m = sizes[i], .g = g, .o_s = loggp->o, .o_r = loggp->o};
  }
  set->plogp = (tutti_plogp){L, set->points, count};
  set->has[TUTTI_MODEL_PLOGP] = true;
}

tutti_status tutti_parameter_set_published(const tutti_platform *platform, tutti_parameter_set *set, tutti_error *error)
{
  const tutti_platform *p = platform;
  *set = (tutti_parameter_set){
      .origin = TUTTI_PARAMETERS_PUBLISHED,
      .has = {[TUTTI_MODEL_HOCKNEY] = isfinite(p->published_alpha + p->published_beta),
              [TUTTI_MODEL_LOGGP] = isfinite(p->published_L + p->published_o + p->published_g + p->published_G)},
      .hockney = {p->published_alpha, p->published_beta},
      .extremes = {p->published_alpha, p->published_beta},
      .loggp = {p->published_L, p->published_o, p->published_g, p->published_G},
      .gamma = p->published_gamma,
      .delta = NAN};
  if (!has_any(set))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s publishes no complete model: alpha and beta, or L, o, g and G are needed", p->path);
  if (set->has[TUTTI_MODEL_LOGGP])
    publish_plogp(set);
  return TUTTI_OK;
}

/* ---- both ---- */

tutti_status tutti_parameter_set_model(const tutti_parameter_set *set, tutti_model_kind kind, tutti_model *model,
                                       tutti_error *error)
{
  const char *name = tutti_model_kind_name(kind);
  if (!name || !set->has[kind])
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the %s parameters do not give the model %s",
                      set->origin == TUTTI_PARAMETERS_PUBLISHED ? "published" : "measured", name ? name : "asked for");
  *model = (tutti_model){
      .kind = kind, .gamma = isfinite(set->gamma) ? set->gamma : 0, .delta = isfinite(set->delta) ? set->delta : 0};
  if (kind == TUTTI_MODEL_HOCKNEY)
    model->network.hockney = set->hockney;
  else if (kind == TUTTI_MODEL_LOGGP)
    model->network.loggp = set->loggp;
  else
    model->network.plogp = set->plogp;
  return tutti_model_check(model, error);
}

void tutti_parameter_set_free(tutti_parameter_set *set)
{
  free(set->points);
  free(set->parameters);
  *set = (tutti_parameter_set){0};
}
