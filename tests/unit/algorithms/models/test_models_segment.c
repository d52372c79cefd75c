/* Best segment sizes in closed form: theorems 5.1, 5.2 and 5.6, corollary 5.5, tables 5.1 to 5.4 and 6.1
   (Pjesivac-Grbovic 2007). */
#include "unit/algorithms/models/model_segments.h"

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

/* Theorems 5.1 and 5.2, and the same for the rows of tables 5.1, 5.2 and 5.4. */
TEST(test_minimum)
{
  static const int ranks[] = {4, 5, 8, 31, 64, 1000};
  for (int kind = HOCKNEY; kind <= LOGGP; kind++)
    for (int tcp = 0; tcp < 2; tcp++)
      for (int i = 0; i < WITH_OPTIMUM; i++)
        for (size_t r = 0; r < sizeof ranks / sizeof *ranks; r++) {
          tutti_model model = grig(kind, tcp);
          tutti_model_question question = fixture_question(with_optimum[i], ranks[r], 4 << 20, CORRECTED);
          tutti_best_segment best = best_of(&model, &question);
          assert_true(best.optimum > 0);
          check_minimum(&model, &question, best.optimum);
        }
}

/* Closed forms where P = 64: ceil(log2(65)) = 7, P - 2 = 62. */
TEST(test_closed_forms)
{
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
TEST(test_closed_forms_by_the_gap)
{
  static const char *const methods[] = {"reduce/pipeline", "reduce/binary", "scan/linear"};
  static const double gammas[] = {0, 0.001, 0.01, 0.05, 0.3};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    for (size_t j = 0; j < sizeof gammas / sizeof *gammas; j++) {
      tutti_model model = fixture_model(LOGGP);
      model.network.loggp.g = 40;
      model.gamma = gammas[j];
      tutti_model_question question = fixture_question(methods[i], 16, 100000, CORRECTED);
      double m_s = best_of(&model, &question).optimum;
      assert_true(m_s > 0);
      check_around(&model, &question, m_s, 1.001);
    }
}

/* The printed sizes that are not where the time printed, or corrected, is least: twice the square (5.1), and the binary
   reduce under LogGP (5.2), whose optimum is that of a time with the rate of the pipeline paid once a level. */
TEST(test_printed_sizes_that_are_no_minimum)
{
  tutti_model model = fixture_model(HOCKNEY);
  tutti_model_question question = fixture_question("bcast/binary", 64, 1000000, PRINTED);
  double printed = best_of(&model, &question).optimum, least = printed / sqrt(2);
  assert_true(smooth(&model, &question, least) < smooth(&model, &question, printed));
  check_minimum(&model, &question, least);
}

/* Theorem 5.6: the linear broadcast is the faster the larger its segments; so are binomial broadcast and, corrected,
   the segmented ring, and linear and binomial reduce, but for PLogP, where all segments but the first arrive while the
   one before is combined. */
TEST(test_none)
{
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
TEST(test_small_trees)
{
  for (int kind = HOCKNEY; kind <= LOGGP; kind++)
    for (int i = 0; i < WITH_OPTIMUM; i++) {
      tutti_model model = fixture_model(kind);
      tutti_model_question question = fixture_question(with_optimum[i], 2, 1 << 20, CORRECTED);
      model.gamma = 0;
      assert_true(best_of(&model, &question).optimum == 0);
    }
  tutti_model model = fixture_model(LOGGP);
  assert_true(optimum(&model, "bcast/split-binary", 3, 1 << 20, PRINTED) == 0);
  assert_true(optimum(&model, "bcast/split-binary", 4, 1 << 20, PRINTED) > 0);
}

/* Corollary 5.5: (levels + m / (2 m_s) - 2) 2 a e^(b m_s) is least there, not at the printed size. */
TEST(test_exponential)
{
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

/* Split-binary on 64 processes of Grig. Two of the LogGP sizes printed are a tenth of what the formula gives. */
TEST(test_table_6_1)
{
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
