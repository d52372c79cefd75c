/* Sides of a torus or of levels as one number, and the facts about a machine for a method. */
#include <stdio.h>
#include <string.h>

#include "tutti/algorithm.h"

enum { SIDE_BITS = 10 };

int tutti_sides_pack(const int *sides, int count)
{
  int k = 0;
  for (int d = count - 1; d >= 0; d--)
    k = k << SIDE_BITS | sides[d];
  return k;
}

int tutti_sides_unpack(int k, int sides[TUTTI_MAX_SIDES])
{
  int count = 0;
  for (; k > 0 && count < TUTTI_MAX_SIDES; k >>= SIDE_BITS)
    sides[count++] = k & TUTTI_MAX_SIDE;
  return count;
}

char *tutti_sides_format(int k, char text[TUTTI_SIDES_LENGTH])
{
  int sides[TUTTI_MAX_SIDES], count = tutti_sides_unpack(k, sides), used = 0;
  text[0] = '\0';
  for (int d = 0; d < count; d++)
    used += snprintf(text + used, TUTTI_SIDES_LENGTH - (size_t)used, "%s%d", d ? "x" : "", sides[d]);
  return text;
}

int tutti_torus_box(const tutti_places *places, int ranks)
{
  int hosts[TUTTI_MAX_SIDES], sides[1 + TUTTI_MAX_SIDES] = {1}, count = 0, left = ranks;
  const int dimensions = tutti_sides_unpack(places->torus, hosts);
  if (dimensions == 0)
    return 0;
  for (int d = -1; d < dimensions && left > 1; d++) {
    const int whole = d < 0 ? places->ranks_per_host : hosts[d], side = left < whole ? left : whole;
    if (left % side != 0)
      return 0;
    left /= side;
    if (side > 1)
      sides[count++] = side;
  }
  if (count > TUTTI_MAX_SIDES) {
    sides[0] *= sides[1];
    memmove(&sides[1], &sides[2], (size_t)(--count - 1) * sizeof *sides);
  }
  return left == 1 && sides[0] <= TUTTI_MAX_SIDE ? tutti_sides_pack(sides, count > 0 ? count : 1) : 0;
}

void tutti_method_tell(tutti_method *method, const tutti_places *places, int ranks)
{
  const unsigned needs = method->parameters.k > 0 || tutti_method_is_library(method) ? 0 : method->algorithm->domain;
  if (needs & TUTTI_NEEDS_NODES && places->ranks_per_node > 1)
    method->parameters.k = places->ranks_per_node;
  if (needs & TUTTI_NEEDS_LEVELS)
    method->parameters.k = places->levels;
  if (needs & TUTTI_NEEDS_TORUS)
    method->parameters.k = tutti_torus_box(places, ranks);
}

bool tutti_method_needs_places(const tutti_method *method)
{
  return method->algorithm->domain & (TUTTI_NEEDS_NODES | TUTTI_NEEDS_LEVELS) && method->parameters.k < 1;
}
