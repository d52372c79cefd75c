/* Statistics of pairs: the same point measured repeatedly under two settings.

   A pair counts by the logarithm of after / before, so that twice as slow and half as fast weigh the same. The test is
   Wilcoxon's signed rank test (Wilcoxon 1945), two-sided and exact: pairs that do not differ are left out, equal
   differences share their mean rank, and the distribution is that of these very ranks, each with equal probability of a
   win and a loss. The estimate is that of Hodges and Lehmann (1963), the median of all means of two
   differences, and its interval is that of the same test (Hollander, Wolfe 1973, chapter 3). Many points are judged at
   once: Holm 1979. */
#ifndef TUTTI_RESULTS_PAIRED_H
#define TUTTI_RESULTS_PAIRED_H

#include "tutti/error.h"

/* Maximum pairs of one point: time and memory of the exact distribution grow with the third power, and the square. */
enum { PAIRED_MAX = 200 };

/* The result of comparing pairs. */
struct paired_test {
  int pairs;     /* all of them */
  double before; /* medians */
  double after;
  double ratio;     /* after / before, estimated from the pairs */
  double low, high; /* of the ratio; NaN where there are too few pairs for an interval of that level */
  double p;         /* probability of a difference like this, or a larger one, under the null hypothesis */
};

/**
 * Compare.
 * @param before  [count] seconds, positive; @p after the same, pair by pair
 * @param count   1 to PAIRED_MAX
 * @param level   of the interval: 0.05 is one of 95 %
 * @return TUTTI_ERR_ARGUMENT naming a pair that is not positive
 */
tutti_status tutti_paired_test(const double *before, const double *after, int count, double level,
                               struct paired_test *test, tutti_error *error);

/* Correct p values for their number, in place: a point is significant at a level if its corrected value is at most
   that; the probability that any point is called significant without a difference is then at most the level. */
void tutti_paired_correct(double *p, int count);

/* The same so that of the points that are called significant at most this share is expected to be so without a
   difference (Benjamini, Hochberg 1995); if there is no difference at all, it is the probability of calling any. */
void tutti_paired_discover(double *p, int count);

/* The probability of pairs like these if their ratio were as far from 1 as margin > 0 says, 1 + margin or 1 / (1 +
   margin), or farther: the larger p of two one-sided signed rank tests (Schuirmann 1987). Arguments as those of
   tutti_paired_test(), which has accepted them. */
double tutti_paired_within(const double *before, const double *after, int count, double margin);

/* The smallest number of pairs with which one of @p points points can be significant at a level, if all of its pairs
   agree: the smallest p of n pairs is 2^(1-n). */
int tutti_paired_least(int points, double level);

#endif
