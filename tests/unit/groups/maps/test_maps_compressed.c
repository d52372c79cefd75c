/* Group maps by diagrams and by compression, each against the list of its members. */
#include <bdd.h>

#include "groups/maps/diagram.h"
#include "unit/groups/maps/map_groups.h"
#include "unit/groups/maps/map_sets.h"
#include "unit/patience.h"

enum { N = 1 << 20, SAMPLES = 300, RANK_SAMPLES = 30 };
static const tutti_map_limits limits = {.bdd_nodes = 200000};

static tutti_map *make(const struct map_operations *kind, const struct map_group *group)
{
  tutti_map *map = NULL;
  tutti_status status = tutti_map_create(kind->kind, group->members, group->size, group->world, &limits, &map, REASON);
  assert_ok(status, error);
  assert_false(bdd_isrunning());
  return map;
}

/* All of a small group, samples of a large one. */
static void check_select(const tutti_map *map, const struct map_group *group, bool slow)
{
  uint64_t seed = 1;
  int step = slow && group->size > SAMPLES ? group->size / SAMPLES : 1;
  for (int i = 0; i < group->size; i += step)
    assert_int_equal(map->operations->select(map, i), group->members[i]);
  for (int i = 0; i < 20; i++) {
    int rank = (int)random_below(&seed, (uint64_t)group->size);
    assert_int_equal(map->operations->select(map, rank), group->members[rank]);
  }
}

static void check_rank(const tutti_map *map, const struct map_group *group, bool slow)
{
  FREED_BY(free_memory) int *ranks = malloc((size_t)group->world * sizeof *ranks);
  assert_non_null(ranks);
  memset(ranks, -1, (size_t)group->world * sizeof *ranks);
  for (int i = 0; i < group->size; i++)
    ranks[group->members[i]] = i;
  int step = slow && group->world > RANK_SAMPLES ? group->world / RANK_SAMPLES : 1;
  for (int i = 0; i < group->world; i += step)
    assert_int_equal(map->operations->rank(map, i), ranks[i]);
}

static void check_windows(const tutti_map *map, const struct map_group *group)
{
  uint64_t seed = 2;
  FREED_BY(free_memory) int *members = malloc((size_t)group->size * sizeof *members);
  assert_non_null(members);
  for (int i = 0; i < 10; i++) {
    int first = i ? (int)random_below(&seed, (uint64_t)group->size) : 0;
    int count = i ? (int)random_below(&seed, (uint64_t)(group->size - first) + 1) : group->size;
    map->operations->select_all(map, first, count, members);
    assert_memory_equal(members, group->members + first, (size_t)count * sizeof *members);
  }
}

static void check_equal(const tutti_map *map, const struct map_group *group)
{
  bool slow = map->operations == &tutti_map_bwt;
  check_select(map, group, slow);
  check_rank(map, group, slow);
  check_windows(map, group);
}

static unsigned char *written(const tutti_map *map, size_t *length)
{
  char *bytes = NULL;
  FILE *stream = open_memstream(&bytes, length);
  assert_non_null(stream);
  map->operations->write(map, stream);
  assert_int_equal(fclose(stream), 0);
  return (unsigned char *)bytes;
}

static tutti_status read_back(const struct map_operations *kind, const unsigned char *bytes, size_t length,
                              const struct map_group *group, tutti_map **map)
{
  struct map_reader reader = {.bytes = bytes, .length = length};
  tutti_status status = tutti_map_read_by(kind, &reader, group->size, group->world, map, &error);
  if (status == TUTTI_OK)
    tutti_map_check_read(*map, &reader, &(*map)->ordered, &error);
  if (status != TUTTI_OK || reader.at == length)
    return status;
  tutti_map_free(*map); /* as map.c refuses bytes that are left */
  return TUTTI_ERR_ARGUMENT;
}

static void check_copy(const tutti_map *map, const struct map_group *group)
{
  size_t length;
  unsigned char *bytes = written(map, &length);
  FREED_BY(free_map) tutti_map *copy;
  assert_int_equal(read_back(map->operations, bytes, length, group, &copy), TUTTI_OK);
  assert_int_equal(copy->ordered, map->ordered);
  assert_int_equal(tutti_map_bytes(map), tutti_map_bytes(copy));
  check_equal(copy, group);
  free(bytes);
}

