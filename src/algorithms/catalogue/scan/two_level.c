/* Two-level scan and exscan: within each node, among the leaders of the nodes, and a broadcast of the sum of the
   previous nodes within each node; each by any algorithm. Nodes must be consecutive ranks; else only the part "inner"
   among all ranks runs.

       nodes (0 1 2) (3 4 5) (6):  0 01 012, 3 34 345, 6;   2 --012--> 0, 5 --345--> 3;   0: 012, 3: 012345, 6: all;
                                   0 --012--> 3, 3 --012345--> 6;   3 --012--> 4, 5

   Scan is MPICH's smp: the last rank of a node sends its result, the sum of the node, to the leader, the first one; the
   leaders scan these sums, each sends its result to the next one, which broadcasts it in its node, where every rank
   combines it on the left of its own. For exscan the last rank adds its contribution to its message, and the leaders'
   part is an exscan, which needs no such messages.

   Keeps the order of the operands if the parts do. Any number of ranks. Temporaries: a message, at leaders two or
   three. Cost: that of both scans and of the broadcast, the outer one among the nodes, the others among the ranks of
   the largest node, and for scan 2 (alpha + beta m), for exscan alpha + beta m; gamma m for the last step. */
#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/scan/scan.h"
#include "algorithms/catalogue/shared/parts.h"

enum { INNER, OUTER, BCAST };

struct levels {
  tutti_builder *builder;
  const tutti_call *call;
  scan_kind kind;
  struct nodes nodes;
  tutti_vertex_id scanned; /* the output has the result within the node */
  tutti_vertex_id used;    /* and has been sent or added to the message */
};

static tutti_block whole(const struct levels *l, tutti_buffer buffer)
{
  return tutti_block_of(buffer, 0, l->call->count);
}

static tutti_block temporary(const struct levels *l)
{
  return whole(l, tutti_builder_temporary(l->builder, l->call->count));
}

static bool are_consecutive(const struct nodes *nodes)
{
  for (int r = 1; nodes->node_of && r < nodes->call->size; r++)
    if (nodes->node_of[r] < nodes->node_of[r - 1])
      return false;
  return true;
}

/* The sum of the node, where its last rank has it. */
static tutti_block sum_at_last(struct levels *l)
{
  tutti_block sum = whole(l, l->kind == SCAN_INCLUSIVE ? TUTTI_OUTPUT : TUTTI_INPUT);
  if (l->kind == SCAN_INCLUSIVE || l->nodes.members == 1)
    return sum;
  tutti_block target = temporary(l);
  tutti_vertex_id copied = tutti_add_copy(l->builder, sum, target);
  l->used = tutti_add_reduce(l->builder, whole(l, TUTTI_OUTPUT), target);
  tutti_add_after(l->builder, l->used, copied);
  tutti_add_after(l->builder, l->used, l->scanned);
  return target;
}

/* The sum of the node at its leader, complete with *ready. */
static tutti_block sum_at_leader(struct levels *l, tutti_vertex_id *ready)
{
  const struct nodes *nodes = &l->nodes;
  tutti_block sum = tutti_no_data();
  *ready = l->scanned;
  if (nodes->member == nodes->members - 1) {
    sum = sum_at_last(l);
    if (!tutti_is_leader(nodes)) {
      tutti_scope node = tutti_scope_of_node(l->builder, nodes, l->used != TUTTI_NO_VERTEX ? l->used : l->scanned);
      tutti_builder_enter(l->builder, &node);
      tutti_add_send(l->builder, 0, sum);
      l->used = tutti_builder_leave(l->builder);
    }
  } else if (tutti_is_leader(nodes)) {
    sum = temporary(l);
    tutti_scope node = tutti_scope_of_node(l->builder, nodes, TUTTI_NO_VERTEX);
    tutti_builder_enter(l->builder, &node);
    tutti_add_recv(l->builder, nodes->members - 1, sum);
    *ready = tutti_builder_leave(l->builder);
  }
  return sum;
}

