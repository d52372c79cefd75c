/* Points that were measured in several launches. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "harness/store/private.h"

bool tutti_store_is_same_point(const tutti_measurement *left, const tutti_measurement *right)
{
  tutti_measurement first = *left, second = *right;
  first.launch = second.launch = 0;
  return tutti_row_compare(tutti_kind_of(TUTTI_ROW_MEASUREMENT), &first, &second) == 0;
}

/* The spread between the launches, which are in order. For launches of one repetition, such as the orders in which the
   ranks of a simulation start, all are equally valid: it is the full range. */
static double between(const double *medians, size_t count, int repetitions)
{
  double low = medians[0], high = medians[count - 1];
  if ((size_t)repetitions > count)
    tutti_doubles_interval(medians, count, &low, &high);
  return high - low;
}

/* `medians` and `spreads` have space for all. */
static tutti_measurement join(const tutti_measurement *launches, size_t count, double *medians, double *spreads)
{
  tutti_measurement joined = launches[0];
  joined.launch = 0;
  joined.repetitions = 0;
  joined.mean = 0;
  for (size_t i = 0; i < count; i++) {
    medians[i] = launches[i].median;
    spreads[i] = launches[i].spread;
    joined.repetitions += launches[i].repetitions;
    joined.minimum = fmin(joined.minimum, launches[i].minimum);
    joined.maximum = fmax(joined.maximum, launches[i].maximum);
    joined.mean += launches[i].mean / (double)count;
  }
  tutti_doubles_sort(medians, count);
  tutti_doubles_sort(spreads, count);
  joined.median = tutti_doubles_median(medians, count);
  joined.spread = tutti_doubles_median(spreads, count);
  if (joined.median > 0)
    joined.spread = fmax(joined.spread, 50 * between(medians, count, joined.repetitions) / joined.median);
  return joined;
}

size_t tutti_store_join_launches(tutti_measurement *measurements, size_t count)
{
  size_t kept = 0, next;
  double *values = NULL;
  for (size_t i = 0; i < count; i = next) {
    for (next = i + 1; next < count && tutti_store_is_same_point(&measurements[i], &measurements[next]); next++)
      ;
    if (next - i > 1 && !values)
      values = tutti_xcalloc(2 * count, sizeof *values);
    measurements[kept++] = next - i > 1 ? join(&measurements[i], next - i, values, values + count) : measurements[i];
  }
  free(values);
  return kept;
}
