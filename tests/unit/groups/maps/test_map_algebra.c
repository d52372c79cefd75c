/* Group algebra on maps against lists of a few lines each. */
#include "unit/groups/maps/map_sets.h"

enum { MOST = 4000, SMALL = 8, ROUNDS = 300 };

/* A group as MPI sees it. */
struct list {
  int count, members[MOST];
};

static bool has(const struct list *list, int member)
{
  for (int i = 0; i < list->count; i++)
    if (list->members[i] == member)
      return true;
  return false;
}

static void append(struct list *list, int member)
{
  list->members[list->count++] = member;
}

static void append_if(struct list *to, const struct list *from, const struct list *other, bool inside)
{
  for (int i = 0; i < from->count; i++)
    if (has(other, from->members[i]) == inside)
      append(to, from->members[i]);
}

static int compare(const void *a, const void *b)
{
  return *(const int *)a - *(const int *)b;
}

static tutti_map *make(const struct list *list, int world, tutti_map_kind kind)
{
  tutti_map *map = NULL;
  if (list->count == 0)
    return NULL;
  assert_ok(tutti_map_create(kind, list->members, list->count, world, NULL, &map, REASON), error);
  return map;
}

static void assert_is(tutti_map *map, const struct list *list)
{
  int members[MOST];
  if (list->count == 0) {
    assert_null(map);
    return;
  }
  assert_non_null(map);
  assert_int_equal(tutti_map_size(map), list->count);
  tutti_map_select_all(map, 0, list->count, members);
  assert_memory_equal(members, list->members, (size_t)list->count * sizeof *members);
  tutti_map_free(map);
}

typedef tutti_status (*operation)(const tutti_map *a, const tutti_map *b, const tutti_map_limits *limits,
                                  tutti_map **result, tutti_error *error);

static void assert_gives(operation operate, const tutti_map *a, const tutti_map *b, const struct list *expected)
{
  tutti_map *result = NULL;
  assert_ok(operate(a, b, NULL, &result, REASON), error);
  assert_is(result, expected);
}

static void assert_relation(const tutti_map *a, const tutti_map *b, const struct list *x, const struct list *y)
{
  tutti_map_relation relation, expected = TUTTI_MAP_UNEQUAL;
  struct list both = {0};
  append_if(&both, x, y, true);
  if (both.count == x->count && both.count == y->count)
    expected = memcmp(x->members, y->members, (size_t)x->count * sizeof(int)) ? TUTTI_MAP_SIMILAR : TUTTI_MAP_IDENT;
  assert_int_equal(tutti_map_compare(a, b, &relation, NULL), TUTTI_OK);
  assert_int_equal(relation, expected);
}

static void assert_translates(const tutti_map *a, const tutti_map *b, const struct list *x, const struct list *y)
{
  int ranks[MOST + 1], translated[MOST + 1];
  for (int i = 0; i <= x->count; i++)
    ranks[i] = i - 1; /* -1 is nobody */
  assert_int_equal(tutti_map_translate(a, ranks, x->count + 1, b, translated, NULL), TUTTI_OK);
  assert_int_equal(translated[0], -1);
  for (int i = 0; i < x->count; i++) {
    int expected = -1;
    for (int j = 0; j < y->count; j++)
      if (y->members[j] == x->members[i])
        expected = j;
    assert_int_equal(translated[i + 1], expected);
  }
}

static void check_pair(const tutti_map *a, const tutti_map *b, const struct list *x, const struct list *y)
{
  struct list expected = *x;
  append_if(&expected, y, x, false);
  assert_gives(tutti_map_union, a, b, &expected);
  qsort(expected.members, (size_t)expected.count, sizeof(int), compare);
  assert_gives(tutti_map_set_union, a, b, &expected);
  expected.count = 0;
  append_if(&expected, x, y, true);
  assert_gives(tutti_map_intersection, a, b, &expected);
  expected.count = 0;
  append_if(&expected, x, y, false);
  assert_gives(tutti_map_difference, a, b, &expected);
  assert_relation(a, b, x, y);
  assert_translates(a, b, x, y);
}

static struct list subset(int bits)
{
  struct list list = {0};
  for (int i = 0; i < SMALL; i++)
    if (bits >> i & 1)
      append(&list, i);
  return list;
}

static void reverse(struct list *list)
{
  for (int i = 0, j = list->count - 1; i < j; i++, j--) {
    int other = list->members[i];
    list->members[i] = list->members[j];
    list->members[j] = other;
  }
}

/* All pairs of subsets of 8, the second also backwards. */
TEST(all_small_groups)
{
  static struct list lists[2][1 << SMALL];
  static tutti_map *maps[2][1 << SMALL];
  for (int i = 0; i < 1 << SMALL; i++) {
    lists[0][i] = lists[1][i] = subset(i);
    reverse(&lists[1][i]);
    maps[0][i] = make(&lists[0][i], SMALL, i % 2 ? TUTTI_MAP_POPCOUNT : TUTTI_MAP_ARRAY);
    maps[1][i] = make(&lists[1][i], SMALL, i % 2 ? TUTTI_MAP_PERMUTED : TUTTI_MAP_ARRAY);
  }
  for (int i = 0; i < 1 << SMALL; i++)
    for (int j = 0; j < 1 << SMALL; j++)
      for (int backwards = 0; backwards < 2; backwards++)
        check_pair(maps[0][i], maps[backwards][j], &lists[0][i], &lists[backwards][j]);
  for (int i = 0; i < 1 << SMALL; i++) {
    tutti_map_free(maps[0][i]);
    tutti_map_free(maps[1][i]);
  }
}

