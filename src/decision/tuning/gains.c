#include <math.h>
#include <string.h>

#include "decision/maps/map.h"
#include "decision/tuning/tuning.h"

/* ---- times between measured sizes ---- */

/* A size between two that were measured, or one of them. */
struct place {
  int ranks_index, low, high; /* indices of sizes, the same if the size was measured */
  double share;               /* of the way from low to high, in the logarithm */
};

static bool find_place(const tutti_decision_map *map, int ranks, uint64_t size, struct place *place)
{
  *place = (struct place){.ranks_index = -1, .low = -1, .high = -1};
  for (int r = 0; r < map->ranks_count; r++)
    if (map->ranks[r] == ranks)
      place->ranks_index = r;
  for (int s = 0; s < map->size_count; s++) {
    if (map->sizes[s] <= size)
      place->low = s;
    if (map->sizes[s] >= size && place->high < 0)
      place->high = s;
  }
  if (place->ranks_index < 0 || place->low < 0 || place->high < 0)
    return false;
  const double low = log((double)map->sizes[place->low] + 1), high = log((double)map->sizes[place->high] + 1);
  place->share = place->low == place->high ? 0 : (log((double)size + 1) - low) / (high - low);
  return true;
}

/* Seconds there, linear in the logarithms; NaN if one of both is not known. */
static double time_at(const tutti_decision_map *map, const struct place *place, const tutti_method *method)
{
  const double low = tutti_decision_map_serving_time(map, place->ranks_index, place->low, method),
               high = tutti_decision_map_serving_time(map, place->ranks_index, place->high, method);
  return place->low == place->high ? low : exp((1 - place->share) * log(low) + place->share * log(high));
}

/* Relative: half of a 95 % interval, or of the spread of the orders of start. */
static double noise_at(const tutti_decision_map *map, const struct place *place, const tutti_method *method)
{
  const int m = tutti_decision_map_serving(map, place->ranks_index, place->low, method);
  if (m < 0)
    return 0;
  const double time = tutti_decision_map_time(map, place->ranks_index, place->low, m);
  return time > 0 ? map->noise[tutti_decision_map_cell(map, place->ranks_index, place->low, m)] / time : 0;
}

/* ---- which methods ---- */

/* What the program ran: a method of Tutti's, or the library's own choice: as it was measured, else as its rules say. */
static bool find_untuned(const tutti_decision_map *map, const tutti_decision *rules, const struct profile_calls *calls,
                         tutti_method *method)
{
  const int native = tutti_decision_map_native(map);
  const tutti_question question = {calls->collective, calls->ranks, 0, calls->size};
  if (strcmp(calls->method, "native") != 0)
    return tutti_method_parse(calls->method, method, NULL) == TUTTI_OK;
  if (native >= 0)
    *method = map->methods[native];
  return native >= 0 || (rules->decide && rules->decide(rules, &question, method));
}

static double find_best(const tutti_decision_map *map, const struct place *place, tutti_method *best)
{
  double least = INFINITY;
  for (int m = 0; m < map->method_count; m++) {
    if (!tutti_candidates_have(&map->candidates, &map->methods[m]) ||
        isnan(tutti_decision_map_time(map, place->ranks_index, place->low, m)))
      continue;
    const double time = time_at(map, place, &map->methods[m]);
    if (time < least) {
      least = time;
      *best = map->methods[m];
    }
  }
  return least;
}

/* ---- gains ---- */

/* The time of the calls beyond the waiting for the last rank falls as the times of the methods do. The interval has the
   noise of these times, and what is not known of the waiting: all of it, or two standard errors of its samples. */
static void set_gain(struct profile_calls *calls, double noise)
{
  const double ratio = calls->best_s / calls->untuned_s,
               doubt = calls->samples ? 2 / sqrt((double)calls->samples) * calls->waiting : calls->total,
               most_waiting = fmin(calls->total, calls->waiting + doubt),
               least_waiting = fmax(0, calls->waiting - doubt);
  calls->gain = fmax(0, (calls->total - calls->waiting) * (1 - ratio));
  calls->least_gain = fmax(0, (calls->total - most_waiting) * (1 - ratio * (1 + noise)));
  calls->most_gain = fmax(0, (calls->total - least_waiting) * (1 - ratio * (1 - noise)));
}

/* Note whether the ranks are on another number of nodes than those of the map. Unknown for a profile without nodes. */
static void compare_layout(struct program_profile *profile, const struct profile_layout *layout,
                           const struct profile_calls *calls)
{
  const int nodes = (calls->ranks + layout->ranks_per_node - 1) / layout->ranks_per_node;
  if (calls->nodes != nodes && calls->nodes * profile->ranks_per_node >= calls->ranks &&
      (!profile->elsewhere.calls || calls->total > profile->elsewhere.calls->total)) {
    profile->elsewhere = *layout;
    profile->elsewhere.calls = calls;
  }
}

static void weigh(const tutti_decision_map *map, const tutti_decision *rules, struct profile_calls *calls)
{
  struct place place;
  if (!find_place(map, calls->ranks, calls->size, &place) || !find_untuned(map, rules, calls, &calls->untuned))
    return;
  calls->untuned_s = time_at(map, &place, &calls->untuned);
  calls->best_s = find_best(map, &place, &calls->best);
  if (!(calls->untuned_s > 0) || !isfinite(calls->best_s))
    return;
  calls->known = true;
  if (calls->best_s >= calls->untuned_s) { /* what runs is the best */
    calls->best_s = calls->untuned_s;
    calls->best = calls->untuned;
  }
  set_gain(calls, hypot(noise_at(map, &place, &calls->untuned), noise_at(map, &place, &calls->best)));
}

void tutti_profile_weigh(struct program_profile *profile, const tutti_decision_map *map, const tutti_decision *rules,
                         const struct profile_layout *layout)
{
  for (size_t i = 0; i < profile->items.count; i++) {
    struct profile_calls *calls = &profile->items.items[i];
    if (calls->collective != map->collective || !tutti_calls_can_be_judged(calls))
      continue;
    weigh(map, rules, calls);
    if (calls->known)
      compare_layout(profile, layout, calls);
  }
}
