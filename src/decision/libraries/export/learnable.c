/* The cases from which rules for a target are learned. */
#include "decision/libraries/export/export.h"

/* Candidates that the target supports on the largest measured number of ranks. */
struct known {
  const tutti_target *target;
  const tutti_candidates *candidates;
  int ranks;
};

static bool is_known(const tutti_method *method, void *context)
{
  const struct known *known = context;
  return tutti_candidates_have(known->candidates, method) && tutti_target_supports(known->target, method, known->ranks);
}

static tutti_status report_what_is_known(const struct known *known, tutti_collective collective, tutti_error *error)
{
  char algorithms[256];
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no method of %s was measured that %s knows: measure %s",
                    tutti_collective_name(collective), known->target->name,
                    tutti_target_supported(known->target, collective, known->ranks, algorithms, sizeof algorithms));
}

tutti_status tutti_target_learnable(const tutti_target *target, double margin, const tutti_decision_map *map,
                                    tutti_decision_map *learnable, tutti_error *error)
{
  struct known known = {target, &map->candidates, map->ranks[map->ranks_count - 1]};
  tutti_status status = tutti_decision_map_restrict(map, is_known, &known, learnable, error);
  if (status == TUTTI_ERR_ARGUMENT && error)
    status = report_what_is_known(&known, map->collective, error);
  if (status != TUTTI_OK)
    return status;
  tutti_target_forget_parts(target, learnable);
  if (learnable->candidates.native && tutti_target_implementation(target) != TUTTI_IMPLEMENTATION_SMPI)
    tutti_decision_map_favor_native(learnable, margin);
  return TUTTI_OK;
}
