/* Reading a diagram: what SELECT and RANK rely on is checked node by node, children before parents. */
#include <stdlib.h>

#include "maps/diagram.h"

/* Members on the side of child @p child of a node of level @p level; none if the child is no deeper. */
static uint64_t side(const struct diagram *diagram, const uint32_t *counts, uint32_t child, int level)
{
  int skipped = diagram_node(diagram, child).level - level - 1;
  return skipped < 0 ? 0 : (uint64_t)counts[child] << skipped;
}

static uint64_t count_single(const struct diagram *diagram, const struct diagram_node *node)
{
  uint64_t suffix = node->low | (uint64_t)node->high << diagram->index_bits;
  return suffix <= diagram_mask(diagram->variables - node->level) ? 1 : 0;
}

/* Members below a node; 0 if it is unsound. @p counts  of the nodes before it */
static uint64_t count_members(const struct diagram *diagram, const uint32_t *counts, uint32_t number)
{
  struct diagram_node node = diagram_node(diagram, number);
  if (node.level >= diagram->variables)
    return 0;
  if (node.single)
    return count_single(diagram, &node);
  if (node.low >= number || node.high >= number)
    return 0;
  uint64_t low = side(diagram, counts, node.low, node.level), high = side(diagram, counts, node.high, node.level);
  bool deeper = (low > 0 || node.low == DIAGRAM_FALSE) && (high > 0 || node.high == DIAGRAM_FALSE);
  return deeper && low == node.below ? low + high : 0;
}

/* @p counts  [nodes and terminals] */
static tutti_status check_nodes(const struct diagram *diagram, uint32_t *counts, tutti_error *error)
{
  uint64_t size = (uint64_t)diagram->common.size;
  counts[DIAGRAM_FALSE] = 0;
  counts[DIAGRAM_TRUE] = 1;
  for (uint32_t i = DIAGRAM_TERMINALS; i <= diagram_root(diagram); i++) {
    uint64_t count = count_members(diagram, counts, i);
    if (count == 0 || count > size)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"bdd\": node %u of %u is no node of a diagram over %d bits", i,
                        diagram->nodes, diagram->variables);
    counts[i] = (uint32_t)count;
  }
  uint32_t root = diagram_root(diagram);
  uint64_t members = (uint64_t)counts[root] << diagram_node(diagram, root).level;
  if (members != size)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"bdd\": the diagram has %llu members, the map %d",
                      (unsigned long long)members, diagram->common.size);
  return TUTTI_OK;
}

static tutti_status check(const struct diagram *diagram, tutti_error *error)
{
  uint32_t *counts = malloc((diagram->nodes + DIAGRAM_TERMINALS) * sizeof *counts);
  if (!counts)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "map \"bdd\": no memory to check %u nodes", diagram->nodes);
  tutti_status status = check_nodes(diagram, counts, error);
  free(counts);
  if (status != TUTTI_OK)
    return status;
  int last = tutti_map_bdd.select(&diagram->common, diagram->common.size - 1); /* the greatest: members ascend */
  if (last >= diagram->common.world)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"bdd\": member %d is outside the world of %d", last,
                      diagram->common.world);
  return TUTTI_OK;
}

tutti_status tutti_diagram_read(struct map_reader *reader, int size, int world, tutti_map **map, tutti_error *error)
{
  uint64_t nodes = tutti_map_read_number(reader, 4);
  if (reader->failed || nodes > DIAGRAM_NODES_MAX)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"bdd\": no number of nodes");
  struct diagram shape = tutti_diagram_shape(size, world, (uint32_t)nodes);
  const unsigned char *packed =
      tutti_map_read_bytes(reader, tutti_diagram_length(&shape)); /* there before memory is asked for */
  if (!packed)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"bdd\": the bytes end within %u nodes", shape.nodes);
  struct diagram *diagram = tutti_diagram_new(&shape);
  if (!diagram)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "map \"bdd\": no memory for %u nodes", shape.nodes);
  memcpy(diagram->packed, packed, tutti_diagram_length(&shape));
  tutti_status status = check(diagram, error);
  if (status != TUTTI_OK)
    free(diagram);
  else
    *map = &diagram->common;
  return status;
}
