#include "harness/engine/riders/measure.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "harness/engine/riders/actors.h"
#include "harness/engine/riders/plan.h"

/* Elements of the datatype where the collective reduces, else bytes. */
static void add_subject(struct plan *plan, const tutti_measurement *point)
{
  const tutti_collective collective = point->method.algorithm->collective;
  const bool reduces = tutti_collective_traits(collective) & TUTTI_REDUCES;
  struct script_step *step = tutti_plan_run(
      plan, &point->method, reduces ? point->count : point->count * point->type_size, reduces ? point->type_size : 1);
  step->call.root = point->root;
  step->disturbed = true;
}

/* The script from the start on. The scheme occ measures a barrier after the operation. */
static void write_script(struct plan *plan, const tutti_measurement *point)
{
  tutti_plan_add(plan, SCRIPT_DELAY);
  add_subject(plan, point);
  if (point->scheme == TUTTI_SCHEME_OCC)
    tutti_plan_barrier(plan);
  tutti_plan_note(plan);
  tutti_plan_maximum(plan);
}

static uint64_t *make_delays(const tutti_measurement *point, const tutti_trace *trace)
{
  if (point->arrival.kind == TUTTI_ARRIVAL_NONE)
    return NULL;
  uint64_t *delays = tutti_xcalloc((size_t)point->ranks, sizeof *delays);
  for (int r = 0; r < point->ranks; r++)
    delays[r] = tutti_arrival_delay(&point->arrival, trace, r, point->ranks);
  return delays;
}

static tutti_status check_point(const tutti_measurement *point, tutti_error *error)
{
  const tutti_call call = {.size = point->ranks,
                           .root = point->root,
                           .count = point->count,
                           .type_size = point->type_size,
                           .commutative = true};
  char name[TUTTI_METHOD_LENGTH];
  if (tutti_method_is_library(&point->method))
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "%s: the engine runs schedules, not a library",
                      tutti_method_format(&point->method, name));
  tutti_status status = tutti_method_check(&point->method, &call, error);
  if (status == TUTTI_OK)
    status = tutti_arrival_check(&point->arrival, point->ranks, error);
  return status == TUTTI_OK ? tutti_noise_check(&point->noise, &point->method, error) : status;
}

/* As tutti-bench computes it, operation by operation: the last digits are the same. */
static double result_of(const struct script *script, double barrier)
{
  const double start = script->start.time, latest = (double)script->start.latest_ns * 1e-9;
  const double waited = (start + latest) - start;
  return (script->times[0].longest - waited) - barrier;
}

static tutti_status run_call(const tutti_measurement *point, const tutti_trace *trace,
                             const struct engine_machine *machine, const struct engine_start *start, double *seconds,
                             tutti_error *error)
{
  uint64_t *delays = make_delays(point, trace);
  struct plan plan;
  tutti_plan_init(&plan, machine, (uint32_t)point->ranks);
  plan.script.first = start->order;
  plan.script.now = start->now;
  plan.script.start = (struct script_start){
      .time = start->time, .delays_ns = delays, .latest_ns = start->key.latest_ns, .noise = &point->noise};
  write_script(&plan, point);
  const tutti_status status = tutti_script_run(&plan.script, error);
  const bool ended = plan.script.times[0].noted == (uint32_t)point->ranks;
  *seconds = status != TUTTI_OK ? 0
             : !ended           ? INFINITY
                      : result_of(&plan.script, start->barrier) * tutti_noise_factor(&point->noise, &point->method,
                                                                                     point->ranks, point->root,
                                                                                     point->count * point->type_size);
  tutti_plan_end(&plan);
  free(delays);
  return status;
}

static struct start_key key_of(const tutti_measurement *point, const tutti_trace *trace)
{
  return (struct start_key){.kind = point->scheme == TUTTI_SCHEME_OCC ? START_BEHIND_BARRIER : START_OF_CALL,
                            .rank_count = (uint32_t)point->ranks,
                            .launch = point->launch,
                            .latest_ns = tutti_arrival_latest(&point->arrival, trace, point->ranks)};
}

tutti_status tutti_engine_measure(const struct engine_machine *machine, const tutti_measurement *point,
                                  const tutti_trace *trace, struct engine_start *start, double *seconds,
                                  tutti_error *error)
{
  tutti_status status = check_point(point, error);
  if (status == TUTTI_OK)
    status = tutti_start_find(machine, key_of(point, trace), start, error);
  return status == TUTTI_OK ? run_call(point, trace, machine, start, seconds, error) : status;
}

/* ---- groups ---- */

static tutti_status make_actors(const tutti_group_point *point, struct engine_actors *actors, tutti_tree *trees,
                                tutti_error *error)
{
  for (uint32_t r = 0; r < actors->rank_count; r++) {
    const tutti_status status = tutti_group_point_tree(point, (int)r, &trees[r], error);
    if (status != TUTTI_OK)
      return status;
    actors->actors[r] = tutti_group_point_actor(point, &trees[r], &actors->transport, 0, error);
    if (!actors->actors[r])
      return TUTTI_ERR_MEMORY;
  }
  return TUTTI_OK;
}

static tutti_status run_build(const tutti_group_point *point, struct engine_actors *actors, tutti_tree *trees,
                              tutti_group_counts *counts, tutti_error *error)
{
  tutti_status status = make_actors(point, actors, trees, error);
  if (status == TUTTI_OK)
    status = tutti_actors_run(actors, error);
  for (uint32_t r = 0; r < actors->rank_count && status == TUTTI_OK; r++)
    tutti_group_counts_add(counts, actors->actors[r]);
  for (uint32_t r = 0; r < actors->rank_count; r++)
    tutti_actor_free(actors->actors[r]);
  return status == TUTTI_OK ? tutti_group_counts_check(counts, &point->sample, error) : status;
}

static tutti_status run_group(const tutti_group_point *point, struct engine_actors *actors, tutti_group_counts *counts,
                              tutti_error *error)
{
  tutti_tree *trees = tutti_xcalloc(actors->rank_count, sizeof *trees);
  actors->actors = tutti_xcalloc(actors->rank_count, sizeof(tutti_actor *));
  const tutti_status status = run_build(point, actors, trees, counts, error);
  free(actors->actors);
  free(trees);
  return status;
}

tutti_status tutti_engine_measure_group(const struct engine_machine *machine, const tutti_group_point *point,
                                        struct engine_start *start, double *seconds, tutti_group_counts *counts,
                                        tutti_error *error)
{
  const struct start_key key = {.kind = START_OF_BUILD, .rank_count = (uint32_t)point->sample.size};
  *counts = (tutti_group_counts){.sums = {0}};
  *seconds = 0;
  tutti_status status = tutti_group_point_check(point, error);
  if (status == TUTTI_OK)
    status = tutti_start_find(machine, key, start, error);
  if (status != TUTTI_OK)
    return status;
  struct engine_actors actors = {.transport = tutti_actors_transport,
                                 .machine = machine,
                                 .rank_count = key.rank_count,
                                 .order = start->order,
                                 .time = start->now};
  status = run_group(point, &actors, counts, error);
  if (status == TUTTI_OK)
    *seconds = fmax(0, (isinf(actors.complete) ? actors.ended : actors.complete) - start->time);
  return status;
}
