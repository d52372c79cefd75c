/* Smooth times, their derivatives and best segment sizes. */
#ifndef TUTTI_TESTS_MODEL_SEGMENTS_H
#define TUTTI_TESTS_MODEL_SEGMENTS_H

#include "unit/algorithms/models/model_fixture.h"

static inline double smooth(const tutti_model *model, const tutti_model_question *question, double m_s)
{
  double seconds = NAN;
  assert_int_equal(tutti_model_smooth_time(model, question, m_s, &seconds, NULL), TUTTI_OK);
  return seconds;
}

/* By differences of fourth and second order; the times are sums of a constant, B m_s and C / m_s. */
static inline double derivative(const tutti_model *model, const tutti_model_question *question, double m_s)
{
  double h = m_s * 1e-3;
  return (8 * (smooth(model, question, m_s + h) - smooth(model, question, m_s - h)) -
          (smooth(model, question, m_s + 2 * h) - smooth(model, question, m_s - 2 * h))) /
         (12 * h);
}

static inline double second_derivative(const tutti_model *model, const tutti_model_question *question, double m_s)
{
  double h = m_s * 1e-2;
  return (smooth(model, question, m_s + h) - 2 * smooth(model, question, m_s) + smooth(model, question, m_s - h)) /
         (h * h);
}

static inline tutti_best_segment best_of(const tutti_model *model, const tutti_model_question *question)
{
  tutti_best_segment best;
  assert_ok(tutti_model_best_segment(model, question, &best, REASON), error);
  return best;
}

static inline double optimum(const tutti_model *model, const char *method, int ranks, uint64_t bytes, int formula)
{
  tutti_model_question question = fixture_question(method, ranks, bytes, formula);
  return best_of(model, &question).optimum;
}

static inline bool near(double a, double b, double tolerance)
{
  return fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

/* Sizes larger and smaller by a factor, from the nearest one on, are slower. */
static inline void check_around(const tutti_model *model, const tutti_model_question *question, double m_s,
                                double nearest)
{
  double least = smooth(model, question, m_s);
  for (double factor = nearest; factor < 300; factor *= 1.3) {
    assert_true(smooth(model, question, m_s * factor) > least);
    assert_true(smooth(model, question, m_s / factor) > least);
  }
}

/* The derivative vanishes, relative to the slope half way down to 0; the second one is positive; neighbors and far
   sizes are slower. */
static inline void check_minimum(const tutti_model *model, const tutti_model_question *question, double m_s)
{
  double slope = fabs(derivative(model, question, m_s / 2));
  if (!(fabs(derivative(model, question, m_s)) < 1e-7 * slope))
    fail_msg("%s, %d ranks: derivative %g at %g, %g before", question->method.algorithm->name, question->ranks,
             derivative(model, question, m_s), m_s, slope);
  assert_true(second_derivative(model, question, m_s) > 0);
  check_around(model, question, m_s, 1.01);
}

/* Algorithms with a best segment size under all models. */
static const char *const with_optimum[] = {"bcast/pipeline",  "bcast/binary",  "bcast/split-binary",
                                           "reduce/pipeline", "reduce/binary", "scan/linear"};
enum { WITH_OPTIMUM = sizeof with_optimum / sizeof *with_optimum };

#endif
