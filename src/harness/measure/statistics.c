#include "harness/measure/statistics.h"

#include <math.h>
#include <stdlib.h>

#include "base/numbers.h"

struct statistics tutti_statistics_of(double *values, int count)
{
  struct statistics s = {.count = count, .calls = 1};
  double sum = 0;
  tutti_doubles_sort(values, (size_t)count);
  for (int i = 0; i < count; i++)
    sum += values[i];
  s.minimum = values[0];
  s.maximum = values[count - 1];
  s.mean = count == 1 ? values[0] : sum / count;
  s.median = tutti_doubles_median(values, (size_t)count);
  tutti_doubles_interval(values, (size_t)count, &s.low, &s.high);
  return s;
}

struct statistics tutti_statistics_of_difference(const struct statistics *with, const struct statistics *without,
                                                 int calls)
{
  const double middle = without->median;
  struct statistics d = {.count = with->count,
                         .calls = calls,
                         .minimum = fmin(with->minimum - without->minimum, with->median - middle) / calls,
                         .median = (with->median - middle) / calls,
                         .mean = (with->mean - middle) / calls,
                         .maximum = (with->maximum - middle) / calls};
  d.low = d.median - hypot(with->median - with->low, without->high - middle) / calls;
  d.high = d.median + hypot(with->high - with->median, middle - without->low) / calls;
  return d;
}

double tutti_statistics_spread(const struct statistics *s)
{
  return (s->high - s->low) / 2;
}

bool tutti_statistics_are_stable(const struct statistics *s, double bound)
{
  return s->count >= 6 && tutti_statistics_spread(s) <= bound * fabs(s->median);
}
