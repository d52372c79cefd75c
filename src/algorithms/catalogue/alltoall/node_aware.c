/* Alltoall by leaders and by nodes (2026, arXiv 2601.17606: hierarchical, multi-leader, node-aware and locality-aware
   exchanges, and node-aware ones among several leaders). G nodes of L ranks; a node is cut into groups of g
   consecutive members, the first of each is its leader, l = L / g leaders a node. One to three steps:

     1. each group gathers its blocks at the leader, P blocks from each member          (where g > 1)
     2. the leaders exchange: all with all, g g blocks each,
        or, node-aware: leader i of a node with the leaders i of all nodes, l g g blocks for all of the node;
        then within the node, G g g blocks each
     3. each leader scatters in its group

                                     leaders of a node     exchange
       two-level                     1                     all with all
       multi-leader                  leaders=              all with all
       node-aware                    L (g = 1)             by nodes, then in the node
       multi-leader-node-aware       leaders=              by nodes, then in the node

   With ranks_per_node= less than the ranks of a node, two-level has as many leaders in it, and node-aware is the
   paper's locality-aware form. full-lane has the steps of node-aware in the other order. Every step by any algorithm.

   Any number of ranks. The leaders of a node are the largest divisor of L that leaders= allows, so that groups are
   equal. Where the nodes are not equal each rank counts as a node of its own, as of full-lane, and the exchange of all
   with all is all there is. A message of a leader to another node has the blocks of g g pairs of ranks, or of l g g,
   where a direct exchange has L L messages of one. Temporaries of a leader: at most six times g P blocks; those of a
   node-aware exchange: at most four times P blocks. */
#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/lanes.h"

/* Parts of each algorithm, in the order of its line in the catalogue; -1: it has no such part. */
struct stages {
  int gather, exchange, inner, scatter;
};

struct grid {
  tutti_builder *builder;
  tutti_call call; /* with nodes of one rank where they are not equal */
  struct lanes lanes;
  int nodes, leaders, members; /* G; l, of a node; g, of a group */
  int node, leader, member;    /* the own place */
};

static int divisor_up_to(int number, int limit)
{
  int divisor = number < limit ? number : limit;
  while (number % divisor)
    divisor--;
  return divisor;
}

static bool init_grid(tutti_builder *builder, const tutti_call *call, int leaders, struct grid *grid)
{
  *grid = (struct grid){.builder = builder, .call = *call};
  if (!tutti_lanes_of_equals(builder, &grid->call, &grid->lanes))
    return false;
  grid->nodes = grid->lanes.nodes.count;
  grid->leaders = divisor_up_to(grid->lanes.count, leaders);
  grid->members = grid->lanes.count / grid->leaders;
  grid->node = grid->lanes.nodes.node;
  grid->leader = grid->lanes.nodes.member / grid->members;
  grid->member = grid->lanes.nodes.member % grid->members;
  return true;
}

static int rank_of(const struct grid *grid, int node, int leader, int member)
{
  return tutti_node_rank(&grid->lanes, node, leader * grid->members + member);
}

/* ---- the blocks of a leader, one for each rank and each member of its group, in the order of a step ---- */

enum order {
  BY_MEMBER, /* of the group, the other rank second: what is gathered */
  TO_MEMBER, /* the same by the receivers: what is scattered */
  BY_NODE,   /* then by leader: an exchange of all with all, or by nodes */
  BY_LEADER, /* then by node: an exchange in the node */
};

/* Where the order has the block between a member of the group and one of another group, or of the own one: `member` is
   the sender's place in its group, `to` the receiver's. */
static uint64_t index_of(const struct grid *grid, enum order order, int node, int leader, int member, int to)
{
  const uint64_t size = (uint64_t)grid->call.size, g = (uint64_t)grid->members;
  uint64_t group = 0;
  if (order == BY_MEMBER)
    return (uint64_t)member * size + (uint64_t)rank_of(grid, node, leader, to);
  if (order == TO_MEMBER)
    return (uint64_t)to * size + (uint64_t)rank_of(grid, node, leader, member);
  if (order == BY_NODE)
    group = (uint64_t)node * (uint64_t)grid->leaders + (uint64_t)leader;
  else
    group = (uint64_t)leader * (uint64_t)grid->nodes + (uint64_t)node;
  return (group * g + (uint64_t)member) * g + (uint64_t)to;
}

