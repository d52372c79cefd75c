/* SELECT in a stretch of a bit vector, where it is known to be, and for many at once. */
#ifndef TUTTI_GROUPS_MAPS_BITS_WINDOW_H
#define TUTTI_GROUPS_MAPS_BITS_WINDOW_H

#include "maps/bits.h"

/* Where the index-th (from 0, counted from bit 0 on) bit equal to @p bit is, which must be in from .. to - 1;
 * O(log((to - from) / MAP_BLOCK_BITS)). */
uint64_t tutti_map_bits_window_select(const struct map_bits *bits, bool bit, uint64_t index, uint64_t from,
                                      uint64_t to);

/* The same for indices[0] < ... < indices[count - 1] in turn, replaced by the places; bits between near ones are looked
 * at only once. */
void tutti_map_bits_window_ascending(const struct map_bits *bits, bool bit, uint64_t from, uint64_t to,
                                     uint64_t *indices, int count);

#endif
