/* Parameter sets: fits that are exact where the machine is, bounds, what is missing, and published values. */
#include "tutti/parameters.h"
#include "unit/test.h"

enum { MOST = 256 };

struct values {
  tutti_parameter items[MOST];
  size_t count;
};

static void put(struct values *values, tutti_quantity quantity, const char *of, uint64_t bytes, double value)
{
  assert_true(values->count < MOST);
  tutti_parameter *parameter = &values->items[values->count++];
  *parameter = (tutti_parameter){.quantity = quantity, .bytes = bytes, .value = value};
  strcpy(parameter->of, of);
}

/* Half trips of alpha + beta m at sizes 0, 1, 2, 4, ..., 1 MB, the largest first. */
static void put_line(struct values *values, double alpha, double beta)
{
  for (uint64_t bytes = 1 << 20; bytes > 0; bytes /= 2)
    put(values, TUTTI_QUANTITY_HALF_TRIP, "", bytes, alpha + beta * (double)bytes);
  put(values, TUTTI_QUANTITY_HALF_TRIP, "", 0, alpha);
}

static void put_point(struct values *values, uint64_t bytes, double g, double o_s, double o_r)
{
  put(values, TUTTI_QUANTITY_GAP, "", bytes, g);
  put(values, TUTTI_QUANTITY_SEND_OVERHEAD, "", bytes, o_s);
  put(values, TUTTI_QUANTITY_RECEIVE_OVERHEAD, "", bytes, o_r);
}

static tutti_parameter_set derive(const struct values *values)
{
  tutti_parameter_set set;
  assert_ok(tutti_parameter_set_derive(values->items, values->count, &set, REASON), error);
  return set;
}

static void assert_near(double value, double expected, double relative)
{
  if (!(fabs(value - expected) <= relative * fabs(expected)))
    fail_msg("%.17g instead of %.17g", value, expected);
}

TEST(straight_lines_are_fitted_exactly)
{
  static const tutti_hockney lines[] = {{110.65e-6, 0.0851e-6}, {3.65e-6, 1.10762e-9}, {1e-9, 1e-3}, {1, 1e-12}};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    struct values values = {0};
    put_line(&values, lines[i].alpha, lines[i].beta);
    tutti_parameter_set set = derive(&values);
    assert_true(set.has[TUTTI_MODEL_HOCKNEY] && !set.has[TUTTI_MODEL_LOGGP] && !set.has[TUTTI_MODEL_PLOGP]);
    assert_near(set.hockney.alpha, lines[i].alpha, 1e-9);
    assert_near(set.hockney.beta, lines[i].beta, i == 3 ? 1e-3 : 1e-9); /* 1 us of the second is left over */
    assert_near(set.extremes.alpha, lines[i].alpha, 1e-15);
    assert_near(set.extremes.beta, lines[i].beta + lines[i].alpha / (1 << 20), 1e-12);
    assert_true(isnan(set.gamma) && isnan(set.delta));
    tutti_parameter_set_free(&set);
  }
}

/* The best line of these three points has a slope below 0, the second one an intercept below 0. */
TEST(no_parameter_is_negative)
{
  struct values falling = {0}, steep = {0};
  put(&falling, TUTTI_QUANTITY_HALF_TRIP, "", 0, 4e-6);
  put(&falling, TUTTI_QUANTITY_HALF_TRIP, "", 8, 2e-6);
  tutti_parameter_set set = derive(&falling);
  assert_true(set.hockney.beta == 0);
  assert_near(set.hockney.alpha, (1 / 4e-6 + 1 / 2e-6) / (1 / 16e-12 + 1 / 4e-12), 1e-12);
  tutti_parameter_set_free(&set);
  put(&steep, TUTTI_QUANTITY_HALF_TRIP, "", 10, 1e-6);
  put(&steep, TUTTI_QUANTITY_HALF_TRIP, "", 20, 4e-6);
  set = derive(&steep);
  assert_true(set.hockney.alpha == 0);
  assert_near(set.hockney.beta, (10 / 1e-6 + 20 / 4e-6) / (100 / 1e-12 + 400 / 16e-12), 1e-12);
  tutti_parameter_set_free(&set);
}

