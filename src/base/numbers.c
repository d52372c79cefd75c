#include "base/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int tutti_compare_ints(const void *left, const void *right)
{
  return THREE_WAY(*(const int *)left, *(const int *)right);
}

int tutti_compare_numbers(const void *left, const void *right)
{
  return THREE_WAY(*(const uint64_t *)left, *(const uint64_t *)right);
}

int tutti_compare_doubles(const void *left, const void *right)
{
  return THREE_WAY(*(const double *)left, *(const double *)right);
}

size_t tutti_merge(void *items, size_t count, size_t size, int (*compare)(const void *, const void *),
                   void (*add)(void *sum, const void *item))
{
  char *end = items;
  if (count > 0)
    qsort(items, count, size, compare);
  for (const char *item = items; count > 0; count--, item += size)
    if (end == (char *)items || compare(end - size, item) != 0) {
      memmove(end, item, size);
      end += size;
    } else if (add)
      add(end - size, item);
  return (size_t)(end - (char *)items) / size;
}

int tutti_compare_texts(const void *left, const void *right)
{
  return strcmp(*(char *const *)left, *(char *const *)right);
}

size_t tutti_numbers_unique(uint64_t *numbers, size_t count)
{
  return tutti_merge(numbers, count, sizeof *numbers, tutti_compare_numbers, NULL);
}

size_t tutti_ints_unique(int *numbers, size_t count)
{
  return tutti_merge(numbers, count, sizeof *numbers, tutti_compare_ints, NULL);
}

void tutti_doubles_sort(double *values, size_t count)
{
  if (count > 0)
    qsort(values, count, sizeof *values, tutti_compare_doubles);
}

double tutti_doubles_median(const double *sorted, size_t count)
{
  return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

/* By order statistics, with the normal approximation of the binomial distribution. */
void tutti_doubles_interval(const double *sorted, size_t count, double *low, double *high)
{
  double half = (double)count / 2, spread = 1.96 * sqrt((double)count) / 2;
  double first = floor(half - spread) - 1, last = ceil(half + spread);
  *low = sorted[first < 0 ? 0 : (size_t)first];
  *high = sorted[last >= (double)count ? count - 1 : (size_t)last];
}

/* Newton's method on the complementary error function, from below, where it is convex. */
double tutti_normal_deviate(double probability)
{
  double z = 0.0;
  for (int i = 0; i < 100; i++) {
    double step = (0.5 * erfc(z / M_SQRT2) - probability) / (exp(-z * z / 2) / sqrt(2 * M_PI));
    z += step;
    if (fabs(step) < 1e-15)
      break;
  }
  return z;
}