/* Where the blocks are, from one step to the next. */
struct held {
  tutti_block place;
  enum order order;
  tutti_vertex_id ready;
};

static uint64_t blocks_held(const struct grid *grid)
{
  return (uint64_t)grid->call.size * (uint64_t)grid->members;
}

/* sources[i] is the place in one order of the block that is number i in another; NULL without memory. */
static uint64_t *permutation(const struct grid *grid, enum order from, enum order to)
{
  uint64_t *sources = tutti_builder_scratch(grid->builder, blocks_held(grid) * sizeof *sources);
  for (int node = 0; sources && node < grid->nodes; node++)
    for (int leader = 0; leader < grid->leaders; leader++)
      for (int member = 0; member < grid->members; member++)
        for (int t = 0; t < grid->members; t++)
          sources[index_of(grid, to, node, leader, member, t)] = index_of(grid, from, node, leader, member, t);
  return sources;
}

static bool is_identity(const uint64_t *sources, uint64_t count)
{
  uint64_t i = 0;
  while (i < count && sources[i] == i)
    i++;
  return i == count;
}

static tutti_block blocks_of(const struct grid *grid, tutti_buffer buffer)
{
  return tutti_block_of(buffer, 0, blocks_held(grid) * grid->call.count);
}

/* Copy blocks to the place of another order, runs of them at once. */
static void copy_blocks(const struct grid *grid, const uint64_t *sources, tutti_block target, struct held *held)
{
  const uint64_t count = blocks_held(grid), length = grid->call.count;
  tutti_scope all = tutti_scope_of_all(grid->builder, held->ready);
  tutti_builder_enter(grid->builder, &all);
  for (uint64_t i = 0, next; i < count && length > 0; i = next) {
    for (next = i + 1; next < count && sources[next] == sources[next - 1] + 1; next++)
      ;
    tutti_add_copy(grid->builder,
                   tutti_block_of(held->place.buffer, held->place.first + sources[i] * length, (next - i) * length),
                   tutti_block_of(target.buffer, target.first + i * length, (next - i) * length));
  }
  held->ready = tutti_builder_leave(grid->builder);
  held->place = target;
}

/* Bring the blocks into an order; NULL for `target`: into a temporary, if they are not in it already. */
static void arrange(const struct grid *grid, struct held *held, enum order order, const tutti_block *target)
{
  const uint64_t *sources = permutation(grid, held->order, order);
  if (!sources)
    return;
  held->order = order;
  if (target)
    copy_blocks(grid, sources, *target, held);
  else if (!is_identity(sources, blocks_held(grid)))
    copy_blocks(grid, sources, blocks_of(grid, tutti_builder_temporary(grid->builder, blocks_of(grid, 0).count)), held);
}

/* ---- steps ---- */

enum among { MEMBERS, LEADERS, COUNTERPARTS, LEADERS_OF_NODE };

/* The ranks that take a step together with the own one. False, and a fault, without memory. */
static bool init_scope(const struct grid *grid, enum among among, tutti_vertex_id after, tutti_scope *scope)
{
  const int counts[] = {grid->members, grid->nodes * grid->leaders, grid->nodes, grid->leaders};
  const int own[] = {grid->member, grid->node * grid->leaders + grid->leader, grid->node, grid->leader};
  int *ranks = tutti_builder_scratch(grid->builder, (uint64_t)counts[among] * sizeof *ranks);
  *scope = tutti_scope_of_all(grid->builder, after);
  scope->size = counts[among];
  scope->rank = own[among];
  scope->ranks = ranks;
  for (int i = 0; ranks && i < scope->size; i++) {
    if (among == MEMBERS)
      ranks[i] = rank_of(grid, grid->node, grid->leader, i);
    else if (among == LEADERS)
      ranks[i] = rank_of(grid, i / grid->leaders, i % grid->leaders, 0);
    else if (among == COUNTERPARTS)
      ranks[i] = rank_of(grid, i, grid->leader, 0);
    else
      ranks[i] = rank_of(grid, grid->node, i, 0);
  }
  return ranks != NULL;
}

