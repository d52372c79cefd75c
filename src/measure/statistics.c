#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *left, const void *right)
{
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static double median_of(const double *sorted, int count)
{
  return count % 2 ? sorted[count / 2] : 0.5 * (sorted[count / 2 - 1] + sorted[count / 2]);
}

static void set_interval(struct statistics *s, const double *sorted)
{
  double spread = 1.96 * sqrt(s->count) / 2;
  int low = (int)floor(s->count / 2.0 - spread) - 1, high = (int)ceil(s->count / 2.0 + spread);
  s->low = sorted[low < 0 ? 0 : low];
  s->high = sorted[high >= s->count ? s->count - 1 : high];
}

struct statistics tutti_statistics_of(double *values, int count)
{
  struct statistics s = {.count = count};
  double sum = 0;
  qsort(values, (size_t)count, sizeof *values, compare);
  for (int i = 0; i < count; i++)
    sum += values[i];
  s.minimum = values[0];
  s.maximum = values[count - 1];
  s.mean = count == 1 ? values[0] : sum / count;
  s.median = median_of(values, count);
  set_interval(&s, values);
  return s;
}

bool tutti_statistics_are_stable(const struct statistics *s, double bound)
{
  return s->count >= 6 && (s->high - s->low) / 2 <= bound * fabs(s->median);
}
