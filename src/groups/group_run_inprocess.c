/* A build among actors of one process. */
#include <stdlib.h>

#include "tutti/actor.h"
#include "tutti/group_run.h"

static tutti_status settle_all(const tutti_group_point *point, tutti_inprocess *processes, tutti_tree *trees,
                               tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < point->sample.size && status == TUTTI_OK; i++) {
    status = tutti_group_point_tree(point, i, &trees[i], error);
    if (status != TUTTI_OK)
      return status;
    tutti_actor *actor = tutti_group_point_actor(point, &trees[i], tutti_inprocess_transport(processes), 0, error);
    if (!actor)
      return TUTTI_ERR_MEMORY;
    tutti_inprocess_settle(processes, actor);
  }
  return status;
}

static tutti_status build(const tutti_group_point *point, tutti_inprocess *processes, tutti_tree *trees,
                          tutti_group_counts *counts, tutti_error *error)
{
  tutti_status status = settle_all(point, processes, trees, error);
  if (status == TUTTI_OK)
    status = tutti_inprocess_run(processes, error);
  for (int i = 0; i < point->sample.size && status == TUTTI_OK; i++)
    tutti_group_counts_add(counts, tutti_inprocess_actor(processes, i));
  return status == TUTTI_OK ? tutti_group_counts_check(counts, &point->sample, error) : status;
}

tutti_status tutti_group_run_in_process(const tutti_group_point *point, tutti_group_counts *counts, tutti_error *error)
{
  *counts = (tutti_group_counts){.sums = {0}};
  tutti_status status = tutti_group_point_check(point, error);
  if (status != TUTTI_OK)
    return status;
  tutti_inprocess *processes = tutti_inprocess_create(point->sample.size, TUTTI_DELIVERY_FIFO, point->sample.seed);
  tutti_tree *trees = calloc((size_t)point->sample.size, sizeof *trees);
  if (processes && trees)
    status = build(point, processes, trees, counts, error);
  else
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %d processes", point->sample.size);
  tutti_inprocess_free(processes);
  free(trees);
  return status;
}
