/* Arrival patterns and noise: their words are read as the headers say and printed canonically, faults name the word,
   draws depend on seed and rank alone, and noise strikes when it should. */
#include "tutti/pattern.h"
#include "unit/base/scratch_file.h"
#include "unit/test.h"

static tutti_arrival arrival_of(const char *text)
{
  tutti_arrival arrival;
  assert_ok(tutti_arrival_parse(text, &arrival, REASON), error);
  return arrival;
}

static tutti_noise noise_of(const char *text)
{
  tutti_noise noise;
  assert_ok(tutti_noise_parse(text, &noise, REASON), error);
  return noise;
}

TEST(test_words_are_canonical)
{
  static const char *const arrivals[][2] = {
      {"none", "none"},
      {"uniform/100us", "uniform/100us/seed=1"},
      {"uniform/1.5ms/seed=7", "uniform/1500us/seed=7"},
      {"uniform/0.000001s/seed=9223372036854775807", "uniform/1us/seed=9223372036854775807"},
      {"straggler/1000us", "straggler/1ms/seed=1"},
      {"straggler/1000s/rank=0", "straggler/1000s/rank=0"},
      {"straggler/1ns/rank=2147483646", "straggler/1ns/rank=2147483646"},
      {"sorted/2.50ms", "sorted/2500us"},
      {"reversed/1001ns", "reversed/1001ns"},
      {"trace/late.txt/sum=0123abcd", "trace/late.txt/sum=0123abcd"},
  };
  static const char *const noises[][2] = {
      {"none", "none"},
      {"detour/10ms/25us", "detour/10ms/25us/seed=1"},
      {"detour/1s/999999999ns/seed=3", "detour/1s/999999999ns/seed=3"},
      {"exponential/2us", "exponential/2us/seed=1"},
      {"spread/5%", "spread/5%/seed=1"},
      {"spread/2.50%/outliers=0.1%/by=4.2/seed=9", "spread/2.5%/outliers=0.1%/by=4.2/seed=9"},
  };
  char text[TUTTI_ARRIVAL_LENGTH];
  for (size_t i = 0; i < sizeof arrivals / sizeof *arrivals; i++) {
    tutti_arrival arrival = arrival_of(arrivals[i][0]), again = arrival_of(arrivals[i][1]);
    assert_string_equal(tutti_arrival_format(&arrival, text), arrivals[i][1]);
    assert_int_equal(tutti_arrival_compare(&arrival, &again), 0);
    for (size_t j = 0; j < i; j++) {
      tutti_arrival other = arrival_of(arrivals[j][0]);
      int order = tutti_arrival_compare(&arrival, &other);
      assert_true(order != 0 && order == -tutti_arrival_compare(&other, &arrival));
    }
  }
  for (size_t i = 0; i < sizeof noises / sizeof *noises; i++) {
    tutti_noise noise = noise_of(noises[i][0]);
    assert_string_equal(tutti_noise_format(&noise, text), noises[i][1]);
    for (size_t j = 0; j < i; j++) {
      tutti_noise other = noise_of(noises[j][0]);
      assert_int_not_equal(tutti_noise_compare(&noise, &other), 0);
    }
  }
}

