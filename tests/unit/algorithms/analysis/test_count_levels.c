/* Multi-level algorithms: proven for every number of ranks up to 128 on levels of any shape (random numbers of groups,
   ranks dealt out in no order, groups of one rank or of all, consecutive ranks), and counted: what goes between the
   groups of each level is the least there is. */
#include "base/splitmix64.h"
#include "unit/algorithms/analysis/count_fixture.h"

enum { MAX_RANKS = 128, MAX_PER_RANK = 12 };

struct shape {
  int ids[TUTTI_MAX_LEVELS][MAX_RANKS];
  tutti_call call;
};

static uint64_t seed = 23;

static int below(int bound)
{
  return (int)(tutti_splitmix64_next(&seed) % (uint64_t)bound);
}

static int sanitized_most(void)
{
  const char *given = getenv("TUTTI_TEST_MAX_RANKS");
  return given && atoi(given) > 0 && atoi(given) < MAX_RANKS ? atoi(given) : MAX_RANKS;
}

/* Numbers that mean anything, of groups that are spread out; or consecutive ranks, written rank by rank or not. */
static void make_level(struct shape *shape, int l)
{
  static const int scattered[] = {-7, 1 << 30, 0, 3, 12345, 2, 9};
  tutti_level *level = &shape->call.levels[l];
  const int kind = below(3), groups = 1 + below(7), width = 1 + below(1 + shape->call.size * 2 / 3);
  *level = (tutti_level){.ids = kind < 2 ? shape->ids[l] : NULL, .width = width};
  for (int r = 0; r < shape->call.size; r++)
    shape->ids[l][r] = kind == 0 ? scattered[below(groups)] : r / width;
}

static void make_shape(struct shape *shape, int size)
{
  shape->call = (tutti_call){.size = size, .root = below(size), .count = 5, .type_size = 4, .commutative = true};
  shape->call.level_count = 1 + below(TUTTI_MAX_LEVELS);
  for (int l = 0; l < shape->call.level_count; l++)
    make_level(shape, l);
}

static bool together(const struct shape *shape, int level, int one, int other)
{
  for (int l = level; l < shape->call.level_count; l++)
    if (shape->ids[l][one] != shape->ids[l][other])
      return false;
  return true;
}

static int groups_of(const struct shape *shape, int level)
{
  int groups = 0;
  for (int r = 0; r < shape->call.size; r++) {
    int lower = 0;
    while (lower < r && !together(shape, level, lower, r))
      lower++;
    groups += lower == r;
  }
  return groups;
}

/* Groups of the highest level that has several, the ranks if none has. */
static int highest_groups(const struct shape *shape)
{
  for (int l = shape->call.level_count - 1; l >= 0; l--)
    if (groups_of(shape, l) > 1)
      return groups_of(shape, l);
  return shape->call.size;
}

static void verify(const tutti_method *method, const struct shape *shape)
{
  char name[TUTTI_METHOD_LENGTH];
  if (tutti_verify_method(method, &shape->call, &error) != TUTTI_OK)
    fail_msg("%s, %d ranks, root %d, %d levels: %s", tutti_method_format(method, name), shape->call.size,
             shape->call.root, shape->call.level_count, error.message);
}

TEST(levels_of_any_shape_are_right)
{
  static const uint64_t segments[] = {0, 4, 8, 12};
  static const int windows[] = {1, 2, 16};
  struct shape shape;
  for (size_t a = 0; a < tutti_algorithm_count(); a++) {
    const tutti_algorithm *algorithm = tutti_algorithm_at(a);
    const bool blocks = tutti_collective_traits(algorithm->collective) & TUTTI_HAS_BLOCKS;
    for (int size = 1; algorithm->domain & TUTTI_NEEDS_LEVELS && size <= sanitized_most(); size++)
      for (int i = 0; i < (size <= 16 ? 40 : 6); i++) {
        tutti_method method = tutti_method_default(algorithm);
        make_shape(&shape, size);
        shape.call.count = blocks && size > 24 ? 1 : (uint64_t)below(6);
        if (algorithm->parameters & TUTTI_TAKES_SEGMENT)
          method.parameters.segment_bytes = segments[below(4)];
        if (algorithm->parameters & TUTTI_TAKES_OUTSTANDING)
          method.parameters.outstanding = windows[below(3)];
        verify(&method, &shape);
      }
  }
}

