#include "cli/learn_train.h"

#include <stdlib.h>

/* A copy whose best methods are those within the percent that count as best. */
static tutti_status smoothed(const tutti_decision_map *map, double percent, tutti_decision_map *copy,
                             tutti_error *error)
{
  int *folds = calloc((size_t)map->ranks_count * (size_t)map->size_count, sizeof *folds);
  if (!folds)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for smoothing a decision map");
  tutti_status status = tutti_decision_map_select(map, folds, 0, true, copy, error);
  free(folds);
  if (status == TUTTI_OK)
    status = tutti_decision_map_smooth(copy, percent, error);
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
  tutti_learner learner = command->options.learner;
  bool each = learner == TUTTI_LEARN_QUADTREE || learner == TUTTI_LEARN_OPTIMAL;
  tutti_decision_trees trees = {.count = 0, .items = calloc((size_t)maps->count, sizeof *trees.items)};
  tutti_status status = trees.items ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for trees");
  for (int first = 0, count; first < maps->count && status == TUTTI_OK; first += count) {
    count = each ? count_same(maps, first) : maps->count;
    status = tutti_learn(&maps->items[first], count, &command->options, &trees.items[trees.count],
                         &trained->reports[trees.count], error);
    trees.count += status == TUTTI_OK;
  }
  trained->report_count = trees.count;
  if (status == TUTTI_OK)
    status = tutti_decision_of_trees(tutti_learner_name(learner), &trees, &trained->decision, error);
  tutti_decision_trees_free(&trees);
  return status;
}

tutti_status learn_train(const struct learn_command *command, const struct maps *maps, struct trained *trained,
                         tutti_error *error)
{
  struct maps copies = {0};
  tutti_status status = TUTTI_OK;
  if (command->smooth <= 0)
    return train(command, maps, trained, error);
  for (int i = 0; i < maps->count && status == TUTTI_OK; i++) {
    status = smoothed(&maps->items[i], command->smooth, &copies.items[i], error);
    copies.count += status == TUTTI_OK;
  }
  if (status == TUTTI_OK)
    status = train(command, &copies, trained, error);
  for (int i = 0; i < copies.count; i++)
    tutti_decision_map_free(&copies.items[i]);
  return status;
}
