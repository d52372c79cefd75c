/* Reading a diagram: what SELECT and RANK rely on is checked node by node, children before parents. */
#include <stdlib.h>

#include "groups/maps/diagram.h"

static bool is_inner_sound(const struct diagram *diagram, uint32_t number, const struct diagram_node *node)
{
  if (node->low >= number || node->high >= number || node->low == node->high)
    return false;
  struct diagram_node low = diagram_node(diagram, node->low), high = diagram_node(diagram, node->high);
  if (low.level <= node->level || high.level <= node->level)
    return false;
  return diagram_side(&low, node->level) + diagram_side(&high, node->level) == node->count;
}

static bool is_sound(const struct diagram *diagram, uint32_t number)
{
  struct diagram_node node = diagram_node(diagram, number);
  if (node.level >= diagram->variables || node.count == 0)
    return false;
  if (node.count > 1)
    return is_inner_sound(diagram, number, &node);
  return (uint64_t)node.low + ((uint64_t)node.high << diagram->index_bits) <=
         diagram_mask(diagram->variables - node.level);
}

static tutti_status check(const struct diagram *diagram, tutti_error *error)
{
  for (uint32_t i = DIAGRAM_TERMINALS; i <= diagram_root(diagram); i++)
    if (!is_sound(diagram, i))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "bdd map: node %u of %u is no node of a diagram over %d bits", i,
                        diagram->nodes, diagram->variables);
  struct diagram_node root = diagram_node(diagram, diagram_root(diagram));
  uint64_t size = (uint64_t)root.count << root.level;
  if (size != (uint64_t)diagram->common.size)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "bdd map: the diagram has %llu members, the map %d",
                      (unsigned long long)size, diagram->common.size);
  int last = map_bdd.select(&diagram->common, diagram->common.size - 1); /* the greatest: members ascend */
  if (last >= diagram->common.world)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "bdd map: member %d is outside the world of %d", last,
                      diagram->common.world);
  return TUTTI_OK;
}

tutti_status diagram_read(struct map_reader *reader, int size, int world, tutti_map **map, tutti_error *error)
{
  uint64_t nodes = map_read_number(reader, 4);
  if (reader->failed || nodes > DIAGRAM_NODES_MAX)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "bdd map: no number of nodes");
  struct diagram shape = diagram_shape(size, world, (uint32_t)nodes);
  const unsigned char *packed = map_read_bytes(reader, diagram_length(&shape)); /* there before memory is asked for */
  if (!packed)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "bdd map: the bytes end within %u nodes", shape.nodes);
  struct diagram *diagram = diagram_new(&shape);
  if (!diagram)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "no memory for a bdd map of %u nodes", shape.nodes);
  memcpy(diagram->packed, packed, diagram_length(&shape));
  tutti_status status = check(diagram, error);
  if (status != TUTTI_OK)
    free(diagram);
  else
    *map = &diagram->common;
  return status;
}
