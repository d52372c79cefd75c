/* Shares of links, beside what can be computed by hand. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include "engine/sharing.h"

/* Links of 100 B/s, one of 40 B/s, one of 100 B/s for each flow. */
enum { WIDE, OTHER, NARROW, PIPE, LINKS };

static const struct engine_network network = {
    .link_count = LINKS,
    .kind_count = 3,
    .kinds = {{WIDE, 100, 1, false}, {NARROW, 40, 1, false}, {PIPE, 100, 1, true}},
};

static uint32_t create(struct sharing *s, double penalty, int count, const uint32_t *links)
{
  struct engine_route route = {.count = count};
  for (int i = 0; i < count; i++)
    route.links[i] = links[i];
  return tutti_sharing_create(s, &route, penalty);
}

#define CREATE(s, penalty, ...)                                                                                        \
  create(s, penalty, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (const uint32_t[]){__VA_ARGS__})

static double value(const struct sharing *s, uint32_t flow)
{
  return s->flows.items[flow].value;
}

/* In proportion to 1 / latency; who is held up elsewhere leaves the rest to others. */
static void test_weights(void **state)
{
  (void)state;
  struct sharing s;
  tutti_sharing_init(&s, &network, false);
  uint32_t near = CREATE(&s, 1, WIDE), far = CREATE(&s, 3, WIDE, OTHER);
  tutti_sharing_join(&s, near);
  tutti_sharing_solve(&s);
  assert_float_equal(value(&s, near), 100, 1e-9);
  tutti_sharing_join(&s, far);
  tutti_sharing_solve(&s);
  assert_float_equal(value(&s, near), 75, 1e-9);
  assert_float_equal(value(&s, far), 25, 1e-9);
  uint32_t held = CREATE(&s, 1, OTHER, NARROW);
  tutti_sharing_join(&s, held);
  tutti_sharing_solve(&s);
  assert_float_equal(value(&s, held), 40, 1e-9);
  tutti_sharing_leave(&s, near);
  tutti_sharing_solve(&s);
  assert_float_equal(value(&s, far), 60, 1e-9);
  tutti_sharing_free(&s);
}

static void test_fat_pipe(void **state)
{
  (void)state;
  struct sharing s;
  tutti_sharing_init(&s, &network, false);
  uint32_t flows[3];
  for (int i = 0; i < 3; i++)
    tutti_sharing_join(&s, flows[i] = CREATE(&s, 2, PIPE));
  tutti_sharing_solve(&s);
  for (int i = 0; i < 3; i++)
    assert_float_equal(value(&s, flows[i]), 100, 1e-9);
  tutti_sharing_free(&s);
}

/* A link that is marked already does not make the other links of a flow be looked at: the rate of the other flow stays.
 */
static void test_marking(void **state)
{
  (void)state;
  struct sharing s;
  tutti_sharing_init(&s, &network, false);
  uint32_t first = CREATE(&s, 1, OTHER), second = CREATE(&s, 1, WIDE, OTHER);
  tutti_sharing_join(&s, first);
  tutti_sharing_solve(&s);
  CREATE(&s, 1, WIDE); /* marks WIDE, as another flow joins through it */
  tutti_sharing_join(&s, second);
  tutti_sharing_solve(&s);
  assert_float_equal(value(&s, second), 100, 1e-9);
  assert_float_equal(value(&s, first), 100, 1e-9);
  tutti_sharing_free(&s);
}

/* Who was created first goes first, if its links are free; a later one overtakes who is held up elsewhere. */
static void test_one_at_a_time(void **state)
{
  (void)state;
  struct sharing s;
  tutti_sharing_init(&s, &network, true);
  uint32_t runs = CREATE(&s, 1, WIDE), elsewhere = CREATE(&s, 1, NARROW), held = CREATE(&s, 1, WIDE, NARROW),
           late = CREATE(&s, 1, WIDE);
  tutti_sharing_join(&s, runs);
  tutti_sharing_join(&s, elsewhere);
  tutti_sharing_join(&s, late);
  tutti_sharing_join(&s, held);
  tutti_sharing_solve(&s);
  assert_true(s.flows.items[runs].joined && s.flows.items[held].staged && s.flows.items[late].staged);
  assert_float_equal(value(&s, elsewhere), 40, 1e-9);
  tutti_sharing_leave(&s, runs);
  assert_true(s.flows.items[held].staged && s.flows.items[late].joined);
  tutti_sharing_leave(&s, late);
  assert_true(s.flows.items[held].staged);
  tutti_sharing_leave(&s, elsewhere);
  assert_true(s.flows.items[held].joined);
  tutti_sharing_solve(&s);
  assert_float_equal(value(&s, held), 40, 1e-9);
  tutti_sharing_free(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_weights), cmocka_unit_test(test_fat_pipe),
                                     cmocka_unit_test(test_marking), cmocka_unit_test(test_one_at_a_time)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
