/* Models with round parameters, and questions to them. The times are counted in seconds as large as bytes, so that
   expected values are sums of whole numbers. */
#ifndef TUTTI_TESTS_MODEL_FIXTURE_H
#define TUTTI_TESTS_MODEL_FIXTURE_H

#include "tutti/model.h"
#include "unit/test.h"

enum { HOCKNEY = TUTTI_MODEL_HOCKNEY, LOGGP = TUTTI_MODEL_LOGGP, PLOGP = TUTTI_MODEL_PLOGP };
enum { CORRECTED = TUTTI_FORMULA_CORRECTED, PRINTED = TUTTI_FORMULA_PRINTED };

/* For properties that hold for all numbers of ranks. */
static const int few_ranks[] = {1, 2, 3, 4, 5, 8, 13, 16, 31, 64, 100};
enum { RANKS = sizeof few_ranks / sizeof *few_ranks };

/* g(m) = 20 + 3 m, o_s(m) = 4 + m, o_r(m) = 6 + m */
static const tutti_plogp_point fixture_points[] = {{0, 20, 4, 6}, {1000, 3020, 1004, 1006}};

/* alpha = 100, beta = 2; L = 50, o = 7, g = 9, G = 3; PLogP with L = 50; gamma = 5, delta = 1 */
static inline tutti_model fixture_model(int kind)
{
  tutti_model model = {.kind = (tutti_model_kind)kind, .gamma = 5, .delta = 1};
  if (kind == HOCKNEY)
    model.network.hockney = (tutti_hockney){.alpha = 100, .beta = 2};
  else if (kind == LOGGP)
    model.network.loggp = (tutti_loggp){.L = 50, .o = 7, .g = 9, .G = 3};
  else
    model.network.plogp = (tutti_plogp){.L = 50, .points = fixture_points, .count = 2};
  return model;
}

static inline tutti_model_question fixture_question(const char *method, int ranks, uint64_t bytes, int formula)
{
  tutti_model_question question = {.ranks = ranks, .bytes = bytes, .formula = (tutti_formula)formula};
  assert_ok(tutti_method_parse(method, &question.method, REASON), error);
  return question;
}

static inline double fixture_ask(const tutti_model *model, const tutti_model_question *question)
{
  double seconds = NAN;
  assert_ok(tutti_model_time(model, question, &seconds, REASON), error);
  return seconds;
}

static inline double fixture_time(const tutti_model *model, const char *method, int ranks, uint64_t bytes, int formula)
{
  tutti_model_question question = fixture_question(method, ranks, bytes, formula);
  return fixture_ask(model, &question);
}

static inline bool fixture_same(double a, double b)
{
  return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

/* A value computed by hand. */
struct by_hand {
  const char *method;
  int kind, formula, ranks;
  uint64_t bytes;
  double seconds;
};

static inline void fixture_check(const struct by_hand *values, size_t count)
{
  for (const struct by_hand *v = values; v < values + count; v++) {
    tutti_model model = fixture_model(v->kind);
    double seconds = fixture_time(&model, v->method, v->ranks, v->bytes, v->formula);
    if (!fixture_same(seconds, v->seconds))
      fail_msg("%s %s, %s, %d ranks, %d bytes: %.17g, by hand %.17g", tutti_model_kind_name(model.kind), v->method,
               v->formula == PRINTED ? "printed" : "corrected", v->ranks, (int)v->bytes, seconds, v->seconds);
  }
}

#define CHECK_BY_HAND(values) fixture_check(values, sizeof(values) / sizeof *(values))

#endif
