/* Full-lane allgather, reduce-scatter, alltoall, scatter and gather (Traff, Hunold 2020, Decomposing MPI Collectives
   for Exploiting Multi-lane Communication, arXiv 1910.13373): what crosses the network does so in lanes, member j of a
   node to member j of others, all lanes at the same time. Each of the two parts by any algorithm.

   G nodes of L ranks; rank (g, j) is member j of node g. Blocks go to other members of the node in the order of their
   lanes, to other nodes in that of their nodes; a temporary holds them in the one order or the other where the buffer
   of the call does not. Any number of ranks: where the nodes are not equal each rank counts as a node of its own, so
   that there is one lane, and the part in the lane is all there is. */
#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/lanes.h"

/* Parts of each algorithm, in the order of its line in the catalogue. */
enum { INNER, LANE };

struct grid {
  tutti_builder *builder;
  tutti_call call; /* with nodes of one rank where they are not equal */
  struct lanes lanes;
  int nodes, members;
};

static bool init_grid(tutti_builder *builder, const tutti_call *call, struct grid *grid)
{
  *grid = (struct grid){.builder = builder, .call = *call};
  if (!tutti_lanes_of_equals(builder, &grid->call, &grid->lanes))
    return false;
  grid->nodes = grid->lanes.nodes.count;
  grid->members = grid->lanes.count;
  return true;
}

/* ---- blocks in the two orders ---- */

enum order { BY_LANE, BY_NODE };

/* The number of the block of member j of node g. */
static int index_of(const struct grid *grid, enum order order, int g, int j)
{
  return order == BY_LANE ? j * grid->nodes + g : g * grid->members + j;
}

/* The blocks of a buffer of the call in that order; NULL without memory. */
static tutti_block *blocks_of_call(const struct grid *grid, tutti_buffer buffer, enum order order)
{
  const tutti_call *call = &grid->call;
  tutti_block *blocks = tutti_builder_scratch(grid->builder, (uint64_t)call->size * sizeof *blocks);
  for (int g = 0; blocks && g < grid->nodes; g++)
    for (int j = 0; j < grid->members; j++) {
      int rank = tutti_node_rank(&grid->lanes, g, j);
      blocks[index_of(grid, order, g, j)] =
          buffer == TUTTI_INPUT ? tutti_input_block(call, rank) : tutti_output_block(call, rank);
    }
  return blocks;
}

static uint64_t elements_of(const tutti_block *blocks, int count)
{
  uint64_t sum = 0;
  for (int i = 0; i < count; i++)
    sum += blocks[i].count;
  return sum;
}

/* The block that contains contiguous blocks; else a temporary of as many elements. */
static tutti_block together(const struct grid *grid, const tutti_block *blocks)
{
  uint64_t all = elements_of(blocks, grid->call.size);
  for (int i = 1; i < grid->call.size; i++)
    if (blocks[i].first != blocks[i - 1].first + blocks[i - 1].count)
      return tutti_block_of(tutti_builder_temporary(grid->builder, all), 0, all);
  return tutti_block_of(blocks[0].buffer, blocks[0].first, all);
}

/* Blocks of the lengths of others, one after the other in a place; NULL without memory. */
static tutti_block *blocks_of_place(const struct grid *grid, tutti_block place, const tutti_block *lengths)
{
  tutti_block *blocks = tutti_builder_scratch(grid->builder, (uint64_t)grid->call.size * sizeof *blocks);
  for (int i = 0; blocks && i < grid->call.size; i++) {
    blocks[i] = tutti_block_of(place.buffer, place.first, lengths[i].count);
    place.first += lengths[i].count;
  }
  return blocks;
}

/* Blocks brought together where they are not, after a vertex. */
static tutti_block pack(const struct grid *grid, const tutti_block *blocks, tutti_vertex_id *ready)
{
  tutti_block packed = together(grid, blocks);
  const tutti_block *places = packed.buffer != blocks[0].buffer ? blocks_of_place(grid, packed, blocks) : NULL;
  if (places)
    *ready = tutti_copy_blocks(grid->builder, blocks, places, grid->call.size, *ready);
  return packed;
}

