/* Every representation of group maps against the list that it was made from. */
#include <time.h>

#include "groups/maps/map_private.h"
#include "unit/groups/maps/map_sets.h"
#include "unit/patience.h"

/* Whether this kind is linked. */
static bool built(tutti_map_kind kind)
{
  int member = 0;
  tutti_map *map = NULL;
  if (tutti_map_create(kind, &member, 1, 1, NULL, &map, REASON) == TUTTI_OK) {
    tutti_map_free(map);
    return true;
  }
  return !strstr(error.message, "not built"); /* a group of one has no complement */
}

static bool has_stride(const struct map_set *set)
{
  for (int i = 2; i < set->size; i++)
    if (set->members[i] - set->members[i - 1] != set->members[1] - set->members[0])
      return false;
  return true;
}

/* Fewest ranges of an ordered list. */
static int ranges_of(const struct map_set *set)
{
  int count = 1, stride = 0;
  for (int i = 1; i < set->size; i++) {
    int step = set->members[i] - set->members[i - 1];
    if (stride == 0)
      stride = step;
    else if (step != stride) {
      count++;
      stride = 0;
    }
  }
  return count;
}

enum expectation { MUST, MAY, CANNOT };

static enum expectation expect(tutti_map_kind kind, const struct map_set *set)
{
  switch (kind) {
  case TUTTI_MAP_ARRAY:
    return MUST;
  case TUTTI_MAP_BWT:
  case TUTTI_MAP_PERMUTED:
    return MAY;
  case TUTTI_MAP_RANGE:
    return has_stride(set) ? MUST : CANNOT;
  case TUTTI_MAP_RANGES:
    if (map_set_ascends(set) && ranges_of(set) > 1 && 3 * (int64_t)ranges_of(set) > set->size)
      return CANNOT;
    return map_set_ascends(set) ? MUST : MAY; /* ranges may interleave */
  case TUTTI_MAP_COMPLEMENT: {
    int64_t gaps = map_set_ascends(set) ? (int64_t)set->members[set->size - 1] - set->members[0] + 1 - set->size : 0;
    return gaps > 0 && gaps / 16 < set->size ? MUST : CANNOT;
  }
  case TUTTI_MAP_BDD:
    return map_set_ascends(set) ? MAY : CANNOT;
  default:
    break;
  }
  return map_set_ascends(set) ? MUST : CANNOT;
}

static tutti_map *make(tutti_map_kind kind, const struct map_set *set)
{
  enum expectation expectation = expect(kind, set);
  tutti_map *map = NULL;
  tutti_status status = tutti_map_create(kind, set->members, set->size, set->world, NULL, &map, REASON);
  if (status == TUTTI_OK && expectation == CANNOT)
    fail_msg("%s took %s", tutti_map_kind_name(kind), set->name);
  if (status == TUTTI_OK)
    return map;
  if (status != TUTTI_ERR_UNSUPPORTED || expectation == MUST || !error.message[0])
    fail_msg("%s of %s: %s", tutti_map_kind_name(kind), set->name, error.message);
  assert_null(map);
  return NULL;
}

/* Where RANK is a scan, not every member is asked for. */
static int step_of(const tutti_map *map)
{
  bool scans = !tutti_map_is_ordered(map) && tutti_map_kind_of(map) != TUTTI_MAP_RANGE;
  return scans && tutti_map_size(map) > 2000 ? tutti_map_size(map) / 40 : 1;
}

static void check_members(const tutti_map *map, const struct map_set *set)
{
  for (int i = 0; i < set->size; i++)
    if (tutti_map_select(map, i) != set->members[i])
      fail_msg("%s of %s: rank %d is %d, not %d", tutti_map_kind_name(tutti_map_kind_of(map)), set->name, i,
               tutti_map_select(map, i), set->members[i]);
  for (int i = 0; i < set->size; i += step_of(map))
    if (tutti_map_rank(map, set->members[i]) != i)
      fail_msg("%s of %s: %d is rank %d, not %d", tutti_map_kind_name(tutti_map_kind_of(map)), set->name,
               set->members[i], tutti_map_rank(map, set->members[i]), i);
}

