/* How many bytes the operations of a launch need. Knows no MPI, so that it is tested without it. */
#ifndef TUTTI_MEASURE_ROOM_H
#define TUTTI_MEASURE_ROOM_H

#include "measure/points.h"

/* Bytes of the two buffers of a rank. */
struct room {
  uint64_t input, output;
};

/* What one rank needs for a point on `ranks` ranks, which tutti_room_check() admitted. */
struct room tutti_room_of(const struct point *point, int ranks, int rank);

/* What one rank needs for the largest of all points. */
struct room tutti_room_of_all(const struct points *points, int ranks, int rank);

/*
 * Can the points be measured on `ranks` ranks? TUTTI_ERR_ARGUMENT names a point whose blocks are more than memory can
 * address, or whose counts and displacements, which the irregular forms hand over as int, are more than that type
 * holds.
 */
tutti_status tutti_room_check(const struct points *points, int ranks, tutti_error *error);

/* Bytes that the buffers of `ranks` ranks take together where `sharing` of them, the roots first, share a memory;
   UINT64_MAX if that is more than a number holds. */
uint64_t tutti_room_together(const struct points *points, int ranks, int sharing);

#endif
