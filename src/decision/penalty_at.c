/* The penalty of a decision at a point of a map (dissertation, section 6.1.2). */
#include "decision/penalty_at.h"

#include <math.h>

#include "decision/tie.h"

static bool pick(const tutti_decision_map *map, const tutti_decision *decision, int ranks_index, int size_index,
                 tutti_method *method)
{
  const tutti_question question = tutti_decision_map_question(map, ranks_index, size_index);
  return decision->decide(decision, &question, method);
}

struct penalty_at tutti_penalty_at(const tutti_decision_map *map, const tutti_decision *decision, int ranks_index,
                                   int size_index)
{
  struct penalty_at at = {.picked = -1,
                          .best = map->best[(size_t)ranks_index * (size_t)map->size_count + (size_t)size_index],
                          .least = NAN,
                          .percent = NAN};
  if (at.best < 0)
    return at;
  at.least = tutti_decision_map_time(map, ranks_index, size_index, at.best);
  tutti_method method;
  if (!pick(map, decision, ranks_index, size_index, &method))
    return at;
  at.picked = tutti_decision_map_find(map, &method);
  double time = tutti_decision_map_serving_time(map, ranks_index, size_index, &method);
  /* The best of a tie is its first method and need not have the very least time. */
  if (at.least > 0 && !isnan(time))
    at.percent = decision_tie(time, at.least) ? 0 : 100 * (time - at.least) / at.least;
  return at;
}
