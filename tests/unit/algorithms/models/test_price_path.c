/* What else pricing tells: the critical path, the trace, counts; and what it refuses. */
#include "unit/algorithms/models/price_fixture.h"
#include "unit/algorithms/schedule/schedule_fixture.h"

static tutti_price priced(const tutti_model *model, const char *name, int ranks, uint64_t bytes,
                          const tutti_price_options *options)
{
  tutti_method method;
  static struct priced_call call;
  tutti_price price;
  tutti_costs costs = tutti_model_costs(model);
  assert_ok(tutti_method_parse(name, &method, REASON), error);
  assert_true(priced_call(&call, &method, ranks, bytes));
  assert_ok(tutti_price_method(&method, &call.call, &costs, options, &price, REASON), error);
  return price;
}

static const tutti_price_options with_path = {.path = true};

/* It begins at the beginning, ends at the end, and never goes back. */
TEST(test_path_is_a_chain)
{
  static const char *const names[] = {"bcast/binomial",  "reduce/binary/20B",      "allreduce/rabenseifner",
                                      "alltoall/linear", "gather/linear-sync/20B", "barrier/bruck",
                                      "scan/linear/20B"};
  for (int kind = HOCKNEY; kind <= PLOGP; kind++)
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
      tutti_model model = fixture_model(kind);
      tutti_price price = priced(&model, names[n], 13, 100, &with_path);
      assert_true(price.path_length > 0);
      assert_true(price.path[0].start == 0);
      assert_true(price.path[price.path_length - 1].end == price.seconds);
      for (size_t i = 1; i < price.path_length; i++)
        assert_true(price.path[i].start >= price.path[i - 1].start && price.path[i].end >= price.path[i - 1].end);
      tutti_price_free(&price);
      assert_null(price.path);
    }
}

/* A rendezvous leaves no gaps: each step begins when the one before it ends. */
TEST(test_path_has_no_gaps)
{
  static const char *const names[] = {"bcast/split-binary/20B", "reduce/binomial/20B", "gather/linear",
                                      "scatter/binomial", "allreduce/recursive-doubling"};
  tutti_model model = fixture_model(HOCKNEY);
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    tutti_price price = priced(&model, names[n], 11, 100, &with_path);
    for (size_t i = 1; i < price.path_length; i++)
      assert_true(price.path[i].start == price.path[i - 1].end);
    tutti_price_free(&price);
  }
}

/* The last of eight ranks is three messages away: 0 sends to 1, 1 to 3, 3 to 7. */
TEST(test_path_by_hand)
{
  tutti_model model = fixture_model(LOGGP);
  FREED_BY(tutti_price_free) tutti_price price = priced(&model, "bcast/binomial", 8, 1, &with_path);
  static const struct {
    int rank, kind, peer;
    double start, end;
  } expected[] = {{0, TUTTI_SEND, 1, 0, 7},     {1, TUTTI_RECV, 0, 57, 64},   {1, TUTTI_SEND, 3, 64, 71},
                  {3, TUTTI_RECV, 1, 121, 128}, {3, TUTTI_SEND, 7, 128, 135}, {7, TUTTI_RECV, 3, 185, 192}};
  assert_int_equal(price.path_length, 6);
  for (size_t i = 0; i < 6; i++) {
    assert_int_equal(price.path[i].rank, expected[i].rank);
    assert_int_equal(price.path[i].kind, expected[i].kind);
    assert_int_equal(price.path[i].peer, expected[i].peer);
    assert_int_equal(price.path[i].bytes, 1);
    assert_true(price.path[i].start == expected[i].start && price.path[i].end == expected[i].end);
  }
}

struct traced {
  uint64_t vertices;
  double last_start, end;
  bool ordered;
};

static void trace(void *context, int rank, const tutti_vertex *vertex, tutti_vertex_id id, double start, double end)
{
  struct traced *traced = context;
  (void)rank, (void)vertex, (void)id;
  traced->vertices++;
  traced->ordered &= start >= traced->last_start && end >= start;
  traced->last_start = start;
  traced->end = fmax(traced->end, end);
}

TEST(test_trace_tells_all)
{
  for (int kind = HOCKNEY; kind <= PLOGP; kind++) {
    struct traced traced = {.ordered = true};
    tutti_model model = fixture_model(kind);
    tutti_price_options options = {.trace = trace, .context = &traced};
    tutti_price price = priced(&model, "allreduce/ring", 9, 90, &options);
    assert_int_equal(traced.vertices, price.vertices);
    assert_true(traced.ordered);
    assert_true(traced.end == price.seconds);
    tutti_price_free(&price);
  }
}