static void shuffle(struct list *list, uint64_t *seed)
{
  for (int i = list->count - 1; i > 0; i--) {
    int j = (int)random_below(seed, (uint64_t)i + 1), other = list->members[i];
    list->members[i] = list->members[j];
    list->members[j] = other;
  }
}

static void draw(struct list *list, int world, uint64_t *seed)
{
  uint64_t one_in = random_below(seed, 3) ? 1 + random_below(seed, 12) : 1; /* 1: a range */
  int stride = 1 + (int)random_below(seed, 3);
  list->count = 0;
  for (int i = 0; i < world; i += stride)
    if (random_below(seed, one_in) == 0)
      append(list, i);
  if (random_below(seed, 2))
    shuffle(list, seed);
}

/* In any representation that can hold it. */
static tutti_map *make_some(const struct list *list, int world, uint64_t *seed)
{
  tutti_map *map = NULL;
  if (list->count == 0)
    return NULL;
  for (;;) {
    tutti_map_kind kind = (tutti_map_kind)random_below(seed, TUTTI_MAP_KINDS);
    tutti_status status = tutti_map_create(kind, list->members, list->count, world, NULL, &map, NULL);
    if (status == TUTTI_OK)
      return map;
    assert_int_equal(status, TUTTI_ERR_UNSUPPORTED);
  }
}

TEST(random_groups)
{
  static struct list x, y;
  int made[TUTTI_MAP_KINDS] = {0};
  uint64_t seed = 17;
  for (int round = 0; round < ROUNDS; round++) {
    int world = 1 + (int)random_below(&seed, round % 10 ? 400 : MOST);
    draw(&x, world, &seed);
    draw(&y, world, &seed);
    if (round % 5 == 0) { /* the same members */
      y = x;
      if (round % 2)
        shuffle(&y, &seed);
    }
    tutti_map *a = make_some(&x, world, &seed), *b = make_some(&y, world, &seed);
    check_pair(a, b, &x, &y);
    if (a)
      made[tutti_map_kind_of(a)]++;
    tutti_map_free(a);
    tutti_map_free(b);
  }
  for (int kind = 0; kind < TUTTI_MAP_KINDS; kind++)
    if (made[kind] == 0)
      fail_msg("no group is in the representation %s", tutti_map_kind_name((tutti_map_kind)kind));
}

typedef tutti_status (*choice)(const tutti_map *map, const int *ranks, int count, const tutti_map_limits *limits,
                               tutti_map **result, tutti_error *error);

static void assert_chooses(choice choose, const tutti_map *map, const struct list *ranks, const struct list *expected)
{
  tutti_map *result = NULL;
  assert_ok(choose(map, ranks->members, ranks->count, NULL, &result, REASON), error);
  assert_is(result, expected);
}

TEST(include_and_exclude)
{
  static struct list group, ranks, included, excluded;
  uint64_t seed = 23;
  for (int round = 0; round < ROUNDS; round++) {
    int world = 1 + (int)random_below(&seed, 500);
    draw(&group, world, &seed);
    draw(&ranks, group.count, &seed);
    included.count = excluded.count = 0;
    for (int i = 0; i < ranks.count; i++)
      append(&included, group.members[ranks.members[i]]);
    append_if(&excluded, &group, &included, false);
    tutti_map *map = make_some(&group, world, &seed);
    assert_chooses(tutti_map_include, map, &ranks, &included);
    assert_chooses(tutti_map_exclude, map, &ranks, &excluded);
    tutti_map_free(map);
  }
}

typedef tutti_status (*range_choice)(const tutti_map *map, const int (*ranges)[3], int count,
                                     const tutti_map_limits *limits, tutti_map **result, tutti_error *error);

static tutti_map *by_ranges(range_choice choose, const tutti_map *map, const int (*ranges)[3], int count)
{
  tutti_map *result = NULL;
  assert_ok(choose(map, ranges, count, NULL, &result, REASON), error);
  return result;
}

TEST(triplets)
{
  static const int ranges[][3] = {{6, 7, 1}, {1, 6, 4}, {4, 0, -2}};
  static const struct list included = {7, {14, 16, 4, 12, 10, 6, 2}}, excluded = {3, {8, 18, 20}};
  struct list group = {0};
  for (int i = 0; i < 10; i++)
    append(&group, 2 * i + 2);
  FREED_BY(free_map) tutti_map *map = make(&group, 30, TUTTI_MAP_RANGE);
  assert_is(by_ranges(tutti_map_range_include, map, ranges, 3), &included);
  assert_is(by_ranges(tutti_map_range_exclude, map, ranges, 3), &excluded);
  assert_is(by_ranges(tutti_map_range_exclude, map, NULL, 0), &group);
  assert_null(by_ranges(tutti_map_range_include, map, NULL, 0));
  assert_null(by_ranges(tutti_map_range_exclude, map, (const int[][3]){{9, 0, -1}}, 1));
}

