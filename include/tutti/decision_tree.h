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
 * After the first line any number of trees, an empty line or the end of the file behind each; each answers for the
 * collectives that it names, the first that names one for that one. Attributes are expressions (expression.h), with a
 * name if they are not one of its words; classes are methods without their collective. '#' at the beginning of a line
 * is a comment. A rule file (decision.h) is a decision file, too: it is one that does not begin with "tutti-decision".
 */
#ifndef TUTTI_DECISION_TREE_H
#define TUTTI_DECISION_TREE_H

#include "tutti/classifier.h"
#include "tutti/expression.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Most attributes of a tree. */
#define TUTTI_MOST_ATTRIBUTES 64

/** A classifier of questions. Owns everything. */
typedef struct tutti_decision_tree {
  bool answers[TUTTI_COLL_COUNT]; /**< for which collectives */
  tutti_classifier classifier;    /**< its truths have the values "no", "yes", its collectives those it answers for */
  tutti_expression **expressions; /**< [classifier.attribute_count] */
  char **definitions;             /**< [classifier.attribute_count] text of each expression */
  int line;                       /**< of the file that it was read from: of its first word; 0: not read */
} tutti_decision_tree;

void tutti_decision_tree_free(tutti_decision_tree *tree);

/** All trees of a file. Begin with {0}. */
typedef struct tutti_decision_trees {
  int count;
  tutti_decision_tree *items;
} tutti_decision_trees;

void tutti_decision_trees_free(tutti_decision_trees *trees);

/**
 * The method that a class stands for: COLLECTIVE/CLASS. False if the collective has no such method.
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
 * where the class at a leaf is no method of the collective that was asked about.
 * @return TUTTI_ERR_ARGUMENT if there is no tree, TUTTI_ERR_MEMORY
 */
tutti_status tutti_decision_of_trees(const char *name, tutti_decision_trees *trees, tutti_decision *decision,
                                     tutti_error *error);

/** The trees of a decision made by tutti_decision_of_trees(); NULL for any other. */
const tutti_decision_trees *tutti_decision_get_trees(const tutti_decision *decision);

/** Write trees as a decision file; @p comment (may be NULL, may have several lines) goes below its first line. */
tutti_status tutti_decision_trees_write(const tutti_decision_trees *trees, const char *comment, FILE *stream,
                                        tutti_error *error);

/** Read the trees of a decision file. TUTTI_ERR_IO, TUTTI_ERR_ARGUMENT with FILE:LINE. */
tutti_status tutti_decision_trees_read(const char *path, tutti_decision_trees *trees, tutti_error *error);

/** Read a decision file of either kind, trees or rules. */
tutti_status tutti_decision_read(const char *path, tutti_decision *decision, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
