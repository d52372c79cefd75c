/* Allgathers of blocks of different lengths, and what they need beside the output. */
#include "unit/algorithms/analysis/count_fixture.h"
#include "unit/algorithms/analysis/verify_calls.h"

enum { MOST = 9 };

struct blocks {
  int size;
  uint64_t offsets[MOST + 1];
  tutti_call calls[MOST];
};

/* Blocks of 1, 2, 3 elements; or some of none, beginning with the block of rank `turn`. */
static void lay_out(struct blocks *blocks, int size, int turn, bool empty)
{
  uint64_t counts[MOST];
  *blocks = (struct blocks){.size = size};
  for (int r = 0; r < size; r++)
    counts[r] = empty ? (uint64_t)((r + size - turn) % size * 3 % 4) : 1 + (uint64_t)r % 3;
  const tutti_layout layout = tutti_layout_make(counts, size, blocks->offsets);
  for (int r = 0; r < size; r++)
    blocks->calls[r] = (tutti_call){
        .size = size, .rank = r, .count = counts[r], .type_size = 4, .commutative = true, .output = layout};
}

static int verify_all(const struct blocks *blocks)
{
  int verified = 0;
  for (size_t a = 0; a < tutti_algorithm_count(); a++) {
    tutti_method method = tutti_method_default(tutti_algorithm_at(a));
    if (method.algorithm->collective != TUTTI_COLL_ALLGATHERV ||
        tutti_method_check(&method, &blocks->calls[0], &error) != TUTTI_OK)
      continue;
    if (tutti_verify_calls(&method, blocks->calls, &error) != TUTTI_OK)
      fail_msg("%s, %d ranks: %s", method.algorithm->name, blocks->size, error.message);
    verified++;
  }
  return verified;
}

TEST(every_layout_is_right)
{
  struct blocks blocks;
  for (int size = 1; size <= MOST; size++)
    for (int turn = 0; turn < size; turn++)
      for (int empty = 0; empty < 2; empty++) {
        lay_out(&blocks, size, turn, empty);
        assert_true(verify_all(&blocks) >= 4); /* those without a domain */
      }
}

/* Messages and temporaries of rank `rank`. */
static tutti_count count_one(const char *name, const struct blocks *blocks, int rank)
{
  tutti_method method = method_of(TUTTI_COLL_ALLGATHERV, name);
  FREED_BY(tutti_arena_release) tutti_arena arena;
  tutti_schedule schedule;
  tutti_arena_init(&arena);
  assert_int_equal(tutti_method_schedule(&method, &blocks->calls[rank], &arena, &schedule, &error), TUTTI_OK);
  return tutti_count_schedule(&schedule);
}

/* Blocks need no temporary and no messages more than blocks of equal size do; but where the block of another rank comes
   first, they go through one of 1 + 2 + 3 + 1 + 2 + 3 + 1 + 2 elements. */
TEST(only_another_order_needs_a_temporary)
{
  struct blocks blocks;
  lay_out(&blocks, 8, 0, false);
  assert_int_equal(count_one("recursive-doubling", &blocks, 5).temporary_elements, 0);
  assert_int_equal(count_one("recursive-doubling", &blocks, 5).sends, 3);
  assert_int_equal(count_one("gather-bcast", &blocks, 5).temporary_elements, 0);
  assert_int_equal(count_one("bruck", &blocks, 0).temporary_elements, 0);
  assert_int_equal(count_one("bruck", &blocks, 3).temporary_elements, 15);
  assert_int_equal(count_one("ring", &blocks, 5).temporary_elements, 0);
  assert_int_equal(count_one("neighbor-exchange", &blocks, 5).sends, 4);
  assert_int_equal(count_one("neighbor-exchange", &blocks, 5).temporary_elements, 0);
}