static void assert_refused(tutti_status status, const tutti_error *error, const char *words)
{
  assert_int_equal(status, TUTTI_ERR_ARGUMENT);
  assert_contains(error->message, words);
}

TEST(faults)
{
  static const struct list group = {3, {0, 1, 2}};
  tutti_map *a = make(&group, 4, TUTTI_MAP_ARRAY), *b = make(&group, 5, TUTTI_MAP_ARRAY), *result = NULL;
  int translated;
  assert_refused(tutti_map_union(a, b, NULL, &result, REASON), &error, "world of 4, the other of 5");
  assert_refused(tutti_map_set_union(a, b, NULL, &result, REASON), &error, "world of 4, the other of 5");
  assert_refused(tutti_map_difference(a, b, NULL, &result, REASON), &error, "world of 4, the other of 5");
  assert_refused(tutti_map_include(a, (int[]){3}, 1, NULL, &result, REASON), &error, "rank 3 is outside");
  assert_refused(tutti_map_include(NULL, (int[]){0}, 1, NULL, &result, REASON), &error, "group of 0");
  assert_refused(tutti_map_exclude(a, (int[]){0, 2, 0}, 3, NULL, &result, REASON), &error, "rank 0 is named twice");
  assert_refused(tutti_map_range_include(a, (const int[][3]){{0, 2, 0}}, 1, NULL, &result, REASON), &error, "stride");
  assert_refused(tutti_map_range_include(a, (const int[][3]){{0, 2, -1}}, 1, NULL, &result, REASON), &error, "stride");
  assert_refused(tutti_map_range_exclude(a, (const int[][3]){{2, 0, 1}}, 1, NULL, &result, REASON), &error, "stride");
  assert_refused(tutti_map_range_exclude(a, (const int[][3]){{0, 2, 1}, {1, 1, 1}}, 2, NULL, &result, REASON), &error,
                 "rank 1 is named twice");
  assert_refused(tutti_map_range_include(a, (const int[][3]){{0, 2147483647, 1}}, 1, NULL, &result, REASON), &error,
                 "rank 3 is outside");
  assert_refused(tutti_map_translate(a, (int[]){3}, 1, b, &translated, REASON), &error, "rank 3 is outside");
  assert_null(result);
  tutti_map_free(b);
  tutti_map_free(a);
}

/* Results are sets in the representation asked for, else permuted, else arrays. */
static void assert_kind(const int *ranks, const tutti_map_limits *limits, tutti_map_kind kind)
{
  struct list group = {0};
  FREED_BY(free_map) tutti_map *result = NULL;
  for (int i = 0; i < 10; i++)
    append(&group, i);
  FREED_BY(free_map) tutti_map *map = make(&group, 10, TUTTI_MAP_RANGE);
  assert_int_equal(tutti_map_include(map, ranks, 4, limits, &result, NULL), TUTTI_OK);
  assert_int_equal(tutti_map_kind_of(result), kind);
}

TEST(representations)
{
  tutti_map_limits limits = tutti_map_limits_default();
  assert_kind((int[]){1, 2, 4, 8}, NULL, TUTTI_MAP_POPCOUNT);
  assert_kind((int[]){8, 2, 4, 1}, NULL, TUTTI_MAP_PERMUTED);
  limits.runs = 2;
  assert_kind((int[]){8, 2, 4, 1}, &limits, TUTTI_MAP_ARRAY);
  limits.set_kind = TUTTI_MAP_RANGE;
  assert_kind((int[]){2, 4, 6, 8}, &limits, TUTTI_MAP_RANGE);
  assert_kind((int[]){2, 4, 6, 9}, &limits, TUTTI_MAP_ARRAY);
}

/* A large world costs nothing: two members in one of 2^31 - 1. */
TEST(large_world)
{
  const struct list x = {2, {5, 2147483646}}, y = {2, {5, 2147483640}}, both = {1, {5}};
  const struct list either = {3, {5, 2147483640, 2147483646}};
  tutti_map_limits limits = tutti_map_limits_default();
  FREED_BY(free_map)
  tutti_map *a = make(&x, 2147483647, TUTTI_MAP_ELIAS_FANO), *b = make(&y, 2147483647, TUTTI_MAP_ELIAS_FANO);
  tutti_map *result = NULL;
  limits.set_kind = TUTTI_MAP_ELIAS_FANO;
  assert_int_equal(tutti_map_set_union(a, b, &limits, &result, NULL), TUTTI_OK);
  assert_true(tutti_map_bytes(result) < 1000);
  assert_is(result, &either);
  assert_int_equal(tutti_map_intersection(a, b, &limits, &result, NULL), TUTTI_OK);
  assert_is(result, &both);
}
