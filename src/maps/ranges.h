/* Consecutive ranges, each with a stride of its own. */
#ifndef TUTTI_GROUPS_MAPS_RANGES_H
#define TUTTI_GROUPS_MAPS_RANGES_H

#include "maps/map_private.h"

struct map_piece {
  int first, stride; /* the stride may be negative where the group is not ordered */
};

struct map_ranges {
  tutti_map map;
  int count;
  double pieces_per_rank;
  int *before; /* [count + 1] members of the ranges before, at last all */
  struct map_piece *pieces;
  int *ascending; /* [count] ranges by their members; NULL: as they are */
};

/* Without contents. NULL: no memory. */
struct map_ranges *tutti_map_ranges_make(int count, bool ascending);
void tutti_map_ranges_free(tutti_map *map);

/* Fill in the order of the ranges. False if the members of one lie between those of another. */
bool tutti_map_ranges_order(struct map_ranges *ranges);

void tutti_map_ranges_write(const tutti_map *map, FILE *stream);
tutti_status tutti_map_ranges_read(struct map_reader *reader, int size, int world, tutti_map **map, tutti_error *error);

#endif
