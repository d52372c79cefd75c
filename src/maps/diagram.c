#include "maps/diagram.h"

#include <stdlib.h>

int tutti_diagram_variables(int world)
{
  int bits = diagram_bit_width((uint32_t)(world - 1));
  return bits ? bits : 1;
}

size_t tutti_diagram_length(const struct diagram *diagram)
{
  return (size_t)(((uint64_t)diagram->nodes * (uint64_t)diagram_node_bits(diagram) + 7) / 8);
}

/* Two indices must be wide enough for the bits of a member, too. */
static int index_bits(int variables, uint32_t nodes)
{
  int bits = diagram_bit_width(nodes + DIAGRAM_TERMINALS - 1), half = (variables + 1) / 2;
  return bits > half ? bits : half;
}

struct diagram tutti_diagram_shape(int size, int world, uint32_t nodes)
{
  struct diagram shape = {
      .common = {.operations = &tutti_map_bdd, .size = size, .world = world, .ordered = true},
      .variables = tutti_diagram_variables(world),
      .count_bits = diagram_bit_width((uint32_t)size),
      .nodes = nodes,
  };
  shape.index_bits = index_bits(shape.variables, nodes);
  return shape;
}

struct diagram *tutti_diagram_new(const struct diagram *shape)
{
  struct diagram *diagram = calloc(1, sizeof *diagram + tutti_diagram_length(shape) + DIAGRAM_PADDING);
  if (diagram)
    *diagram = *shape;
  return diagram;
}

static void add_bits(unsigned char *packed, uint64_t at, uint64_t bits)
{
  uint64_t word;
  memcpy(&word, packed + at / 8, sizeof word);
  word = htole64(le64toh(word) | bits << at % 8);
  memcpy(packed + at / 8, &word, sizeof word);
}

void tutti_diagram_put(struct diagram *diagram, uint32_t number, const struct diagram_node *node)
{
  uint64_t at = (uint64_t)(number - DIAGRAM_TERMINALS) * (uint64_t)diagram_node_bits(diagram);
  int width = diagram->index_bits;
  uint64_t links = (uint64_t)node->low | (uint64_t)node->high << width;
  uint64_t head = (uint64_t)node->level | (uint64_t)node->single << DIAGRAM_LEVEL_BITS;
  add_bits(diagram->packed, at, head | links << DIAGRAM_HEAD_BITS);
  add_bits(diagram->packed, at + (uint64_t)(DIAGRAM_HEAD_BITS + 2 * width), node->below);
}

double tutti_diagram_path_bytes(const struct diagram *diagram)
{
  uint32_t numbers = diagram->nodes + DIAGRAM_TERMINALS;
  double *paths = malloc(numbers * sizeof *paths);
  if (!paths)
    return 0;
  for (uint32_t i = 0; i < numbers; i++) {
    struct diagram_node node = diagram_node(diagram, i);
    paths[i] = node.single ? i != DIAGRAM_FALSE : paths[node.low] + paths[node.high];
  }
  double bytes = paths[numbers - 1] * 2 * diagram->variables / 8;
  free(paths);
  return bytes;
}
