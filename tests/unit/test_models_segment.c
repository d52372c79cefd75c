/* Best segment sizes: theorems 5.1 to 5.6, tables 5.1 to 5.4 and 6.1 (Pjesivac-Grbovic 2007). */
#include "model_fixture.h"

#include <stdlib.h>

/* ---- derivatives ---- */

static double smooth(const tutti_model *model, const tutti_model_question *question, double m_s)
{
  double seconds = NAN;
  assert_int_equal(tutti_model_smooth_time(model, question, m_s, &seconds, NULL), TUTTI_OK);
  return seconds;
}

/* By differences of fourth and second order; the times are sums of a constant, B m_s and C / m_s. */
static double derivative(const tutti_model *model, const tutti_model_question *question, double m_s)
{
  double h = m_s * 1e-3;
  return (8 * (smooth(model, question, m_s + h) - smooth(model, question, m_s - h)) -
          (smooth(model, question, m_s + 2 * h) - smooth(model, question, m_s - 2 * h))) /
         (12 * h);
}

static double second_derivative(const tutti_model *model, const tutti_model_question *question, double m_s)
{
  double h = m_s * 1e-2;
  return (smooth(model, question, m_s + h) - 2 * smooth(model, question, m_s) + smooth(model, question, m_s - h)) /
         (h * h);
}

static tutti_best_segment best_of(const tutti_model *model, const tutti_model_question *question)
{
  tutti_best_segment best;
  tutti_error error = {0};
  if (tutti_model_best_segment(model, question, &best, &error) != TUTTI_OK)
    fail_msg("%s", error.message);
  return best;
}

static double optimum(const tutti_model *model, const char *method, int ranks, uint64_t bytes, int formula)
{
  tutti_model_question question = fixture_question(method, ranks, bytes, formula);
  return best_of(model, &question).optimum;
}

