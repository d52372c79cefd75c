/* A queue of events by time: a radix heap (Ahuja, Mehlhorn, Orlin, Tarjan 1990), as time never goes back. Events of
   equal time come out in the order in which they went in. */
#ifndef TUTTI_SCHEDULE_CALENDAR_H
#define TUTTI_SCHEDULE_CALENDAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct calendar_event {
  uint64_t time;
  uint32_t rank;
  uint32_t what; /* for the owner of the calendar */
};

/* Events whose time differs from now in bit i - 1, but in none above; bucket 0 holds those of now. */
struct calendar_bucket {
  struct calendar_event *events;
  size_t first, count, capacity;
};

enum { CALENDAR_BUCKETS = 65 };

struct calendar {
  uint64_t now;
  uint64_t popped;
  size_t bytes; /* held */
  struct calendar_bucket buckets[CALENDAR_BUCKETS];
};

/* Zero-initialize. Free with: */
void tutti_calendar_free(struct calendar *calendar);

/* event.time >= calendar->now. False if out of memory. */
bool tutti_calendar_push(struct calendar *calendar, struct calendar_event event);

/* The next event of the current time, or false. */
bool tutti_calendar_pop(struct calendar *calendar, struct calendar_event *event);

/* The event of now after @p ahead others; NULL if there are fewer. Valid until the next push. */
static inline const struct calendar_event *tutti_calendar_peek(const struct calendar *calendar, size_t ahead)
{
  const struct calendar_bucket *bucket = &calendar->buckets[0];
  return bucket->first + ahead < bucket->count ? &bucket->events[bucket->first + ahead] : NULL;
}

/* Advance to the time of the next event. False without events; sets *memory to false without memory. */
bool tutti_calendar_advance(struct calendar *calendar, bool *memory);

#endif
