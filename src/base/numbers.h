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

#endif
