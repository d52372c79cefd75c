/* Builds within one process: every builder, the same members, counts that hang together. */
#include "tutti/actor.h"
#include "tutti/group_run.h"
#include "unit/test.h"

static tutti_group_point point_of(const char *builder, int size, double fraction)
{
  return (tutti_group_point){.builder = tutti_group_builder_find(builder, NULL),
                             .sample = {.size = size, .fraction = fraction, .members = -1, .colors = 1, .seed = 7},
                             .branching = 3,
                             .node_ranks = 1};
}

static tutti_group_counts build(const tutti_group_point *point)
{
  tutti_group_counts counts;
  assert_ok(tutti_group_run_in_process(point, &counts, REASON), error);
  return counts;
}

static void assert_sound(const tutti_group_point *point, const tutti_group_counts *counts)
{
  uint64_t size = (uint64_t)point->sample.size, members = counts->sums[TUTTI_GROUP_MEMBERS];
  assert_true(counts->sums[TUTTI_GROUP_GROUPS] == (members > 0));
  assert_true(counts->maxima[TUTTI_GROUP_SIZE] == members);
  assert_true(counts->sums[TUTTI_MESSAGE_START] == size - 1);
  assert_true(counts->sums[TUTTI_MESSAGE_REDUCTION] == (members ? members - 1 : 0));
  assert_true(counts->sums[TUTTI_GROUP_BYTES] >=
              TUTTI_MESSAGE_HEADER * sizeof(int) * tutti_group_counted_messages(counts));
  assert_true(counts->maxima[TUTTI_GROUP_MEMORY] > 0 && counts->maxima[TUTTI_GROUP_ENDPOINT] == 0);
  assert_true(members == 0 || size == 1 || counts->maxima[TUTTI_GROUP_CRITICAL_PATH] > 0);
}

TEST(test_every_builder_has_the_same_members)
{
  static const int sizes[] = {1, 2, 7, 64, 500};
  static const double fractions[] = {0, 0.3, 1};
  for (int s = 0; s < 5; s++)
    for (int f = 0; f < 3; f++) {
      tutti_group_point first = point_of("centralized", sizes[s], fractions[f]);
      tutti_group_counts expected = build(&first);
      for (int b = 0; tutti_group_builder_at(b); b++) {
        tutti_group_point point = first;
        point.builder = tutti_group_builder_at(b);
        tutti_group_counts counts = build(&point);
        assert_sound(&point, &counts);
        assert_true(counts.sums[TUTTI_GROUP_FINGERPRINT] == expected.sums[TUTTI_GROUP_FINGERPRINT]);
        assert_true(counts.sums[TUTTI_GROUP_MEMBERS] == expected.sums[TUTTI_GROUP_MEMBERS]);
      }
    }
}

/* Section VII-C: n - 1 up and m - 1 down, and one to hand the roster over if the root is not a member. */
TEST(test_messages_are_those_of_the_paper)
{
  tutti_group_point point = point_of("centralized", 2048, 0.3);
  tutti_group_counts counts = build(&point);
  uint64_t hand_over = tutti_group_sample_color(&point.sample, 0) < 0;
  assert_true(tutti_group_counted_messages(&counts) == 2047 + counts.sums[TUTTI_GROUP_MEMBERS] - 1 + hand_over);
}

/* What is counted is what was built, not what was drawn: here by processes that mirror the draw. */
static tutti_group_counts build_mirrored(const tutti_group_point *point)
{
  tutti_group_counts counts = {.sums = {0}};
  int size = point->sample.size;
  tutti_inprocess *processes = tutti_inprocess_create(size, TUTTI_DELIVERY_FIFO, 1);
  FREED_BY(free_memory) tutti_tree *trees = malloc((size_t)size * sizeof *trees);
  for (int i = 0; i < size; i++) {
    assert_int_equal(tutti_group_point_tree(point, i, &trees[i], REASON), TUTTI_OK);
    tutti_group_request request = {.builder = point->builder,
                                   .tree = &trees[i],
                                   .branching = point->branching,
                                   .colors = 1,
                                   .color = tutti_group_sample_color(&point->sample, size - 1 - i),
                                   .ranks_per_node = point->node_ranks};
    tutti_transport *transport = tutti_inprocess_transport(processes);
    tutti_inprocess_settle(processes, tutti_group_protocol_create(&request, transport, i, 0, REASON));
  }
  assert_int_equal(tutti_inprocess_run(processes, REASON), TUTTI_OK);
  for (int i = 0; i < size; i++)
    tutti_group_counts_add(&counts, tutti_inprocess_actor(processes, i));
  tutti_inprocess_free(processes);
  return counts;
}

