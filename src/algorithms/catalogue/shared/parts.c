/* Algorithms made of others: nodes, scopes of nodes and leaders, and parts. */
#include "algorithms/catalogue/shared/parts.h"

#include <string.h>

#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/levels.h"

/* ---- nodes of k consecutive ranks ---- */

static bool find_consecutive_leaders(tutti_builder *builder, struct nodes *nodes)
{
  int k = nodes->call->parameters.k, root = nodes->call->root;
  if (!tutti_is_leader(nodes) || root % k == 0)
    return true;
  int *leaders = tutti_builder_scratch(builder, (uint64_t)nodes->count * sizeof *leaders);
  for (int i = 0; leaders && i < nodes->count; i++)
    leaders[i] = i == nodes->root_node ? root : i * k;
  nodes->leaders = leaders;
  return leaders;
}

static bool find_consecutive(tutti_builder *builder, struct nodes *nodes)
{
  const tutti_call *call = nodes->call;
  int k = call->parameters.k;
  nodes->count = (call->size - 1) / k + 1;
  nodes->node = call->rank / k;
  nodes->root_node = call->root / k;
  nodes->first = nodes->node * k;
  nodes->members = call->size - nodes->first < k ? call->size - nodes->first : k;
  nodes->member = call->rank - nodes->first;
  nodes->leader = nodes->node == nodes->root_node ? call->root - nodes->first : 0;
  return find_consecutive_leaders(builder, nodes);
}

/* ---- nodes of any ranks ---- */

static bool list_members(tutti_builder *builder, struct nodes *nodes)
{
  int size = nodes->call->size, members = 0;
  for (int r = 0; r < size; r++)
    members += nodes->node_of[r] == nodes->node;
  int *ranks = tutti_builder_scratch(builder, (uint64_t)members * sizeof *ranks);
  for (int r = 0; ranks && r < size; r++) {
    if (nodes->node_of[r] != nodes->node)
      continue;
    if (r == nodes->call->rank)
      nodes->member = nodes->members;
    if (r == nodes->call->root)
      nodes->leader = nodes->members;
    ranks[nodes->members++] = r;
  }
  nodes->ranks = ranks;
  return ranks;
}

static bool list_leaders(tutti_builder *builder, struct nodes *nodes, const int *lowest)
{
  if (!tutti_is_leader(nodes))
    return true;
  int *leaders = tutti_builder_scratch(builder, (uint64_t)nodes->count * sizeof *leaders);
  if (leaders) {
    memcpy(leaders, lowest, (size_t)nodes->count * sizeof *leaders);
    leaders[nodes->root_node] = nodes->call->root;
  }
  nodes->leaders = leaders;
  return leaders;
}

bool tutti_nodes(tutti_builder *builder, const tutti_call *call, struct nodes *nodes)
{
  struct grouping groups;
  *nodes = (struct nodes){.call = call};
  if (call->parameters.k >= 1)
    return find_consecutive(builder, nodes);
  if (!tutti_number_groups(builder, call->size, call->nodes, NULL, &groups))
    return false;
  nodes->count = groups.count;
  nodes->node_of = groups.of;
  nodes->node = nodes->node_of[call->rank];
  nodes->root_node = nodes->node_of[call->root];
  return list_members(builder, nodes) && list_leaders(builder, nodes, groups.lowest);
}

/* ---- parts ---- */

tutti_scope tutti_scope_of_node(const tutti_builder *builder, const struct nodes *nodes, tutti_vertex_id after)
{
  tutti_scope scope = tutti_scope_of_all(builder, after);
  scope.size = nodes->members;
  scope.rank = nodes->member;
  scope.ranks = nodes->ranks;
  scope.first = nodes->first;
  return scope;
}

tutti_scope tutti_scope_of_leaders(const tutti_builder *builder, const struct nodes *nodes, tutti_vertex_id after)
{
  tutti_scope scope = tutti_scope_of_all(builder, after);
  scope.size = nodes->count;
  scope.rank = nodes->node;
  scope.ranks = nodes->leaders;
  scope.stride = nodes->call->parameters.k;
  return scope;
}

tutti_vertex_id tutti_build_part(tutti_builder *builder, const tutti_call *call, int index, tutti_scope *scope,
                                 tutti_call own)
{
  tutti_method method = tutti_method_part(&call->parameters, index);
  own.size = scope->size;
  own.rank = scope->rank;
  own.type_size = call->type_size;
  own.commutative = call->commutative;
  own.parameters = method.parameters;
  own.shape = method.algorithm->shape;
  tutti_builder_enter(builder, scope);
  method.algorithm->build(builder, &own);
  return tutti_builder_leave(builder);
}

void tutti_build_in_segments(tutti_builder *builder, const tutti_call *call, tutti_build_segment *build,
                             const void *context)
{
  tutti_segmentation segments = tutti_segments(call, 0, call->count);
  uint64_t outstanding = (uint64_t)call->parameters.outstanding;
  uint64_t window = outstanding < segments.count ? outstanding : segments.count;
  tutti_vertex_id *done = tutti_builder_scratch(builder, (window + 1) * sizeof *done);
  if (!done || !tutti_reserve_segments(builder, &segments, 1))
    return;
  for (uint64_t s = 0; s < segments.count; s++) {
    tutti_block segment = tutti_segment(&segments, s);
    tutti_scope scope = tutti_scope_of_all(builder, s < window ? TUTTI_NO_VERTEX : done[s % window]);
    scope.input.first = scope.output.first = segment.first;
    tutti_builder_enter(builder, &scope);
    build(builder, context, segment.count);
    done[s % window] = tutti_builder_leave(builder);
  }
}
