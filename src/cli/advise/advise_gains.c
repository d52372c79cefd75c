/* What is gained at each of the calls of a profile. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cli/advise/advise.h"

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
static bool find_untuned(const struct measured_map *measured, const tutti_decision *rules,
                         const struct advise_calls *calls, tutti_method *method)
{
  const tutti_decision_map *map = &measured->map;
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
static void set_gain(struct advise_calls *calls, double noise)
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
static void compare_layout(struct advise_profile *profile, const struct advise_layout *layout,
                           const struct advise_calls *calls)
{
  const int nodes = (calls->ranks + layout->ranks_per_node - 1) / layout->ranks_per_node;
  if (calls->nodes != nodes && calls->nodes * profile->ranks_per_node >= calls->ranks &&
      (!profile->elsewhere.calls || calls->total > profile->elsewhere.calls->total)) {
    profile->elsewhere = *layout;
    profile->elsewhere.calls = calls;
  }
}

static void weigh(const struct measured_map *measured, const tutti_decision *rules, struct advise_calls *calls)
{
  struct place place;
  const tutti_decision_map *map = &measured->map;
  if (!find_place(map, calls->ranks, calls->size, &place) || !find_untuned(measured, rules, calls, &calls->untuned))
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

/* The rules of the library of this flavor, as those of the newest release that we know; NULL: nobody knows them. */
static const char *rules_of(const char *flavor)
{
  const char *name, *found = NULL;
  char prefix[TUTTI_RECORD_WORD + 16];
  snprintf(prefix, sizeof prefix, "library:%s-", flavor);
  for (size_t i = 0; !found && (name = tutti_library_name(i)); i++)
    if (strncmp(name, prefix, strlen(prefix)) == 0 && !tutti_library_is_former(name))
      found = name;
  return found;
}

/* What decides for the calls that the library served itself; nothing where it has no rule for the collective. */
static tutti_status read_rules(const struct advise_options *options, const struct advise_profile *profile,
                               tutti_collective collective, tutti_decision *rules, tutti_error *error)
{
  const char *name = options->untuned ? options->untuned : rules_of(profile->flavor);
  bool decides = false;
  *rules = (tutti_decision){.name = NULL};
  const tutti_status status = name ? decision_argument_read_for(name, collective, rules, &decides, error) : TUTTI_OK;
  if (!decides)
    *rules = (tutti_decision){.name = NULL};
  return status;
}

/* In place of a method other forms have the name of the form: nonblocking, ..., and the method after a comma. */
bool advise_is_blocking(const struct advise_calls *calls)
{
  return strcmp(calls->method, "native") == 0 || (strchr(calls->method, '/') && !strchr(calls->method, ','));
}

bool advise_can_judge(const struct advise_calls *calls)
{
  return advise_is_blocking(calls) && calls->ranks > 1 &&
         !(tutti_collective_traits(calls->collective) & TUTTI_COUNTS_ARE_LOCAL);
}

/* Where the times of a map are from. Of a real node, a simulated one may have several hosts, one for each card. */
static struct advise_layout layout_of(const struct selection_options *selection, const struct advise_profile *profile,
                                      const struct measured_map *measured)
{
  struct advise_layout layout = {.ranks_per_node = measured->ranks_per_node,
                                 .simulated = tutti_flavor_is_simulated(measured->flavor)};
  tutti_platform platform;
  if (layout.simulated && !tutti_flavor_is_simulated(profile->flavor) &&
      platform_load(selection->platform_argument, &platform, NULL) == TUTTI_OK) {
    layout.ranks_per_node *= platform.hosts_per_node;
    tutti_platform_free(&platform);
  }
  return layout;
}

static void weigh_all(const struct selection_options *selection, struct advise_profile *profile,
                      const struct measured_map *measured, const tutti_decision *rules)
{
  const struct advise_layout layout = layout_of(selection, profile, measured);
  for (size_t i = 0; i < profile->items.count; i++) {
    struct advise_calls *calls = &profile->items.items[i];
    if (calls->collective != measured->map.collective || !advise_can_judge(calls))
      continue;
    weigh(measured, rules, calls);
    if (calls->known)
      compare_layout(profile, &layout, calls);
  }
}

static tutti_status weigh_collective(const struct advise_options *options, const struct selection_options *selection,
                                     struct advise_profile *profile, tutti_collective collective, tutti_error *error)
{
  struct measured_map measured;
  tutti_decision rules;
  tutti_status status = read_rules(options, profile, collective, &rules, error);
  if (status != TUTTI_OK)
    return status;
  status = selection_read_map(selection, collective, &measured, error);
  if (status == TUTTI_OK) {
    weigh_all(selection, profile, &measured, &rules);
    tutti_decision_map_free(&measured.map);
  }
  tutti_decision_free(&rules);
  return status;
}

void advise_weigh(const struct advise_options *options, struct advise_profile *profile)
{
  tutti_error reason, first = {.status = TUTTI_OK};
  const unsigned judged = advise_judged(profile);
  struct selection_options selection = options->selection;
  struct advise_bench bench;
  unsigned weighed = 0;
  advise_bench_begin(profile, judged, &selection, &bench);
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    if (!(judged & 1U << c))
      continue;
    const tutti_status status = weigh_collective(options, &selection, profile, (tutti_collective)c, &reason);
    if (status == TUTTI_OK)
      weighed |= 1U << c;
    else if (status == TUTTI_ERR_ARGUMENT)
      profile->unmeasured |= 1U << c;
    if (status != TUTTI_OK && first.status == TUTTI_OK)
      first = reason;
    if (status != TUTTI_OK && status != TUTTI_ERR_ARGUMENT)
      break;
  }
  advise_bench_free(&bench);
  if (first.status == TUTTI_OK || (first.status == TUTTI_ERR_ARGUMENT && weighed))
    return;
  failure = first;
  must(first.status);
}
