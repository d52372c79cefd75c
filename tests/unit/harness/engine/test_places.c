/* Sets of places, of which the least is asked for. */
#include "harness/engine/core/places.h"
#include "unit/test.h"

TEST(test_the_least_of_a_set)
{
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