static void check_others(const tutti_map *map, const struct map_set *set)
{
  bool *there = calloc((size_t)set->world, sizeof *there);
  assert_non_null(there);
  for (int i = 0; i < set->size; i++)
    there[set->members[i]] = true;
  int step = step_of(map) > 1 ? set->world / 40 + 1 : 1;
  for (int64_t i = 0; i < set->world; i += step)
    if (tutti_map_contains(map, (int)i) != there[i])
      fail_msg("%s of %s: contains %d is wrong", tutti_map_kind_name(tutti_map_kind_of(map)), set->name, (int)i);
  free(there);
  assert_int_equal(tutti_map_rank(map, -1), -1);
  assert_int_equal(tutti_map_rank(map, set->world), -1);
}

/* Windows from everywhere, the neighbors of which must not be touched. */
static void check_select_all(const tutti_map *map, const struct map_set *set, uint64_t seed)
{
  FREED_BY(free_memory) int *members = malloc(((size_t)set->size + 2) * sizeof *members);
  assert_non_null(members);
  for (int i = 0; i < 20; i++) {
    int first = i ? (int)random_below(&seed, (uint64_t)set->size) : 0;
    int count = i ? (int)random_below(&seed, (uint64_t)(set->size - first) + 1) : set->size;
    members[0] = members[count + 1] = -7;
    tutti_map_select_all(map, first, count, members + 1);
    assert_int_equal(members[0], -7);
    assert_int_equal(members[count + 1], -7);
    if (memcmp(members + 1, set->members + first, (size_t)count * sizeof *members) != 0)
      fail_msg("%s of %s: %d members from rank %d on are wrong", tutti_map_kind_name(tutti_map_kind_of(map)), set->name,
               count, first);
  }
}

static void check_valid(const tutti_map *map)
{
  assert_ok(tutti_map_validate(map, REASON), error);
}

static void check_bytes(const tutti_map *map, const struct map_set *set)
{
  double span = set->members[set->size - 1] - set->members[0] + 1., size = set->size, most = 1e18;
  size_t bytes = tutti_map_bytes(map);
  if (tutti_map_kind_of(map) == TUTTI_MAP_ARRAY)
    most = 4 * size + 32;
  if (tutti_map_kind_of(map) == TUTTI_MAP_RANGE)
    most = 32;
  if (tutti_map_kind_of(map) == TUTTI_MAP_BITMAP || tutti_map_kind_of(map) == TUTTI_MAP_POPCOUNT)
    most = span / 8 * (1 + 1 / 32.) + 100;
  if (tutti_map_kind_of(map) == TUTTI_MAP_ELIAS_FANO) { /* at most 2.09 bits for the high part, exactly 3 in a corner */
    most = size / 8 * 3.1 + 150;
    for (double ratio = span / size; ratio >= 2; ratio /= 2)
      most += size / 8;
  }
  if (tutti_map_kind_of(map) == TUTTI_MAP_RANGES)
    most = 4 * size + 96;
  if (tutti_map_kind_of(map) == TUTTI_MAP_COMPLEMENT) { /* as above, of the gaps */
    most = (span - size) / 8 * 3.1 + 170;
    for (double ratio = size / (span - size); ratio >= 2; ratio /= 2)
      most += (span - size) / 8;
  }
  if (bytes < 8 || (double)bytes > most)
    fail_msg("%s of %s: %zu bytes", tutti_map_kind_name(tutti_map_kind_of(map)), set->name, bytes);
}

static void check_queries(const tutti_map *map, const struct map_set *set)
{
  assert_int_equal(tutti_map_size(map), set->size);
  assert_int_equal(tutti_map_world(map), set->world);
  assert_int_equal(tutti_map_is_ordered(map), map_set_ascends(set));
  check_members(map, set);
  check_others(map, set);
  check_select_all(map, set, 3);
  check_valid(map);
  if (map_set_ascends(set))
    check_bytes(map, set);
}

