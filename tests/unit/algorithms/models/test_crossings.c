/* Intervals and tolerances of given functions against all crossings of their lines. */
#include "base/splitmix64.h"
#include "tutti/sensitivity.h"
#include "unit/test.h"

/* From 0.5 to 1.5, never the same again. */
static double drawn(uint64_t *seed)
{
  return 0.5 + (double)(tutti_splitmix64_next(seed) >> 11) * 0x1p-53;
}

enum { FUNCTIONS = 5, LINES = 4 };

/* Each the maximum of lines. */
struct maxima {
  double at_0[FUNCTIONS][LINES], slope[FUNCTIONS][LINES];
  int passes;
};

static tutti_status maximum(const void *context, int function, double x, tutti_line *line, tutti_error *reason)
{
  struct maxima *m = (struct maxima *)(uintptr_t)context;
  (void)reason;
  *line = (tutti_line){.x = x, .seconds = -1};
  m->passes++;
  for (int i = 0; i < LINES; i++) {
    const double seconds = m->at_0[function][i] + m->slope[function][i] * x;
    if (seconds > line->seconds)
      *line = (tutti_line){x, seconds, m->slope[function][i]};
  }
  return TUTTI_OK;
}

static double time_at(const struct maxima *m, int function, double x)
{
  tutti_line line;
  struct maxima copy = *m;
  maximum(&copy, function, x, &line, NULL);
  return line.seconds;
}

static int least_at(const struct maxima *m, double x)
{
  int least = 0;
  for (int f = 1; f < FUNCTIONS; f++)
    if (time_at(m, f, x) < time_at(m, least, x))
      least = f;
  return least;
}

