/* Counted messages, elements and depth of all-to-all exchanges against closed forms. P is the number of ranks. */
#include "unit/algorithms/analysis/count_fixture.h"
#include "unit/algorithms/analysis/verify_calls.h"

enum { MOST = 66, BLOCK = 3 /* elements */ };

static tutti_total count_alltoall(const char *name, int k, int ranks)
{
  tutti_method method = method_of(TUTTI_COLL_ALLTOALL, name);
  if (k > 0)
    method.parameters.k = k;
  return count(&method, (tutti_call){.size = ranks, .count = BLOCK, .commutative = true});
}

/* Every block goes straight to its receiver. */
TEST(direct_exchanges)
{
  static const char *const names[] = {"linear", "linear-sync", "pairwise", "pairwise-by-rank"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (int ranks = 1; ranks <= MOST; ranks++) {
      tutti_total total = count_alltoall(names[i], 0, ranks);
      assert_int_equal(total.sum.sends, ranks * (ranks - 1));
      assert_int_equal(total.maximum.sends, ranks - 1);
      assert_int_equal(total.sum.elements_sent, BLOCK * ranks * (ranks - 1));
      assert_int_equal(total.sum.elements_copied, BLOCK * ranks);
      assert_int_equal(total.sum.temporary_elements, 0);
    }
}

/* All at once; a step after the other; as many at once as max_requests allows. */
TEST(depths_of_direct_exchanges)
{
  for (int ranks = 1; ranks <= MOST; ranks++) {
    assert_int_equal(count_alltoall("linear", 0, ranks).depth, ranks > 1);
    assert_int_equal(count_alltoall("pairwise", 0, ranks).depth, ranks - 1);
    assert_int_equal(count_alltoall("pairwise-by-rank", 0, ranks).depth, ranks > 1 ? 2 * ranks - 3 : 0);
    for (int most = 1; most <= 70; most += 1 + most / 2)
      assert_int_equal(count_alltoall("linear-sync", most, ranks).depth, (ranks - 1 + most - 1) / most);
  }
}

/* A message of pairwise exchange waits for both messages of the step before. */
TEST(pairwise_steps)
{
  for (int ranks = 2; ranks <= 12; ranks++) {
    tutti_arena arena;
    tutti_schedule schedule;
    tutti_error error;
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

/* A rank's blocks travel as often as their distances have digits other than 0, and in each of ceil(log_radix P) rounds
   there is one message for each value of a digit that occurs. */
TEST(bruck)
{
  for (int ranks = 1; ranks <= MOST; ranks++)
    for (int radix = 2; radix <= 70; radix += 1 + radix / 3) {
      int rounds = 0, messages = 0, travelled = 0;
      for (int weight = 1; weight < ranks; weight *= radix, rounds++) {
        int digits = (ranks - 1) / weight;
        messages += digits < radix - 1 ? digits : radix - 1;
        for (int distance = 1; distance < ranks; distance++)
          travelled += distance / weight % radix != 0;
      }
      tutti_total total = count_alltoall("bruck", radix, ranks);
      int at_once = ranks - (ranks + radix - 1) / radix;
      assert_int_equal(total.depth, rounds);
      assert_int_equal(total.sum.sends, ranks * messages);
      assert_int_equal(total.sum.elements_sent, BLOCK * ranks * travelled);
      assert_int_equal(total.sum.elements_copied, BLOCK * ranks * (1 + 2 * travelled));
      assert_int_equal(total.sum.temporary_elements, BLOCK * ranks * 2 * at_once);
    }
}

TEST(bruck_of_radix_two)
{
  for (int ranks = 1; ranks <= MOST; ranks++) {
    tutti_total total = count_alltoall("bruck", 0, ranks);
    assert_int_equal(total.maximum.sends, ceil_log2(ranks));
    assert_int_equal(total.depth, ceil_log2(ranks));
    assert_int_equal(total.sum.largest_message, BLOCK * (ranks / 2));
  }
}

/* Fan et al. 2025: one message for each digit x at each place w with x w < P, radix - 1 or as many as there are ranks
   left at the last; only blocks with several digits other than 0 are kept on their way. */
TEST(tuna_messages)
{
  for (int ranks = 2; ranks <= MOST; ranks++)
    for (int radix = 2; radix <= 8; radix++) {
      tutti_method method = method_of(TUTTI_COLL_ALLTOALLV, "tuna");
      method.parameters.k = radix;
      tutti_total total = count(&method, (tutti_call){.size = ranks, .count = BLOCK, .commutative = true});
      int messages = 0, travelled = 0, rounds = 0;
      for (int weight = 1; weight < ranks; weight *= radix, rounds++) {
        int left = (ranks + weight - 1) / weight - 1;
        messages += left < radix - 1 ? left : radix - 1;
        for (int distance = 1; distance < ranks; distance++)
          travelled += distance / weight % radix != 0;
      }
      assert_int_equal(total.maximum.sends, messages);
      assert_int_equal(total.sum.sends, ranks * messages);
      assert_int_equal(total.maximum.elements_sent, BLOCK * travelled);
      assert_int_equal(total.depth, rounds);
    }
}

/* Irregular blocks, some of them empty. */
TEST(tuna_is_right)
{
  for (int ranks = 1; ranks <= 69; ranks++)
    for (int radix = 2; radix <= 8; radix++) {
      tutti_method method = method_of(TUTTI_COLL_ALLTOALLV, "tuna");
      tutti_call call = {.size = ranks, .count = 3, .type_size = 1, .commutative = true};
      tutti_error error;
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
