#include "groups/directory.h"

#include <stdint.h>

struct tree_place tutti_place_by_level(int size, int k, int rank)
{
  int64_t first = (int64_t)k * rank + 1;
  int64_t children = size - first < k ? size - first : k;
  return (struct tree_place){.parent = rank == 0 ? -1 : (rank - 1) / k,
                             .child_count = children > 0 ? (int)children : 0,
                             .first_child = children > 0 ? (int)first : 0,
                             .step = 1};
}

static struct tree_place subtree(int first, int size, int k, int parent)
{
  return (struct tree_place){.parent = parent,
                             .child_count = size - 1 < k ? size - 1 : k,
                             .first_child = first + 1,
                             .step = (size - 1) / k,
                             .longer = (size - 1) % k};
}

struct tree_place tutti_place_by_range(int size, int k, int rank)
{
  int first = 0;
  struct tree_place place = subtree(first, size, k, -1);
  while (first != rank) {
    int child = tutti_place_child_index(&place, rank);
    int parent = first;
    first = tutti_place_child(&place, child);
    size = place.step + (child < place.longer);
    place = subtree(first, size, k, parent);
  }
  return place;
}

int tutti_place_child(const struct tree_place *place, int index)
{
  return place->first_child + index * place->step + (index < place->longer ? index : place->longer);
}

/* By range: the child in whose subtree the rank is. */
int tutti_place_child_index(const struct tree_place *place, int rank)
{
  int offset = rank - place->first_child, in_longer = place->longer * (place->step + 1);
  return offset < in_longer ? offset / (place->step + 1) : place->longer + (offset - in_longer) / place->step;
}
