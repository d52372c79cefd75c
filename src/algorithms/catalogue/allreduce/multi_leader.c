/* Multi-leader allreduce (Bayatpour et al. 2017, Scalable Reduction Collectives with Data Partitioning-based
   Multi-Leader Design, DPML): the message is cut into as many pieces as a node has leaders. Within each node piece i is
   reduced to leader i, the leaders number i of all nodes add up their pieces, and each broadcasts its result in its
   node; all pieces at the same time, each part by any algorithm.

       nodes (0 1 2) (3 4 5), two leaders:   1 2 --a--> 0, 0 2 --b--> 1, 4 5 --a--> 3, 3 5 --b--> 4;
                                             0 <-a-> 3, 1 <-b-> 4;   0 --a--> 1 2, 1 --b--> 0 2, ...

   Operands are combined node by node, so the operation must commute. Any number of ranks, nodes of any shape: the
   smallest node limits the number of leaders. A leader needs a temporary of a piece besides those of the parts.
   Cost with l leaders, G nodes of L ranks and the parts of the catalogue: L - 1 pieces of m / l received and combined
   by each leader, ceil(log2 G) rounds of m / l, and L - 1 pieces sent. One leader is the two-level allreduce, L leaders
   are the full-lane allreduce with direct messages in the nodes. */
#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/lanes.h"

enum { REDUCE, ALLREDUCE, BCAST };

struct leaders {
  tutti_builder *builder;
  const tutti_call *call;
  struct lanes lanes;
  int count;
};

static tutti_block piece_of(const struct leaders *l, tutti_buffer buffer, int leader)
{
  return tutti_piece(buffer, l->call->count, l->count, leader);
}

/* A part in the own node on the piece of a leader: a reduction to it, or a broadcast from it. */
static tutti_vertex_id build_in_node(const struct leaders *l, int part, int leader, tutti_block output,
                                     tutti_vertex_id ready)
{
  tutti_scope inner = tutti_scope_of_node(l->builder, &l->lanes.nodes, ready);
  inner.input = piece_of(l, TUTTI_INPUT, leader);
  inner.output = output;
  return tutti_build_part(l->builder, l->call, part, &inner, (tutti_call){.root = leader, .count = output.count});
}

/* Every piece to its leader; the own one, if there is one, is then in *sum. */
static tutti_vertex_id reduce_in_node(const struct leaders *l, tutti_block *sum)
{
  const struct nodes *nodes = &l->lanes.nodes;
  tutti_vertex_id ready = TUTTI_NO_VERTEX;
  *sum = piece_of(l, nodes->members > 1 ? TUTTI_OUTPUT : TUTTI_INPUT, nodes->member);
  if (nodes->members > 1 && nodes->count > 1 && sum->count > 0)
    *sum = tutti_block_of(tutti_builder_temporary(l->builder, sum->count), 0, sum->count);
  for (int i = 0; i < l->count && nodes->members > 1; i++) {
    tutti_block output = i == nodes->member ? *sum : piece_of(l, TUTTI_OUTPUT, i);
    tutti_vertex_id reduced = TUTTI_NO_VERTEX;
    if (output.count > 0)
      reduced = build_in_node(l, REDUCE, i, output, TUTTI_NO_VERTEX);
    if (i == nodes->member)
      ready = reduced;
  }
  return ready;
}

void tutti_build_allreduce_multi_leader(tutti_builder *builder, const tutti_call *call)
{
  struct leaders l = {.builder = builder, .call = call};
  tutti_block sum;
  if (!tutti_lanes(builder, call, &l.lanes))
    return;
  const struct nodes *nodes = &l.lanes.nodes;
  l.count = call->parameters.outstanding < l.lanes.count ? call->parameters.outstanding : l.lanes.count;
  tutti_vertex_id ready = reduce_in_node(&l, &sum);
  if (sum.count > 0 && (nodes->count > 1 || nodes->members == 1)) {
    tutti_scope lane = tutti_scope_of_lane(builder, &l.lanes, ready);
    lane.input = sum;
    lane.output = piece_of(&l, TUTTI_OUTPUT, nodes->member);
    ready = tutti_build_part(builder, call, ALLREDUCE, &lane, (tutti_call){.count = sum.count});
  }
  for (int i = 0; i < l.count && nodes->members > 1; i++) {
    tutti_block output = piece_of(&l, TUTTI_OUTPUT, i);
    if (output.count > 0)
      build_in_node(&l, BCAST, i, output, i == nodes->member ? ready : TUTTI_NO_VERTEX);
  }
}
