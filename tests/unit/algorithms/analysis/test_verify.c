/* Every algorithm of the catalogue is proven for every number of ranks up to 64 (all-to-all exchanges to 32), all roots
   for up to 16 ranks, several counts, segment sizes, layouts and orders of operands. A new line of the catalogue is
   tested by being there.

   test_verify [COLLECTIVE[/ALGORITHM]...]: all, or these. */
#include "tutti/analysis.h"
#include "unit/algorithms/analysis/verify_calls.h"
#include "unit/test.h"

enum { MAX_RANKS = 64, MAX_EXCHANGING = 32, ALL_ROOTS = 16, ELEMENT = 4, LARGE = 4096 /* bytes */ };

static const uint64_t counts[] = {0, 1, 2, 7, 64, 97};
static const uint64_t segments[] = {0, 1, 12, 64}; /* bytes: none, less than an element, 3 elements, 16 elements */
static const int ks[] = {1, 2, 3, 5};
static const int windows[] = {1, 2, TUTTI_DEFAULT_OUTSTANDING};

static long verified;
static char **wanted; /* names of collectives or algorithms; none: all */
TEST_ARGUMENTS(wanted)

/* Fewer ranks for a slower build (sanitizers): TUTTI_TEST_MAX_RANKS. */
static int most_ranks(void)
{
  const char *given = getenv("TUTTI_TEST_MAX_RANKS");
  int most = given ? atoi(given) : MAX_RANKS;
  return most >= 1 && most < MAX_RANKS ? most : MAX_RANKS;
}

static bool is_wanted(const tutti_algorithm *algorithm)
{
  const char *collective = tutti_collective_name(algorithm->collective);
  size_t length = strlen(collective);
  for (char **name = wanted; *name; name++)
    if (strncmp(*name, collective, length) == 0 &&
        (!(*name)[length] || ((*name)[length] == '/' && strcmp(*name + length + 1, algorithm->name) == 0)))
      return true;
  return !*wanted;
}

static bool is_exchange(tutti_collective collective)
{
  return collective == TUTTI_COLL_ALLTOALL || collective == TUTTI_COLL_ALLTOALLV || collective == TUTTI_COLL_ALLTOALLW;
}

static void verify(const tutti_method *method, const tutti_call *call, bool irregular)
{
  char name[TUTTI_METHOD_LENGTH];
  if (tutti_method_check(method, call, &error) == TUTTI_ERR_UNSUPPORTED)
    return;
  struct calls *calls = calls_create(method->algorithm->collective, call, irregular);
  tutti_status status = tutti_verify_calls(method, calls->rank, &error);
  calls_free(calls);
  if (status != TUTTI_OK)
    fail_msg("%s, %d ranks, root %d, %llu elements%s%s: %s", tutti_method_format(method, name), call->size, call->root,
             (unsigned long long)call->count, call->commutative ? "" : ", not commutative",
             irregular ? ", irregular" : "", error.message);
  verified++;
}

static void verify_orders(const tutti_method *method, tutti_call call, bool irregular)
{
  call.commutative = false;
  verify(method, &call, irregular);
  call.commutative = true;
  if (tutti_collective_traits(method->algorithm->collective) & TUTTI_REDUCES)
    verify(method, &call, irregular);
}

/* Blocks for all ranks make long messages: the larger counts only for few ranks. */
static bool too_much(const tutti_method *method, int size, uint64_t count)
{
  return tutti_collective_traits(method->algorithm->collective) & TUTTI_HAS_BLOCKS && size > 12 && count > 7;
}

/* Each root, and each larger group, meets some of the counts; neighbors meet the others. */
static bool left_out(int size, int root, size_t count)
{
  return size <= 8 ? false : size <= ALL_ROOTS ? (count + (size_t)root) % 2 : (count + (size_t)(size + root)) % 3;
}

static void verify_counts(const tutti_method *method, int size, int root)
{
  bool data = method->algorithm->collective != TUTTI_COLL_BARRIER;
  for (size_t c = 0; c < (data ? sizeof counts / sizeof *counts : 1); c++) {
    if (data && left_out(size, root, c))
      continue;
    tutti_call call = {.size = size, .root = root, .count = counts[c], .type_size = ELEMENT};
    if (too_much(method, size, counts[c]))
      continue;
    verify_orders(method, call, false);
    if (tutti_collective_traits(method->algorithm->collective) & TUTTI_IS_IRREGULAR)
      verify_orders(method, call, true);
  }
}

