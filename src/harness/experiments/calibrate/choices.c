#include "harness/experiments/calibrate/choices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"

/* ---- correlation ---- */

/* Half ranks: two for each smaller value, one for each equal one. */
static double rank_of(const double *values, size_t count, double value)
{
  double rank = 0;
  for (size_t i = 0; i < count; i++)
    rank += values[i] < value ? 2 : values[i] == value;
  return rank;
}

double tutti_spearman(const double *left, const double *right, size_t count)
{
  double products = 0, squares_left = 0, squares_right = 0;
  for (size_t i = 0; i < count; i++) {
    const double a = rank_of(left, count, left[i]) - (double)count, b = rank_of(right, count, right[i]) - (double)count;
    products += a * b;
    squares_left += a * a;
    squares_right += b * b;
  }
  return squares_left > 0 && squares_right > 0 ? products / sqrt(squares_left * squares_right) : NAN;
}

/* ---- errors ---- */

static bool is_asked(const struct fit_point *point, tutti_collective collective)
{
  return collective == TUTTI_COLL_COUNT || point->measured.method.algorithm->collective == collective;
}

struct fit_errors tutti_fit_errors(const struct fit_points *points, tutti_collective collective)
{
  struct fit_errors sum = {.points = 0};
  double *errors = tutti_xcalloc(3 * points->count, sizeof *errors), *measured = errors + points->count,
         *simulated = measured + points->count;
  size_t known = 0, inside = 0;
  for (size_t i = 0; i < points->count; i++) {
    const struct fit_point *point = &points->items[i];
    if (!is_asked(point, collective) || point->fitted || isnan(point->seconds))
      continue;
    known += !isnan(point->lower);
    inside += point->lower <= point->measured.median && point->measured.median <= point->upper;
    measured[sum.points] = point->measured.median;
    simulated[sum.points] = point->seconds;
    errors[sum.points++] = 100 * fabs(point->seconds / point->measured.median - 1);
  }
  sum.correlation = tutti_spearman(measured, simulated, sum.points);
  tutti_doubles_sort(errors, sum.points);
  sum.inside = known ? (double)inside / (double)known : NAN;
  sum.median = sum.points ? tutti_doubles_median(errors, sum.points) : NAN;
  free(errors);
  return sum;
}

/* ---- places ---- */

struct penalties {
  TUTTI_VECTOR(double);
};

static struct choice_penalties sum_up(struct penalties *penalties)
{
  const size_t count = penalties->count;
  double sum = 0;
  if (count == 0)
    return (struct choice_penalties){NAN, NAN};
  for (size_t i = 0; i < count; i++)
    sum += penalties->items[i];
  tutti_doubles_sort(penalties->items, count);
  const double median = tutti_doubles_median(penalties->items, count);
  tutti_vector_free(penalties);
  return (struct choice_penalties){sum / (double)count, median};
}

/* Methods that were measured at one place: in one run, on as many ranks, with messages of one size. */
static bool is_same_place(const struct fit_point *left, const struct fit_point *right)
{
  const tutti_measurement *a = &left->measured, *b = &right->measured;
  return a->method.algorithm->collective == b->method.algorithm->collective && a->ranks == b->ranks &&
         a->ranks_per_node == b->ranks_per_node && a->rank_bytes == b->rank_bytes && strcmp(left->run, right->run) == 0;
}

/* The points of one place that a choice is judged by; NULL without one. */
struct place {
  size_t simulated;                          /* methods */
  const struct fit_point *fastest, *rival;   /* by measured times: of all, of those that were simulated */
  const struct fit_point *chosen, *modelled; /* by simulated times, by Hockney's model */
  const struct fit_point *native;
};

static void add_simulated(struct place *place, const struct fit_point *point)
{
  if (place->simulated == 0 || point->seconds < place->chosen->seconds)
    place->chosen = point;
  if (place->simulated == 0 || point->measured.median < place->rival->measured.median)
    place->rival = point;
  if (!isnan(point->modelled) && (!place->modelled || point->modelled < place->modelled->modelled))
    place->modelled = point;
  place->simulated++;
}

