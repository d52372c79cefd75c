/* Counted messages and depth of the two-level algorithms, and which of them cross the border of a node. N is the number
 * of nodes of k consecutive ranks each. */
#include "unit/algorithms/analysis/count_fixture.h"

enum { MAX_NODES = 9, MAX_PER_NODE = 9 };

#define ON(text, ...) OF(text, nodes *k, .per_node = k, .count = 12, __VA_ARGS__)

/* What reaches, or comes from, each rank once enters, or leaves, each node but one once. */
TEST(bcast_and_reduce)
{
  for (int nodes = 1; nodes <= MAX_NODES; nodes++)
    for (int k = 1; k <= MAX_PER_NODE; k++)
      for (int root = 0; root < nodes * k; root += 2) {
        COUNTS(ON("bcast/two-level", .root = root), {SENDS, nodes * k - 1}, {DEPTH, floor_log2(nodes) + floor_log2(k)},
               {MAX | SENDS, ceil_log2(nodes) + ceil_log2(k)}, {ACROSS_SENDS, nodes - 1});
        COUNTS(ON("reduce/two-level", .root = root), {SENDS, nodes * k - 1}, {ACROSS_SENDS, nodes - 1});
      }
}

TEST(allreduce)
{
  for (int nodes = 1, log = 0; nodes <= 8; nodes *= 2, log++)
    for (int k = 1; k <= 8; k *= 2)
      COUNTS(ON("allreduce/two-level", .root = 0), {SENDS, 2 * nodes * (k - 1) + nodes * log},
             {DEPTH, 2 * floor_log2(k) + log}, {ACROSS_SENDS, nodes * log});
}

TEST(barrier)
{
  for (int nodes = 1; nodes <= MAX_NODES; nodes++)
    for (int k = 1; k <= MAX_PER_NODE; k++) {
      const int across = nodes * ceil_log2(nodes);
      COUNTS(ON("barrier/two-level", .root = 0), {SENDS, 2 * nodes * 2 * (k - 1) + across}, {ACROSS_SENDS, across});
    }
}

/* Blocks gathered in a node cross as one. */
TEST(allgather)
{
  for (int nodes = 1; nodes <= MAX_NODES; nodes++)
    for (int k = 1; k <= MAX_PER_NODE; k++) {
      const int across = nodes * (nodes - 1);
      COUNTS(ON("allgather/two-level", .root = 0), {SENDS, 2 * nodes * (k - 1) + across}, {ACROSS_SENDS, across});
    }
}

/* Parts with parameters are read and written; ranks_per_node=0 is what is meant by saying nothing. */
TEST(parts_are_written)
{
  static const char text[] = "bcast/two-level/ranks_per_node=4/outer=split-binary:8KB/inner=linear";
  char written[TUTTI_METHOD_LENGTH];
  tutti_method method = parsed(text), plain = parsed("bcast/two-level");
  assert_string_equal(tutti_method_format(&method, written), text);
  assert_int_equal(method.parameters.parts[0].segment_bytes, 8192);
  assert_int_equal(plain.parameters.k, 0);
  assert_int_equal(tutti_method_check(&method, &(tutti_call){.size = 3}, &error), TUTTI_OK);
  assert_int_equal(tutti_method_check(&plain, &(tutti_call){.size = 3}, &error), TUTTI_ERR_UNSUPPORTED);
}
