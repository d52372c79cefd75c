/* Derivatives of prices against finite differences, and the ends of intervals against prices on either side. */
#include "tutti/sensitivity.h"

#include "base/splitmix64.h"
#include "unit/algorithms/models/price_fixture.h"
#include "unit/patience.h"

/* ---- slopes ---- */

struct priced {
  double seconds;
  tutti_slope slopes[TUTTI_MAX_SLOPES];
  int count;
  uint64_t path; /* a hash of its steps and costs */
};

static uint64_t path_hash(const tutti_price *price)
{
  uint64_t hash = tutti_splitmix64(price->latencies);
  for (size_t i = 0; i < price->path_length; i++)
    hash = tutti_splitmix64(hash ^ ((uint64_t)price->path[i].rank << 32 | price->path[i].vertex));
  for (const tutti_price_term *t = price->terms; t < price->terms + price->term_count; t++)
    hash = tutti_splitmix64(hash ^ t->bytes ^ t->sends << 16 ^ t->gaps << 24 ^ t->transits << 32 ^ t->receives << 40);
  return hash;
}

static struct priced priced(const tutti_model *model, const tutti_method *method, const tutti_call *call)
{
  const tutti_price_options options = {.path = true};
  const tutti_costs costs = tutti_model_costs(model);
  tutti_price price;
  assert_ok(tutti_price_method(method, call, &costs, &options, &price, REASON), error);
  struct priced result = {.seconds = price.seconds, .path = path_hash(&price)};
  result.count = tutti_model_slopes(model, &price, result.slopes);
  tutti_price_free(&price);
  return result;
}

/* From 0.5 to 1.5, never the same again. */
static double drawn(uint64_t *seed)
{
  return 0.5 + (double)(tutti_splitmix64_next(seed) >> 11) * 0x1p-53;
}

/* Whole numbers tie; these do not. */
static tutti_model drawn_model(int kind, uint64_t *seed, tutti_plogp_point *points)
{
  tutti_model model = fixture_model(kind);
  model.gamma *= drawn(seed), model.delta *= drawn(seed);
  if (kind == HOCKNEY)
    model.network.hockney.alpha *= drawn(seed), model.network.hockney.beta *= drawn(seed);
  else if (kind == LOGGP) {
    tutti_loggp *l = &model.network.loggp;
    l->L *= drawn(seed), l->o *= drawn(seed), l->g *= drawn(seed), l->G *= drawn(seed);
  } else {
    model.network.plogp.L *= drawn(seed);
    model.network.plogp.points = points;
    for (int i = 0; i < 2; i++)
      points[i] = (tutti_plogp_point){fixture_points[i].m, fixture_points[i].g * drawn(seed),
                                      fixture_points[i].o_s * drawn(seed), fixture_points[i].o_r * drawn(seed)};
  }
  return model;
}

struct tally {
  int compared, bent; /* derivatives; those on whose two sides the path is not the same */
};

/* Central differences, where the same path is the longest on both sides. */
static void check_slope(const tutti_model *model, const tutti_method *method, const tutti_call *call,
                        const struct priced *here, int parameter, struct tally *tally)
{
  tutti_plogp_point points[2][2];
  const tutti_slope *slope = &here->slopes[parameter];
  const double step = 1e-3 * slope->value;
  struct priced sides[2];
  for (int i = 0; i < 2; i++) {
    const tutti_model changed = tutti_model_changed(model, parameter, slope->value + (2 * i - 1) * step, points[i]);
    sides[i] = priced(&changed, method, call);
    /* Factors of PLogP are those of the changed table; g takes the place of o, or o of g, on the same path. */
    const double factor = strcmp(slope->unit, "1") == 0 ? slope->value + (2 * i - 1) * step : 1;
    if (sides[i].path != here->path ||
        fabs(sides[i].slopes[parameter].slope / factor - slope->slope) > 1e-9 * slope->slope) {
      tally->bent++;
      return;
    }
  }
  const double expected = 2 * step * slope->slope, difference = sides[1].seconds - sides[0].seconds;
  char name[TUTTI_METHOD_LENGTH];
  if (fabs(difference - expected) > 1e-6 * expected + 1e-11 * here->seconds)
    fail_msg("%s %s, %d ranks, %d bytes: d/d%s is %.12g, by differences %.12g", tutti_model_kind_name(model->kind),
             tutti_method_format(method, name), call->size, (int)call->count, slope->name, slope->slope,
             difference / (2 * step));
  tally->compared++;
}

static void check_method(const tutti_method *method, uint64_t *seed, struct tally *tally)
{
  static const int ranks[] = {2, 5, 8, 13, 16};
  for (int kind = HOCKNEY; kind <= PLOGP; kind++)
    for (size_t r = 0; r < UNLESS_WATCHED(5, 3); r++) {
      static struct priced_call p;
      tutti_plogp_point points[2];
      const tutti_model model = drawn_model(kind, seed, points);
      if (!priced_call(&p, method, ranks[r], 1 + tutti_splitmix64_next(seed) % 500))
        continue;
      const struct priced here = priced(&model, method, &p.call);
      double sum = 0;
      for (int i = 0; i < here.count; i++)
        sum += here.slopes[i].value * here.slopes[i].slope;
      assert_true(fabs(sum - here.seconds) <= 1e-9 * here.seconds);
      for (int i = 0; i < here.count; i++)
        check_slope(&model, method, &p.call, &here, i, tally);
    }
}

