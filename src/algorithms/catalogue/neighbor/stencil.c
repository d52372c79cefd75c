/* Grids, and neighbors that are the same distances away from all ranks. */
#include <stdlib.h>
#include <string.h>

#include "algorithms/catalogue/neighbor/neighbor.h"

int tutti_grid_step(const tutti_grid *grid, int rank, const int *distance, int dimensions, int sign)
{
  int stride = 1, result = rank;
  for (int d = grid->dimensions; d-- > 0;) {
    const int side = grid->sides[d], own = rank / stride % side;
    int there = own + (d < dimensions ? sign * distance[d] : 0);
    if (grid->periodic[d])
      there = ((there % side) + side) % side;
    if (there < 0 || there >= side)
      return -1;
    result += (there - own) * stride;
    stride *= side;
  }
  return result;
}

int tutti_grid_at(const tutti_grid *grid, int rank, const int *distance)
{
  return tutti_grid_step(grid, rank, distance, grid->dimensions, 1);
}

static int size_of(const tutti_grid *grid)
{
  int size = 1;
  for (int d = 0; d < grid->dimensions; d++)
    size *= grid->sides[d];
  return size;
}

bool tutti_grid_distances(const tutti_grid *grid, int rank, const int *ranks, int count, int *distances)
{
  const int size = size_of(grid);
  for (int i = 0; i < count; i++) {
    if (ranks[i] < 0 || ranks[i] >= size)
      return false;
    for (int d = grid->dimensions, stride = 1; d-- > 0; stride *= grid->sides[d]) {
      const int side = grid->sides[d];
      int distance = ranks[i] / stride % side - rank / stride % side;
      if (grid->periodic[d] && distance > side / 2)
        distance -= side;
      else if (grid->periodic[d] && distance < -(side - 1) / 2)
        distance += side;
      distances[(size_t)i * (size_t)grid->dimensions + (size_t)d] = distance;
    }
  }
  return true;
}

static int compare(const int *left, const int *right, int dimensions)
{
  for (int d = 0; d < dimensions; d++)
    if (left[d] != right[d])
      return left[d] < right[d] ? -1 : 1;
  return 0;
}

bool tutti_stencil_sort(int *distances, int count, int dimensions)
{
  const size_t bytes = (size_t)dimensions * sizeof *distances;
  int moved[TUTTI_MAX_DIMENSIONS];
  for (int i = 1; i < count; i++) { /* they are few */
    int place = i;
    memcpy(moved, distances + (size_t)i * (size_t)dimensions, bytes);
    for (; place > 0; place--) {
      int *before = distances + (size_t)(place - 1) * (size_t)dimensions;
      const int order = compare(before, moved, dimensions);
      if (order == 0)
        return false;
      if (order < 0)
        break;
      memcpy(before + dimensions, before, bytes);
    }
    memcpy(distances + (size_t)place * (size_t)dimensions, moved, bytes);
  }
  return true;
}

/* The slots of ranks that are sign times the distances of the stencil away. False: other ranks are among them, or one
   twice, or one lacks. */
static bool find_slots(const tutti_stencil *stencil, int rank, const int *ranks, int count, int sign, int *slots)
{
  int found = 0, given = 0;
  for (int i = 0; i < stencil->count; i++) {
    const int there =
        tutti_grid_step(&stencil->grid, rank, tutti_distance_at(stencil, i), stencil->grid.dimensions, sign);
    slots[i] = -1;
    for (int s = 0; s < count && there >= 0 && slots[i] < 0; s++)
      if (ranks[s] == there)
        slots[i] = s;
    if (there >= 0 && slots[i] < 0)
      return false;
    found += there >= 0;
  }
  for (int s = 0; s < count; s++)
    given += ranks[s] >= 0;
  return found == given;
}

bool tutti_stencil_fits(const tutti_stencil *stencil, int rank, const tutti_neighbors *neighbors, int *in_slots,
                        int *out_slots)
{
  return find_slots(stencil, rank, neighbors->sources, neighbors->in, -1, in_slots) &&
         find_slots(stencil, rank, neighbors->destinations, neighbors->out, 1, out_slots);
}

/* Whether there is a distance in that dimension alone, one way or the other. */
static bool has_single(const tutti_stencil *stencil, int dimension, int distance)
{
  for (int i = 0; i < stencil->count; i++) {
    const int *other = tutti_distance_at(stencil, i);
    bool single = abs(other[dimension]) == abs(distance);
    for (int d = 0; d < stencil->grid.dimensions; d++)
      single = single && (d == dimension || other[d] == 0);
    if (single)
      return true;
  }
  return false;
}

bool tutti_stencil_is_connected(const tutti_stencil *stencil)
{
  for (int i = 0; i < stencil->count; i++)
    for (int d = 0; d < stencil->grid.dimensions; d++)
      if (tutti_distance_at(stencil, i)[d] != 0 && !has_single(stencil, d, tutti_distance_at(stencil, i)[d]))
        return false;
  return true;
}

int tutti_stencil_messages(const tutti_stencil *stencil)
{
  int messages = 0;
  for (int d = 0; d < stencil->grid.dimensions; d++)
    for (int i = 0; i < stencil->count; i++) {
      const int distance = tutti_distance_at(stencil, i)[d];
      bool first = distance != 0;
      for (int j = 0; j < i; j++)
        first = first && tutti_distance_at(stencil, j)[d] != distance;
      messages += first;
    }
  return messages;
}