static void serialize(const tutti_map *map, unsigned char **bytes, size_t *length)
{
  assert_ok(tutti_map_serialize(map, bytes, length, REASON), error);
}

static bool attaches(tutti_map_kind kind)
{
  return kind == TUTTI_MAP_ARRAY || kind == TUTTI_MAP_RANGE || kind == TUTTI_MAP_BITMAP || kind == TUTTI_MAP_POPCOUNT ||
         kind == TUTTI_MAP_ELIAS_FANO || kind == TUTTI_MAP_COMPLEMENT;
}

/* Read where it is, it is the same map, and has few bytes of its own. */
static void check_attached(const tutti_map *map, const struct map_set *set, const unsigned char *bytes, size_t length)
{
  tutti_map *attached = NULL;
  tutti_map_kind kind = tutti_map_kind_of(map);
  tutti_status status = tutti_map_attach(bytes, length, &attached, REASON);
  assert_int_equal(status, attaches(kind) ? TUTTI_OK : TUTTI_ERR_UNSUPPORTED);
  if (!attaches(kind))
    return;
  unsigned char *again;
  size_t length_again;
  assert_int_equal(tutti_map_kind_of(attached), kind);
  check_members(attached, set);
  check_others(attached, set);
  check_select_all(attached, set, 5);
  check_valid(attached);
  assert_true(tutti_map_bytes(attached) <= 160 + length / 16);
  serialize(attached, &again, &length_again);
  assert_int_equal(length, length_again);
  assert_memory_equal(bytes, again, length);
  tutti_map_free(attached);
  free(again);
}

/* What is read is the same map, and writes the same bytes. */
static void check_bytes_and_back(const tutti_map *map, const struct map_set *set)
{
  unsigned char *bytes, *again;
  size_t length, length_again;
  serialize(map, &bytes, &length);
  FREED_BY(free_map) tutti_map *copy = NULL;
  if (tutti_map_deserialize(bytes, length, &copy, REASON) != TUTTI_OK)
    fail_msg("%s of %s: %s", tutti_map_kind_name(tutti_map_kind_of(map)), set->name, error.message);
  assert_int_equal(tutti_map_kind_of(copy), tutti_map_kind_of(map));
  assert_int_equal(tutti_map_size(copy), set->size);
  assert_int_equal(tutti_map_world(copy), set->world);
  assert_int_equal(tutti_map_is_ordered(copy), map_set_ascends(set));
  check_select_all(copy, set, 5);
  check_valid(copy);
  assert_int_equal(tutti_map_bytes(copy), tutti_map_bytes(map));
  serialize(copy, &again, &length_again);
  assert_int_equal(length, length_again);
  assert_memory_equal(bytes, again, length);
  check_attached(map, set, bytes, length);
  free(bytes);
  free(again);
}

/* By every kind that is built. Frees the set. */
static void check(struct map_set set)
{
  for (int kind = 0; kind < TUTTI_MAP_KINDS; kind++) {
    tutti_map *map = built((tutti_map_kind)kind) ? make((tutti_map_kind)kind, &set) : NULL;
    if (!map)
      continue;
    assert_int_equal(tutti_map_kind_of(map), kind);
    check_queries(map, &set);
    check_bytes_and_back(map, &set);
    tutti_map_free(map);
  }
  free(set.members);
}

TEST(single_members_and_whole_worlds)
{
  static const int worlds[] = {1, 2, 3, 63, 64, 65, 1023, 1024, 1025, 4096, 4097};
  for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
    int world = worlds[i];
    check(map_set_range("the first", world, 0, 1, 1));
    check(map_set_range("the last", world, world - 1, 1, 1));
    check(map_set_range("one within", world, world / 2, 1, 1));
    check(map_set_range("all", world, 0, 1, world));
    check(map_set_range("all from the last on", world, world - 1, -1, world));
    if (world == 1)
      continue;
    check(map_set_range("all but the first", world, 1, 1, world - 1));
    check(map_set_range("all but the last", world, 0, 1, world - 1));
  }
  check(map_set_range("more than 65,536", 70000, 300, 1, 65537));
  check(map_set_range("the last of a large world", 1 << 24, (1 << 24) - 1, 1, 1));
}

