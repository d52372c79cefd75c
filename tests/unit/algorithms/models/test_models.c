/* Models: their parameters, and what has a formula. */
#include "unit/algorithms/models/model_fixture.h"

TEST(test_plogp_between_and_beyond_points)
{
  const tutti_plogp_point points[] = {{10, 100, 1, 2}, {20, 110, 3, 6}, {40, 170, 5, 6}};
  tutti_plogp plogp = {.L = 1, .points = points, .count = 3};
  assert_true(tutti_plogp_g(&plogp, 0) == 100 && tutti_plogp_o_s(&plogp, 5) == 1);
  assert_true(tutti_plogp_g(&plogp, 10) == 100 && tutti_plogp_g(&plogp, 20) == 110 && tutti_plogp_g(&plogp, 40) == 170);
  assert_true(tutti_plogp_g(&plogp, 15) == 105 && tutti_plogp_o_s(&plogp, 15) == 2 && tutti_plogp_o_r(&plogp, 15) == 4);
  assert_true(tutti_plogp_g(&plogp, 30) == 140);
  assert_true(tutti_plogp_g(&plogp, 60) == 230 && tutti_plogp_o_s(&plogp, 60) == 7 && tutti_plogp_o_r(&plogp, 60) == 6);
  tutti_plogp single = {.points = points, .count = 1};
  assert_true(tutti_plogp_g(&single, 0) == 100 && tutti_plogp_g(&single, 1e9) == 100);
}

/* Table 4.1, and a message of one byte takes the same time in both models. */
TEST(test_loggp_from_plogp)
{
  tutti_model model = fixture_model(PLOGP);
  tutti_loggp loggp = tutti_loggp_from_plogp(&model.network.plogp);
  assert_true(loggp.g == 23 && loggp.o == (5 + 7) / 2.0 && loggp.G == 3 && loggp.L == 50 + 23 - 5 - 7);
  assert_true(loggp.L + 2 * loggp.o == 50 + 23);
}

/* Fitted to what the formulas say of a machine, PLogP is that of the machine; but for the gap below one byte. */
TEST(test_plogp_fit)
{
  const tutti_plogp_point points[] = {{1, 100, 1, 2}, {100, 110, 3, 6}, {4000, 170, 5, 6}};
  const tutti_plogp_point overheads[] = {{1, 5, 1, 2}, {100, 6, 3, 6}, {4000, 200, 5, 6}};
  const tutti_plogp plogp = {.L = 40, .points = points, .count = 3}, measured = {3, overheads, 3};
  const tutti_model model = {.kind = TUTTI_MODEL_PLOGP, .network.plogp = plogp};
  tutti_timed barrier[4], pipeline[12];
  tutti_plogp_point fitted_points[12];
  tutti_plogp fitted;
  for (int i = 0; i < 12; i++) {
    const int ranks = 2 << (i % 4);
    tutti_model_question question = {.ranks = ranks, .bytes = (uint64_t)points[i / 4].m};
    pipeline[i] = (tutti_timed){ranks, points[i / 4].m, 0};
    assert_int_equal(tutti_method_parse("bcast/pipeline", &question.method, NULL), TUTTI_OK);
    assert_int_equal(tutti_model_time(&model, &question, &pipeline[i].seconds, NULL), TUTTI_OK);
    assert_int_equal(tutti_method_parse("barrier/linear", &question.method, NULL), TUTTI_OK);
    barrier[i % 4] = (tutti_timed){ranks, 0, 0};
    assert_int_equal(tutti_model_time(&model, &question, &barrier[i % 4].seconds, NULL), TUTTI_OK);
  }
  assert_int_equal(tutti_plogp_fit(&measured, barrier, 4, pipeline, 12, fitted_points, &fitted, &error), TUTTI_OK);
  assert_int_equal(fitted.count, 3);
  assert_true(fabs(fitted.L - 40) < 1e-9);
  for (int i = 0; i < 3; i++) {
    assert_true(fitted.points[i].m == points[i].m && fabs(fitted.points[i].g - points[i].g) < 1e-9);
    assert_true(fitted.points[i].o_s == points[i].o_s && fitted.points[i].o_r == points[i].o_r);
  }
  assert_fails(tutti_plogp_fit(&measured, barrier, 1, pipeline, 12, fitted_points, &fitted, &error), TUTTI_ERR_ARGUMENT,
               error, "several numbers of ranks");
  barrier[0].ranks = 1;
  assert_fails(tutti_plogp_fit(&measured, barrier, 4, pipeline, 12, fitted_points, &fitted, &error), TUTTI_ERR_ARGUMENT,
               error, "the barrier");
}

static void refuse(tutti_model model, const char *about)
{
  assert_fails(tutti_model_check(&model, REASON), TUTTI_ERR_ARGUMENT, error, about);
}

