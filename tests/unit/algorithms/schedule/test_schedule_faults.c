/* Faults while building: the first one is remembered, named by rank and vertex, and told at every sealing. */
#include "unit/algorithms/schedule/schedule_fixture.h"

/* Sealing fails with this, as often as it is tried. Ends the fixture. */
static void refused(struct fixture *f, tutti_status status, const char *text)
{
  for (int i = 0; i < 2; i++) {
    assert_int_equal(tutti_schedule_seal(f->builder, &f->arena, &f->schedule, &f->error), status);
    assert_int_equal(f->error.status, status);
    assert_says(f->error.message, text);
  }
  assert_int_equal(tutti_schedule_seal(f->builder, &f->arena, &f->schedule, NULL), status);
  end(f);
}

TEST(rank_outside_the_group)
{
  static const int pairs[][2] = {{0, 0}, {-1, 0}, {4, 4}, {4, -1}, {4, INT_MAX}, {INT_MIN, INT_MIN}};
  char text[80];
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    struct fixture f;
    begin(&f, pairs[i][0], pairs[i][1]);
    snprintf(text, sizeof text, "rank %d is not in a group of %d ranks", pairs[i][1], pairs[i][0]);
    refused(&f, TUTTI_ERR_ARGUMENT, text);
  }
}

TEST(peer_outside_the_group)
{
  static const int peers[] = {-1, 2, 4, INT_MAX, INT_MIN}; /* 2 is the rank itself */
  char text[80];
  for (size_t i = 0; i < 2 * sizeof peers / sizeof *peers; i++) {
    struct fixture f;
    begin(&f, 4, 2);
    tutti_add_send(f.builder, 0, some(1));
    assert_int_equal(i % 2 ? tutti_add_send(f.builder, peers[i / 2], some(1))
                           : tutti_add_recv(f.builder, peers[i / 2], some(1)),
                     TUTTI_NO_VERTEX);
    snprintf(text, sizeof text, "rank 2 of 4: vertex 1 has peer %d", peers[i / 2]);
    refused(&f, TUTTI_ERR_ARGUMENT, text);
  }
}

TEST(prerequisite_that_is_not_before)
{
  static const uint32_t pairs[][2] = {{1, 1}, {0, 1}, {0, 0}, {2, 0}, {UINT32_MAX - 1, 0}};
  char text[80];
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    struct fixture f;
    begin(&f, 4, 3);
    tutti_add_send(f.builder, 0, some(1));
    tutti_add_send(f.builder, 1, some(1));
    tutti_add_after(f.builder, pairs[i][0], pairs[i][1]);
    snprintf(text, sizeof text, "rank 3: vertex %u cannot wait for vertex %u", pairs[i][0], pairs[i][1]);
    refused(&f, TUTTI_ERR_ARGUMENT, text);
  }
}

TEST(unequal_counts)
{
  struct fixture f;
  begin(&f, 4, 1);
  tutti_add_copy(f.builder, some(8), tutti_block_of(TUTTI_OUTPUT, 8, 7));
  refused(&f, TUTTI_ERR_ARGUMENT, "rank 1: vertex 0 has 8 source but 7 target elements");
  begin(&f, 4, 1);
  tutti_add_reduce(f.builder, some(1), tutti_block_of(TUTTI_OUTPUT, 8, 2));
  refused(&f, TUTTI_ERR_ARGUMENT, "rank 1: vertex 0 has 1 source but 2 target elements");
}

TEST(unknown_buffer)
{
  for (int place = 0; place < 4; place++) {
    struct fixture f;
    begin(&f, 4, 1);
    tutti_block known = tutti_block_of(tutti_builder_temporary(f.builder, 4), 0, 4);
    tutti_block unknown = tutti_block_of((tutti_buffer)(known.buffer + 1), 0, 4);
    if (place == 0)
      tutti_add_send(f.builder, 0, unknown);
    else if (place == 1)
      tutti_add_recv(f.builder, 0, unknown);
    else if (place == 2)
      tutti_add_copy(f.builder, unknown, known);
    else
      tutti_add_reduce(f.builder, known, unknown);
    refused(&f, TUTTI_ERR_ARGUMENT, "rank 1: vertex 0 names unknown buffer 3");
  }
}

TEST(too_many_temporaries)
{
  struct fixture f;
  begin(&f, 4, 1);
  for (int i = 0; i < UINT16_MAX - TUTTI_FIRST_TEMPORARY; i++)
    assert_int_equal(tutti_builder_temporary(f.builder, 1), TUTTI_FIRST_TEMPORARY + i);
  assert_int_equal(seal(&f)->temporary_count, UINT16_MAX - TUTTI_FIRST_TEMPORARY);
  tutti_builder_temporary(f.builder, 1);
  refused(&f, TUTTI_ERR_UNSUPPORTED, "rank 1: a schedule of more than 65533 temporaries; use larger segments");
}

TEST(too_many_vertices)
{
  static const uint64_t wanted[] = {TUTTI_MAX_VERTICES + 1, UINT32_MAX, UINT64_C(1) << 32, UINT64_MAX};
  for (size_t i = 0; i < 2 * sizeof wanted / sizeof *wanted; i++) {
    struct fixture f;
    char text[80];
    begin(&f, 4, 1);
    assert_false(tutti_builder_reserve(f.builder, i % 2 ? wanted[i / 2] : 0, i % 2 ? 0 : wanted[i / 2]));
    snprintf(text, sizeof text, "rank 1: a schedule of %llu vertices", (unsigned long long)wanted[i / 2]);
    refused(&f, TUTTI_ERR_UNSUPPORTED, text);
  }
}

/* The later faults are consequences of the first: it alone is told, and nothing more is built. */
TEST(the_first_fault_stands)
{
  const tutti_error late = {.status = TUTTI_ERR_UNSUPPORTED, .message = "late"};
  struct fixture f;
  begin(&f, 4, 1);
  tutti_add_send(f.builder, 77, some(1));
  assert_int_equal(tutti_add_send(f.builder, 0, some(1)), TUTTI_NO_VERTEX);
  assert_int_equal(tutti_builder_temporary(f.builder, 5), TUTTI_OUTPUT);
  tutti_add_after(f.builder, 5, 6);
  tutti_add_copy(f.builder, some(1), some(2));
  tutti_builder_fault(f.builder, &late);
  tutti_builder_reserve(f.builder, UINT64_MAX, 0);
  refused(&f, TUTTI_ERR_ARGUMENT, "rank 1 of 4: vertex 0 has peer 77");
}

/* Algorithms report what they find themselves. */
TEST(a_reported_fault_is_told)
{
  const tutti_error early = {.status = TUTTI_ERR_UNSUPPORTED, .message = "no tree of that kind"};
  struct fixture f;
  begin(&f, 4, 1);
  tutti_builder_fault(f.builder, &early);
  tutti_add_send(f.builder, 77, some(1));
  refused(&f, TUTTI_ERR_UNSUPPORTED, "no tree of that kind");
}

TEST(no_builder_is_freed)
{
  tutti_builder_free(NULL);
}
