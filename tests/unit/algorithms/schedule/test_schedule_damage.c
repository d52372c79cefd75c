/* The validator against a good schedule with one number changed: each of its invariants is broken here, and named. */
#include "unit/algorithms/schedule/schedule_fixture.h"

enum { VERTICES = 6, EDGES = 4, TEMPORARIES = 2, T0 = 2, T1 = 3 };

/* A schedule in arrays of its own, which can be written. */
struct copy {
  tutti_schedule schedule;
  tutti_vertex vertices[VERTICES];
  uint32_t successor_first[VERTICES + 1];
  tutti_vertex_id successors[EDGES];
  uint32_t prerequisites[VERTICES];
  tutti_vertex_id channel_next[VERTICES];
  uint64_t temporary_counts[TEMPORARIES];
};

typedef void (*damage)(struct copy *c);

/* Rank 1 of 4: two receives from rank 0, a reduction, a copy, two sends to rank 2. */
static void build(struct fixture *f)
{
  begin(f, 4, 1);
  tutti_buffer t0 = tutti_builder_temporary(f->builder, 8), t1 = tutti_builder_temporary(f->builder, 16);
  tutti_vertex_id r0 = tutti_add_recv(f->builder, 0, tutti_block_of(t0, 0, 8));
  tutti_vertex_id r1 = tutti_add_recv(f->builder, 0, tutti_block_of(t1, 0, 8));
  tutti_vertex_id reduce = tutti_add_reduce(f->builder, tutti_block_of(t0, 0, 8), tutti_block_of(t1, 0, 8));
  tutti_vertex_id copy = tutti_add_copy(f->builder, tutti_block_of(t1, 0, 8), tutti_block_of(t1, 8, 8));
  tutti_vertex_id s0 = tutti_add_send(f->builder, 2, tutti_block_of(t1, 0, 4));
  tutti_add_send(f->builder, 2, tutti_block_of(TUTTI_INPUT, 0, 4));
  tutti_add_after(f->builder, reduce, r0);
  tutti_add_after(f->builder, reduce, r1);
  tutti_add_after(f->builder, copy, reduce);
  tutti_add_after(f->builder, s0, copy);
}

static void take_copy(struct fixture *f, struct copy *c)
{
  build(f);
  const tutti_schedule *s = seal(f);
  assert_true(s->vertex_count == VERTICES && s->edge_count == EDGES && s->temporary_count == TEMPORARIES);
  memcpy(c->vertices, s->vertices, sizeof c->vertices);
  memcpy(c->successor_first, s->successor_first, sizeof c->successor_first);
  memcpy(c->successors, s->successors, sizeof c->successors);
  memcpy(c->prerequisites, s->prerequisites, sizeof c->prerequisites);
  memcpy(c->channel_next, s->channel_next, sizeof c->channel_next);
  memcpy(c->temporary_counts, s->temporary_counts, sizeof c->temporary_counts);
  c->schedule = *s;
  c->schedule.vertices = c->vertices;
  c->schedule.successor_first = c->successor_first;
  c->schedule.successors = c->successors;
  c->schedule.prerequisites = c->prerequisites;
  c->schedule.channel_next = c->channel_next;
  c->schedule.temporary_counts = c->temporary_counts;
}

static void caught(damage harm, const char *text)
{
  struct fixture f;
  struct copy c;
  take_copy(&f, &c);
  assert_int_equal(tutti_schedule_validate(&c.schedule, REASON), TUTTI_OK);
  harm(&c);
  if (tutti_schedule_validate(&c.schedule, REASON) == TUTTI_OK)
    fail_msg("not caught: %s", text);
  assert_int_equal(error.status, TUTTI_ERR_FAULT);
  assert_says(error.message, text);
  assert_int_equal(tutti_schedule_validate(&c.schedule, NULL), TUTTI_ERR_FAULT);
  end(&f);
}

