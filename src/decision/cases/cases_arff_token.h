/* Words of a line of an ARFF file. */
#ifndef TUTTI_DECISION_CASES_ARFF_TOKEN_H
#define TUTTI_DECISION_CASES_ARFF_TOKEN_H

#include "decision/cases/cases_table.h"

/* Kinds of token. */
enum { ARFF_END, ARFF_WORD, ARFF_OPEN = '{', ARFF_CLOSE = '}' };

/* A line, taken apart in place. */
typedef struct arff_line {
  char *rest;
  char *word;  /* of the last token ARFF_WORD */
  bool quoted; /* it was: '?' is not an unknown value then */
  bool comma;  /* one stood before it */
  char held;   /* delimiter that the end of a word overwrote */
} arff_line;

/* The next token; fails on a quote that does not end. Blanks and one comma separate tokens. */
tutti_status tutti_arff_next(const cases_place *place, arff_line *line, int *kind);

#endif