TEST(test_faults_name_the_word)
{
  static const char *const arrivals[][2] = {
      {"", "known are none"},
      {"late/1ms", "known are none"},
      {"none/1ms", "'1ms' does not belong"},
      {"uniform", "its span is ''"},
      {"uniform/", "its span is ''"},
      {"uniform/1", "its span is '1'"},
      {"uniform/-1us", "'-1us'"},
      {"uniform/1 us", "'1 us'"},
      {"uniform/0us", "'0us'"},
      {"uniform/1.5ns", "'1.5ns'"},
      {"uniform/1001s", "'1001s'"},
      {"uniform/1e3us", "'1e3us'"},
      {"uniform/1.us", "'1.us'"},
      {"uniform/.5us", "'.5us'"},
      {"uniform/1us/seed=x", "'seed=x'"},
      {"uniform/1us/seed=", "'seed='"},
      {"uniform/1us/", "'/'"},
      {"uniform/1us/rank=1", "'rank=1'"},
      {"sorted/1us/seed=1", "'seed=1'"},
      {"straggler/1us/rank=3/seed=1", "'seed=1'"},
      {"uniform/1us/seed=9223372036854775808", "9223372036854775808"},
      {"straggler/1us/rank=2147483647", "rank="},
      {"trace/late.txt", "sum of the trace is missing"},
      {"trace/l\xe4te.txt/sum=00000000", "the name of its file is not UTF-8"},
      {"trace/a/b/sum=00000000", "missing"},
      {"trace/sum=00000000", "missing"},
      {"trace//sum=00000000", "missing"},
  };
  static const char *const noises[][2] = {
      {"detours/1ms/1us", "known are none"},
      {"detour/1ms", "its duration is ''"},
      {"detour/1us/1ms", "shorter"},
      {"detour/1ms/1ms", "shorter"},
      {"exponential/x", "its mean is 'x'"},
      {"none/seed=1", "'seed=1'"},
      {"exponential/1us/seed=1/2", "'2'"},
      {"spread/5", "'5' is not a spread and a number above 0 with %"},
      {"spread/101%", "100 %"},
      {"spread/5%/outliers=1%", "is not by= and a number above 0"},
  };
  for (size_t i = 0; i < sizeof arrivals / sizeof *arrivals; i++) {
    tutti_arrival arrival;
    if (tutti_arrival_parse(arrivals[i][0], &arrival, REASON) != TUTTI_ERR_ARGUMENT)
      fail_msg("'%s' is read", arrivals[i][0]);
    assert_contains(error.message, arrivals[i][1]);
  }
  for (size_t i = 0; i < sizeof noises / sizeof *noises; i++) {
    tutti_noise noise;
    assert_fails(tutti_noise_parse(noises[i][0], &noise, REASON), TUTTI_ERR_ARGUMENT, error, noises[i][1]);
  }
}

enum { RANKS = 1000 };

TEST(test_delays)
{
  tutti_arrival none = arrival_of("none"), sorted = arrival_of("sorted/100us"), reversed = arrival_of("reversed/100us"),
                third = arrival_of("straggler/5ms/rank=3");
  for (int rank = 0; rank < 5; rank++) {
    assert_int_equal(tutti_arrival_delay(&none, NULL, rank, 5), 0);
    assert_int_equal(tutti_arrival_delay(&sorted, NULL, rank, 5), 25000 * rank);
    assert_int_equal(tutti_arrival_delay(&reversed, NULL, rank, 5), 25000 * (4 - rank));
    assert_int_equal(tutti_arrival_delay(&third, NULL, rank, 5), rank == 3 ? 5000000 : 0);
  }
  assert_int_equal(tutti_arrival_delay(&sorted, NULL, 0, 1), 0);
  assert_int_equal(tutti_arrival_delay(&reversed, NULL, 0, 1), 0);
  assert_int_equal(tutti_arrival_latest(&sorted, NULL, 7), 100000);
  assert_int_equal(tutti_arrival_latest(&none, NULL, 7), 0);
  assert_int_equal(tutti_arrival_check(&third, 4, NULL), TUTTI_OK);
  assert_int_equal(tutti_arrival_check(&third, 3, NULL), TUTTI_ERR_UNSUPPORTED);
}

/* The mean of 1000 draws from [0, 1) is 0.5 give or take 5 * 0.29 / sqrt(1000). */
TEST(test_draws)
{
  tutti_arrival one = arrival_of("uniform/1ms/seed=1"), two = arrival_of("uniform/1ms/seed=2");
  double sum = 0;
  int same = 0;
  uint64_t latest = 0;
  for (int rank = 0; rank < RANKS; rank++) {
    uint64_t delay = tutti_arrival_delay(&one, NULL, rank, RANKS);
    assert_true(delay < 1000000);
    assert_int_equal(delay, tutti_arrival_delay(&one, NULL, rank, rank + 1));
    same += delay == tutti_arrival_delay(&two, NULL, rank, RANKS);
    latest = delay > latest ? delay : latest;
    sum += (double)delay / 1e6;
  }
  assert_true(sum > RANKS * 0.454 && sum < RANKS * 0.546);
  assert_true(same < 5);
  assert_int_equal(tutti_arrival_latest(&one, NULL, RANKS), latest);
  /* The same on every machine. */
  assert_int_equal(tutti_arrival_delay(&one, NULL, 0, 2), 254213);
  assert_int_equal(tutti_arrival_delay(&one, NULL, 1, 2), 491463);
}