/* The place of a point, if that is the first one of it. False: it is not, or there is nothing to choose. */
static bool find_place(const struct fit_points *points, size_t index, struct place *place)
{
  const struct fit_point *first = &points->items[index];
  *place = (struct place){.simulated = 0};
  for (size_t i = 0; i < points->count; i++) {
    const struct fit_point *point = &points->items[i];
    if (!is_same_place(first, point))
      continue;
    if (i < index)
      return false;
    if (tutti_method_is_native(&point->measured.method))
      place->native = point;
    else if (isnan(point->seconds))
      continue;
    else
      add_simulated(place, point);
    if (!place->fastest || point->measured.median < place->fastest->measured.median)
      place->fastest = point;
  }
  return place->simulated >= 2;
}

static double penalty_of(const struct fit_point *point, const struct fit_point *fastest)
{
  return 100 * (point->measured.median / fastest->measured.median - 1);
}

/* ---- the best single method ---- */

/* The mean penalty of a method, where it was measured at nine places of ten at least; else infinite. */
static double mean_penalty(const struct fit_points *points, const tutti_method *method, size_t places)
{
  struct penalties penalties = {.count = 0};
  struct place place;
  for (size_t i = 0; i < points->count; i++) {
    if (!is_asked(&points->items[i], method->algorithm->collective) || !find_place(points, i, &place))
      continue;
    for (size_t j = i; j < points->count; j++)
      if (is_same_place(&points->items[i], &points->items[j]) &&
          tutti_method_compare(&points->items[j].measured.method, method) == 0)
        tutti_xpush(&penalties, penalty_of(&points->items[j], place.fastest));
  }
  const bool enough = 10 * penalties.count >= 9 * places;
  const double mean = sum_up(&penalties).mean;
  return enough ? mean : INFINITY;
}

static void find_single(const struct fit_points *points, tutti_collective collective, struct fit_choices *choices)
{
  choices->single_mean = NAN;
  for (size_t i = 0; i < points->count; i++) {
    const tutti_method *method = &points->items[i].measured.method;
    bool known = !is_asked(&points->items[i], collective) || isnan(points->items[i].seconds);
    for (size_t j = 0; j < i && !known; j++)
      known = tutti_method_compare(&points->items[j].measured.method, method) == 0;
    const double mean = known ? INFINITY : mean_penalty(points, method, choices->places);
    if (isfinite(mean) && !(mean >= choices->single_mean)) {
      choices->single = *method;
      choices->single_mean = mean;
    }
  }
}

struct fit_choices tutti_fit_choose(const struct fit_points *points, tutti_collective collective)
{
  struct fit_choices choices = {.single_mean = NAN};
  struct penalties own = {.count = 0}, among = {.count = 0}, native = {.count = 0}, model = {.count = 0};
  struct place place;
  for (size_t i = 0; i < points->count; i++) {
    if (!is_asked(&points->items[i], collective) || !find_place(points, i, &place))
      continue;
    const double penalty = penalty_of(place.chosen, place.fastest);
    choices.best += place.chosen == place.fastest;
    choices.within_5 += penalty <= 5;
    choices.within_10 += penalty <= 10;
    tutti_xpush(&own, penalty);
    tutti_xpush(&among, penalty_of(place.chosen, place.rival));
    if (place.modelled)
      tutti_xpush(&model, penalty_of(place.modelled, place.fastest));
    if (place.native)
      tutti_xpush(&native, penalty_of(place.native, place.fastest));
  }
  choices.places = own.count;
  choices.native_places = native.count;
  choices.chosen = sum_up(&own);
  choices.among = sum_up(&among);
  choices.native = sum_up(&native);
  choices.model = sum_up(&model);
  if (collective != TUTTI_COLL_COUNT)
    find_single(points, collective, &choices);
  return choices;
}