TEST(test_threads_change_nothing)
{
  tutti_model model = fixture_model(PLOGP);
  tutti_price_options many = {.threads = 3};
  tutti_price one = priced(&model, "allreduce/recursive-doubling", 1000, 60, NULL);
  tutti_price three = priced(&model, "allreduce/recursive-doubling", 1000, 60, &many);
  assert_true(one.seconds == three.seconds);
  assert_int_equal(one.events, three.events);
  assert_int_equal(one.messages, three.messages);
  assert_true(one.messages > 0 && one.memory_B > 0);
}

struct pair {
  struct fixture ranks[2];
};

static tutti_status price_pair(struct pair *p, int kind, tutti_error *error)
{
  tutti_schedule schedules[2] = {*seal(&p->ranks[0]), *seal(&p->ranks[1])};
  tutti_model model = fixture_model(kind);
  tutti_costs costs = tutti_model_costs(&model);
  tutti_price price;
  tutti_status status = tutti_price_schedules(schedules, 2, 1, &costs, NULL, &price, error);
  tutti_price_free(&price);
  end(&p->ranks[0]);
  end(&p->ranks[1]);
  return status;
}

static void begin_pair(struct pair *p)
{
  begin(&p->ranks[0], 2, 0);
  begin(&p->ranks[1], 2, 1);
}

TEST(test_receive_without_send)
{
  for (int kind = HOCKNEY; kind <= PLOGP; kind++) {
    struct pair p;
    begin_pair(&p);
    tutti_add_recv(p.ranks[1].builder, 0, some(1));
    assert_int_equal(price_pair(&p, kind, REASON), TUTTI_ERR_FAULT);
    assert_says(error.message, "rank 1, vertex 0 waits for ever for rank 0");
  }
}

TEST(test_send_without_receive)
{
  for (int kind = HOCKNEY; kind <= PLOGP; kind++)
    for (uint64_t received = 0; received <= 2; received += 2) { /* none, or one of another size */
      struct pair p;
      begin_pair(&p);
      tutti_add_send(p.ranks[0].builder, 1, some(1));
      if (received > 0)
        tutti_add_recv(p.ranks[1].builder, 0, some(received));
      assert_int_equal(price_pair(&p, kind, REASON), TUTTI_ERR_FAULT);
      assert_says(error.message, "rank 0, vertex 0: no receive of rank 1 matches this message of 1 bytes");
    }
}

/* The sender is complete, and forgotten, before anybody looks for the receive. */
static void free_message(const void *context, uint64_t bytes, tutti_message_cost *cost)
{
  (void)context, (void)bytes;
  *cost = (tutti_message_cost){0};
}

TEST(test_send_of_nobody)
{
  struct pair p;
  tutti_price price;
  const tutti_costs costs = {.message = free_message};
  begin_pair(&p);
  tutti_add_send(p.ranks[0].builder, 1, some(3));
  tutti_schedule schedules[2] = {*seal(&p.ranks[0]), *seal(&p.ranks[1])};
  assert_int_equal(tutti_price_schedules(schedules, 2, 1, &costs, NULL, &price, REASON), TUTTI_ERR_FAULT);
  assert_says(error.message, "rank 0, vertex 0: no receive of rank 1 matches this message of 3 bytes");
  end(&p.ranks[0]);
  end(&p.ranks[1]);
}

/* Each receives before it sends. */
TEST(test_deadlock)
{
  for (int kind = HOCKNEY; kind <= PLOGP; kind++) {
    struct pair p;
    begin_pair(&p);
    for (int r = 0; r < 2; r++) {
      tutti_vertex_id receive = tutti_add_recv(p.ranks[r].builder, 1 - r, some(1));
      tutti_add_after(p.ranks[r].builder, tutti_add_send(p.ranks[r].builder, 1 - r, some(1)), receive);
    }
    assert_int_equal(price_pair(&p, kind, REASON), TUTTI_ERR_FAULT);
    assert_says(error.message, "rank 0, vertex 0 waits for ever for rank 1");
  }
}

TEST(test_bad_costs)
{
  tutti_method method;
  tutti_call call = {.size = 4, .count = 8, .type_size = 1, .commutative = true};
  tutti_model model = fixture_model(HOCKNEY);
  tutti_price price;
  assert_int_equal(tutti_method_parse("bcast/linear", &method, REASON), TUTTI_OK);
  model.network.hockney.beta = NAN;
  tutti_costs costs = tutti_model_costs(&model);
  assert_int_equal(tutti_price_method(&method, &call, &costs, NULL, &price, REASON), TUTTI_ERR_ARGUMENT);
  assert_says(error.message, "gap is nan seconds");
  call.root = 4;
  assert_int_equal(tutti_price_method(&method, &call, &costs, NULL, &price, REASON), TUTTI_ERR_ARGUMENT);
  assert_says(error.message, "root");
}