static size_t check_kind(const struct map_operations *kind, const struct map_group *group)
{
  FREED_BY(free_map) tutti_map *map = make(kind, group);
  check_equal(map, group);
  check_copy(map, group);
  return tutti_map_bytes(map);
}

/* ---- groups of the paper ---- */

/* No larger than published, in KB of 1,024 bytes: table 1. */
static void check_published(bool (*is_member)(int), int size, double bdd_kb, double bwt_kb)
{
  FREED_BY(map_group_free) struct map_group group = map_group_of(N, is_member);
  assert_int_equal(group.size, size);
  assert_true((double)check_kind(&tutti_map_bdd, &group) <= 1024 * bdd_kb);
  assert_true((double)check_kind(&tutti_map_bwt, &group) <= 1024 * bwt_kb);
}

TEST(test_one_removed)
{
  check_published(map_one_removed, 999999, 0.55, 900);
}

TEST(test_ranges)
{
  check_published(map_ranges_of_50, 500000, 110, 550);
}

TEST(test_odd_or_low)
{
  check_published(map_odd_or_low, 750000, 0.41, 650);
}

TEST(test_subgrid)
{
  check_published(map_subgrid, 10000, 4, 20);
}

TEST(test_stride_less_one)
{
  check_published(map_stride_less_one, 9999, 0.38, 20);
}

TEST(test_primes_removed)
{
  check_published(map_no_prime, 463040, 871, 600);
}

TEST(test_power_of_two_less_one)
{
  FREED_BY(map_group_free) struct map_group group = map_group_of(N, map_one_removed);
  for (group.size = 0; group.size < N - 1; group.size++)
    group.members[group.size] = group.size + (group.size >= 31415);
  FREED_BY(free_map) tutti_map *map = make(&tutti_map_bdd, &group);
  assert_int_equal(((struct diagram *)map)->nodes, 20); /* one a bit of the member that is not there */
  check_equal(map, &group);
}

/* ---- random and adversarial groups ---- */

static void check_random(int size, int world, uint64_t seed)
{
  FREED_BY(map_group_free) struct map_group group = map_group_random(size, world, seed);
  check_kind(&tutti_map_bdd, &group);
  check_kind(&tutti_map_bwt, &group);
  map_group_shuffle(&group, seed);
  check_kind(&tutti_map_bwt, &group);
}

TEST(test_random)
{
  uint64_t seed = 3;
  for (int i = 0; i < 200; i++) {
    int world = 1 + (int)random_below(&seed, i % 3 ? 70 : 5000);
    check_random(1 + (int)random_below(&seed, (uint64_t)world), world, random_next(&seed));
  }
  check_random(1500, 1000000, 4);
  check_random(20000, N, 5);
}

/* Every set of a world of 5. */
TEST(test_every_small_set)
{
  for (int set = 1; set < 32; set++) {
    int members[5];
    struct map_group group = {.members = members, .world = 5};
    for (int i = 0; i < 5; i++)
      if (set >> i & 1)
        members[group.size++] = i;
    check_kind(&tutti_map_bdd, &group);
    check_kind(&tutti_map_bwt, &group);
  }
}

TEST(test_largest_world)
{
  static const int members[] = {0, 1, 1 << 30, (1 << 30) + 5, INT32_MAX - 2, INT32_MAX - 1};
  tutti_map *maps[2];
  assert_int_equal(tutti_map_create(TUTTI_MAP_BDD, members, 6, INT32_MAX, &limits, &maps[0], &error), TUTTI_OK);
  assert_int_equal(tutti_map_create(TUTTI_MAP_BWT, members, 6, INT32_MAX, &limits, &maps[1], &error), TUTTI_OK);
  for (int m = 0; m < 2; m++) {
    for (int i = 0; i < 6; i++) {
      assert_int_equal(maps[m]->operations->select(maps[m], i), members[i]);
      assert_int_equal(maps[m]->operations->rank(maps[m], members[i]), i);
      assert_int_equal(maps[m]->operations->rank(maps[m], 77), -1);
    }
    tutti_map_free(maps[m]);
  }
}

