/* What explanations of all libraries share. */
#ifndef TUTTI_LIBRARIES_EXPLAIN_H
#define TUTTI_LIBRARIES_EXPLAIN_H

#include "libraries/tuning_file.h"

struct tutti_tuning {
  struct tuning_file file;        /* without findings */
  char *text, *path;              /* NULL: a decision without a file */
  void *rules;                    /* of the library's reader */
  const tutti_decision *decision; /* of Tutti's own files, and without a file; NULL: the library looks calls up */
  char *fault;                    /* the first error of the reader; NULL: none */
};

/* An explanation in the making. */
struct explaining {
  const tutti_tuning *tuning;
  const tutti_explained_call *call;
  tutti_explanation *answer;
  bool silent; /* no steps: only the answer is wanted */
  bool out_of_memory;
};

/* Add a step. NO_PLACE: it is not of the file. */
#define NO_PLACE ((size_t)-1)
void tutti_explain_step(struct explaining *explaining, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Narrow the sizes of the same answer, in bytes per rank. @{ */
void tutti_explain_at_least(struct explaining *explaining, uint64_t bytes);
void tutti_explain_at_most(struct explaining *explaining, uint64_t bytes);
/* @} */

/* Nothing runs: the call fails. */
void tutti_explain_failure(struct explaining *explaining);

uint64_t tutti_explain_type_bytes(const tutti_explained_call *call);
tutti_question tutti_explain_question(const tutti_explained_call *call);

#endif
