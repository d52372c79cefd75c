/* Context ids, their tag ranges, and what the root of a split decides: without MPI. */
#include "groups/communicators/plan.h"
#include "groups/communicators/tag_range.h"
#include "unit/base/random.h"
#include "unit/test.h"

TEST(test_leader_bits)
{
  leader_bits bits = 0;
  for (int i = 0; i < TUTTI_LEADER_CONTEXTS; i++) {
    assert_int_equal(leader_count(bits), i);
    assert_int_equal(leader_free_index(bits), i);
    bits = leader_take(bits, i);
  }
  assert_int_equal(leader_free_index(bits), -1);
  bits = leader_give_back(bits, 17);
  assert_int_equal(leader_free_index(bits), 17);
  assert_int_equal(leader_count(bits), 63);
}

TEST(test_tag_range_count)
{
  int64_t tag_ranges;
  assert_int_equal(tutti_tag_range_count(INT_MAX, 131072, &tag_ranges, &error), TUTTI_OK);
  assert_true(tag_range_first_tag(tag_ranges - 1) <= INT_MAX - TUTTI_CONTEXT_TAGS + 1);
  assert_int_equal(tutti_tag_range_count((1 << 28) - 1, 100000, &tag_ranges, &error), TUTTI_OK);
  assert_int_equal(tutti_tag_range_count(32767, 1, &tag_ranges, &error), TUTTI_ERR_UNSUPPORTED);
  assert_fails(tutti_tag_range_count((1 << 28) - 1, 1000000, &tag_ranges, &error), TUTTI_ERR_UNSUPPORTED, error,
               "MPI_TAG_UB = 268435455 has room for 8387584 contexts");
}

/* Leaders' tag ranges are all different, and no hashed one is among them. */
TEST(test_tag_ranges)
{
  enum { SIZE = 50 };
  const int64_t tag_ranges = 10000, leaders = 1 + SIZE * TUTTI_LEADER_CONTEXTS;
  char seen[10000] = {0};
  tutti_context all = {.leader = SIZE, .last = -1};
  assert_int_equal(tutti_tag_range_of(&all, SIZE, tag_ranges), 0);
  for (int leader = 0; leader < SIZE; leader++)
    for (int index = 0; index < TUTTI_LEADER_CONTEXTS; index++) {
      tutti_context context = {.leader = leader, .index = index, .last = -1};
      int64_t tag_range = tutti_tag_range_of(&context, SIZE, tag_ranges);
      assert_uint_in_range(tag_range, 1, leaders - 1);
      assert_false(seen[tag_range]);
      seen[tag_range] = 1;
    }
  for (int i = 0; i < 10000; i++) {
    tutti_context range = {
        .leader = i % SIZE, .index = i % 64, .first = i % 13, .last = 13 + i % 31, .count = 1 + i % 7};
    assert_uint_in_range(tutti_tag_range_of(&range, SIZE, tag_ranges), leaders, tag_ranges - 1);
  }
  tutti_context more = {.leader = 3, .index = TUTTI_LEADER_CONTEXTS, .last = -1};
  assert_uint_in_range(tutti_tag_range_of(&more, SIZE, tag_ranges), leaders, tag_ranges - 1);
}

/* Every part of an id matters. */
TEST(test_hash)
{
  const int64_t tag_ranges = INT64_C(1) << 40;
  tutti_context context = {.leader = 1, .index = 2, .first = 3, .last = 4, .count = 5}, other;
  int64_t tag_range = tutti_tag_range_of(&context, 9, tag_ranges);
  for (int part = 0; part < 5; part++) {
    other = context;
    int *parts[] = {&other.leader, &other.index, &other.first, &other.last, &other.count};
    ++*parts[part];
    assert_int_not_equal(tutti_tag_range_of(&other, 9, tag_ranges), tag_range);
  }
}

TEST(test_live)
{
  FREED_BY(tutti_live_contexts_free) struct live_contexts live = {.count = 0};
  uint64_t seed = 3;
  enum { COUNT = 500 };
  int64_t tag_ranges[COUNT];
  for (int i = 0; i < COUNT; i++) {
    tag_ranges[i] = (int64_t)(random_next(&seed) >> 8);
    tutti_context context = {.leader = i, .index = 1, .last = -1};
    assert_int_equal(tutti_live_contexts_add(&live, tag_ranges[i], &context, 7, &error), TUTTI_OK);
  }
  tutti_context again = {.leader = 8, .index = 2, .first = 3, .last = 4, .count = 1};
  for (int i = 0; i < COUNT; i++)
    assert_int_equal(tutti_live_contexts_add(&live, tag_ranges[i], &again, 7, &error), TUTTI_ERR_UNSUPPORTED);
  assert_string_equal(error.message,
                      "process 7: context <8, 2, 3, 4, 1> has the same tags as context <499, 1>, which is "
                      "not yet freed here");
  for (int i = 0; i < COUNT; i++)
    tutti_live_contexts_remove(&live, tag_ranges[i]);
  assert_int_equal(live.count, 0);
}

