/* Counted messages and volumes of the algorithms that send across the network in lanes, or in segments, or level by
 * level, and what of them crosses the border of a node. N is the number of nodes of k consecutive ranks each. */
#include "unit/algorithms/analysis/count_fixture.h"

enum { MAX_NODES = 9, MAX_PER_NODE = 6 };

#define ON(text, elements, ...) OF(text, nodes *k, .per_node = k, .count = (uint64_t)(elements), __VA_ARGS__)

/* ---- full-lane: each rank of a node sends the same share across, and no more than the best algorithm does in all ----
 */

TEST(full_lane_allreduce)
{
  for (int nodes = 1; nodes <= MAX_NODES; nodes++)
    for (int k = 1; k <= MAX_PER_NODE; k++) {
      const int p = nodes * k, moved = 2 * (p - 1) * 3, across = 2 * (nodes - 1) * 3;
      COUNTS(ON("allreduce/full-lane", 3 * p), {MAX | SENDS, 2 * ceil_log2(nodes) + 2 * ceil_log2(k)},
             {MAX | SENT, moved}, {SENT, p * moved}, {MAX | ACROSS_SENT, across}, {ACROSS_SENT, p * across});
    }
}

/* The message enters, or leaves, each node but that of the root once, a piece in each lane. */
TEST(full_lane_bcast_and_reduce)
{
  static const char *const methods[] = {"bcast/full-lane", "reduce/full-lane"};
  enum { M = 60 };
  for (int nodes = 1; nodes <= MAX_NODES; nodes++)
    for (int k = 1; k <= MAX_PER_NODE; k++)
      for (int i = 0; i < 2; i++)
        COUNTS(ON(methods[i], M, .root = nodes * k / 2), {ACROSS_SENDS, (nodes - 1) * k},
               {ACROSS_SENT, (nodes - 1) * M}, {MAX | ACROSS_SENT | AT_LEAST, nodes > 1 ? M / k : 0},
               {MAX | ACROSS_SENT | AT_MOST, ceil_log2(nodes) * M / k});
}

TEST(full_lane_blocks)
{
  enum { M = 4 };
  for (int nodes = 1; nodes <= MAX_NODES; nodes++)
    for (int k = 1; k <= MAX_PER_NODE; k++) {
      const int others = nodes - 1, p = nodes * k;
      COUNTS(ON("allgather/full-lane", M), {MAX | ACROSS_SENT, others * M}, {ACROSS_SENT, p * others * M},
             {MAX | SENT, (p - 1) * M});
      COUNTS(ON("reduce_scatter_block/full-lane", M), {MAX | ACROSS_SENT, others * M}, {ACROSS_SENT, p * others * M},
             {MAX | SENT, (p - 1) * M});
      COUNTS(ON("alltoall/full-lane", M), {MAX | ACROSS_SENDS, others}, {MAX | ACROSS_SENT, others * k * M},
             {MAX | SENDS, others + k - 1});
      COUNTS(ON("scatter/full-lane", M, .root = 1 % p), {ACROSS_SENDS, others * k});
      COUNTS(ON("gather/full-lane", M, .root = 1 % p), {ACROSS_SENDS, others * k});
      COUNTS(ON("gather/full-lane", M, .root = 0), {SENDS, p - 1});
    }
}

/* Where nodes are not equal, fewer lanes: the smallest of 3 + 3 + 2 ranks has two. */
TEST(unequal_nodes_have_fewer_lanes)
{
  COUNTS(OF("bcast/full-lane", 8, .k = 3, .count = 6), {MAX | LARGEST, 3});
  COUNTS(OF("allgather/full-lane", 8, .k = 3, .count = 6), {MAX | SENT, 7 * 6});
}

/* ---- multi-leader: l pieces of m / l across, l times as many messages in the node ---- */

TEST(multi_leader)
{
  static const struct {
    const char *method;
    int leaders;
  } cases[] = {{"allreduce/multi-leader/leaders=1", 1},
               {"allreduce/multi-leader/leaders=2", 2},
               {"allreduce/multi-leader/leaders=3", 3},
               {"allreduce/multi-leader/outstanding=4", 4},
               {"allreduce/multi-leader", 16}};
  enum { M = 60 };
  for (int nodes = 1, rounds = 0; nodes <= 8; nodes *= 2, rounds++)
    for (int k = 1; k <= MAX_PER_NODE; k++)
      for (int i = 0; i < 5; i++) {
        const int l = (int)smaller(cases[i].leaders, k);
        COUNTS(ON(cases[i].method, M), {SENDS, nodes * l * (2 * (k - 1) + rounds)}, {ACROSS_SENDS, nodes * l * rounds},
               {MAX | ACROSS_SENT, rounds * M / l}, {ACROSS_SENT, nodes * rounds * M});
      }
}

