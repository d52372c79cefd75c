/* What a size means in all. */
#include "tutti/measurement.h"

bool tutti_total_bytes(const tutti_measurement *measurement, uint64_t *total)
{
  unsigned traits = tutti_collective_traits(measurement->method.algorithm->collective);
  uint64_t blocks = traits & TUTTI_HAS_BLOCKS ? (uint64_t)measurement->ranks : 1;
  if (!__builtin_mul_overflow(measurement->rank_bytes, blocks, total) && *total <= INT64_MAX)
    return true;
  *total = 0;
  return false;
}
