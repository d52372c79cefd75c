/* What bench-decide compares: ways to decide, and the questions that all of them are asked. */
#ifndef TUTTI_BENCH_DECIDE_ROWS_H
#define TUTTI_BENCH_DECIDE_ROWS_H

#include "tutti/quadtree.h"

/* A decision function as plain C; returns any number that depends on what it picks. */
typedef int (*decide_code)(int ranks, uint64_t bytes);

struct question {
  int ranks;
  uint64_t bytes;
};

/* Questions are timed in slices, so short that some round of each is not disturbed. */
enum { SLICES = 64, SLICE = 4096 };

/* One way to decide. */
struct row {
  char name[48];
  const tutti_quadtree *tree; /* looked up in memory, else ... */
  decide_code code;           /* ... called */
  size_t memory;              /* bytes of the tree, or of code and tables */
  double apart[SLICES];       /* least nanoseconds of a decision in each slice, questions independent */
  double chained[SLICES];     /* and each waiting for the answer before */
  uint64_t checksum;          /* sum of the answers */
};

/* C of a classifier over ranks and bytes, written into a temporary directory, compiled by cc and loaded. */
enum form { FORM_IFS, FORM_TABLE };

/* NULL with a word on standard error: no compiler, or it failed. @p memory receives bytes of code and tables. */
decide_code decide_compile(const tutti_classifier *classifier, enum form form, size_t *memory);

/* Bytes of the code of a function, which may have any type, of this program or of a library that it loaded; 0: not
 * known. */
size_t decide_code_size(void (*code)(void));

#endif
