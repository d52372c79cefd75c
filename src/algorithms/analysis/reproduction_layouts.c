/* Nodes, levels, boxes of a torus and distributions of numbers on which proofs of reproducibility compare a method. */
#include "algorithms/analysis/reproduction.h"

static int node_at(int layout, int rank)
{
  switch (layout) {
  case 0:
  case 1:
    return rank / (layout + 2);
  case 2:
    return rank % 3;
  case 3:
    return (int)((int64_t)rank * rank % 5);
  default:
    return rank;
  }
}

int tutti_reproduction_box(int size, int layout)
{
  for (int side = 1; side <= size && side <= TUTTI_MAX_SIDE; side++)
    if (size % side == 0 && size / side <= TUTTI_MAX_SIDE && layout-- == 0)
      return tutti_sides_pack((const int[]){side, size / side}, 2);
  return 0;
}

void tutti_reproduction_lay_out(struct proof *p, int *nodes, int layout)
{
  static const int widths[REPRODUCTION_LAYOUTS][2] = {{2, 4}, {3, 6}, {1, 2}, {4, 12}, {5, 5}};
  for (int r = 0; r < p->call.size; r++)
    nodes[r] = node_at(layout, r);
  p->call.nodes = nodes;
  p->call.level_count = 2;
  for (int l = 0; l < 2; l++)
    p->call.levels[l] = (tutti_level){.width = widths[layout][l]};
}

uint64_t tutti_reproduction_leaves(int distribution, uint64_t operands, uint64_t rank, uint64_t size)
{
  switch (distribution) {
  case 0:
    return operands * rank / size;
  case 1:
    return operands * rank / size * rank / size;
  case 2:
    return rank < size ? (rank + 1) / 3 < operands ? (rank + 1) / 3 : operands : operands;
  default:
    return rank < size ? 0 : operands;
  }
}
