#include "harness/engine/riders/start.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/splitmix64.h"
#include "groups/wire.h"
#include "harness/engine/riders/plan.h"

/* The first task, the start time, and whether the measurement continues. */
enum { TASK_BYTES = 512, START_BYTES = 8, VERDICT_BYTES = 12 };

/* Rank 0 chooses the time and sends it. */
static void add_start(struct plan *plan, bool put_off)
{
  tutti_plan_add(plan, SCRIPT_CHOOSE)->disturbed = put_off;
  tutti_plan_bcast(plan, START_BYTES);
  tutti_plan_add(plan, SCRIPT_ARRIVE);
}

static void add_barrier_alone(struct plan *plan)
{
  add_start(plan, false);
  tutti_plan_barrier(plan);
  tutti_plan_note(plan);
  tutti_plan_maximum(plan);
  tutti_plan_bcast(plan, VERDICT_BYTES);
}

/* Endpoints post their receives. */
static void add_pool(struct plan *plan)
{
  struct script_step *step = tutti_plan_add(plan, SCRIPT_RECEIVES);
  step->receives = WIRE_POOL;
  step->bytes = WIRE_SHORT_BYTES;
}

static void write_script(struct plan *plan, enum start_kind kind)
{
  tutti_plan_add(plan, SCRIPT_PAUSE)->seconds = plan->script.machine->initialization;
  tutti_plan_bcast(plan, TASK_BYTES);
  if (kind == START_BEHIND_BARRIER)
    add_barrier_alone(plan);
  if (kind == START_OF_BUILD)
    add_pool(plan);
  add_start(plan, true);
  tutti_plan_note(plan);
}

/* The place of each rank in an order that the number of the launch draws; NULL for launch 0. (Fisher and Yates) */
static uint32_t *make_places(const struct start_key *key)
{
  if (key->launch == 0)
    return NULL;
  uint64_t state = (uint64_t)key->launch;
  uint32_t *places = tutti_xcalloc(key->rank_count, sizeof *places);
  for (uint32_t r = 0; r < key->rank_count; r++) {
    const uint32_t other = (uint32_t)(tutti_splitmix64_next(&state) % (r + 1));
    places[r] = places[other];
    places[other] = r;
  }
  return places;
}

tutti_status tutti_start_check_room(const struct engine_machine *machine, uint32_t ranks, tutti_error *error)
{
  const uint32_t hosts = machine->network.host_count;
  if (ranks <= (uint64_t)hosts * (uint64_t)machine->ranks_per_node)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%u ranks on %u hosts with room for %d each: platform %s",
                    (unsigned)ranks, (unsigned)hosts, machine->ranks_per_node, machine->platform);
}

static bool is_same(const struct start_key *a, const struct start_key *b)
{
  return a->kind == b->kind && a->rank_count == b->rank_count && a->launch == b->launch && a->latest_ns == b->latest_ns;
}

tutti_status tutti_start_find(const struct engine_machine *machine, struct start_key key, struct engine_start *start,
                              tutti_error *error)
{
  if (start->order && is_same(&start->key, &key))
    return TUTTI_OK;
  tutti_status status = tutti_start_check_room(machine, key.rank_count, error);
  if (status != TUTTI_OK)
    return status;
  tutti_start_free(start);
  uint32_t *order = tutti_xcalloc(key.rank_count, sizeof *order), *places = make_places(&key);
  struct plan plan;
  tutti_plan_init(&plan, machine, key.rank_count);
  plan.script.start = (struct script_start){.latest_ns = key.latest_ns, .places = places};
  plan.script.order = order;
  write_script(&plan, key.kind);
  status = tutti_script_run(&plan.script, error);
  tutti_plan_end(&plan);
  free(places);
  if (status != TUTTI_OK) {
    free(order);
    return status;
  }
  const double time = plan.script.start.time;
  *start = (struct engine_start){.key = key,
                                 .order = order,
                                 .time = time,
                                 .now = time + plan.script.times[plan.script.note_count - 1].longest,
                                 .barrier = key.kind == START_BEHIND_BARRIER ? plan.script.times[0].longest : 0};
  return TUTTI_OK;
}

void tutti_start_free(struct engine_start *start)
{
  free(start->order);
  *start = (struct engine_start){0};
}
