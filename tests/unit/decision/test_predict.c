/* Predictions, best segment sizes, and decisions by the votes of models. */
#include "tutti/predict.h"
#include "unit/algorithms/catalogue/method_fixture.h"
#include "unit/algorithms/models/price_fixture.h"
#include "unit/algorithms/schedule/schedule_fixture.h"

static tutti_predictor predictor_of(int kind, tutti_predict_by by, double weight)
{
  return (tutti_predictor){.model = fixture_model(kind), .by = by, .weight = weight};
}

static double predicted(const tutti_predictor *predictor, const char *name, int ranks, uint64_t bytes)
{
  tutti_method method = parsed(name);
  double seconds;
  assert_ok(tutti_predict_time(predictor, &method, ranks, bytes, &seconds, REASON), error);
  return seconds;
}

TEST(test_both_ways)
{
  tutti_predictor formula = predictor_of(HOCKNEY, TUTTI_BY_FORMULA, 1);
  tutti_predictor schedule = predictor_of(HOCKNEY, TUTTI_BY_SCHEDULE, 1);
  assert_true(predicted(&formula, "bcast/binomial", 8, 10) == 3 * 120);
  assert_true(predicted(&schedule, "bcast/binomial", 8, 10) == 3 * 120);
  assert_true(predicted(&formula, "barrier/bruck", 8, 0) == 300);
  assert_true(predicted(&schedule, "barrier/bruck", 8, 0) == 300);
}

/* Irregular collectives are called with equal counts, and so take as long as the regular ones. */
TEST(test_irregular_schedules)
{
  static const char *const pairs[][2] = {{"allgather/ring", "allgatherv/ring"},
                                         {"gather/linear", "gatherv/linear"},
                                         {"scatter/linear", "scatterv/linear"},
                                         {"alltoall/pairwise", "alltoallv/pairwise"},
                                         {"reduce_scatter_block/ring", "reduce_scatter/ring"}};
  tutti_predictor schedule = predictor_of(LOGGP, TUTTI_BY_SCHEDULE, 1);
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    assert_true(predicted(&schedule, pairs[i][0], 6, 40) == predicted(&schedule, pairs[i][1], 6, 40));
}

TEST(test_refusals)
{
  tutti_predictor formula = predictor_of(HOCKNEY, TUTTI_BY_FORMULA, 1);
  tutti_predictor schedule = predictor_of(HOCKNEY, TUTTI_BY_SCHEDULE, 1);
  tutti_method method = parsed("bcast/chain/k=2");
  double seconds;
  assert_int_equal(tutti_predict_time(&formula, &method, 8, 10, &seconds, &error), TUTTI_ERR_UNSUPPORTED);
  assert_int_equal(tutti_predict_time(&schedule, &method, 0, 10, &seconds, &error), TUTTI_ERR_ARGUMENT);
  schedule.element = 8;
  assert_int_equal(tutti_predict_time(&schedule, &method, 8, 10, &seconds, &error), TUTTI_ERR_ARGUMENT);
  assert_says(error.message, "10 bytes are not a multiple of the element, 8 bytes");
  method = parsed("alltoall/bruck");
  assert_int_equal(tutti_predict_segment(&schedule, &method, 8, 16, &seconds, &error), TUTTI_ERR_UNSUPPORTED);
  assert_says(error.message, "takes no segments");
}

/* By schedule a chain, which has no formula, gains by segments; the search finds none better among those it tries. */
TEST(test_best_segment)
{
  for (int by = TUTTI_BY_FORMULA; by <= TUTTI_BY_SCHEDULE; by++)
    for (int kind = HOCKNEY; kind <= PLOGP; kind++) {
      tutti_predictor predictor = predictor_of(kind, (tutti_predict_by)by, 1);
      tutti_method method = parsed(by == TUTTI_BY_FORMULA ? "bcast/pipeline" : "bcast/chain/k=2");
      tutti_method other = method;
      double best, seconds;
      assert_int_equal(tutti_predict_segment(&predictor, &method, 20, 65536, &best, NULL), TUTTI_OK);
      assert_uint_in_range(method.parameters.segment_bytes, 1, 65535);
      assert_int_equal(tutti_predict_time(&predictor, &method, 20, 65536, &seconds, NULL), TUTTI_OK);
      assert_true(seconds == best);
      for (other.parameters.segment_bytes = 256; other.parameters.segment_bytes <= 65536;
           other.parameters.segment_bytes *= 2) {
        assert_int_equal(tutti_predict_time(&predictor, &other, 20, 65536, &seconds, NULL), TUTTI_OK);
        assert_true(best <= seconds * (1 + 1e-9));
      }
    }
}

/* Under Hockney linear takes 3 (100 + 2 m), binomial 2 (100 + 2 m) on 4 ranks. Under LogGP with a small gap the root
   sends three messages in less time than two levels take. */
enum { LINEAR, BINOMIAL };
static const char *const names[] = {"bcast/linear", "bcast/binomial"};

static tutti_predictor eager(double weight)
{
  tutti_predictor predictor = predictor_of(LOGGP, TUTTI_BY_FORMULA, weight);
  predictor.model.network.loggp = (tutti_loggp){.L = 100, .o = 1, .g = 1, .G = 0};
  return predictor;
}