static bool but_one(int member, uint64_t *random)
{
  (void)random;
  return member != 5000;
}

static bool half(int member, uint64_t *random)
{
  (void)member;
  return random_next(random) & 1;
}

static bool most(int member, uint64_t *random)
{
  (void)member;
  return random_below(random, 100) != 0;
}

static bool few(int member, uint64_t *random)
{
  return member == 77 || random_below(random, 300) == 0;
}

/* Dense and empty stretches in turn: a bit of a hash of what is left of the member. */
static bool blocks(int member, uint64_t *random)
{
  uint64_t hash = *random + (uint64_t)(member / 700);
  return random_next(&hash) & 1;
}

static bool far_apart(int member, uint64_t *random)
{
  (void)random;
  return member < 3000 || member >= 297000 || member == 150000;
}

static bool grid(int member, uint64_t *random)
{
  (void)random;
  return member / 10 % 10 == 3 && member / 1000 % 10 == 4;
}

TEST(sets_of_every_density)
{
  for (uint64_t seed = 1; seed <= UNLESS_WATCHED(2, 1); seed++) {
    check(map_set_where("half", 10000, half, seed));
    check(map_set_where("most", UNLESS_WATCHED(67000, 4000), most, seed));
    check(map_set_where("few", UNLESS_WATCHED(140000, 20000), few, seed));
    check(map_set_where("blocks", UNLESS_WATCHED(70000, 9000), blocks, seed));
    check(map_set_sparse("sparse, 10", 1 << 20, 10, seed));
    check(map_set_sparse("sparse", 1 << 20, UNLESS_WATCHED(5000, 1000), seed));
  }
  check(map_set_where("all but one", 10000, but_one, 1));
  check(map_set_where("far apart", 300000, far_apart, 1));
  check(map_set_where("grid", 100000, grid, 1));
}

TEST(random_small_sets)
{
  for (uint64_t seed = 1; seed <= UNLESS_WATCHED(300, 30); seed++) {
    uint64_t random = seed;
    int world = 1 + (int)random_below(&random, 300), size = 1 + (int)random_below(&random, 2 * (uint64_t)world);
    check(map_set_sparse("small", world, size, seed));
    check(map_set_shuffled(map_set_sparse("small, shuffled", world, size, seed), seed));
  }
}

TEST(strides)
{
  static const int strides[] = {2, 3, 7, 63, 64, 65, 1000, 1024};
  for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
    check(map_set_range("every k-th", 100000, 5, strides[i], 90));
    check(map_set_range("every k-th, descending", 100000, 99999, -strides[i], 90));
    check(map_set_rotated(map_set_range("every k-th, rotated", 100000, 5, strides[i], 90), 40));
  }
  check(map_set_range("every second", 140000, 1, 2, 70000));
}

TEST(sizes_around_the_borders_of_blocks)
{
  static const int sizes[] = {63, 64, 65, 511, 512, 513, 999, 1000, 1001, 1023, 1024, 1025, 4095, 4096, 4097};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    check(map_set_range("contiguous", 10000, 1000, 1, sizes[i]));
    check(map_set_range("every second", 10000, 64, 2, sizes[i]));
    struct map_set set = map_set_sparse("sparse", 1 << 17, 2 * sizes[i], 9);
    set.size = sizes[i];
    check(set);
  }
}

TEST(unordered_groups)
{
  check(map_set_shuffled(map_set_range("shuffled", 1000, 0, 1, 1000), 4));
  check(map_set_shuffled(map_set_sparse("sparse, shuffled", 1 << 20, 3000, 2), 5));
  check(map_set_rotated(map_set_where("half, rotated", 10000, half, 2), 77));
}

