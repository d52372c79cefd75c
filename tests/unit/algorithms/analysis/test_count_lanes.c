/* Counted messages and volumes of the algorithms that send across the network in lanes, or in segments, or level by
 * level, and what of them crosses the border of a node. N is the number of nodes of k consecutive ranks each. */
#include "unit/algorithms/analysis/count_fixture.h"

enum { MAX_NODES = 9, MAX_PER_NODE = 6 };

/* What leaves the nodes. */
struct crossing {
  uint64_t messages, elements;
  uint64_t most_messages, most_elements; /* by one rank */
};

static tutti_method on_nodes(const char *text, int k)
{
  tutti_method method = parsed(text);
  method.parameters.k = k;
  return method;
}

static tutti_total counted(const char *text, int nodes, int k, int root, uint64_t elements)
{
  tutti_method method = on_nodes(text, k);
  return count(&method, (tutti_call){.size = nodes * k, .root = root, .count = elements, .commutative = true});
}

static void add_rank(const tutti_schedule *schedule, int k, struct crossing *crossing)
{
  uint64_t messages = 0, elements = 0;
  for (uint32_t v = 0; v < schedule->vertex_count; v++) {
    const tutti_vertex *vertex = &schedule->vertices[v];
    bool crosses = vertex->kind == TUTTI_SEND && vertex->peer / k != schedule->rank / k;
    messages += crosses;
    elements += crosses ? vertex->count : 0;
  }
  crossing->messages += messages;
  crossing->elements += elements;
  crossing->most_messages = messages > crossing->most_messages ? messages : crossing->most_messages;
  crossing->most_elements = elements > crossing->most_elements ? elements : crossing->most_elements;
}

static struct crossing crossing(const char *text, int nodes, int k, int root, uint64_t elements)
{
  struct crossing crossing = {.messages = 0};
  tutti_method method = on_nodes(text, k);
  for (int r = 0; r < nodes * k; r++) {
    tutti_call call = {
        .size = nodes * k, .rank = r, .root = root, .count = elements, .type_size = 1, .commutative = true};
    tutti_arena arena;
    tutti_schedule schedule;
    tutti_error error;
    tutti_arena_init(&arena);
    assert_ok(tutti_method_schedule(&method, &call, &arena, &schedule, &error), error);
    add_rank(&schedule, k, &crossing);
    tutti_arena_release(&arena);
  }
  return crossing;
}

/* ---- full-lane: each rank of a node sends the same share across, and no more than the best algorithm does in all ----
 */

TEST(full_lane_allreduce)
{
  for (int nodes = 1; nodes <= MAX_NODES; nodes++)
    for (int k = 1; k <= MAX_PER_NODE; k++) {
      const uint64_t ranks = (uint64_t)nodes * (uint64_t)k, m = 3 * ranks;
      tutti_total total = counted("allreduce/full-lane", nodes, k, 0, m);
      struct crossing across = crossing("allreduce/full-lane", nodes, k, 0, m);
      assert_int_equal(total.maximum.sends, 2 * ceil_log2(nodes) + 2 * ceil_log2(k));
      assert_int_equal(total.maximum.elements_sent, 2 * (ranks - 1) * m / ranks);
      assert_int_equal(total.sum.elements_sent, ranks * total.maximum.elements_sent);
      assert_int_equal(across.most_elements, 2 * ((uint64_t)nodes - 1) * m / ranks);
      assert_int_equal(across.elements, ranks * across.most_elements);
    }
}

/* The message enters, or leaves, each node but that of the root once, a piece in each lane. */
TEST(full_lane_bcast_and_reduce)
{
  static const char *const methods[] = {"bcast/full-lane", "reduce/full-lane"};
  for (int nodes = 1; nodes <= MAX_NODES; nodes++)
    for (int k = 1; k <= MAX_PER_NODE; k++)
      for (int i = 0; i < 2; i++) {
        const uint64_t others = (uint64_t)nodes - 1, m = 60;
        struct crossing across = crossing(methods[i], nodes, k, nodes * k / 2, m);
        assert_int_equal(across.messages, others * (uint64_t)k);
        assert_int_equal(across.elements, others * m);
        assert_in_range(across.most_elements, others > 0 ? m / (uint64_t)k : 0,
                        (uint64_t)ceil_log2(nodes) * m / (uint64_t)k);
      }
}

