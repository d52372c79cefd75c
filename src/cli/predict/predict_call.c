/* The candidates for one call, and their times. */
#include <math.h>
#include <stdlib.h>

#include "cli/predict/predict.h"
#include "decision/maps/map.h"

static tutti_status add(struct prediction *p, const tutti_method *method, tutti_error *error)
{
  for (int i = 0; i < p->count; i++)
    if (tutti_method_compare(&p->methods[i], method) == 0)
      return TUTTI_OK;
  tutti_method *larger = realloc(p->methods, ((size_t)p->count + 1) * sizeof *larger);
  if (!larger)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %d methods", p->count);
  p->methods = larger;
  p->methods[p->count++] = *method;
  return TUTTI_OK;
}

static tutti_status add_best(const struct predictors *predictors, struct prediction *p, tutti_method method,
                             tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  double seconds;
  for (int i = 0; i < predictors->count && status == TUTTI_OK; i++)
    if (tutti_predict_segment(&predictors->items[i], &method, p->ranks, p->bytes, &seconds, NULL) == TUTTI_OK)
      status = add(p, &method, error);
  return status;
}

/* A method with the segment sizes to try. A segment of the whole message or more is none. */
static tutti_status add_segmented(const struct predict_options *options, const struct predictors *predictors,
                                  struct prediction *p, tutti_method method, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  if (!(method.algorithm->parameters & TUTTI_TAKES_SEGMENT))
    return add(p, &method, error);
  for (int i = 0; i < (int)options->segments.count && status == TUTTI_OK; i++) {
    method.parameters.segment_bytes = options->segments.items[i];
    if (options->segments.items[i] < p->bytes || options->segments.items[i] == 0)
      status = add(p, &method, error);
  }
  return status == TUTTI_OK && options->segments.best ? add_best(predictors, p, method, error) : status;
}

static tutti_status add_asked(const struct predict_options *options, const struct predictors *predictors,
                              struct prediction *p, const tutti_method *method, tutti_error *error)
{
  return options->segments.given && method->parameters.segment_bytes == 0
             ? add_segmented(options, predictors, p, *method, error)
             : add(p, method, error);
}

static int compare_methods(const void *left, const void *right)
{
  return tutti_method_compare(left, right);
}

static tutti_status add_candidates(const struct predict_options *options, const struct predictors *predictors,
                                   struct prediction *p, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < (int)options->methods.count && status == TUTTI_OK; i++)
    status = add_asked(options, predictors, p, &options->methods.items[i], error);
  for (size_t i = 0; i < tutti_algorithm_count() && options->methods.count == 0 && status == TUTTI_OK; i++)
    if (tutti_algorithm_at(i)->collective == options->collective)
      status = add_segmented(options, predictors, p, tutti_method_default(tutti_algorithm_at(i)), error);
  if (status == TUTTI_OK)
    qsort(p->methods, (size_t)p->count, sizeof *p->methods, compare_methods);
  return status;
}

/* False if no predictor knows the method; then @p error says why. */
static bool predict_method(const struct predictors *predictors, const struct prediction *p, const tutti_method *method,
                           double *times, tutti_error *error)
{
  bool known = false;
  for (int i = 0; i < predictors->count; i++) {
    times[i] = NAN;
    known |= tutti_predict_time(&predictors->items[i], method, p->ranks, p->bytes, &times[i], error) == TUTTI_OK;
  }
  return known;
}

/* Times of all methods; those that are not known drop out. */
static tutti_status predict_all(const struct predictors *predictors, struct prediction *p, tutti_error *error)
{
  int kept = 0;
  for (int i = 0; i < p->count; i++)
    if (predict_method(predictors, p, &p->methods[i], &p->times[kept * predictors->count], error))
      p->methods[kept++] = p->methods[i];
  p->count = kept;
  return kept > 0 ? TUTTI_OK : TUTTI_ERR_UNSUPPORTED;
}

static void find_best(const struct predictors *predictors, struct prediction *p)
{
  for (int i = 0; i < predictors->count; i++) {
    p->best[i] = -1;
    for (int m = 0; m < p->count; m++) {
      double time = p->times[m * predictors->count + i];
      double least = p->best[i] < 0 ? NAN : p->times[p->best[i] * predictors->count + i];
      if (!isnan(time) && (isnan(least) || !time_not_slower(least, time)))
        p->best[i] = m;
    }
  }
}

tutti_status predict_call(const struct predict_options *options, const struct predictors *predictors, int ranks,
                          uint64_t bytes, struct prediction *p, tutti_error *error)
{
  *p = (struct prediction){.ranks = ranks, .bytes = bytes};
  tutti_status status = add_candidates(options, predictors, p, error);
  if (status != TUTTI_OK)
    return status;
  p->times = malloc((size_t)p->count * (size_t)predictors->count * sizeof *p->times);
  p->best = malloc((size_t)predictors->count * sizeof *p->best);
  if (!p->times || !p->best)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the times of %d methods", p->count);
  status = predict_all(predictors, p, error);
  if (status == TUTTI_OK)
    find_best(predictors, p);
  return status;
}

void prediction_free(struct prediction *p)
{
  free(p->methods);
  free(p->times);
  free(p->best);
}
