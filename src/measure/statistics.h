/* Statistics of repetitions. */
#ifndef TUTTI_MEASURE_STATISTICS_H
#define TUTTI_MEASURE_STATISTICS_H

#include <stdbool.h>

struct statistics {
  int count;
  double minimum, median, mean, maximum;
  double low, high; /* 95 % confidence interval of the median; the extremes where there are too few values */
};

/* Sorts values[count] (count >= 1) in place. The interval is the nonparametric one of order statistics: ranks
   count/2 -+ 1.96 sqrt(count)/2 (Le Boudec 2010, appendix A). */
struct statistics tutti_statistics_of(double *values, int count);

/* Is half the interval at most `bound` times the median? Never with fewer than six values, for which no interval of
   order statistics has 95 %. */
bool tutti_statistics_are_stable(const struct statistics *statistics, double bound);

#endif