/* A byte, a number of up to eight bytes, or the end is another. */
static void mutate(unsigned char *bytes, size_t *length, uint64_t *random)
{
  size_t at =
      random_below(random, 4) ? random_below(random, *length) : *length - *length / (1 + random_below(random, 8));
  size_t count = 1 + random_below(random, 8);
  switch (random_below(random, 5)) {
  case 0:
    *length = at;
    break;
  case 1:
    bytes[at % *length] ^= (unsigned char)(1 << random_below(random, 8));
    break;
  case 2:
    bytes[at % *length] += (unsigned char)(random_below(random, 2) ? 1 : 255);
    break;
  default:
    for (size_t i = at; i < *length && i < at + count; i++)
      bytes[i] = (unsigned char)(random_below(random, 2) ? random_next(random) : 255);
  }
}

/* What is not refused is right where it is, too. */
static void survives_attached(const unsigned char *bytes, size_t length, bool good)
{
  FREED_BY(free_map) tutti_map *map = NULL;
  tutti_status status = tutti_map_attach(bytes, length, &map, REASON);
  assert_true(status == TUTTI_OK || status == TUTTI_ERR_ARGUMENT || status == TUTTI_ERR_UNSUPPORTED);
  assert_true(status != TUTTI_OK || good);
  if (status == TUTTI_OK)
    check_valid(map);
}

/* Refused with a message, or a map that is right. True if it is one. */
static bool survives(const unsigned char *bytes, size_t length)
{
  unsigned char *exact = malloc(length ? length : 1); /* so that reading beyond is noticed */
  assert_non_null(exact);
  memcpy(exact, bytes, length);
  tutti_map *map = NULL;
  tutti_status status = tutti_map_deserialize(exact, length, &map, REASON);
  survives_attached(exact, length, status == TUTTI_OK);
  free(exact);
  if (status == TUTTI_OK) {
    check_valid(map);
    tutti_map_free(map);
    return true;
  }
  assert_null(map);
  assert_true(error.message[0] != '\0');
  if (status != TUTTI_ERR_ARGUMENT && !strstr(error.message, "not built"))
    fail_msg("status %d: %s", status, error.message);
  return false;
}

/* @return how many of @p times mutations are maps */
static int check_mutations(const tutti_map *map, int times, uint64_t seed)
{
  unsigned char *bytes;
  size_t length;
  int good = 0;
  serialize(map, &bytes, &length);
  unsigned char *mutated = malloc(length);
  assert_non_null(mutated);
  for (int i = 0; i < times; i++) {
    size_t rest = length;
    memcpy(mutated, bytes, length);
    for (uint64_t changes = 1 + random_below(&seed, 3); changes > 0 && rest > 0; changes--)
      mutate(mutated, &rest, &seed);
    good += survives(mutated, rest);
  }
  free(mutated);
  free(bytes);
  return good;
}

static void check_all_mutations(struct map_set set, int times, int *good)
{
  for (int kind = 0; kind < TUTTI_MAP_KINDS; kind++) {
    tutti_map *map = built((tutti_map_kind)kind) ? make((tutti_map_kind)kind, &set) : NULL;
    if (map)
      *good += check_mutations(map, times, (uint64_t)kind + 1);
    tutti_map_free(map);
  }
  free(set.members);
}

TEST(mutated_bytes_never_crash)
{
  int good = 0;
  check_all_mutations(map_set_range("every third", 100, 5, 3, 20), 1000, &good);
  check_all_mutations(map_set_where("half", 100, half, 1), 1000, &good);
  check_all_mutations(map_set_where("half", 5000, half, 1), 300, &good);
  check_all_mutations(map_set_where("few", 140000, few, 1), 300, &good);
  check_all_mutations(map_set_where("far apart", 300000, far_apart, 1), 300, &good);
  check_all_mutations(map_set_where("blocks", 20000, blocks, 1), 300, &good);
  check_all_mutations(map_set_sparse("sparse", 1 << 17, 9000, 1), 100, &good);
  check_all_mutations(map_set_shuffled(map_set_range("shuffled", 60, 0, 1, 60), 1), 1000, &good);
  assert_true(good > 100); /* some are maps indeed: the others are not refused for being bytes */
}

