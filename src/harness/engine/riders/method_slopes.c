#include "harness/engine/riders/method_slopes.h"

#include <math.h>

#include "harness/engine/core/dates.h"
#include "harness/engine/riders/plan.h"
#include "harness/engine/riders/start.h"

tutti_status tutti_method_slopes(const struct engine_machine *machine, const tutti_method *method,
                                 const tutti_call *call, double *seconds, struct engine_slope *slopes,
                                 tutti_error *error)
{
  struct plan plan;
  tutti_status status = tutti_start_check_room(machine, (uint32_t)call->size, error);
  if (status == TUTTI_OK)
    status = tutti_method_check(method, call, error);
  if (status != TUTTI_OK)
    return status;
  tutti_plan_init(&plan, machine, (uint32_t)call->size);
  tutti_plan_run(&plan, method, call->count, call->type_size)->call = *call;
  tutti_plan_note(&plan);
  plan.script.slopes = slopes;
  status = tutti_script_run(&plan.script, error);
  *seconds = plan.script.times[0].noted < (uint32_t)call->size ? INFINITY : plan.script.times[0].longest;
  tutti_plan_end(&plan);
  return status;
}

double tutti_method_slopes_least(const struct engine_machine *machine, int parameter)
{
  const struct pieces *overheads[] = {&machine->send_overhead, &machine->receive_overhead};
  double shortest = INFINITY;
  for (int i = 0; i < 2 && parameter == ENGINE_OVERHEAD; i++)
    for (size_t p = 0; p < overheads[i]->count; p++)
      if (overheads[i]->items[p].value > 0)
        shortest = fmin(shortest, overheads[i]->items[p].value);
  return ENGINE_INSTANT * (1 + 1e-6) / shortest;
}