TEST(test_gives_up)
{
  FREED_BY(map_group_free) struct map_group group = map_group_random(5000, N, 6);
  tutti_map_limits few = {.bdd_nodes = 3000, .bytes = 10000};
  tutti_map *map;
  assert_fails(tutti_map_create(TUTTI_MAP_BDD, group.members, group.size, N, &few, &map, &error), TUTTI_ERR_UNSUPPORTED,
               error, "3000");
  assert_false(bdd_isrunning());
  assert_fails(tutti_map_create(TUTTI_MAP_BWT, group.members, group.size, N, &few, &map, &error), TUTTI_ERR_UNSUPPORTED,
               error, "10000");
}

TEST(test_buddy_in_use)
{
  static const int members[] = {1, 3};
  tutti_map *map;
  bdd_init(1000, 100);
  bdd_setvarnum(2); /* bdd_done() frees twice what only this call allocates */
  assert_int_equal(tutti_map_create(TUTTI_MAP_BDD, members, 2, 4, &limits, &map, &error), TUTTI_ERR_UNSUPPORTED);
  assert_true(bdd_isrunning());
  bdd_done();
}

/* Use a map that was made of changed bytes: whatever it says is within the world. */
static void use(const tutti_map *map, const struct map_group *group)
{
  for (int i = 0; i < group->size; i++) {
    int member = map->operations->select(map, i);
    assert_uint_in_range(member, 0, group->world - 1);
    assert_int_equal(map->operations->rank(map, member), i);
  }
  for (int i = 0; i < group->world; i += 7)
    assert_true(map->operations->rank(map, i) < group->size);
}

static int mutate(const struct map_operations *kind, const struct map_group *group, int rounds, uint64_t seed)
{
  FREED_BY(free_map) tutti_map *map = make(kind, group);
  size_t length;
  unsigned char *bytes = written(map, &length);
  int refused = 0;
  for (int i = 0; i < rounds; i++) {
    unsigned char *changed = malloc(length); /* as long as it is: a sanitizer sees reads past the end */
    assert_non_null(changed);
    memcpy(changed, bytes, length);
    for (int j = 0; j <= i % 3; j++)
      changed[random_below(&seed, length)] ^= (unsigned char)(1 << random_below(&seed, 8));
    size_t kept = i % 5 ? length : random_below(&seed, length);
    tutti_map *copy;
    if (read_back(kind, changed, kept, group, &copy) != TUTTI_OK) {
      refused++;
    } else {
      use(copy, group);
      tutti_map_free(copy);
    }
    free(changed);
  }
  free(bytes);
  return refused;
}

TEST(test_changed_bytes)
{
  for (uint64_t seed = 1; seed <= UNLESS_WATCHED(20, 3); seed++) {
    struct map_group group = map_group_random(1 + 20 * (int)seed, 150 * (int)seed, seed);
    assert_true(mutate(&tutti_map_bdd, &group, 500, seed) > 250);
    map_group_shuffle(&group, seed);
    assert_true(mutate(&tutti_map_bwt, &group, 50, seed) > 25);
    map_group_free(&group);
  }
}

/* Sizes that the bytes do not have. */
TEST(test_wrong_size)
{
  FREED_BY(map_group_free) struct map_group group = map_group_random(2500, 9000, 7);
  const struct map_operations *const kinds[] = {&tutti_map_bdd, &tutti_map_bwt};
  static const int sizes[] = {1, 2000, 2499, 2501, 3500, INT32_MAX};
  for (int k = 0; k < 2; k++) {
    tutti_map *map = make(kinds[k], &group), *copy;
    size_t length;
    unsigned char *bytes = written(map, &length);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      struct map_group wrong = {.size = sizes[i], .world = i == 5 ? INT32_MAX : 9000};
      assert_int_not_equal(read_back(kinds[k], bytes, length, &wrong, &copy), TUTTI_OK);
    }
    free(bytes);
    tutti_map_free(map);
  }
}
