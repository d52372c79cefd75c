/* The messages of a point: how many, and those that SMPI cannot carry. */
#include <limits.h>
#include <string.h>

#include "harness/experiments/plan/plan.h"
#include "tutti/analysis.h"

/* Memory of all ranks of a simulation together, above which programs refuse a point: no schedules are built for it. */
#define MAX_BYTES (UINT64_C(1) << 42)

/* Ranks whose messages are counted; there may be a million. */
enum { SOME_RANKS = 256 };

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
  const int some = point->ranks < SOME_RANKS ? point->ranks : SOME_RANKS;
  double sends = 0;
  tutti_count count;
  if (point->result || point->build.builder || tutti_point_is_library(point))
    return point->cost;
  for (int i = 0; i < some; i++) {
    if (!count_rank(point, (int)((int64_t)point->ranks * i / some), &count))
      return point->cost;
    sends += (double)count.sends;
  }
  return sends / some * point->ranks;
}

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
