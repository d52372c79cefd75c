#include "harness/engine/riders/plan.h"

#include "base/memory.h"

enum { TIME_BYTES = 8 };

void tutti_plan_init(struct plan *plan, const struct engine_machine *machine, uint32_t rank_count)
{
  *plan = (struct plan){.script = {.machine = machine, .rank_count = rank_count}};
}

void tutti_plan_end(struct plan *plan)
{
  tutti_vector_free(plan);
}

struct script_step *tutti_plan_add(struct plan *plan, enum script_kind kind)
{
  tutti_xpush(plan, (struct script_step){.kind = kind});
  plan->script.steps = plan->items;
  plan->script.step_count = (int)plan->count;
  return &plan->items[plan->count - 1];
}

struct script_step *tutti_plan_run(struct plan *plan, const tutti_method *method, uint64_t count, uint64_t type_size)
{
  struct script_step *step = tutti_plan_add(plan, SCRIPT_RUN);
  step->method = *method;
  step->call =
      (tutti_call){.size = (int)plan->script.rank_count, .count = count, .type_size = type_size, .commutative = true};
  return step;
}

static void run_default(struct plan *plan, tutti_collective collective, const char *algorithm, uint64_t count,
                        uint64_t type_size)
{
  const tutti_method method = tutti_method_default(tutti_algorithm_find(collective, algorithm));
  tutti_plan_run(plan, &method, count, type_size);
}

void tutti_plan_bcast(struct plan *plan, uint64_t bytes)
{
  run_default(plan, TUTTI_COLL_BCAST, "binomial", bytes, 1);
}

void tutti_plan_barrier(struct plan *plan)
{
  run_default(plan, TUTTI_COLL_BARRIER, "bruck", 0, 1);
}

void tutti_plan_maximum(struct plan *plan)
{
  run_default(plan, TUTTI_COLL_REDUCE, "binomial", 1, TIME_BYTES);
}

void tutti_plan_note(struct plan *plan)
{
  tutti_plan_add(plan, SCRIPT_NOTE)->note = plan->script.note_count++;
}
