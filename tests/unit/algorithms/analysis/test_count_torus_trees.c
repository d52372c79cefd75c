/* Trees of a torus that share no link: proofs for shapes and roots beyond test_verify, and counts against closed forms:
   with k trees k (P - 1) messages a segment of each share, the message once to each rank but the root, and at most
   1 + the sum of (side - 1) steps. tests/unit/harness/engine/test_loads.c has the bytes of each link. */
#include "unit/algorithms/analysis/count_fixture.h"
#include "unit/patience.h"

enum { MOST = UNLESS_WATCHED(128, 34), MAX_ROOTS = 16 };

static const tutti_collective collectives[] = {TUTTI_COLL_BCAST, TUTTI_COLL_REDUCE, TUTTI_COLL_ALLREDUCE};

static tutti_method method_on(tutti_collective collective, const int sides[3], int trees, uint64_t segment)
{
  tutti_method method = method_of(collective, "torus-trees");
  method.parameters.k = tutti_sides_pack(sides, 3);
  method.parameters.outstanding = trees;
  method.parameters.segment_bytes = segment;
  return method;
}

static void verify(tutti_collective collective, const int sides[3], int root, int trees)
{
  char text[TUTTI_METHOD_LENGTH];
  const int size = sides[0] * sides[1] * sides[2];
  const tutti_method method = method_on(collective, sides, trees, 8);
  const tutti_call call = {.size = size, .root = root, .count = 13, .type_size = 4, .commutative = true};
  if (tutti_verify_method(&method, &call, &error) != TUTTI_OK)
    fail_msg("%s, root %d: %s", tutti_method_format(&method, text), root, error.message);
}

/* Every shape of up to 128 ranks from one root, with six trees or three, by turns, and every root of the small ones. */
TEST(all_shapes)
{
  int sides[3], number = 0;
  for (sides[0] = 1; sides[0] <= MOST; sides[0]++)
    for (sides[1] = 1; sides[0] * sides[1] <= MOST; sides[1]++)
      for (sides[2] = 1; sides[0] * sides[1] * sides[2] <= MOST; sides[2]++, number++) {
        const int size = sides[0] * sides[1] * sides[2], roots = size <= MAX_ROOTS ? size : 1;
        for (int i = 0; i < roots; i++)
          for (size_t c = 0; c < sizeof collectives / sizeof *collectives; c++)
            if (i == 0 || collectives[c] != TUTTI_COLL_ALLREDUCE)
              verify(collectives[c], sides, collectives[c] == TUTTI_COLL_ALLREDUCE ? 0 : (i + number) % size,
                     number % 2 ? 6 : 3);
      }
}

TEST(counts)
{
  static const struct {
    int sides[3], trees, used, depth;
  } cases[] = {{{4, 1, 1}, 16, 2, 3}, {{4, 4, 1}, 16, 4, 7}, {{4, 4, 1}, 3, 3, 7},  {{4, 4, 4}, 6, 6, 10},
               {{3, 4, 5}, 3, 3, 10}, {{2, 2, 2}, 6, 3, 4},  {{2, 4, 8}, 6, 3, 12}, {{1, 3, 8}, 6, 4, 10}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const int *sides = cases[i].sides, ranks = sides[0] * sides[1] * sides[2];
    const uint64_t trees = (uint64_t)cases[i].used, others = (uint64_t)ranks - 1, length = 12 * trees;
    for (size_t c = 0; c < sizeof collectives / sizeof *collectives; c++) {
      const tutti_method method = method_on(collectives[c], sides, cases[i].trees, 4);
      const uint64_t ways = collectives[c] == TUTTI_COLL_ALLREDUCE ? 2 : 1;
      const tutti_total total =
          count(&method,
                (tutti_call){.size = ranks, .root = ways == 2 ? 0 : ranks - 1, .count = length, .commutative = true});
      assert_int_equal(total.sum.sends, ways * 3 * trees * others);
      assert_int_equal(total.sum.elements_sent, ways * length * others);
      assert_int_equal(total.sum.elements_copied, 0);
      assert_int_equal(total.sum.elements_reduced, collectives[c] == TUTTI_COLL_BCAST ? 0 : length * others);
      const tutti_method whole = method_on(collectives[c], sides, cases[i].trees, 0);
      const tutti_total steps =
          count(&whole, (tutti_call){.size = ranks, .root = 0, .count = length, .commutative = true});
      assert_int_equal(steps.depth, ways * (uint64_t)cases[i].depth);
    }
  }
}