/* The opposite, from where together() has placed them. */
static void unpack(const struct grid *grid, tutti_block packed, const tutti_block *blocks, tutti_vertex_id ready)
{
  const tutti_block *places = packed.buffer != blocks[0].buffer ? blocks_of_place(grid, packed, blocks) : NULL;
  if (places)
    tutti_copy_blocks(grid->builder, places, blocks, grid->call.size, ready);
}

/* ---- parts ---- */

/* The place of the data between one part and the next. */
static tutti_block between(const struct grid *grid, uint64_t elements)
{
  return tutti_block_of(tutti_builder_temporary(grid->builder, elements), 0, elements);
}

static tutti_vertex_id build_inner(const struct grid *grid, tutti_block from, tutti_block to, tutti_call own,
                                   tutti_vertex_id ready)
{
  tutti_scope scope = tutti_scope_of_node(grid->builder, &grid->lanes.nodes, ready);
  scope.input = from;
  scope.output = to;
  return tutti_build_part(grid->builder, &grid->call, INNER, &scope, own);
}

static tutti_vertex_id build_lane(const struct grid *grid, tutti_block from, tutti_block to, tutti_call own,
                                  tutti_vertex_id ready)
{
  tutti_scope scope = tutti_scope_of_lane(grid->builder, &grid->lanes, ready);
  scope.input = from;
  scope.output = to;
  return tutti_build_part(grid->builder, &grid->call, LANE, &scope, own);
}

static tutti_block own_block(const struct grid *grid, tutti_buffer buffer)
{
  return tutti_block_of(buffer, 0, grid->call.count);
}

/* Full-lane allgather: each lane gathers the blocks of its ranks, then each node those of its lanes.

       nodes (0 1) (2 3):   0 <-> 2, 1 <-> 3: one block;   0 <-> 1, 2 <-> 3: two blocks

   Cost: that of an allgather of m among the G nodes and of one of G m among the L ranks of a node, (G - 1) m sent by
   each rank across. Temporaries: G blocks, and P where the blocks are not in the order of the lanes; then they are
   copied. */
void tutti_build_allgather_full_lane(tutti_builder *builder, const tutti_call *call)
{
  struct grid grid;
  if (!init_grid(builder, call, &grid))
    return;
  const uint64_t of_lane = (uint64_t)grid.nodes * call->count;
  const tutti_block input = own_block(&grid, TUTTI_INPUT), output = tutti_block_of(TUTTI_OUTPUT, 0, 0);
  if (grid.members == 1 || grid.nodes == 1) { /* nodes and members are in the order of the ranks */
    if (grid.members == 1)
      build_lane(&grid, input, output, (tutti_call){.count = call->count}, TUTTI_NO_VERTEX);
    else
      build_inner(&grid, input, output, (tutti_call){.count = call->count}, TUTTI_NO_VERTEX);
    return;
  }
  const tutti_block *blocks = blocks_of_call(&grid, TUTTI_OUTPUT, BY_LANE);
  if (!blocks)
    return;
  tutti_block lane = between(&grid, of_lane), all = together(&grid, blocks);
  tutti_vertex_id ready = build_lane(&grid, input, lane, (tutti_call){.count = call->count}, TUTTI_NO_VERTEX);
  ready = build_inner(&grid, lane, all, (tutti_call){.count = of_lane}, ready);
  unpack(&grid, all, blocks, ready);
}

/* Full-lane reduce-scatter, of regular and irregular blocks: a reduce-scatter in each node of the blocks of each
   lane, then one in each lane.

       nodes (0 1) (2 3):   0: 0 2, 1: 1 3, 2: 0 2, 3: 1 3;   0 <-> 2, 1 <-> 3: one block

   Operands are combined node by node, so the operation must commute. Cost: that of a reduce-scatter of G blocks among
   the L ranks of a node and of one of single blocks among the G nodes, in which each rank sends G - 1 blocks across.
   Temporaries: the blocks of a lane, and all where they are not in the order of the lanes. */
