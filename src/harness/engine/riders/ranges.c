/* Making groups, and collectives on them, as tutti-range does (src/harness/measure/range/range_make.c): ranges, and
   MPICH's ways on our schedules (src/groups/mpich.c). */
#include <math.h>

#include "harness/engine/riders/measure.h"
#include "harness/engine/riders/plan.h"

struct group {
  int first, members;
};

struct range_script {
  struct plan plan;
  const struct range_point *point;
  const struct engine_range_cost *cost;
  int ranks;
};

/* ---- steps ---- */

static void add_pause(struct range_script *script, struct group group, double seconds)
{
  struct script_step *step = tutti_plan_add(&script->plan, SCRIPT_PAUSE);
  step->seconds = seconds;
  step->first = (uint32_t)group.first;
  step->members = (uint32_t)group.members;
}

static struct script_step *add_run(struct range_script *script, struct group group, const tutti_method *method,
                                   uint64_t count, uint64_t type_size)
{
  struct script_step *step = tutti_plan_run(&script->plan, method, count, type_size);
  step->call.size = group.members;
  step->first = (uint32_t)group.first;
  step->members = (uint32_t)group.members;
  return step;
}

static void add_agreement(struct range_script *script, struct group group)
{
  const tutti_method method = tutti_mpich_agreement();
  add_run(script, group, &method, MPICH_MASK_WORDS + 1, sizeof(uint32_t));
}

/* Data moved on a group: doubles. */
static struct script_step *add_data(struct range_script *script, struct group group)
{
  const struct range_point *point = script->point;
  const bool reduces = tutti_collective_traits(point->method.algorithm->collective) & TUTTI_REDUCES;
  return add_run(script, group, &point->method, reduces ? point->count : point->count * sizeof(double),
                 reduces ? sizeof(double) : 1);
}

/* ---- groups ---- */

static struct group all_of(const struct range_script *script)
{
  return (struct group){0, script->ranks};
}

/* The groups that are made, from left to right, and their number. */
static int count_groups(const struct range_script *script)
{
  const int size = tutti_range_point_size(script->point, script->ranks);
  if (script->point->operation == RANGE_OVERLAPPING)
    return (script->ranks - 1 + size - 2) / (size - 1);
  return script->point->operation == RANGE_CREATE ? 2 : 1;
}

static struct group group_at(const struct range_script *script, int number)
{
  const int size = tutti_range_point_size(script->point, script->ranks);
  const bool overlap = script->point->operation == RANGE_OVERLAPPING;
  const int first = number * (overlap ? size - 1 : size), rest = script->ranks - first;
  const bool cut = overlap ? rest < size : number == 1;
  return (struct group){first, cut ? rest : size};
}

/* ---- making them ---- */

static void add_creation(struct range_script *script, struct group group)
{
  if (script->point->way == WAY_RANGES) {
    add_pause(script, group, script->cost->range);
    return;
  }
  add_pause(script, group, script->cost->mpich.entry * group.members);
  add_agreement(script, group);
}

/* One split, for the groups from number @p from on, every @p step -th. */
static void add_split(struct range_script *script, int from, int step)
{
  const tutti_method method = tutti_mpich_allgather(script->ranks, true);
  add_run(script, all_of(script), &method, MPICH_ENTRY_BYTES, 1);
  add_pause(script, all_of(script), script->cost->mpich.entry * script->ranks);
  add_agreement(script, all_of(script));
  for (int g = from; g < count_groups(script); g += step) {
    const struct group group = group_at(script, g);
    add_pause(script, group, tutti_mpich_sort_seconds(&script->cost->mpich, group.members));
  }
}

/* Each rank makes its groups in the order of the steps. Cascaded: from left to right. Alternating: a rank between an
   odd group and an even one makes the even one first. Two splits do the same. */
static void add_groups(struct range_script *script)
{
  const bool splits = script->point->way == WAY_SPLIT_MPICH;
  const int parts = splits && script->point->operation == RANGE_OVERLAPPING ? 2
                    : !splits && script->point->order == ORDER_ALTERNATING  ? 2
                                                                            : 1;
  for (int part = 0; part < parts; part++)
    if (splits)
      add_split(script, part, parts);
    else
      for (int g = part; g < count_groups(script); g += parts)
        add_creation(script, group_at(script, g));
}

static void write_script(struct range_script *script)
{
  const struct range_point *point = script->point;
  if (tutti_range_has_way(point->operation, WAY_NATIVE))
    add_data(script, all_of(script));
  else
    add_groups(script);
  if (point->operation == RANGE_SUBRANGE_BCAST)
    add_data(script, group_at(script, 0))->times = (uint32_t)point->uses;
  tutti_plan_note(&script->plan);
}

/* ---- all ---- */

static tutti_status check_range(const struct range_point *point, int ranks, tutti_error *error)
{
  if (!tutti_range_is_scheduled(point->way))
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "%s by %s: the engine runs schedules, not a library",
                      tutti_range_operation_name(point->operation), point->way_name);
  tutti_status status = tutti_range_point_check(point, ranks, error);
  if (status != TUTTI_OK || !tutti_range_takes_method(point->operation, point->way))
    return status;
  const tutti_call call = {.size = tutti_range_point_size(point, ranks),
                           .count = point->count,
                           .type_size = sizeof(double),
                           .commutative = true};
  return tutti_method_check(&point->method, &call, error);
}

tutti_status tutti_engine_measure_range(const struct engine_machine *machine, const struct range_point *point,
                                        int ranks, const struct engine_range_cost *cost, struct engine_start *start,
                                        double *seconds, tutti_error *error)
{
  const struct start_key key = {.kind = START_OF_CALL, .rank_count = (uint32_t)ranks};
  tutti_status status = check_range(point, ranks, error);
  if (status == TUTTI_OK)
    status = tutti_start_find(machine, key, start, error);
  if (status != TUTTI_OK)
    return status;
  struct range_script script = {.point = point, .cost = cost, .ranks = ranks};
  tutti_plan_init(&script.plan, machine, key.rank_count);
  script.plan.script.first = start->order;
  script.plan.script.now = start->now;
  script.plan.script.start.time = start->time;
  write_script(&script);
  status = tutti_script_run(&script.plan.script, error);
  *seconds = fmax(0, script.plan.script.times[0].longest);
  tutti_plan_end(&script.plan);
  return status;
}