enum { NOBODY = -999 };

struct case_of_plan {
  int size;
  struct plea *pleas;
  int *base;
  struct answer *answers;
};

static struct case_of_plan draw(uint64_t *seed, int size)
{
  struct case_of_plan c = {size, malloc((size_t)size * sizeof *c.pleas), malloc((size_t)size * sizeof *c.base),
                           malloc((size_t)size * sizeof *c.answers)};
  int colors = 1 + (int)random_below(seed, 4), locations = 1 + (int)random_below(seed, 5);
  for (int r = 0; r < size; r++) {
    int color = (int)random_below(seed, (uint64_t)colors + 1);
    leader_bits led = random_below(seed, 6) ? random_next(seed) & random_next(seed) : ~UINT64_C(0);
    c.pleas[r] = (struct plea){color == colors ? NOBODY : color - 2, (int)random_below(seed, 5) - 2, led,
                               random_below(seed, (uint64_t)locations)};
    c.base[r] = 3 * size - 2 * r;
  }
  return c;
}

static void free_case(struct case_of_plan *c)
{
  free(c->pleas);
  free(c->base);
  free(c->answers);
}

static bool comes_before(const struct plea *pleas, int left, int right)
{
  return pleas[left].key != pleas[right].key ? pleas[left].key < pleas[right].key : left < right;
}

/* Rank, size and leader, by looking at everybody. */
static void check_answer(const struct case_of_plan *c, int r)
{
  const struct answer *answer = &c->answers[r];
  int size = 0, before = 0, least = 65, leader = -1;
  for (int other = 0; other < c->size; other++) {
    if (c->pleas[other].color != c->pleas[r].color)
      continue;
    size++;
    before += comes_before(c->pleas, other, r);
    if (leader_count(c->pleas[other].led) < least)
      least = leader_count(c->pleas[other].led);
    if (c->base[other] == answer->leader)
      leader = other;
  }
  assert_int_equal(answer->size, size);
  assert_int_equal(answer->rank, before);
  assert_int_equal(answer->status, least == 64 ? TUTTI_ERR_UNSUPPORTED : TUTTI_OK);
  if (least == 64)
    return;
  assert_int_equal(leader_count(c->pleas[leader].led), least);
  assert_int_equal(answer->index, leader_free_index(c->pleas[leader].led));
}

/* Neighbors of a location name each other, and the first one knows how many they are. */
static void check_chain(const struct case_of_plan *c, int r)
{
  const struct answer *answer = &c->answers[r];
  if (answer->status != TUTTI_OK || answer->previous >= 0)
    return;
  int steps = 1, present = 0;
  for (int at = r; c->answers[at].next >= 0; steps++) {
    int next = (3 * c->size - c->answers[at].next) / 2;
    assert_int_equal(c->answers[next].previous, c->base[at]);
    assert_true(c->answers[next].rank > c->answers[at].rank);
    at = next;
  }
  for (int other = 0; other < c->size; other++)
    present += c->pleas[other].color == c->pleas[r].color && c->pleas[other].location == c->pleas[r].location;
  assert_int_equal(steps, present);
  assert_int_equal(answer->sharers, present);
}

TEST(test_plans)
{
  uint64_t seed = 11;
  for (int i = 0; i < 500; i++) {
    struct case_of_plan c = draw(&seed, 1 + (int)random_below(&seed, 40));
    struct plan plan;
    assert_int_equal(tutti_plan_make(&plan, c.pleas, c.base, c.size, NOBODY, c.answers, &error), TUTTI_OK);
    for (int r = 0; r < c.size; r++)
      if (c.pleas[r].color != NOBODY) {
        check_answer(&c, r);
        check_chain(&c, r);
      } else {
        assert_int_equal(c.answers[r].size, 0);
      }
    for (int g = 0; g < plan.group_count; g++)
      for (int m = 0; m < plan.groups[g].size; m++)
        assert_int_equal(c.answers[plan.members[plan.groups[g].first + m]].rank, m);
    tutti_plan_free(&plan);
    free_case(&c);
  }
}
