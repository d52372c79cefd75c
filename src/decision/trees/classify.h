/* Classifying a case that lies in a table, without copying it out. */
#ifndef TUTTI_DECISION_CLASSIFY_H
#define TUTTI_DECISION_CLASSIFY_H

#include "tutti/classifier.h"

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

#endif
