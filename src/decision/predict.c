#include "tutti/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/models/terms.h"
#include "base/memory.h"
#include "decision/maps/map.h"

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

/* Blocks of the same size one after the other, for collectives that take a layout. */
static uint64_t *lay_out(tutti_call *call)
{
  size_t ranks = (size_t)call->size;
  uint64_t *offsets = tutti_xcalloc(ranks + 1, sizeof *offsets);
  for (size_t r = 0; r <= ranks; r++)
    offsets[r] = r * call->count;
  call->input = call->output = (tutti_layout){offsets};
  return offsets;
}

/* The price, whose path is to be freed if it is asked for. */
static tutti_status price_call(const tutti_predictor *predictor, const tutti_method *method, int ranks, uint64_t bytes,
                               bool path, tutti_price *price, tutti_error *error)
{
  tutti_collective collective = method->algorithm->collective;
  uint64_t element = predictor->element ? predictor->element : 1, *layout = NULL;
  tutti_call call = {.size = ranks,
                     .count = collective == TUTTI_COLL_BARRIER ? 0 : bytes / element,
                     .type_size = element,
                     .commutative = true};
  tutti_costs costs = tutti_model_costs(&predictor->model);
  tutti_price_options options = {.threads = predictor->threads, .path = path};
  if (bytes % element != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%llu bytes are not a multiple of the element, %llu bytes",
                      (unsigned long long)bytes, (unsigned long long)element);
  if (ranks >= 1 && tutti_collective_traits(collective) & TUTTI_IS_IRREGULAR)
    layout = lay_out(&call);
  tutti_status status = tutti_price_method(method, &call, &costs, &options, price, error);
  free(layout);
  return status;
}

static tutti_status time_by_schedule(const tutti_predictor *predictor, const tutti_method *method, int ranks,
                                     uint64_t bytes, double *seconds, tutti_error *error)
{
  tutti_price price;
  tutti_status status = price_call(predictor, method, ranks, bytes, false, &price, error);
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

tutti_status tutti_predict_slopes(const tutti_predictor *predictor, const tutti_method *method, int ranks,
                                  uint64_t bytes, double *seconds, tutti_slope slopes[TUTTI_MAX_SLOPES], int *count,
                                  tutti_error *error)
{
  tutti_price price = {0};
  tutti_status status = check_size(method, ranks, bytes, error);
  if (status == TUTTI_OK && (bytes > 0 || method->algorithm->collective == TUTTI_COLL_BARRIER))
    status = price_call(predictor, method, ranks, bytes, true, &price, error);
  if (status != TUTTI_OK)
    return status;
  *seconds = price.seconds;
  *count = tutti_model_slopes(&predictor->model, &price, slopes);
  tutti_price_free(&price);
  return TUTTI_OK;
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

/* Take the segment size if it is better, beyond a tie, than the best so far. */
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
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "%s/%s takes no segments, so none is best",
                      tutti_collective_name(method->algorithm->collective), method->algorithm->name);
  return predictor->by == TUTTI_BY_FORMULA ? segment_by_formula(predictor, method, ranks, bytes, seconds, error)
                                           : segment_by_schedule(predictor, method, ranks, bytes, seconds, error);
}

/* ---- decision functions made of models (Pjesivac-Grbovic 2007, section 5.2.3) ---- */

struct voters {
  tutti_method *methods;   /* in the order of tutti_method_compare() */
  const struct row **rows; /* [method_count] their formulas; NULL: none */
  int method_count;
  tutti_predictor *predictors;
  int predictor_count;
};

static void free_voters(void *data)
{
  struct voters *e = data;
  free(e->methods);
  free(e->rows);
  free(e->predictors);
  free(e);
}

/* The fastest candidate so far. */
struct best {
  int method; /* -1: none */
  double least;
};

static void consider(struct best *best, int method, double seconds)
{
  if (best->method < 0 || !time_not_slower(best->least, seconds))
    *best = (struct best){method, seconds};
}

static int vote_by_schedule(const struct voters *e, const tutti_predictor *predictor, const tutti_question *question)
{
  struct best best = {.method = -1};
  double seconds;
  for (int i = 0; i < e->method_count; i++)
    if (tutti_predict_time(predictor, &e->methods[i], question->ranks, question->rank_bytes, &seconds, NULL) ==
        TUTTI_OK)
      consider(&best, i, seconds);
  return best.method;
}

