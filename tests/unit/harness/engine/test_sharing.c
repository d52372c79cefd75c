/* Shares of links, beside what can be computed by hand. */
#include "harness/engine/core/sharing.h"
#include "unit/base/random.h"
#include "unit/patience.h"
#include "unit/test.h"

/* Links of 100 B/s, one of 40 B/s, one of 100 B/s for each flow. */
enum { WIDE, OTHER, NARROW, PIPE, LINKS };

static const struct engine_network network = {
    .link_count = LINKS,
    .kind_count = 3,
    .kinds = {{WIDE, {.bandwidth = 100, .latency = 1}},
              {NARROW, {.bandwidth = 40, .latency = 1}},
              {PIPE, {.bandwidth = 100, .latency = 1, .fat_pipe = true}}},
};

static uint32_t create(struct sharing *s, double penalty, int count, const uint32_t *links)
{
  struct engine_route route = {.count = count, .forth = count};
  for (int i = 0; i < count; i++)
    route.links[i] = links[i];
  return tutti_sharing_create(s, &route, 0, penalty, INFINITY);
}

#define CREATE(s, penalty, ...)                                                                                        \
  create(s, penalty, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (const uint32_t[]){__VA_ARGS__})

static double value(const struct sharing *s, uint32_t flow)
{
  return s->flows.items[flow].value;
}

/* SimGrid's way to share, and by levels (levels.h): the same shares. */
static const double tolerances[] = {0, 1e-12};

static void begin(struct sharing *s, const struct engine_network *of, double tolerance)
{
  tutti_sharing_init(s, of, false);
  tutti_sharing_tolerate(s, tolerance);
}

/* In proportion to 1 / latency; who is held up elsewhere leaves the rest to others. */
static void check_weights(double tolerance)
{
  FREED_BY(tutti_sharing_free) struct sharing s;
  begin(&s, &network, tolerance);
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
}

static void check_fat_pipe(double tolerance)
{
  FREED_BY(tutti_sharing_free) struct sharing s;
  begin(&s, &network, tolerance);
  uint32_t flows[3];
  for (int i = 0; i < 3; i++)
    tutti_sharing_join(&s, flows[i] = CREATE(&s, 2, PIPE));
  tutti_sharing_solve(&s);
  for (int i = 0; i < 3; i++)
    assert_float_equal(value(&s, flows[i]), 100, 1e-9);
}

/* A backbone that halves its throughput at twice as many flows as it stands; what a flow that is held up elsewhere
   leaves goes to the others. */
static void check_contention(double tolerance)
{
  FREED_BY(tutti_sharing_free) struct sharing s;
  struct engine_network switched = network;
  switched.backbone = OTHER;
  switched.backbone_contention = (tutti_contention){2, 0.3};
  begin(&s, &switched, tolerance);
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
}

TEST(test_shares)
{
  for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
    check_weights(tolerances[i]);
    check_fat_pipe(tolerances[i]);
    check_contention(tolerances[i]);
  }
}

