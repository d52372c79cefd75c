/* Lines of a printed tree. */
#ifndef TUTTI_DECISION_CLASSIFIER_ROWS_H
#define TUTTI_DECISION_CLASSIFIER_ROWS_H

#include "decision/cases/cases_table.h"
#include "tutti/classifier.h"

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
  classifier_row *items;
  size_t count, room;
  int *values;
  size_t value_count;
} classifier_rows;

/* Fill in a row from its text, which is taken apart in place. */
tutti_status tutti_classifier_parse_row(classifier_rows *rows, char *text, classifier_row *row);

#endif
