/* A proof of reproducibility classes on one number of ranks: what is compared. */
#ifndef TUTTI_ANALYSIS_REPRODUCTION_H
#define TUTTI_ANALYSIS_REPRODUCTION_H

#include "algorithms/analysis/operand_trees.h"
#include "tutti/reproduction.h"

struct proof {
  tutti_reproduction *result;
  tutti_method method;
  tutti_call call;
  tutti_arena arena;
  tutti_symbol *aligned; /* [size + 1] the trees of the first ranks */
  tutti_symbol *first;   /* [size] the tree of the first element that a rank had in calls with this root; 0: none yet */
};

/* The class with that bit does not hold; @p sums: not even where operands may be exchanged. */
void tutti_reproduction_refute(struct proof *proof, unsigned class, bool sums, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Refute what the outcome of one call refutes. */
void tutti_reproduction_check(struct proof *proof, const struct operand_trees *trees);

/* The outcome of so many operands in a row, which all elements combine. */
void tutti_reproduction_check_row(struct proof *proof, const struct operand_trees *trees, uint64_t operands);

/* The same call with the ranks on other nodes. */
void tutti_reproduction_compare(struct proof *proof, const struct operand_trees *trees,
                                const struct operand_trees *others);

/* ---- where the ranks are ---- */

enum { REPRODUCTION_LAYOUTS = 5, REPRODUCTION_DISTRIBUTIONS = 4 };

/* Box number `layout` of two sides, the lengths of the first one from the smallest up; 0: there are not so many. */
int tutti_reproduction_box(int size, int layout);

/* How many of the operands are before a rank: equal shares, more and more, nearly all or all at the last one. */
uint64_t tutti_reproduction_leaves(int distribution, uint64_t operands, uint64_t rank, uint64_t size);

/* The call's nodes [size], which stay @p nodes, and levels. */
void tutti_reproduction_lay_out(struct proof *proof, int *nodes, int layout);

#endif
