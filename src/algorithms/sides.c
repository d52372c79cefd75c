/* Sides of a torus or of levels as one number, and what a method is told of a machine. */
#include <stdio.h>

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

void tutti_method_tell(tutti_method *method, int ranks_per_node, int levels)
{
  const unsigned needs = tutti_method_is_library(method) ? 0 : method->algorithm->domain;
  if (needs & TUTTI_NEEDS_NODES && method->parameters.k < 1 && ranks_per_node > 1)
    method->parameters.k = ranks_per_node;
  if (needs & TUTTI_NEEDS_LEVELS && method->parameters.k < 1)
    method->parameters.k = levels;
}

bool tutti_method_needs_places(const tutti_method *method)
{
  return method->algorithm->domain & (TUTTI_NEEDS_NODES | TUTTI_NEEDS_LEVELS) && method->parameters.k < 1;
}
