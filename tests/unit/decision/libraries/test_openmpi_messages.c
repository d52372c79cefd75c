/* What Open MPI sends where the method of the catalogue sends other messages. */
#include "decision/libraries/libraries.h"
#include "tutti/algorithm.h"
#include "unit/test.h"

enum { MAX_RANKS = 40 };

struct told {
  int count;
  uint64_t elements;
  uint64_t received[MAX_RANKS];
};

static void note(void *context, int from, int to, uint64_t elements)
{
  struct told *told = context;
  assert_true(from >= 0 && to >= 0 && from != to);
  told->count++;
  told->elements += elements;
  told->received[to] += elements;
}

static struct told ask(const char *name, int ranks, int root, uint64_t count)
{
  struct told told = {0};
  tutti_method method;
  const tutti_call call = {.size = ranks, .root = root, .count = count, .type_size = 8, .commutative = true};
  assert_ok(tutti_method_parse(name, &method, &error), error);
  assert_true(tutti_openmpi_sends(&method, &call, note, &told));
  return told;
}

/* As monitored by Open MPI 4.1.4 (docs/how-to/explain.md): messages, and elements of 1 MB. */
TEST(test_counts)
{
  static const struct {
    const char *name;
    int root, messages;
    uint64_t elements; /* of 128 Ki */
  } cases[] = {
      {"bcast/scatter-recursive-doubling", 1, 11, UINT64_C(4) << 17},
      {"bcast/scatter-ring", 0, 15, UINT64_C(4) << 17},
      {"reduce/in-order-binary", 0, 4, UINT64_C(4) << 17},
      {"reduce/in-order-binary", 3, 3, UINT64_C(3) << 17},
      {"reduce/in-order-binary/1KB", 3, 3 << 10, UINT64_C(3) << 17},
      {"barrier/tree", 0, 6, 0},
      {"gather/linear-sync", 0, 9, UINT64_C(3) << 17},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const uint64_t count = cases[i].elements ? UINT64_C(1) << 17 : 0;
    const struct told told = ask(cases[i].name, 4, cases[i].root, count);
    assert_int_equal(told.count, cases[i].messages);
    assert_int_equal(told.elements, cases[i].elements);
  }
}

/* Every rank gets what it lacks of the message, also where it is shorter than there are ranks; every operand but one is
   sent on, in a tree of as many edges. */
TEST(test_all_ranks)
{
  static const uint64_t counts[] = {1, 7, 41, 1000};
  for (int ranks = 2; ranks <= MAX_RANKS; ranks++)
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
      for (int root = 0; root < ranks; root += 3) {
        const uint64_t block = (counts[c] + (uint64_t)ranks - 1) / (uint64_t)ranks;
        for (int ring = 0; ring < 2; ring++) {
          const struct told told =
              ask(ring ? "bcast/scatter-ring" : "bcast/scatter-recursive-doubling", ranks, root, counts[c]);
          for (int r = 0; r < ranks; r++)
            assert_true(r == root || told.received[r] + block >= counts[c]);
        }
        const struct told told = ask("reduce/in-order-binary", ranks, root, counts[c]);
        assert_int_equal(told.count, ranks - 1 + (root != ranks - 1));
      }
}

/* All others send what their schedules do. */
TEST(test_others)
{
  struct told told = {0};
  const tutti_call call = {.size = 8, .count = 8, .type_size = 8};
  for (size_t i = 0; tutti_algorithm_at(i); i++) {
    const tutti_method method = tutti_method_default(tutti_algorithm_at(i));
    if (tutti_algorithm_at(i)->openmpi_id == 0)
      assert_false(tutti_openmpi_sends(&method, &call, note, &told));
  }
  assert_int_equal(told.count, 0);
}
