/* The scenarios of a profile: what its calls take, and all else as it was recorded. */
#include <math.h>

#include "cli/forecast/forecast.h"

/* The same calls, to be priced on another machine. Owned by the caller: tutti_vector_free() of the items. */
static struct program_profile copy_calls(const struct program_profile *calls)
{
  struct program_profile copy = *calls;
  copy.items.count = copy.items.capacity = 0;
  copy.items.items = NULL;
  for (size_t i = 0; i < calls->items.count; i++)
    tutti_xpush(&copy.items, calls->items.items[i]);
  return copy;
}

/* Seconds of all ranks in calls of a kind, without the waiting: as priced, else as recorded. */
static double seconds_of(const struct profile_calls *calls, bool best)
{
  return calls->known ? (double)calls->calls * (best ? calls->best_s : calls->untuned_s)
                      : fmax(0, calls->total - calls->waiting);
}

static void fill(const struct forecast *forecast, const struct program_profile *calls, bool best,
                 struct forecast_scenario *scenario)
{
  const double ranks = calls->ranks, slower = forecast->machines.items[0].speed / scenario->machine->speed;
  double listed = 0;
  for (size_t i = 0; i < calls->items.count; i++) {
    const struct profile_calls *each = &calls->items.items[i];
    scenario->parts[each->collective] += seconds_of(each, best) / ranks;
    scenario->parts[FORECAST_WAITING] += each->waiting / ranks;
    listed += each->total / ranks;
  }
  const double inside = fmax(listed, calls->collectives / ranks);
  scenario->parts[FORECAST_COMPUTATION] = fmax(0, calls->elapsed - inside) * slower;
  scenario->parts[FORECAST_REST] = inside - listed; /* calls that are in no line of the profile */
  for (int p = 0; p < FORECAST_PARTS; p++)
    scenario->seconds += scenario->parts[p];
}

static bool is_same(const struct forecast_scenario *left, const struct forecast_scenario *right)
{
  return memcmp(left->parts, right->parts, sizeof left->parts) == 0;
}

static void price_edits(struct forecast *forecast)
{
  for (size_t i = 1; i < forecast->machines.count; i++) {
    struct forecast_machine *machine = &forecast->machines.items[i];
    struct program_profile calls = copy_calls(&forecast->calls);
    forecast_price(forecast, machine, &calls, false);
    struct forecast_scenario *scenario = forecast_add(forecast, FORECAST_EDIT, machine, tutti_xstrdup(machine->change));
    fill(forecast, &calls, false, scenario);
    if (i <= forecast->options->edits.count && is_same(scenario, &forecast->scenarios.items[0]))
      tutti_xpush(&forecast->notes,
                  tutti_xprintf("warning: %s changes no time of this program, to the last digit: none of its calls, as "
                                "they are priced, uses what it changes",
                                machine->change));
    tutti_vector_free(&calls.items);
  }
}

static void add_both(struct forecast *forecast)
{
  struct forecast_machine *machine = &forecast->machines.items[forecast->machines.count - 1];
  struct program_profile calls = copy_calls(&forecast->calls);
  forecast_price(forecast, machine, &calls, true);
  fill(forecast, &calls, true, forecast_add(forecast, FORECAST_BOTH, machine, tutti_xstrdup("both")));
  tutti_vector_free(&calls.items);
}

static void note_profile(struct forecast *forecast)
{
  const struct program_profile *calls = &forecast->calls;
  if (calls->cut)
    tutti_xpush(&forecast->notes, tutti_xprintf("warning: %s", calls->cut));
  tutti_xpush(&forecast->notes,
              tutti_xstrdup("A profile has no messages of the program itself and no order of the calls: these messages "
                            "are among the computation, and waiting is as recorded. A trace (TUTTI_TRACE=FILE) has "
                            "both"));
}

void forecast_by_profile(struct forecast *forecast)
{
  struct forecast_machine *machine = &forecast->machines.items[0];
  forecast_price(forecast, machine, &forecast->calls, true);
  fill(forecast, &forecast->calls, false, forecast_add(forecast, FORECAST_HERE, machine, tutti_xstrdup("as it is")));
  price_edits(forecast);
  fill(forecast, &forecast->calls, true,
       forecast_add(forecast, FORECAST_METHODS, machine, tutti_xstrdup("best methods")));
  if (forecast->machines.count > 1)
    add_both(forecast);
  forecast_add_twice(forecast);
  note_profile(forecast);
}