static void expect_vote(const tutti_predictor *predictors, int count, int expected)
{
  tutti_method methods[] = {parsed(names[BINOMIAL]), parsed(names[LINEAR])}, picked;
  tutti_question question = {.collective = TUTTI_COLL_BCAST, .ranks = 4, .rank_bytes = 10};
  FREED_BY(tutti_decision_free) tutti_decision decision;
  char text[TUTTI_METHOD_LENGTH];
  assert_ok(tutti_decision_models("vote", TUTTI_COLL_BCAST, methods, 2, predictors, count, &decision, REASON), error);
  assert_true(decision.decide(&decision, &question, &picked));
  assert_string_equal(tutti_method_format(&picked, text), names[expected]);
  question.collective = TUTTI_COLL_REDUCE;
  assert_false(decision.decide(&decision, &question, &picked));
}

TEST(test_votes)
{
  tutti_predictor hockney = predictor_of(HOCKNEY, TUTTI_BY_FORMULA, 1);
  tutti_predictor three[] = {hockney, eager(1), eager(1)}, tie[] = {hockney, eager(1)}, heavy[] = {hockney, eager(2)};
  expect_vote(&three[0], 1, BINOMIAL);
  expect_vote(&three[1], 1, LINEAR);
  expect_vote(three, 3, LINEAR); /* two against one */
  expect_vote(tie, 2, BINOMIAL); /* the first */
  expect_vote(heavy, 2, LINEAR); /* the heavier */
}

/* On two ranks linear and binomial are one message: the first in the catalogue wins. */
TEST(test_ties)
{
  tutti_method methods[] = {parsed("bcast/binomial"), parsed("bcast/linear")}, picked;
  tutti_predictor predictor = predictor_of(PLOGP, TUTTI_BY_SCHEDULE, 1);
  tutti_question question = {.collective = TUTTI_COLL_BCAST, .ranks = 2, .rank_bytes = 10};
  FREED_BY(tutti_decision_free) tutti_decision decision;
  assert_int_equal(tutti_decision_models("tie", TUTTI_COLL_BCAST, methods, 2, &predictor, 1, &decision, NULL),
                   TUTTI_OK);
  assert_true(decision.decide(&decision, &question, &picked));
  assert_string_equal(picked.algorithm->name, "linear");
}

TEST(test_bad_electorates)
{
  tutti_method method = parsed("bcast/linear");
  tutti_predictor predictor = predictor_of(HOCKNEY, TUTTI_BY_FORMULA, 0);
  tutti_decision decision;
  assert_int_equal(tutti_decision_models("v", TUTTI_COLL_BCAST, &method, 1, &predictor, 1, &decision, &error),
                   TUTTI_ERR_ARGUMENT);
  assert_says(error.message, "the weight of hockney is 0");
  predictor.weight = 1;
  assert_int_equal(tutti_decision_models("v", TUTTI_COLL_REDUCE, &method, 1, &predictor, 1, &decision, &error),
                   TUTTI_ERR_ARGUMENT);
  assert_says(error.message, "bcast/linear is no method of reduce");
  assert_int_equal(tutti_decision_models("v", TUTTI_COLL_BCAST, &method, 0, &predictor, 1, &decision, &error),
                   TUTTI_ERR_ARGUMENT);
  assert_says(error.message, "vote on 0 methods");
}

/* A method that is the best at the values of the model stays so between the ends that are told for each parameter. */
TEST(test_sensitivities)
{
  static const char *const names[] = {"bcast/linear", "bcast/binomial", "bcast/pipeline/8B", "bcast/split-binary/8B"};
  for (int kind = HOCKNEY; kind <= PLOGP; kind++) {
    const tutti_predictor predictor = predictor_of(kind, TUTTI_BY_FORMULA, 1);
    tutti_method methods[4];
    tutti_sensitivity rows[TUTTI_MAX_SLOPES];
    int chosen = 0, count, ends = 0;
    double times[4], seconds, sum = 0;
    tutti_predictor by_schedule = predictor;
    by_schedule.by = TUTTI_BY_SCHEDULE;
    for (int m = 0; m < 4; m++) {
      methods[m] = parsed(names[m]);
      times[m] = predicted(&by_schedule, names[m], 13, 40);
      chosen = times[m] < times[chosen] ? m : chosen;
    }
    assert_ok(tutti_predict_sensitivities(&predictor, methods, 4, chosen, 13, 40, &seconds, rows, &count, REASON),
              error);
    assert_true(seconds == times[chosen]);
    for (int i = 0; i < count; i++) {
      const tutti_interval *interval = &rows[i].interval;
      sum += rows[i].slope.value * rows[i].slope.slope;
      assert_true(interval->from <= rows[i].slope.value && interval->to >= rows[i].slope.value);
      assert_true((interval->from > 0) == (interval->below >= 0) && isfinite(interval->to) == (interval->above >= 0));
      assert_true(interval->below != chosen && interval->above != chosen);
      assert_true(rows[i].more[0] > 0 && rows[i].more[1] >= rows[i].more[0] && rows[i].more[2] >= rows[i].more[1]);
      ends += (interval->from > 0) + isfinite(interval->to);
    }
    assert_true(fixture_same(sum, seconds) && ends > 0);
    const int worse = (chosen + 1) % 4;
    assert_ok(tutti_predict_sensitivities(&predictor, methods, 4, worse, 13, 40, &seconds, rows, &count, REASON),
              error);
    assert_true(isnan(rows[0].interval.from) && rows[0].interval.above == chosen);
  }
}
