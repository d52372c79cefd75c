/* Reduction and allreduce on k-ary and k-nomial trees, for all P up to 128 and all k up to 8: proven in both orders of
   the operands, and counted messages, bytes, memory and depth against closed forms. P is the number of ranks. */
#include "unit/algorithms/analysis/count_fixture.h"
#include "unit/algorithms/analysis/verify_calls.h"
#include "unit/patience.h"

enum { MOST = UNLESS_WATCHED(128, 34), MAX_K = 8, ELEMENTS = 5, SEGMENT = 2, SEGMENTS = 3, MANY = 1000 };

static const char *const names[] = {"k-ary", "k-nomial-1", "k-nomial"};

enum { K_ARY, K_NOMIAL_1, K_NOMIAL, SHAPES };

static int least_k(int shape)
{
  return shape == K_ARY ? 1 : 2;
}

static tutti_method tree(tutti_collective collective, int shape, int k, int buffers)
{
  tutti_method method = method_of(collective, names[shape]);
  method.parameters.k = k;
  method.parameters.outstanding = buffers;
  return method;
}

#define TREE(method, buffers, bytes) OF(method, p, .k = k, .outstanding = buffers, .segment = bytes, .count = ELEMENTS)

/* Digits of P - 1 in base k. */
static int digits_of(int ranks, int k)
{
  int digits = 0;
  for (int rest = ranks - 1; rest > 0; rest /= k)
    digits++;
  return digits;
}

/* Levels below the root: as many full levels of a k-ary tree as it takes; the most digits of a rank that are not zero,
   which are all of them if 1 ... 1 is a rank; the way from each node to its first child. */
static int height_of(int shape, int ranks, int k)
{
  int digits = digits_of(ranks, k < 2 ? 2 : k), height = 0;
  int64_t ones = 1, width = 1;
  if (shape == K_NOMIAL_1)
    return digits;
  if (shape == K_ARY) {
    for (int64_t all = 1; all < ranks; all += width, height++)
      width *= k;
    return height;
  }
  for (int d = 1; d < digits; d++)
    ones = ones * k + 1;
  return ones < ranks ? digits : digits - 1;
}

TEST(every_tree_is_right)
{
  for (int shape = 0; shape < SHAPES; shape++)
    for (int k = least_k(shape); k <= MAX_K; k++)
      for (int ranks = 1; ranks <= MOST; ranks++)
        for (int order = 0; order < 2; order++) {
          tutti_method method = tree(TUTTI_COLL_ALLREDUCE, shape, k, 1 + (ranks + k) % 3);
          method.parameters.segment_bytes = ranks % 2 ? SEGMENT : 0;
          tutti_call call = {.size = ranks, .count = ELEMENTS, .type_size = 1, .commutative = order};
          if (tutti_method_check(&method, &call, &error) == TUTTI_ERR_UNSUPPORTED)
            continue;
          struct calls *calls = calls_create(TUTTI_COLL_ALLREDUCE, &call, false);
          if (tutti_verify_calls(&method, calls->rank, &error) != TUTTI_OK)
            fail_msg("%s, k=%d, %d ranks: %s", names[shape], k, ranks, error.message);
          calls_free(calls);
        }
}

/* 2 (P - 1) messages a segment and 2 (P - 1) times the message in all, P - 1 reductions of it, nothing copied; up and
   down the tree where no receive waits for a buffer. */
TEST(allreduces)
{
  static const char *const methods[] = {"allreduce/k-ary", "allreduce/k-nomial-1", "allreduce/k-nomial"};
  for (int shape = 0; shape < SHAPES; shape++)
    for (int k = least_k(shape); k <= MAX_K; k++)
      for (int p = 2; p <= MOST; p++) {
        const int sent = 2 * (p - 1) * ELEMENTS;
        COUNTS(TREE(methods[shape], MANY, 0), {SENDS, 2 * (p - 1)}, {SENT, sent}, {COPIED, 0},
               {DEPTH, 2 * height_of(shape, p, k)});
        COUNTS(TREE(methods[shape], MANY, SEGMENT), {SENDS, 2 * (p - 1) * SEGMENTS}, {SENT, sent},
               {REDUCED, (p - 1) * ELEMENTS}, {LARGEST, SEGMENT}, {COPIED, 0});
      }
}

/* P - 1 messages up the same trees. */
TEST(reductions)
{
  static const char *const methods[] = {"reduce/k-ary", "reduce/k-nomial-1", "reduce/k-nomial"};
  for (int shape = 0; shape < SHAPES; shape++)
    for (int k = least_k(shape); k <= MAX_K; k++)
      for (int p = 2; p <= MOST; p++)
        COUNTS(TREE(methods[shape], MANY, 0), {SENDS, p - 1}, {SENT, ELEMENTS * (p - 1)}, {REDUCED, ELEMENTS * (p - 1)},
               {DEPTH, height_of(shape, p, k)});
}

/* As many buffers of a segment as the parameter says, but no more than operands that need one: the first child of the
   root, which has most children, needs none. */
TEST(buffers)
{
  for (int k = 2; k <= MAX_K; k++)
    for (int p = 2; p <= MOST; p++)
      for (int count = 1; count <= 40; count = 3 * count + 1) {
        int64_t of_nomial = 0, of_ary = smaller(k, p - 1);
        for (int64_t power = 1; power < p; power *= k)
          of_nomial += smaller(k - 1, (p - 1) / power);
        COUNTS(TREE("allreduce/k-ary", count, 0), {MAX | MEMORY, ELEMENTS * smaller(count, of_ary - 1)});
        COUNTS(TREE("allreduce/k-nomial", count, 0), {MAX | MEMORY, ELEMENTS * smaller(count, of_nomial - 1)});
        COUNTS(TREE("allreduce/k-nomial", count, SEGMENT),
               {MAX | MEMORY, SEGMENT * smaller(count, SEGMENTS * (of_nomial - 1))});
      }
}