/* The one way of a cable that leads to a host, or the cable. */
TEST(test_ports)
{
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

/* Cables carry one flow at a time, the backbone between them several, which loses throughput by these. */
TEST(test_limited_cables)
{
  FREED_BY(tutti_sharing_free) struct sharing s;
  struct engine_network switched = network;
  switched.limited = NARROW; /* WIDE and OTHER */
  switched.backbone = NARROW;
  switched.backbone_contention = (tutti_contention){1, 0.25};
  tutti_sharing_init(&s, &switched, false);
  uint32_t first = CREATE(&s, 1, WIDE, NARROW), second = CREATE(&s, 1, OTHER, NARROW),
           third = CREATE(&s, 1, WIDE, NARROW);
  tutti_sharing_join(&s, first);
  tutti_sharing_join(&s, second);
  tutti_sharing_join(&s, third);
  tutti_sharing_solve(&s);
  assert_true(s.flows.items[first].joined && s.flows.items[second].joined && s.flows.items[third].staged);
  assert_float_equal(value(&s, first), 10, 1e-9);
  assert_float_equal(value(&s, second), 10, 1e-9);
  tutti_sharing_leave(&s, second);
  tutti_sharing_solve(&s);
  assert_float_equal(value(&s, first), 40, 1e-9);
  tutti_sharing_leave(&s, first);
  assert_true(s.flows.items[third].joined);
  tutti_sharing_solve(&s);
  assert_float_equal(value(&s, third), 40, 1e-9);
}

/* A link that is marked already does not make the other links of a flow be looked at: the rate of the other flow stays.
 */
TEST(test_marking)
{
  FREED_BY(tutti_sharing_free) struct sharing s;
  tutti_sharing_init(&s, &network, false);
  uint32_t first = CREATE(&s, 1, OTHER), second = CREATE(&s, 1, WIDE, OTHER);
  tutti_sharing_join(&s, first);
  tutti_sharing_solve(&s);
  CREATE(&s, 1, WIDE); /* marks WIDE, as another flow joins through it */
  tutti_sharing_join(&s, second);
  tutti_sharing_solve(&s);
  assert_float_equal(value(&s, second), 100, 1e-9);
  assert_float_equal(value(&s, first), 100, 1e-9);
}

/* Who was created first goes first, if its links are free; a later one overtakes who is held up elsewhere. */
TEST(test_one_at_a_time)
{
  FREED_BY(tutti_sharing_free) struct sharing s;
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
}

/* Links that carry one flow each, or several, and flows in the order of creation, all of which are looked at whenever a
   link is free. */
enum { CROWD = 40, STREETS = 6, LIMITED = 5, MAX_HOPS = 3 };

struct crowd {
  struct sharing s;
  bool busy[STREETS];
  struct walker {
    uint32_t flow, links[MAX_HOPS];
    int hops;
    enum { NEW, HELD, RUNS } state;
  } walkers[CROWD]; /* oldest first */
  int count;
};

static bool has_room(const struct crowd *c, const struct walker *w)
{
  for (int h = 0; h < w->hops; h++)
    if (w->links[h] < LIMITED && c->busy[w->links[h]])
      return false;
  return true;
}

static void run(struct crowd *c, struct walker *w)
{
  w->state = RUNS;
  for (int h = 0; h < w->hops; h++)
    c->busy[w->links[h]] = true;
}

static void give_back(struct crowd *c, uint32_t link)
{
  c->busy[link] = false;
  for (int i = 0; i < c->count && link < LIMITED; i++) {
    struct walker *w = &c->walkers[i];
    bool goes_by = false;
    for (int h = 0; h < w->hops; h++)
      goes_by |= w->links[h] == link;
    if (w->state == HELD && goes_by && has_room(c, w)) {
      run(c, w);
      return;
    }
  }
}

static void create_walker(struct crowd *c, uint64_t *random)
{
  struct walker *w = &c->walkers[c->count++];
  *w = (struct walker){.hops = 1 + (int)random_below(random, MAX_HOPS)};
  const uint32_t first = (uint32_t)random_below(random, STREETS);
  for (int h = 0; h < w->hops; h++)
    w->links[h] = (first + 2 * (uint32_t)h) % STREETS;
  w->flow = create(&c->s, 1, w->hops, w->links);
}

static void move_walker(struct crowd *c, int i)
{
  struct walker *w = &c->walkers[i];
  if (w->state == NEW) {
    has_room(c, w) ? run(c, w) : (void)(w->state = HELD);
    tutti_sharing_join(&c->s, w->flow);
  } else if (w->state == RUNS) {
    const struct walker gone = *w;
    tutti_sharing_leave(&c->s, gone.flow);
    for (c->count--; i < c->count; i++)
      c->walkers[i] = c->walkers[i + 1];
    for (int h = 0; h < gone.hops; h++)
      give_back(c, gone.links[h]);
  }
}

TEST(test_crowd)
{
  static struct crowd c;
  uint64_t random = 1;
  const struct engine_network streets = {
      .link_count = STREETS, .kind_count = 1, .kinds = {{0, {.bandwidth = 100, .latency = 1}}}, .limited = LIMITED};
  tutti_sharing_init(&c.s, &streets, false);
  tutti_sharing_settle(&c.s, 1);
  for (int i = 0; i < 100000; i++) {
    if (c.count < CROWD && (c.count == 0 || random_below(&random, 3) == 0))
      create_walker(&c, &random);
    else
      move_walker(&c, (int)random_below(&random, (uint64_t)c.count));
    for (int w = 0; w < c.count; w++)
      assert_int_equal(c.s.flows.items[c.walkers[w].flow].joined, c.walkers[w].state == RUNS);
    tutti_sharing_solve(&c.s);
  }
  tutti_sharing_free(&c.s);
}

/* Flows at random on a weighted network. By levels each flow has its own bound, or a link that is full and gives no
   flow more for its weight: that is what max-min fairness means (Bertsekas, Gallager, Data Networks, section 6.5.2). */
enum { STREET_LINKS = 30, MOST_FLOWS = 60 };

struct streets {
  struct sharing s;
  uint32_t flows[MOST_FLOWS];
  int count;
  double tolerance;
};

/* What all flows take of it; of a fat pipe what the one takes that takes most. */
static double used_of(const struct streets *c, uint32_t link, double *most_level)
{
  double used = 0;
  *most_level = 0;
  for (int i = 0; i < c->count; i++) {
    const struct sharing_flow *flow = &c->s.flows.items[c->flows[i]];
    for (uint32_t h = 0; h < flow->hop_count; h++)
      if (sharing_hops(&c->s, flow)[h] == link) {
        const double taken = flow->value * sharing_weight(&c->s, flow, h);
        used = c->s.loads[link].fat_pipe ? fmax(used, taken) : used + taken;
        *most_level = fmax(*most_level, flow->value * flow->penalty);
      }
  }
  return used;
}

static void check_streets(const struct streets *c)
{
  double used[STREET_LINKS], most[STREET_LINKS];
  for (uint32_t l = 0; l < STREET_LINKS; l++) {
    used[l] = used_of(c, l, &most[l]);
    assert_true(used[l] <= c->s.links[l].bound * (1 + 1.01 * c->tolerance));
  }
  for (int i = 0; i < c->count; i++) {
    const struct sharing_flow *flow = &c->s.flows.items[c->flows[i]];
    bool held = flow->value >= flow->bound * (1 - 1e-9);
    for (uint32_t h = 0; h < flow->hop_count; h++) {
      const uint32_t l = sharing_hops(&c->s, flow)[h];
      const bool first = flow->value * flow->penalty >= most[l] * (1 - 1e-9);
      held |= first && used[l] >= c->s.links[l].bound * (1 - 1.01 * c->tolerance);
      /* One that fills a fat pipe by itself leaves none a higher level. */
      if (c->s.loads[l].fat_pipe && flow->value * sharing_weight(&c->s, flow, h) >= c->s.links[l].bound)
        assert_true(flow->value * flow->penalty >= most[l] * (1 - 1.01 * c->tolerance));
    }
    assert_true(held);
  }
}

static void add_flow(struct streets *c, uint64_t *random)
{
  struct engine_route route = {.count = 1 + (int)random_below(random, 6)};
  const uint32_t first = (uint32_t)random_below(random, STREET_LINKS), step = 1 + (uint32_t)random_below(random, 4);
  route.forth = route.count > 4 ? 4 : route.count;
  for (int i = 0; i < route.count; i++) {
    route.links[i] = (first + step * (uint32_t)i) % STREET_LINKS;
    route.weights[i] = i < route.forth ? 1 + (double)random_below(random, 2) : 0.05;
  }
  const uint32_t flow = tutti_sharing_create(&c->s, &route, 0, 1 + (double)random_below(random, 5),
                                             random_below(random, 3) ? INFINITY : 5 + (double)random_below(random, 50));
  c->flows[c->count++] = flow;
  tutti_sharing_join(&c->s, flow);
}

TEST(test_max_min)
{
  const struct engine_network streets = {.link_count = STREET_LINKS,
                                         .crosstraffic = true,
                                         .kind_count = 3,
                                         .kinds = {{0, {.bandwidth = 100, .latency = 1}},
                                                   {12, {.bandwidth = 30, .latency = 1}},
                                                   {25, {.bandwidth = 50, .latency = 1, .fat_pipe = true}}}};
  uint64_t random = 3;
  for (int round = 0; round < 40; round++) {
    struct streets c = {.tolerance = round % 2 ? 0.01 : 1e-9};
    begin(&c.s, &streets, c.tolerance);
    for (int i = 0; i < 400; i++) {
      if (c.count < MOST_FLOWS && (c.count == 0 || random_below(&random, 5) < 3))
        add_flow(&c, &random);
      else {
        const int gone = (int)random_below(&random, (uint64_t)c.count);
        tutti_sharing_leave(&c.s, c.flows[gone]);
        c.flows[gone] = c.flows[--c.count];
      }
      if (random_below(&random, 3) > 0)
        continue;
      tutti_sharing_solve(&c.s);
      check_streets(&c);
    }
    tutti_sharing_free(&c.s);
  }
}

/* Many flows wait for the same links, or for these and others, which take turns: the first link is given back first. */
TEST(test_many_wait)
{
  enum { MANY = 300000 };
  limit_processor_time(20);
  for (int ways = 1; ways <= 2; ways++) {
    struct sharing s;
    static uint32_t flows[MANY];
    tutti_sharing_init(&s, &network, true);
    for (int i = 0; i < MANY; i++) {
      flows[i] = CREATE(&s, 1, WIDE, ways == 2 && i >= MANY / 2 ? NARROW : OTHER);
      tutti_sharing_join(&s, flows[i]);
    }
    for (int i = 0; i < MANY; i++) {
      const uint32_t next = flows[ways == 2 ? i % 2 * MANY / 2 + i / 2 : i];
      assert_true(s.flows.items[next].joined);
      tutti_sharing_leave(&s, next);
    }
    tutti_sharing_free(&s);
  }
}
