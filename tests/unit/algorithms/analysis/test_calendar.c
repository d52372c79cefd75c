/* The queue of events against a sorted array. */
#include "algorithms/analysis/calendar.h"
#include "unit/base/random.h"
#include "unit/test.h"

/* Events go in at random times not before now and come out by time, those of equal times in the order they went in. */
static void run(uint64_t seed, uint64_t spread)
{
  FREED_BY(tutti_calendar_free) struct calendar calendar = {0};
  struct calendar_event event;
  uint64_t random = seed, last = 0, in = 0, out = 0;
  uint32_t last_number = 0;
  bool memory = true;
  for (int round = 0; round < 400; round++) {
    for (uint64_t i = random_below(&random, 9); i > 0; i--) {
      event = (struct calendar_event){calendar.now + random_below(&random, spread), 0, (uint32_t)in++};
      assert_true(tutti_calendar_push(&calendar, event));
    }
    if (!tutti_calendar_pop(&calendar, &event)) {
      tutti_calendar_advance(&calendar, &memory);
      continue;
    }
    out++;
    assert_int_equal(event.time, calendar.now);
    assert_true(event.time > last || (event.time == last && (out == 1 || event.what > last_number)));
    last = event.time;
    last_number = event.what;
  }
  do
    while (tutti_calendar_pop(&calendar, &event)) {
      out++;
      assert_true(event.time > last || (event.time == last && event.what > last_number));
      last = event.time;
      last_number = event.what;
    }
  while (tutti_calendar_advance(&calendar, &memory));
  assert_true(memory);
  assert_int_equal(in, out);
  assert_int_equal(calendar.popped, out);
}

TEST(test_order)
{
  for (uint64_t seed = 1; seed <= 200; seed++)
    for (uint64_t spread = 1; spread < UINT64_C(1) << 52; spread *= 37)
      run(seed, spread);
}
