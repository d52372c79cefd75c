/* Growing trees by their costs, over ranges of an array of cases that splits permute, and cutting trees back. */
#ifndef TUTTI_DECISION_PENALTY_TREE_GROW_H
#define TUTTI_DECISION_PENALTY_TREE_GROW_H

#include "tutti/learners.h"

/* What is known of the cases and what they cost. */
struct data {
  const tutti_cases *cases;
  const double *costs; /* [count][class_count] */
  size_t weight;       /* least cases of a branch */
  int *commonest;      /* [attribute_count] value of a discrete attribute that most cases have; set while growing */
};

/* Split regions as far as it makes sense, and write them down as a classifier. TUTTI_ERR_MEMORY. */
tutti_status tutti_penalty_grow(const struct data *data, tutti_classifier *classifier, tutti_error *error);

/*
 * Cut a classifier of the cases back to at most @p leaves leaves (0: to the fewest whose cost is at most @p most), each
 * under its best class: the subtree that costs least of all with so many leaves. @p cost receives what it costs.
 */
tutti_status tutti_penalty_cut(const struct data *data, const tutti_classifier *grown, int leaves, double most,
                               tutti_classifier *classifier, double *cost, tutti_error *error);

#endif
