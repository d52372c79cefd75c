/* tutti penalty reproducible:CLASS: what it costs to run only methods of a class, as a decision that picks the fastest
   of them that was measured. */
#include <math.h>

#include "cli/penalty/penalty.h"
#include "tutti/reproducible.h"

static const char prefix[] = "reproducible:";

struct fastest {
  const struct measured_map *measured;
  unsigned classes;
};

/* The fastest candidate at a point, -1 without one. */
static int fastest_at(const tutti_decision_map *map, const tutti_candidates *candidates, int ranks_index,
                      int size_index)
{
  const double *times = &map->times[tutti_decision_map_cell(map, ranks_index, size_index, 0)];
  int best = -1;
  for (int m = 0; m < map->method_count; m++)
    if (!isnan(times[m]) && tutti_candidates_have(candidates, &map->methods[m]) && (best < 0 || times[m] < times[best]))
      best = m;
  return best;
}

/* How many times as long as the fastest of all, in the mean over the sizes, one method takes on a number of ranks, or
   with -1 the fastest candidate of each size; NAN: it was not measured at all of them. */
static double ratio_of(const tutti_decision_map *map, const tutti_candidates *candidates, int ranks_index, int method)
{
  double sum = 0;
  int count = 0;
  for (int s = 0; s < map->size_count; s++) {
    const int best = fastest_at(map, &map->candidates, ranks_index, s);
    const int own = method >= 0 ? method : fastest_at(map, candidates, ranks_index, s);
    if (best < 0)
      continue;
    if (own < 0)
      return NAN;
    sum += tutti_decision_map_time(map, ranks_index, s, own) / tutti_decision_map_time(map, ranks_index, s, best);
    count++;
  }
  return count > 0 ? sum / count : NAN;
}

/* Methods chosen by size keep the bits of all sizes if they have the aligned tree, and so does any one method of the
   class at all sizes: what is better in the mean. Returns the method, -1: those of the aligned tree. */
static int only_method(const struct fastest *fastest, int ranks_index)
{
  const tutti_decision_map *map = &fastest->measured->map;
  tutti_candidates candidates = map->candidates;
  candidates.reproducible |= tutti_reproducible_of_choice(fastest->classes);
  double least = ratio_of(map, &candidates, ranks_index, -1);
  int best = -1;
  candidates.reproducible = map->candidates.reproducible | fastest->classes;
  for (int m = 0; m < map->method_count; m++) {
    const double ratio =
        tutti_candidates_have(&candidates, &map->methods[m]) ? ratio_of(map, &candidates, ranks_index, m) : NAN;
    if (ratio < least || (isnan(least) && !isnan(ratio))) {
      least = ratio;
      best = m;
    }
  }
  return best;
}

static bool decide_fastest(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  const struct fastest *fastest = decision->data;
  const tutti_decision_map *map = &fastest->measured->map;
  tutti_candidates candidates = map->candidates;
  int ranks_index, size_index, best = -1;
  candidates.reproducible |= tutti_reproducible_of_choice(fastest->classes);
  if (!tutti_decision_map_locate(map, question->ranks, question->rank_bytes, &ranks_index, &size_index))
    return false;
  if (fastest->classes & TUTTI_REPRODUCIBLE_SIZE)
    best = only_method(fastest, ranks_index);
  if (best < 0)
    best = fastest_at(map, &candidates, ranks_index, size_index);
  if (best >= 0)
    *method = map->methods[best];
  return best >= 0;
}

bool penalty_names_reproducible(const char *name)
{
  return strncmp(name, prefix, sizeof prefix - 1) == 0;
}

tutti_decision penalty_reproducible(const char *name, tutti_collective collective, const struct measured_map *measured)
{
  struct fastest fastest = {.measured = measured};
  must(tutti_reproducible_parse(name + sizeof prefix - 1, &fastest.classes, &failure));
  return (tutti_decision){.name = tutti_xstrdup(name),
                          .collective = collective,
                          .decide = decide_fastest,
                          .free_data = free,
                          .data = tutti_xmemdup(&fastest, sizeof fastest)};
}

void penalty_add_only(struct penalty_options *options)
{
  if (!options->only)
    return;
  const bool each = strcmp(options->only, "reproducible") == 0;
  for (int c = 0; c < (each ? TUTTI_REPRODUCIBLE_CLASSES : 1); c++)
    if (!each || 1u << c != TUTTI_REPRODUCIBLE_DISTRIBUTION) {
      char *name = tutti_xprintf("%s%s", prefix, each ? tutti_reproducible_name(c) : options->only);
      tutti_xpush(&options->names, name);
    }
}
