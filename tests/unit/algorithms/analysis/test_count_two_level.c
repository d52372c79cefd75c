/* Counted messages and depth of the two-level algorithms, and which of them cross the border of a node. N is the number
 * of nodes of k consecutive ranks each. */
#include "unit/algorithms/analysis/count_fixture.h"

enum { MAX_NODES = 9, MAX_PER_NODE = 9 };

static tutti_total count_two_level(const char *text, int nodes, int k, int root)
{
  tutti_method method = parsed(text);
  method.parameters.k = k;
  return count(&method, (tutti_call){.size = nodes * k, .root = root, .count = 12, .commutative = true});
}

/* Messages from one node to another. */
static int crossing(const char *text, int nodes, int k, int root)
{
  int crossings = 0;
  tutti_method method = parsed(text);
  method.parameters.k = k;
  for (int r = 0; r < nodes * k; r++) {
    tutti_call call = {.size = nodes * k, .rank = r, .root = root, .count = 12, .type_size = 1, .commutative = true};
    tutti_arena arena;
    tutti_schedule schedule;
    tutti_error error;
    tutti_arena_init(&arena);
    assert_int_equal(tutti_method_schedule(&method, &call, &arena, &schedule, &error), TUTTI_OK);
    for (uint32_t v = 0; v < schedule.vertex_count; v++)
      crossings += schedule.vertices[v].kind == TUTTI_SEND && schedule.vertices[v].peer / k != r / k;
    tutti_arena_release(&arena);
  }
  return crossings;
}

/* What reaches, or comes from, each rank once enters, or leaves, each node but one once. */
TEST(bcast_and_reduce)
{
  for (int nodes = 1; nodes <= MAX_NODES; nodes++)
    for (int k = 1; k <= MAX_PER_NODE; k++)
      for (int root = 0; root < nodes * k; root += 2) {
        tutti_total bcast = count_two_level("bcast/two-level", nodes, k, root);
        assert_int_equal(bcast.sum.sends, nodes * k - 1);
        assert_int_equal(bcast.depth, floor_log2(nodes) + floor_log2(k));
        assert_int_equal(bcast.maximum.sends, ceil_log2(nodes) + ceil_log2(k));
        assert_int_equal(crossing("bcast/two-level", nodes, k, root), nodes - 1);
        assert_int_equal(count_two_level("reduce/two-level", nodes, k, root).sum.sends, nodes * k - 1);
        assert_int_equal(crossing("reduce/two-level", nodes, k, root), nodes - 1);
      }
}

TEST(allreduce)
{
  for (int nodes = 1; nodes <= 8; nodes *= 2)
    for (int k = 1; k <= 8; k *= 2) {
      tutti_total total = count_two_level("allreduce/two-level", nodes, k, 0);
      assert_int_equal(total.sum.sends, 2 * nodes * (k - 1) + nodes * floor_log2(nodes));
      assert_int_equal(total.depth, 2 * floor_log2(k) + floor_log2(nodes));
      assert_int_equal(crossing("allreduce/two-level", nodes, k, 0), nodes * floor_log2(nodes));
    }
}

TEST(barrier)
{
  for (int nodes = 1; nodes <= MAX_NODES; nodes++)
    for (int k = 1; k <= MAX_PER_NODE; k++) {
      tutti_total total = count_two_level("barrier/two-level", nodes, k, 0);
      assert_int_equal(total.sum.sends, 2 * nodes * 2 * (k - 1) + nodes * ceil_log2(nodes));
      assert_int_equal(crossing("barrier/two-level", nodes, k, 0), nodes * ceil_log2(nodes));
    }
}

/* Blocks gathered in a node cross as one. */
TEST(allgather)
{
  for (int nodes = 1; nodes <= MAX_NODES; nodes++)
    for (int k = 1; k <= MAX_PER_NODE; k++) {
      tutti_total total = count_two_level("allgather/two-level", nodes, k, 0);
      assert_int_equal(total.sum.sends, 2 * nodes * (k - 1) + nodes * (nodes - 1));
      assert_int_equal(crossing("allgather/two-level", nodes, k, 0), nodes * (nodes - 1));
    }
}

/* Parts with parameters are read and written; ranks_per_node=0 is what is meant by saying nothing. */
TEST(parts_are_written)
{
  static const char text[] = "bcast/two-level/ranks_per_node=4/outer=split-binary:8KB/inner=linear";
  char written[TUTTI_METHOD_LENGTH];
  tutti_method method = parsed(text), plain = parsed("bcast/two-level");
  tutti_error error;
  assert_string_equal(tutti_method_format(&method, written), text);
  assert_int_equal(method.parameters.parts[0].segment_bytes, 8192);
  assert_int_equal(plain.parameters.k, 0);
  assert_int_equal(tutti_method_check(&method, &(tutti_call){.size = 3}, &error), TUTTI_OK);
  assert_int_equal(tutti_method_check(&plain, &(tutti_call){.size = 3}, &error), TUTTI_ERR_UNSUPPORTED);
}