static tutti_vertex_id build_step(const struct grid *grid, int part, enum among among, tutti_block from, tutti_block to,
                                  uint64_t count, tutti_vertex_id ready)
{
  tutti_scope scope;
  if (!init_scope(grid, among, ready, &scope))
    return ready;
  scope.input = from;
  scope.output = to;
  return tutti_build_part(grid->builder, &grid->call, part, &scope, (tutti_call){.count = count});
}

/* An exchange of the blocks that are held, among so many ranks. */
static void exchange(const struct grid *grid, int part, enum among among, int ranks, struct held *held)
{
  if (ranks == 1)
    return;
  const tutti_block from = held->place;
  held->place = blocks_of(grid, tutti_builder_temporary(grid->builder, from.count));
  held->ready = build_step(grid, part, among, from, held->place, from.count / (uint64_t)ranks, held->ready);
}

/* Step 2; afterwards the blocks are those for the group. */
static void exchange_all(const struct grid *grid, const struct stages *stages, struct held *held)
{
  arrange(grid, held, BY_NODE, NULL);
  if (stages->inner < 0) {
    exchange(grid, stages->exchange, LEADERS, grid->nodes * grid->leaders, held);
    return;
  }
  exchange(grid, stages->exchange, COUNTERPARTS, grid->nodes, held);
  if (grid->leaders == 1)
    return;
  arrange(grid, held, BY_LEADER, NULL);
  exchange(grid, stages->inner, LEADERS_OF_NODE, grid->leaders, held);
}

static void build(tutti_builder *builder, const tutti_call *call, int leaders, const struct stages *stages)
{
  struct grid grid;
  if (call->count == 0 || !init_grid(builder, call, leaders, &grid))
    return;
  const uint64_t own = (uint64_t)call->size * call->count;
  const tutti_block input = tutti_block_of(TUTTI_INPUT, 0, own), output = tutti_block_of(TUTTI_OUTPUT, 0, own);
  const bool gathers = grid.members > 1, leads = grid.member == 0;
  struct held held = {input, BY_MEMBER, TUTTI_NO_VERTEX};
  tutti_block scattered = output;
  if (gathers && leads) {
    held.place = blocks_of(&grid, tutti_builder_temporary(builder, blocks_held(&grid) * call->count));
    scattered = blocks_of(&grid, tutti_builder_temporary(builder, blocks_held(&grid) * call->count));
  }
  if (gathers)
    held.ready = build_step(&grid, stages->gather, MEMBERS, input, held.place, own, TUTTI_NO_VERTEX);
  if (leads) {
    exchange_all(&grid, stages, &held);
    arrange(&grid, &held, TO_MEMBER, &scattered);
  }
  if (gathers)
    build_step(&grid, stages->scatter, MEMBERS, scattered, output, own, held.ready);
}

void tutti_build_alltoall_two_level(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, 1, &(struct stages){.gather = 0, .exchange = 1, .inner = -1, .scatter = 2});
}

void tutti_build_alltoall_multi_leader(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, call->parameters.outstanding,
        &(struct stages){.gather = 0, .exchange = 1, .inner = -1, .scatter = 2});
}

void tutti_build_alltoall_node_aware(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, call->size, &(struct stages){.gather = -1, .exchange = 0, .inner = 1, .scatter = -1});
}

void tutti_build_alltoall_multi_leader_node_aware(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, call->parameters.outstanding,
        &(struct stages){.gather = 0, .exchange = 1, .inner = 2, .scatter = 3});
}
