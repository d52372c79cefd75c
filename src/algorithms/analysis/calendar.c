#include "algorithms/analysis/calendar.h"

#include <stdlib.h>

void tutti_calendar_free(struct calendar *calendar)
{
  for (int i = 0; i < CALENDAR_BUCKETS; i++)
    free(calendar->buckets[i].events);
  *calendar = (struct calendar){0};
}

static bool make_room(struct calendar *calendar, struct calendar_bucket *bucket)
{
  size_t capacity = bucket->capacity ? 2 * bucket->capacity : 64;
  struct calendar_event *events = realloc(bucket->events, capacity * sizeof *events);
  if (!events)
    return false;
  calendar->bytes += (capacity - bucket->capacity) * sizeof *events;
  bucket->events = events;
  bucket->capacity = capacity;
  return true;
}

bool tutti_calendar_push(struct calendar *calendar, struct calendar_event event)
{
  uint64_t difference = event.time ^ calendar->now;
  struct calendar_bucket *bucket = &calendar->buckets[difference ? 64 - __builtin_clzll(difference) : 0];
  if (bucket->count == bucket->capacity && !make_room(calendar, bucket))
    return false;
  bucket->events[bucket->count++] = event;
  return true;
}

bool tutti_calendar_pop(struct calendar *calendar, struct calendar_event *event)
{
  struct calendar_bucket *bucket = &calendar->buckets[0];
  if (bucket->first == bucket->count) {
    bucket->first = bucket->count = 0;
    return false;
  }
  *event = bucket->events[bucket->first++];
  calendar->popped++;
  return true;
}

static uint64_t earliest(const struct calendar_bucket *bucket)
{
  uint64_t least = UINT64_MAX;
  for (size_t i = 0; i < bucket->count; i++)
    if (bucket->events[i].time < least)
      least = bucket->events[i].time;
  return least;
}

bool tutti_calendar_advance(struct calendar *calendar, bool *memory)
{
  int i = 1;
  while (i < CALENDAR_BUCKETS && calendar->buckets[i].count == 0)
    i++;
  if (i == CALENDAR_BUCKETS)
    return false;
  struct calendar_bucket *bucket = &calendar->buckets[i];
  calendar->now = earliest(bucket);
  for (size_t e = 0; e < bucket->count; e++) /* each goes into a lower bucket: they share the highest bit of i */
    if (!tutti_calendar_push(calendar, bucket->events[e]))
      return *memory = false;
  bucket->count = 0;
  return true;
}
