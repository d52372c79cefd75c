/* The arena hands out what was asked for, aligned and apart, counts it, and survives what cannot be had. */
#include <stdalign.h>

#include "tutti/counted_memory.h"
#include "unit/base/random.h"
#include "unit/test.h"

enum { PIECES = 500, ALIGNMENT = alignof(max_align_t) };

static void assert_aligned(const void *memory)
{
  assert_non_null(memory);
  assert_int_equal((uintptr_t)memory % ALIGNMENT, 0);
}

/* Every piece is filled with its own byte; had two of them a byte in common, one would find the other's. */
TEST(pieces_are_aligned_and_apart)
{
  FREED_BY(tutti_arena_release) tutti_arena arena;
  unsigned char *pieces[PIECES];
  size_t sizes[PIECES];
  uint64_t seed = 1;
  tutti_arena_init(&arena);
  for (int i = 0; i < PIECES; i++) {
    sizes[i] = random_below(&seed, i % 50 == 0 ? 20000 : 100);
    pieces[i] = tutti_arena_alloc(&arena, sizes[i]);
    assert_aligned(pieces[i]);
    memset(pieces[i], i, sizes[i]);
  }
  for (int i = 0; i < PIECES; i++)
    for (size_t b = 0; b < sizes[i]; b++)
      assert_int_equal(pieces[i][b], (unsigned char)i);
}

TEST(an_empty_arena_takes_nothing)
{
  tutti_arena arena;
  tutti_arena_init(&arena);
  assert_int_equal(tutti_arena_used(&arena), 0);
  assert_int_equal(tutti_arena_peak(&arena), 0);
  tutti_arena_release(&arena);
  tutti_arena_release(&arena);
  assert_int_equal(tutti_arena_peak(&arena), 0);
}

/* What is handed out is what was asked for, rounded up to the alignment. */
TEST(used_is_what_was_handed_out)
{
  FREED_BY(tutti_arena_release) tutti_arena arena;
  size_t sum = 0;
  tutti_arena_init(&arena);
  for (size_t bytes = 0; bytes < 2000; bytes += 7) {
    assert_non_null(tutti_arena_alloc(&arena, bytes));
    sum += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    assert_int_equal(tutti_arena_used(&arena), sum);
    assert_true(tutti_arena_peak(&arena) >= sum);
  }
}

TEST(zero_bytes_are_a_pointer)
{
  FREED_BY(tutti_arena_release) tutti_arena arena;
  tutti_arena_init(&arena);
  assert_aligned(tutti_arena_alloc(&arena, 0));
  assert_int_equal(tutti_arena_used(&arena), 0);
  assert_aligned(tutti_arena_alloc(&arena, 1));
  assert_aligned(tutti_arena_alloc(&arena, 0));
  assert_int_equal(tutti_arena_used(&arena), ALIGNMENT);
}

TEST(release_forgets_all_but_the_peak)
{
  tutti_arena arena;
  tutti_arena_init(&arena);
  assert_non_null(tutti_arena_alloc(&arena, 100000));
  size_t peak = tutti_arena_peak(&arena);
  assert_uint_in_range(peak, 100000, 101000);
  tutti_arena_release(&arena);
  assert_int_equal(tutti_arena_used(&arena), 0);
  assert_int_equal(tutti_arena_peak(&arena), peak);
  memset(tutti_arena_alloc(&arena, 50000), 1, 50000);
  assert_int_equal(tutti_arena_used(&arena), 50000);
  assert_int_equal(tutti_arena_peak(&arena), peak);
  tutti_arena_release(&arena);
  assert_non_null(tutti_arena_alloc(&arena, 200000));
  assert_true(tutti_arena_peak(&arena) >= 200000);
  tutti_arena_release(&arena);
}

/* Many small pieces cost at most a quarter more than they are, at any time: 131,072 simulated ranks hold an arena. */
TEST(growth_is_gentle)
{
  FREED_BY(tutti_arena_release) tutti_arena arena;
  tutti_arena_init(&arena);
  for (int i = 0; i < 100000; i++) {
    assert_non_null(tutti_arena_alloc(&arena, 16));
    size_t used = tutti_arena_used(&arena);
    assert_true(tutti_arena_peak(&arena) <= used + used / 4 + 2048);
  }
}

TEST(chunks_are_few)
{
  FREED_BY(tutti_arena_release) tutti_arena arena;
  int chunks = 0;
  size_t peak = 0;
  tutti_arena_init(&arena);
  for (int i = 0; i < 60000; i++) {
    assert_non_null(tutti_arena_alloc(&arena, 16));
    chunks += tutti_arena_peak(&arena) > peak;
    peak = tutti_arena_peak(&arena);
  }
  assert_uint_in_range(chunks, 2, 40); /* each at least a quarter of what is held already */
}

/* What cannot be had is refused, and what was had stays. */
TEST(absurd_sizes_are_refused)
{
  static const size_t absurd[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - ALIGNMENT, SIZE_MAX - 64, SIZE_MAX / 2};
  FREED_BY(tutti_arena_release) tutti_arena arena;
  tutti_arena_init(&arena);
  for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++) {
    unsigned char *before = tutti_arena_alloc(&arena, 40);
    memset(before, (int)i, 40);
    size_t used = tutti_arena_used(&arena), peak = tutti_arena_peak(&arena);
    assert_null(tutti_arena_alloc(&arena, absurd[i]));
    assert_int_equal(tutti_arena_used(&arena), used);
    assert_int_equal(tutti_arena_peak(&arena), peak);
    unsigned char *after = tutti_arena_alloc(&arena, 40);
    assert_aligned(after);
    memset(after, 0xff, 40);
    for (int b = 0; b < 40; b++)
      assert_int_equal(before[b], i);
  }
}