TEST(full_lane_blocks)
{
  for (int nodes = 1; nodes <= MAX_NODES; nodes++)
    for (int k = 1; k <= MAX_PER_NODE; k++) {
      const uint64_t others = (uint64_t)nodes - 1, per_node = (uint64_t)k, ranks = (uint64_t)nodes * per_node, m = 4;
      struct crossing gathered = crossing("allgather/full-lane", nodes, k, 0, m);
      struct crossing reduced = crossing("reduce_scatter_block/full-lane", nodes, k, 0, m);
      struct crossing exchanged = crossing("alltoall/full-lane", nodes, k, 0, m);
      assert_int_equal(gathered.most_elements, others * m);
      assert_int_equal(gathered.elements, ranks * others * m);
      assert_int_equal(counted("allgather/full-lane", nodes, k, 0, m).maximum.elements_sent, (ranks - 1) * m);
      assert_int_equal(reduced.most_elements, others * m);
      assert_int_equal(reduced.elements, ranks * others * m);
      assert_int_equal(counted("reduce_scatter_block/full-lane", nodes, k, 0, m).maximum.elements_sent,
                       (ranks - 1) * m);
      assert_int_equal(exchanged.most_messages, others);
      assert_int_equal(exchanged.most_elements, others * per_node * m);
      assert_int_equal(counted("alltoall/full-lane", nodes, k, 0, m).maximum.sends, others + per_node - 1);
      assert_int_equal(crossing("scatter/full-lane", nodes, k, 1 % (int)ranks, m).messages, others * per_node);
      assert_int_equal(crossing("gather/full-lane", nodes, k, 1 % (int)ranks, m).messages, others * per_node);
      assert_int_equal(counted("gather/full-lane", nodes, k, 0, m).sum.sends, ranks - 1);
    }
}

/* Where nodes are not equal, fewer lanes: the smallest of 3 + 3 + 2 ranks has two. */
TEST(unequal_nodes_have_fewer_lanes)
{
  tutti_method method = on_nodes("bcast/full-lane", 3);
  tutti_total total = count(&method, (tutti_call){.size = 8, .count = 6, .commutative = true});
  assert_int_equal(total.maximum.largest_message, 3);
  method = on_nodes("allgather/full-lane", 3);
  assert_int_equal(count(&method, (tutti_call){.size = 8, .count = 6}).maximum.elements_sent, 7 * 6);
}

/* ---- multi-leader: l pieces of m / l across, l times as many messages in the node ---- */

TEST(multi_leader)
{
  static const char *const methods[] = {"allreduce/multi-leader/leaders=1", "allreduce/multi-leader/leaders=2",
                                        "allreduce/multi-leader/leaders=3", "allreduce/multi-leader/outstanding=4",
                                        "allreduce/multi-leader"};
  static const int leaders[] = {1, 2, 3, 4, 16};
  for (int nodes = 1; nodes <= 8; nodes *= 2)
    for (int k = 1; k <= MAX_PER_NODE; k++)
      for (int i = 0; i < 5; i++) {
        const uint64_t l = (uint64_t)(leaders[i] < k ? leaders[i] : k), m = 60, rounds = (uint64_t)floor_log2(nodes);
        struct crossing across = crossing(methods[i], nodes, k, 0, m);
        assert_int_equal(counted(methods[i], nodes, k, 0, m).sum.sends,
                         (uint64_t)nodes * l * (2 * ((uint64_t)k - 1) + rounds));
        assert_int_equal(across.messages, (uint64_t)nodes * l * rounds);
        assert_int_equal(across.most_elements, rounds * m / l);
        assert_int_equal(across.elements, (uint64_t)nodes * rounds * m);
      }
}