TEST(test_counts_what_was_built)
{
  for (int b = 0; tutti_group_builder_at(b); b++) {
    tutti_group_point point = point_of(tutti_group_builder_name(tutti_group_builder_at(b)), 50, 0.4);
    tutti_group_counts drawn = build(&point), mirrored = build_mirrored(&point), fewer = drawn;
    assert_int_equal(tutti_group_counts_check(&drawn, &point.sample, REASON), TUTTI_OK);
    assert_true(mirrored.sums[TUTTI_GROUP_MEMBERS] == drawn.sums[TUTTI_GROUP_MEMBERS]);
    assert_true(mirrored.sums[TUTTI_GROUP_FINGERPRINT] != drawn.sums[TUTTI_GROUP_FINGERPRINT]);
    assert_int_equal(tutti_group_counts_check(&mirrored, &point.sample, REASON), TUTTI_ERR_FAULT);
    fewer.sums[TUTTI_GROUP_MEMBERS]--;
    assert_fails(tutti_group_counts_check(&fewer, &point.sample, REASON), TUTTI_ERR_FAULT, error, "members");
  }
}

TEST(test_repeats_itself)
{
  for (int b = 0; tutti_group_builder_at(b); b++) {
    tutti_group_point point = point_of(tutti_group_builder_name(tutti_group_builder_at(b)), 300, 0.4);
    tutti_group_counts first = build(&point), second = build(&point);
    assert_memory_equal(&first, &second, sizeof first);
  }
}

TEST(test_many_colors)
{
  tutti_group_point point = point_of("shrink-hash/no-filler", 500, 0.9);
  point.sample.colors = 4;
  tutti_group_counts counts = build(&point);
  assert_true(counts.sums[TUTTI_GROUP_GROUPS] == 4);
  assert_true(counts.maxima[TUTTI_GROUP_SIZE] < counts.sums[TUTTI_GROUP_MEMBERS]);
}

static void assert_refused(const tutti_group_point *point, tutti_status expected, const char *named)
{
  tutti_group_counts counts;
  assert_int_equal(tutti_group_point_check(point, REASON), expected);
  assert_non_null(strstr(error.message, named));
  assert_int_equal(tutti_group_run_in_process(point, &counts, NULL), expected);
}

TEST(test_refuses_what_cannot_be_built)
{
  tutti_group_point point = point_of("centralized", 8, 0.5);
  point.branching = 1;
  assert_refused(&point, TUTTI_ERR_ARGUMENT, "branching factor 1");
  point = point_of("centralized", 8, 2);
  assert_refused(&point, TUTTI_ERR_ARGUMENT, "fraction 2");
  point = point_of("centralized", 8, 0.5);
  point.sample.members = 9;
  point.sample.colors = 2; /* which this builder cannot build either */
  assert_refused(&point, TUTTI_ERR_ARGUMENT, "9 members");
  point = point_of("centralized", 8, 0.5);
  point.sample.colors = 2;
  assert_refused(&point, TUTTI_ERR_UNSUPPORTED, "centralized");
  point = point_of("centralized", 8, 0.5);
  point.node_ranks = 0;
  assert_refused(&point, TUTTI_ERR_ARGUMENT, "0 ranks per node");
}

TEST(test_order_and_text)
{
  char text[TUTTI_GROUP_POINT_LENGTH];
  tutti_group_point a = point_of("centralized", 8, 0.5), b = a;
  assert_string_equal(tutti_group_point_format(&a, text),
                      "centralized fraction=0.5 branching=3 seed=7 colours=1 node_ranks=1");
  assert_int_equal(tutti_group_point_compare(&a, &b), 0);
  b.sample.size = 9;
  assert_true(tutti_group_point_compare(&a, &b) < 0 && tutti_group_point_compare(&b, &a) > 0);
  b = a;
  b.sample.members = 4;
  assert_int_not_equal(tutti_group_point_compare(&a, &b), 0);
  b.sample.fraction = 0.7;
  a.sample.members = 4;
  assert_int_equal(tutti_group_point_compare(&a, &b), 0);
}