TEST(plogp_and_loggp_follow_from_gaps)
{
  struct values values = {0};
  put_point(&values, 1024, 20e-6, 3e-6, 5e-6);
  put_point(&values, 1, 10e-6, 2e-6, 4e-6);
  put_point(&values, 0, 9e-6, 2e-6, 4e-6);
  put_point(&values, 2048, 40e-6, 50e-6, 41e-6); /* longer than the gap: waiting */
  put(&values, TUTTI_QUANTITY_HALF_TRIP, "", 0, 30e-6);
  put(&values, TUTTI_QUANTITY_GAMMA, "sum/double", 1024, 7e-9);
  put(&values, TUTTI_QUANTITY_GAMMA, "sum/double", 4096, 3e-9);
  put(&values, TUTTI_QUANTITY_GAMMA, "sum/int", 8192, 9e-9);
  put(&values, TUTTI_QUANTITY_DELTA, "", 1024, 1e-9);
  FREED_BY(tutti_parameter_set_free) tutti_parameter_set set = derive(&values);
  assert_true(!set.has[TUTTI_MODEL_HOCKNEY] && set.has[TUTTI_MODEL_LOGGP] && set.has[TUTTI_MODEL_PLOGP]);
  assert_int_equal(set.plogp.count, 4);
  assert_true(set.plogp.points == set.points && set.points[0].m == 0 && set.points[3].m == 2048);
  assert_near(set.plogp.L, 21e-6, 1e-12);
  assert_true(set.points[3].g == 40e-6 && set.points[3].o_s == 40e-6 && set.points[3].o_r == 40e-6);
  assert_true(set.points[2].o_s == 3e-6 && set.points[2].o_r == 5e-6);
  assert_near(set.loggp.L, 25e-6, 1e-12); /* table 4.1 */
  assert_near(set.loggp.o, 3e-6, 1e-12);
  assert_near(set.loggp.g, 10e-6, 1e-12);
  assert_near(set.loggp.G, 20e-6 / 1024, 1e-12);
  assert_true(set.gamma == 3e-9 && set.delta == 1e-9);
}

/* Beyond the largest size PLogP goes on as between the last two: that must not be downwards. */
TEST(gaps_do_not_shrink_for_ever)
{
  static const double gaps[] = {1e-6, 5e-6, 2e-6, 9e-6, 8e-6, 7e-6};
  struct values values = {0};
  put(&values, TUTTI_QUANTITY_HALF_TRIP, "", 0, 3e-6);
  for (uint64_t i = 0; i < 6; i++)
    put_point(&values, 100 * i, gaps[i], 0, 0);
  FREED_BY(tutti_parameter_set_free) tutti_parameter_set set = derive(&values);
  assert_int_equal(set.plogp.count, 4);
  assert_true(set.points[1].g == 5e-6 && set.points[2].g == 2e-6); /* as measured */
  assert_true(set.points[3].m == 500 && set.points[3].g == 7e-6);
  assert_near(set.loggp.G, 5e-6 / 300, 1e-12);
  assert_near(tutti_plogp_g(&set.plogp, 800), 12e-6, 1e-12);
}

/* Half trips are 1 us + 1 ns a byte. */
TEST(gaps_far_beyond_half_trips_contradict_them)
{
  tutti_parameter_contradiction worst;
  struct values values = {0};
  put_line(&values, 1e-6, 1e-9);
  put_point(&values, 0, 1e-6, 0, 0);
  put_point(&values, 2048, 1, 0, 0);      /* small messages may */
  put_point(&values, 4096, 7.6e-6, 0, 0); /* 1.49 half trips */
  put_point(&values, 5000, 1, 0, 0);      /* has no half trip */
  tutti_parameter_set set = derive(&values);
  assert_false(tutti_parameter_set_contradicts(&set, &worst));
  tutti_parameter_set_free(&set);
  put_point(&values, 8192, 20e-6, 0, 0);  /* 2.18 */
  put_point(&values, 16384, 50e-6, 0, 0); /* 2.88: the worst */
  put_point(&values, 32768, 60e-6, 0, 0); /* 1.78 */
  set = derive(&values);
  assert_true(tutti_parameter_set_contradicts(&set, &worst));
  assert_int_equal(worst.bytes, 16384);
  assert_true(worst.gap == 50e-6);
  assert_near(worst.half_trip, 17.384e-6, 1e-12);
  tutti_parameter_set_free(&set);
}

TEST(models_come_out_of_sets)
{
  tutti_model model;
  struct values values = {0};
  put_line(&values, 1e-6, 1e-9);
  FREED_BY(tutti_parameter_set_free) tutti_parameter_set set = derive(&values);
  assert_int_equal(tutti_parameter_set_model(&set, TUTTI_MODEL_HOCKNEY, &model, REASON), TUTTI_OK);
  assert_true(model.kind == TUTTI_MODEL_HOCKNEY && model.network.hockney.alpha == set.hockney.alpha);
  assert_true(model.gamma == 0 && model.delta == 0);
  assert_int_equal(tutti_parameter_set_model(&set, TUTTI_MODEL_PLOGP, &model, REASON), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message, "the measured parameters do not give the model plogp");
  assert_int_equal(tutti_parameter_set_model(&set, TUTTI_MODEL_KINDS, &model, REASON), TUTTI_ERR_ARGUMENT);
}

