#include "engine/measure.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/splitmix64.h"
#include "engine/actors.h"
#include "engine/script.h"
#include "groups/wire.h"

/* What measuring programs send around a measurement (src/measure/program.c, schemes.c): the task at the beginning, the
   start time, the largest time, and whether it goes on. */
enum { TASK_BYTES = 512, START_BYTES = 8, TIME_BYTES = 8, VERDICT_BYTES = 12 };

enum { MOST_STEPS = 16 };

struct plan {
  struct script_step steps[MOST_STEPS];
  struct script script;
};

static struct script_step *add(struct plan *plan, enum script_kind kind)
{
  struct script_step *step = &plan->steps[plan->script.step_count++];
  *step = (struct script_step){.kind = kind};
  return step;
}

static struct script_step *add_run(struct plan *plan, const tutti_method *method, uint64_t count, uint64_t type_size)
{
  struct script_step *step = add(plan, SCRIPT_RUN);
  step->method = *method;
  step->call =
      (tutti_call){.size = (int)plan->script.rank_count, .count = count, .type_size = type_size, .commutative = true};
  return step;
}

static void add_bcast(struct plan *plan, uint64_t bytes)
{
  const tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_BCAST, "binomial"));
  add_run(plan, &method, bytes, 1);
}

static void add_maximum(struct plan *plan)
{
  const tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_REDUCE, "binomial"));
  add_run(plan, &method, 1, TIME_BYTES);
}

static void add_barrier(struct plan *plan)
{
  const tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_BARRIER, "bruck"));
  add_run(plan, &method, 0, 1);
}

/* Only what is measured is disturbed. */
static void add_start(struct plan *plan, bool disturbed)
{
  add(plan, SCRIPT_CHOOSE)->disturbed = disturbed;
  add_bcast(plan, START_BYTES);
  add(plan, SCRIPT_ARRIVE)->disturbed = disturbed;
}

static void add_note(struct plan *plan)
{
  add(plan, SCRIPT_NOTE)->note = plan->script.note_count++;
  add_maximum(plan);
}

/* Elements of the datatype where the collective reduces, else bytes. */
static void add_subject(struct plan *plan, const tutti_measurement *point)
{
  const tutti_collective collective = point->method.algorithm->collective;
  const bool reduces = tutti_collective_traits(collective) & TUTTI_REDUCES;
  struct script_step *step = add_run(plan, &point->method, reduces ? point->count : point->count * point->type_size,
                                     reduces ? point->type_size : 1);
  step->call.root = point->root;
  step->disturbed = true;
}

/* In the scheme occ a barrier is measured alone, and then behind the operation. */
static void write_script(struct plan *plan, const tutti_measurement *point)
{
  const bool occ = point->scheme == TUTTI_SCHEME_OCC;
  add_bcast(plan, TASK_BYTES);
  if (occ) {
    add_start(plan, false);
    add_barrier(plan);
    add_note(plan);
    add_bcast(plan, VERDICT_BYTES);
  }
  add_start(plan, true);
  add_subject(plan, point);
  if (occ)
    add_barrier(plan);
  add_note(plan);
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

/* The place of each rank in an order that the number of the launch draws; NULL for launch 0, whose order is SMPI's.
   (Fisher and Yates) */
static uint32_t *make_places(const tutti_measurement *point)
{
  if (point->launch == 0)
    return NULL;
  uint64_t state = (uint64_t)point->launch;
  uint32_t *places = tutti_xcalloc((size_t)point->ranks, sizeof *places);
  for (uint32_t r = 0; r < (uint32_t)point->ranks; r++) {
    const uint32_t other = (uint32_t)(tutti_splitmix64_next(&state) % (r + 1));
    places[r] = places[other];
    places[other] = r;
  }
  return places;
}

static tutti_status check(const tutti_measurement *point, tutti_error *error)
{
  const tutti_call call = {.size = point->ranks,
                           .root = point->root,
                           .count = point->count,
                           .type_size = point->type_size,
                           .commutative = true};
  char name[TUTTI_METHOD_LENGTH];
  if (tutti_method_is_library(&point->method))
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "%s: the fast engine runs schedules, not a library",
                      tutti_method_format(&point->method, name));
  tutti_status status = tutti_method_check(&point->method, &call, error);
  if (status == TUTTI_OK)
    status = tutti_arrival_check(&point->arrival, point->ranks, error);
  return status == TUTTI_OK ? tutti_noise_check(&point->noise, &point->method, error) : status;
}

