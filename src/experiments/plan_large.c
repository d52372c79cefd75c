/* Messages that SMPI cannot carry. */
#include <limits.h>
#include <string.h>

#include "experiments/plan.h"
#include "tutti/analysis.h"

/* What ranks of a simulation hold together, beyond which measuring programs refuse a point for memory: no schedules are
   built for it. */
#define MOST_BYTES (UINT64_C(1) << 42)

/* The largest message of a point of at most that many bytes, and of at least 0; what a library does is not known:
   all that a rank has may be one. */
static tutti_status find_largest(const tutti_point *point, uint64_t most, uint64_t *largest, tutti_error *error)
{
  const bool reduces = tutti_collective_traits(point->method.algorithm->collective) & TUTTI_REDUCES;
  const tutti_call call = {.size = point->ranks,
                           .root = point->root,
                           .count = reduces ? point->count : point->count * point->type_size,
                           .type_size = reduces ? point->type_size : 1,
                           .commutative = true};
  tutti_total total;
  *largest = most;
  if (tutti_point_is_library(point))
    return TUTTI_OK;
  const tutti_status status = tutti_count_method(&point->method, &call, &total, error);
  *largest = total.maximum.largest_message * call.type_size;
  return status;
}

tutti_status tutti_point_check_large(const tutti_experiment *experiment, const tutti_point *point, tutti_error *error)
{
  char name[TUTTI_METHOD_LENGTH];
  if (!experiment->platform_path || strcmp(experiment->flavor, "smpi") != 0 || point->result || point->build.builder)
    return TUTTI_OK;
  const unsigned traits = tutti_collective_traits(point->method.algorithm->collective);
  uint64_t bytes, all, largest;
  if (__builtin_mul_overflow(point->count, point->type_size, &bytes) ||
      __builtin_mul_overflow(bytes, (uint64_t)point->ranks, &all) || all > MOST_BYTES)
    return TUTTI_OK;
  const uint64_t most = traits & TUTTI_HAS_BLOCKS ? all : bytes;
  if (most <= INT_MAX)
    return TUTTI_OK;
  const tutti_status status = find_largest(point, most, &largest, error);
  if (status != TUTTI_OK || largest <= INT_MAX)
    return status;
  return tutti_fail(
      error, TUTTI_ERR_ARGUMENT,
      "%s: %s with %llu B on %d ranks has a message of %llu bytes, and SMPI counts those of one in an int, "
      "up to %d: --engine fast measures it",
      experiment->path, tutti_method_format(&point->method, name), (unsigned long long)bytes, point->ranks,
      (unsigned long long)largest, INT_MAX);
}