struct crossing {
  const struct shape *shape;
  int level;
  uint64_t messages, elements;
};

static tutti_status add_message(void *context, int from, int to, uint64_t elements, tutti_error *error)
{
  struct crossing *crossing = context;
  (void)error;
  if (!together(crossing->shape, crossing->level, from, to)) {
    crossing->messages++;
    crossing->elements += elements;
  }
  return TUTTI_OK;
}

static struct crossing cross(const char *text, const struct shape *shape, int level)
{
  struct crossing crossing = {.shape = shape, .level = level};
  tutti_method method;
  if (tutti_method_parse(text, &method, &error) != TUTTI_OK ||
      tutti_each_message(&method, &shape->call, add_message, &crossing, &error) != TUTTI_OK)
    fail_msg("%s", error.message);
  return crossing;
}

/* Each group but the root's is entered, or left, once. */
TEST(rooted)
{
  static const char *const methods[] = {"bcast/multi-level", "reduce/multi-level", "gather/multi-level",
                                        "scatter/multi-level"};
  struct shape shape;
  for (int size = 1; size <= sanitized_most(); size += 1 + size / 16)
    for (int i = 0; i < MAX_PER_RANK; i++)
      for (int m = 0; m < 4; m++) {
        make_shape(&shape, size);
        const tutti_method method = method_of(m == 0   ? TUTTI_COLL_BCAST
                                              : m == 1 ? TUTTI_COLL_REDUCE
                                              : m == 2 ? TUTTI_COLL_GATHER
                                                       : TUTTI_COLL_SCATTER,
                                              "multi-level");
        assert_int_equal(count(&method, shape.call).sum.sends, size - 1);
        for (int l = 0; l < shape.call.level_count; l++)
          assert_int_equal(cross(methods[m], &shape, l).messages, groups_of(&shape, l) - 1);
      }
}

/* Twice the messages of a broadcast if the part among the highest groups does the same. */
TEST(allreduce)
{
  struct shape shape;
  for (int size = 1; size <= sanitized_most(); size += 1 + size / 16)
    for (int i = 0; i < MAX_PER_RANK; i++) {
      make_shape(&shape, size);
      const int highest = highest_groups(&shape);
      const tutti_method outer = method_of(TUTTI_COLL_ALLREDUCE, "recursive-doubling");
      const uint64_t exchanged =
          count(&outer, (tutti_call){.size = highest, .count = 5, .commutative = true}).sum.sends;
      for (int l = 0; l < shape.call.level_count; l++) {
        const int groups = groups_of(&shape, l), within = groups > 1 ? groups - highest : 0;
        assert_int_equal(cross("allreduce/multi-level/allreduce=reduce-bcast", &shape, l).messages, 2 * (groups - 1));
        assert_int_equal(cross("allreduce/multi-level", &shape, l).messages,
                         groups > 1 ? 2 * (uint64_t)within + exchanged : 0);
      }
    }
}

/* The dissemination among the highest groups; below it twice two messages a group. */
TEST(barrier)
{
  struct shape shape;
  for (int size = 1; size <= sanitized_most(); size += 1 + size / 16)
    for (int i = 0; i < MAX_PER_RANK; i++) {
      make_shape(&shape, size);
      const int highest = highest_groups(&shape);
      for (int l = 0; l < shape.call.level_count; l++) {
        const int groups = groups_of(&shape, l);
        assert_int_equal(cross("barrier/multi-level", &shape, l).messages,
                         groups > 1 ? 4 * (groups - highest) + highest * ceil_log2(highest) : 0);
      }
    }
}