/* As tutti-bench computes it, operation by operation: the last digits are the same. */
static double result_of(const struct script *script)
{
  const double start = script->start.time, latest = (double)script->start.latest_ns * 1e-9;
  const double waited = (start + latest) - start;
  const double barrier = script->note_count > 1 ? script->times[0].longest : 0;
  return (script->times[script->note_count - 1].longest - waited) - barrier;
}

tutti_status tutti_engine_measure(const struct engine_machine *machine, const tutti_measurement *point,
                                  const tutti_trace *trace, double *seconds, tutti_error *error)
{
  tutti_status status = check(point, error);
  if (status != TUTTI_OK)
    return status;
  struct plan *plan = tutti_xcalloc(1, sizeof *plan);
  uint64_t *delays = make_delays(point, trace);
  uint32_t *places = make_places(point);
  plan->script = (struct script){.machine = machine,
                                 .rank_count = (uint32_t)point->ranks,
                                 .steps = plan->steps,
                                 .start = {.delays_ns = delays,
                                           .latest_ns = tutti_arrival_latest(&point->arrival, trace, point->ranks),
                                           .noise = &point->noise,
                                           .places = places}};
  write_script(plan, point);
  status = tutti_script_run(&plan->script, error);
  *seconds = status == TUTTI_OK ? result_of(&plan->script) : 0;
  free(delays);
  free(places);
  free(plan);
  return status;
}

/* ---- groups ---- */

/* Endpoints post their receives before the start. */
static void write_start_of_build(struct plan *plan)
{
  add_bcast(plan, TASK_BYTES);
  add(plan, SCRIPT_CALLS)->calls = WIRE_POOL;
  add_start(plan, false);
  add(plan, SCRIPT_NOTE)->note = plan->script.note_count++;
}

/* When the ranks are to begin, when they do, and in which order. Nothing is under way then. */
static tutti_status find_start(struct engine_actors *actors, uint32_t *order, double *start, tutti_error *error)
{
  struct plan *plan = tutti_xcalloc(1, sizeof *plan);
  plan->script = (struct script){
      .machine = actors->machine, .rank_count = actors->rank_count, .steps = plan->steps, .order = order};
  write_start_of_build(plan);
  const tutti_status status = tutti_script_run(&plan->script, error);
  actors->order = order;
  *start = plan->script.start.time;
  actors->time = *start + plan->script.times[0].longest;
  free(plan);
  return status;
}

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

tutti_status tutti_engine_measure_group(const struct engine_machine *machine, const tutti_group_point *point,
                                        double *seconds, tutti_group_counts *counts, tutti_error *error)
{
  *counts = (tutti_group_counts){.sums = {0}};
  *seconds = 0;
  tutti_status status = tutti_group_point_check(point, error);
  if (status != TUTTI_OK)
    return status;
  const size_t ranks = (size_t)point->sample.size;
  struct engine_actors actors = {
      .transport = tutti_actors_transport, .machine = machine, .rank_count = (uint32_t)ranks};
  uint32_t *order = tutti_xcalloc(ranks, sizeof *order);
  tutti_tree *trees = tutti_xcalloc(ranks, sizeof *trees);
  actors.actors = tutti_xcalloc(ranks, sizeof(tutti_actor *));
  double start;
  status = find_start(&actors, order, &start, error);
  if (status == TUTTI_OK)
    status = run_build(point, &actors, trees, counts, error);
  if (status == TUTTI_OK)
    *seconds = fmax(0, (isinf(actors.complete) ? actors.ended : actors.complete) - start);
  free(actors.actors);
  free(trees);
  free(order);
  return status;
}