TEST(truncated_bytes_are_refused)
{
  struct map_set set = map_set_where("half", 400, half, 1);
  for (int kind = 0; kind < TUTTI_MAP_KINDS; kind++) {
    tutti_map *map = built((tutti_map_kind)kind) ? make((tutti_map_kind)kind, &set) : NULL;
    if (!map)
      continue;
    unsigned char *bytes;
    size_t length;
    serialize(map, &bytes, &length);
    assert_true(survives(bytes, length));
    for (size_t i = 0; i < length; i++)
      assert_false(survives(bytes, i));
    bytes = realloc(bytes, length + 1);
    assert_non_null(bytes);
    bytes[length] = 0;
    assert_false(survives(bytes, length + 1));
    free(bytes);
    tutti_map_free(map);
  }
  free(set.members);
}

static void refuse(const int *members, int size, int world, tutti_status expected, const char *named)
{
  for (int kind = 0; kind < TUTTI_MAP_KINDS; kind++) {
    tutti_map *map = NULL;
    if (!built((tutti_map_kind)kind))
      continue;
    assert_int_equal(tutti_map_create((tutti_map_kind)kind, members, size, world, NULL, &map, REASON), expected);
    assert_contains(error.message, named);
    assert_null(map);
  }
}

TEST(faults_are_named)
{
  refuse((int[]){0, 8}, 2, 8, TUTTI_ERR_ARGUMENT, "member 8");
  refuse((int[]){3, -1}, 2, 8, TUTTI_ERR_ARGUMENT, "member -1");
  refuse((int[]){1, 4, 4, 6}, 4, 8, TUTTI_ERR_ARGUMENT, "member 4");
  refuse((int[]){6, 1, 2, 6}, 4, 8, TUTTI_ERR_ARGUMENT, "member 6");
  refuse((int[]){0}, 0, 8, TUTTI_ERR_ARGUMENT, "not 0");
  refuse((int[]){0}, 1, 0, TUTTI_ERR_ARGUMENT, "world of 0");
  tutti_map *map = NULL;
  assert_int_equal(tutti_map_create((tutti_map_kind)99, (int[]){0}, 1, 1, NULL, &map, &error), TUTTI_ERR_ARGUMENT);
  tutti_map_limits limits = tutti_map_limits_default();
  limits.bytes = 4;
  assert_fails(tutti_map_create(TUTTI_MAP_ARRAY, (int[]){0}, 1, 1, &limits, &map, &error), TUTTI_ERR_UNSUPPORTED, error,
               "limit is 4");
  assert_null(map);
  tutti_map_free(NULL);
}

/* Bitmaps, which would take 256 MB, are left out. */
TEST(the_largest_world)
{
  static const tutti_map_kind kinds[] = {TUTTI_MAP_ARRAY, TUTTI_MAP_RANGE, TUTTI_MAP_RANGES, TUTTI_MAP_ROARING,
                                         TUTTI_MAP_ELIAS_FANO};
  int members[] = {1, INT32_MAX / 2, INT32_MAX - 2};
  struct map_set set = {"the largest world", INT32_MAX, 3, members};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    set.size = kinds[i] == TUTTI_MAP_RANGES ? 2 : 3; /* one range */
    members[1] = kinds[i] == TUTTI_MAP_RANGE ? INT32_MAX / 2 : 77777;
    tutti_map *map = make(kinds[i], &set);
    assert_non_null(map);
    check_members(map, &set);
    check_select_all(map, &set, 1);
    check_valid(map);
    assert_int_equal(tutti_map_rank(map, INT32_MAX - 1), -1);
    assert_int_equal(tutti_map_rank(map, 0), -1);
    unsigned char *bytes;
    size_t length;
    serialize(map, &bytes, &length);
    assert_true(survives(bytes, length));
    free(bytes);
    tutti_map_free(map);
  }
}

