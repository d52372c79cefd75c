/**
 * @file pair_verdict.h
 * @ingroup results
 * What can be said of a point that was measured in pairs on two sides.
 */
#ifndef TUTTI_PAIR_VERDICT_H
#define TUTTI_PAIR_VERDICT_H

#ifdef __cplusplus
extern "C" {
#endif

/** A verdict. Two are proven to differ, or proven to be equal within a margin, or neither is known. */
typedef enum tutti_pair_verdict {
  TUTTI_NOT_MEASURED, /**< without pairs, or with too few for the noise: nothing is said */
  TUTTI_FASTER,       /**< the second side is faster */
  TUTTI_SLOWER,       /**< the second side is slower */
  TUTTI_EQUAL,        /**< the ratio is within the margin, which counts more than a smaller difference that is proven */
  TUTTI_PAIR_VERDICTS
} tutti_pair_verdict;

/** "not measured", "faster", "slower", "equal". Static storage. */
const char *tutti_pair_verdict_name(tutti_pair_verdict verdict);

#ifdef __cplusplus
}
#endif
#endif
