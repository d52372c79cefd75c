/* A set and a permutation as a wavelet tree on runs: what it says, how large it is, and what bytes it refuses. */
#include "groups/maps/wavelet.h"
#include "unit/groups/maps/map_sets.h"

enum { BLOCKS = 10000, LARGE = 1 << 20 };

static tutti_map_limits limits_with(tutti_map_kind set_kind)
{
  tutti_map_limits limits = tutti_map_limits_default();
  limits.set_kind = set_kind;
  return limits;
}

static tutti_map *make(const int *members, int size, int world, tutti_map_kind set_kind)
{
  tutti_map_limits limits = limits_with(set_kind);
  tutti_map *map = NULL;
  assert_ok(tutti_map_create(TUTTI_MAP_PERMUTED, members, size, world, &limits, &map, REASON), error);
  return map;
}

static void shuffle(int *numbers, int count, uint64_t *seed)
{
  for (int i = count - 1; i > 0; i--) {
    int j = (int)random_below(seed, (uint64_t)i + 1), other = numbers[i];
    numbers[i] = numbers[j];
    numbers[j] = other;
  }
}

/* Distinct members that ascend, size of them below world. */
static int *draw(int size, int world, uint64_t *seed)
{
  int *members = malloc((size_t)size * sizeof *members), left = size;
  for (int i = 0; left > 0; i++)
    if (random_below(seed, (uint64_t)(world - i)) < (uint64_t)left)
      members[size - left--] = i;
  return members;
}

/* Blocks of equal length (the last may be shorter) in random order. */
static int *blocks(int size, int block, uint64_t *seed)
{
  int count = (size + block - 1) / block, at = 0;
  int *order = malloc((size_t)count * sizeof *order), *members = malloc((size_t)size * sizeof *members);
  for (int i = 0; i < count; i++)
    order[i] = i;
  shuffle(order, count, seed);
  for (int i = 0; i < count; i++)
    for (int j = order[i] * block; j < size && j < (order[i] + 1) * block; j++)
      members[at++] = j;
  free(order);
  return members;
}

static void assert_says(const tutti_map *map, const int *members, int size)
{
  int *all = malloc((size_t)size * sizeof *all);
  tutti_map_select_all(map, 0, size, all);
  assert_memory_equal(all, members, (size_t)size * sizeof *all);
  free(all);
  for (int i = 0; i < size; i++) {
    assert_int_equal(tutti_map_select(map, i), members[i]);
    assert_int_equal(tutti_map_rank(map, members[i]), i);
  }
}

static void assert_outsiders(const tutti_map *map, const int *members, int size, int world)
{
  FREED_BY(free_memory) char *inside = calloc((size_t)world, 1);
  for (int i = 0; i < size; i++)
    inside[members[i]] = 1;
  for (int i = 0; i < world; i++)
    assert_int_equal(tutti_map_contains(map, i), inside[i]);
}

static void assert_serializes(const tutti_map *map, const int *members, int size)
{
  unsigned char *bytes = NULL;
  size_t length;
  FREED_BY(free_map) tutti_map *copy = NULL;
  assert_int_equal(tutti_map_serialize(map, &bytes, &length, REASON), TUTTI_OK);
  assert_ok(tutti_map_deserialize(bytes, length, &copy, REASON), error);
  assert_says(copy, members, size);
  assert_int_equal(tutti_map_bytes(copy), tutti_map_bytes(map));
  free(bytes);
}

static void check(const int *members, int size, int world, tutti_map_kind set_kind)
{
  FREED_BY(free_map) tutti_map *map = make(members, size, world, set_kind);
  assert_says(map, members, size);
  assert_outsiders(map, members, size, world);
  assert_serializes(map, members, size);
  assert_ok(tutti_map_validate(map, REASON), error);
}

TEST(every_permutation_of_few)
{
  for (int size = 1; size <= 6; size++)
    for (int number = 0; number < 720; number++) {
      int members[6], left = number;
      for (int i = 0; i < size; i++)
        members[i] = 2 * i + 1;
      for (int i = size - 1; i > 0; left /= i + 1, i--) {
        int j = left % (i + 1), other = members[i];
        members[i] = members[j];
        members[j] = other;
      }
      check(members, size, 13, TUTTI_MAP_ARRAY);
    }
}

