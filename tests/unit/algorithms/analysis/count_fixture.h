/* Counting the messages of a method, and logarithms to compare them with. */
#ifndef TUTTI_TESTS_COUNT_FIXTURE_H
#define TUTTI_TESTS_COUNT_FIXTURE_H

#include "tutti/analysis.h"
#include "unit/algorithms/catalogue/method_fixture.h"

static inline tutti_method method_of(tutti_collective collective, const char *name)
{
  const tutti_algorithm *algorithm = tutti_algorithm_find(collective, name);
  assert_non_null(algorithm);
  return tutti_method_default(algorithm);
}

static inline tutti_total count(const tutti_method *method, tutti_call call)
{
  tutti_total total;
  tutti_error error;
  call.type_size = call.type_size ? call.type_size : 1;
  if (tutti_count_method(method, &call, &total, &error) != TUTTI_OK)
    fail_msg("%d ranks: %s", call.size, error.message);
  assert_int_equal(total.sum.sends, total.sum.receives);
  return total;
}

static inline int floor_log2(int n)
{
  int log = 0;
  while (n >>= 1)
    log++;
  return log;
}

static inline int ceil_log2(int n)
{
  return n == 1 ? 0 : floor_log2(n - 1) + 1;
}

#endif
