/* Lanes through the nodes. */
#include "algorithms/catalogue/shared/lanes.h"

#include <string.h>

#include "algorithms/catalogue/builders.h"

static void find_consecutive(struct lanes *lanes)
{
  const struct nodes *nodes = &lanes->nodes;
  int k = nodes->call->parameters.k, rest = nodes->call->size % k;
  lanes->count = rest ? rest : k;
}

/* The ranks in the order of their nodes, by counting. */
static bool sort_ranks(tutti_builder *builder, struct lanes *lanes)
{
  const struct nodes *nodes = &lanes->nodes;
  int size = nodes->call->size;
  int *begin_of = tutti_builder_scratch(builder, ((uint64_t)nodes->count + 2) * sizeof *begin_of);
  int *by_node = tutti_builder_scratch(builder, (uint64_t)size * sizeof *by_node);
  if (!begin_of || !by_node)
    return false;
  memset(begin_of, 0, ((size_t)nodes->count + 2) * sizeof *begin_of);
  for (int r = 0; r < size; r++)
    begin_of[nodes->node_of[r] + 2]++;
  lanes->count = size;
  for (int i = 0; i < nodes->count; i++) {
    lanes->count = begin_of[i + 2] < lanes->count ? begin_of[i + 2] : lanes->count;
    begin_of[i + 2] += begin_of[i + 1];
  }
  for (int r = 0; r < size; r++)
    by_node[begin_of[nodes->node_of[r] + 1]++] = r;
  lanes->begin_of = begin_of;
  lanes->by_node = by_node;
  return true;
}

bool tutti_lanes(tutti_builder *builder, const tutti_call *call, struct lanes *lanes)
{
  *lanes = (struct lanes){.count = 0};
  if (!tutti_nodes(builder, call, &lanes->nodes))
    return false;
  if (lanes->nodes.node_of)
    return sort_ranks(builder, lanes);
  find_consecutive(lanes);
  return true;
}

/* Whether all nodes have the same number of ranks. */
static bool are_equal(const struct lanes *lanes)
{
  return (int64_t)lanes->count * lanes->nodes.count == lanes->nodes.call->size;
}

bool tutti_lanes_of_equals(tutti_builder *builder, tutti_call *call, struct lanes *lanes)
{
  if (!tutti_lanes(builder, call, lanes))
    return false;
  if (are_equal(lanes))
    return true;
  call->parameters.k = 1;
  return tutti_lanes(builder, call, lanes);
}

int tutti_node_size(const struct lanes *lanes, int node)
{
  int k = lanes->nodes.call->parameters.k, size = lanes->nodes.call->size;
  if (lanes->begin_of)
    return lanes->begin_of[node + 1] - lanes->begin_of[node];
  return node + 1 < lanes->nodes.count ? k : size - node * k;
}

int tutti_node_rank(const struct lanes *lanes, int node, int member)
{
  return lanes->by_node ? lanes->by_node[lanes->begin_of[node] + member]
                        : node * lanes->nodes.call->parameters.k + member;
}

tutti_scope tutti_scope_of_lane(tutti_builder *builder, const struct lanes *lanes, tutti_vertex_id after)
{
  const struct nodes *nodes = &lanes->nodes;
  tutti_scope scope = tutti_scope_of_all(builder, after);
  scope.size = nodes->count;
  scope.rank = nodes->node;
  scope.first = nodes->member;
  scope.stride = nodes->call->parameters.k;
  if (!lanes->by_node)
    return scope;
  int *ranks = tutti_builder_scratch(builder, (uint64_t)nodes->count * sizeof *ranks);
  for (int i = 0; ranks && i < nodes->count; i++)
    ranks[i] = tutti_node_rank(lanes, i, nodes->member);
  scope.ranks = ranks;
  return scope;
}

tutti_block tutti_piece(tutti_buffer buffer, uint64_t elements, int pieces, int index)
{
  return index >= pieces ? tutti_block_of(buffer, elements, 0)
                         : tutti_block_share(tutti_block_of(buffer, 0, elements), index, pieces);
}

tutti_layout tutti_pieces_of_node(tutti_builder *builder, const struct lanes *lanes, uint64_t elements)
{
  int members = lanes->nodes.members;
  uint64_t *offsets = tutti_builder_scratch(builder, ((uint64_t)members + 1) * sizeof *offsets);
  for (int i = 0; offsets && i <= members; i++)
    offsets[i] = tutti_piece(TUTTI_OUTPUT, elements, lanes->count, i).first;
  return (tutti_layout){offsets};
}

tutti_vertex_id tutti_copy_blocks(tutti_builder *builder, const tutti_block *from, const tutti_block *to, int count,
                                  tutti_vertex_id after)
{
  tutti_scope all = tutti_scope_of_all(builder, after);
  tutti_builder_enter(builder, &all);
  for (int i = 0, next; i < count; i = next) {
    tutti_block source = from[i], target = to[i];
    for (next = i + 1; next < count && from[next].first == source.first + source.count &&
                       to[next].first == target.first + target.count;
         next++)
      target.count = source.count += from[next].count;
    if (source.count > 0)
      tutti_add_copy(builder, source, target);
  }
  return tutti_builder_leave(builder);
}