/* Layout of the parts, where blocks are irregular: of all lanes in the node, and of the nodes in the own lane. */
static bool lay_out(const struct grid *grid, const tutti_block *blocks, tutti_layout *inner, tutti_layout *lane)
{
  const int nodes = grid->nodes, members = grid->members;
  uint64_t *of_lanes = tutti_builder_scratch(grid->builder, ((uint64_t)members + 1) * sizeof *of_lanes);
  uint64_t *of_nodes = tutti_builder_scratch(grid->builder, ((uint64_t)nodes + 1) * sizeof *of_nodes);
  if (!of_lanes || !of_nodes)
    return false;
  of_lanes[0] = of_nodes[0] = 0;
  for (int j = 0; j < members; j++)
    of_lanes[j + 1] = of_lanes[j] + elements_of(blocks + (size_t)j * (size_t)nodes, nodes);
  for (int g = 0; g < nodes; g++)
    of_nodes[g + 1] = of_nodes[g] + blocks[index_of(grid, BY_LANE, g, grid->lanes.nodes.member)].count;
  *inner = (tutti_layout){of_lanes};
  *lane = (tutti_layout){of_nodes};
  return true;
}

void tutti_build_reduce_scatter_full_lane(tutti_builder *builder, const tutti_call *call)
{
  struct grid grid;
  tutti_layout inner = {NULL}, lane = {NULL};
  if (!init_grid(builder, call, &grid))
    return;
  const tutti_block *blocks = blocks_of_call(&grid, TUTTI_INPUT, BY_LANE);
  if (!blocks || (call->input.offsets && !lay_out(&grid, blocks, &inner, &lane)))
    return;
  uint64_t of_lane =
      inner.offsets ? tutti_layout_count(&inner, grid.lanes.nodes.member) : (uint64_t)grid.nodes * call->count;
  tutti_vertex_id ready = TUTTI_NO_VERTEX;
  tutti_block sum = pack(&grid, blocks, &ready);
  if (grid.members > 1) {
    tutti_block all = sum;
    sum = grid.nodes > 1 ? between(&grid, of_lane) : own_block(&grid, TUTTI_OUTPUT);
    ready = build_inner(&grid, all, sum, (tutti_call){.count = of_lane, .input = inner}, ready);
  }
  if (grid.nodes > 1 || grid.members == 1)
    build_lane(&grid, sum, own_block(&grid, TUTTI_OUTPUT), (tutti_call){.count = call->count, .input = lane}, ready);
}

/* Full-lane alltoall: each node exchanges its blocks by the lanes of their receivers, then each lane by the nodes.

       nodes (0 1) (2 3):   0 --for 1 3--> 1, ...;   0 --from 0 1--> 2, ...

   Cost: that of an alltoall of G m among the L ranks of a node and of one of L m among the G nodes. Temporaries: twice
   P blocks, and the same again if they are not in the order of the lanes or of the nodes; then they are copied. */
/* The blocks from member j for node g, listed by node. */
static tutti_block *turned_blocks(const struct grid *grid, tutti_block exchanged)
{
  const uint64_t count = grid->call.count;
  tutti_block *blocks = tutti_builder_scratch(grid->builder, (uint64_t)grid->call.size * sizeof *blocks);
  for (int g = 0; blocks && g < grid->nodes; g++)
    for (int j = 0; j < grid->members; j++)
      blocks[index_of(grid, BY_NODE, g, j)] =
          tutti_block_of(exchanged.buffer, (uint64_t)index_of(grid, BY_LANE, g, j) * count, count);
  return blocks;
}