TEST(random_orders_over_every_set)
{
  static const tutti_map_kind kinds[] = {TUTTI_MAP_ARRAY, TUTTI_MAP_POPCOUNT, TUTTI_MAP_BITMAP, TUTTI_MAP_ELIAS_FANO};
  uint64_t seed = 7;
  for (int round = 0; round < 200; round++) {
    int world = 1 + (int)random_below(&seed, 3000), size = 1 + (int)random_below(&seed, (uint64_t)world);
    int *members = draw(size, world, &seed);
    if (round % 3)
      shuffle(members, round % 3 == 1 ? size : 1 + size / 50, &seed);
    check(members, size, world, kinds[round % 4]);
    free(members);
  }
}

/* Runs of very different lengths: the tree is deep on one side. */
TEST(skewed_runs)
{
  enum { SIZE = 1 << 15 };
  int *members = malloc(SIZE * sizeof *members), at = 0;
  for (int length = SIZE / 2, first = SIZE / 2; length > 0; length /= 2, first -= length)
    for (int i = 0; i < length; i++)
      members[at++] = first + i;
  members[at++] = 0;
  assert_int_equal(at, SIZE);
  check(members, SIZE, SIZE, TUTTI_MAP_POPCOUNT);
  for (int i = 0; i < SIZE / 2; i++) { /* the other side, and descending */
    int other = members[i];
    members[i] = members[SIZE - 1 - i];
    members[SIZE - 1 - i] = other;
  }
  check(members, SIZE, SIZE, TUTTI_MAP_POPCOUNT);
  free(members);
}

TEST(parts_of_the_list)
{
  uint64_t seed = 3;
  int *members = blocks(20000, 137, &seed), part[700];
  FREED_BY(free_map) tutti_map *map = make(members, 20000, 20000, TUTTI_MAP_RANGE);
  for (int i = 0; i < 2000; i++) {
    int count = (int)random_below(&seed, 700), first = (int)random_below(&seed, (uint64_t)(20000 - count));
    tutti_map_select_all(map, first, count, part);
    assert_memory_equal(part, members + first, (size_t)count * sizeof *part);
  }
  free(members);
}

static int ceil_log2(int number)
{
  int bits = 0;
  while (1 << bits < number)
    bits++;
  return bits;
}

static int runs_of(const int *members, int size)
{
  int runs = 1;
  for (int i = 1; i < size; i++)
    runs += members[i] < members[i - 1];
  return runs;
}

/* size ceil(log2 runs) bits, counts of 3.2 %, 20 bytes a run and a few hundred bytes. */
static void assert_small(const tutti_map *map, const int *members, int size)
{
  int runs = runs_of(members, size);
  double bits = (double)size * ceil_log2(runs);
  assert_true((double)tutti_map_bytes(map) <= bits / 8 * 1.032 + 20.0 * runs + 400);
}

TEST(ten_thousand_blocks)
{
  uint64_t seed = 11;
  int *members = blocks(LARGE, LARGE / BLOCKS, &seed), size = LARGE;
  FREED_BY(free_map) tutti_map *map = make(members, size, size, TUTTI_MAP_RANGE);
  assert_true(runs_of(members, size) > BLOCKS / 3);
  assert_small(map, members, size);
  assert_says(map, members, size);
  free(members);
}

/* The paper's third unordered group takes 4.98 bits a member over a range: 500,000 in blocks, of which 10,000 members
 * each explain that number; 10,000 blocks would need 12. */
TEST(blocks_of_ten_thousand)
{
  uint64_t seed = 5;
  FREED_BY(free_memory) int *members = blocks(500000, 10000, &seed);
  FREED_BY(free_map) tutti_map *map = make(members, 500000, LARGE, TUTTI_MAP_RANGE);
  assert_small(map, members, 500000);
  print_message("[ SIZES    ] 50 blocks of 10,000, %d runs: %.2f bits a member\n", runs_of(members, 500000),
                8.0 * (double)tutti_map_bytes(map) / 500000);
  assert_says(map, members, 500000);
}

/* World with 50 pairs exchanged (the paper's first: 6.65 bits with the set as a diagram). */
TEST(fifty_exchanges)
{
  uint64_t seed = 9;
  FREED_BY(free_memory) int *members = blocks(1000000, 1000000, &seed);
  for (int i = 0; i < 50; i++) {
    int a = (int)random_below(&seed, 1000000), b = (int)random_below(&seed, 1000000), other = members[a];
    members[a] = members[b];
    members[b] = other;
  }
  FREED_BY(free_map) tutti_map *map = make(members, 1000000, 1000000, TUTTI_MAP_RANGE);
  print_message("[ SIZES    ] 50 exchanges, %d runs: %.2f bits a member\n", runs_of(members, 1000000),
                8.0 * (double)tutti_map_bytes(map) / 1000000);
  assert_small(map, members, 1000000);
  assert_says(map, members, 1000000);
}

