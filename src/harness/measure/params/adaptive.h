/* Which message sizes to measure: powers of two, and between them where a straight line misses (after Kielmann, Bal,
   Verstoep 2000). No MPI. */
#ifndef TUTTI_MEASURE_ADAPTIVE_H
#define TUTTI_MEASURE_ADAPTIVE_H

#include <stddef.h>
#include <stdint.h>

#include "tutti/error.h"

/* Values measured of one size: gap, send overhead, receive overhead. */
enum { ADAPTIVE_VALUES = 3 };

struct adaptive_point {
  uint64_t bytes;
  double values[ADAPTIVE_VALUES]; /* seconds */
};

/* An interval is halved no further than to a sixteenth of its lower end, or to this. */
enum { ADAPTIVE_MIN_BYTES = 16, ADAPTIVE_PARTS = 16 };

/* A noisy size is measured again, at most this many times. */
enum { ADAPTIVE_TRIES = 3 };

struct adaptive {
  uint64_t largest; /* size to end with */
  double tolerance; /* by which the line may miss in the middle of an interval, relative to the largest value there */
  /* Measures one size; any status except TUTTI_OK ends the search. */
  tutti_status (*measure)(void *context, uint64_t bytes, double values[ADAPTIVE_VALUES], tutti_error *error);
  void *context;
  struct adaptive_point *points; /* ascending; owned, free() */
  size_t count;
  size_t capacity;
};

/* Measure 0, 1, 2, 4, ... and largest, then the middle of each interval, which becomes a point where it is missed.
   A size is measured again if the next larger one takes less time, or if it misses; the shortest times stay. */
tutti_status adaptive_run(struct adaptive *adaptive, tutti_error *error);

#endif