void tutti_build_alltoall_full_lane(tutti_builder *builder, const tutti_call *call)
{
  struct grid grid;
  if (!init_grid(builder, call, &grid))
    return;
  tutti_vertex_id ready = TUTTI_NO_VERTEX;
  const uint64_t count = call->count, all = (uint64_t)call->size * count;
  const tutti_block *sent = blocks_of_call(&grid, TUTTI_INPUT, BY_LANE);
  const tutti_block *received = blocks_of_call(&grid, TUTTI_OUTPUT, BY_NODE);
  if (!sent || !received)
    return;
  tutti_block to_lanes = pack(&grid, sent, &ready), from_nodes = together(&grid, received);
  tutti_block to_nodes = to_lanes;
  if (grid.members > 1) {
    tutti_block exchanged = between(&grid, all);
    ready = build_inner(&grid, to_lanes, exchanged, (tutti_call){.count = (uint64_t)grid.nodes * count}, ready);
    const tutti_block *turned = turned_blocks(&grid, exchanged);
    if (!turned)
      return;
    to_nodes = pack(&grid, turned, &ready);
  }
  ready = build_lane(&grid, to_nodes, from_nodes, (tutti_call){.count = (uint64_t)grid.members * count}, ready);
  unpack(&grid, from_nodes, received, ready);
}

/* Full-lane scatter: the root scatters in its node what belongs to each lane, then each lane scatters from there.

       nodes (0 1) (2 3), root 0:   0 --1 3--> 1;   0 --2--> 2, 1 --3--> 3

   Any root. Cost: that of a scatter of G m among the L ranks of a node and of one of m among the G nodes. Temporaries:
   G blocks in the node of the root, and P at the root where they are not in the order of the lanes. */
void tutti_build_scatter_full_lane(tutti_builder *builder, const tutti_call *call)
{
  struct grid grid;
  if (!init_grid(builder, call, &grid))
    return;
  const struct nodes *nodes = &grid.lanes.nodes;
  tutti_vertex_id ready = TUTTI_NO_VERTEX;
  tutti_block lane = tutti_block_of(TUTTI_INPUT, 0, (uint64_t)grid.nodes * call->count);
  if (nodes->node == nodes->root_node) {
    tutti_block all = lane;
    const tutti_block *blocks = tutti_is_leader(nodes) ? blocks_of_call(&grid, TUTTI_INPUT, BY_LANE) : NULL;
    if (blocks)
      all = pack(&grid, blocks, &ready);
    lane = grid.members > 1 ? between(&grid, lane.count) : all;
    if (grid.members > 1)
      ready = build_inner(&grid, all, lane, (tutti_call){.root = nodes->leader, .count = lane.count}, ready);
  }
  build_lane(&grid, lane, own_block(&grid, TUTTI_OUTPUT), (tutti_call){.root = nodes->root_node, .count = call->count},
             ready);
}

/* Full-lane gather: the scatter backwards. Each lane gathers its blocks in the node of the root, which gathers those.

       nodes (0 1) (2 3), root 0:   2 --2--> 0, 3 --3--> 1;   1 --1 3--> 0

   Any root. Cost and temporaries: those of the scatter. */
void tutti_build_gather_full_lane(tutti_builder *builder, const tutti_call *call)
{
  struct grid grid;
  if (!init_grid(builder, call, &grid))
    return;
  const struct nodes *nodes = &grid.lanes.nodes;
  const bool in_root_node = nodes->node == nodes->root_node;
  tutti_block lane = tutti_block_of(TUTTI_OUTPUT, 0, (uint64_t)grid.nodes * call->count), all = lane;
  const tutti_block *blocks = NULL;
  if (in_root_node && tutti_is_leader(nodes)) {
    blocks = blocks_of_call(&grid, TUTTI_OUTPUT, BY_LANE);
    if (!blocks)
      return;
    all = together(&grid, blocks);
  }
  if (in_root_node)
    lane = grid.members > 1 ? between(&grid, lane.count) : all;
  tutti_vertex_id ready = build_lane(&grid, own_block(&grid, TUTTI_INPUT), lane,
                                     (tutti_call){.root = nodes->root_node, .count = call->count}, TUTTI_NO_VERTEX);
  if (in_root_node && grid.members > 1)
    ready = build_inner(&grid, lane, all, (tutti_call){.root = nodes->leader, .count = lane.count}, ready);
  if (blocks)
    unpack(&grid, all, blocks, ready);
}
