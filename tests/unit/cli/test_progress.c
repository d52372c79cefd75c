/* The end of a run that progress shows: it counts down. */
#include "cli/output/output.h"
#include "unit/test.h"

static tutti_progress progress_at(double seconds, double done)
{
  return (tutti_progress){
      .measured = (size_t)(done * 100), .planned = 100, .cost = 1, .cost_measured = done, .seconds = seconds};
}

TEST(what_is_left_counts_down)
{
  struct progress_display display = {.quiet = true};
  tutti_progress progress = progress_at(10, 0.5);
  double before = progress_left(&display, &progress);
  assert_float_equal(before, 10, 1e-9);
  /* Slower and slower: as if the end moved away. */
  for (int second = 11; second < 18; second++) {
    progress = progress_at(second, 0.5 + 0.04 * (second - 10));
    double left = progress_left(&display, &progress);
    assert_true(left < before);
    before = left;
  }
}

/* Nothing is said by the first points, and "1 s left" not again and again. */
TEST(no_end_is_made_up)
{
  struct progress_display display = {.quiet = true};
  tutti_progress progress = progress_at(0.5, 0.01);
  assert_true(isnan(progress_left(&display, &progress)));
  progress = progress_at(0.5, 0.1);
  assert_float_equal(progress_left(&display, &progress), 4.5, 1e-9);
  progress = progress_at(6, 0.7); /* the end was to be at 5 s */
  assert_float_equal(progress_left(&display, &progress), 6 * 0.3 / 0.7, 1e-9);
}

/* 10 launches of 10 s, each of which starts for 9: half of the first one's points say nothing of the 9 s. */
TEST(launches_that_start_slowly_are_expected)
{
  struct progress_display display = {.quiet = true};
  tutti_progress progress = progress_at(9.5, 0.05);
  progress.starting = 9;
  progress.starting_left = 81;
  assert_float_equal(progress_left(&display, &progress), 90.5, 1e-6);
  progress.seconds = 19.5;
  progress.cost_measured = 0.15;
  progress.measured = 15;
  progress.starting = 18;
  progress.starting_left = 72;
  assert_float_equal(progress_left(&display, &progress), 80.5, 1e-6);
}

TEST(an_end_that_was_far_off_moves)
{
  struct progress_display display = {.quiet = true};
  tutti_progress progress = progress_at(10, 0.5);
  progress_left(&display, &progress);
  progress = progress_at(100, 0.51);
  assert_true(progress_left(&display, &progress) > 90);
  progress = progress_at(101, 0.99); /* and faster at once */
  assert_true(progress_left(&display, &progress) < 2);
  progress = progress_at(102, 1);
  assert_true(isnan(progress_left(&display, &progress)));
}

/* What a run shows, ten times a second, whose rate is @p early until @p turn seconds, and @p late from then on; with
   @p noise the rate jumps up and down by that share. Once the rate has been the same for 3 s and a quarter of the run
   so far, what is shown is right but for a factor of two and a second. Returns how often it counts up. */
static int count_ups(double early, double late, double turn, double noise)
{
  struct progress_display display = {.quiet = true};
  double done = 0, before = INFINITY;
  int ups = 0;
  for (int step = 1; done < 0.99; step++) {
    double seconds = 0.1 * step, rate = seconds <= turn ? early : late;
    done += 0.1 * rate * (step % 2 ? 1 + noise : 1 - noise);
    tutti_progress progress = progress_at(seconds, fmin(done, 1));
    double left = progress_left(&display, &progress), truth = (1 - done) / rate;
    if (isnan(left))
      continue;
    ups += left > before;
    before = left;
    if (seconds > turn && seconds > 1.25 * turn + 3) {
      assert_true(left >= truth / 2 - 1);
      assert_true(left <= 2 * truth + 1);
    }
  }
  return ups;
}

/* 1 % is done when a point of half the rest begins, which takes what it should, and longer. */
TEST(a_long_point_moves_no_end)
{
  struct progress_display display = {.quiet = true};
  tutti_progress progress = progress_at(4, 0.01);
  progress.under_way = 0.5;
  double before = progress_left(&display, &progress);
  assert_float_equal(before, 396, 1e-9);
  for (progress.seconds = 5; progress.seconds < 204; progress.seconds++) {
    double left = progress_left(&display, &progress);
    assert_true(left < before);
    before = left;
  }
  progress.seconds = 320;
  assert_true(isnan(progress_left(&display, &progress)));
  progress = progress_at(340, 0.51);
  assert_float_equal(progress_left(&display, &progress), 340 * 0.49 / 0.51, 1e-6);
  progress.seconds = 900; /* nobody knows what is under way */
  assert_true(isnan(progress_left(&display, &progress)));
}

TEST(an_end_follows_a_falling_rate)
{
  assert_in_range(count_ups(0.2, 0.05, 2, 0), 1, 6);
  assert_in_range(count_ups(0.02, 0.004, 20, 0), 1, 6);
  assert_in_range(count_ups(0.0002, 0.00005, 2000, 0), 1, 6);
}

TEST(noise_moves_no_end)
{
  assert_int_equal(count_ups(0.1, 0.1, 0, 0.3), 0);
  assert_int_equal(count_ups(0.01, 0.01, 0, 0.3), 0);
}
