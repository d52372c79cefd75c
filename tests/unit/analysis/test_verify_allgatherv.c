/* Allgathers of irregular blocks on every kind of layout: in the order of the ranks or turned, close together or apart,
   at the beginning of the output or later, with empty blocks that lie nowhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tutti/analysis.h"
#include "unit/analysis/count_fixture.h"
#include "unit/analysis/verify_calls.h"

enum { MOST = 9, NOWHERE = 1000000 };

/* One layout that all ranks share. */
struct layout {
  int size, turn;
  uint64_t counts[MOST], firsts[MOST];
  tutti_call calls[MOST];
};

/* Blocks of 1, 2, 3 elements and, if `empty`, 0; `gap` before each and `lead` before all. */
static void lay_out(struct layout *layout, int size, int turn, uint64_t gap, uint64_t lead, bool empty)
{
  *layout = (struct layout){.size = size, .turn = turn};
  for (int r = 0; r < size; r++)
    layout->counts[r] = empty ? (uint64_t)(r * 3 % 4) : 1 + (uint64_t)r % 3;
  calls_place(layout->counts, layout->firsts, size, turn, gap);
  for (int r = 0; r < size; r++)
    layout->firsts[r] = layout->counts[r] ? layout->firsts[r] + lead : NOWHERE;
  for (int r = 0; r < size; r++)
    layout->calls[r] = (tutti_call){.size = size,
                                    .rank = r,
                                    .count = layout->counts[r],
                                    .type_size = 4,
                                    .commutative = true,
                                    .output = {layout->counts, layout->firsts}};
}

static int verify_all(const struct layout *layout)
{
  int verified = 0;
  for (size_t a = 0; a < tutti_algorithm_count(); a++) {
    tutti_method method = tutti_method_default(tutti_algorithm_at(a));
    tutti_error error;
    if (method.algorithm->collective != TUTTI_COLL_ALLGATHERV ||
        tutti_method_check(&method, &layout->calls[0], &error) != TUTTI_OK)
      continue;
    if (tutti_verify_calls(&method, layout->calls, &error) != TUTTI_OK)
      fail_msg("%s, %d ranks, turned by %d: %s", method.algorithm->name, layout->size, layout->turn, error.message);
    verified++;
  }
  return verified;
}

static void every_layout_is_right(void **state)
{
  struct layout layout;
  (void)state;
  for (int size = 1; size <= MOST; size++)
    for (int turn = 0; turn < size; turn++)
      for (int kind = 0; kind < 8; kind++) {
        lay_out(&layout, size, turn, kind & 1, kind & 2, kind & 4);
        assert_true(verify_all(&layout) >= 4); /* those without a domain */
      }
}

/* Messages and temporaries of rank `rank`. */
static tutti_count count_one(const char *name, const struct layout *layout, int rank)
{
  tutti_method method = method_of(TUTTI_COLL_ALLGATHERV, name);
  tutti_arena arena;
  tutti_schedule schedule;
  tutti_error error;
  tutti_arena_init(&arena);
  assert_int_equal(tutti_method_schedule(&method, &layout->calls[rank], &arena, &schedule, &error), TUTTI_OK);
  tutti_count counted = tutti_count_schedule(&schedule);
  tutti_arena_release(&arena);
  return counted;
}

/* Blocks in the order of the ranks need no temporary and no messages more than blocks of equal size do. Others go
   through a temporary of 1 + 2 + 3 + 1 + 2 + 3 + 1 + 2 elements where several of them make a message. */
static void only_other_orders_need_a_temporary(void **state)
{
  struct layout close, apart, turned;
  (void)state;
  lay_out(&close, 8, 0, 0, 5, false);
  lay_out(&apart, 8, 0, 1, 0, false);
  lay_out(&turned, 8, 3, 0, 0, false);
  assert_int_equal(count_one("recursive-doubling", &close, 5).temporary_elements, 0);
  assert_int_equal(count_one("recursive-doubling", &apart, 5).temporary_elements, 15);
  assert_int_equal(count_one("recursive-doubling", &apart, 5).sends, 3);
  assert_int_equal(count_one("gather-bcast", &close, 5).temporary_elements, 0);
  assert_int_equal(count_one("gather-bcast", &turned, 5).temporary_elements, 15);
  assert_int_equal(count_one("bruck", &close, 0).temporary_elements, 0);
  assert_int_equal(count_one("bruck", &close, 3).temporary_elements, 15);
  assert_int_equal(count_one("bruck", &turned, 0).temporary_elements, 15);
  assert_int_equal(count_one("bruck", &turned, 3).temporary_elements, 0);
  assert_int_equal(count_one("ring", &apart, 5).temporary_elements, 0);
  assert_int_equal(count_one("neighbor-exchange", &close, 5).sends, 4);
  assert_int_equal(count_one("neighbor-exchange", &apart, 5).sends, 1 + 2 * 3);
  assert_int_equal(count_one("neighbor-exchange", &apart, 5).temporary_elements, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_layout_is_right),
      cmocka_unit_test(only_other_orders_need_a_temporary),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