TEST(test_finite_differences)
{
  struct tally tally = {0, 0};
  uint64_t seed = 48;
  for (size_t i = 0; i < tutti_algorithm_count(); i++) {
    tutti_method method = tutti_method_default(tutti_algorithm_at(i));
    check_method(&method, &seed, &tally);
    if (method.algorithm->parameters & TUTTI_TAKES_SEGMENT) {
      method.parameters.segment_bytes = 20;
      check_method(&method, &seed, &tally);
    }
  }
  print_message("%d derivatives compared, %d where the path changes\n", tally.compared, tally.bent);
  assert_true(tally.compared > 3000 && tally.bent * 10 < tally.compared);
}

/* Three messages one after the other, each 2 o and L; under PLogP L and g(1), of which o_s and o_r are no part. */
TEST(test_slopes_by_hand)
{
  const tutti_model loggp = fixture_model(LOGGP), plogp = fixture_model(PLOGP);
  const tutti_model_question question = fixture_question("bcast/binomial", 8, 1, CORRECTED);
  const tutti_call call = {.size = 8, .count = 1, .type_size = 1, .commutative = true};
  const struct priced l = priced(&loggp, &question.method, &call), p = priced(&plogp, &question.method, &call);
  const double of_loggp[] = {3, 6, 0, 0, 0, 0}, of_plogp[] = {3, 0, 0, 3 * 23, 0, 0};
  assert_int_equal(l.count, 6);
  for (int i = 0; i < 6; i++) {
    assert_true(l.slopes[i].slope == of_loggp[i]);
    assert_true(fixture_same(p.slopes[i].slope, of_plogp[i]));
  }
}

/* Messages of two senders meet at the port of a receiver: the second one waits there for the gap of the first. */
TEST(test_slopes_at_a_port)
{
  tutti_model model = fixture_model(LOGGP);
  const tutti_model_question question = fixture_question("gather/linear", 3, 100, CORRECTED);
  const tutti_call call = {.size = 3, .count = 100, .type_size = 1, .commutative = true};
  model.delta = 0;
  const struct priced p = priced(&model, &question.method, &call);
  /* L + 2 o + 99 G, and before that g + 99 G at the port */
  const double expected[] = {1, 2, 1, 2 * 99};
  assert_true(fixture_same(p.seconds, 50 + 2 * 7 + 9 + 2 * 99 * 3));
  for (int i = 0; i < 4; i++)
    assert_true(p.slopes[i].slope == expected[i]);
}

/* ---- together: a method stays the best between the ends of its interval, and no longer ---- */

struct methods {
  tutti_model model;
  tutti_method items[4];
  int parameter;
};

static const tutti_call call_64 = {.size = 16, .count = 64, .type_size = 1, .commutative = true};

static tutti_status method_time(const void *context, int function, double x, tutti_line *line, tutti_error *reason)
{
  const struct methods *methods = context;
  const tutti_model changed = tutti_model_changed(&methods->model, methods->parameter, x, NULL);
  (void)reason;
  const struct priced p = priced(&changed, &methods->items[function], &call_64);
  *line = (tutti_line){x, p.seconds, p.slopes[methods->parameter].slope};
  return TUTTI_OK;
}

static int best_method(const struct methods *methods, double x)
{
  int best = 0;
  tutti_line least, line;
  for (int i = 0; i < 4; i++)
    if (method_time(methods, i, x, &line, NULL) == TUTTI_OK && (i == 0 || line.seconds < least.seconds))
      best = i, least = line;
  return best;
}

TEST(test_decisions_hold)
{
  static const char *const names[] = {"allreduce/ring", "allreduce/recursive-doubling", "allreduce/rabenseifner",
                                      "allreduce/reduce-bcast"};
  struct methods methods = {.model = fixture_model(LOGGP)};
  const tutti_times_of_x times = {method_time, &methods, 4, 0};
  for (int i = 0; i < 4; i++)
    assert_ok(tutti_method_parse(names[i], &methods.items[i], REASON), error);
  int ends = 0;
  for (methods.parameter = 0; methods.parameter < 5; methods.parameter++) {
    const tutti_loggp *l = &methods.model.network.loggp;
    const double values[] = {l->L, l->o, l->g, l->G, methods.model.gamma}, x = values[methods.parameter];
    const int best = best_method(&methods, x);
    tutti_interval found;
    assert_ok(tutti_sensitivity_interval(&times, best, x, &found, REASON), error);
    if (isfinite(found.to)) {
      assert_int_equal(best_method(&methods, found.to * (1 - 1e-6)), best);
      assert_int_equal(best_method(&methods, found.to * (1 + 1e-6)), found.above);
    }
    if (found.from > 0) {
      assert_int_equal(best_method(&methods, found.from * (1 + 1e-6)), best);
      assert_int_equal(best_method(&methods, found.from * (1 - 1e-6)), found.below);
    }
    ends += isfinite(found.to) + (found.from > 0);
  }
  assert_true(ends >= 3);
}
