/* What holds for all formulas: units, growth, one rank. */
#include "unit/algorithms/models/model_fixture.h"

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

/* Printed ones can be negative for an empty message. */
static void expect_number(const tutti_model *model, const tutti_model_question *question, double seconds)
{
  if (!isfinite(seconds) || (question->bytes > 0 && seconds < 0) || (question->ranks == 1 && seconds != 0))
    fail_at(model, question, "is no time", seconds);
}

TEST(test_finite_and_none_for_one_rank)
{
  visit_all(CORRECTED, expect_finite);
  visit_all(PRINTED, expect_number);
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

TEST(test_units)
{
  visit_all(CORRECTED, expect_linear);
}

/* The one printed formula that is not: L + 2 for L + 2 o (table 4.9). */
TEST(test_printed_unit)
{
  tutti_model model = fixture_model(LOGGP);
  tutti_plogp_point points[2];
  tutti_model other = scaled(&model, 4, points);
  tutti_model_question question = fixture_question("reduce_scatter/recursive-halving", 6, 8, PRINTED);
  assert_false(fixture_same(fixture_ask(&other, &question), 4 * fixture_ask(&model, &question)));
}

/* A larger message does not take less. */
static void expect_growth(const tutti_model *model, const tutti_model_question *question, double seconds)
{
  tutti_model_question larger = *question;
  larger.bytes++;
  if (fixture_ask(model, &larger) < seconds * (1 - 1e-12))
    fail_at(model, question, "is more than for a byte more", seconds);
}

TEST(test_growth)
{
  visit_all(CORRECTED, expect_growth);
}

/* Linear gather with synchronisation falls where the printed formula turns from one case to the other. */
TEST(test_printed_fall)
{
  tutti_model model = fixture_model(PLOGP);
  double before = fixture_time(&model, "gather/linear-sync/10B", 9, 26, PRINTED);
  double after = fixture_time(&model, "gather/linear-sync/10B", 9, 27, PRINTED);
  assert_true(after < before); /* g(m - 10) = 20 + 3 (m - 10) reaches L + g(0) = 70 at m = 26.7 */
  assert_true(fixture_time(&model, "gather/linear-sync/10B", 9, 27, CORRECTED) >
              fixture_time(&model, "gather/linear-sync/10B", 9, 26, CORRECTED));
}
