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

/* A backbone that halves its throughput at twice as many flows as it stands; what a flow that is held up elsewhere
   leaves goes to the others. */
static void test_contention(void **state)
{
  (void)state;
  struct sharing s;
  struct engine_network switched = network;
  switched.backbone = OTHER;
  switched.backbone_contention = (tutti_contention){2, 0.3};
  tutti_sharing_init(&s, &switched, false);
  uint32_t flows[8];
  const double shares[] = {100, 50, 100 * (2 / 3.0) / 3, 12.5, 8, 2 / 0.36, 30 / 7.0, 30 / 8.0};
  for (int i = 0; i < 8; i++) {
    tutti_sharing_join(&s, flows[i] = CREATE(&s, 1, OTHER));
    tutti_sharing_solve(&s);
    for (int j = 0; j <= i; j++)
      assert_float_equal(value(&s, flows[j]), shares[i], 1e-9);
  }
  for (int i = 7; i > 2; i--)
    tutti_sharing_leave(&s, flows[i]);
  tutti_sharing_solve(&s);
  assert_float_equal(value(&s, flows[0]), shares[2], 1e-9);
  uint32_t beside[9];
  for (int i = 0; i < 9; i++) /* hold the next one up */
    tutti_sharing_join(&s, beside[i] = CREATE(&s, 1, NARROW));
  uint32_t held = CREATE(&s, 1, OTHER, NARROW);
  tutti_sharing_join(&s, held);
  tutti_sharing_solve(&s);
  assert_float_equal(value(&s, held), 4, 1e-9);
  assert_float_equal(value(&s, flows[0]), (50 - 4) / 3.0, 1e-9);
  tutti_sharing_free(&s);
}

/* The one way of a cable that leads to a host, or the cable. */
static void test_ports(void **state)
{
  (void)state;
  struct engine_network flat = {.host_count = 2,
                                .split_duplex = true,
                                .backbone = 4,
                                .limiters = ENGINE_NONE,
                                .loopbacks = ENGINE_NONE,
                                .port_contention = {3, 0.5},
                                .backbone_contention = {5, 0.5}};
  static const int split[] = {0, 3, 0, 3, 5}, shared[] = {3, 3, 5};
  for (uint32_t link = 0; link < 5; link++)
    assert_int_equal(tutti_network_contention(&flat, link).messages, split[link]);
  flat.split_duplex = false;
  flat.backbone = 2;
  for (uint32_t link = 0; link < 3; link++)
    assert_int_equal(tutti_network_contention(&flat, link).messages, shared[link]);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_weights),    cmocka_unit_test(test_fat_pipe),
                                     cmocka_unit_test(test_contention), cmocka_unit_test(test_ports),
                                     cmocka_unit_test(test_marking),    cmocka_unit_test(test_one_at_a_time)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
