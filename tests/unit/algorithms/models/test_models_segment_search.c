/* Best segment sizes: whole ones, and the search under PLogP (theorem 5.3 and corollary 5.4). */
#include "unit/algorithms/models/model_segments.h"

/* No size is faster than the chosen one, except for half a percent where the rest of the last segment favors one
   farther away. */
static void check_against_all(const tutti_model *model, const tutti_model_question *question)
{
  tutti_best_segment best = best_of(model, question);
  tutti_model_question other = *question;
  uint64_t element = question->element;
  assert_true(best.segment_bytes % element == 0 && best.segment_bytes <= question->bytes);
  other.method.parameters.segment_bytes = best.segment_bytes;
  assert_true(best.seconds == fixture_ask(model, &other));
  for (uint64_t bytes = 0; bytes <= question->bytes; bytes += element) {
    other.method.parameters.segment_bytes = bytes;
    if (fixture_ask(model, &other) < best.seconds * (1 - 5e-3))
      fail_msg("%s %s, %d ranks, %d bytes of %d: %d takes %g, %d %g", tutti_model_kind_name(model->kind),
               question->method.algorithm->name, question->ranks, (int)question->bytes, (int)element,
               (int)best.segment_bytes, best.seconds, (int)bytes, fixture_ask(model, &other));
  }
}

TEST(test_whole_sizes)
{
  static const int ranks[] = {1, 2, 3, 4, 7, 16, 100};
  static const uint64_t bytes[] = {0, 8, 16, 24, 200, 1400};
  for (int kind = 0; kind < TUTTI_MODEL_KINDS; kind++)
    for (int i = 0; i < WITH_OPTIMUM; i++)
      for (size_t r = 0; r < sizeof ranks / sizeof *ranks; r++)
        for (size_t b = 0; b < sizeof bytes / sizeof *bytes; b++)
          for (uint64_t element = 1; element <= 8; element *= 8) {
            tutti_model model = fixture_model(kind);
            tutti_model_question question = fixture_question(with_optimum[i], ranks[r], bytes[b], CORRECTED);
            question.element = element;
            check_against_all(&model, &question);
          }
}

/* The printed size, clipped to one element and to the message. */
TEST(test_clipping)
{
  tutti_model model = fixture_model(HOCKNEY);
  tutti_model_question question = fixture_question("bcast/pipeline", 64, 16, PRINTED);
  tutti_best_segment best = best_of(&model, &question); /* sqrt(16 100 / (62 2)) = 3.59 */
  assert_true(best.segment_bytes == 3 && near(best.optimum, 3.592106, 1e-6));
  question.element = 8;
  assert_int_equal(best_of(&model, &question).segment_bytes, 8);
  question = fixture_question("bcast/pipeline", 4, 16, PRINTED); /* 20: the whole message */
  best = best_of(&model, &question);
  assert_true(best.segment_bytes == 0 && fixture_same(best.optimum, 20));
}

TEST(test_unsupported)
{
  tutti_model model = fixture_model(HOCKNEY);
  tutti_best_segment best;
  tutti_model_question question = fixture_question("gather/linear-sync", 8, 100, CORRECTED);
  assert_int_equal(tutti_model_best_segment(&model, &question, &best, REASON), TUTTI_ERR_UNSUPPORTED);
  assert_non_null(error.message);
  question = fixture_question("bcast/chain", 8, 100, CORRECTED);
  assert_int_equal(tutti_model_best_segment(&model, &question, &best, REASON), TUTTI_ERR_UNSUPPORTED);
}

static double f(const tutti_plogp *plogp, double m_s)
{
  return fmax(tutti_plogp_g(plogp, m_s), tutti_plogp_o_r(plogp, m_s) + tutti_plogp_o_s(plogp, m_s));
}

/* Theorem 5.3, P = 64, m = 4096: 2 6 g' - m / (2 m_s^2) (g + f) + (m / (2 m_s) - 1) (g' + f'). */
TEST(test_derivative_of_split_binary)
{
  tutti_model model = fixture_model(PLOGP);
  const tutti_plogp *p = &model.network.plogp;
  tutti_model_question question = fixture_question("bcast/split-binary", 64, 4096, CORRECTED);
  for (double s = 10; s < 900; s *= 1.7) {
    double h = 1e-3, slope_g = (tutti_plogp_g(p, s + h) - tutti_plogp_g(p, s - h)) / (2 * h);
    double slope_f = (f(p, s + h) - f(p, s - h)) / (2 * h);
    double expected = 12 * slope_g - 4096 / (2 * s * s) * (tutti_plogp_g(p, s) + f(p, s)) +
                      (4096 / (2 * s) - 1) * (slope_g + slope_f);
    assert_true(near(derivative(&model, &question, s), expected, 1e-5));
  }
}