/* Values that do not depend on the method are computed once. */
static int vote_by_formula(const struct voters *e, const tutti_predictor *predictor, const tutti_question *question)
{
  tutti_model_question asked = {.ranks = question->ranks,
                                .bytes = question->rank_bytes,
                                .element = predictor->element,
                                .formula = predictor->formula};
  struct best best = {.method = -1};
  if (question->ranks < 1 || (asked.element > 1 && asked.bytes % asked.element != 0))
    return -1;
  if (asked.bytes == 0 && question->collective != TUTTI_COLL_BARRIER)
    return 0; /* nothing is sent: all tie */
  struct terms terms = tutti_terms(&predictor->model, &asked);
  for (int i = 0; i < e->method_count; i++) {
    if (!tutti_row_serves(e->rows[i], &e->methods[i], question->ranks))
      continue;
    tutti_terms_cut(&terms, e->methods[i].parameters.segment_bytes);
    consider(&best, i, tutti_row_time(e->rows[i], &terms));
  }
  return best.method;
}

/* The predictors are few, so each counts the votes of all for its own choice. */
int tutti_votes_count(const int *choices, const tutti_predictor *predictors, int count, double *most)
{
  int picked = -1;
  *most = 0;
  for (int i = 0; i < count; i++) {
    double weight = 0;
    for (int j = 0; j < count; j++)
      weight += choices[j] == choices[i] ? predictors[j].weight : 0;
    if (choices[i] >= 0 && weight > *most) {
      *most = weight;
      picked = choices[i];
    }
  }
  return picked;
}

static bool decide_by_votes(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  const struct voters *e = decision->data;
  int votes[TUTTI_MAX_VOTERS];
  double weight;
  if (question->collective != decision->collective)
    return false;
  for (int i = 0; i < e->predictor_count; i++) {
    const tutti_predictor *p = &e->predictors[i];
    votes[i] = (p->by == TUTTI_BY_FORMULA ? vote_by_formula : vote_by_schedule)(e, p, question);
  }
  int picked = tutti_votes_count(votes, e->predictors, e->predictor_count, &weight);
  if (picked >= 0)
    *method = e->methods[picked];
  return picked >= 0;
}

static tutti_status check_voters(const char *name, tutti_collective collective, const tutti_method *methods,
                                 int method_count, const tutti_predictor *predictors, int predictor_count,
                                 tutti_error *error)
{
  char text[TUTTI_METHOD_LENGTH];
  if (method_count < 1 || predictor_count < 1 || predictor_count > TUTTI_MAX_VOTERS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %d models vote on %d methods: 1 to 16 can, on at least one", name,
                      predictor_count, method_count);
  for (int i = 0; i < method_count; i++)
    if (methods[i].algorithm->collective != collective)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %s is no method of %s", name,
                        tutti_method_format(&methods[i], text), tutti_collective_name(collective));
  for (int i = 0; i < predictor_count; i++)
    if (!(predictors[i].weight > 0) || !isfinite(predictors[i].weight))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: the weight of %s is %g: it is to be positive", name,
                        tutti_model_kind_name(predictors[i].model.kind), predictors[i].weight);
  return TUTTI_OK;
}

static struct voters *copy_voters(const tutti_method *methods, int method_count, const tutti_predictor *predictors,
                                  int predictor_count)
{
  struct voters *e = tutti_xcalloc(1, sizeof *e);
  *e = (struct voters){.methods = tutti_xmemdup(methods, (size_t)method_count * sizeof *methods),
                       .rows = tutti_xcalloc((size_t)method_count, sizeof *e->rows),
                       .method_count = method_count,
                       .predictors = tutti_xmemdup(predictors, (size_t)predictor_count * sizeof *predictors),
                       .predictor_count = predictor_count};
  qsort(e->methods, (size_t)method_count, sizeof *e->methods, tutti_compare_methods);
  for (int i = 0; i < method_count; i++)
    e->rows[i] = tutti_row_find(&e->methods[i]);
  return e;
}

tutti_status tutti_decision_models(const char *name, tutti_collective collective, const tutti_method *methods,
                                   int method_count, const tutti_predictor *predictors, int predictor_count,
                                   tutti_decision *decision, tutti_error *error)
{
  *decision = (tutti_decision){.collective = collective, .decide = decide_by_votes, .free_data = free_voters};
  tutti_status status = check_voters(name, collective, methods, method_count, predictors, predictor_count, error);
  if (status != TUTTI_OK)
    return status;
  decision->name = tutti_xstrdup(name);
  decision->data = copy_voters(methods, method_count, predictors, predictor_count);
  return TUTTI_OK;
}