/* Every block enters every other group of the highest level, and once. */
TEST(allgather)
{
  struct shape shape;
  for (int size = 1; size <= sanitized_most(); size += 1 + size / 16)
    for (int i = 0; i < MAX_PER_RANK; i++) {
      make_shape(&shape, size);
      const int top = shape.call.level_count - 1;
      const struct crossing crossing = cross("allgather/multi-level", &shape, top);
      const int groups = groups_of(&shape, top);
      assert_int_equal(crossing.messages, groups * (groups - 1));
      assert_int_equal(crossing.elements, (uint64_t)(groups - 1) * (uint64_t)size * shape.call.count);
    }
}

/* ---- what is the same ---- */

static bool is_same_schedule(const tutti_method *a, const tutti_call *of_a, const tutti_method *b,
                             const tutti_call *of_b)
{
  FREED_BY(tutti_arena_release) tutti_arena arena;
  tutti_schedule one, other;
  tutti_arena_init(&arena);
  assert_int_equal(tutti_method_schedule(a, of_a, &arena, &one, NULL), TUTTI_OK);
  assert_int_equal(tutti_method_schedule(b, of_b, &arena, &other, NULL), TUTTI_OK);
  const bool same = one.vertex_count == other.vertex_count && one.temporary_count == other.temporary_count &&
                    memcmp(one.vertices, other.vertices, one.vertex_count * sizeof *one.vertices) == 0;
  return same;
}

/* Sides are levels of consecutive ranks, in numbers or written rank by rank; one level is what two levels are. */
TEST(ways_to_say_levels)
{
  int nodes[MAX_RANKS], cells[MAX_RANKS];
  const tutti_method sides = parsed("allreduce/multi-level/levels=3x4"), plain = parsed("allreduce/multi-level");
  const tutti_method one = parsed("bcast/multi-level/levels=3"), two = parsed("bcast/two-level/ranks_per_node=3");
  for (int r = 0; r < MAX_RANKS; r++) {
    nodes[r] = r / 3;
    cells[r] = r / 12;
  }
  for (int size = 1; size <= 60; size += 7)
    for (int rank = 0; rank < size; rank++) {
      tutti_call told = {.size = size, .rank = rank, .root = size / 2, .count = 4, .type_size = 1, .commutative = true};
      tutti_call widths = told, listed = told;
      widths.level_count = listed.level_count = 2;
      widths.levels[0].width = 3;
      widths.levels[1].width = 12;
      listed.levels[0].ids = nodes;
      listed.levels[1].ids = cells;
      assert_true(is_same_schedule(&sides, &told, &plain, &widths));
      assert_true(is_same_schedule(&sides, &told, &plain, &listed));
      if (size > 3)
        assert_true(is_same_schedule(&one, &told, &two, &told));
    }
}

/* A switch may have the number of one of another cell. */
TEST(numbers_count_within_the_group_above)
{
  static const int switches[] = {0, 0, 1, 1, 0, 0, 1, 1}, unique[] = {0, 0, 1, 1, 2, 2, 3, 3},
                   cells[] = {5, 5, 5, 5, 2, 2, 2, 2};
  const tutti_method method = parsed("reduce/multi-level");
  for (int rank = 0; rank < 8; rank++) {
    tutti_call call = {.size = 8, .rank = rank, .count = 4, .type_size = 1, .commutative = true, .level_count = 2};
    call.levels[0].ids = switches;
    call.levels[1].ids = cells;
    tutti_call other = call;
    other.levels[0].ids = unique;
    assert_true(is_same_schedule(&method, &call, &method, &other));
  }
}

TEST(unknown_levels_have_a_substitute)
{
  static const char text[] =
      "allreduce/multi-level/64KB/levels=4x32/reduce1=linear/allreduce=ring/bcast2=chain:8KB:k=2";
  char written[TUTTI_METHOD_LENGTH];
  const tutti_call call = {.size = 8, .count = 4, .commutative = true};
  const tutti_method plain = parsed("allreduce/multi-level"), method = parsed(text);
  assert_string_equal(tutti_method_format(&method, written), text);
  assert_int_equal(tutti_method_check(&method, &call, &error), TUTTI_OK);
  assert_fails(tutti_method_check(&plain, &call, &error), TUTTI_ERR_UNSUPPORTED, error, "levels=4x32");
  assert_string_equal(tutti_method_serving(&plain, &call).algorithm->name, "recursive-doubling");
}