static bool near(double a, double b, double tolerance)
{
  return fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

/* The derivative vanishes, relative to the slope half way down to 0; the second one is positive; neighbours and far
   sizes are slower. */
static void check_minimum(const tutti_model *model, const tutti_model_question *question, double m_s)
{
  double slope = fabs(derivative(model, question, m_s / 2)), least = smooth(model, question, m_s);
  if (!(fabs(derivative(model, question, m_s)) < 1e-7 * slope))
    fail_msg("%s, %d ranks: derivative %g at %g, %g before", question->method.algorithm->name, question->ranks,
             derivative(model, question, m_s), m_s, slope);
  assert_true(second_derivative(model, question, m_s) > 0);
  for (double factor = 1.01; factor < 300; factor *= 1.3) {
    assert_true(smooth(model, question, m_s * factor) > least);
    assert_true(smooth(model, question, m_s / factor) > least);
  }
}

/* Grig (mx) and Grig (tcp), tables 4.12 and 4.13, in seconds; g as corrected. */
static tutti_model grig(int kind, bool tcp)
{
  tutti_model model = {.kind = (tutti_model_kind)kind, .gamma = 5e-10};
  if (kind == HOCKNEY)
    model.network.hockney = tcp ? (tutti_hockney){110.65e-6, 1e-6 / 12.33} : (tutti_hockney){5.64e-6, 1e-6 / 239.58};
  else
    model.network.loggp =
        tcp ? (tutti_loggp){106.6e-6, 19.5e-6, 1e-6, 0.0859e-6} : (tutti_loggp){2.1e-6, 1.6e-6, 2.3e-6, 0.0044e-6};
  return model;
}

static const char *const with_optimum[] = {"bcast/pipeline",  "bcast/binary",  "bcast/split-binary",
                                           "reduce/pipeline", "reduce/binary", "scan/linear"};

/* Theorems 5.1 and 5.2, and the same for the rows of tables 5.1, 5.2 and 5.4. */
static void test_minimum(void **state)
{
  (void)state;
  static const int ranks[] = {4, 5, 8, 31, 64, 1000};
  for (int kind = HOCKNEY; kind <= LOGGP; kind++)
    for (int tcp = 0; tcp < 2; tcp++)
      for (size_t i = 0; i < sizeof with_optimum / sizeof *with_optimum; i++)
        for (size_t r = 0; r < sizeof ranks / sizeof *ranks; r++) {
          tutti_model model = grig(kind, tcp);
          tutti_model_question question = fixture_question(with_optimum[i], ranks[r], 4 << 20, CORRECTED);
          tutti_best_segment best = best_of(&model, &question);
          assert_true(best.optimum > 0);
          check_minimum(&model, &question, best.optimum);
        }
}

/* Closed forms where P = 64: ceil(log2(65)) = 7, P - 2 = 62. */
static void test_closed_forms(void **state)
{
  (void)state;
  tutti_model h = fixture_model(HOCKNEY), l = fixture_model(LOGGP);
  const double m = 1e6;
  const struct {
    const char *method;
    int formula;
    double hockney, loggp; /* squares */
  } sizes[] = {
      {"bcast/pipeline", PRINTED, m * 100 / (62 * 2), m * (7 + 9 - 3) / (62 * 3)},
      {"bcast/pipeline", CORRECTED, m * 100 / (62 * 2), m * (7 + 9 - 3) / (62 * 3)},
      {"bcast/binary", PRINTED, 2 * m * 100 / (5 * 2), m * (7 + 2 * (9 - 3)) / (2 * 5 * 3)},
      {"bcast/binary", CORRECTED, m * 100 / (5 * 2), m * (7 + 2 * (9 - 3)) / (2 * 5 * 3)},
      {"bcast/split-binary", PRINTED, m * 100 / (2 * 5 * 2), m * (7 + 2 * (9 - 3)) / (4 * 5 * 3)},
      {"bcast/split-binary", CORRECTED, m * 100 / (2 * 5 * 2), m * (7 + 2 * (9 - 3)) / (4 * 5 * 3)},
      {"bcast/linear", PRINTED, 0, 0},
      {"bcast/binomial", CORRECTED, 0, 0},
      {"reduce/linear", PRINTED, 0, m * 63 * (7 - 3) / 3},
      {"reduce/linear", CORRECTED, 0, 0},
      {"reduce/pipeline", PRINTED, m * 100 / (62 * 7), m * (14 - 3) / (62 * 8)},
      {"reduce/pipeline", CORRECTED, m * 100 / (62 * 7), m * (14 - 3) / (62 * 8)},
      {"reduce/binomial", PRINTED, 0, 0},
      {"reduce/binomial", CORRECTED, 0, 0},
      {"reduce/binary", PRINTED, m * 100 / (5 * 7), m * (7 - 3) / (2 * 5)},
      {"reduce/binary", CORRECTED, m * 100 / (5 * 7), m * (21 - 6) / (2 * 5 * 8)},
      {"allreduce/ring-segmented", PRINTED, m * 100 / (62 * 7), m * (7 - 3) / (62 * 3 - 5)},
      {"allreduce/ring-segmented", CORRECTED, 0, 0},
      {"scan/linear", PRINTED, m * 100 / (62 * 7), m * (14 - 3) / (62 * 8)},
      {"scan/linear", CORRECTED, m * 100 / (62 * 7), m * (14 - 3) / (62 * 8)},
  };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    double hockney = optimum(&h, sizes[i].method, 64, (uint64_t)m, sizes[i].formula);
    double loggp = optimum(&l, sizes[i].method, 64, (uint64_t)m, sizes[i].formula);
    if (!fixture_same(hockney, sqrt(sizes[i].hockney)) || !fixture_same(loggp, sqrt(sizes[i].loggp)))
      fail_msg("%s %d: %g, %g", sizes[i].method, sizes[i].formula, hockney, loggp);
  }
}

/* Where the gap, not the computation, holds up the segments, and where the two meet. */
static void test_closed_forms_by_the_gap(void **state)
{
  (void)state;
  static const char *const methods[] = {"reduce/pipeline", "reduce/binary", "scan/linear"};
  static const double gammas[] = {0, 0.001, 0.01, 0.05, 0.3};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    for (size_t j = 0; j < sizeof gammas / sizeof *gammas; j++) {
      tutti_model model = fixture_model(LOGGP);
      model.network.loggp.g = 40;
      model.gamma = gammas[j];
      tutti_model_question question = fixture_question(methods[i], 16, 100000, CORRECTED);
      double m_s = best_of(&model, &question).optimum, least = smooth(&model, &question, m_s);
      assert_true(m_s > 0);
      for (double factor = 1.001; factor < 300; factor *= 1.3) {
        assert_true(smooth(&model, &question, m_s * factor) > least);
        assert_true(smooth(&model, &question, m_s / factor) > least);
      }
    }
}