/* ---- alltoalls by leaders and nodes: l leaders of g ranks; what crosses does so once, in messages of g g blocks of
   leaders to all leaders of other nodes, or of l g g to one of each ---- */

TEST(alltoalls_of_leaders_and_nodes)
{
  enum { M = 2 };
  static const struct {
    const char *method;
    int leaders;
    bool by_node;
  } cases[] = {{"alltoall/two-level", 1, false},
               {"alltoall/multi-leader/leaders=2", 2, false},
               {"alltoall/multi-leader/leaders=3", 3, false},
               {"alltoall/node-aware", MAX_PER_NODE, true},
               {"alltoall/multi-leader-node-aware/leaders=2", 2, true},
               {"alltoall/multi-leader-node-aware/leaders=3", 3, true}};
  for (int nodes = 1; nodes <= MAX_NODES; nodes++)
    for (int k = 1; k <= MAX_PER_NODE; k++)
      for (int i = 0; i < 6; i++) {
        int l = (int)smaller(cases[i].leaders, k);
        while (k % l)
          l--;
        const int others = nodes - 1, g = k / l, each = others * (cases[i].by_node ? 1 : l);
        COUNTS(ON(cases[i].method, M), {ACROSS_SENDS, nodes * l * each}, {MAX | ACROSS_SENDS, each},
               {MAX | ACROSS_SENT, others * k * g * M}, {ACROSS_SENT, nodes * others * k * k * M},
               {SENDS, nodes * l * (each + l - 1 + 2 * (g - 1))});
      }
}

/* ---- two-level-pipelined: u messages where two-level has one; segments wait for others outside the window only ----
 */

TEST(pipelined)
{
  static const char *const methods[][2] = {
      {"bcast/two-level", "bcast/two-level-pipelined/3B"},
      {"reduce/two-level", "reduce/two-level-pipelined/3B"},
      {"allreduce/two-level/allreduce=reduce-bcast", "allreduce/two-level-pipelined/3B"}};
  enum { SEGMENTS = 4, ELEMENTS = 12 };
  for (int nodes = 1; nodes <= MAX_NODES; nodes++)
    for (int k = 1; k <= MAX_PER_NODE; k++)
      for (int i = 0; i < 3; i++) {
        const int root = i < 2 ? nodes * k / 2 : 0;
        counted whole;
        count_subject(ON(methods[i][0], ELEMENTS, .root = root), whole);
        COUNTS(ON(methods[i][1], ELEMENTS, .root = root), {SENDS, SEGMENTS * whole[SENDS]}, {SENT, whole[SENT]},
               {DEPTH, whole[DEPTH]}, {ACROSS_SENDS, SEGMENTS * whole[ACROSS_SENDS]});
      }
  const int nodes = 4, k = 4;
  const int64_t depth = counted_value(ON("bcast/two-level", ELEMENTS), DEPTH);
  COUNTS(ON("bcast/two-level-pipelined/3B/outstanding=1", ELEMENTS), {DEPTH | AT_LEAST, depth + 1});
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
  enum { M = 2 };
  for (int nodes = 2; nodes <= 40; nodes += nodes < 10 ? 1 : 7)
    for (int k = 2; k <= MAX_PER_NODE; k++) {
      const int64_t most = ceil_log(k, nodes);
      COUNTS(ON("allgather/locality-aware-bruck", M), {MAX | ACROSS_SENDS, most},
             {ACROSS_SENT, (nodes - 1) * nodes * k * M});
      COUNTS(ON("allgather/bruck", M), {MAX | ACROSS_SENDS | AT_LEAST, most});
    }
}

/* ---- two-level scan and exscan: the doubling among the leaders, and of the scan one message from each to the next
 * ---- */

TEST(scans)
{
  for (int nodes = 1; nodes <= MAX_NODES; nodes++)
    for (int k = 1; k <= MAX_PER_NODE; k++) {
      int among = 0, within = 0;
      for (int d = 1; d < nodes; d *= 2)
        among += nodes - d;
      for (int d = 1; d < k; d *= 2)
        within += nodes * (k - d);
      if (nodes > 1) /* the sums to the leaders, and the broadcasts in all nodes but the first */
        within += (k > 1 ? nodes : 0) + (nodes - 1) * (k - 1);
      COUNTS(ON("exscan/two-level", 5), {ACROSS_SENDS, among}, {SENDS, among + within});
      COUNTS(ON("scan/two-level", 5), {ACROSS_SENDS, among + nodes - 1}, {SENDS, among + nodes - 1 + within});
    }
}
