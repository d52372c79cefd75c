/* Models: parameters, refusals, limits and units of all formulas. */
#include "model_fixture.h"

#include <stdio.h>
#include <string.h>

static const int few_ranks[] = {1, 2, 3, 4, 5, 8, 13, 16, 31, 64, 100};
enum { RANKS = sizeof few_ranks / sizeof *few_ranks };

/* ---- parameters ---- */

static void test_plogp_between_and_beyond_points(void **state)
{
  (void)state;
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
static void test_loggp_from_plogp(void **state)
{
  (void)state;
  tutti_model model = fixture_model(PLOGP);
  tutti_loggp loggp = tutti_loggp_from_plogp(&model.network.plogp);
  assert_true(loggp.g == 23 && loggp.o == (5 + 7) / 2.0 && loggp.G == 3 && loggp.L == 50 + 23 - 5 - 7);
  assert_true(loggp.L + 2 * loggp.o == 50 + 23);
}

static void refuse(tutti_model model, const char *about)
{
  tutti_error error = {0};
  assert_int_equal(tutti_model_check(&model, &error), TUTTI_ERR_ARGUMENT);
  if (!strstr(error.message, about))
    fail_msg("'%s' does not say '%s'", error.message, about);
}

static void test_model_check(void **state)
{
  (void)state;
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

/* ---- refusals ---- */

static void expect(const char *method, int ranks, uint64_t bytes, uint64_t element, tutti_status expected)
{
  tutti_model model = fixture_model(HOCKNEY);
  tutti_model_question question = fixture_question(method, ranks, bytes, CORRECTED);
  tutti_error error = {0};
  double seconds;
  question.element = element;
  assert_int_equal(tutti_model_time(&model, &question, &seconds, &error), expected);
  assert_true(expected == TUTTI_OK || error.message[0] != '\0');
}

static void test_refusals(void **state)
{
  (void)state;
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
static void test_rows(void **state)
{
  (void)state;
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

/* ---- all formulas ---- */

typedef void (*visit)(const tutti_model *model, const tutti_model_question *question, double seconds);

static void visit_one(const tutti_algorithm *algorithm, int kind, int formula, int ranks, visit visit)
{
  static const uint64_t sizes[] = {0, 1, 8, 600, 100000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (uint64_t segment = 0; segment <= 16; segment += 8) {
      tutti_model model = fixture_model(kind);
      tutti_model_question question = {.method = tutti_method_default(algorithm),
                                       .ranks = ranks,
                                       .bytes = sizes[i],
                                       .formula = (tutti_formula)formula};
      double seconds;
      question.method.parameters.segment_bytes = algorithm->parameters & TUTTI_TAKES_SEGMENT ? segment : 0;
      if (tutti_model_time(&model, &question, &seconds, NULL) == TUTTI_OK)
        visit(&model, &question, seconds);
    }
}

static void visit_all(int formula, visit visit)
{
  for (size_t i = 0; i < tutti_algorithm_count(); i++)
    for (int kind = 0; kind < TUTTI_MODEL_KINDS; kind++)
      for (int r = 0; r < RANKS; r++)
        visit_one(tutti_algorithm_at(i), kind, formula, few_ranks[r], visit);
}

static void fail_at(const tutti_model *model, const tutti_model_question *question, const char *what, double seconds)
{
  char name[TUTTI_METHOD_LENGTH];
  fail_msg("%s %s, %d ranks, %d bytes: %.17g %s", tutti_model_kind_name(model->kind),
           tutti_method_format(&question->method, name), question->ranks, (int)question->bytes, seconds, what);
}

static void expect_finite(const tutti_model *model, const tutti_model_question *question, double seconds)
{
  if (!isfinite(seconds) || seconds < 0 || (question->ranks == 1 && seconds != 0))
    fail_at(model, question, "is no time", seconds);
}

static void test_finite_and_none_for_one_rank(void **state)
{
  (void)state;
  visit_all(CORRECTED, expect_finite);
}

static tutti_model scaled(const tutti_model *model, double factor, tutti_plogp_point points[2])
{
  tutti_model other = *model;
  other.gamma *= factor;
  other.delta *= factor;
  if (model->kind == TUTTI_MODEL_HOCKNEY)
    other.network.hockney =
        (tutti_hockney){model->network.hockney.alpha * factor, model->network.hockney.beta * factor};
  else if (model->kind == TUTTI_MODEL_LOGGP)
    other.network.loggp = (tutti_loggp){model->network.loggp.L * factor, model->network.loggp.o * factor,
                                        model->network.loggp.g * factor, model->network.loggp.G * factor};
  else
    other.network.plogp = (tutti_plogp){model->network.plogp.L * factor, points, 2};
  for (int i = 0; i < 2; i++)
    points[i] = (tutti_plogp_point){fixture_points[i].m, fixture_points[i].g * factor, fixture_points[i].o_s * factor,
                                    fixture_points[i].o_r * factor};
  return other;
}

/* Every term is a parameter times a number: with all parameters four times as large so is the time. */
static void expect_linear(const tutti_model *model, const tutti_model_question *question, double seconds)
{
  tutti_plogp_point points[2];
  tutti_model other = scaled(model, 4, points);
  if (!fixture_same(fixture_ask(&other, question), 4 * seconds))
    fail_at(model, question, "is not linear in the parameters", seconds);
}

static void test_units(void **state)
{
  (void)state;
  visit_all(CORRECTED, expect_linear);
}

/* The one printed formula that is not: L + 2 for L + 2 o (table 4.9). */
static void test_printed_unit(void **state)
{
  (void)state;
  tutti_model model = fixture_model(LOGGP);
  tutti_plogp_point points[2];
  tutti_model other = scaled(&model, 4, points);
  tutti_model_question question = fixture_question("reduce_scatter/recursive-halving", 6, 8, PRINTED);
  assert_false(fixture_same(fixture_ask(&other, &question), 4 * fixture_ask(&model, &question)));
}

/* A larger message does not take less, more ranks do not either, the latter for the algorithms whose work does not
   depend on whether P is a power of two. */
static void expect_growth(const tutti_model *model, const tutti_model_question *question, double seconds)
{
  tutti_model_question larger = *question;
  larger.bytes++;
  if (fixture_ask(model, &larger) < seconds * (1 - 1e-12))
    fail_at(model, question, "is more than for a byte more", seconds);
}

static void test_growth(void **state)
{
  (void)state;
  visit_all(CORRECTED, expect_growth);
}

/* Linear gather with synchronisation falls where the printed formula turns from one case to the other. */
static void test_printed_fall(void **state)
{
  (void)state;
  tutti_model model = fixture_model(PLOGP);
  double before = fixture_time(&model, "gather/linear-sync/10B", 9, 26, PRINTED);
  double after = fixture_time(&model, "gather/linear-sync/10B", 9, 27, PRINTED);
  assert_true(after < before); /* g(m - 10) = 20 + 3 (m - 10) reaches L + g(0) = 70 at m = 26.7 */
  assert_true(fixture_time(&model, "gather/linear-sync/10B", 9, 27, CORRECTED) >
              fixture_time(&model, "gather/linear-sync/10B", 9, 26, CORRECTED));
}

/* ---- two ranks ---- */

/* L + 2 o + (m - 1) G and the like. */
static double one_message(const tutti_model *model, double m)
{
  switch (model->kind) {
  case TUTTI_MODEL_HOCKNEY:
    return model->network.hockney.alpha + model->network.hockney.beta * m;
  case TUTTI_MODEL_LOGGP:
    return model->network.loggp.L + 2 * model->network.loggp.o + (m > 1 ? m - 1 : 0) * model->network.loggp.G;
  default:
    return model->network.plogp.L + tutti_plogp_g(&model->network.plogp, m);
  }
}

/* Messages of m, messages of m / 2, bytes combined and copied, all as multiples of m, with two ranks. */
static const struct {
  const char *method;
  double messages, halves, combined, copied, empty;
} on_two[] = {
    {"bcast/linear", 1, 0, 0, 0, 0},
    {"bcast/pipeline", 1, 0, 0, 0, 0},
    {"bcast/binomial", 1, 0, 0, 0, 0},
    {"bcast/binary", 1, 0, 0, 0, 0},
    {"bcast/split-binary", 0, 2, 0, 0, 0},
    {"barrier/linear", 0, 0, 0, 0, 2},
    {"barrier/double-ring", 0, 0, 0, 0, 4},
    {"barrier/recursive-doubling", 0, 0, 0, 0, 1},
    {"barrier/bruck", 0, 0, 0, 0, 1},
    {"scatter/linear", 1, 0, 0, 0, 0},
    {"scatter/binomial", 1, 0, 0, 0, 0},
    {"gather/linear", 1, 0, 0, 0, 0},
    {"gather/linear-sync", 1, 0, 0, 0, 1},
    {"gather/binomial", 1, 0, 0, 0, 0},
    {"allgather/bruck", 1, 0, 0, 2, 0},
    {"allgather/recursive-doubling", 1, 0, 0, 0, 0},
    {"allgather/ring", 1, 0, 0, 0, 0},
    {"allgather/neighbor-exchange", 1, 0, 0, 0, 0},
    {"alltoall/linear", 1, 0, 0, 0, 0},
    {"alltoall/pairwise", 1, 0, 0, 0, 0},
    {"alltoall/bruck", 1, 0, 0, 3, 0},
    {"reduce/linear", 1, 0, 1, 0, 0},
    {"reduce/pipeline", 1, 0, 1, 0, 0},
    {"reduce/binomial", 1, 0, 1, 0, 0},
    {"reduce/binary", 1, 0, 1, 0, 0},
    {"reduce/rabenseifner", 0, 2, 0.5, 0, 0},
    {"reduce_scatter/recursive-halving", 1, 0, 1, 0, 0},
    {"reduce_scatter/ring", 1, 0, 1, 2, 0},
    {"allreduce/recursive-doubling", 1, 0, 1, 0, 0},
    {"allreduce/ring", 0, 2, 0.5, 0, 0},
    {"allreduce/ring-segmented", 0, 2, 0.5, 0, 0},
    {"allreduce/rabenseifner", 0, 2, 0.5, 0, 0},
    {"scan/linear", 1, 0, 1, 0, 0},
    {"scan/binomial", 1, 0, 1, 0, 0},
};

static void test_two_ranks(void **state)
{
  (void)state;
  const double m = 600;
  for (int kind = 0; kind < TUTTI_MODEL_KINDS; kind++)
    for (size_t i = 0; i < sizeof on_two / sizeof *on_two; i++) {
      tutti_model model = fixture_model(kind);
      double expected = on_two[i].messages * one_message(&model, m) + on_two[i].halves * one_message(&model, m / 2) +
                        on_two[i].empty * one_message(&model, 0) +
                        (on_two[i].combined * model.gamma + on_two[i].copied * model.delta) * m;
      double seconds = fixture_time(&model, on_two[i].method, 2, (uint64_t)m, CORRECTED);
      if (!fixture_same(seconds, expected))
        fail_msg("%s %s: %.17g, not %.17g", tutti_model_kind_name(model.kind), on_two[i].method, seconds, expected);
    }
}

/* ---- relations between rows ---- */

/* A reduction that costs nothing is a broadcast backwards. Under PLogP the binary one counts the send overhead as well,
   where the broadcast counts it only if it does not fit into the gap. */
static void test_free_reduction(void **state)
{
  (void)state;
  static const char *const trees[] = {"linear/8B", "binomial/8B", "binary/8B"};
  for (int kind = 0; kind < TUTTI_MODEL_KINDS; kind++)
    for (int r = 1; r < RANKS; r++)
      for (int i = 0; i < (kind == PLOGP ? 2 : 3); i++) {
        tutti_model model = fixture_model(kind);
        char bcast[64], reduce[64];
        model.gamma = 0;
        snprintf(bcast, sizeof bcast, "bcast/%s", trees[i]);
        snprintf(reduce, sizeof reduce, "reduce/%s", trees[i]);
        assert_true(fixture_same(fixture_time(&model, bcast, few_ranks[r], 600, CORRECTED),
                                 fixture_time(&model, reduce, few_ranks[r], 600, CORRECTED)));
      }
}

/* PLogP with g(m) = beta m, L = alpha and no overheads is Hockney's model where no message overtakes another. */
static void test_plogp_as_hockney(void **state)
{
  (void)state;
  static const char *const methods[] = {"scatter/binomial",
                                        "gather/binomial",
                                        "allgather/bruck",
                                        "allgather/ring",
                                        "alltoall/bruck",
                                        "alltoall/pairwise",
                                        "allgather/neighbor-exchange",
                                        "reduce/rabenseifner",
                                        "allreduce/rabenseifner",
                                        "allreduce/ring",
                                        "allreduce/recursive-doubling",
                                        "reduce_scatter/recursive-halving",
                                        "reduce_scatter/ring",
                                        "scan/binomial",
                                        "barrier/double-ring",
                                        "reduce/binomial",
                                        "bcast/binomial"};
  const tutti_plogp_point points[] = {{0, 0, 0, 0}, {1, 2, 0, 0}};
  tutti_model hockney = fixture_model(HOCKNEY), plogp = fixture_model(PLOGP);
  plogp.network.plogp = (tutti_plogp){.L = 100, .points = points, .count = 2};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    for (int ranks = 2; ranks <= 64; ranks += 2)
      assert_true(fixture_same(fixture_time(&hockney, methods[i], ranks, 1000, CORRECTED),
                               fixture_time(&plogp, methods[i], ranks, 1000, CORRECTED)));
}

/* A gap below the overhead changes nothing, as on Grig (tcp), table 4.13: g = 1, o = 19.5. */
static void test_gap_below_overhead(void **state)
{
  (void)state;
  tutti_model model = {.kind = TUTTI_MODEL_LOGGP, .network.loggp = {106.6, 19.5, 1, 0.0859}}, equal = model;
  equal.network.loggp.g = 19.5;
  assert_true(fixture_time(&model, "bcast/linear", 8, 100, CORRECTED) ==
              fixture_time(&equal, "bcast/linear", 8, 100, CORRECTED));
  assert_true(fixture_time(&model, "barrier/bruck", 2, 0, PRINTED) < 106.6 + 2 * 19.5);
  assert_true(fixture_same(fixture_time(&model, "barrier/bruck", 2, 0, CORRECTED), 106.6 + 2 * 19.5));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plogp_between_and_beyond_points),
      cmocka_unit_test(test_loggp_from_plogp),
      cmocka_unit_test(test_model_check),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_finite_and_none_for_one_rank),
      cmocka_unit_test(test_units),
      cmocka_unit_test(test_printed_unit),
      cmocka_unit_test(test_growth),
      cmocka_unit_test(test_printed_fall),
      cmocka_unit_test(test_two_ranks),
      cmocka_unit_test(test_free_reduction),
      cmocka_unit_test(test_plogp_as_hockney),
      cmocka_unit_test(test_gap_below_overhead),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
