/* The corrected Hockney formulas against the messages of the schedules: never less, and equal where they are exact. */
#include "hockney_price.h"

#include <stdio.h>
#include <string.h>

/* Exact for any number of ranks and any size, with segments too, where an algorithm takes them. */
static const char *const always_exact[] = {
    "bcast/linear",
    "bcast/binomial",
    "bcast/in-order-binomial",
    "bcast/pipeline",
    "barrier/double-ring",
    "barrier/recursive-doubling",
    "barrier/bruck",
    "scatter/linear",
    "scatter/binomial",
    "gather/linear",
    "gather/linear-sync",
    "gather/binomial",
    "allgather/bruck",
    "allgather/recursive-doubling",
    "allgather/recursive-doubling-general",
    "allgather/ring",
    "allgather/neighbor-exchange",
    "alltoall/linear",
    "alltoall/pairwise",
    "reduce_scatter_block/recursive-halving",
    "reduce_scatter_block/ring",
    "reduce_scatter/recursive-halving",
    "reduce_scatter/ring",
    "allreduce/recursive-doubling",
    "allreduce/ring",
    "scan/binomial",
};

/* Exact where each rank has one segment at a time, so that nothing overlaps with its computation. */
static const char *const exact_unsegmented[] = {"reduce/pipeline", "allreduce/ring-segmented", "scan/linear"};

/* The first phase counts as one message (section 4.3.4): less than the reports take one after the other. */
static const char *const not_a_bound[] = {"barrier/linear"};

/* A bound if the halves have whole segments only: after a short one the other half can arrive before the last segment
   of the own one, which then waits for it. */
static const char *const whole_halves[] = {"bcast/split-binary"};

static bool among(const char *const *names, size_t count, const tutti_algorithm *algorithm)
{
  char name[128];
  snprintf(name, sizeof name, "%s/%s", tutti_collective_name(algorithm->collective), algorithm->name);
  for (size_t i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0)
      return true;
  return false;
}

#define AMONG(names, algorithm) among(names, sizeof(names) / sizeof *(names), algorithm)

static void check(const tutti_model *model, const tutti_model_question *question)
{
  const tutti_algorithm *algorithm = question->method.algorithm;
  char name[TUTTI_METHOD_LENGTH];
  double seconds;
  uint64_t segment = question->method.parameters.segment_bytes;
  if (tutti_model_time(model, question, &seconds, NULL) != TUTTI_OK || AMONG(not_a_bound, algorithm))
    return;
  if (AMONG(whole_halves, algorithm) && segment > 0 && (question->bytes + 1) / 2 % segment != 0)
    return;
  double price = hockney_price(model, &question->method, question->ranks, question->bytes);
  bool whole = segment == 0 || question->bytes % segment == 0; /* the last segment counts as a whole one */
  bool exact = (whole && AMONG(always_exact, algorithm)) || (segment == 0 && AMONG(exact_unsegmented, algorithm));
  if (price > seconds * (1 + 1e-12) || (exact && !fixture_same(price, seconds)))
    fail_msg("%s, %d ranks, %d bytes: formula %.17g, priced %.17g", tutti_method_format(&question->method, name),
             question->ranks, (int)question->bytes, seconds, price);
}

/* Local copies are left out: the formulas count those of buffers that a schedule need not have. */
static void check_algorithm(const tutti_algorithm *algorithm, uint64_t segment_bytes)
{
  static const int ranks[] = {2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31};
  static const uint64_t sizes[] = {1, 80, 481};
  tutti_model model = fixture_model(HOCKNEY);
  model.delta = 0;
  for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
    for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
      tutti_model_question question = {.method = tutti_method_default(algorithm), .ranks = ranks[i], .bytes = sizes[j]};
      question.method.parameters.segment_bytes = segment_bytes;
      check(&model, &question);
    }
}

static void test_never_less_than_priced(void **state)
{
  (void)state;
  for (size_t i = 0; i < tutti_algorithm_count(); i++) {
    const tutti_algorithm *algorithm = tutti_algorithm_at(i);
    check_algorithm(algorithm, 0);
    if (algorithm->parameters & TUTTI_TAKES_SEGMENT)
      check_algorithm(algorithm, 20);
  }
}

/* On a complete tree each segment takes two messages a level, as section 4.3.1 counts. */
static void test_complete_binary_trees(void **state)
{
  (void)state;
  tutti_model model = fixture_model(HOCKNEY);
  for (int ranks = 3; ranks <= 31; ranks = 2 * ranks + 1) {
    tutti_model_question question = fixture_question("bcast/binary/10B", ranks, 40, CORRECTED);
    double price = hockney_price(&model, &question.method, ranks, 40);
    assert_true(fixture_same(price, fixture_ask(&model, &question)));
  }
}

/* A chain that can be counted: 2 segments, 3 ranks, 3 messages of alpha + beta m_s = 100 + 2 20 one after the other. */
static void test_pricing_by_hand(void **state)
{
  (void)state;
  tutti_model model = fixture_model(HOCKNEY);
  tutti_model_question question = fixture_question("bcast/pipeline/20B", 3, 40, CORRECTED);
  assert_true(hockney_price(&model, &question.method, 3, 40) == 3 * 140);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pricing_by_hand),
      cmocka_unit_test(test_never_less_than_priced),
      cmocka_unit_test(test_complete_binary_trees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
