/* Sets in one diagram against bytes that say who is a member. */
#include <bdd.h>

#include "tutti/set_table.h"
#include "unit/groups/maps/map_sets.h"

enum { MOST = 600, SETS = 12, ROUNDS = 600, NODES = 200000 };

struct naive {
  tutti_set set;
  unsigned char in[MOST];
};

static void must(tutti_status status, const tutti_error *error)
{
  assert_ok(status, *error);
}

static tutti_set_table *table_of(int world, int nodes)
{
  tutti_set_table *table = NULL;
  must(tutti_set_table_create(world, nodes, &table, REASON), &error);
  return table;
}

static void assert_map(const tutti_set_table *table, const struct naive *naive, int world, int size)
{
  FREED_BY(free_map) tutti_map *map = NULL;
  must(tutti_set_map(table, naive->set, &map, REASON), &error);
  assert_int_equal(!map, size == 0);
  for (int m = 0, rank = 0; m < world && map; m++) {
    assert_int_equal(tutti_map_rank(map, m), naive->in[m] ? rank : -1);
    rank += naive->in[m];
  }
  if (map)
    must(tutti_map_validate(map, REASON), &error);
}

static void assert_set(const tutti_set_table *table, const struct naive *naive, int world)
{
  int size = 0;
  for (int m = 0; m < world; m++) {
    size += naive->in[m];
    assert_int_equal(tutti_set_contains(table, naive->set, m), naive->in[m]);
  }
  assert_int_equal(tutti_set_size(table, naive->set), size);
  assert_false(tutti_set_contains(table, naive->set, world) || tutti_set_contains(table, naive->set, -1));
  assert_map(table, naive, world, size);
}

/* Blocks of random members, in random order. */
static tutti_status draw_for(tutti_set_table *table, struct naive *naive, int world, uint64_t one_in, uint64_t block,
                             uint64_t *seed, tutti_error *error)
{
  int members[MOST], size = 0;
  FREED_BY(free_map) tutti_map *map = NULL;
  for (int m = 0; m < world; m++) {
    naive->in[m] = m % (int)block ? naive->in[m - 1] : random_below(seed, one_in) == 0;
    if (naive->in[m])
      members[size++] = m;
  }
  for (int i = size - 1; i > 0; i--) {
    int j = (int)random_below(seed, (uint64_t)i + 1), other = members[i];
    members[i] = members[j];
    members[j] = other;
  }
  if (size > 0)
    must(tutti_map_create(TUTTI_MAP_ARRAY, members, size, world, NULL, &map, error), error);
  return tutti_set_add(table, map, &naive->set, error);
}

static void draw(tutti_set_table *table, struct naive *naive, int world, uint64_t *seed)
{
  uint64_t one_in = 1 + random_below(seed, 8), block = 1 + random_below(seed, 40);
  must(draw_for(table, naive, world, one_in, block, seed, REASON), &error);
}

/* Every second of the largest world, which takes many nodes. */
static tutti_status add_random(tutti_set_table *table, struct naive *naive, uint64_t *seed)
{
  return draw_for(table, naive, MOST, 2, 1, seed, REASON);
}

static void operate(tutti_set_table *table, const struct naive *a, const struct naive *b, int which,
                    struct naive *result)
{
  static tutti_status (*const operations[])(tutti_set_table *, tutti_set, tutti_set, tutti_set *,
                                            tutti_error *) = {tutti_set_unite, tutti_set_intersect, tutti_set_subtract};
  must(operations[which](table, a->set, b->set, &result->set, REASON), &error);
  for (int m = 0; m < MOST; m++)
    result->in[m] = which == 0 ? a->in[m] | b->in[m] : which == 1 ? a->in[m] & b->in[m] : a->in[m] & !b->in[m];
}

/* Results take the places of others, which are released; equal sets are one. */
TEST(random_operations)
{
  static struct naive sets[SETS], result;
  uint64_t seed = 31;
  for (int world = 1; world <= MOST; world = 2 * world + 5) {
    tutti_set_table *table = table_of(world, NODES);
    memset(sets, 0, sizeof sets);
    memset(&result, 0, sizeof result);
    for (int i = 0; i < SETS; i++)
      draw(table, &sets[i], world, &seed);
    for (int round = 0; round < ROUNDS; round++) {
      struct naive *a = &sets[random_below(&seed, SETS)], *b = &sets[random_below(&seed, SETS)];
      assert_int_equal(a->set == b->set, memcmp(a->in, b->in, sizeof a->in) == 0);
      if (random_below(&seed, 4))
        operate(table, a, b, (int)random_below(&seed, 3), &result);
      else
        draw(table, &result, world, &seed);
      assert_set(table, &result, world);
      tutti_set_release(table, a->set);
      *a = result;
    }
    for (int i = 0; i < SETS; i++)
      assert_set(table, &sets[i], world);
    tutti_set_table_free(table);
    assert_false(bdd_isrunning());
  }
}

