/* Full-lane broadcast, reduction and allreduce (Traff, Hunold 2020, Decomposing MPI Collectives for Exploiting
   Multi-lane Communication, arXiv 1910.13373): the message is cut into as many pieces as there are lanes, and all ranks
   of a node send across the network at the same time, each in its lane, so that together they use all adapters of the
   node. Each part by any algorithm.

   G nodes of L ranks. Nodes of any shape: if they are not equal, the smallest node gives the number of lanes,
   and the other ranks have an empty piece. With one lane it is a two-level algorithm. */
#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/lanes.h"

/* Parts of each algorithm, in the order of its line in the catalogue: in the node, in the lane, in the node. */
enum { NODE_FIRST, LANE, NODE_LAST };

struct full_lane {
  tutti_builder *builder;
  const tutti_call *call;
  struct lanes lanes;
  tutti_layout pieces; /* of the members of the own node; not set if the rank is alone there */
  uint64_t own;        /* elements of the own piece, 0 outside the lanes */
  bool alone;          /* the only rank of its node: then its piece is all, and there are no parts in the node */
};

static bool init_full_lane(tutti_builder *builder, const tutti_call *call, struct full_lane *f)
{
  *f = (struct full_lane){.builder = builder, .call = call};
  if (!tutti_lanes(builder, call, &f->lanes))
    return false;
  f->own = tutti_piece(TUTTI_OUTPUT, call->count, f->lanes.count, f->lanes.nodes.member).count;
  f->alone = f->lanes.nodes.members == 1;
  if (!f->alone)
    f->pieces = tutti_pieces_of_node(builder, &f->lanes, call->count);
  return f->alone || f->pieces.offsets;
}

/* Where the own piece is kept: in a temporary, unless it is the whole message in `whole`. */
static tutti_block place_of_piece(const struct full_lane *f, tutti_buffer whole)
{
  bool temporary = !f->alone && f->own > 0;
  return tutti_block_of(temporary ? tutti_builder_temporary(f->builder, f->own) : whole, 0, f->own);
}

/* The own piece of the sum of the node; the input where the rank is alone. */
static tutti_vertex_id reduce_in_node(const struct full_lane *f, tutti_block *sum)
{
  *sum = place_of_piece(f, TUTTI_INPUT);
  if (f->alone)
    return TUTTI_NO_VERTEX;
  tutti_scope inner = tutti_scope_of_node(f->builder, &f->lanes.nodes, TUTTI_NO_VERTEX);
  inner.output = *sum;
  return tutti_build_part(f->builder, f->call, NODE_FIRST, &inner, (tutti_call){.count = f->own, .input = f->pieces});
}

/* Send the own piece to the others of the node, and receive theirs. */
static void gather_in_node(const struct full_lane *f, tutti_block piece, tutti_vertex_id ready)
{
  if (f->alone)
    return;
  tutti_scope inner = tutti_scope_of_node(f->builder, &f->lanes.nodes, ready);
  inner.input = piece;
  tutti_build_part(f->builder, f->call, NODE_LAST, &inner, (tutti_call){.count = f->own, .output = f->pieces});
}

/* Full-lane broadcast: the root scatters the pieces in its node, each goes down its lane, and every node gathers them.

       nodes (0 1) (2 3), root 0:   0 --b--> 1;   0 --a--> 2, 1 --b--> 3;   0 --a--> 1, 2 --a--> 3, 1 --b--> 0, 3 --b-->
   2

   Any number of ranks, any root. Temporary: a piece. Cost with the parts of the catalogue: L - 1 messages of m / L from
   the root, ceil(log2 G) rounds of m / L and ceil(log2 L) rounds in which each rank receives (L - 1) m / L. */