static void verify_roots(const tutti_method *method, int size)
{
  int step = size <= ALL_ROOTS ? 1 : size - 1;
  bool rooted = tutti_collective_traits(method->algorithm->collective) & TUTTI_HAS_ROOT;
  for (int root = 0; root < (rooted ? size : 1); root += step)
    verify_counts(method, size, root);
  if (rooted && size > ALL_ROOTS)
    verify_counts(method, size, size / 3);
}

/* Another algorithm for every part: which one depends on the size, so that all pairs meet some sizes. */
static bool vary_parts(tutti_method *method, size_t salt)
{
  const tutti_algorithm *algorithm = method->algorithm;
  for (int i = 0; i < TUTTI_MAX_PARTS && algorithm->parts[i].name; i++) {
    for (size_t a = salt * 5 + (size_t)i * 3;; a++) {
      const tutti_algorithm *part = tutti_algorithm_at(a % tutti_algorithm_count());
      if (part->collective != algorithm->parts[i].collective || part->domain & ~TUTTI_NEEDS_COMMUTATIVE)
        continue;
      tutti_method usual = tutti_method_default(part);
      uint64_t segment = part->parameters & TUTTI_TAKES_SEGMENT ? segments[(salt + (size_t)i) % 4] : 0;
      method->parameters.parts[i] = (tutti_part){part, segment, usual.parameters.k, usual.parameters.outstanding};
      break;
    }
  }
  return algorithm->parts[0].name;
}

/* Thinned out so that every value of every parameter meets many sizes, but not every combination does. */
static void verify_parameters(const tutti_algorithm *algorithm, int size)
{
  tutti_method method = tutti_method_default(algorithm);
  size_t segment_count = algorithm->parameters & TUTTI_TAKES_SEGMENT ? sizeof segments / sizeof *segments : 1;
  size_t k_count = algorithm->parameters & TUTTI_TAKES_K ? sizeof ks / sizeof *ks : 1;
  for (size_t s = 0; s < segment_count; s++)
    for (size_t k = 0; k < k_count; k++) {
      method.parameters.segment_bytes = segments[s];
      if ((k_count > 1 && ks[k] < algorithm->min_k) ||
          (size > MAX_EXCHANGING && segment_count * k_count > 1 && (s + k + (size_t)size) % 2))
        continue;
      if (k_count > 1)
        method.parameters.k = ks[k];
      if (algorithm->parameters & TUTTI_TAKES_OUTSTANDING)
        method.parameters.outstanding = windows[((size_t)size + s + k) % 3];
      verify_roots(&method, size);
      if (vary_parts(&method, (size_t)size + k))
        verify_roots(&method, size);
    }
}

TEST(every_algorithm_is_right)
{
  int most = most_ranks();
  long algorithms = 0;
  for (size_t a = 0; a < tutti_algorithm_count(); a++) {
    const tutti_algorithm *algorithm = tutti_algorithm_at(a);
    if (!is_wanted(algorithm) || algorithm->domain & TUTTI_NEEDS_TORUS)
      continue;
    long before = verified;
    algorithms++;
    for (int size = 1; size <= (is_exchange(algorithm->collective) && most > MAX_EXCHANGING ? MAX_EXCHANGING : most);
         size++)
      verify_parameters(algorithm, size);
    if (verified == before)
      fail_msg("%s/%s: no case was verified", tutti_collective_name(algorithm->collective), algorithm->name);
  }
  assert_true(algorithms > 0);
  print_message("verified %ld cases of %ld algorithms on up to %d ranks\n", verified, algorithms, most);
}

/* Some exchanges send large blocks as they are and pack small ones. */
static void verify_large(const tutti_method *method, int size)
{
  verify(method, &(tutti_call){.size = size, .count = 7 * (uint64_t)size, .type_size = LARGE, .commutative = true},
         false);
}

TEST(large_blocks_are_right)
{
  for (size_t a = 0; a < tutti_algorithm_count(); a++) {
    const tutti_method method = tutti_method_default(tutti_algorithm_at(a));
    bool blocks = tutti_collective_traits(method.algorithm->collective) & TUTTI_HAS_BLOCKS;
    for (int size = 1; size <= most_ranks() && !blocks && is_wanted(method.algorithm); size++)
      verify_large(&method, size);
  }
}

