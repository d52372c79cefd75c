/* The cases from which rules for a target are learned. */
#include <stdio.h>
#include <string.h>

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

/* Whether tutti bench can tell the library to run what files of the target name. */
static bool can_be_told(const tutti_target *target, tutti_collective collective, int ranks)
{
  const tutti_library_version version = tutti_library_version_of_target(target);
  tutti_method native = tutti_method_default(tutti_algorithm_find(collective, "native"));
  tutti_directives directives = {.count = 0};
  for (int k = TUTTI_LAST_SMPI_SELECTOR + 1; tutti_selector_name(k); k++) {
    native.parameters.k = k;
    if (target->supports(&native, ranks) && version.library->force(&native, ranks, &version, &directives))
      return true;
  }
  return false;
}

char *tutti_export_remedy(const tutti_target *target, tutti_collective collective, int ranks, unsigned classes,
                          char *text, size_t size)
{
  char known[256];
  tutti_target_supported(target, collective, ranks, classes, known, sizeof known);
  if (!*known)
    snprintf(text, size, "it knows none that has %s", classes ? "these classes" : "these ranks");
  else if (!strstr(known, "native/selector="))
    snprintf(text, size, "measure %s", known);
  else if (can_be_told(target, collective, ranks))
    snprintf(
        text, size,
        "it knows %s, of the library itself, which are not simulated: measure them on a machine that has it (tutti "
        "bench --flavor %s), or name them by rules",
        known, tutti_implementation_name(tutti_target_implementation(target)));
  else
    snprintf(text, size, "it knows %s, of the library itself: nothing measures them one by one; name them by rules",
             known);
  return text;
}

static tutti_status report_what_is_known(const struct known *known, tutti_collective collective, tutti_error *error)
{
  char remedy[480];
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no method of %s was measured that %s knows: %s",
                    tutti_collective_name(collective), known->target->name,
                    tutti_export_remedy(known->target, collective, known->ranks, known->candidates->reproducible,
                                        remedy, sizeof remedy));
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
  size_t point = 0;
  while (point < tutti_decision_map_points(learnable) && learnable->best[point] < 0)
    point++;
  if (point == tutti_decision_map_points(learnable)) { /* the library picks other parts of all that was measured */
    tutti_decision_map_free(learnable);
    return error ? report_what_is_known(&known, map->collective, error) : TUTTI_ERR_ARGUMENT;
  }
  if (learnable->candidates.native && tutti_target_implementation(target) != TUTTI_IMPLEMENTATION_SMPI)
    tutti_decision_map_favor_native(learnable, margin);
  return TUTTI_OK;
}
