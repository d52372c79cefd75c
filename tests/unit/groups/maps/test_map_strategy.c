/* Strategies: the map is right whatever is chosen, no larger than what it was chosen from, and as documented. */
#include "tutti/map.h"

#include "unit/base/random.h"
#include "unit/test.h"

enum { WORLD = 1 << 16 };

/* A group of the world by a rule; returns its size. */
static int fill(int shape, int *members)
{
  int size = 0;
  uint64_t seed = 5;
  for (int m = 0; m < WORLD; m++) {
    bool in = shape == 0                 ? true
              : shape == 1               ? m != 777
              : shape == 2               ? m % 7 == 3
              : shape == 3 || shape == 6 ? random_below(&seed, 2) == 0
              : shape == 4               ? random_below(&seed, 20) == 0
                                         : m / 100 % 3 == 0;
    if (in)
      members[size++] = m;
  }
  if (shape == 5 || shape == 6) /* the upper half first */
    for (int i = 0; i < size / 2; i++) {
      int swap = members[i];
      members[i] = members[size / 2 + i];
      members[size / 2 + i] = swap;
    }
  return size;
}

enum { SHAPES = 7 };

static tutti_map *choose(tutti_map_strategy strategy, const int *members, int size)
{
  tutti_map *map;
  assert_ok(tutti_map_choose(strategy, members, size, WORLD, NULL, &map, &error), error);
  return map;
}

TEST(test_choices_are_right)
{
  FREED_BY(free_memory) int *members = malloc(WORLD * sizeof *members);
  uint64_t seed = 9;
  for (int shape = 0; shape < SHAPES; shape++) {
    int size = fill(shape, members);
    for (int s = 0; s < TUTTI_MAP_STRATEGIES; s++) {
      tutti_map *map = choose((tutti_map_strategy)s, members, size);
      for (int i = 0; i < 500; i++) {
        int rank = (int)random_below(&seed, (uint64_t)size);
        assert_int_equal(tutti_map_select(map, rank), members[rank]);
        assert_int_equal(tutti_map_rank(map, members[rank]), rank);
      }
      tutti_map_free(map);
    }
  }
}

/* Nothing that can hold the group has fewer bytes than what least-space takes. */
TEST(test_least_space_is_least)
{
  FREED_BY(free_memory) int *members = malloc(WORLD * sizeof *members);
  for (int shape = 0; shape < SHAPES; shape++) {
    int size = fill(shape, members);
    tutti_map *map = choose(TUTTI_MAP_LEAST_SPACE, members, size), *hybrid = choose(TUTTI_MAP_HYBRID, members, size);
    assert_true(tutti_map_bytes(map) <= tutti_map_bytes(hybrid));
    for (int kind = 0; kind < TUTTI_MAP_KINDS; kind++) {
      tutti_map *other;
      if (tutti_map_create((tutti_map_kind)kind, members, size, WORLD, NULL, &other, NULL) != TUTTI_OK)
        continue;
      if (tutti_map_bytes(other) < tutti_map_bytes(map) && !(kind == TUTTI_MAP_PERMUTED && tutti_map_is_ordered(map)))
        fail_msg("shape %d: %s has %zu bytes, %s has %zu", shape, tutti_map_kind_name((tutti_map_kind)kind),
                 tutti_map_bytes(other), tutti_map_kind_name(tutti_map_kind_of(map)), tutti_map_bytes(map));
      tutti_map_free(other);
    }
    tutti_map_free(map);
    tutti_map_free(hybrid);
  }
}

TEST(test_rules)
{
  FREED_BY(free_memory) int *members = malloc(WORLD * sizeof *members);
  static const tutti_map_kind hybrids[SHAPES] = {TUTTI_MAP_RANGE,    TUTTI_MAP_RANGES,     TUTTI_MAP_RANGE,
                                                 TUTTI_MAP_POPCOUNT, TUTTI_MAP_ELIAS_FANO, TUTTI_MAP_RANGES,
                                                 TUTTI_MAP_PERMUTED};
  for (int shape = 0; shape < SHAPES; shape++) {
    int size = fill(shape, members);
    tutti_map *fast = choose(TUTTI_MAP_LEAST_TIME, members, size), *hybrid = choose(TUTTI_MAP_HYBRID, members, size);
    assert_int_equal(tutti_map_kind_of(fast), shape == 0 || shape == 2 ? TUTTI_MAP_RANGE : TUTTI_MAP_ARRAY);
    assert_string_equal(tutti_map_kind_name(tutti_map_kind_of(hybrid)), tutti_map_kind_name(hybrids[shape]));
    tutti_map_free(fast);
    tutti_map_free(hybrid);
  }
}

TEST(test_names_and_faults)
{
  tutti_map_strategy strategy;
  tutti_map *map;
  const int twice[] = {3, 3};
  for (int s = 0; s < TUTTI_MAP_STRATEGIES; s++) {
    assert_int_equal(tutti_map_strategy_parse(tutti_map_strategy_name((tutti_map_strategy)s), &strategy, NULL),
                     TUTTI_OK);
    assert_int_equal(strategy, s);
  }
  assert_int_equal(tutti_map_strategy_parse("best", &strategy, &error), TUTTI_ERR_ARGUMENT);
  assert_int_equal(tutti_map_choose(TUTTI_MAP_HYBRID, twice, 2, 5, NULL, &map, &error), TUTTI_ERR_ARGUMENT);
}
