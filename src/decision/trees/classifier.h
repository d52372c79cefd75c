/* Classifying a case that lies in a table, and lines of a printed tree. */
#ifndef TUTTI_DECISION_TREES_CLASSIFIER_H
#define TUTTI_DECISION_TREES_CLASSIFIER_H

#include "base/vector.h"
#include "decision/cases/table.h"

/* One case: values of its own, or a row of columns. */
typedef struct classify_row {
  const double *values;   /* [attribute_count], if columns is NULL */
  double *const *columns; /* [attribute_count][...] */
  size_t index;
} classify_row;

/* The branch that a known value takes. */
static inline int classify_branch(const tutti_node *node, double value)
{
  return node->branch_of ? node->branch_of[(int)value] : !(value <= node->threshold);
}

/* Its class. */
int tutti_classify(const tutti_classifier *classifier, const classify_row *row);

/* ---- lines of a printed tree ---- */

typedef enum row_kind { ROW_LEAF, ROW_AT_MOST, ROW_ABOVE, ROW_VALUES } row_kind;

/* A branch and what it leads to; ROW_LEAF: the whole tree is a leaf. */
typedef struct classifier_row {
  row_kind kind;
  int line, depth, attribute;
  double threshold;
  size_t values, value_count; /* part of the values of all rows */
  int label;                  /* -1: it leads to the test in the rows below */
  double cases, errors;
  long child, sibling; /* rows, -1: none */
} classifier_row;

typedef struct classifier_rows {
  cases_place place;
  tutti_classifier *classifier; /* attributes and classes */
  TUTTI_VECTOR(classifier_row);
  struct classifier_values {
    TUTTI_VECTOR(int);
  } values;
} classifier_rows;

/* Fill in a row from its text, which is taken apart in place. */
tutti_status tutti_classifier_parse_row(classifier_rows *rows, char *text, classifier_row *row);

#endif
