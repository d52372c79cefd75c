/* Verdicts on many points at once, each measured in pairs (paired.h).

   Two families of tests: that there is no difference (signed rank test, two-sided), and that the ratio is outside of a
   margin (two one-sided ones). Each family is corrected after Benjamini and Hochberg: of the verdicts of a family at
   most the level is expected to be false, and where nothing differs it is the probability that any point is called
   slower or faster. What neither family proves is not measured: that no difference was found proves no equality. */
#ifndef TUTTI_RESULTS_VERDICT_H
#define TUTTI_RESULTS_VERDICT_H

#include "decision/results/paired.h"
#include "tutti/pair_verdict.h"

/* The probability with which what is there should be found. */
#define VERDICT_POWER 0.8

/* One point; p values as in struct paired_test. Without pairs all numbers are NaN, and p values 1. */
struct verdict {
  struct paired_test test;
  double outside;                      /* p of a ratio outside of the margin */
  double corrected, outside_corrected; /* of the two */
  /* What these pairs could find, by the standard error that the interval shows, and at the level that one more point of
     the family has to reach: the smallest slow-down, as a fraction, that would have been found with VERDICT_POWER, NaN:
     none; and with how many pairs of such noise a ratio of 1 is proven to be within the margin, 0: not known. @{ */
  double finds;
  int enough;
  /* @} */
  tutti_pair_verdict verdict;
};

/**
 * Test one point.
 * @param before  [count] seconds; @p after the same, pair by pair
 * @param count   0 to PAIRED_MAX
 * @param margin  0.05: ratios from 1 / 1.05 to 1.05 are equal; above 0
 * @param level   of the interval
 * @return TUTTI_ERR_ARGUMENT as tutti_paired_test()
 */
tutti_status tutti_verdict_test(const double *before, const double *after, int count, double margin, double level,
                                struct verdict *point, tutti_error *error);

/* Correct the points that were tested together, and decide: verdicts, finds and enough. */
void tutti_verdict_decide(struct verdict *points, int count, double margin, double level);

#endif
