/* Writing scripts: the steps of measuring programs before, in and after a measurement (src/harness/measure/program.c,
 * schemes.c). */
#ifndef TUTTI_ENGINE_PLAN_H
#define TUTTI_ENGINE_PLAN_H

#include "base/vector.h"
#include "harness/engine/riders/script.h"

struct plan {
  struct script script;
  TUTTI_VECTOR(struct script_step); /* its steps */
};

/* An empty script. End with tutti_plan_end(). */
void tutti_plan_init(struct plan *plan, const struct engine_machine *machine, uint32_t rank_count);
void tutti_plan_end(struct plan *plan);

/* The step that one of them adds stays where it is until the next one is added. */
struct script_step *tutti_plan_add(struct plan *plan, enum script_kind kind);
struct script_step *tutti_plan_run(struct plan *plan, const tutti_method *method, uint64_t count, uint64_t type_size);

void tutti_plan_bcast(struct plan *plan, uint64_t bytes);
void tutti_plan_barrier(struct plan *plan);
void tutti_plan_note(struct plan *plan);

/* The largest of the ranks' times is found. */
void tutti_plan_maximum(struct plan *plan);

#endif