/* ---- two-level-pipelined: u messages where two-level has one; segments wait for others outside the window only ----
 */

TEST(pipelined)
{
  static const char *const methods[] = {"bcast/two-level", "reduce/two-level",
                                        "allreduce/two-level/allreduce=reduce-bcast"};
  static const char *const segmented[] = {"bcast/two-level-pipelined/3B", "reduce/two-level-pipelined/3B",
                                          "allreduce/two-level-pipelined/3B"};
  enum { SEGMENTS = 4, ELEMENTS = 12 };
  for (int nodes = 1; nodes <= MAX_NODES; nodes++)
    for (int k = 1; k <= MAX_PER_NODE; k++)
      for (int i = 0; i < 3; i++) {
        int root = i < 2 ? nodes * k / 2 : 0;
        tutti_total whole = counted(methods[i], nodes, k, root, ELEMENTS);
        tutti_total total = counted(segmented[i], nodes, k, root, ELEMENTS);
        assert_int_equal(total.sum.sends, SEGMENTS * whole.sum.sends);
        assert_int_equal(total.sum.elements_sent, whole.sum.elements_sent);
        assert_int_equal(total.depth, whole.depth);
        assert_int_equal(crossing(segmented[i], nodes, k, root, ELEMENTS).messages,
                         SEGMENTS * crossing(methods[i], nodes, k, root, ELEMENTS).messages);
      }
  tutti_total narrow = counted("bcast/two-level-pipelined/3B/outstanding=1", 4, 4, 0, ELEMENTS);
  assert_true(narrow.depth > counted("bcast/two-level", 4, 4, 0, ELEMENTS).depth);
}

/* ---- locality-aware Bruck: ceil(log_k N) messages a rank across, every block enters every other node once ---- */

static int ceil_log(int base, int n)
{
  int log = 0;
  for (int64_t power = 1; power < n; power *= base)
    log++;
  return log;
}

TEST(locality_aware_bruck)
{
  for (int nodes = 2; nodes <= 40; nodes += nodes < 10 ? 1 : 7)
    for (int k = 2; k <= MAX_PER_NODE; k++) {
      const uint64_t m = 2, others = (uint64_t)nodes - 1, ranks = (uint64_t)nodes * (uint64_t)k;
      struct crossing across = crossing("allgather/locality-aware-bruck", nodes, k, 0, m);
      assert_int_equal(across.most_messages, ceil_log(k, nodes));
      assert_int_equal(across.elements, others * ranks * m);
      assert_true(across.most_messages <= crossing("allgather/bruck", nodes, k, 0, m).most_messages);
    }
}

/* ---- two-level scan and exscan: the doubling among the leaders, and of the scan one message from each to the next
 * ---- */

TEST(scans)
{
  for (int nodes = 1; nodes <= MAX_NODES; nodes++)
    for (int k = 1; k <= MAX_PER_NODE; k++) {
      uint64_t among = 0, within = 0;
      for (int d = 1; d < nodes; d *= 2)
        among += (uint64_t)(nodes - d);
      for (int d = 1; d < k; d *= 2)
        within += (uint64_t)(nodes * (k - d));
      if (nodes > 1) /* the sums to the leaders, and the broadcasts in all nodes but the first */
        within += (uint64_t)(k > 1 ? nodes : 0) + (uint64_t)((nodes - 1) * (k - 1));
      assert_int_equal(crossing("exscan/two-level", nodes, k, 0, 5).messages, among);
      assert_int_equal(crossing("scan/two-level", nodes, k, 0, 5).messages, among + (uint64_t)nodes - 1);
      assert_int_equal(counted("exscan/two-level", nodes, k, 0, 5).sum.sends, among + within);
      assert_int_equal(counted("scan/two-level", nodes, k, 0, 5).sum.sends, among + (uint64_t)nodes - 1 + within);
    }
}
