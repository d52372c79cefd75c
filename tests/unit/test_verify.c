/* Every algorithm of the catalogue is proven for every number of ranks up to 64, several roots, counts and segment
   sizes. A new line of the catalogue is tested by being there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "tutti/verify.h"

enum { MOST_RANKS = 64, ELEMENT = 4 /* bytes */ };

static const uint64_t counts[] = {0, 1, 2, 7, 64, 97};
static const uint64_t segments[] = {0, 1, 12, 64}; /* bytes: none, less than an element, 3 elements, 16 elements */
static const int ks[] = {1, 2, 3, 5};
static const int windows[] = {1, 2, TUTTI_DEFAULT_OUTSTANDING};

static long verified;

/* Fewer ranks for a slower build (sanitizers): TUTTI_TEST_MOST_RANKS. */
static int most_ranks(void)
{
  const char *wanted = getenv("TUTTI_TEST_MOST_RANKS");
  int most = wanted ? atoi(wanted) : MOST_RANKS;
  return most >= 1 && most < MOST_RANKS ? most : MOST_RANKS;
}

static void verify(const tutti_method *method, const tutti_call *call)
{
  tutti_error error;
  char name[TUTTI_METHOD_LENGTH];
  tutti_status status = tutti_method_check(method, call, &error);
  if (status == TUTTI_ERR_UNSUPPORTED)
    return;
  status = tutti_verify_method(method, call, &error);
  if (status != TUTTI_OK)
    fail_msg("%s, %d ranks, root %d, %llu elements%s: %s", tutti_method_format(method, name), call->size, call->root,
             (unsigned long long)call->count, call->commutative ? "" : ", not commutative", error.message);
  verified++;
}

static void verify_counts(const tutti_method *method, int size, int root)
{
  size_t last = method->algorithm->collective == TUTTI_COLL_BARRIER ? 1 : sizeof counts / sizeof *counts;
  for (size_t c = 0; c < last; c++) {
    tutti_call call = {.size = size, .root = root, .count = counts[c], .type_size = ELEMENT, .commutative = false};
    verify(method, &call);
    call.commutative = true;
    if (method->algorithm->collective == TUTTI_COLL_REDUCE)
      verify(method, &call);
  }
}

static void verify_roots(const tutti_method *method, int size)
{
  int step = size <= 9 ? 1 : size - 1;
  bool rooted = method->algorithm->collective != TUTTI_COLL_BARRIER;
  for (int root = 0; root < (rooted ? size : 1); root += step)
    verify_counts(method, size, root);
  if (rooted && size > 9)
    verify_counts(method, size, size / 3);
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
      if (k_count > 1 && ks[k] < algorithm->least_k)
        continue;
      if (k_count > 1)
        method.parameters.k = ks[k];
      if (algorithm->parameters & TUTTI_TAKES_OUTSTANDING)
        method.parameters.outstanding = windows[((size_t)size + s + k) % 3];
      verify_roots(&method, size);
    }
}

static void every_algorithm_is_right(void **state)
{
  int most = most_ranks();
  (void)state;
  for (size_t a = 0; a < tutti_algorithm_count(); a++)
    for (int size = 1; size <= most; size++)
      verify_parameters(tutti_algorithm_at(a), size);
  print_message("verified %ld cases of up to %d ranks\n", verified, most);
  assert_true(verified > 200L * most);
}

static void larger_groups_are_right(void **state)
{
  static const int sizes[] = {100, 127, 128, 129, 255, 257};
  (void)state;
  if (most_ranks() < MOST_RANKS)
    skip();
  for (size_t a = 0; a < tutti_algorithm_count(); a++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      tutti_method method = tutti_method_default(tutti_algorithm_at(a));
      tutti_call call = {.size = sizes[s], .root = sizes[s] / 2, .count = 300, .type_size = 8, .commutative = true};
      verify(&method, &call);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_algorithm_is_right),
      cmocka_unit_test(larger_groups_are_right),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