TEST(test_one_rank_straggles)
{
  int chosen[8] = {0};
  char text[TUTTI_ARRIVAL_LENGTH];
  for (int seed = 0; seed < 800; seed++) {
    snprintf(text, sizeof text, "straggler/1ms/seed=%d", seed);
    tutti_arrival arrival = arrival_of(text);
    int late = 0;
    for (int rank = 0; rank < 8; rank++) {
      uint64_t delay = tutti_arrival_delay(&arrival, NULL, rank, 8);
      assert_true(delay == 0 || delay == 1000000);
      late += delay > 0;
      chosen[rank] += delay > 0;
    }
    assert_int_equal(late, 1);
  }
  for (int rank = 0; rank < 8; rank++)
    assert_true(chosen[rank] > 50 && chosen[rank] < 150);
}

TEST(test_traces)
{
  char directory[] = "/tmp/tutti-arrival-XXXXXX", path[64], word[TUTTI_ARRIVAL_LENGTH];
  tutti_arrival arrival, again;
  tutti_trace trace, same;
  assert_non_null(mkdtemp(directory));
  snprintf(path, sizeof path, "%s/late.txt", directory);
  write_file(path, "# recorded\n1us\n\n  2.5us \r\n0s");
  assert_int_equal(tutti_arrival_read("trace/late.txt", directory, &arrival, &trace, NULL), TUTTI_OK);
  assert_int_equal(trace.count, 3);
  static const uint64_t expected[] = {1000, 2500, 0, 1000, 2500};
  for (int rank = 0; rank < 5; rank++)
    assert_int_equal(tutti_arrival_delay(&arrival, &trace, rank, 5), expected[rank]);
  assert_int_equal(tutti_arrival_latest(&arrival, &trace, 1), 1000);
  /* The canonical word stands for these delays alone. */
  tutti_arrival_format(&arrival, word);
  assert_int_equal(tutti_arrival_read(word, directory, &again, &same, NULL), TUTTI_OK);
  assert_int_equal(tutti_arrival_compare(&arrival, &again), 0);
  assert_true(tutti_trace_is_of(&same, &arrival));
  tutti_trace_free(&same);
  write_file(path, "1us\n2us\n");
  assert_fails(tutti_arrival_read(word, directory, &again, &same, REASON), TUTTI_ERR_ARGUMENT, error, "other delays");
  tutti_trace_free(&same);
  write_file(path, "1us\n2\n");
  assert_fails(tutti_arrival_read("trace/late.txt", directory, &again, &same, REASON), TUTTI_ERR_ARGUMENT, error,
               "late.txt:2: '2'");
  tutti_trace_free(&same);
  write_file(path, "# nothing\n");
  assert_int_equal(tutti_arrival_read("trace/late.txt", directory, &again, &same, REASON), TUTTI_ERR_ARGUMENT);
  unlink(path);
  assert_fails(tutti_arrival_read("trace/late.txt", directory, &again, &same, REASON), TUTTI_ERR_IO, error, path);
  tutti_trace_free(&trace);
  rmdir(directory);
}

TEST(test_lists)
{
  tutti_patterns patterns;
  assert_int_equal(
      tutti_patterns_read(" none uniform/1ms  uniform/1000us/seed=1 sorted/1ms ", NULL, " ", NULL, &patterns, NULL),
      TUTTI_OK);
  assert_int_equal(patterns.arrival_count, 3);
  assert_int_equal(patterns.arrivals[2].kind, TUTTI_ARRIVAL_SORTED);
  assert_int_equal(patterns.noise_count, 1);
  assert_int_equal(patterns.noises[0].kind, TUTTI_NOISE_NONE);
  tutti_patterns_free(&patterns);
  assert_fails(tutti_patterns_read("none,bad", NULL, ",", NULL, &patterns, REASON), TUTTI_ERR_ARGUMENT, error, "'bad'");
  assert_fails(tutti_patterns_read(NULL, " ", " ", NULL, &patterns, REASON), TUTTI_ERR_ARGUMENT, error,
               "noises is empty");
  assert_null(patterns.arrivals);
}

