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

static bool decide_fastest(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  const struct fastest *fastest = decision->data;
  const tutti_decision_map *map = &fastest->measured->map;
  tutti_candidates candidates = map->candidates;
  int ranks_index, size_index, best = -1;
  candidates.reproducible |= tutti_reproducible_of_choice(fastest->classes);
  if (!tutti_decision_map_locate(map, question->ranks, question->rank_bytes, &ranks_index, &size_index))
    return false;
  const double *times = &map->times[tutti_decision_map_cell(map, ranks_index, size_index, 0)];
  for (int m = 0; m < map->method_count; m++)
    if (!isnan(times[m]) && tutti_candidates_have(&candidates, &map->methods[m]) &&
        (best < 0 || times[m] < times[best]))
      best = m;
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