/* A few members moved to the front cost nearly nothing more than one bit each of the others. */
TEST(long_run_is_near_the_root)
{
  enum { SIZE = 100000, MOVED = 31 };
  FREED_BY(free_memory) int *members = malloc(SIZE * sizeof *members);
  for (int i = 0; i < SIZE; i++)
    members[i] = i < MOVED ? SIZE - 1 - i : i - MOVED;
  FREED_BY(free_map) tutti_map *map = make(members, SIZE, SIZE, TUTTI_MAP_RANGE);
  assert_int_equal(runs_of(members, SIZE), MOVED + 1);
  assert_true(8.0 * (double)tutti_map_bytes(map) / SIZE < 1.2); /* halving the runs: 5.3 */
  assert_says(map, members, SIZE);
}

static void assert_refused(const int *members, int size, int world, const tutti_map_limits *limits, const char *words)
{
  tutti_map *map = NULL;
  assert_int_equal(tutti_map_create(TUTTI_MAP_PERMUTED, members, size, world, limits, &map, REASON),
                   TUTTI_ERR_UNSUPPORTED);
  assert_null(map);
  assert_contains(error.message, words);
}

TEST(limits_are_kept)
{
  int members[100];
  tutti_map_limits limits = limits_with(TUTTI_MAP_ARRAY);
  tutti_map *map = NULL;
  for (int i = 0; i < 100; i++)
    members[i] = 99 - i;
  limits.runs = 99;
  assert_refused(members, 100, 100, &limits, "99 runs");
  limits.runs = 100;
  assert_int_equal(tutti_map_create(TUTTI_MAP_PERMUTED, members, 100, 100, &limits, &map, NULL), TUTTI_OK);
  limits.bytes = tutti_map_bytes(map) - 1;
  tutti_map_free(map);
  assert_refused(members, 100, 100, &limits, "limit");
  limits.bytes = 50; /* less than the bits of the permutation */
  assert_refused(members, 100, 100, &limits, "limit is 400");
  limits = limits_with(TUTTI_MAP_PERMUTED);
  assert_refused(members, 100, 100, &limits, "permuted itself");
}

/* Whatever is read without complaint is a map: SELECT and RANK are inverses. */
static int read_damaged(const unsigned char *bytes, size_t length)
{
  tutti_map *map = NULL;
  tutti_status status = tutti_map_deserialize(bytes, length, &map, REASON);
  if (status != TUTTI_OK) {
    assert_int_equal(status, TUTTI_ERR_ARGUMENT);
    assert_true(strlen(error.message) > 0);
    return 0;
  }
  for (int i = 0; i < tutti_map_size(map); i++)
    assert_int_equal(tutti_map_rank(map, tutti_map_select(map, i)), i);
  tutti_map_free(map);
  return 1;
}

TEST(damaged_bytes)
{
  enum { SIZE = 300, HEAD = 24, ROUNDS = 10000 };
  uint64_t seed = 21;
  int *members = blocks(SIZE, 23, &seed), read = 0;
  FREED_BY(free_map) tutti_map *map = make(members, SIZE, SIZE, TUTTI_MAP_ARRAY);
  unsigned char *bytes = NULL;
  size_t length;
  assert_int_equal(tutti_map_serialize(map, &bytes, &length, NULL), TUTTI_OK);
  for (size_t i = 0; i < length; i++)
    assert_int_equal(read_damaged(bytes, i), 0);
  unsigned char *damaged = malloc(length);
  for (int i = 0; i < ROUNDS; i++) {
    memcpy(damaged, bytes, length);
    for (uint64_t j = random_below(&seed, 4) + 1; j > 0; j--)
      damaged[HEAD + random_below(&seed, length - HEAD)] ^= (unsigned char)(1 << random_below(&seed, 8));
    read += read_damaged(damaged, length);
  }
  assert_true(read < ROUNDS / 2);
  free(damaged);
  free(bytes);
  free(members);
}

/* A permuted map within a permuted map would recur as deep as the bytes say. */
TEST(nested_bytes)
{
  int members[] = {3, 1, 2};
  FREED_BY(free_map) tutti_map *map = make(members, 3, 4, TUTTI_MAP_ARRAY);
  unsigned char *bytes = NULL;
  size_t length;
  assert_int_equal(tutti_map_serialize(map, &bytes, &length, NULL), TUTTI_OK);
  assert_int_equal(bytes[24], TUTTI_MAP_ARRAY);
  bytes[24] = TUTTI_MAP_PERMUTED;
  assert_int_equal(read_damaged(bytes, length), 0);
  bytes[24] = 255;
  assert_int_equal(read_damaged(bytes, length), 0);
  free(bytes);
}
