/* Statistics of repetitions. */
#ifndef TUTTI_MEASURE_STATISTICS_H
#define TUTTI_MEASURE_STATISTICS_H

#include <stdbool.h>

struct statistics {
  int count;
  int calls; /* per value; each statistic is that of one call */
  double minimum, median, mean, maximum;
  double low, high; /* 95 % confidence interval of the median; the extremes where there are too few values */
};

/* Sorts values[count] (count >= 1) in place. The interval is the nonparametric one of order statistics: ranks
   count/2 -+ 1.96 sqrt(count)/2 (Le Boudec 2010, appendix A). */
struct statistics tutti_statistics_of(double *values, int count);

/* The time of one of @p calls calls: @p with is of all calls and their surroundings, @p without of the surroundings
   alone. The minimum of the latter is subtracted from that of the former, as far as the median allows; from the other
   statistics its median. The interval of the median is that of a difference of independent estimates: on either side
   the root of the sum of the squares of theirs (Donner and Zou 2012). */
struct statistics tutti_statistics_of_difference(const struct statistics *with, const struct statistics *without,
                                                 int calls);

/* Half the interval. */
double tutti_statistics_spread(const struct statistics *statistics);

/* True if half the interval is at most `bound` times the median. False with fewer than six values, for which no
   interval of order statistics has 95 %. */
bool tutti_statistics_are_stable(const struct statistics *statistics, double bound);

#endif