/* The range that holds rank @p i begins a new one where the distance changes; all are right whatever their order. */
TEST(ranges_in_another_order)
{
  struct map_set sets[] = {map_set_rotated(map_set_range("rotated", 1000, 0, 1, 1000), 300),
                           map_set_rotated(map_set_where("blocks", 20000, blocks, 1), 7777),
                           map_set_range("downwards", 100, 99, -3, 33), map_set_range("exchanged", 5000, 0, 1, 5000)};
  sets[2].members[32] = 98; /* after 3: 6 3 98 */
  sets[3].members[1000] = 4000;
  sets[3].members[4000] = 1000;
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    tutti_map *map = make(TUTTI_MAP_RANGES, &sets[i]);
    assert_true(i == 2 || map);
    if (map) {
      check_queries(map, &sets[i]);
      check_bytes_and_back(map, &sets[i]);
      assert_true(i == 1 || tutti_map_bytes(map) < 200);
    }
    tutti_map_free(map);
    free(sets[i].members);
  }
}

/* 0 2 4 and 1 3 5: RANK could not search. */
TEST(ranges_that_interleave_are_refused)
{
  int members[20];
  for (int i = 0; i < 20; i++)
    members[i] = i % 10 * 2 + i / 10;
  tutti_map *map = NULL;
  assert_fails(tutti_map_create(TUTTI_MAP_RANGES, members, 20, 20, NULL, &map, &error), TUTTI_ERR_UNSUPPORTED, error,
               "within others");
}

/* A map that does what a test tells it. */
/* ---- few bytes, many members ---- */

static void put_number(FILE *stream, uint64_t number, int bytes)
{
  for (int i = 0; i < bytes; i++)
    putc((int)(number >> (8 * i) & 0xff), stream);
}

static void put_range(FILE *stream, int first, int stride)
{
  put_number(stream, (uint32_t)first, 4);
  put_number(stream, (uint32_t)stride, 4);
}

/* The bytes of a map of the largest world. */
static unsigned char *many_members(tutti_map_kind kind, size_t *length)
{
  char *text = NULL;
  FILE *stream = open_memstream(&text, length);
  assert_non_null(stream);
  fputs("tuttimap\002", stream);
  put_number(stream, (uint64_t)kind, 1);
  put_number(stream, 0, 6);
  put_number(stream, INT32_MAX, 4);
  put_number(stream, INT32_MAX, 4);
  if (kind == TUTTI_MAP_PERMUTED)
    put_number(stream, TUTTI_MAP_RANGE, 1);
  if (kind == TUTTI_MAP_RANGES)
    put_number(stream, 1, 4);
  put_range(stream, 0, 1);
  if (kind == TUTTI_MAP_RANGES)
    put_number(stream, INT32_MAX, 4);
  if (kind == TUTTI_MAP_PERMUTED)
    put_number(stream, 1, 4); /* run */
  fclose(stream);
  return (unsigned char *)text;
}

/* What a hundred readings of a few bytes take is not the time of 200 billion members: a second of the processor would
   be gone before the first was read. */
TEST(few_bytes_are_read_in_little_time)
{
  static const tutti_map_kind kinds[] = {TUTTI_MAP_RANGE, TUTTI_MAP_RANGES, TUTTI_MAP_PERMUTED};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    size_t length;
    unsigned char *bytes = many_members(kinds[k], &length);
    clock_t begin = clock();
    for (int i = 0; i < 100; i++) {
      tutti_map *map = NULL;
      assert_ok(tutti_map_deserialize(bytes, length, &map, REASON), error);
      assert_int_equal(tutti_map_size(map), INT32_MAX);
      assert_true(tutti_map_is_ordered(map));
      assert_int_equal(tutti_map_select(map, INT32_MAX - 1), INT32_MAX - 1);
      tutti_map_free(map);
      assert_true(clock() - begin < CLOCKS_PER_SEC);
    }
    free(bytes);
  }
}

