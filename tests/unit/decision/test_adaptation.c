/* Tuning while a program runs: what it costs, and that ranks agree. */
#include "decision/adaptation.h"
#include "tutti/noise.h"
#include "unit/test.h"

/* Seconds of a call. */
struct world {
  const double *seconds; /* [arms] */
  tutti_noise noise;
};

static double call_time(const struct world *world, int arm, uint64_t call)
{
  static const tutti_algorithm algorithm = {.name = "any"};
  const tutti_method method = {.algorithm = &algorithm};
  tutti_noise noise = world->noise;
  noise.seed += call;
  return world->seconds[arm] * tutti_noise_factor(&noise, &method, 2, arm, 8);
}

/* Make calls, and return the seconds that they take. Agreements into *agreed. */
static double run(struct tutti_adaptation *adaptation, const struct world *world, int calls, int *agreed)
{
  double sum = 0;
  for (int c = 0; c < calls; c++) {
    bool trial;
    int count;
    const int arm = tutti_adaptation_pick(adaptation, &trial);
    const double seconds = call_time(world, arm, adaptation->calls);
    assert_in_range(arm, 0, adaptation->arms - 1);
    if (trial && tutti_adaptation_end_trial(adaptation, sum, sum + seconds, &count)) {
      assert_in_range(count, 2, 2 * TUTTI_ADAPT_ARMS * TUTTI_ADAPT_ROUND);
      tutti_adaptation_agree(adaptation);
      ++*agreed;
    }
    sum += seconds;
  }
  return sum;
}

TEST(test_the_fastest_is_found)
{
  const struct world world = {.seconds = (const double[]){1.2, 1.1, 1, 1.05, 3}};
  struct tutti_adaptation adaptation;
  int agreed = 0;
  tutti_adaptation_begin(&adaptation, 5, TUTTI_ADAPT_BUDGET);
  run(&adaptation, &world, 1000, &agreed);
  assert_true(adaptation.decided);
  assert_int_equal(adaptation.favorite, 2);
  assert_int_equal(agreed, 2); /* without noise after four times */
}

/* Exact times: beyond the first, it takes no more than the budget at any time. */
TEST(test_the_loss_is_bounded)
{
  const struct world world = {.seconds = (const double[]){1, 1.9, 1.5, 2, 1.01, 1.2, 1.7, 1.3}};
  for (double budget = 0.01; budget < 1; budget *= 2)
    for (int arms = 1; arms <= TUTTI_ADAPT_ARMS; arms++) {
      struct tutti_adaptation adaptation;
      int agreed = 0;
      double sum = 0;
      tutti_adaptation_begin(&adaptation, arms, budget);
      for (int calls = 1; calls < 5000; calls++) {
        sum += run(&adaptation, &world, 1, &agreed);
        const double behind = 1 + (arms - 1) / budget; /* a block that has begun may have its trials in front */
        assert_true(sum <= (1 + budget) * calls + budget * behind + 1e-9);
      }
      assert_int_equal(adaptation.favorite, 0);
    }
}

/* One that is much slower than expected is tried twice. */
TEST(test_a_slow_one_is_left_soon)
{
  const struct world world = {.seconds = (const double[]){1, 1000}};
  struct tutti_adaptation adaptation;
  int agreed = 0;
  tutti_adaptation_begin(&adaptation, 2, TUTTI_ADAPT_BUDGET);
  assert_true(run(&adaptation, &world, 1000, &agreed) <= 2998 + 1e-9);
  assert_true(adaptation.decided);
  assert_int_equal(agreed, 1);
}

/* The first call of each takes long: of connections, of memory. */
TEST(test_a_slow_first_call_does_not_mislead)
{
  struct tutti_adaptation adaptation;
  int calls[4] = {1, 0, 0, 0}; /* the favorite ran before */
  tutti_adaptation_begin(&adaptation, 4, TUTTI_ADAPT_BUDGET);
  for (int call = 0; call < 1000; call++) {
    bool trial;
    int count;
    const int arm = tutti_adaptation_pick(&adaptation, &trial);
    const double seconds = (calls[arm]++ == 0 ? 100 : 1) * (arm == 2 ? 0.9 : 1 + 0.01 * arm);
    if (trial && tutti_adaptation_end_trial(&adaptation, 0, seconds, &count))
      tutti_adaptation_agree(&adaptation);
  }
  assert_true(adaptation.decided);
  assert_int_equal(adaptation.favorite, 2);
}

TEST(test_noise_does_not_mislead)
{
  int right = 0;
  for (uint64_t seed = 0; seed < 100; seed++) {
    const struct world world = {
        .seconds = (const double[]){1.3, 1, 1.3, 1.5},
        .noise = {.kind = TUTTI_NOISE_SPREAD, .spread = 0.2, .outliers = 0.05, .by = 20, .seed = seed * 1000000}};
    struct tutti_adaptation adaptation;
    int agreed = 0;
    tutti_adaptation_begin(&adaptation, 4, TUTTI_ADAPT_BUDGET);
    run(&adaptation, &world, 5000, &agreed);
    assert_true(adaptation.decided);
    assert_in_range(agreed, 1, 5);
    right += adaptation.favorite == 1;
  }
  assert_in_range(right, 90, 100);
}

/* Whatever a rank sees itself, what it picks hinges on what was agreed only. */
TEST(test_ranks_pick_alike)
{
  struct tutti_adaptation ranks[2];
  for (int r = 0; r < 2; r++)
    tutti_adaptation_begin(&ranks[r], 6, 0.1);
  for (int call = 0; call < 3000; call++) {
    bool trial[2], over[2] = {false, false};
    int count[2] = {0, 0};
    const int first = tutti_adaptation_pick(&ranks[0], &trial[0]), second = tutti_adaptation_pick(&ranks[1], &trial[1]);
    assert_int_equal(first, second);
    assert_int_equal(trial[0], trial[1]);
    for (int r = 0; r < 2 && trial[0]; r++) /* the other one comes late, and its clock is another one */
      over[r] = tutti_adaptation_end_trial(&ranks[r], call + 0.3 * r, call + 0.5 + 0.05 * first + 0.2 * r, &count[r]);
    assert_int_equal(over[0], over[1]);
    assert_int_equal(count[0], count[1]);
    for (int i = 0; over[0] && i < count[0]; i++) {
      const double most = ranks[0].seen[i] > ranks[1].seen[i] ? ranks[0].seen[i] : ranks[1].seen[i];
      ranks[0].seen[i] = ranks[1].seen[i] = most;
    }
    for (int r = 0; r < 2 && over[0]; r++)
      tutti_adaptation_agree(&ranks[r]);
  }
  assert_true(ranks[0].decided && ranks[1].decided);
  assert_int_equal(ranks[0].favorite, 0);
}

/* A program that calls two sizes of a class by turns: its rhythm does not decide. */
TEST(test_a_rhythm_does_not_mislead)
{
  for (int period = 2; period < 9; period++) {
    struct tutti_adaptation adaptation;
    tutti_adaptation_begin(&adaptation, 4, TUTTI_ADAPT_BUDGET);
    for (int call = 0; call < 20000; call++) {
      bool trial;
      int count;
      const int arm = tutti_adaptation_pick(&adaptation, &trial);
      const double seconds = (call % period == 0 ? 2 : 1) * (arm == 3 ? 0.8 : 1);
      if (trial && tutti_adaptation_end_trial(&adaptation, call, call + seconds, &count))
        tutti_adaptation_agree(&adaptation);
    }
    assert_true(adaptation.decided);
    assert_int_equal(adaptation.favorite, 3);
  }
}
