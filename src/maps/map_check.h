/* Checks of members, for lists that become maps and for maps that were read. */
#ifndef TUTTI_GROUPS_MAPS_MAP_CHECK_H
#define TUTTI_GROUPS_MAPS_MAP_CHECK_H

#include "maps/map_private.h"

/* TUTTI_ERR_UNSUPPORTED if the kind is not built. */
tutti_status tutti_map_operations_of(tutti_map_kind kind, const struct map_operations **operations, tutti_error *error);

/* That @p members are distinct and within the world. @p ordered receives whether they ascend. O(n) time if they ascend
 * or descend, else O(n log n) time and 4n bytes. */
tutti_status tutti_map_check_members(const int *members, int size, int world, bool *ordered, tutti_error *error);

/* The same of what SELECT gives; RANK is not asked. */
tutti_status tutti_map_check_select(const tutti_map *map, bool *ordered, tutti_error *error);

#endif
