/* What explanations of all families share. */
#ifndef TUTTI_DECISION_EXPLAIN_H
#define TUTTI_DECISION_EXPLAIN_H

#include "libraries/lint/mpich.h"
#include "libraries/lint/openmpi.h"
#include "tutti/decision_tree.h"
#include "tutti/explain.h"

struct tutti_tuning {
  struct lint lint; /* of the text, without findings */
  char *text, *path;
  bool has_file;
  struct openmpi_rules openmpi;
  struct mpich_selection mpich;
  tutti_decision own;             /* of a file of Tutti's */
  const tutti_decision *decision; /* NULL: Open MPI or MPICH */
  char *fault;                    /* the first error of the linter; NULL: none */
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

uint64_t tutti_explain_type_bytes(const tutti_explained_call *call);
tutti_question tutti_explain_question(const tutti_explained_call *call);

void tutti_explain_openmpi(struct explaining *explaining);
void tutti_explain_mpich(struct explaining *explaining);
tutti_status tutti_explain_tutti(struct explaining *explaining, tutti_error *error);

/* A rung of Open MPI 4.1's own ladder. */
struct explain_rung {
  int ranks_least, ranks_most;
  uint64_t bytes_least, bytes_most;
};

/* The id that it picks, 0 if it has no rule, and the rung. */
int tutti_explain_ladder(tutti_collective collective, int ranks, uint64_t bytes, struct explain_rung *rung);

/* Say on which rung a call stands. */
void tutti_explain_step_rung(struct explaining *explaining, int id, const struct explain_rung *rung);

#endif
