/* The estimate of messages against the count of all schedules, and closed forms. */
#include <math.h>

#include "unit/algorithms/analysis/count_fixture.h"

enum { MANY_RANKS = 131072 };

static double estimate(const tutti_method *method, const tutti_call *call)
{
  double messages;
  if (tutti_estimate_messages(method, call, &messages, &error) != TUTTI_OK)
    fail_msg("%s on %d ranks: %s", method->algorithm->name, call->size, error.message);
  return messages;
}

static double estimated(const char *text, int ranks, uint64_t count)
{
  const tutti_method method = parsed(text);
  const tutti_call call = {.size = ranks, .root = 5 % ranks, .count = count, .type_size = 1, .commutative = true};
  return estimate(&method, &call);
}

/* Every method of the catalogue that has a call of so many ranks. */
#define EACH_METHOD(method, call, ranks)                                                                               \
  for (size_t i = 0; i < tutti_algorithm_count(); i++)                                                                 \
    for (bool once = true; once; once = false)                                                                         \
      for (tutti_method method = tutti_method_default(tutti_algorithm_at(i)); once; once = false)                      \
        for (const tutti_call call = {.size = ranks, .count = 1000, .type_size = 4, .commutative = true}; once;        \
             once = false)                                                                                             \
          if (tutti_method_check(&method, &call, NULL) == TUTTI_OK)

TEST(few_ranks_are_counted)
{
  static const int sizes[] = {1, 2, 3, 7, 16, 33};
  int counted = 0;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    EACH_METHOD(method, call, sizes[s])
    {
      const double exact = (double)count(&method, call).sum.sends, about = estimate(&method, &call);
      if (exact != about)
        fail_msg("%s on %d ranks: %.17g, not %.17g", method.algorithm->name, call.size, about, exact);
      counted++;
    }
  assert_true(counted > 600);
}

TEST(many_ranks_are_estimated)
{
  static const int sizes[] = {128, 201};
  int counted = 0;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    EACH_METHOD(method, call, sizes[s])
    {
      const double exact = (double)count(&method, call).sum.sends, about = estimate(&method, &call);
      if (about < 0.7 * exact || about > 1.4 * exact)
        fail_msg("%s on %d ranks: %g, and it has %g", method.algorithm->name, call.size, about, exact);
      counted++;
    }
  assert_true(counted > 200);
}

TEST(closed_forms_of_very_many_ranks)
{
  const double p = MANY_RANKS;
  assert_true(estimated("bcast/linear", MANY_RANKS, 8) == p - 1);
  assert_true(estimated("bcast/binomial", MANY_RANKS, 8) == p - 1);
  assert_true(estimated("bcast/pipeline/8KB", MANY_RANKS, 65536) == 8 * (p - 1));
  assert_true(estimated("scatter/binomial", MANY_RANKS, 8) == p - 1);
  assert_true(estimated("reduce/binomial", MANY_RANKS, 8) == p - 1);
  assert_true(estimated("gather/linear", MANY_RANKS, 8) == p - 1);
  assert_true(estimated("barrier/bruck", MANY_RANKS, 0) == 17 * p);
  assert_true(estimated("allgather/ring", MANY_RANKS, 8) == p * (p - 1));
  assert_true(estimated("alltoall/pairwise", MANY_RANKS, 8) == p * (p - 1));
  assert_true(fabs(estimated("bcast/scatter-ring", MANY_RANKS, 1 << 20) - p * p) < 0.001 * p * p); /* 17e9 */
}