static void assert_underivable(const struct values *values, const char *message)
{
  tutti_parameter_set set;
  assert_int_equal(tutti_parameter_set_derive(values->items, values->count, &set, REASON), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message, message);
  assert_true(!set.parameters && !set.points);
}

TEST(what_is_missing_is_told)
{
  struct values values = {0};
  assert_underivable(&values, "0 measured values do not give the parameters of any model");
  put(&values, TUTTI_QUANTITY_HALF_TRIP, "", 0, 1e-6); /* one size has no slope */
  put(&values, TUTTI_QUANTITY_GAMMA, "sum/double", 8, 1e-9);
  assert_underivable(&values, "2 measured values do not give the parameters of any model");
  put(&values, TUTTI_QUANTITY_GAP, "", 0, 1e-6);
  put(&values, TUTTI_QUANTITY_SEND_OVERHEAD, "", 0, 1e-6);
  assert_underivable(&values, "of 0 bytes there is a gap but no receive-overhead");
}

static tutti_platform grig(void)
{
  return (tutti_platform){.path = "grig.xml",
                          .published_alpha = 110.65e-6,
                          .published_beta = 0.0851e-6,
                          .published_L = 106.6e-6,
                          .published_o = 19.5e-6,
                          .published_g = 1e-6,
                          .published_G = 0.0859e-6,
                          .published_gamma = 5e-10};
}

static tutti_parameter_set published(const tutti_platform *platform)
{
  tutti_parameter_set set;
  assert_ok(tutti_parameter_set_published(platform, &set, REASON), error);
  return set;
}

TEST(published_values_are_models)
{
  tutti_model model;
  tutti_platform platform = grig();
  FREED_BY(tutti_parameter_set_free) tutti_parameter_set set = published(&platform);
  for (int kind = 0; kind < TUTTI_MODEL_KINDS; kind++) {
    assert_int_equal(tutti_parameter_set_model(&set, (tutti_model_kind)kind, &model, NULL), TUTTI_OK);
    assert_true(model.gamma == 5e-10 && model.delta == 0);
  }
  assert_true(set.hockney.alpha == 110.65e-6 && set.loggp.L == 106.6e-6 && set.loggp.G == 0.0859e-6);
  /* g < o: the gap is o up to where g + (m - 1) G takes over */
  double crossing = 1 + 18.5 / 0.0859;
  assert_near(tutti_plogp_g(&set.plogp, 1), 19.5e-6, 1e-12);
  assert_near(tutti_plogp_g(&set.plogp, crossing), 19.5e-6, 1e-9);
  assert_near(tutti_plogp_g(&set.plogp, 1e6), 1e-6 + (1e6 - 1) * 0.0859e-6, 1e-9);
  assert_near(set.plogp.L + tutti_plogp_g(&set.plogp, 1e6), 106.6e-6 + 39e-6 + (1e6 - 1) * 0.0859e-6, 1e-9);
  assert_true(tutti_plogp_o_s(&set.plogp, 5) == 19.5e-6 && tutti_plogp_o_r(&set.plogp, 1e6) == 19.5e-6);
}

/* Where g >= o the way there and back by table 4.1 changes nothing. */
TEST(plogp_of_loggp_is_the_inverse_of_table_4_1)
{
  tutti_platform boba = grig();
  boba.published_L = 30.4e-6;
  boba.published_o = 8.15e-6;
  boba.published_g = 8.683e-6;
  boba.published_G = 0.015e-6;
  FREED_BY(tutti_parameter_set_free) tutti_parameter_set set = published(&boba);
  tutti_loggp back = tutti_loggp_from_plogp(&set.plogp);
  assert_near(back.L, boba.published_L, 1e-12);
  assert_near(back.o, boba.published_o, 1e-12);
  assert_near(back.g, boba.published_g, 1e-12);
  assert_near(back.G, boba.published_G, 1e-12);
}

TEST(incomplete_publications_are_told)
{
  tutti_parameter_set set;
  tutti_model model;
  tutti_platform platform = grig();
  platform.published_g = platform.published_gamma = NAN;
  set = published(&platform);
  assert_true(set.has[TUTTI_MODEL_HOCKNEY] && !set.has[TUTTI_MODEL_LOGGP] && !set.has[TUTTI_MODEL_PLOGP]);
  assert_int_equal(tutti_parameter_set_model(&set, TUTTI_MODEL_LOGGP, &model, REASON), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message, "the published parameters do not give the model loggp");
  assert_int_equal(tutti_parameter_set_model(&set, TUTTI_MODEL_HOCKNEY, &model, REASON), TUTTI_OK);
  assert_true(model.gamma == 0);
  tutti_parameter_set_free(&set);
  platform.published_beta = NAN;
  assert_int_equal(tutti_parameter_set_published(&platform, &set, REASON), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message,
                      "grig.xml publishes no complete model: alpha and beta, or L, o, g and G are needed");
}
