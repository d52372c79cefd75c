/* Proving the plug-ins of a plan: their algorithms are not proven before, and times of a wrong one are meaningless. */
#include <stdlib.h>

#include "base/memory.h"
#include "harness/experiments/plan/plan.h"
#include "tutti/analysis.h"
#include "tutti/plugin.h"

/* A proof takes steps for each element that any rank has of any other, so it is one of fewer elements where there are
   many. */
enum { STEPS = 1 << 20, MAX_RANKS = 1 << 10 };

static tutti_call call_of(const tutti_point *point)
{
  const tutti_algorithm *algorithm = point->method.algorithm;
  const uint64_t unit = tutti_algorithm_unit(algorithm);
  uint64_t most = STEPS / ((uint64_t)point->ranks * (uint64_t)point->ranks);
  most = most < unit ? unit : most - most % unit;
  return (tutti_call){.size = point->ranks,
                      .root = point->root,
                      .count = point->count < most ? point->count : most,
                      .type_size = point->type_size,
                      .commutative = true};
}

/* Points of other sizes, patterns or launches may have the same proof. */
static bool is_proven(const struct point_list *proven, const tutti_point *point)
{
  for (size_t i = 0; i < proven->count; i++)
    if (proven->items[i].ranks == point->ranks && proven->items[i].root == point->root &&
        call_of(&proven->items[i]).count == call_of(point).count && proven->items[i].type_size == point->type_size &&
        tutti_method_compare(&proven->items[i].method, &point->method) == 0)
      return true;
  return false;
}

static bool runs_plugin(const tutti_point *point)
{
  return !point->result && !point->build.builder && tutti_method_code(&point->method) != 0;
}

tutti_status tutti_plan_prove(const tutti_plan *plan, int *unproven, tutti_error *error)
{
  struct point_list proven = {0};
  tutti_status status = TUTTI_OK;
  *unproven = 0;
  for (size_t i = 0; i < plan->point_count && status == TUTTI_OK; i++) {
    const tutti_point *point = &plan->points[i];
    if (!runs_plugin(point) || is_proven(&proven, point))
      continue;
    tutti_xpush(&proven, *point);
    const tutti_call call = call_of(point);
    if (point->ranks > MAX_RANKS)
      *unproven = point->ranks > *unproven ? point->ranks : *unproven;
    else
      status = tutti_verify_orders(&point->method, &call, NULL, error);
  }
  tutti_vector_free(&proven);
  return status;
}
