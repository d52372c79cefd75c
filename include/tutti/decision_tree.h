/**
 * @file decision_tree.h
 * @ingroup decision
 * Decision trees that pick methods, and Tutti's own decision files. No MPI.
 *
 *     tutti-decision 1
 *     # learnt by C4.5 -m 2 -c 25 ...
 *     tree bcast reduce
 *     attribute collective
 *     attribute ranks
 *     attribute bytes
 *     attribute even = even(ranks)
 *     bytes <= 512 : linear
 *     bytes > 512 :
 *     |   collective = bcast : split-binary/1KB (12.0)
 *     |   collective = reduce : binary/1KB (9.0/1.3)
 *
 *     tree allgather
 *     ...
 *
 * After the first line any number of trees, an empty line or the end of the file after each; each answers for the
 * collectives that it names; if several name one, the first answers. Attributes are expressions, with a name if they
 * are not one of the words below; classes are methods without their collective. '#' at the beginning of a line is a
 * comment. A rule file (decision.h) is a decision file, too: it is one that does not begin with "tutti-decision".
 */
#ifndef TUTTI_DECISION_TREE_H
#define TUTTI_DECISION_TREE_H

#include <stdio.h>

#include "tutti/classifier.h"
#include "tutti/decision.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @name Expressions
 * Attributes of a question to a decision function as small expressions: constructive induction (Pjesivac-Grbovic 2007,
 * section 6.3.3).
 *
 *     bytes    ranks * bytes    log2(total)    even(ranks)    pow2(nodes)    bytes >= 8KB    min(ranks, 64) % 3
 *
 * Numbers (with the suffixes KB, MB, GB), the words below, + - * / % with their usual precedence, comparisons (< <= >
 * >= = !=), brackets, and the functions log2(x), floor(x), ceil(x), min(x, y), max(x, y), even(x), pow2(x).
 * Comparisons, even and pow2 are booleans ("yes" or "no"), and only whole expressions; all else is a number.
 *
 *     collective      the operation; alone only, discrete
 *     ranks           communicator size
 *     bytes           of the message, or of one rank's block
 *     total           ranks * bytes
 *     ranks_per_node  unknown where the question does not give it
 *     nodes           ceil(ranks / ranks_per_node)
 * @{
 */

typedef enum tutti_expression_kind {
  TUTTI_EXPRESSION_NUMBER,
  TUTTI_EXPRESSION_BOOLEAN,   /**< 0: no, 1: yes */
  TUTTI_EXPRESSION_COLLECTIVE /**< a tutti_collective */
} tutti_expression_kind;

typedef struct tutti_expression tutti_expression;

/** Longest expression in characters, and maximum number of its operators and operands. */
#define TUTTI_EXPRESSION_LENGTH 120
#define TUTTI_EXPRESSION_TERMS  32

/**
 * Read an expression; free it with free().
 * @return TUTTI_ERR_ARGUMENT names the place of the unexpected text
 */
tutti_status tutti_expression_parse(const char *text, tutti_expression **expression, tutti_error *error);

tutti_expression_kind tutti_expression_kind_of(const tutti_expression *expression);

/** Its value for a question; NaN: unknown (ranks per node not given, a division by zero, the logarithm of 0 or less).
 */
double tutti_expression_value(const tutti_expression *expression, const tutti_question *question);

/** Whether it uses the ranks per node, or the size of the message. @{ */
bool tutti_expression_needs_nodes(const tutti_expression *expression);
bool tutti_expression_needs_bytes(const tutti_expression *expression);
/** @} */

/**
 * Whether its value, for any communicator, only rises or only falls as the message grows, or stays. Then a test of it
 * changes its answer at one size. False also if that is unknown.
 */
bool tutti_expression_is_monotone(const tutti_expression *expression);

/**
 * Write it as a C expression of type double over the variables `ranks`, `bytes` and `ranks_per_node` (double); calls
 * log2(), floor(), ceil(), fmod(), fmin(), fmax() of <math.h>. Not for the collective. False if @p stream fails.
 */
bool tutti_expression_print_c(const tutti_expression *expression, FILE *stream);

/** Whether its C form calls a function of <math.h>. */
bool tutti_expression_needs_math(const tutti_expression *expression);
/** @} */

/** Maximum attributes of a tree. */
#define TUTTI_MAX_ATTRIBUTES 64

/** A classifier of questions. Owns everything. */
typedef struct tutti_decision_tree {
  bool answers[TUTTI_COLL_COUNT]; /**< for which collectives */
  tutti_classifier classifier;    /**< its truths have the values "no", "yes", its collectives those it answers for */
  tutti_expression **expressions; /**< [classifier.attribute_count] */
  char **definitions;             /**< [classifier.attribute_count] text of each expression */
  int line;                       /**< of its first word, in the file that it was read from; 0: not read */
} tutti_decision_tree;

void tutti_decision_tree_free(tutti_decision_tree *tree);

/** All trees of a file. Begin with {0}. */
typedef struct tutti_decision_trees {
  int count;
  tutti_decision_tree *items;
} tutti_decision_trees;

void tutti_decision_trees_free(tutti_decision_trees *trees);

/**
 * The method COLLECTIVE/CLASS of a class. False if the collective has no such method.
 */
bool tutti_class_method(tutti_collective collective, const char *class_name, tutti_method *method);

/** Name of a method without its collective ("split-binary/1KB"); @p text has TUTTI_METHOD_LENGTH bytes. */
char *tutti_method_class(const tutti_method *method, char *text);

/**
 * Values of the attributes of @p tree for a question.
 * @param values  [classifier.attribute_count]
 */
void tutti_decision_tree_values(const tutti_decision_tree *tree, const tutti_question *question, double *values);

/**
 * A decision function of @p trees, which are moved into it. It has no answer for a collective that no tree names, nor
 * where the class at a leaf is no method of the collective in question.
 * @return TUTTI_ERR_ARGUMENT without trees
 */
tutti_status tutti_decision_of_trees(const char *name, tutti_decision_trees *trees, tutti_decision *decision,
                                     tutti_error *error);

/** The trees of a decision made by tutti_decision_of_trees(); NULL for any other. */
const tutti_decision_trees *tutti_decision_get_trees(const tutti_decision *decision);

/** Write trees as a decision file; @p comment (may be NULL, may have several lines) goes below its first line. */
tutti_status tutti_decision_trees_write(const tutti_decision_trees *trees, const char *comment, FILE *stream,
                                        tutti_error *error);

/** Read a decision file of either kind, trees or rules. */
tutti_status tutti_decision_read(const char *path, tutti_decision *decision, tutti_error *error);

/** The same of its text, @p length bytes and a zero byte after them; messages call it @p name. */
tutti_status tutti_decision_parse(const char *text, size_t length, const char *name, tutti_decision *decision,
                                  tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