void tutti_build_bcast_full_lane(tutti_builder *builder, const tutti_call *call)
{
  struct full_lane f;
  if (!init_full_lane(builder, call, &f))
    return;
  const struct nodes *nodes = &f.lanes.nodes;
  tutti_block piece = place_of_piece(&f, TUTTI_OUTPUT);
  tutti_vertex_id ready = TUTTI_NO_VERTEX;
  if (nodes->node == nodes->root_node && !f.alone) {
    tutti_scope inner = tutti_scope_of_node(builder, nodes, TUTTI_NO_VERTEX);
    inner.input = tutti_block_of(TUTTI_OUTPUT, 0, call->count);
    inner.output = piece;
    tutti_call own = {.root = nodes->leader, .count = f.own};
    if (tutti_is_leader(nodes))
      own.input = f.pieces;
    ready = tutti_build_part(builder, call, NODE_FIRST, &inner, own);
  }
  if (tutti_is_in_lane(&f.lanes)) {
    tutti_scope lane = tutti_scope_of_lane(builder, &f.lanes, ready);
    lane.output = piece;
    ready = tutti_build_part(builder, call, LANE, &lane, (tutti_call){.root = nodes->root_node, .count = f.own});
  }
  gather_in_node(&f, piece, ready);
}

/* Full-lane reduction: a reduce-scatter in each node, so that each rank has the sum of one piece, a reduction of each
   piece down its lane to the node of the root, which gathers them there.

       nodes (0 1) (2 3), root 0:   0: a, 1: b, 2: a, 3: b;   2 --a--> 0, 3 --b--> 1;   1 --b--> 0

   Operands are combined node by node, so the operation must commute. Any number of ranks, any root. Temporaries: two
   pieces. Cost with the parts of the catalogue: ceil(log2 L) rounds in which each rank sends (L - 1) m / L,
   ceil(log2 G) rounds of m / L, and L - 1 messages of m / L to the root. */
void tutti_build_reduce_full_lane(tutti_builder *builder, const tutti_call *call)
{
  struct full_lane f;
  tutti_block sum, result = tutti_no_data();
  if (!init_full_lane(builder, call, &f))
    return;
  const struct nodes *nodes = &f.lanes.nodes;
  bool at_root = nodes->node == nodes->root_node;
  tutti_vertex_id ready = reduce_in_node(&f, &sum);
  if (at_root)
    result = place_of_piece(&f, TUTTI_OUTPUT);
  if (tutti_is_in_lane(&f.lanes)) {
    tutti_scope lane = tutti_scope_of_lane(builder, &f.lanes, ready);
    lane.input = sum;
    lane.output = result;
    ready = tutti_build_part(builder, call, LANE, &lane, (tutti_call){.root = nodes->root_node, .count = f.own});
  }
  if (!at_root || f.alone)
    return;
  tutti_scope inner = tutti_scope_of_node(builder, nodes, ready);
  tutti_call own = {.root = nodes->leader, .count = f.own};
  if (tutti_is_leader(nodes))
    own.output = f.pieces;
  inner.input = result;
  tutti_build_part(builder, call, NODE_LAST, &inner, own);
}

/* Full-lane allreduce: a reduce-scatter in each node, an allreduce of each piece in its lane, an allgather in each
   node.

       nodes (0 1) (2 3):   0: a, 1: b, 2: a, 3: b;   0 <-a-> 2, 1 <-b-> 3;   0 <-a b-> 1, 2 <-a b-> 3

   Operands are combined node by node, so the operation must commute. Any number of ranks. Temporaries: two pieces.
   Cost with the parts of the catalogue: 2 ceil(log2 L) + 2 ceil(log2 G) rounds; with equal nodes, and m a multiple of
   P, each rank sends 2 (L - 1) m / L in its node and 2 (G - 1) m / P across, together 2 (P - 1) m / P. */
void tutti_build_allreduce_full_lane(tutti_builder *builder, const tutti_call *call)
{
  struct full_lane f;
  tutti_block sum;
  if (!init_full_lane(builder, call, &f))
    return;
  tutti_vertex_id ready = reduce_in_node(&f, &sum);
  const bool one_node = f.lanes.nodes.count == 1 && !f.alone;
  tutti_block result = one_node ? sum : place_of_piece(&f, TUTTI_OUTPUT);
  if (!one_node && tutti_is_in_lane(&f.lanes)) {
    tutti_scope lane = tutti_scope_of_lane(builder, &f.lanes, ready);
    lane.input = sum;
    lane.output = result;
    ready = tutti_build_part(builder, call, LANE, &lane, (tutti_call){.count = f.own});
  }
  gather_in_node(&f, result, ready);
}
