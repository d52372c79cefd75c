/* Sets of places, of which the least is asked for. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include "harness/engine/places.h"

static void test_the_least_of_a_set(void **state)
{
  (void)state;
  struct engine_places places = {0};
  assert_false(tutti_places_remove(&places, 5));
  tutti_places_add(&places, 63);
  assert_int_equal(tutti_places_least(&places), 63);
  tutti_places_add(&places, 4000);
  tutti_places_add(&places, 64);
  assert_int_equal(tutti_places_least(&places), 63);
  assert_true(tutti_places_remove(&places, 63));
  assert_int_equal(tutti_places_least(&places), 64);
  assert_true(tutti_places_remove(&places, 64));
  assert_false(tutti_places_remove(&places, 64));
  assert_int_equal(tutti_places_least(&places), 4000);
  assert_int_equal(places.count, 1);
  assert_false(tutti_places_remove(&places, 100000));
  tutti_places_free(&places);
  assert_int_equal(places.count, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_least_of_a_set)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
