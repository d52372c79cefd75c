/* Comparing, sorting and summing up numbers; comparing texts. */
#ifndef TUTTI_BASE_NUMBERS_H
#define TUTTI_BASE_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Negative, 0 or positive, as functions for qsort() return it. */
#define THREE_WAY(a, b) (((a) > (b)) - ((a) < (b)))

/* Comparisons for qsort() and bsearch(). @{ */
int tutti_compare_ints(const void *left, const void *right);
int tutti_compare_numbers(const void *left, const void *right); /* uint64_t */
int tutti_compare_doubles(const void *left, const void *right); /* none NaN */
int tutti_compare_texts(const void *left, const void *right);   /* char * */
/* @} */

static inline bool tutti_is_power_of_two(uint64_t number)
{
  return number > 0 && (number & (number - 1)) == 0;
}

/* The first of the numbers `first` .. `end` - 1, called `index`, for which a condition is false that is true for those
   before it and false for those after it; `end` if there is none. By halving. */
#define TUTTI_PARTITION_POINT(type, index, first, end, condition)                                                      \
  ({                                                                                                                   \
    type low_ = (first), high_ = (end);                                                                                \
    while (low_ < high_) {                                                                                             \
      const type index = low_ + (high_ - low_) / 2;                                                                    \
      if (condition)                                                                                                   \
        low_ = index + 1;                                                                                              \
      else                                                                                                             \
        high_ = index;                                                                                                 \
    }                                                                                                                  \
    low_;                                                                                                              \
  })

/* Sort the items of @p size bytes, and let each that compares equal to the one before `add` itself to it, or be dropped
   if that is NULL; returns how many are left. */
size_t tutti_merge(void *items, size_t count, size_t size, int (*compare)(const void *, const void *),
                   void (*add)(void *sum, const void *item));

/* Sort and drop repetitions; returns how many are left. @{ */
size_t tutti_numbers_unique(uint64_t *numbers, size_t count);
size_t tutti_ints_unique(int *numbers, size_t count);
/* @} */

/* Sort times, percents, ... None may be NaN. */
void tutti_doubles_sort(double *values, size_t count);

/* The median of at least one sorted value. */
double tutti_doubles_median(const double *sorted, size_t count);

/* The 95 % confidence interval of the median of at least one sorted value: from *low to *high. With five or less it is
   all of them. */
void tutti_doubles_interval(const double *sorted, size_t count, double *low, double *high);

/* The normal deviate that is exceeded with this probability, in (0, 0.5]. */
double tutti_normal_deviate(double probability);

#endif