/* A message of one element and then one of three, from rank 0 to rank 1. */
static tutti_status price_two_messages(const tutti_costs *costs, uint64_t type_size, tutti_price *price,
                                       tutti_error *error)
{
  struct pair p;
  begin_pair(&p);
  tutti_add_send(p.ranks[0].builder, 1, some(1));
  tutti_add_send(p.ranks[0].builder, 1, some(3));
  tutti_add_recv(p.ranks[1].builder, 0, some(1));
  tutti_add_recv(p.ranks[1].builder, 0, some(3));
  tutti_schedule schedules[2] = {*seal(&p.ranks[0]), *seal(&p.ranks[1])};
  const tutti_price_options options = {.path = true};
  memset(price, 0xff, sizeof *price);
  tutti_status status = tutti_price_schedules(schedules, 2, type_size, costs, &options, price, error);
  end(&p.ranks[0]);
  end(&p.ranks[1]);
  return status;
}

static void assert_nothing(const tutti_price *price)
{
  assert_true(price->seconds == 0 && price->build_s == 0 && price->run_s == 0);
  assert_true(price->messages == 0 && price->vertices == 0 && price->events == 0 && price->memory_B == 0);
  assert_null(price->path);
  assert_int_equal(price->path_length, 0);
}

/* The context is the costs of messages of 1 byte and of all others. */
static void two_costs(const void *context, uint64_t bytes, tutti_message_cost *cost)
{
  const tutti_message_cost *all = context;
  *cost = all[bytes == 1 ? 0 : 1];
}

static void refuse_cost(const tutti_costs *costs, const char *named)
{
  tutti_price price;
  assert_int_equal(price_two_messages(costs, 1, &price, REASON), TUTTI_ERR_ARGUMENT);
  assert_says(error.message, named);
  assert_says(error.message, "a cost is finite and not negative");
  assert_nothing(&price);
}

/* Costs of the smaller message are checked, too, though they are read only when it is sent. */
TEST(test_bad_costs_of_any_size)
{
  static const tutti_message_cost bad[][2] = {{{.gap = NAN}, {.gap = 0}},
                                              {{.gap = INFINITY}, {.gap = 1}},
                                              {{.gap = -1}, {.gap = 1}},
                                              {{.gap = 1}, {.gap = -1}},
                                              {{.gap = 1}, {.gap = -1e300}}};
  for (int rendezvous = 0; rendezvous <= 1; rendezvous++)
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
      refuse_cost(&(tutti_costs){.rendezvous = rendezvous, .message = two_costs, .context = bad[i]}, "gap is ");
}

/* Each cost is finite, but not the time they add up to. */
TEST(test_overflow_is_refused)
{
  static const tutti_message_cost gaps[][2] = {{{.gap = 1e308}, {.gap = 1e308}}, {{.gap = 1e308}, {.gap = 1}}};
  for (int rendezvous = 0; rendezvous <= 1; rendezvous++)
    for (int i = 0; i < 2; i++)
      refuse_cost(&(tutti_costs){.rendezvous = rendezvous, .message = two_costs, .context = gaps[i]},
                  "the completion time is inf seconds");
  refuse_cost(&(tutti_costs){.message = two_costs, .context = gaps[1], .gamma = 1e308},
              "the completion time is inf seconds");
}

TEST(test_large_times_are_finite)
{
  static const tutti_message_cost gaps[2] = {{.gap = 1e300}, {.gap = 1e300}};
  const tutti_costs costs = {.rendezvous = true, .message = two_costs, .context = gaps};
  FREED_BY(tutti_price_free) tutti_price price;
  assert_ok(price_two_messages(&costs, 1, &price, REASON), error);
  assert_true(fixture_same(price.seconds, 2e300));
}

/* The second message leaves a second after the first and is there 17 seconds earlier. */
TEST(test_transit_above_gap)
{
  static const tutti_message_cost cost[2] = {{.gap = 1, .transit = 20}, {.gap = 1, .transit = 2}};
  const tutti_costs costs = {.message = two_costs, .context = cost};
  FREED_BY(tutti_price_free) tutti_price price;
  assert_ok(price_two_messages(&costs, 1, &price, REASON), error);
  assert_true(price.seconds == 20);
  assert_int_equal(price.messages, 2);
}

TEST(test_elements_without_size)
{
  const tutti_costs costs = {.message = free_message};
  tutti_price price;
  assert_int_equal(price_two_messages(&costs, 0, &price, REASON), TUTTI_ERR_ARGUMENT);
  assert_says(error.message, "rank 0, vertex 0: 1 elements of 0 bytes have no size");
  assert_nothing(&price);
}
