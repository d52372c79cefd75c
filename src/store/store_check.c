/* What can be stored: the checks of the schema, said in words that name the point. */
#include <inttypes.h>
#include <math.h>

#include "store/store_private.h"

static const char *key_fault(const tutti_measurement *point)
{
  if (!tutti_scheme_name(point->scheme))
    return "has no known scheme";
  if (point->ranks < 1)
    return "needs at least one rank";
  if (point->ranks_per_node < 1)
    return "needs at least one rank per node";
  if (point->root < 0 || point->root >= point->ranks)
    return "has a root that is not one of its ranks";
  if (point->count > INT64_MAX || point->type_size > INT64_MAX || point->total_bytes > INT64_MAX)
    return "has a size that is too large to be stored";
  if (point->type_size == 0 && point->count > 0)
    return "has elements of no bytes";
  return NULL;
}

static const char *size_fault(const tutti_measurement *point)
{
  uint64_t bytes;
  if (__builtin_mul_overflow(point->count, point->type_size, &bytes) || bytes > INT64_MAX)
    return "has a size that is too large to be stored";
  if (bytes != point->rank_bytes)
    return "has bytes per rank that are not count times type size";
  if (!tutti_total_bytes(point, &bytes))
    return "has a size that is too large to be stored";
  if (bytes != point->total_bytes)
    return "has a total of bytes that does not follow from its bytes per rank";
  if (point->repetitions < 1)
    return "needs at least one repetition";
  return NULL;
}

static const char *time_fault(const tutti_measurement *point)
{
  if (!isfinite(point->minimum) || !isfinite(point->median) || !isfinite(point->mean) || !isfinite(point->maximum))
    return "has a time that is not a finite number";
  if (point->minimum > point->median || point->median > point->maximum)
    return "has a minimum, median and maximum that are not in ascending order";
  /* The OCC scheme subtracts the time of its barrier, so noise can push its times below zero. */
  if (point->scheme != TUTTI_SCHEME_OCC && (point->minimum < 0 || point->mean < 0))
    return "has a negative time, which only the scheme occ can bring about";
  return NULL;
}

tutti_status tutti_store_check_measurement(const tutti_measurement *measurement, tutti_error *error)
{
  if (!measurement->method.algorithm)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a measurement names no method");
  const char *fault = key_fault(measurement);
  if (!fault)
    fault = size_fault(measurement);
  if (!fault)
    fault = time_fault(measurement);
  if (!fault)
    return TUTTI_OK;
  char method[TUTTI_METHOD_LENGTH];
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the measurement of %s with %d ranks and %" PRIu64 " elements %s",
                    tutti_method_format(&measurement->method, method), measurement->ranks, measurement->count, fault);
}

static const char *build_fault(const tutti_group_run *build)
{
  const tutti_group_counts *counts = &build->counts;
  if (build->ranks_per_node < 1)
    return "needs at least one rank per node";
  if (build->point.sample.seed > INT64_MAX)
    return "has a seed that is too large to be stored";
  if (build->repetitions < 0)
    return "has a negative number of repetitions";
  if (!isfinite(build->minimum) || !isfinite(build->median) || !isfinite(build->mean) || !isfinite(build->maximum))
    return "has a time that is not a finite number";
  if (build->minimum < 0 || build->minimum > build->median || build->median > build->maximum || build->mean < 0)
    return "has a minimum, median and maximum that are not in ascending order from 0 on";
  for (int i = 0; i < TUTTI_GROUP_FINGERPRINT; i++)
    if (counts->sums[i] > INT64_MAX)
      return "has a count that is too large to be stored";
  if (counts->sums[TUTTI_GROUP_MEMBERS] > (uint64_t)build->point.sample.size)
    return "has more members than ranks";
  return NULL;
}

tutti_status tutti_store_check_build(const tutti_group_run *build, tutti_error *error)
{
  char text[TUTTI_GROUP_POINT_LENGTH];
  if (!build->point.builder)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a group names no builder");
  tutti_status status = tutti_group_point_check(&build->point, error);
  const char *fault = status == TUTTI_OK ? build_fault(build) : NULL;
  if (!fault)
    return status;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the group built by %s with %d ranks %s",
                    tutti_group_point_format(&build->point, text), build->point.sample.size, fault);
}