TEST(test_model_check)
{
  const tutti_plogp_point falling[] = {{10, 1, 1, 1}, {10, 2, 1, 1}}, negative[] = {{0, 1, -1, 1}};
  for (int kind = 0; kind < TUTTI_MODEL_KINDS; kind++) {
    tutti_model model = fixture_model(kind);
    assert_int_equal(tutti_model_check(&model, NULL), TUTTI_OK);
    assert_non_null(tutti_model_kind_name(model.kind));
  }
  assert_null(tutti_model_kind_name(TUTTI_MODEL_KINDS));
  refuse((tutti_model){.kind = TUTTI_MODEL_HOCKNEY, .network.hockney = {-1, 1}}, "alpha");
  refuse((tutti_model){.kind = TUTTI_MODEL_HOCKNEY, .network.hockney = {1, NAN}}, "beta");
  refuse((tutti_model){.kind = TUTTI_MODEL_LOGGP, .network.loggp = {1, 1, 1, INFINITY}}, "G");
  refuse((tutti_model){.kind = TUTTI_MODEL_LOGGP, .gamma = -1}, "gamma");
  refuse((tutti_model){.kind = TUTTI_MODEL_PLOGP, .network.plogp = {1, NULL, 0}}, "one message size");
  refuse((tutti_model){.kind = TUTTI_MODEL_PLOGP, .network.plogp = {1, falling, 2}}, "point 1");
  refuse((tutti_model){.kind = TUTTI_MODEL_PLOGP, .network.plogp = {1, negative, 1}}, "o_s");
  refuse((tutti_model){.kind = TUTTI_MODEL_KINDS}, "no model");
}

static void expect(const char *method, int ranks, uint64_t bytes, uint64_t element, tutti_status expected)
{
  tutti_model model = fixture_model(HOCKNEY);
  tutti_model_question question = fixture_question(method, ranks, bytes, CORRECTED);
  double seconds;
  question.element = element;
  assert_int_equal(tutti_model_time(&model, &question, &seconds, REASON), expected);
  assert_true(expected == TUTTI_OK || error.message[0] != '\0');
}

TEST(test_refusals)
{
  expect("bcast/chain", 8, 8, 1, TUTTI_ERR_UNSUPPORTED);
  expect("barrier/tree", 8, 8, 1, TUTTI_ERR_UNSUPPORTED);
  expect("scatterv/linear", 8, 8, 1, TUTTI_ERR_UNSUPPORTED);
  expect("exscan/linear", 8, 8, 1, TUTTI_ERR_UNSUPPORTED);
  expect("alltoall/bruck/radix=4", 8, 8, 1, TUTTI_ERR_UNSUPPORTED);
  expect("alltoall/bruck", 8, 8, 1, TUTTI_OK);
  expect("allgather/recursive-doubling", 6, 8, 1, TUTTI_ERR_UNSUPPORTED);
  expect("allgather/recursive-doubling", 8, 8, 1, TUTTI_OK);
  expect("allgather/neighbor-exchange", 5, 8, 1, TUTTI_ERR_UNSUPPORTED);
  expect("allgather/neighbor-exchange", 6, 8, 1, TUTTI_OK);
  expect("bcast/linear", 0, 8, 1, TUTTI_ERR_ARGUMENT);
  expect("bcast/linear", 4, 9, 4, TUTTI_ERR_ARGUMENT);
  expect("bcast/linear", 4, 8, 0, TUTTI_OK);
}

static bool has_formula(const tutti_algorithm *algorithm)
{
  tutti_model model = fixture_model(HOCKNEY);
  tutti_model_question question = {.method = tutti_method_default(algorithm), .ranks = 4, .bytes = 8};
  double seconds;
  return tutti_model_time(&model, &question, &seconds, NULL) == TUTTI_OK;
}

/* Rows of tables 4.2 to 4.11, for three models each: 4, 5, 2, 3, 4, 3, 5, 2, 4, 3, or 105 formulas. The in-order trees,
   recursive-doubling-general and the second reduce-scatter are found by the rows of others; the two linear scans are
   one method. */
TEST(test_rows)
{
  const struct {
    tutti_collective collective;
    int count;
  } rows[] = {{TUTTI_COLL_BARRIER, 4},    {TUTTI_COLL_BCAST, 5 + 2},
              {TUTTI_COLL_SCATTER, 2},    {TUTTI_COLL_GATHER, 3},
              {TUTTI_COLL_ALLGATHER, 5},  {TUTTI_COLL_ALLTOALL, 3},
              {TUTTI_COLL_REDUCE, 5 + 2}, {TUTTI_COLL_REDUCE_SCATTER_BLOCK, 2},
              {TUTTI_COLL_ALLREDUCE, 4},  {TUTTI_COLL_REDUCE_SCATTER, 2},
              {TUTTI_COLL_SCAN, 2},       {TUTTI_COLL_EXSCAN, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    int count = 0;
    for (size_t j = 0; j < tutti_algorithm_count(); j++)
      count += tutti_algorithm_at(j)->collective == rows[i].collective && has_formula(tutti_algorithm_at(j));
    if (count != rows[i].count)
      fail_msg("%s: %d formulas", tutti_collective_name(rows[i].collective), count);
  }
}

/* Messages that no machine has are no small ones again. */
TEST(test_largest_sizes)
{
  static const char *const methods[] = {"bcast/pipeline/8KB", "bcast/split-binary/8KB", "reduce/binary/1KB",
                                        "scatter/linear", "allreduce/ring"};
  for (int kind = HOCKNEY; kind <= PLOGP; kind++)
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
      tutti_model model = fixture_model(kind);
      double before = fixture_time(&model, methods[m], 64, UINT64_C(1) << 62, CORRECTED);
      for (int i = 0; i < 4; i++) {
        static const uint64_t sizes[] = {UINT64_C(1) << 63, UINT64_MAX - 4096, UINT64_MAX - 1, UINT64_MAX};
        double seconds = fixture_time(&model, methods[m], 64, sizes[i], CORRECTED);
        if (!(isfinite(seconds) && seconds >= before))
          fail_msg("%s of %llu B takes %g, less than %g", methods[m], (unsigned long long)sizes[i], seconds, before);
        before = seconds;
      }
    }
}