/* The printed sizes that are not where the time printed, or corrected, is least: twice the square (5.1), and the binary
   reduce under LogGP (5.2), whose optimum is that of a time with the rate of the pipeline paid once a level. */
static void test_printed_sizes_that_are_no_minimum(void **state)
{
  (void)state;
  tutti_model model = fixture_model(HOCKNEY);
  tutti_model_question question = fixture_question("bcast/binary", 64, 1000000, PRINTED);
  double printed = best_of(&model, &question).optimum, least = printed / sqrt(2);
  assert_true(smooth(&model, &question, least) < smooth(&model, &question, printed));
  check_minimum(&model, &question, least);
}

/* Theorem 5.6: the linear broadcast is the faster the larger its segments; so are binomial broadcast and, corrected,
   the segmented ring, and linear and binomial reduce, but for PLogP, where all segments but the first arrive while the
   one before is combined. */
static void test_none(void **state)
{
  (void)state;
  static const char *const methods[] = {"bcast/linear", "bcast/binomial", "allreduce/ring-segmented", "reduce/linear",
                                        "reduce/binomial"};
  for (int kind = 0; kind < TUTTI_MODEL_KINDS; kind++)
    for (size_t i = 0; i < (kind == PLOGP ? 3 : 5); i++) {
      tutti_model model = fixture_model(kind);
      tutti_model_question question = fixture_question(methods[i], 8, 4096, CORRECTED);
      tutti_best_segment best = best_of(&model, &question);
      assert_true(best.optimum == 0 && best.segment_bytes == 0);
      assert_true(best.seconds == fixture_ask(&model, &question));
      for (double m_s = 8; m_s < 256; m_s *= 1.5)
        assert_true(smooth(&model, &question, m_s) > smooth(&model, &question, m_s * 1.5));
    }
}

/* P = 2 and 3: the tree has two levels and nothing to fill, so that no size is best (theorem 5.2 says P > 2). */
static void test_small_trees(void **state)
{
  (void)state;
  for (int kind = HOCKNEY; kind <= LOGGP; kind++)
    for (size_t i = 0; i < sizeof with_optimum / sizeof *with_optimum; i++) {
      tutti_model model = fixture_model(kind);
      tutti_model_question question = fixture_question(with_optimum[i], 2, 1 << 20, CORRECTED);
      model.gamma = 0;
      assert_true(best_of(&model, &question).optimum == 0);
    }
  tutti_model model = fixture_model(LOGGP);
  assert_true(optimum(&model, "bcast/split-binary", 3, 1 << 20, PRINTED) == 0);
  assert_true(optimum(&model, "bcast/split-binary", 4, 1 << 20, PRINTED) > 0);
}

/* ---- whole sizes ---- */

/* Of all sizes that there are none is faster than the one chosen, but for half a percent where what is left over for
   the last segment favours one farther away. */
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