static int compare_numbers(const void *a, const void *b)
{
  const double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

/* The least function changes where two lines cross, if anywhere: the nearest such place on a side of x. */
static double change_beside(const struct maxima *m, double x, double end)
{
  double places[FUNCTIONS * LINES * FUNCTIONS * LINES + 2];
  int count = 0, chosen = least_at(m, x);
  for (int i = 0; i < FUNCTIONS * LINES; i++)
    for (int j = 0; j < i; j++) {
      const int f = i / LINES, l = i % LINES, g = j / LINES, k = j % LINES;
      const double crossing = (m->at_0[f][l] - m->at_0[g][k]) / (m->slope[g][k] - m->slope[f][l]);
      if (crossing > fmin(x, end) && crossing < fmax(x, end))
        places[count++] = crossing;
    }
  places[count++] = x, places[count++] = end;
  qsort(places, (size_t)count, sizeof *places, compare_numbers);
  for (int i = 0; i + 1 < count; i++) {
    const int at = end > x ? i : count - 2 - i;
    if (least_at(m, (places[at] + places[at + 1]) / 2) != chosen)
      return end > x ? places[at] : places[at + 1];
  }
  return end > x ? INFINITY : 0;
}

static struct maxima drawn_maxima(uint64_t *seed)
{
  struct maxima m = {.passes = 0};
  for (int f = 0; f < FUNCTIONS; f++)
    for (int i = 0; i < LINES; i++) {
      m.slope[f][i] = pow(16, 2 * drawn(seed) - 2);
      m.at_0[f][i] = 30 * drawn(seed) / (1 + m.slope[f][i]);
    }
  return m;
}

TEST(test_intervals)
{
  uint64_t seed = 3;
  int passes = 0, ends[2] = {0, 0};
  for (int round = 0; round < 2000; round++) {
    struct maxima m = drawn_maxima(&seed);
    const tutti_times_of_x times = {maximum, &m, FUNCTIONS, 0};
    const double x = 4 * drawn(&seed);
    const int chosen = least_at(&m, x);
    tutti_interval found;
    assert_ok(tutti_sensitivity_interval(&times, chosen, x, &found, REASON), error);
    passes += m.passes;
    const double from = change_beside(&m, x, 0), to = change_beside(&m, x, x * TUTTI_SENSITIVITY_SPAN);
    ends[0] += from > 0, ends[1] += isfinite(to);
    assert_true(fabs(found.from - from) <= 1e-7 * x);
    assert_true(found.to == to || fabs(found.to - to) <= 1e-7 * to);
    assert_true((found.below >= 0) == (from > 0) && (found.above >= 0) == isfinite(to));
    if (found.above >= 0)
      assert_int_equal(found.above, least_at(&m, found.to * (1 + 1e-6)));
  }
  print_message("%d passes an interval of %d functions\n", passes / 2000, FUNCTIONS);
  assert_true(ends[0] > 200 && ends[1] > 200);
}

TEST(test_tolerances)
{
  static const double shares[TUTTI_TOLERANCES] = {0.01, 0.02, 0.05};
  uint64_t seed = 7;
  for (int round = 0; round < 2000; round++) {
    struct maxima m = drawn_maxima(&seed);
    const tutti_times_of_x times = {maximum, &m, 1, 0};
    const double x = drawn(&seed), now = time_at(&m, 0, x);
    double more[TUTTI_TOLERANCES], jump_at;
    assert_ok(tutti_sensitivity_tolerances(&times, 0, x, more, &jump_at, REASON), error);
    assert_true(m.passes < 40 && isnan(jump_at));
    for (int t = 0; t < TUTTI_TOLERANCES; t++) {
      double expected = INFINITY;
      for (int i = 0; i < LINES; i++)
        expected = fmin(expected, (now * (1 + shares[t]) - m.at_0[0][i]) / m.slope[0][i] - x);
      if (expected <= x * (TUTTI_SENSITIVITY_SPAN - 1))
        assert_true(fabs(more[t] - expected) <= 1e-6 * x);
      else
        assert_true(isinf(more[t]));
    }
  }
}

/* A time that jumps, and one that is not the least. */
static tutti_status jump(const void *context, int function, double x, tutti_line *line, tutti_error *reason)
{
  (void)context, (void)reason;
  *line = function == 0 ? (tutti_line){x, x < 7 ? 100 + x : 111 + x, 1} : (tutti_line){x, 110 + x, 1};
  return TUTTI_OK;
}

TEST(test_jumps)
{
  const tutti_times_of_x times = {jump, NULL, 2, 0};
  tutti_interval found;
  double more[TUTTI_TOLERANCES], jump_at;
  assert_ok(tutti_sensitivity_interval(&times, 0, 2, &found, REASON), error);
  assert_true(found.from == 0 && fabs(found.to - 7) < 1e-6 && found.above == 1);
  assert_ok(tutti_sensitivity_interval(&times, 1, 2, &found, REASON), error);
  assert_true(isnan(found.from) && isnan(found.to) && found.above == 0);
  assert_ok(tutti_sensitivity_tolerances(&times, 0, 2, more, &jump_at, REASON), error);
  assert_true(fabs(more[0] - 1.02) < 1e-6 && fabs(more[1] - 2.04) < 1e-6 && fabs(more[2] - 5) < 1e-6);
  assert_true(jump_at == more[2]);
}

/* A time that is longer at 0 and at 1, where two lines meet, alone. */
static tutti_status blips(const void *context, int function, double x, tutti_line *line, tutti_error *reason)
{
  const bool low = x < 1, longer = x == 0 || fabs(x - 1) < 1e-8;
  (void)context, (void)reason;
  *line = function == 1 ? (tutti_line){x, 110, 0}
          : longer      ? (tutti_line){x, 120, 0}
          : low         ? (tutti_line){x, 100.5 + x / 2, 0.5}
                        : (tutti_line){x, 100 + x, 1};
  return TUTTI_OK;
}

TEST(test_single_values_are_no_ends)
{
  tutti_times_of_x times = {blips, NULL, 2, 0};
  tutti_interval found;
  assert_ok(tutti_sensitivity_interval(&times, 0, 2, &found, REASON), error);
  assert_true(found.from == 0 && found.below == -1 && fabs(found.to - 10) < 1e-6 && found.above == 1);
  times.least = 0.5;
  assert_ok(tutti_sensitivity_interval(&times, 0, 2, &found, REASON), error);
  assert_true(found.from == 0.5 && found.below == -1);
  assert_ok(tutti_sensitivity_interval(&times, 1, 12, &found, REASON), error);
  assert_true(fabs(found.from - 10) < 1e-6 && found.below == 0 && isinf(found.to));
}

static tutti_status fail_at_8(const void *context, int function, double x, tutti_line *line, tutti_error *reason)
{
  (void)context, (void)function;
  *line = (tutti_line){x, 1 + x, 1};
  return x < 8 ? TUTTI_OK : tutti_fail(reason, TUTTI_ERR_FAULT, "no time at %.4g", x);
}

TEST(test_failures_are_handed_on)
{
  const tutti_times_of_x times = {fail_at_8, NULL, 1, 0};
  double more[TUTTI_TOLERANCES], jump_at;
  assert_int_equal(tutti_sensitivity_tolerances(&times, 0, 7.9, more, &jump_at, REASON), TUTTI_ERR_FAULT);
  assert_string_equal(error.message, "no time at 8.078");
  assert_true(fabs(more[0] - 0.089) < 1e-6 && isnan(more[1]) && isnan(more[2]));
}
