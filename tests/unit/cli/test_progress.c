/* The end of a run that progress shows: it counts down. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "cli/output/output.h"

static tutti_progress progress_at(double seconds, double done)
{
  return (tutti_progress){
      .measured = (size_t)(done * 100), .planned = 100, .cost = 1, .cost_measured = done, .seconds = seconds};
}

static void what_is_left_counts_down(void **state)
{
  (void)state;
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
static void no_end_is_made_up(void **state)
{
  (void)state;
  struct progress_display display = {.quiet = true};
  tutti_progress progress = progress_at(0.5, 0.01);
  assert_true(isnan(progress_left(&display, &progress)));
  progress = progress_at(0.5, 0.1);
  assert_float_equal(progress_left(&display, &progress), 4.5, 1e-9);
  progress = progress_at(6, 0.7); /* the end was to be at 5 s */
  assert_float_equal(progress_left(&display, &progress), 6 * 0.3 / 0.7, 1e-9);
}

static void an_end_that_was_far_off_moves(void **state)
{
  (void)state;
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_left_counts_down),
      cmocka_unit_test(an_end_that_was_far_off_moves),
      cmocka_unit_test(no_end_is_made_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
