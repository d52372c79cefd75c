/* When actions end: a heap by date. Of equal dates the one set first comes first, as in SimGrid: a date that is set
   anew comes after all others of the same date, even if it has not changed. */
#ifndef TUTTI_ENGINE_DATES_H
#define TUTTI_ENGINE_DATES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/engine/core/numbers.h"

/* Events less than this apart happen together, at the earlier date: SimGrid's surf/precision, in seconds. */
#define ENGINE_INSTANT 1e-9

struct engine_date {
  double date; /* seconds */
  uint64_t serial;
  uint32_t action;
};

/* Where an action is in the heap, and its date, which may be later than in the heap: most dates are put off again and
   again before they come, and only the last one is needed when the action is at the top. */
struct engine_dated {
  double date;
  uint64_t serial;
  uint32_t place; /* ENGINE_NONE: no date */
};

struct engine_dates {
  TUTTI_VECTOR(struct engine_date); /* the heap */
  struct engine_dated *actions;     /* [action_capacity] */
  uint32_t action_capacity;
  uint64_t serial;
};

void tutti_dates_free(struct engine_dates *dates);

/* Set the date of an action, whether it had one or not. */
void tutti_dates_set(struct engine_dates *dates, uint32_t action, double date);

/* The earliest date, or NULL. */
const struct engine_date *tutti_dates_first(struct engine_dates *dates);

/* Take away the earliest. There is one. */
uint32_t tutti_dates_pop(struct engine_dates *dates);

/* Seconds until the earliest date; infinite without one. */
static inline double engine_dates_next(struct engine_dates *dates, double now)
{
  const struct engine_date *first = tutti_dates_first(dates);
  return first ? first->date - now : INFINITY;
}

/* Whether the earliest date is due. */
static inline int engine_dates_due(struct engine_dates *dates, double now)
{
  const struct engine_date *first = tutti_dates_first(dates);
  return first && fabs(first->date - now) < ENGINE_INSTANT;
}

#endif
