/*
 * Common parts of the C4.5 learner.
 *
 * The cases of a node are a range of one permuted array of case indices; those of its branches are ranges within it.
 * Cases whose value is unknown go down every branch with a share of their weight: they are before the branch that is
 * being worked on, and move after it when it is done (descent.c). Nothing is copied per node.
 */
#ifndef TUTTI_DECISION_C45_LEARNER_H
#define TUTTI_DECISION_C45_LEARNER_H

#include <math.h>

#include "base/vector.h"
#include "tutti/learners.h"

/* Two values of tests closer than this tie; weights closer than this are equal. */
#define C45_SLACK 1e-6
/* Gains closer than this are equal for the guard and for collapsing, as Release 8 and J48 have it. */
#define C45_EPSILON 1e-3

/* Rank of a value that is not known. */
#define C45_UNKNOWN UINT32_MAX

/* A continuous attribute by rank: cases are ordered by integers. */
typedef struct c45_column {
  uint32_t *ranks;   /* [cases] C45_UNKNOWN, or an index into values; of a discrete attribute the value */
  uint32_t distinct; /* different values in the whole training data */
  double *values;    /* [distinct] ascending; NULL for a discrete attribute */
  bool complete;     /* no value is unknown */
} c45_column;

/* Range of the permuted cases. */
typedef struct c45_range {
  size_t first, end;
} c45_range;

/* Known cases of a branch. */
typedef struct c45_share {
  size_t count, at;
  double weight;
} c45_share;

/* A weight to be restored. */
typedef struct c45_saved {
  uint32_t item;
  double weight;
} c45_saved;

/* A test of an attribute and what it is worth. */
typedef struct c45_test {
  bool possible;
  double gain, info; /* bits a case */
  double threshold;  /* of a continuous attribute */
  int branch_count;
  int *branch_of; /* [value_count] of a discrete attribute, owned; NULL: a branch for each value, or continuous */
} c45_test;

typedef struct c45_learner {
  const tutti_cases *cases;
  const tutti_c45_options *options;
  tutti_classifier *tree; /* nodes grow in it */
  int node_room;
  bool weighted;           /* some value is unknown: weights need not be 1 */
  bool all_many_valued;    /* every attribute is discrete with many values */
  double deviate;          /* of the confidence, squared where Release 8's table is used */
  c45_column *columns;     /* [attributes] */
  uint32_t *items;         /* [cases] permuted indices */
  uint32_t *scratch;       /* [cases] */
  int32_t *branches;       /* [cases] outcome of a test, by position */
  double *weights;         /* [cases] by index; NULL unless weighted */
  int *labels;             /* [cases] of the current node, by position from its first */
  double *local_weights;   /* [cases] of the current node; NULL unless weighted */
  uint64_t *keys, *sorted; /* [cases] rank << 32 | position */
  double *entropy;         /* [cases + 1] x log2 x; NULL if weighted */
  double *table;           /* weights by (rank or value, class) */
  size_t table_room;
  double *low, *high;             /* [classes] on both sides of a cut */
  double *low_terms, *high_terms; /* [classes] x log2 x of them */
  double *all;                    /* [classes] weights at the current node */
  double *leaf;                   /* [classes] */
  double *bag_weights;            /* [maximum values of an attribute] */
  c45_test *tests;                /* [attributes] of the current node */
  struct c45_shares {
    TUTTI_VECTOR(c45_share);
  } shares; /* stack */
  struct c45_saved_weights {
    TUTTI_VECTOR(c45_saved);
  } saved; /* stack */
} c45_learner;

/* x log2 x. Whole weights are looked up. */
static inline double c45_xlog(const c45_learner *l, double x)
{
  if (l->entropy)
    return l->entropy[(size_t)x];
  return x < C45_SLACK ? 0.0 : x * log2(x);
}

static inline double c45_weight(const c45_learner *l, uint32_t item)
{
  return l->weights ? l->weights[item] : 1.0;
}

static inline double c45_local_weight(const c45_learner *l, size_t position)
{
  return l->local_weights ? l->local_weights[position] : 1.0;
}

static inline double *c45_distribution(const c45_learner *l, int node)
{
  return l->tree->distributions + (size_t)node * (size_t)l->tree->class_count;
}

/* learn.c: all members of a learner except the tree; tutti_c45_close() frees them. */
void tutti_c45_open(c45_learner *l);
void tutti_c45_close(c45_learner *l);

/* columns.c */
void tutti_c45_rank_columns(c45_learner *l);

/* columns.c: the number of different values of a continuous attribute up to @p value. */
uint32_t tutti_c45_ranks_up_to(const c45_column *column, double value);

/* columns.c: sort keys by the bits [low_bit, high_bit), stably; *keys and *other may be exchanged. */
void tutti_c45_sort(uint64_t **keys, uint64_t **other, size_t count, int low_bit, int high_bit);

/* prune.c: further errors expected of a leaf of n cases with e errors, at the confidence of the options. */
double tutti_c45_deviate(const tutti_c45_options *options);
double tutti_c45_add_errors(const c45_learner *l, double n, double e);

/* grow.c: labels, weights and classes of the current node. */
void tutti_c45_gather(c45_learner *l, c45_range range);

/* continuous.c, discrete.c: the best test of an attribute at a node with weight @p total, whose labels and
   weights are gathered. @{ */
void tutti_c45_test_continuous(c45_learner *l, int attribute, c45_range range, double total, c45_test *test);
void tutti_c45_test_discrete(c45_learner *l, int attribute, c45_range range, double total, c45_test *test);
/* @} */

/* grow.c @{ */
void tutti_c45_make_leaf(c45_learner *l, int node);
void tutti_c45_count(c45_learner *l, c45_range range, double *distribution);
void tutti_c45_set_cases(c45_learner *l, int node,
                         int favored);  /* from its distribution; favored: a class in a tie, -1 */
void tutti_c45_compact(c45_learner *l); /* without the nodes that no test leads to */
/* @} */

/* descent.c: work on the branches of a node one after the other. */
typedef struct c45_descent {
  c45_learner *l;
  int node, branch;
  c45_range range;
  size_t at, unknown, share, saved;
  double known;
  bool any_known;
} c45_descent;

void tutti_c45_descend(c45_learner *l, int node, c45_range range, c45_descent *descent);
/* The next branch: its cases; an empty range without training cases. False: no more branches. */
bool tutti_c45_next_branch(c45_descent *descent, c45_range *range);

/* grow.c: grow a tree from the cases of @p range; its root is node 0. */
void tutti_c45_grow(c45_learner *l, c45_range range);

/* prune.c: prune the tree on all cases of @p range; returns the estimated errors. */
double tutti_c45_prune(c45_learner *l, c45_range range);
void tutti_c45_redistribute(c45_learner *l, int node, c45_range range);
double tutti_c45_estimate(c45_learner *l, int node);

/* windows.c: the best of several trees grown from windows, pruned by default. */
void tutti_c45_learn_windowed(c45_learner *l, tutti_c45_report *report);

#endif
