/* Training on decision maps. */
#include <stdlib.h>

#include "base/memory.h"
#include "cli/learn/learn.h"

void learn_free_maps(struct maps *maps)
{
  for (int i = 0; i < maps->count; i++)
    tutti_decision_map_free(&maps->items[i]);
}

/* Can the target run it on as many ranks as were measured? Without a target everything is known. */
struct known {
  const tutti_target *target;
  int ranks;
};

static bool is_known(const tutti_method *method, void *context)
{
  const struct known *known = context;
  return !known->target || known->target->supports(method, known->ranks);
}

static tutti_status report_what_is_known(const struct known *known, tutti_collective collective, tutti_error *error)
{
  char algorithms[256];
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no method of %s was measured that %s knows: measure %s",
                    tutti_collective_name(collective), known->target->name,
                    tutti_target_supported(known->target, collective, known->ranks, algorithms, sizeof algorithms));
}

/* A copy with the methods that the target knows, and those best that are within the percent that count as best. */
static tutti_status prepare(const struct learn_command *command, const tutti_decision_map *map,
                            tutti_decision_map *copy, tutti_error *error)
{
  struct known known = {command->target, map->ranks[map->ranks_count - 1]};
  tutti_status status = tutti_decision_map_restrict(map, is_known, &known, copy, error);
  if (status == TUTTI_ERR_ARGUMENT && command->target && error)
    status = report_what_is_known(&known, map->collective, error);
  if (status != TUTTI_OK || command->smooth <= 0)
    return status;
  status = tutti_decision_map_smooth(copy, command->smooth, error);
  if (status != TUTTI_OK)
    tutti_decision_map_free(copy);
  return status;
}

/* Maps from @p first on that are of the same collective. */
static int count_same(const struct maps *maps, int first)
{
  int count = 1;
  while (first + count < maps->count && maps->items[first + count].collective == maps->items[first].collective)
    count++;
  return count;
}

/* One tree of all maps, or one of each collective where the learner takes only one. */
static tutti_status train(const struct learn_command *command, const struct maps *maps, struct trained *trained,
                          tutti_error *error)
{
  bool each = command->learner->from >= TUTTI_FROM_MAPS;
  const tutti_learn_options options = learn_options(command);
  tutti_decision_trees trees = {.items = tutti_xcalloc((size_t)maps->count, sizeof *trees.items)};
  tutti_status status = TUTTI_OK;
  for (int first = 0, count; first < maps->count && status == TUTTI_OK; first += count) {
    count = each ? count_same(maps, first) : maps->count;
    status = tutti_learn(command->learner, learn_settings(command), &options, &maps->items[first], count,
                         &trees.items[trees.count], &trained->reports[trees.count], error);
    trees.count += status == TUTTI_OK;
  }
  trained->report_count = trees.count;
  if (status == TUTTI_OK)
    status = tutti_decision_of_trees(command->learner->name, &trees, &trained->decision, error);
  tutti_decision_trees_free(&trees);
  return status;
}

tutti_status learn_train(const struct learn_command *command, const struct maps *maps, struct trained *trained,
                         tutti_error *error)
{
  struct maps copies = {0};
  tutti_status status = TUTTI_OK;
  if (command->smooth <= 0 && !command->target)
    return train(command, maps, trained, error);
  for (int i = 0; i < maps->count && status == TUTTI_OK; i++) {
    status = prepare(command, &maps->items[i], &copies.items[i], error);
    copies.count += status == TUTTI_OK;
  }
  if (status == TUTTI_OK)
    status = train(command, &copies, trained, error);
  learn_free_maps(&copies);
  return status;
}
