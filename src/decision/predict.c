#include "tutti/predict.h"

#include <math.h>
#include <stdlib.h>

#include "decision/time_compare.h"

const char *tutti_predict_by_name(tutti_predict_by by)
{
  return by == TUTTI_BY_FORMULA ? "formula" : by == TUTTI_BY_SCHEDULE ? "schedule" : NULL;
}

/* ---- by formula ---- */

static tutti_model_question question_of(const tutti_predictor *predictor, const tutti_method *method, int ranks,
                                        uint64_t bytes)
{
  return (tutti_model_question){
      .method = *method, .ranks = ranks, .bytes = bytes, .element = predictor->element, .formula = predictor->formula};
}

static tutti_status time_by_formula(const tutti_predictor *predictor, const tutti_method *method, int ranks,
                                    uint64_t bytes, double *seconds, tutti_error *error)
{
  tutti_model_question question = question_of(predictor, method, ranks, bytes);
  return tutti_model_time(&predictor->model, &question, seconds, error);
}

/* ---- by schedule ---- */

/* Blocks of the same size one after the other, for the collectives that want to be told. */
static tutti_status lay_out(tutti_call *call, uint64_t **layout, tutti_error *error)
{
  size_t ranks = (size_t)call->size;
  uint64_t *counts = malloc(2 * ranks * sizeof *counts);
  if (!counts)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the counts of %d ranks", call->size);
  for (size_t r = 0; r < ranks; r++) {
    counts[r] = call->count;
    counts[ranks + r] = r * call->count;
  }
  call->input = call->output = (tutti_layout){counts, counts + ranks};
  *layout = counts;
  return TUTTI_OK;
}

static tutti_status time_by_schedule(const tutti_predictor *predictor, const tutti_method *method, int ranks,
                                     uint64_t bytes, double *seconds, tutti_error *error)
{
  tutti_collective collective = method->algorithm->collective;
  uint64_t element = predictor->element ? predictor->element : 1, *layout = NULL;
  tutti_call call = {.size = ranks,
                     .count = collective == TUTTI_COLL_BARRIER ? 0 : bytes / element,
                     .type_size = element,
                     .commutative = true};
  tutti_costs costs = tutti_model_costs(&predictor->model);
  tutti_price_options options = {.threads = predictor->threads};
  tutti_price price;
  tutti_status status = TUTTI_OK;
  if (bytes % element != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%llu bytes are not a multiple of the element, %llu bytes",
                      (unsigned long long)bytes, (unsigned long long)element);
  if (ranks >= 1 && tutti_collective_traits(collective) & TUTTI_IS_IRREGULAR)
    status = lay_out(&call, &layout, error);
  if (status == TUTTI_OK)
    status = tutti_price_method(method, &call, &costs, &options, &price, error);
  free(layout);
  *seconds = status == TUTTI_OK ? price.seconds : NAN;
  return status;
}

/* Sizes are exact in a double, and so is what all ranks have together. */
static tutti_status check_size(const tutti_method *method, int ranks, uint64_t bytes, tutti_error *error)
{
  bool blocks = tutti_collective_traits(method->algorithm->collective) & TUTTI_HAS_BLOCKS;
  uint64_t most = UINT64_C(1) << 52;
  if (blocks && ranks > 0)
    most = most / (uint64_t)ranks;
  return bytes <= most ? TUTTI_OK
                       : tutti_fail(error, TUTTI_ERR_ARGUMENT, "%llu bytes on %d ranks are more than can be predicted",
                                    (unsigned long long)bytes, ranks);
}

tutti_status tutti_predict_time(const tutti_predictor *predictor, const tutti_method *method, int ranks, uint64_t bytes,
                                double *seconds, tutti_error *error)
{
  tutti_status status = check_size(method, ranks, bytes, error);
  if (status != TUTTI_OK)
    return status;
  if (bytes == 0 && method->algorithm->collective != TUTTI_COLL_BARRIER && ranks >= 1) {
    *seconds = 0;
    return TUTTI_OK;
  }
  return predictor->by == TUTTI_BY_FORMULA ? time_by_formula(predictor, method, ranks, bytes, seconds, error)
                                           : time_by_schedule(predictor, method, ranks, bytes, seconds, error);
}

/* ---- the best segment size ---- */

static tutti_status segment_by_formula(const tutti_predictor *predictor, tutti_method *method, int ranks,
                                       uint64_t bytes, double *seconds, tutti_error *error)
{
  tutti_model_question question = question_of(predictor, method, ranks, bytes);
  tutti_best_segment best;
  tutti_status status = tutti_model_best_segment(&predictor->model, &question, &best, error);
  if (status != TUTTI_OK)
    return status;
  method->parameters.segment_bytes = best.segment_bytes;
  *seconds = best.seconds;
  return TUTTI_OK;
}

/* Take the segment size if it is better, beyond a tie, than what is best so far. */
static tutti_status try_segment(const tutti_predictor *predictor, tutti_method *best, uint64_t segment, int ranks,
                                uint64_t bytes, double *least, tutti_error *error)
{
  tutti_method method = *best;
  double seconds;
  method.parameters.segment_bytes = segment;
  tutti_status status = tutti_predict_time(predictor, &method, ranks, bytes, &seconds, error);
  if (status == TUTTI_OK && (isnan(*least) || !time_not_slower(*least, seconds))) {
    *least = seconds;
    *best = method;
  }
  return status;
}

enum { MAX_SEGMENTS = 4096 }; /* to try: each is a vertex of each rank */

static tutti_status segment_by_schedule(const tutti_predictor *predictor, tutti_method *method, int ranks,
                                        uint64_t bytes, double *seconds, tutti_error *error)
{
  tutti_predictor formula = *predictor;
  tutti_method closed = *method;
  double ignored;
  *seconds = NAN;
  formula.by = TUTTI_BY_FORMULA;
  tutti_status status = try_segment(predictor, method, 0, ranks, bytes, seconds, error);
  uint64_t least_size = 256;
  while (least_size < bytes / MAX_SEGMENTS)
    least_size *= 2;
  for (uint64_t size = least_size; size <= bytes / 2 && status == TUTTI_OK; size *= 2)
    status = try_segment(predictor, method, size, ranks, bytes, seconds, error);
  if (status == TUTTI_OK && segment_by_formula(&formula, &closed, ranks, bytes, &ignored, NULL) == TUTTI_OK)
    status = try_segment(predictor, method, closed.parameters.segment_bytes, ranks, bytes, seconds, error);
  return status;
}

tutti_status tutti_predict_segment(const tutti_predictor *predictor, tutti_method *method, int ranks, uint64_t bytes,
                                   double *seconds, tutti_error *error)
{
  if (!(method->algorithm->parameters & TUTTI_TAKES_SEGMENT))
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "%s/%s takes no segments",
                      tutti_collective_name(method->algorithm->collective), method->algorithm->name);
  return predictor->by == TUTTI_BY_FORMULA ? segment_by_formula(predictor, method, ranks, bytes, seconds, error)
                                           : segment_by_schedule(predictor, method, ranks, bytes, seconds, error);
}
