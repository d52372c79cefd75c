/* Random schedules against a naive account of what was added, and random operations that cannot deadlock. */
#include "tutti/analysis.h"
#include "unit/algorithms/schedule/schedule_fixture.h"
#include "unit/base/random.h"

enum { MAX_VERTICES = 200, MAX_EDGES = 600, ROUNDS = 1000, GROUP = 1 << 20, PEERS = 40 };

/* What was added, as a list. */
struct account {
  int peers[PEERS]; /* to choose from; far apart, so that a hash of them collides now and then */
  uint32_t vertex_count, edge_count;
  tutti_vertex vertices[MAX_VERTICES];
  uint32_t before[MAX_EDGES], after[MAX_EDGES];
};

static void add_vertex(struct fixture *f, struct account *a, uint64_t *seed)
{
  int peer = a->peers[random_below(seed, PEERS)];
  uint64_t first = random_below(seed, 50), count = random_below(seed, 50);
  tutti_block block = tutti_block_of(TUTTI_INPUT, first, count), target = tutti_block_of(TUTTI_OUTPUT, first, count);
  tutti_kind kind = (tutti_kind)random_below(seed, 4);
  if (kind == TUTTI_SEND)
    tutti_add_send(f->builder, peer, block);
  else if (kind == TUTTI_RECV)
    tutti_add_recv(f->builder, peer, block);
  else if (kind == TUTTI_REDUCE)
    tutti_add_reduce(f->builder, block, target);
  else
    tutti_add_copy(f->builder, block, target);
  bool message = kind == TUTTI_SEND || kind == TUTTI_RECV;
  a->vertices[a->vertex_count++] = (tutti_vertex){.kind = kind,
                                                  .buffer = TUTTI_INPUT,
                                                  .peer = message ? peer : TUTTI_OUTPUT,
                                                  .first = first,
                                                  .count = count,
                                                  .target_first = message ? 0 : first};
}

static void add_edge(struct fixture *f, struct account *a, uint64_t *seed)
{
  if (a->vertex_count < 2 || a->edge_count == MAX_EDGES)
    return;
  uint32_t after = 1 + (uint32_t)random_below(seed, a->vertex_count - 1), before = (uint32_t)random_below(seed, after);
  tutti_add_after(f->builder, after, before);
  for (uint32_t e = 0; e < a->edge_count; e++)
    if (a->before[e] == before && a->after[e] == after)
      return; /* said again: counts once */
  a->before[a->edge_count] = before;
  a->after[a->edge_count++] = after;
}

static bool same_channel(const tutti_vertex *a, const tutti_vertex *b)
{
  return a->kind == b->kind && a->peer == b->peer && (a->kind == TUTTI_SEND || a->kind == TUTTI_RECV);
}

static void check_successors(const tutti_schedule *s, const struct account *a, uint32_t v)
{
  uint32_t at = s->successor_first[v];
  for (uint32_t e = 0; e < a->edge_count; e++)
    if (a->before[e] == v)
      assert_int_equal(s->successors[at++], a->after[e]);
  assert_int_equal(s->successor_first[v + 1], at);
}

static void check_vertex(const tutti_schedule *s, const struct account *a, uint32_t v)
{
  uint32_t prerequisites = 0, next = v + 1;
  bool follows = false;
  for (uint32_t e = 0; e < a->edge_count; e++)
    prerequisites += a->after[e] == v;
  for (uint32_t u = 0; u < v; u++)
    follows = follows || same_channel(&a->vertices[u], &a->vertices[v]);
  while (next < a->vertex_count && !same_channel(&a->vertices[v], &a->vertices[next]))
    next++;
  assert_int_equal(s->prerequisites[v], prerequisites + follows);
  assert_int_equal(s->channel_next[v], next < a->vertex_count ? next : TUTTI_NO_VERTEX);
  check_successors(s, a, v);
}

