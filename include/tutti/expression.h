/**
 * @file expression.h
 * @ingroup decision
 * Attributes of a question to a decision function as small expressions: constructive induction (Pjesivac-Grbovic 2007,
 * section 6.3.3). No MPI.
 *
 *     bytes    ranks * bytes    log2(total)    even(ranks)    pow2(nodes)    bytes >= 8KB    min(ranks, 64) % 3
 *
 * Numbers (with the suffixes KB, MB, GB), the words below, + - * / % with their usual precedence, comparisons (< <= >
 * >= = !=), brackets, and the functions log2(x), floor(x), ceil(x), min(x, y), max(x, y), even(x), pow2(x).
 * Comparisons, even and pow2 are truths ("yes" or "no"), and only whole expressions; all else is a number.
 *
 *     collective      the operation; alone only, discrete
 *     ranks           communicator size
 *     bytes           of the message, or of one rank's block
 *     total           ranks * bytes
 *     ranks_per_node  unknown where the question does not say it
 *     nodes           ceil(ranks / ranks_per_node)
 */
#ifndef TUTTI_EXPRESSION_H
#define TUTTI_EXPRESSION_H

#include <stdio.h>

#include "tutti/decision.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tutti_expression_kind {
  TUTTI_EXPRESSION_NUMBER,
  TUTTI_EXPRESSION_TRUTH,     /**< 0: no, 1: yes */
  TUTTI_EXPRESSION_COLLECTIVE /**< a tutti_collective */
} tutti_expression_kind;

typedef struct tutti_expression tutti_expression;

/** Longest expression in characters, and most operators and operands of one. */
#define TUTTI_EXPRESSION_LENGTH 120
#define TUTTI_EXPRESSION_TERMS  32

/**
 * Read an expression; free it with free().
 * @return TUTTI_ERR_ARGUMENT says where it stops making sense; TUTTI_ERR_MEMORY
 */
tutti_status tutti_expression_parse(const char *text, tutti_expression **expression, tutti_error *error);

tutti_expression_kind tutti_expression_kind_of(const tutti_expression *expression);

/** Its value for a question; NaN: unknown (ranks per node not given, a division by zero, the logarithm of 0 or less).
 */
double tutti_expression_value(const tutti_expression *expression, const tutti_question *question);

/** Does it look at the ranks per node, or at the size of the message? @{ */
bool tutti_expression_needs_nodes(const tutti_expression *expression);
bool tutti_expression_needs_bytes(const tutti_expression *expression);
/** @} */

/**
 * Does its value, for any communicator, only rise or only fall as the message grows, or stay? Then a test of it changes
 * its answer at one size. False also where that cannot be told.
 */
bool tutti_expression_is_monotone(const tutti_expression *expression);

/**
 * Write it as a C expression of type double over the variables `ranks`, `bytes` and `ranks_per_node` (double); calls
 * log2(), floor(), ceil(), fmod(), fmin(), fmax() of <math.h>. Not for the collective. False if @p stream fails.
 */
bool tutti_expression_print_c(const tutti_expression *expression, FILE *stream);

/** Does its C form call a function of <math.h>? */
bool tutti_expression_needs_math(const tutti_expression *expression);

#ifdef __cplusplus
}
#endif
#endif
