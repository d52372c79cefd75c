/* The messages of a point: how many, and those that SMPI cannot carry. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "harness/experiments/plan/plan.h"
#include "tutti/analysis.h"

/* Memory of all ranks of a simulation together, above which programs refuse a point: no schedules are built for it. */
#define MAX_BYTES (UINT64_C(1) << 42)

/* The call as measuring programs make it: elements of the datatype where the collective reduces, else bytes. */
static tutti_call call_of(const tutti_point *point)
{
  const bool reduces = tutti_collective_traits(point->method.algorithm->collective) & TUTTI_REDUCES;
  return (tutti_call){.size = point->ranks,
                      .root = point->root,
                      .count = reduces ? point->count : point->count * point->type_size,
                      .type_size = reduces ? point->type_size : 1,
                      .commutative = true};
}

static bool count_rank(const tutti_point *point, int rank, tutti_count *count)
{
  tutti_arena arena;
  tutti_schedule schedule;
  tutti_error ignored;
  tutti_call call = call_of(point);
  call.rank = rank;
  tutti_arena_init(&arena);
  const bool built = tutti_method_schedule(&point->method, &call, &arena, &schedule, &ignored) == TUTTI_OK;
  if (built)
    *count = tutti_count_schedule(&schedule);
  tutti_arena_release(&arena);
  return built;
}

double tutti_point_messages(const tutti_point *point)
{
  double messages;
  if (point->result || point->build.builder || tutti_point_is_library(point))
    return point->cost;
  const tutti_call call = call_of(point);
  return tutti_estimate_messages(&point->method, &call, &messages, NULL) == TUTTI_OK ? messages : point->cost;
}

/* ---- points that would be simulated for hours ---- */

double tutti_message_seconds(const char *flavor)
{
  return tutti_flavor_is_engine(flavor) ? 1.5e-6 : tutti_flavor_is_simulated(flavor) ? 85e-6 : 0;
}

double tutti_most_messages(const char *flavor)
{
  return tutti_flavor_is_engine(flavor) ? 1e9 : tutti_flavor_is_simulated(flavor) ? 2e7 : INFINITY;
}

/* What no schedule has more of is not counted: each rank sends to each other one a few times, for each segment. */
static bool may_be_large(const tutti_point *point, double most)
{
  return !point->result && !point->build.builder && !tutti_point_is_library(point) &&
         4.0 * point->ranks * point->cost > most;
}

/* A method is named once for a number of ranks. */
static void name_large(tutti_plan *plan, const tutti_point *point, double messages)
{
  char name[TUTTI_METHOD_LENGTH], text[TUTTI_METHOD_LENGTH + 128];
  const double hours = messages * tutti_message_seconds(plan->experiment->flavor) / 3600;
  const size_t used = strlen(plan->large_names);
  snprintf(text, sizeof text, "%s on %d ranks (", tutti_method_format(&point->method, name), point->ranks);
  if (strstr(plan->large_names, text))
    return;
  const size_t head = strlen(text);
  snprintf(text + head, sizeof text - head, "about %.2g messages, %.2g h or more)", messages, hours);
  const bool fits = used + strlen(text) + sizeof ", ..." + 2 < sizeof plan->large_names;
  if (fits || strcmp(plan->large_names + used - 3, "...") != 0)
    snprintf(plan->large_names + used, sizeof plan->large_names - used, "%s%s", used > 0 ? ", " : "",
             fits ? text : "...");
}

tutti_status tutti_points_drop_large(struct point_list *list, tutti_plan *plan, double most, tutti_error *error)
{
  size_t kept = 0;
  double messages = 0;
  if (!(most > 0) || !plan->experiment->platform_path)
    return TUTTI_OK;
  for (size_t i = 0; i < list->count; i++) {
    const tutti_point *point = &list->items[i];
    /* launches of a point follow each other */
    if (may_be_large(point, most) && point->launch == 0)
      messages = tutti_point_messages(point);
    const bool large = may_be_large(point, most) && messages > most;
    if (large)
      name_large(plan, point, messages);
    else
      list->items[kept++] = *point;
  }
  plan->large = list->count - kept;
  list->count = kept;
  if (kept > 0 || plan->large == 0 || plan->present > 0)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "%s: nothing is left to simulate, because all points have more than %.3g messages: %s; "
                    "--most-messages 0 simulates them all the same",
                    plan->experiment->path, most, plan->large_names);
}

/* ---- messages that SMPI cannot carry ---- */

/* The largest message in bytes. What a library sends is not known: all of a rank's data, @p most, may be one message.
 */
static uint64_t find_largest(const tutti_point *point, uint64_t most)
{
  uint64_t largest = 0;
  tutti_count count;
  if (tutti_point_is_library(point))
    return most;
  for (int rank = 0; rank < point->ranks && count_rank(point, rank, &count); rank++)
    largest = count.largest_message > largest ? count.largest_message : largest;
  return largest * call_of(point).type_size;
}

tutti_status tutti_point_check_large(const tutti_experiment *experiment, const tutti_point *point, tutti_error *error)
{
  char name[TUTTI_METHOD_LENGTH];
  uint64_t bytes, all;
  if (!experiment->platform_path || strcmp(experiment->flavor, "smpi") != 0 || point->result || point->build.builder)
    return TUTTI_OK;
  if (__builtin_mul_overflow(point->count, point->type_size, &bytes) ||
      __builtin_mul_overflow(bytes, (uint64_t)point->ranks, &all) || all > MAX_BYTES)
    return TUTTI_OK;
  const uint64_t most = tutti_collective_traits(point->method.algorithm->collective) & TUTTI_HAS_BLOCKS ? all : bytes;
  const uint64_t largest = most > INT_MAX ? find_largest(point, most) : 0;
  if (largest <= INT_MAX)
    return TUTTI_OK;
  return tutti_fail(
      error, TUTTI_ERR_ARGUMENT,
      "%s: %s with %llu B on %d ranks has a message of %llu bytes, and SMPI counts those of one in an int, "
      "up to %d: --engine fast measures it",
      experiment->path, tutti_method_format(&point->method, name), (unsigned long long)bytes, point->ranks,
      (unsigned long long)largest, INT_MAX);
}