/* One damage a line: what is done to the copy c, and what must be said of it. */
#define DAMAGES                                                                                                        \
  DAMAGE(no_rank, c->schedule.size = 0, "rank 1 is not in a group of 0 ranks")                                         \
  DAMAGE(rank_too_large, c->schedule.rank = 4, "rank 4 is not in a group of 4 ranks")                                  \
  DAMAGE(negative_rank, c->schedule.rank = -1, "rank -1 is not in a group of 4 ranks")                                 \
  DAMAGE(nameless_temporaries, c->schedule.temporary_count = UINT16_MAX - 1, "rank 1: 65534 temporaries")              \
  DAMAGE(kind, c->vertices[2].kind = 4, "rank 1 of 4, vertex 2: unknown kind")                                         \
  DAMAGE(send_buffer, c->vertices[5].buffer = 4, "vertex 5: unknown buffer")                                           \
  DAMAGE(source_buffer, c->vertices[3].buffer = UINT16_MAX, "vertex 3: unknown buffer")                                \
  DAMAGE(target_buffer, c->vertices[2].peer = 4, "vertex 2: unknown target buffer")                                    \
  DAMAGE(negative_target, c->vertices[3].peer = -1, "vertex 3: unknown target buffer")                                 \
  DAMAGE(own_rank, c->vertices[0].peer = 1, "vertex 0: peer is not another rank")                                      \
  DAMAGE(peer_too_large, c->vertices[4].peer = 4, "vertex 4: peer is not another rank")                                \
  DAMAGE(negative_peer, c->vertices[4].peer = -1, "vertex 4: peer is not another rank")                                \
  DAMAGE(receive_too_long, c->vertices[0].count = 9, "vertex 0: block exceeds its buffer")                             \
  DAMAGE(receive_too_late, c->vertices[1].first = 9, "vertex 1: block exceeds its buffer")                             \
  DAMAGE(wrapping_block, c->vertices[5].first = UINT64_MAX - 2, "vertex 5: block exceeds its buffer")                  \
  DAMAGE(temporary_too_short, c->temporary_counts[0] = 7, "vertex 0: block exceeds its buffer")                        \
  DAMAGE(target_too_late, c->vertices[3].target_first = 9, "vertex 3: target block exceeds its buffer")                \
  DAMAGE(wrapping_target, c->vertices[3].target_first = UINT64_MAX - 6, "vertex 3: target block exceeds its buffer")   \
  DAMAGE(overlap_above, c->vertices[3].target_first = 7, "vertex 3: source and target overlap")                        \
  DAMAGE(overlap_below, c->vertices[3].first = 1, "vertex 3: source and target overlap")                               \
  DAMAGE(overlap_all, c->vertices[2].peer = T0, "vertex 2: source and target overlap")                                 \
  DAMAGE(index_begins_late, c->successor_first[0] = 1, "the successor index does not cover the edges")                 \
  DAMAGE(index_ends_early, c->successor_first[VERTICES]--, "the successor index does not cover the edges")             \
  DAMAGE(edge_missing, c->schedule.edge_count--, "the successor index does not cover the edges")                       \
  DAMAGE(index_descends, c->successor_first[2] = 0, "vertex 1: the successor index is not ascending")                  \
  DAMAGE(index_too_far, c->successor_first[1] = UINT32_MAX, "vertex 0: the successor index is not ascending")          \
  DAMAGE(named_twice, c->successor_first[1] = 2, "vertex 0: a successor is named twice")                               \
  DAMAGE(waits_for_itself, c->successors[2] = 2, "vertex 2: a successor is not a later vertex")                        \
  DAMAGE(waits_for_later, c->successors[3] = 0, "vertex 3: a successor is not a later vertex")                         \
  DAMAGE(no_such_successor, c->successors[0] = VERTICES, "vertex 0: a successor is not a later vertex")                \
  DAMAGE(edge_elsewhere, c->successors[3] = 5, "vertex 4: wrong number of prerequisites")                              \
  DAMAGE(too_few, c->prerequisites[2]--, "vertex 2: wrong number of prerequisites")                                    \
  DAMAGE(too_many, c->prerequisites[0]++, "vertex 0: wrong number of prerequisites")                                   \
  DAMAGE(channel_cut, c->channel_next[4] = TUTTI_NO_VERTEX, "vertex 4: wrong next vertex of its channel")              \
  DAMAGE(channel_astray, c->channel_next[0] = 4, "vertex 0: wrong next vertex of its channel")                         \
  DAMAGE(channel_of_a_copy, c->channel_next[3] = 5, "vertex 3: wrong next vertex of its channel")                      \
  DAMAGE(moved_channel, c->vertices[5].peer = 3, "vertex 4: wrong next vertex of its channel")                         \
  DAMAGE(turned_message, c->vertices[1].kind = TUTTI_SEND, "vertex 0: wrong next vertex of its channel")

#define DAMAGE(name, harm, text)                                                                                       \
  static void name(struct copy *c)                                                                                     \
  {                                                                                                                    \
    harm;                                                                                                              \
  }
DAMAGES
#undef DAMAGE

TEST(each_damage_is_caught)
{
#define DAMAGE(name, harm, text) caught(name, text);
  DAMAGES
#undef DAMAGE
}

/* What is no damage: blocks of nothing, neighbors in one buffer, and the caller's buffers, whose length the schedule
   does not know. */
TEST(what_is_allowed_passes)
{
  struct fixture f;
  struct copy c;
  take_copy(&f, &c);
  c.vertices[5].first = UINT64_MAX - 4;
  c.vertices[4].count = 0;
  c.vertices[4].first = 1000;
  c.vertices[2].count = 0;
  c.vertices[2].peer = T0;
  c.vertices[3].first = 8;
  c.vertices[3].target_first = 0;
  assert_ok(tutti_schedule_validate(&c.schedule, &error), error);
  end(&f);
}