static void test_whole_sizes(void **state)
{
  (void)state;
  static const int ranks[] = {1, 2, 3, 4, 7, 16, 100};
  static const uint64_t bytes[] = {0, 8, 16, 24, 200, 1400};
  for (int kind = 0; kind < TUTTI_MODEL_KINDS; kind++)
    for (size_t i = 0; i < sizeof with_optimum / sizeof *with_optimum; i++)
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
static void test_clipping(void **state)
{
  (void)state;
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

static void test_unsupported(void **state)
{
  (void)state;
  tutti_model model = fixture_model(HOCKNEY);
  tutti_best_segment best;
  tutti_error error = {0};
  tutti_model_question question = fixture_question("gather/linear-sync", 8, 100, CORRECTED);
  assert_int_equal(tutti_model_best_segment(&model, &question, &best, &error), TUTTI_ERR_UNSUPPORTED);
  assert_non_null(error.message);
  question = fixture_question("bcast/chain", 8, 100, CORRECTED);
  assert_int_equal(tutti_model_best_segment(&model, &question, &best, &error), TUTTI_ERR_UNSUPPORTED);
}

/* ---- PLogP ---- */

static double f(const tutti_plogp *plogp, double m_s)
{
  return fmax(tutti_plogp_g(plogp, m_s), tutti_plogp_o_r(plogp, m_s) + tutti_plogp_o_s(plogp, m_s));
}

/* Theorem 5.3, P = 64, m = 4096: 2 6 g' - m / (2 m_s^2) (g + f) + (m / (2 m_s) - 1) (g' + f'). */
static void test_derivative_of_split_binary(void **state)
{
  (void)state;
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
static void test_minimum_between_points(void **state)
{
  (void)state;
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
static void test_search(void **state)
{
  (void)state;
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
static void test_printed_search(void **state)
{
  (void)state;
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

/* Corollary 5.5: (levels + m / (2 m_s) - 2) 2 a e^(b m_s) is least there, not at the printed size. */
static void test_exponential(void **state)
{
  (void)state;
  const double m = 1e6, b = 1e-4;
  for (int ranks = 4, levels = 3; levels < 11; ranks *= 2, levels++) {
    double size = tutti_split_binary_segment_exponential(ranks, m, b, TUTTI_FORMULA_CORRECTED), least = 0;
    for (int i = -1; i <= 1; i++) {
      double s = size * (1 + 1e-3 * i), time = (levels + m / (2 * s) - 2) * 2 * exp(b * s);
      if (i == -1)
        least = time;
      else if (i == 0)
        assert_true(time < least), least = time;
      else
        assert_true(time > least);
    }
    double printed = tutti_split_binary_segment_exponential(ranks, m, b, TUTTI_FORMULA_PRINTED);
    assert_true((levels + m / (2 * printed) - 2) * exp(b * printed) > (levels + m / (2 * size) - 2) * exp(b * size));
  }
  assert_true(tutti_split_binary_segment_exponential(3, m, b, TUTTI_FORMULA_CORRECTED) == 0);
}

/* ---- table 6.1 ---- */

/* Split-binary on 64 processes of Grig. Two of the LogGP sizes printed are a tenth of what the formula gives. */
static void test_table_6_1(void **state)
{
  (void)state;
  const struct {
    int kind;
    bool tcp;
    uint64_t bytes;
    double printed;
  } sizes[] = {
      {HOCKNEY, false, 768 << 10, 10308}, {HOCKNEY, true, 768 << 10, 10116}, {HOCKNEY, false, 2 << 20, 16834},
      {HOCKNEY, true, 2 << 20, 16519},    {LOGGP, false, 768 << 10, 7460},   {LOGGP, true, 768 << 10, 3090},
      {LOGGP, false, 2 << 20, 12185},     {LOGGP, true, 2 << 20, 5050},
  };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    tutti_model model = grig(sizes[i].kind, sizes[i].tcp);
    double size = optimum(&model, "bcast/split-binary", 64, sizes[i].bytes, PRINTED);
    if (!near(size, sizes[i].printed, sizes[i].kind == HOCKNEY ? 0.025 : 0.02))
      fail_msg("%s, %d bytes: %g, printed %g", sizes[i].tcp ? "tcp" : "mx", (int)sizes[i].bytes, size,
               sizes[i].printed);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_minimum),
      cmocka_unit_test(test_closed_forms),
      cmocka_unit_test(test_closed_forms_by_the_gap),
      cmocka_unit_test(test_printed_sizes_that_are_no_minimum),
      cmocka_unit_test(test_none),
      cmocka_unit_test(test_small_trees),
      cmocka_unit_test(test_whole_sizes),
      cmocka_unit_test(test_clipping),
      cmocka_unit_test(test_unsupported),
      cmocka_unit_test(test_derivative_of_split_binary),
      cmocka_unit_test(test_minimum_between_points),
      cmocka_unit_test(test_search),
      cmocka_unit_test(test_printed_search),
      cmocka_unit_test(test_exponential),
      cmocka_unit_test(test_table_6_1),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
