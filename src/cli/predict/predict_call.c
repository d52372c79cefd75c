/* One call: the candidates, their times, and which of them is the best. */
#include <math.h>

#include "cli/predict/predict.h"
#include "decision/maps/map.h"

static void add_method(struct prediction *p, const tutti_method *method)
{
  for (size_t i = 0; i < p->count; i++)
    if (tutti_method_compare(&p->items[i], method) == 0)
      return;
  tutti_xpush(p, *method);
}

/* With the segment size that is best by each predictor. */
static void add_best(const struct predictors *predictors, struct prediction *p, tutti_method method)
{
  double seconds;
  for (int i = 0; i < predictors->count; i++)
    if (tutti_predict_segment(&predictors->items[i], &method, p->ranks, p->bytes, &seconds, NULL) == TUTTI_OK)
      add_method(p, &method);
}

/* A method, with the segment sizes to try if @p segmented. A segment of the whole message or more is none. */
static void add_segmented(const struct predict_options *options, const struct predictors *predictors,
                          struct prediction *p, tutti_method method, bool segmented)
{
  tutti_method_tell(&method, &p->places, p->ranks);
  if (!segmented || !(method.algorithm->parameters & TUTTI_TAKES_SEGMENT)) {
    add_method(p, &method);
    return;
  }
  for (size_t i = 0; i < options->segments.count; i++) {
    method.parameters.segment_bytes = options->segments.items[i];
    if (options->segments.items[i] < p->bytes || options->segments.items[i] == 0)
      add_method(p, &method);
  }
  if (options->segments.best)
    add_best(predictors, p, method);
}

void predict_add_candidates(const struct predict_options *options, const struct predictors *predictors,
                            struct prediction *p)
{
  for (size_t i = 0; i < options->methods.count; i++) {
    const tutti_method *method = &options->methods.items[i];
    add_segmented(options, predictors, p, *method, options->segments.given && method->parameters.segment_bytes == 0);
  }
  for (size_t i = 0; i < tutti_algorithm_count() && options->methods.count == 0; i++)
    if (tutti_algorithm_at(i)->collective == options->collective)
      add_segmented(options, predictors, p, tutti_method_default(tutti_algorithm_at(i)), true);
  tutti_vector_sort(p, tutti_compare_methods);
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

/* Times of all methods; those that are not known are left out. */
static void predict_all(const struct predictors *predictors, struct prediction *p)
{
  size_t known = 0;
  tutti_error reason;
  for (size_t i = 0; i < p->count; i++)
    if (predict_method(predictors, p, &p->items[i], &p->times[known * (size_t)predictors->count], &reason))
      p->items[known++] = p->items[i];
    else if (p->left_out++ == 0)
      p->reason = reason;
  p->count = known;
}

/* The fastest by a predictor, -1 without one; @p rounds_apart: methods whose ranks round apart count, too. */
static int find_best(const struct predictors *predictors, const struct prediction *p, int predictor, bool rounds_apart)
{
  int best = -1;
  for (int m = 0; m < (int)p->count; m++) {
    double time = p->times[m * predictors->count + predictor];
    double least = best < 0 ? NAN : p->times[best * predictors->count + predictor];
    if ((rounds_apart || !tutti_method_rounds_apart(&p->items[m])) && !isnan(time) &&
        (isnan(least) || !time_not_slower(least, time)))
      best = m;
  }
  return best;
}

static void find_all_best(const struct predictors *predictors, bool rounds_apart, struct prediction *p)
{
  p->faster_apart = -1;
  for (int i = 0; i < predictors->count; i++) {
    const int fastest = find_best(predictors, p, i, true);
    p->best[i] = find_best(predictors, p, i, rounds_apart);
    if (p->faster_apart < 0 && fastest != p->best[i] && tutti_method_rounds_apart(&p->items[fastest]))
      p->faster_apart = fastest;
  }
}

bool predict_call(const struct predict_options *options, const struct predictors *predictors, int ranks, uint64_t bytes,
                  struct prediction *p)
{
  *p = (struct prediction){.ranks = ranks, .bytes = bytes, .places = options->places};
  predict_add_candidates(options, predictors, p);
  p->times = tutti_xcalloc(p->count * (size_t)predictors->count + 1, sizeof *p->times);
  p->best = tutti_xcalloc((size_t)predictors->count + 1, sizeof *p->best);
  predict_all(predictors, p);
  find_all_best(predictors, options->selection.rounds_apart, p);
  return p->count > 0;
}

void predict_note_left_out(const struct predict_options *options, size_t left_out, const tutti_error *reason)
{
  if (options->methods.count > 0 && left_out > 0)
    tutti_say(stderr, "tutti: note: %zu time%s left out: %s\n", left_out, tutti_plural(left_out), reason->message);
}

void prediction_free(struct prediction *p)
{
  tutti_vector_free(p);
  free(p->times);
  free(p->best);
}
