/* The start of an operation in simulation: all ranks must be there at a date that rank 0 chooses and sends, which takes
   longer on slower networks. SMPI (measure/coordinate.c) and the fast engine (engine/script.c) follow the same rule, so
   that their times stay equal to the last digit. */
#ifndef TUTTI_BASE_MEETING_H
#define TUTTI_BASE_MEETING_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Seconds of notice for the first start; after a start that was missed it is doubled. */
#define MEETING_NOTICE 0.25

/* Starts are whole seconds from 2^14 on. In [2^14 s, 2^15 s) times of floating point have one spacing, 3.6e-12 s, far
   below the nanosecond resolution of SimGrid: a measurement is the same to the last bit, independent of earlier ones.
   From 2^23 s on the spacing exceeds a nanosecond. */
#define MEETING_FIRST 0x1p14
#define MEETING_LATER 0x1p15
#define MEETING_LAST  0x1p23

/* Arguments: the date and the notice. */
#define MEETING_TOO_LATE                                                                                               \
  "with %2$g s of notice not all ranks know when to start, and %1$.10g s of simulated time is too late for another "   \
  "try: the messages of this platform take too long (latency, bandwidth, overhead)"

enum meeting_outcome { MEETING_OPEN, MEETING_MET, MEETING_MISSED };

struct meeting {
  double start;
  uint32_t arrived; /* ranks that know it */
  enum meeting_outcome outcome;
};

static inline double meeting_next(double now, double notice)
{
  return fmax(MEETING_FIRST, ceil(now + notice));
}

/* A rank has come, at the start or after it. The first one decides for all: whether all received the date in time. */
static inline bool meeting_met(struct meeting *meeting, uint32_t ranks)
{
  if (meeting->outcome == MEETING_OPEN)
    meeting->outcome = meeting->arrived == ranks ? MEETING_MET : MEETING_MISSED;
  return meeting->outcome == MEETING_MET;
}

#endif