/* The sums up to the own node go to the next one. Returns the end of the arrival of those before the own node. */
static tutti_vertex_id shift(struct levels *l, tutti_block through, tutti_block before, tutti_vertex_id ready)
{
  const struct nodes *nodes = &l->nodes;
  tutti_vertex_id received = TUTTI_NO_VERTEX;
  tutti_scope leaders = tutti_scope_of_leaders(l->builder, nodes, TUTTI_NO_VERTEX);
  tutti_builder_enter(l->builder, &leaders);
  if (nodes->node > 0)
    received = tutti_add_recv(l->builder, nodes->node - 1, before);
  if (nodes->node + 1 < nodes->count)
    tutti_add_after(l->builder, tutti_add_send(l->builder, nodes->node + 1, through), ready);
  tutti_builder_leave(l->builder);
  return received;
}

/* The sum of the previous nodes into `before` of the node's leader. */
static tutti_vertex_id scan_leaders(struct levels *l, tutti_block sum, tutti_block before, tutti_vertex_id ready)
{
  tutti_scope outer = tutti_scope_of_leaders(l->builder, &l->nodes, ready);
  outer.input = sum;
  outer.output = l->kind == SCAN_INCLUSIVE ? temporary(l) : before;
  ready = tutti_build_part(l->builder, l->call, OUTER, &outer, (tutti_call){.count = l->call->count});
  l->used = ready; /* the sum may be the output */
  return l->kind == SCAN_INCLUSIVE ? shift(l, outer.output, before, ready) : ready;
}

/* The sum of the previous nodes to all ranks of the node, and into their results. */
static void add_before(struct levels *l, tutti_block before, tutti_vertex_id arrived)
{
  tutti_scope node = tutti_scope_of_node(l->builder, &l->nodes, arrived);
  node.output = before;
  arrived = tutti_build_part(l->builder, l->call, BCAST, &node,
                             (tutti_call){.root = l->nodes.leader, .count = l->call->count});
  if (before.buffer == TUTTI_OUTPUT)
    return;
  tutti_vertex_id added = tutti_add_reduce(l->builder, before, whole(l, TUTTI_OUTPUT));
  tutti_add_after(l->builder, added, arrived);
  tutti_add_after(l->builder, added, l->scanned);
  tutti_add_after(l->builder, added, l->used);
}

static void build(tutti_builder *builder, const tutti_call *call, scan_kind kind)
{
  tutti_call own = *call;
  struct levels l = {builder, &own, kind, .scanned = TUTTI_NO_VERTEX, .used = TUTTI_NO_VERTEX};
  own.root = 0; /* so that the first rank of each node leads it */
  if (call->count == 0 || !tutti_nodes(builder, &own, &l.nodes))
    return;
  const bool levels = l.nodes.count > 1 && are_consecutive(&l.nodes);
  tutti_scope inner =
      levels ? tutti_scope_of_node(builder, &l.nodes, TUTTI_NO_VERTEX) : tutti_scope_of_all(builder, TUTTI_NO_VERTEX);
  l.scanned = tutti_build_part(builder, &own, INNER, &inner, (tutti_call){.count = call->count});
  if (!levels)
    return;
  tutti_vertex_id ready;
  tutti_block sum = sum_at_leader(&l, &ready), before = whole(&l, TUTTI_OUTPUT);
  /* The first rank of a node has nothing in the output of an exscan yet. */
  if (l.nodes.node > 0 && (kind == SCAN_INCLUSIVE || !tutti_is_leader(&l.nodes)))
    before = temporary(&l);
  if (tutti_is_leader(&l.nodes))
    ready = scan_leaders(&l, sum, before, ready);
  if (l.nodes.node > 0)
    add_before(&l, before, tutti_is_leader(&l.nodes) ? ready : TUTTI_NO_VERTEX);
}

void tutti_build_scan_two_level(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, SCAN_INCLUSIVE);
}

void tutti_build_exscan_two_level(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, SCAN_EXCLUSIVE);
}
