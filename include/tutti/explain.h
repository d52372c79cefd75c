/**
 * @file explain.h
 * @ingroup libraries
 * What a tuning file makes a library do with one call, and why: the look-up, step by step. No MPI.
 *
 * Rules of Open MPI and collective selections of MPICH are looked up as those libraries do; Tutti's own files as the
 * interposer does. Where a file has no rule Open MPI's own decision is followed, that of 4.1 for all versions.
 */
#ifndef TUTTI_EXPLAIN_H
#define TUTTI_EXPLAIN_H

#include "tutti/decision.h"
#include "tutti/lint.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A call. */
typedef struct tutti_explained_call {
  tutti_collective collective;
  int ranks;
  int ranks_per_node;  /**< 0: not known; MPICH is then taken to have one rank a node */
  uint64_t rank_bytes; /**< of the message, or of one rank's block */
  uint64_t type_bytes; /**< of an element; 0: 8 where that divides the size, else 4, else 1 */
  bool ordered;        /**< the operation does not commute */
  bool own_operation;  /**< the operation is not built in */
  bool in_place;
} tutti_explained_call;

/** A step of the look-up. */
typedef struct tutti_explained_step {
  int line, column; /**< in the file; 0: not of the file */
  char *text;       /**< owned */
} tutti_explained_step;

/** An answer. Begin with {0}, end with tutti_explanation_free(). */
typedef struct tutti_explanation {
  size_t step_count, step_capacity;
  tutti_explained_step *steps;
  char algorithm[TUTTI_METHOD_LENGTH]; /**< as the library calls it: "segmented_ring", with its parameters */
  bool own_choice;                     /**< the library decides itself */
  bool fails;                          /**< the call fails; a step says why */
  bool known;                          /**< the catalogue has what runs: */
  tutti_method method;                 /**< after what the domain of the algorithm forces */
  uint64_t least, most; /**< sizes like rank_bytes, inclusive, with the same look-up; UINT64_MAX: no end */
} tutti_explanation;

void tutti_explanation_free(tutti_explanation *explanation);

/** A tuning file, read to be looked up. */
typedef struct tutti_tuning tutti_tuning;

/**
 * Read a file as a version of a library does. Files with faults are read, too: the library's answer is then what it
 * does with such a file. TUTTI_ERR_IO, TUTTI_ERR_MEMORY; TUTTI_ERR_ARGUMENT if a file of Tutti's own cannot be read.
 * End it with tutti_tuning_close().
 */
tutti_status tutti_tuning_open(const char *path, const tutti_library_version *version, tutti_tuning **tuning,
                               tutti_error *error);

/** A decision without a file, which must live as long: what a library chooses, a method. TUTTI_ERR_MEMORY. */
tutti_status tutti_tuning_of_decision(const tutti_decision *decision, tutti_tuning **tuning, tutti_error *error);

void tutti_tuning_close(tutti_tuning *tuning);

/**
 * A tuning file as a decision function: it answers with what a version of a library would run, its own choice where the
 * file has none, and has no answer where the call fails or the catalogue lacks the algorithm. It answers for all
 * collectives; its member collective is TUTTI_COLL_COUNT. Errors as tutti_tuning_open().
 */
tutti_status tutti_decision_tuning(const char *path, const tutti_library_version *version, tutti_decision *decision,
                                   tutti_error *error);

/** What becomes of a call. TUTTI_ERR_MEMORY; TUTTI_ERR_ARGUMENT unless ranks >= 1. */
tutti_status tutti_explain(const tutti_tuning *tuning, const tutti_explained_call *call, tutti_explanation *explanation,
                           tutti_error *error);

/** The nearest larger (or smaller) message that is served otherwise; false in *found if there is none. Its first size
   is in *bytes, what serves it in @p other, without steps. */
tutti_status tutti_explain_next(const tutti_tuning *tuning, const tutti_explained_call *call, bool larger, bool *found,
                                uint64_t *bytes, tutti_explanation *other, tutti_error *error);

/** The same of the next larger communicator, of at most so many ranks. */
tutti_status tutti_explain_ranks(const tutti_tuning *tuning, const tutti_explained_call *call, int most, bool *found,
                                 int *ranks, tutti_explanation *other, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