/* The processor one nanosecond after the other. */
static uint64_t finish_step_by_step(const tutti_noise *noise, uint64_t phase, uint64_t begin, uint64_t work)
{
  while (work > 0)
    work -= tutti_noise_pause(noise, phase, begin++) == 0;
  return begin;
}

TEST(test_detours)
{
  const tutti_noise noise = noise_of("detour/10ns/3ns");
  for (uint64_t phase = 0; phase < 10; phase++)
    for (uint64_t now = 0; now < 40; now++) {
      uint64_t since = (now + 10 - phase) % 10, pause = tutti_noise_pause(&noise, phase, now);
      assert_int_equal(pause, since < 3 ? 3 - since : 0);
      for (uint64_t work = 1; pause == 0 && work < 40; work++)
        assert_int_equal(tutti_noise_finish(&noise, phase, now, work), finish_step_by_step(&noise, phase, now, work));
    }
}

TEST(test_jitter)
{
  const tutti_noise noise = noise_of("exponential/1ms/seed=5");
  double sum = 0;
  int beyond = 0;
  for (int rank = 0; rank < 10; rank++)
    for (uint64_t index = 0; index < 1000; index++) {
      uint64_t delay = tutti_noise_jitter(&noise, rank, index);
      sum += (double)delay / 1e6;
      beyond += delay > 3000000;
    }
  assert_true(sum > 9500 && sum < 10500);    /* 10000 give or take 5 * 100 */
  assert_true(beyond > 390 && beyond < 606); /* 10000 exp(-3) = 498, give or take 5 * 22 */
  assert_int_not_equal(tutti_noise_jitter(&noise, 0, 0), tutti_noise_jitter(&noise, 1, 0));
}

TEST(test_spread)
{
  const tutti_noise noise = noise_of("spread/5%/outliers=1%/by=4/seed=5"), other = noise_of("spread/5%/seed=6");
  tutti_method method;
  double sum = 0, squares = 0;
  int outliers = 0;
  assert_int_equal(tutti_method_parse("bcast/binomial", &method, NULL), TUTTI_OK);
  for (uint64_t bytes = 0; bytes < 10000; bytes++) {
    double factor = tutti_noise_factor(&noise, &method, 8, 0, bytes);
    outliers += factor > 2;
    factor /= factor > 2 ? 4 : 1;
    sum += log(factor);
    squares += log(factor) * log(factor);
  }
  assert_true(fabs(sum / 10000) < 5 * 0.05 / 100);
  assert_true(fabs(sqrt(squares / 10000) - 0.05) < 5 * 0.05 / 141);
  assert_true(outliers > 50 && outliers < 150);
  assert_true(tutti_noise_factor(&noise, &method, 8, 0, 1) == tutti_noise_factor(&noise, &method, 8, 0, 1));
  assert_true(tutti_noise_factor(&noise, &method, 8, 0, 1) != tutti_noise_factor(&noise, &method, 9, 0, 1));
  assert_true(tutti_noise_factor(&noise, &method, 8, 0, 1) != tutti_noise_factor(&noise, &method, 8, 1, 1));
  assert_true(tutti_noise_factor(&noise, &method, 8, 0, 1) != tutti_noise_factor(&other, &method, 8, 0, 1));
  assert_true(tutti_noise_factor(&(tutti_noise){0}, &method, 8, 0, 1) == 1);
}

TEST(test_native_methods_suffer_no_noise)
{
  const tutti_noise none = noise_of("none"), some = noise_of("exponential/1ms"), spread = noise_of("spread/5%");
  tutti_method native, ours;
  assert_int_equal(tutti_method_parse("bcast/native", &native, NULL), TUTTI_OK);
  assert_int_equal(tutti_method_parse("bcast/binomial", &ours, NULL), TUTTI_OK);
  assert_int_equal(tutti_noise_check(&none, &native, NULL), TUTTI_OK);
  assert_int_equal(tutti_noise_check(&some, &ours, NULL), TUTTI_OK);
  assert_int_equal(tutti_noise_check(&spread, &native, NULL), TUTTI_OK);
  assert_fails(tutti_noise_check(&some, &native, REASON), TUTTI_ERR_UNSUPPORTED, error, "bcast/native");
}