/* The kinds that need no look at every member say of themselves what the look would: whether they ascend. */
TEST(read_maps_know_their_order)
{
  struct map_set sets[] = {map_set_range("downwards", 100, 99, -3, 33), map_set_range("upwards", 100, 0, 3, 33),
                           map_set_range("one", 100, 50, 1, 1), map_set_where("half", 5000, half, 1),
                           map_set_rotated(map_set_range("rotated", 1000, 0, 1, 1000), 300)};
  for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
    for (int kind = 0; kind < TUTTI_MAP_KINDS; kind++) {
      tutti_map *map = built((tutti_map_kind)kind) ? make((tutti_map_kind)kind, &sets[s]) : NULL, *again = NULL;
      unsigned char *bytes;
      size_t length;
      if (!map)
        continue;
      serialize(map, &bytes, &length);
      assert_int_equal(tutti_map_deserialize(bytes, length, &again, REASON), TUTTI_OK);
      assert_int_equal(tutti_map_is_ordered(again), tutti_map_is_ordered(map));
      check_valid(again);
      tutti_map_free(again);
      tutti_map_free(map);
      free(bytes);
    }
    free(sets[s].members);
  }
}

struct faulty {
  tutti_map map;
  const int *members, *ranks;
};

static int faulty_select(const tutti_map *map, int rank)
{
  return ((const struct faulty *)map)->members[rank];
}

static int faulty_rank(const tutti_map *map, int member)
{
  return ((const struct faulty *)map)->ranks[member];
}

static void validate_says(const int members[3], const int ranks[4], bool ordered, const char *expected)
{
  static const struct map_operations operations = {.select = faulty_select, .rank = faulty_rank};
  struct faulty faulty = {{&operations, 3, 4, ordered}, members, ranks};
  tutti_status status = tutti_map_validate(&faulty.map, REASON);
  assert_int_equal(status, expected ? TUTTI_ERR_ARGUMENT : TUTTI_OK);
  if (expected && !strstr(error.message, expected))
    fail_msg("\"%s\" does not say \"%s\"", error.message, expected);
}

TEST(validation_finds_faults)
{
  validate_says((int[]){0, 1, 3}, (int[]){0, 1, -1, 2}, true, NULL);
  validate_says((int[]){3, 0, 1}, (int[]){1, 2, -1, 0}, false, NULL);
  validate_says((int[]){0, 1, 4}, (int[]){0, 1, -1, 2}, true, "rank 2 is member 4");
  validate_says((int[]){0, -1, 3}, (int[]){0, 1, -1, 2}, true, "rank 1 is member -1");
  validate_says((int[]){0, 3, 0}, (int[]){0, -1, -1, 1}, false, "member 0 is there twice");
  validate_says((int[]){0, 1, 3}, (int[]){0, 2, -1, 2}, true, "rank 1 is member 1, but that is rank 2");
  validate_says((int[]){0, 1, 3}, (int[]){0, 1, -1, 2}, false, "said to be unordered");
  validate_says((int[]){3, 1, 0}, (int[]){2, 1, -1, 0}, true, "said to be ordered");
}

TEST(kinds_have_names)
{
  for (int i = 0; i < TUTTI_MAP_KINDS; i++) {
    tutti_map_kind kind = TUTTI_MAP_KINDS;
    assert_int_equal(tutti_map_kind_parse(tutti_map_kind_name((tutti_map_kind)i), &kind, &error), TUTTI_OK);
    assert_int_equal(kind, i);
  }
  assert_null(tutti_map_kind_name(TUTTI_MAP_KINDS));
  tutti_map_kind kind;
  assert_fails(tutti_map_kind_parse("arr", &kind, &error), TUTTI_ERR_ARGUMENT, error, "\"arr\"");
  assert_non_null(strstr(error.message, "complement, permuted"));
}
