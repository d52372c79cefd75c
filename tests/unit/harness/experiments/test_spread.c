/* The spread of a fit: its text, intervals, and corrections of the algorithms that the points say something about. */
#include "harness/experiments/calibrate/spread.h"
#include "unit/algorithms/catalogue/method_fixture.h"

static const char even[] = "1 parameters of a machine; allreduce/ring 64 0.3; allgather/ring 1024 -0.3; "
                           "bcast/binomial@openmpi 64 0.3; bcast/chain 64 -0.3";

static struct spread_interval predict(const struct spread *spread, const char *name, uint64_t bytes, bool corrected)
{
  const tutti_method method = parsed(name);
  return tutti_spread_predict(spread, &method, bytes, 1, corrected);
}

TEST(test_text)
{
  FREED_BY(tutti_spread_free) struct spread spread;
  assert_int_equal(tutti_spread_parse(even, &spread, REASON), TUTTI_OK);
  assert_int_equal(spread.count, 4);
  assert_int_equal(spread.parameters, 1);
  assert_string_equal(spread.machine, "a machine");
  FREED_BY(free_memory) char *text = tutti_spread_format(&spread);
  assert_string_equal(text, even);
}

/* Four points and one parameter: the variance is 4 * 0.09 / 3, a quarter of which the parameter adds; 5 % of Student's
   t of three degrees of freedom are above 2.353. */
TEST(test_interval)
{
  FREED_BY(tutti_spread_free) struct spread spread;
  assert_int_equal(tutti_spread_parse(even, &spread, REASON), TUTTI_OK);
  const struct spread_interval interval = predict(&spread, "allreduce/ring", 64, false);
  assert_true(interval.seconds == 1);
  assert_true(fabs(log(interval.upper) / (2.353 * sqrt(0.12 * 1.25)) - 1) < 0.01);
  assert_true(fabs(interval.lower * interval.upper - 1) < 1e-12);
}

/* One algorithm is far off at all sizes: its correction is most of that, near its sizes; others have none, and less
   spread is left to all. */
TEST(test_corrections)
{
  static const char text[] = "1 parameters; allreduce/ring 64 1.0; allreduce/ring 128 1.0; allreduce/ring 256 1.1; "
                             "allreduce/ring 512 0.9; bcast/chain 64 -1.0; bcast/chain 128 -1.0; bcast/chain 256 -0.9; "
                             "bcast/chain 512 -1.1; reduce/linear 64 0.1";
  FREED_BY(tutti_spread_free) struct spread spread;
  assert_int_equal(tutti_spread_parse(text, &spread, REASON), TUTTI_OK);
  assert_true(spread.share > 0);
  const struct spread_interval near = predict(&spread, "allreduce/ring", 128, true),
                               far = predict(&spread, "allreduce/ring", 1 << 30, true),
                               library = predict(&spread, "allreduce/ring@openmpi", 128, true),
                               other = predict(&spread, "allgather/ring", 128, true),
                               plain = predict(&spread, "allreduce/ring", 128, false);
  assert_true(log(near.seconds) > 0.7 && log(near.seconds) < 1.05);
  assert_true(far.seconds > 1 && far.seconds < near.seconds);
  assert_true(library.seconds > 1 && library.seconds < near.seconds);
  assert_true(other.seconds == 1 && plain.seconds == 1);
  assert_true(near.upper / near.lower < plain.upper / plain.lower);
  assert_true(near.upper / near.lower < other.upper / other.lower);
}

/* Nothing in common: there is nothing to correct. */
TEST(test_nothing)
{
  FREED_BY(tutti_spread_free) struct spread spread;
  assert_int_equal(tutti_spread_parse(even, &spread, REASON), TUTTI_OK);
  assert_true(spread.share == 0);
  assert_true(predict(&spread, "allreduce/ring", 64, true).seconds == 1);
}

static void assert_refused(const char *text, const char *reason)
{
  struct spread spread;
  assert_int_equal(tutti_spread_parse(text, &spread, REASON), TUTTI_ERR_ARGUMENT);
  if (!strstr(error.message, reason))
    fail_msg("'%s' is not about '%s'", error.message, reason);
}

TEST(test_refused)
{
  assert_refused("", "does not begin with");
  assert_refused("3", "does not begin with");
  assert_refused("0 parameters", "does not begin with");
  assert_refused("1 parameters in all; allreduce/ring 64 0.5", "does not begin with");
  assert_refused("1 parameters; allreduce/ring 64 0.5", "1 points do not fix 1 parameters");
  assert_refused("1 parameters; allreduce/ringg 64 0.5", "ringg");
  assert_refused("1 parameters; allreduce/ring x 0.5", "bytes and a logarithm");
  assert_refused("1 parameters; allreduce/ring 64", "bytes and a logarithm");
  assert_refused("1 parameters; allreduce/ring 64 nan", "bytes and a logarithm");
}