TEST(sealed_is_what_was_added)
{
  uint64_t seed = 1;
  for (int round = 0; round < ROUNDS; round++) {
    struct fixture f;
    struct account account = {.vertex_count = 0};
    uint64_t steps = random_below(&seed, round % 2 ? 2 * MAX_VERTICES : 80);
    for (int i = 0; i < PEERS; i++)
      account.peers[i] = 1 + (int)random_below(&seed, GROUP - 1);
    begin(&f, GROUP, 0);
    for (uint64_t i = 0; i < steps; i++)
      if (account.vertex_count < MAX_VERTICES && random_below(&seed, 2))
        add_vertex(&f, &account, &seed);
      else
        add_edge(&f, &account, &seed);
    const tutti_schedule *s = seal(&f);
    assert_int_equal(s->vertex_count, account.vertex_count);
    assert_int_equal(s->edge_count, account.edge_count);
    if (s->vertex_count > 0)
      assert_memory_equal(s->vertices, account.vertices, s->vertex_count * sizeof *s->vertices);
    for (uint32_t v = 0; v < s->vertex_count; v++)
      check_vertex(s, &account, v);
    end(&f);
  }
}

/* ---- operations: messages in some order of time, vertices that wait only for earlier ones ---- */

enum { RANKS = 7, MESSAGES = 60 };

/* The depth of a vertex: messages on the longest chain that ends with it. */
struct operation {
  tutti_builder *builders[RANKS];
  uint64_t depth[RANKS][2 * MESSAGES];
  uint64_t deepest;
};

/* A vertex of the rank waits for up to two earlier ones; returns the depth of the deeper one. */
static uint64_t wait_for_some(struct operation *o, int rank, tutti_vertex_id vertex, uint64_t *seed)
{
  uint64_t depth = 0;
  for (uint64_t edges = random_below(seed, 3); edges > 0 && vertex > 0; edges--) {
    tutti_vertex_id before = (tutti_vertex_id)random_below(seed, vertex);
    tutti_add_after(o->builders[rank], vertex, before);
    depth = o->depth[rank][before] > depth ? o->depth[rank][before] : depth;
  }
  return depth;
}

static void add_message(struct operation *o, uint64_t *seed)
{
  int from = (int)random_below(seed, RANKS), to = (from + 1 + (int)random_below(seed, RANKS - 1)) % RANKS;
  tutti_vertex_id send = tutti_add_send(o->builders[from], to, tutti_no_data());
  tutti_vertex_id receive = tutti_add_recv(o->builders[to], from, tutti_no_data());
  uint64_t sender = wait_for_some(o, from, send, seed), receiver = wait_for_some(o, to, receive, seed);
  uint64_t depth = 1 + (sender > receiver ? sender : receiver);
  o->depth[from][send] = o->depth[to][receive] = depth;
  o->deepest = depth > o->deepest ? depth : o->deepest;
}

static void add_local(struct operation *o, uint64_t *seed)
{
  int rank = (int)random_below(seed, RANKS);
  tutti_vertex_id join = tutti_add_join(o->builders[rank]);
  o->depth[rank][join] = wait_for_some(o, rank, join, seed);
}

static void count_operation(struct operation *o, uint64_t messages)
{
  tutti_schedule schedules[RANKS];
  FREED_BY(tutti_arena_release) tutti_arena arena;
  tutti_total total;
  tutti_arena_init(&arena);
  for (int r = 0; r < RANKS; r++) {
    assert_int_equal(tutti_schedule_seal(o->builders[r], &arena, &schedules[r], &error), TUTTI_OK);
    tutti_builder_free(o->builders[r]);
  }
  assert_ok(tutti_count_all(schedules, RANKS, &total, &error), error);
  assert_int_equal(total.sum.sends, messages);
  assert_int_equal(total.sum.receives, messages);
  assert_int_equal(total.depth, o->deepest);
}

TEST(what_could_happen_does)
{
  uint64_t seed = 2;
  for (int round = 0; round < ROUNDS; round++) {
    struct operation o = {.deepest = 0};
    uint64_t messages = random_below(&seed, MESSAGES);
    for (int r = 0; r < RANKS; r++)
      o.builders[r] = tutti_builder_create(RANKS, r);
    for (uint64_t i = 0; i < messages; i++) {
      add_message(&o, &seed);
      if (i % 3 == 0)
        add_local(&o, &seed);
    }
    count_operation(&o, messages);
  }
}
