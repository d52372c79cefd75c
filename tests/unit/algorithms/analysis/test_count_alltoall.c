/* Counted messages, elements and depth of all-to-all exchanges against closed forms. P is the number of ranks. */
#include "unit/algorithms/analysis/count_fixture.h"
#include "unit/algorithms/analysis/verify_calls.h"
#include "unit/patience.h"

enum { MOST = UNLESS_WATCHED(66, 18), BLOCK = 3 /* elements */ };

#define BLOCKS(method, radix) OF(method, p, .k = radix, .count = BLOCK)

/* Every block goes straight to its receiver. */
TEST(direct_exchanges)
{
  static const char *const methods[] = {"alltoall/linear", "alltoall/linear-sync", "alltoall/pairwise",
                                        "alltoall/pairwise-by-rank"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    for (int p = 1; p <= MOST; p++)
      COUNTS(BLOCKS(methods[i], 0), {SENDS, p * (p - 1)}, {MAX | SENDS, p - 1}, {SENT, BLOCK * p * (p - 1)},
             {COPIED, BLOCK * p}, {MEMORY, 0});
}

/* All at once; a step after the other; as many at once as max_requests allows. */
TEST(depths_of_direct_exchanges)
{
  for (int p = 1; p <= MOST; p++) {
    COUNTS(BLOCKS("alltoall/linear", 0), {DEPTH, p > 1});
    COUNTS(BLOCKS("alltoall/pairwise", 0), {DEPTH, p - 1});
    COUNTS(BLOCKS("alltoall/pairwise-by-rank", 0), {DEPTH, p > 1 ? 2 * p - 3 : 0});
    for (int most = 1; most <= 70; most += 1 + most / 2)
      COUNTS(BLOCKS("alltoall/linear-sync", most), {DEPTH, (p - 1 + most - 1) / most});
  }
}

/* A message of pairwise exchange waits for both messages of the step before. */
TEST(pairwise_steps)
{
  for (int ranks = 2; ranks <= 12; ranks++) {
    tutti_arena arena;
    tutti_schedule schedule;
    tutti_method method = method_of(TUTTI_COLL_ALLTOALL, "pairwise");
    tutti_call call = {.size = ranks, .rank = ranks / 2, .count = BLOCK, .type_size = 1};
    tutti_arena_init(&arena);
    assert_int_equal(tutti_method_schedule(&method, &call, &arena, &schedule, &error), TUTTI_OK);
    assert_int_equal(schedule.edge_count, 4 * (ranks - 2));
    for (tutti_vertex_id v = 0; v < schedule.vertex_count; v++) {
      bool waits = v >= 2 && schedule.vertices[v].kind != TUTTI_COPY; /* unlike the first step and the own copy */
      assert_int_equal(schedule.prerequisites[v], waits ? 2 : 0);
    }
    tutti_arena_release(&arena);
  }
}

struct digits {
  int rounds, messages, travelled;
};

/* Rounds; messages, one for each value other than 0 of each digit; how many digits other than 0 all distances have. */
static struct digits digits_of(int ranks, int radix)
{
  struct digits digits = {0, 0, 0};
  for (int weight = 1; weight < ranks; weight *= radix, digits.rounds++) {
    digits.messages += (int)smaller((ranks - 1) / weight, radix - 1);
    for (int distance = 1; distance < ranks; distance++)
      digits.travelled += distance / weight % radix != 0;
  }
  return digits;
}

/* A rank's blocks travel as often as their distances have digits other than 0, and in each of ceil(log_radix P) rounds
   there is one message for each value of a digit that occurs. */
TEST(bruck)
{
  for (int p = 1; p <= MOST; p++)
    for (int radix = 2; radix <= 70; radix += 1 + radix / 3) {
      const struct digits d = digits_of(p, radix);
      const int at_once = p - (p + radix - 1) / radix;
      COUNTS(BLOCKS("alltoall/bruck", radix), {DEPTH, d.rounds}, {SENDS, p * d.messages},
             {SENT, BLOCK * p * d.travelled}, {COPIED, BLOCK * p * (1 + 2 * d.travelled)},
             {MEMORY, BLOCK * p * 2 * at_once});
    }
}

TEST(bruck_of_radix_two)
{
  for (int p = 1; p <= MOST; p++)
    COUNTS(BLOCKS("alltoall/bruck", 0), {MAX | SENDS, ceil_log2(p)}, {DEPTH, ceil_log2(p)}, {LARGEST, BLOCK * (p / 2)});
}

/* Fan et al. 2025: one message for each digit x at each place w with x w < P, radix - 1 or as many as there are ranks
   left at the last; only blocks with several digits other than 0 are kept on their way. */
TEST(tuna_messages)
{
  for (int p = 2; p <= MOST; p++)
    for (int radix = 2; radix <= 8; radix++) {
      const struct digits d = digits_of(p, radix);
      COUNTS(BLOCKS("alltoallv/tuna", radix), {MAX | SENDS, d.messages}, {SENDS, p * d.messages},
             {MAX | SENT, BLOCK * d.travelled}, {DEPTH, d.rounds});
    }
}

/* Irregular blocks, some of them empty. */
TEST(tuna_is_right)
{
  for (int ranks = 1; ranks <= 69; ranks++)
    for (int radix = 2; radix <= 8; radix++) {
      tutti_method method = method_of(TUTTI_COLL_ALLTOALLV, "tuna");
      tutti_call call = {.size = ranks, .count = 3, .type_size = 1, .commutative = true};
      method.parameters.k = radix;
      struct calls *calls = calls_create(TUTTI_COLL_ALLTOALLV, &call, true);
      if (tutti_verify_calls(&method, calls->rank, &error) != TUTTI_OK)
        fail_msg("%d ranks, radix %d: %s", ranks, radix, error.message);
      calls->rank[0].matrix = NULL;
      assert_int_equal(tutti_method_check(&method, calls->rank, &error), TUTTI_ERR_UNSUPPORTED);
      assert_string_equal(tutti_method_serving(&method, calls->rank).algorithm->name, "pairwise");
      calls_free(calls);
    }
}
