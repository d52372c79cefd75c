/**
 * @file c45.h
 * @ingroup decision
 * C4.5 as Release 8 has it (Quinlan 1993; Quinlan 1996, Improved use of continuous attributes in C4.5; Pjesivac-Grbovic
 * 2007, section 5.4). No MPI.
 */
#ifndef TUTTI_C45_H
#define TUTTI_C45_H

#include "tutti/classifier.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * How the error of a leaf on unseen cases is estimated. The two programs differ in three details more, which follow the
 * same switch: Release 8 also takes a discrete test of no gain where there is no better one, does not take a test whose
 * split information is 10^-3 bits or less, and a leaf that gets other cases keeps its class where classes tie.
 */
typedef enum tutti_c45_limit {
  TUTTI_LIMIT_RELEASE8, /**< upper confidence limit by Release 8's interpolated table of normal deviates */
  TUTTI_LIMIT_NORMAL,   /**< by the exact normal quantile, and at most N - E more errors; none above 50 %: as J48 */
} tutti_c45_limit;

/** Most levels of tests; whatever lies deeper is a leaf. */
#define TUTTI_C45_DEPTH 1000

/** What governs the learner. tutti_c45_defaults() has those of the c4.5 program. */
typedef struct tutti_c45_options {
  double weight;     /**< -m: least weight of cases in at least two branches of a test, default 2 */
  double confidence; /**< -c: in percent, 0 < c <= 100, default 25; lower prunes more */
  bool unpruned;     /**< leave the tree as it was grown */
  bool no_raising;   /**< prune by leaves only, not by the largest branch */
  bool grouping;     /**< -s: test groups of the values of discrete attributes */
  bool gain;         /**< -g: gain instead of gain ratio */
  tutti_c45_limit limit;
  int trials;       /**< windowing: trees grown from windows, of which the best is kept; 0: no windowing */
  size_t window;    /**< -w: cases of the first window; 0: the larger of 20 % and 2 sqrt(n) */
  size_t increment; /**< -i: cases added at most; 0: 20 % of the first window */
  uint64_t seed;    /**< of the windows */
} tutti_c45_options;

tutti_c45_options tutti_c45_defaults(void);

/** What came of it, as table 6.7 counts. */
typedef struct tutti_c45_report {
  int grown_leaves, leaves;    /**< before and after pruning ("size") */
  size_t grown_errors, errors; /**< misclassified training cases */
  double predicted;            /**< estimated errors on as many unseen cases, after pruning */
} tutti_c45_report;

/**
 * Learn a tree from @p cases. Deterministic. Where two tests are worth the same within 10^-6 of a bit, the first
 * attribute and the lowest threshold win.
 * @param report  may be NULL
 * @return TUTTI_ERR_ARGUMENT if there are no cases or no classes, or an option is out of range; TUTTI_ERR_MEMORY
 */
tutti_status tutti_c45_learn(const tutti_cases *cases, const tutti_c45_options *options, tutti_classifier *classifier,
                             tutti_c45_report *report, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
