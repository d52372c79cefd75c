/* How long ranks wait for the last one of a call. */
#include "harness/engine/riders/replay_meet.h"
#include "unit/test.h"

TEST(the_last_rank_waits_for_nobody)
{
  struct meetings meetings = {.first = 0};
  assert_int_equal(tutti_meetings_come(&meetings, 3, 0, 1.0), 0);
  assert_int_equal(tutti_meetings_come(&meetings, 3, 2, 2.0), 0);
  assert_int_equal(tutti_meetings_come(&meetings, 3, 1, 4.0), 0);
  assert_true(tutti_meetings_go(&meetings, 3, 0, 1.0, 5.0) == 3.0);
  assert_true(tutti_meetings_go(&meetings, 3, 0, 2.0, 5.0) == 2.0);
  assert_true(tutti_meetings_go(&meetings, 3, 0, 4.0, 6.0) == 0.0);
  assert_int_equal(meetings.count, 0);
  tutti_meetings_free(&meetings);
}

/* As the root of a broadcast may: it is in call 2 before the other rank comes to call 0. */
TEST(a_rank_may_run_ahead)
{
  struct meetings meetings = {.first = 0};
  for (uint64_t call = 0; call < 3; call++) {
    assert_int_equal(tutti_meetings_come(&meetings, 2, 0, (double)call), call);
    assert_true(tutti_meetings_go(&meetings, 2, call, (double)call, (double)call + 0.5) == 0.5);
  }
  assert_int_equal(meetings.count, 3);
  for (uint64_t call = 0; call < 3; call++) {
    assert_int_equal(tutti_meetings_come(&meetings, 2, 1, 10.0), call);
    assert_true(tutti_meetings_go(&meetings, 2, call, 10.0, 11.0) == 0.0);
  }
  assert_int_equal(meetings.count, 0);
  assert_int_equal(meetings.first, 3);
  tutti_meetings_free(&meetings);
}