/* Nodes of several sizes, and ranks dealt out to the nodes one by one or in no order. */
TEST(nodes_of_any_shape_are_right)
{
  int nodes[MAX_RANKS];
  for (size_t a = 0; a < tutti_algorithm_count(); a++)
    for (int size = 1; size <= 20; size++)
      for (int shape = 0; shape < 3; shape++) {
        tutti_method method = tutti_method_default(tutti_algorithm_at(a));
        if (!(method.algorithm->domain & TUTTI_NEEDS_NODES) || !is_wanted(method.algorithm))
          continue;
        for (int r = 0; r < size; r++)
          nodes[r] = shape == 0 ? r % 3 : shape == 1 ? r * r % 5 : 7 - (r + 1) / 4;
        for (int root = 0; root < size; root += 3) {
          tutti_call call = {.size = size, .root = root, .count = 5, .type_size = ELEMENT, .nodes = nodes};
          verify_orders(&method, call, false);
        }
      }
}

/* Larger groups on nodes of k consecutive ranks, the last one often of fewer: every number of ranks. */
TEST(larger_groups_of_nodes_are_right)
{
  static const int per_node[] = {2, 3, 4, 7, 8, 16, 24, 64};
  if (most_ranks() < MAX_RANKS)
    skip();
  for (size_t a = 0; a < tutti_algorithm_count(); a++)
    for (int size = MAX_RANKS + 1; size <= 2 * MAX_RANKS; size++) {
      tutti_method method = tutti_method_default(tutti_algorithm_at(a));
      bool blocks = tutti_collective_traits(method.algorithm->collective) & TUTTI_HAS_BLOCKS;
      tutti_call call = {.size = size, .root = size * 2 / 3, .count = blocks ? 1 : 97, .type_size = ELEMENT};
      if (!(method.algorithm->domain & TUTTI_NEEDS_NODES) || !is_wanted(method.algorithm))
        continue;
      for (int i = 0; i < 2; i++) { /* two of the eight */
        method.parameters.k = per_node[(size + 3 * i) % 8];
        method.parameters.segment_bytes = method.algorithm->parameters & TUTTI_TAKES_SEGMENT ? segments[size % 4] : 0;
        verify_orders(&method, call, false);
      }
    }
}

/* One to three dimensions, equal and unequal sides, some of one rank. */
TEST(tori_are_right)
{
  static const char *const tori[] = {"1",     "2",     "5",     "16",    "2x2",   "3x4",  "4x4",
                                     "2x8",   "8x4",   "5x3",   "1x4",   "8x8",   "3x1",  "2x2x2",
                                     "2x3x4", "4x2x4", "3x3x3", "8x2x2", "4x4x8", "9x5x2"};
  for (size_t a = 0; a < tutti_algorithm_count(); a++)
    for (size_t t = 0; t < sizeof tori / sizeof *tori; t++) {
      const tutti_algorithm *algorithm = tutti_algorithm_at(a);
      char text[TUTTI_METHOD_LENGTH], again[TUTTI_METHOD_LENGTH];
      tutti_method method;
      int sides[TUTTI_MAX_SIDES], size = 1;
      if (!(algorithm->domain & TUTTI_NEEDS_TORUS) || !is_wanted(algorithm))
        continue;
      snprintf(text, sizeof text, "%s/%s/torus=%s", tutti_collective_name(algorithm->collective), algorithm->name,
               tori[t]);
      assert_int_equal(tutti_method_parse(text, &method, NULL), TUTTI_OK);
      assert_string_equal(tutti_method_format(&method, again), text);
      for (int d = tutti_sides_unpack(method.parameters.k, sides); d-- > 0;)
        size *= sides[d];
      if (size <= most_ranks())
        verify_counts(&method, size, 0);
      else
        verify(&method, &(tutti_call){.size = size, .count = 7, .type_size = ELEMENT, .commutative = true}, false);
      if (!(tutti_collective_traits(algorithm->collective) & TUTTI_HAS_BLOCKS))
        verify_large(&method, size);
    }
}

TEST(larger_groups_are_right)
{
  static const int sizes[] = {100, 127, 128, 129, 255, 257};
  if (most_ranks() < MAX_RANKS)
    skip();
  for (size_t a = 0; a < tutti_algorithm_count(); a++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      tutti_method method = tutti_method_default(tutti_algorithm_at(a));
      bool blocks = tutti_collective_traits(method.algorithm->collective) & TUTTI_HAS_BLOCKS;
      tutti_call call = {
          .size = sizes[s], .root = sizes[s] / 2, .count = blocks ? 1 : 300, .type_size = 8, .commutative = true};
      if (is_wanted(method.algorithm) && (!is_exchange(method.algorithm->collective) || sizes[s] <= 129))
        verify(&method, &call, false);
    }
}
