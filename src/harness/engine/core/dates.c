#include "harness/engine/core/dates.h"

#include <stdbool.h>

#include "base/memory.h"

enum { ARITY = 4 };

static bool before(const struct engine_date *a, const struct engine_date *b)
{
  return a->date < b->date || (a->date == b->date && a->serial < b->serial);
}

static void place_date(struct engine_dates *dates, size_t place, struct engine_date date)
{
  dates->items[place] = date;
  dates->actions[date.action].place = (uint32_t)place;
}

static void rise(struct engine_dates *dates, size_t place, struct engine_date date)
{
  while (place > 0) {
    size_t parent = (place - 1) / ARITY;
    if (!before(&date, &dates->items[parent]))
      break;
    place_date(dates, place, dates->items[parent]);
    place = parent;
  }
  place_date(dates, place, date);
}

static size_t earliest_child(const struct engine_dates *dates, size_t place)
{
  size_t first = ARITY * place + 1, last = first + ARITY < dates->count ? first + ARITY : dates->count, best = first;
  for (size_t child = first + 1; child < last; child++)
    if (before(&dates->items[child], &dates->items[best]))
      best = child;
  return best;
}

static void sink(struct engine_dates *dates, size_t place, struct engine_date date)
{
  while (ARITY * place + 1 < dates->count) {
    size_t child = earliest_child(dates, place);
    if (!before(&dates->items[child], &date))
      break;
    place_date(dates, place, dates->items[child]);
    place = child;
  }
  place_date(dates, place, date);
}

/* Actions are numbered from 0 without large gaps. */
static void reach(struct engine_dates *dates, uint32_t action)
{
  if (action < dates->action_capacity)
    return;
  uint32_t capacity = dates->action_capacity ? dates->action_capacity : 64;
  while (capacity <= action)
    capacity *= 2;
  dates->actions = tutti_xrealloc(dates->actions, capacity * sizeof *dates->actions);
  for (uint32_t i = dates->action_capacity; i < capacity; i++)
    dates->actions[i] = (struct engine_dated){.place = ENGINE_NONE};
  dates->action_capacity = capacity;
}

void tutti_dates_set(struct engine_dates *dates, uint32_t action, double date)
{
  const struct engine_date item = {.date = date, .serial = dates->serial++, .action = action};
  reach(dates, action);
  struct engine_dated *dated = &dates->actions[action];
  dated->date = date;
  dated->serial = item.serial;
  if (dated->place == ENGINE_NONE) {
    engine_push(dates, item);
    rise(dates, dates->count - 1, item);
  } else if (before(&item, &dates->items[dated->place]))
    rise(dates, dated->place, item);
}

const struct engine_date *tutti_dates_first(struct engine_dates *dates)
{
  while (dates->count > 0) {
    const struct engine_date first = dates->items[0];
    const struct engine_dated *dated = &dates->actions[first.action];
    if (dated->serial == first.serial)
      return dates->items;
    sink(dates, 0, (struct engine_date){.date = dated->date, .serial = dated->serial, .action = first.action});
  }
  return NULL;
}

uint32_t tutti_dates_pop(struct engine_dates *dates)
{
  const uint32_t action = tutti_dates_first(dates)->action;
  const struct engine_date last = dates->items[--dates->count];
  dates->actions[action].place = ENGINE_NONE;
  if (dates->count > 0)
    sink(dates, 0, last);
  return action;
}

void tutti_dates_free(struct engine_dates *dates)
{
  tutti_vector_free(dates);
  free(dates->actions);
  *dates = (struct engine_dates){0};
}
