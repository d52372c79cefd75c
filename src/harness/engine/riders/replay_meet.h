/* Who waits for whom: the time in a call until the last rank of its communicator has come. */
#ifndef TUTTI_ENGINE_REPLAY_MEET_H
#define TUTTI_ENGINE_REPLAY_MEET_H

#include <stdint.h>

#include "base/vector.h"

/* One call of a communicator. */
struct meeting {
  uint32_t came, gone; /* ranks */
  double last;         /* when the latest came */
};

/* Those of a communicator that not all ranks have left. Zero-initialize; tutti_meetings_free(). */
struct meetings {
  TUTTI_VECTOR(struct meeting);
  uint64_t first;  /* number of the first item */
  uint32_t *calls; /* [size] of each rank so far; owned */
};

/* Rank @p rank of @p size begins its next call: returns the number of the call. */
uint64_t tutti_meetings_come(struct meetings *meetings, uint32_t size, uint32_t rank, double now);

/* A rank that came at @p began leaves a call. Returns how long it was there before the last rank came. */
double tutti_meetings_go(struct meetings *meetings, uint32_t size, uint64_t call, double began, double now);

void tutti_meetings_free(struct meetings *meetings);

#endif