static tutti_set add_range(tutti_set_table *table, int first, int last, int stride, int world)
{
  int size = 0, *members = malloc((size_t)world * sizeof *members);
  FREED_BY(free_map) tutti_map *map = NULL;
  tutti_set set = TUTTI_SET_EMPTY;
  assert_non_null(members);
  for (int m = first; m <= last; m += stride)
    members[size++] = m;
  must(tutti_map_create(TUTTI_MAP_RANGE, members, size, world, NULL, &map, REASON), &error);
  must(tutti_set_add(table, map, &set, REASON), &error);
  free(members);
  return set;
}

/* Every fourth of a million, and the others: two nodes each, of the last two bits. */
TEST(shared_nodes)
{
  enum { WORLD = 1 << 20 };
  tutti_set_table *table = table_of(WORLD, NODES);
  tutti_set sets[3];
  sets[0] = add_range(table, 0, WORLD - 1, 1, WORLD);
  assert_int_equal(tutti_set_nodes(table, sets, 1), 0);
  sets[1] = add_range(table, 0, WORLD - 1, 4, WORLD);
  must(tutti_set_subtract(table, sets[0], sets[1], &sets[2], REASON), &error);
  assert_int_equal(tutti_set_size(table, sets[2]), WORLD / 4 * 3);
  assert_int_equal(tutti_set_nodes(table, sets + 1, 1), 2);
  assert_int_equal(tutti_set_nodes(table, sets + 2, 1), 2);
  sets[0] = sets[1];
  assert_int_equal(tutti_set_nodes(table, sets, 3), 4);
  assert_int_equal(tutti_set_nodes(table, sets, 2), 2);
  assert_int_equal(add_range(table, 0, WORLD - 1, 4, WORLD), sets[1]);
  tutti_set_table_free(table);
}

/* Random sets until there is no room: what was made before stays right, and what is released is room again. */
TEST(full_table)
{
  enum { MANY = 200, ROOM = 3000 };
  tutti_status status = TUTTI_OK;
  static struct naive sets[MANY];
  tutti_set_table *table = table_of(MOST, ROOM);
  uint64_t seed = 5;
  int count = 0;
  while (count < MANY && add_random(table, &sets[count], &seed) == TUTTI_OK)
    count++;
  assert_in_range(count, 2, MANY - 1);
  for (int first = count; status == TUTTI_OK; count += status == TUTTI_OK) {
    struct naive *a = &sets[random_below(&seed, (uint64_t)first)], *b = &sets[random_below(&seed, (uint64_t)first)];
    assert_true(count < MANY);
    status = tutti_set_unite(table, a->set, b->set, &sets[count].set, REASON);
    for (int m = 0; m < MOST; m++)
      sets[count].in[m] = a->in[m] | b->in[m];
  }
  assert_int_equal(status, TUTTI_ERR_MEMORY);
  for (int i = 0; i < count; i++)
    assert_set(table, &sets[i], MOST);
  for (int i = 1; i < count; i++)
    tutti_set_release(table, sets[i].set);
  assert_int_equal(add_random(table, &sets[1], &seed), TUTTI_OK);
  assert_set(table, &sets[0], MOST);
  assert_set(table, &sets[1], MOST);
  tutti_set_table_free(table);
}

TEST(faults)
{
  int members[] = {1, 2};
  tutti_set_table *table = NULL, *second = NULL;
  FREED_BY(free_map) tutti_map *map = NULL, *diagram = NULL;
  tutti_set set = TUTTI_SET_EMPTY;
  assert_int_equal(tutti_set_table_create(0, 100, &table, REASON), TUTTI_ERR_ARGUMENT);
  assert_int_equal(tutti_set_table_create(8, 0, &table, REASON), TUTTI_ERR_ARGUMENT);
  table = table_of(8, 100);
  assert_int_equal(tutti_set_table_create(8, 100, &second, REASON), TUTTI_ERR_UNSUPPORTED);
  assert_null(second);
  must(tutti_map_create(TUTTI_MAP_ARRAY, members, 2, 9, NULL, &map, REASON), &error);
  assert_fails(tutti_set_add(table, map, &set, REASON), TUTTI_ERR_ARGUMENT, error, "world of 9");
  assert_int_equal(tutti_map_create(TUTTI_MAP_BDD, members, 2, 9, NULL, &diagram, REASON), TUTTI_ERR_UNSUPPORTED);
  tutti_set_table_free(table);
  tutti_set_table_free(NULL);
  must(tutti_map_create(TUTTI_MAP_BDD, members, 2, 9, NULL, &diagram, REASON), &error);
}
