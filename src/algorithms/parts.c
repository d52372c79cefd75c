/* Algorithms made of others: nodes, scopes of nodes and leaders, and parts. */
#include "algorithms/parts.h"

#include <string.h>

#include "algorithms/builders.h"

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

/* The lowest ranks of the nodes met so far, by a hash of the node's name; -1 is a free slot. */
struct lowest {
  int *rank;
  uint64_t mask;
};

static bool make_table(tutti_builder *builder, struct lowest *table, int size)
{
  uint64_t slots = 2;
  while (slots < 2 * (uint64_t)size)
    slots *= 2;
  table->mask = slots - 1;
  table->rank = tutti_builder_scratch(builder, slots * sizeof *table->rank);
  if (table->rank)
    memset(table->rank, 0xff, slots * sizeof *table->rank);
  return table->rank;
}

/* The slot of the node's name, or the free one where it belongs. */
static int *slot_of(const struct lowest *table, const int *names, int name)
{
  uint64_t slot = (uint64_t)name * UINT64_C(0x9e3779b97f4a7c15) >> 32 & table->mask;
  while (table->rank[slot] >= 0 && names[table->rank[slot]] != name)
    slot = (slot + 1) & table->mask;
  return &table->rank[slot];
}

static bool number_nodes(tutti_builder *builder, struct nodes *nodes)
{
  const tutti_call *call = nodes->call;
  struct lowest table;
  int *node_of = tutti_builder_scratch(builder, (uint64_t)call->size * sizeof *node_of);
  if (!node_of || !make_table(builder, &table, call->size))
    return false;
  for (int r = 0; r < call->size; r++) {
    int *lowest = slot_of(&table, call->nodes, call->nodes[r]);
    if (*lowest < 0)
      node_of[r] = nodes->count++;
    else
      node_of[r] = node_of[*lowest];
    if (*lowest < 0)
      *lowest = r;
  }
  nodes->node_of = node_of;
  return true;
}

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

static bool list_leaders(tutti_builder *builder, struct nodes *nodes)
{
  if (!tutti_is_leader(nodes))
    return true;
  int *leaders = tutti_builder_scratch(builder, (uint64_t)nodes->count * sizeof *leaders);
  for (int r = nodes->call->size; leaders && r-- > 0;)
    leaders[nodes->node_of[r]] = r;
  if (leaders)
    leaders[nodes->root_node] = nodes->call->root;
  nodes->leaders = leaders;
  return leaders;
}

bool tutti_nodes(tutti_builder *builder, const tutti_call *call, struct nodes *nodes)
{
  *nodes = (struct nodes){.call = call};
  if (call->parameters.k >= 1)
    return find_consecutive(builder, nodes);
  if (!number_nodes(builder, nodes))
    return false;
  nodes->node = nodes->node_of[call->rank];
  nodes->root_node = nodes->node_of[call->root];
  return list_members(builder, nodes) && list_leaders(builder, nodes);
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
