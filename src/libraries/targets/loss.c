/* What is lost where a target does not know a method. */
#include "libraries/targets/native.h"

static void count_point(tutti_handover *handover, int ranks, uint64_t bytes)
{
  tutti_question question = {handover->table.collective, ranks, handover->map->ranks_per_node, bytes};
  tutti_method wanted;
  if (!handover->decision->decide(handover->decision, &question, &wanted))
    return;
  int index = tutti_step_table_find(&handover->table, ranks, bytes);
  handover->points++;
  handover->replaced += index < 0 || tutti_method_compare(&wanted, &handover->table.methods[index]) != 0;
}

tutti_status tutti_handover_count_loss(tutti_handover *handover, tutti_error *error)
{
  const tutti_decision_map *map = handover->map;
  tutti_decision written;
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++)
      if (map->best[(size_t)i * (size_t)map->size_count + (size_t)j] >= 0)
        count_point(handover, map->ranks[i], map->sizes[j]);
  tutti_status status = tutti_step_table_decision(&handover->table, &written, error);
  if (status != TUTTI_OK)
    return status;
  /* A decision that was not measured anywhere has no penalty: that is said by points being 0. */
  (void)tutti_penalty_compute(map, handover->decision, &handover->before, NULL);
  (void)tutti_penalty_compute(map, &written, &handover->after, NULL);
  tutti_decision_free(&written);
  return TUTTI_OK;
}
