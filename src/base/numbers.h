/* Comparing, sorting and summing up numbers. */
#ifndef TUTTI_BASE_NUMBERS_H
#define TUTTI_BASE_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

/* Negative, 0 or positive, as functions for qsort() return it. */
#define THREE_WAY(a, b) (((a) > (b)) - ((a) < (b)))

/* Sort numbers and drop duplicates; returns the remaining number. */
size_t tutti_numbers_unique(uint64_t *numbers, size_t count);

/* Sort times, percents, ... None may be NaN. */
void tutti_doubles_sort(double *values, size_t count);

/* The median of at least one sorted value. */
double tutti_doubles_median(const double *sorted, size_t count);

/* The 95 % confidence interval of the median of at least one sorted value: from *low to *high. With five or less it is
   all of them. */
void tutti_doubles_interval(const double *sorted, size_t count, double *low, double *high);

#endif