/* Corollary 5.4 leaves out the constants of the linear pieces and so finds no minimum within them. With g(m) = 20 + 3 m
   the time is (ceil(log2(P + 1)) - 1) (L + 2 g) + (m / (2 m_s) - 1) 2 g + ..., which has one where
   m_s^2 = 20 m / (2 3 (ceil(log2(P + 1)) - 2)). */
TEST(test_minimum_between_points)
{
  tutti_model model = fixture_model(PLOGP);
  double expected = sqrt(20.0 * 4096 / (2 * 3 * 5));
  assert_true(near(optimum(&model, "bcast/split-binary", 64, 4096, CORRECTED), expected, 1e-9));
  tutti_model_question question = fixture_question("bcast/split-binary", 64, 4096, CORRECTED);
  check_minimum(&model, &question, expected);
  question.formula = TUTTI_FORMULA_PRINTED;
  tutti_best_segment printed = best_of(&model, &question);
  assert_true(printed.optimum == 1 || printed.optimum == 0 || printed.optimum == 1000);
  question.formula = TUTTI_FORMULA_CORRECTED;
  assert_true(best_of(&model, &question).seconds < printed.seconds);
}

/* A model measured at many sizes, with a step of the gap at 1 KB and overheads that overtake it: every size is tried.
 */
TEST(test_search)
{
  static const tutti_plogp_point points[] = {{0, 20, 8, 8},         {64, 60, 20, 25},      {256, 110, 70, 75},
                                             {1024, 400, 150, 160}, {1100, 900, 160, 170}, {4096, 2400, 1300, 1500}};
  static const char *const methods[] = {"bcast/pipeline", "bcast/binary",  "bcast/split-binary", "bcast/linear",
                                        "bcast/binomial", "reduce/linear", "reduce/pipeline",    "reduce/binomial",
                                        "reduce/binary",  "scan/linear"};
  static const int ranks[] = {2, 3, 8, 64};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    for (size_t r = 0; r < sizeof ranks / sizeof *ranks; r++) {
      tutti_model model = {
          .kind = TUTTI_MODEL_PLOGP, .network.plogp = {.L = 50, .points = points, .count = 6}, .gamma = 0.1};
      tutti_model_question question = fixture_question(methods[i], ranks[r], 6000, CORRECTED);
      tutti_best_segment best = best_of(&model, &question);
      double smallest = best.optimum > 0 ? smooth(&model, &question, best.optimum) : INFINITY;
      double limit = i == 2 ? 3000 : 6000;
      for (double m_s = 1; m_s <= limit; m_s += 0.25)
        if (smooth(&model, &question, m_s) < smallest * (1 - 1e-12) && best.optimum > 0)
          fail_msg("%s, %d ranks: %g at %g, %g at %g", methods[i], ranks[r], smooth(&model, &question, m_s), m_s,
                   smallest, best.optimum);
      question.element = 8;
      question.bytes = 4000;
      tutti_best_segment whole = best_of(&model, &question);
      assert_true(whole.seconds <= fixture_ask(&model, &question));
    }
}

/* Printed: what corollary 5.4 tries, points of the model and where o_s + o_r crosses the gap, here at 500. */
TEST(test_printed_search)
{
  static const tutti_plogp_point points[] = {{0, 100, 10, 10}, {1000, 200, 140, 140}};
  tutti_model model = {.kind = TUTTI_MODEL_PLOGP, .network.plogp = {.L = 50, .points = points, .count = 2}};
  double crossing = 80 / (260.0 / 1000 - 100.0 / 1000); /* 100 + 0.1 m = 20 + 0.26 m */
  tutti_model_question question = fixture_question("bcast/pipeline", 8, 4000, PRINTED);
  question.method = fixture_question("bcast/binary", 8, 4000, PRINTED).method;
  double optimum = best_of(&model, &question).optimum;
  assert_true(near(optimum, crossing, 1e-9) || optimum == 1000 || optimum == 0);
  double least = smooth(&model, &question, optimum > 0 ? optimum : 4000);
  const double others[] = {1, crossing, 1000, 4000};
  for (int i = 0; i < 4; i++)
    assert_true(smooth(&model, &question, others[i]) >= least * (1 - 1e-12));
}
