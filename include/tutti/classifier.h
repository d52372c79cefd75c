/**
 * @file classifier.h
 * @ingroup decision
 * Cases, which are attribute values and a class each, and classifiers, which are decision trees over attributes,
 * from any learner (Quinlan 1993; Pjesivac-Grbovic 2007, section 5.4). No MPI.
 */
#ifndef TUTTI_CLASSIFIER_H
#define TUTTI_CLASSIFIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tutti/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A property of each case: a number, or one of several words. */
typedef struct tutti_attribute {
  char *name;
  int value_count; /**< 0: continuous */
  char **values;   /**< [value_count] of a discrete one */
  bool ignored;    /**< no test looks at it */
} tutti_attribute;

/** A table of cases. Arrays and strings are owned by it; begin with {0}, end with tutti_cases_free(). */
typedef struct tutti_cases {
  char *name; /**< of the relation */
  int attribute_count;
  tutti_attribute *attributes;
  int class_count;
  char **classes;
  size_t count;
  double **values; /**< [attribute_count][count]; of a discrete attribute the index of its value; NaN: unknown */
  int *labels;     /**< [count] class of each case */
} tutti_cases;

void tutti_cases_free(tutti_cases *cases);

/**
 * Lay out a table: room for @p count cases, values NaN, labels 0; names are set by the caller (attributes[a].name,
 * values, classes: allocated strings).
 */
void tutti_cases_create(const char *name, int attribute_count, int class_count, size_t count, tutti_cases *cases);

/**
 * Write STEM.names and STEM.data of C4.5 Release 8 (Quinlan 1993, chapter 2 and the manual page of c4.5). Names are
 * escaped so that other programs read them as they are. TUTTI_ERR_IO.
 */
tutti_status tutti_cases_write_c45(const tutti_cases *cases, const char *stem, tutti_error *error);

/** Write an ARFF file (WEKA), with the class as the last attribute. TUTTI_ERR_IO. */
tutti_status tutti_cases_write_arff(const tutti_cases *cases, const char *path, tutti_error *error);

/**
 * @name Classifiers
 * A tree is an array of nodes, the root first. It is printed and read as C4.5 does (Quinlan 1993; Pjesivac-Grbovic
 * 2007, figure 5.5):
 *
 *     bytes <= 512 :
 *     |   ranks <= 4 : linear (12.0/1.3)
 *     |   ranks > 4 : bruck (100.0/1.4)
 *     bytes > 512 :
 *     |   even = yes : ring (78.0/1.4)
 *     |   even = no : linear (5.0)
 *
 * A test of a grouped discrete attribute is written "collective in {bcast,reduce} :".
 * @{
 */

/** A leaf, or a test with a branch for each outcome. */
typedef struct tutti_node {
  int attribute;    /**< tested; -1: a leaf */
  double threshold; /**< of a continuous attribute: branch 0 if value <= threshold, else 1 */
  int first;        /**< index of the node of branch 0; those of the other branches follow it */
  int branch_count; /**< 0 at a leaf */
  int *branch_of;   /**< of a discrete attribute: [its value_count] the branch of each value; else NULL */
  int label;        /**< class of a leaf; of a test the most frequent class */
  double cases;     /**< N: weight of the training cases that came here */
  double errors;    /**< E of a leaf: of these misclassified, or, after pruning, the estimate for unseen cases */
  int line;         /**< of the branch that leads here, in the file that it was read from; 0: not read */
} tutti_node;

/** A tree. Owns everything; begin with {0}, end with tutti_classifier_free(). */
typedef struct tutti_classifier {
  int attribute_count;
  tutti_attribute *attributes; /**< those of the cases it was learned from */
  int class_count;
  char **classes;
  int node_count;
  tutti_node *nodes;     /**< nodes[0] is the root; children come after their parent */
  double *distributions; /**< [node_count][class_count] weight of the training cases by class, which decides about cases
                              with unknown values; NULL: not known (read from a file), a leaf votes for its label */
} tutti_classifier;

void tutti_classifier_free(tutti_classifier *classifier);

/** A tree without nodes that has copies of the attributes and classes of @p cases. */
void tutti_classifier_create(const tutti_cases *cases, tutti_classifier *classifier);

/** The same with continuous attributes and classes by name. */
void tutti_classifier_create_named(const char *const *attributes, int attribute_count, const char *const *classes,
                                   int class_count, tutti_classifier *classifier);

/** Depths and sizes of a tree, as tables 6.4 and 6.5 of Pjesivac-Grbovic 2007 count them; the root has depth 0. */
typedef struct tutti_classifier_shape {
  int min_depth, max_depth; /**< of the leaves */
  double mean_depth;        /**< over the leaves, each counting the same: as published */
  double expected_depth;    /**< for a quadtree, over its cells: tests of a question whose point is drawn uniformly from
                               the map; else 0 */
  int leaves, nodes;        /**< nodes with the leaves */
  size_t bytes;             /**< in memory, of a quadtree; else 0 */
  int node_bytes;           /**< of one node of a quadtree; else 0 */
} tutti_classifier_shape;

tutti_classifier_shape tutti_classifier_measure(const tutti_classifier *classifier);

/** Leaves, and nodes between the root and the deepest leaf. @{ */
int tutti_classifier_leaves(const tutti_classifier *classifier);
int tutti_classifier_depth(const tutti_classifier *classifier);
/** @} */

/**
 * The class of a case.
 * @param values  [attribute_count]; NaN: unknown: all branches are followed, weighted by their training cases, and the
 *         first of the classes with maximum weight is returned (Quinlan 1993, section 3.2)
 */
int tutti_classifier_classify(const tutti_classifier *classifier, const double *values);

/** How many of @p cases, which have the same attributes and classes, are classified wrongly. */
size_t tutti_classifier_errors(const tutti_classifier *classifier, const tutti_cases *cases);

/**
 * Print as above: "(N/E)" with one decimal, "(N)" where E is below 0.05. TUTTI_ERR_IO if @p stream fails.
 */
tutti_status tutti_classifier_print(const tutti_classifier *classifier, FILE *stream, tutti_error *error);

/**
 * Read what tutti_classifier_print() wrote: lines until the end of the stream or an empty line
 * after the first one. Numbers of cases may be
 * left out. A tree that is not complete (a value without branch, only one side of a threshold) is refused.
 * @param classifier  on entry attributes and classes (nodes none); classes that it does not have yet are added
 * @param name, line  of the file, for messages; *line counts on
 */
tutti_status tutti_classifier_parse(FILE *stream, const char *name, int *line, tutti_classifier *classifier,
                                    tutti_error *error);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
