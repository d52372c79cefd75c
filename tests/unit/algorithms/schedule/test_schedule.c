/* Building a schedule: what was added is what is sealed. */
#include "algorithms/catalogue/builders.h"
#include "unit/algorithms/schedule/schedule_fixture.h"

TEST(nothing_is_a_schedule)
{
  struct fixture f;
  begin(&f, 1, 0);
  const tutti_schedule *s = seal(&f);
  assert_int_equal(s->size, 1);
  assert_int_equal(s->rank, 0);
  assert_int_equal(s->vertex_count + s->edge_count + s->temporary_count, 0);
  assert_int_equal(s->successor_first[0], 0);
  end(&f);
}

TEST(vertices_are_kept)
{
  struct fixture f;
  begin(&f, 4, 1);
  tutti_buffer t0 = tutti_builder_temporary(f.builder, 10), t1 = tutti_builder_temporary(f.builder, 0);
  assert_int_equal(t0, TUTTI_FIRST_TEMPORARY);
  assert_int_equal(t1, TUTTI_FIRST_TEMPORARY + 1);
  assert_int_equal(tutti_add_recv(f.builder, 3, tutti_block_of(t0, 2, 8)), 0);
  assert_int_equal(tutti_add_reduce(f.builder, tutti_block_of(TUTTI_INPUT, 5, 7), tutti_block_of(t0, 3, 7)), 1);
  assert_int_equal(tutti_add_copy(f.builder, tutti_block_of(t0, 0, 1), tutti_block_of(TUTTI_OUTPUT, 9, 1)), 2);
  assert_int_equal(tutti_add_send(f.builder, 0, tutti_block_of(TUTTI_OUTPUT, UINT64_MAX - 4, 4)), 3);
  const tutti_schedule *s = seal(&f);
  const tutti_vertex expected[] = {{TUTTI_RECV, t0, 3, 2, 8, 0},
                                   {TUTTI_REDUCE, TUTTI_INPUT, t0, 5, 7, 3},
                                   {TUTTI_COPY, t0, TUTTI_OUTPUT, 0, 1, 9},
                                   {TUTTI_SEND, TUTTI_OUTPUT, 0, UINT64_MAX - 4, 4, 0}};
  assert_int_equal(s->vertex_count, 4);
  assert_memory_equal(s->vertices, expected, sizeof expected);
  assert_int_equal(s->temporary_count, 2);
  assert_int_equal(s->temporary_counts[0], 10);
  assert_int_equal(s->temporary_counts[1], 0);
  tutti_block target = tutti_vertex_target(&s->vertices[1]);
  assert_true(target.buffer == t0 && target.first == 3 && target.count == 7);
  end(&f);
}

/* Successors stand in the order in which they were added, and every edge counts where it ends. */
TEST(prerequisites_are_kept)
{
  struct fixture f;
  begin(&f, 9, 0);
  for (int peer = 1; peer <= 5; peer++)
    tutti_add_send(f.builder, peer, some(1));
  tutti_add_after(f.builder, 4, 0);
  tutti_add_after(f.builder, 2, 0);
  tutti_add_after(f.builder, 4, 3);
  tutti_add_after(f.builder, TUTTI_NO_VERTEX, 0);
  tutti_add_after(f.builder, 1, TUTTI_NO_VERTEX);
  const tutti_schedule *s = seal(&f);
  const uint32_t first[] = {0, 2, 2, 2, 3, 3}, prerequisites[] = {0, 0, 1, 0, 2};
  const tutti_vertex_id successors[] = {4, 2, 4};
  assert_int_equal(s->edge_count, 3);
  assert_memory_equal(s->successor_first, first, sizeof first);
  assert_memory_equal(s->successors, successors, sizeof successors);
  assert_memory_equal(s->prerequisites, prerequisites, sizeof prerequisites);
  end(&f);
}

/* Whoever counts completions counts each vertex once. */
TEST(said_twice_counts_once)
{
  struct fixture f;
  begin(&f, 9, 0);
  for (int peer = 1; peer <= 4; peer++)
    tutti_add_send(f.builder, peer, some(1));
  for (int again = 0; again < 3; again++) {
    tutti_add_after(f.builder, 3, 0);
    tutti_add_after(f.builder, 2, 0);
    tutti_add_after(f.builder, 3, 1);
  }
  const tutti_schedule *s = seal(&f);
  const uint32_t first[] = {0, 2, 3, 3, 3}, prerequisites[] = {0, 0, 1, 2};
  const tutti_vertex_id successors[] = {3, 2, 3};
  assert_int_equal(s->edge_count, 3);
  assert_memory_equal(s->successor_first, first, sizeof first);
  assert_memory_equal(s->successors, successors, sizeof successors);
  assert_memory_equal(s->prerequisites, prerequisites, sizeof prerequisites);
  end(&f);
}

