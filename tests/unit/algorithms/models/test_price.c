/* Pricing against the oracle, for all algorithms under all models. */
#include "unit/algorithms/models/price_fixture.h"
#include "unit/algorithms/models/price_oracle.h"

static bool agree(const tutti_model *model, const tutti_method *method, int ranks, uint64_t bytes, double *price,
                  double *expected)
{
  static struct priced_call call;
  if (!priced_call(&call, method, ranks, bytes))
    return true;
  *price = fixture_price(model, method, &call.call);
  *expected = oracle_price(model, method, &call.call);
  return fixture_same(*price, *expected);
}

/* Where two things happen on a rank at the same time, the price and the oracle may take them in another order: so at
   most at MAX_TIES points, each of which is one size alone. */
enum { MAX_TIES = 1 };

/* Trivance sends to both sides at once. With one port (Hockney) one of the two messages is first, and nothing says
   which; elsewhere the order does not matter. */
enum { MOST_PERCENT_BY_ORDER = 35 };

static bool is_order(const tutti_model *model, const tutti_method *method, double price, double expected)
{
  return model->kind == TUTTI_MODEL_HOCKNEY && strncmp(method->algorithm->name, "trivance", strlen("trivance")) == 0 &&
         fabs(price - expected) <= fmin(price, expected) * MOST_PERCENT_BY_ORDER / 100;
}

static void check(const tutti_model *model, const tutti_method *method, int ranks, uint64_t bytes)
{
  static int ties;
  char name[TUTTI_METHOD_LENGTH];
  double price, expected, others[2];
  if (agree(model, method, ranks, bytes, &price, &expected) || is_order(model, method, price, expected))
    return;
  if (++ties > MAX_TIES || !agree(model, method, ranks, bytes + 1, &others[0], &others[1]))
    fail_msg("%s %s, %d ranks, %d bytes: %.17g, the oracle %.17g", tutti_model_kind_name(model->kind),
             tutti_method_format(method, name), ranks, (int)bytes, price, expected);
}

/* Fewer ranks for a slower build (sanitizers): TUTTI_TEST_MAX_RANKS. */
static int most_ranks(void)
{
  const char *given = getenv("TUTTI_TEST_MAX_RANKS");
  return given ? atoi(given) : INT_MAX;
}

static void check_method(const tutti_method *method)
{
  static const int ranks[] = {1, 2, 3, 5, 8, 11, 16};
  static const struct {
    int kind;
    double gamma, delta;
  } models[] = {{HOCKNEY, 5, 1},   {HOCKNEY, 0.25, 0}, {LOGGP, 5, 1},
                {LOGGP, 0.125, 2}, {PLOGP, 5, 1},      {PLOGP, 0.125, 2}};
  for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
    tutti_model model = fixture_model(models[m].kind);
    model.gamma = models[m].gamma;
    model.delta = models[m].delta;
    for (size_t r = 0; r < sizeof ranks / sizeof *ranks && ranks[r] <= most_ranks(); r++)
      for (uint64_t bytes = 1; bytes < 500; bytes = 7 * bytes + 11)
        check(&model, method, ranks[r], bytes);
  }
}

TEST(test_oracle)
{
  for (size_t i = 0; i < tutti_algorithm_count(); i++) {
    tutti_method method = tutti_method_default(tutti_algorithm_at(i));
    check_method(&method);
    if (method.algorithm->parameters & TUTTI_TAKES_SEGMENT) {
      method.parameters.segment_bytes = 20;
      check_method(&method);
    }
  }
}

/* A chain that can be counted: 2 segments, 3 ranks, 3 messages of alpha + beta m_s = 100 + 2 20 one after the other;
   under LogGP the last of two messages leaves the root g + 19 G = 66 after the first, and takes
   2 (L + 2 o + 19 G) = 2 121 and, as each segment waits for the one before it to be sent on, no more. */
TEST(test_by_hand)
{
  tutti_model hockney = fixture_model(HOCKNEY), loggp = fixture_model(LOGGP);
  tutti_model_question question = fixture_question("bcast/pipeline/20B", 3, 40, CORRECTED);
  tutti_call call = {.size = 3, .count = 40, .type_size = 1, .commutative = true};
  assert_true(fixture_price(&hockney, &question.method, &call) == 3 * 140);
  assert_true(fixture_price(&loggp, &question.method, &call) == 66 + 2 * 121);
}

/* Times that do not fit the first guess of the quantum are found with a coarser one: a byte may cost 2^40 times as much
   as an empty message, and there are more messages after another than ranks or vertices. */
static void cliff(const void *context, uint64_t bytes, tutti_message_cost *cost)
{
  (void)context;
  *cost = (tutti_message_cost){.gap = bytes == 20 ? 1 : 0x1p40};
}

static void count(void *context, int rank, const tutti_vertex *vertex, tutti_vertex_id id, double start, double end)
{
  (void)rank, (void)vertex, (void)id, (void)start, (void)end;
  ++*(uint64_t *)context;
}

TEST(test_coarser_quantum)
{
  uint64_t told = 0;
  const tutti_price_options options = {.trace = count, .context = &told};
  tutti_costs costs = {.rendezvous = true, .message = cliff};
  tutti_model_question question = fixture_question("bcast/pipeline/20B", 4, 30, CORRECTED);
  tutti_call call = {.size = 4, .count = 30, .type_size = 1, .commutative = true};
  FREED_BY(tutti_price_free) tutti_price price;
  assert_int_equal(tutti_price_method(&question.method, &call, &costs, &options, &price, NULL), TUTTI_OK);
  assert_true(price.seconds == 3 * 0x1p40 + 1);
  assert_int_equal(told, price.vertices);
}
