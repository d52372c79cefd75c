/* What permuted.c looks up and permuted_make.c makes. */
#ifndef TUTTI_GROUPS_MAPS_PERMUTED_H
#define TUTTI_GROUPS_MAPS_PERMUTED_H

#include "maps/wavelet.h"

struct permuted {
  tutti_map map;
  tutti_map *set;       /* ordered, never TUTTI_MAP_PERMUTED; its common part filled in */
  struct wavelet order; /* rank -> rank in the set */
};

tutti_status tutti_map_permuted_create(const int *members, int size, int world, const tutti_map_limits *limits,
                                       tutti_map **map, tutti_error *error);
tutti_status tutti_map_permuted_read(struct map_reader *reader, int size, int world, tutti_map **map,
                                     tutti_error *error);

#endif