/* Sends to one peer are posted in their order, and so are receives from one; the rest is free. */
TEST(channels_keep_the_order)
{
  struct fixture f;
  const tutti_vertex_id none = TUTTI_NO_VERTEX;
  begin(&f, 3, 0);
  tutti_add_send(f.builder, 1, some(1));                                  /* 0 */
  tutti_add_recv(f.builder, 1, tutti_block_of(TUTTI_OUTPUT, 1, 1));       /* 1 */
  tutti_add_send(f.builder, 2, some(1));                                  /* 2 */
  tutti_add_copy(f.builder, some(1), tutti_block_of(TUTTI_OUTPUT, 2, 1)); /* 3: its target, buffer 1, is no peer */
  tutti_add_send(f.builder, 1, some(1));                                  /* 4 */
  tutti_add_send(f.builder, 1, some(1));                                  /* 5 */
  tutti_add_recv(f.builder, 1, tutti_block_of(TUTTI_OUTPUT, 3, 1));       /* 6 */
  tutti_add_after(f.builder, 5, 2);
  const tutti_schedule *s = seal(&f);
  const tutti_vertex_id next[] = {4, 6, none, none, 5, none, none};
  const uint32_t prerequisites[] = {0, 0, 0, 0, 1, 2, 1};
  assert_memory_equal(s->channel_next, next, sizeof next);
  assert_memory_equal(s->prerequisites, prerequisites, sizeof prerequisites);
  end(&f);
}

TEST(a_join_does_nothing_but_wait)
{
  struct fixture f;
  begin(&f, 9, 0);
  for (int peer = 1; peer <= 4; peer++)
    tutti_add_recv(f.builder, peer, tutti_no_data());
  tutti_vertex_id join = tutti_add_join(f.builder);
  for (tutti_vertex_id v = 0; v < join; v++)
    tutti_add_after(f.builder, join, v);
  const tutti_schedule *s = seal(&f);
  assert_int_equal(s->vertices[join].kind, TUTTI_COPY);
  assert_int_equal(s->vertices[join].count, 0);
  assert_int_equal(s->prerequisites[join], 4);
  end(&f);
}

/* Room in advance changes nothing but the work; it is used, outgrown, and asked for again. */
TEST(reserving_is_only_a_hint)
{
  struct fixture plain, reserved;
  begin(&plain, 3, 0);
  begin(&reserved, 3, 0);
  tutti_builder_reserve(reserved.builder, 10, 5);
  for (uint32_t v = 0; v < 100; v++) {
    tutti_add_send(plain.builder, 1 + v % 2, some(v));
    tutti_add_send(reserved.builder, 1 + v % 2, some(v));
    tutti_add_after(plain.builder, v, v ? v / 2 : TUTTI_NO_VERTEX);
    tutti_add_after(reserved.builder, v, v ? v / 2 : TUTTI_NO_VERTEX);
    tutti_builder_reserve(reserved.builder, v, 0);
  }
  const tutti_schedule *p = seal(&plain), *r = seal(&reserved);
  assert_int_equal(r->vertex_count, 100);
  assert_int_equal(r->edge_count, 99);
  assert_memory_equal(p->vertices, r->vertices, 100 * sizeof *p->vertices);
  assert_memory_equal(p->successors, r->successors, 99 * sizeof *p->successors);
  assert_memory_equal(p->prerequisites, r->prerequisites, 100 * sizeof *p->prerequisites);
  end(&plain);
  end(&reserved);
}

/* A builder outlives its sealing: it is sealed again, and grows. */
TEST(sealing_changes_nothing)
{
  struct fixture f;
  begin(&f, 2, 0);
  tutti_add_send(f.builder, 1, some(3));
  tutti_schedule first = *seal(&f);
  tutti_add_after(f.builder, tutti_add_recv(f.builder, 1, some(3)), 0);
  assert_int_equal(seal(&f)->vertex_count, 2);
  assert_int_equal(first.vertex_count, 1);
  assert_int_equal(first.successor_first[1], 0);
  assert_int_equal(tutti_schedule_validate(&first, &f.error), TUTTI_OK);
  end(&f);
}

/* A window of 0, which an algorithm without the parameter has, is no limit: no segment waits for an earlier one. */
TEST(window_of_0_is_no_limit)
{
  struct fixture f;
  const tutti_call call = {.size = 3,
                           .rank = 1,
                           .count = 10,
                           .type_size = 1,
                           .shape = TUTTI_TREE_PIPELINE,
                           .parameters = {.segment_bytes = 2}};
  begin(&f, 3, 1);
  tutti_build_bcast_tree(f.builder, &call);
  const tutti_schedule *s = seal(&f);
  assert_int_equal(s->vertex_count, 2 * 5);
  assert_int_equal(s->edge_count, 5); /* each segment is received, then sent */
  end(&f);
}
