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

struct split {
  int attribute;    /* -1: none */
  double threshold; /* continuous: the first branch has values <= it */
  int value;        /* discrete: the first branch has this value */
  double cost;      /* of both sides, each under its best class */
  double purity;    /* bits gained about the labels: decides where no split lowers the cost */
};

/* A region of cases. */
struct region {
  size_t first, count; /* in the array of cases */
  int label;           /* its best class */
  double cost;         /* under it */
  struct split split;  /* attribute -1: a leaf */
  int child;           /* index of the first of its two children */
};

struct growth {
  const struct data *data;
  size_t *order;          /* [count] the cases, those of a region in a row */
  int count;              /* regions; children come after their parent */
  struct region *regions; /* [2 TUTTI_MAX_LEAVES - 1] */
};

/* Sums of costs by class; room for sorting. */
struct scratch {
  double *below, *above;               /* [class_count] */
  double *labels_below, *labels_above; /* [class_count] */
  size_t *sorted;                      /* [count] */
};

/* The value of a discrete attribute that most cases have. */
int tutti_penalty_commonest_value(const tutti_cases *cases, int attribute);

/* The best class of the cases order[0 .. count), and what they cost under it. */
int tutti_penalty_best_class(const struct data *data, const size_t *order, size_t count, double *sums, double *cost);

/* The best binary split of a region; attribute -1 if there is none. */
struct split tutti_penalty_best_split(const struct data *data, const size_t *order, const struct region *region,
                                      struct scratch *scratch);

/* Does a case go to the first branch? */
bool tutti_penalty_goes_first(const struct data *data, const struct split *split, size_t row);

/* Split regions as far as it makes sense, and write them down as a classifier. TUTTI_ERR_MEMORY. */
tutti_status tutti_penalty_grow(const struct data *data, tutti_classifier *classifier, tutti_error *error);

/*
 * Cut a classifier of the cases back to at most @p leaves leaves (0: to the fewest whose cost is at most @p most), each
 * under its best class: the subtree that costs least of all with so many leaves. @p cost receives what it costs.
 */
tutti_status tutti_penalty_cut(const struct data *data, const tutti_classifier *grown, int leaves, double most,
                               tutti_classifier *classifier, double *cost, tutti_error *error);

#endif
