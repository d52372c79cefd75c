/* The best method that a target knows, judged by measurements. */
#ifndef TUTTI_DECISION_TARGETS_NATIVE_H
#define TUTTI_DECISION_TARGETS_NATIVE_H

#include "tutti/target.h"

/* Points of a map: indices from first to last, inclusive. */
struct native_points {
  int first_ranks, last_ranks, first_size, last_size;
};

/* All points of a map. */
struct native_points tutti_native_everywhere(const tutti_decision_map *map);

/* The points of messages from `bytes` up to before `end` at the measured communicator size nearest to `ranks`; if there
   is none, the one of the size nearest to `bytes`. */
struct native_points tutti_native_points_of(const tutti_decision_map *map, int ranks, uint64_t bytes, uint64_t end);

/* Index into the map's methods of the one that the target knows with the least sum of penalties over the points; one
   measured at more of them goes first. -1 if the target knows none of the measured ones. */
int tutti_native_best(const tutti_target *target, const tutti_decision_map *map, const struct native_points *points,
                      int ranks);

/* Count the points of the map that are answered, those at which another method stands, and the penalties. */
tutti_status tutti_handover_count_loss(tutti_handover *handover, tutti_error *error);

#endif
