/**
 * @file tuning.h
 * @ingroup libraries
 * Tuning files of MPI libraries: their faults, the method that a library runs for a call under them, and why. No MPI.
 *
 * Files are read as the library reads them, character by character: the classic rules of Open MPI's coll/tuned (4.0 to
 * 6), its JSON rules (6), MPICH's collective selection (4.0 and later), and Tutti's own decision files. Nothing is
 * refused: text that the library would drop, misread or abort on is a finding with its place. Calls are looked up as
 * those libraries do, in Tutti's own files as the interposer does. Without a rule in a file Open MPI's own decision is
 * used, that of 4.1 for all versions.
 */
#ifndef TUTTI_TUNING_H
#define TUTTI_TUNING_H

#include <stddef.h>
#include <stdio.h>

#include "tutti/decision.h"
#include "tutti/library.h"
#include "tutti/target.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- faults ---- */

/** How bad a finding is. */
typedef enum tutti_severity {
  TUTTI_NOTE,    /**< works as written; worth knowing */
  TUTTI_WARNING, /**< the library does something else than is written */
  TUTTI_ERROR,   /**< the library drops the file, or the program dies */
} tutti_severity;

/** "note", "warning", "error". Static storage. */
const char *tutti_severity_name(tutti_severity severity);

/** A kind of fault. Its name never gets another meaning. Static storage. */
typedef struct tutti_lint_code {
  const char *name; /**< "OMPI-006" */
  tutti_severity severity;
  const char *title;  /**< the fault, a clause */
  const char *effect; /**< the reaction of the library, a sentence */
  const char *remedy; /**< how to mend it, a sentence */
} tutti_lint_code;

/** The codes in their order; NULL past the end. */
const tutti_lint_code *tutti_lint_code_at(size_t index);

/** A kind of file. Static storage. */
typedef struct tutti_tuning_kind {
  const char *name;    /**< "openmpi-han" */
  const char *library; /**< that reads it: "openmpi"; NULL: its faults and choices are not judged */
  const char *what;    /**< "rules of Open MPI's coll/han" */
  const char *use;     /**< settings with which the library reads it, with %s; NULL: those of its targets */
} tutti_tuning_kind;

/** How commands refuse a file with settings of its own where one of a target is wanted: its path, and what it is. */
#define TUTTI_TUNING_BESIDE "%.200s: %s: only lint and explain read such files"

/** The kinds that are known, by their content; NULL past the end. */
const tutti_tuning_kind *tutti_tuning_kind_at(size_t index);

/** What a file is, by its text; NULL: unknown. */
const tutti_tuning_kind *tutti_tuning_recognize(const char *text, size_t length);

/** The same for a library: where a script sets variables of several ones, the kind that is its own. */
const tutti_tuning_kind *tutti_tuning_recognize_for(const tutti_library_version *version, const char *text,
                                                    size_t length);

/** Room for all kinds. */
#define TUTTI_TUNING_KINDS 48

/** The variables of one kind in a script, or in another file of variables. */
typedef struct tutti_tuning_part {
  const tutti_tuning_kind *kind;
  size_t settings; /**< how often one is set */
  int line;        /**< of the first */
} tutti_tuning_part;

/** The kinds of variables that a text sets, in the order of the kinds; 0: it is another file. */
size_t tutti_tuning_parts(const char *text, size_t length, tutti_tuning_part parts[TUTTI_TUNING_KINDS]);

/** "job.sh:12: variables of UCC (2 settings), which are not judged". Owned by the caller. */
char *tutti_tuning_part_text(const char *path, const tutti_tuning_part *part);

/**
 * What a file is, and which version of a library reads it, as far as its text shows it.
 * @param path     for messages
 * @param target   the library that shall read it, as for lint; NULL: the one that it is for
 * @param kind     receives the kind, NULL if it is unknown; may be NULL
 * @return TUTTI_ERR_ARGUMENT, saying what it is: of another library than the target, of a kind that is not judged, or
 *         unknown and without a target
 */
tutti_status tutti_tuning_identify(const char *path, const char *text, size_t length, const char *target,
                                   const tutti_tuning_kind **kind, tutti_library_version *version, tutti_error *error);

/** A fault at a place. */
typedef struct tutti_finding {
  const tutti_lint_code *code;
  int line, column; /**< from 1; columns are bytes */
  char *message;    /**< a sentence with the values found; owned */
} tutti_finding;

/** A change of the text that mends a fault, where only one can be meant: @p length bytes at @p at become @p text. */
typedef struct tutti_edit {
  const tutti_lint_code *code;
  size_t at, length;
  char *text; /**< owned */
} tutti_edit;

/** Findings in the order of the file. Begin with {0}, end with tutti_findings_free(). */
typedef struct tutti_findings {
  size_t count, capacity;
  tutti_finding *items;
  bool without_rules; /**< the library reads the file, and finds no rule in it */
  size_t edit_count, edit_capacity;
  tutti_edit *edits; /**< of those findings that can be mended so; several may be of one */
} tutti_findings;

void tutti_findings_free(tutti_findings *findings);

/** How many are of that severity. */
size_t tutti_findings_count(const tutti_findings *findings, tutti_severity severity);

/** Maximum findings kept of one file. */
#define TUTTI_MAX_FINDINGS 10000

/**
 * Find the faults of a file, for a target.
 * @param findings  appended to
 * @return TUTTI_ERR_IO if it cannot be read; faults in the file are no error
 */
tutti_status tutti_lint_file(const char *path, const tutti_library_version *version, tutti_findings *findings,
                             tutti_error *error);

/** The same for @p length bytes in memory. Tutti's own files are always read from @p path. */
void tutti_lint_text(const char *text, size_t length, const char *path, const tutti_library_version *version,
                     tutti_findings *findings);

/** A text mended. Begin with {0}, end with tutti_fixed_free(). */
typedef struct tutti_fixed {
  char *text; /**< owned, with a zero byte after it */
  size_t length;
  tutti_findings mended; /**< what was found and mended; lines are those of the text when it was */
  tutti_findings left;   /**< what the mended text has */
} tutti_fixed;

/** Rounds of mending, each of which mends a fault at least: a text of wrong counts alone takes as many as it has. */
enum { TUTTI_MAX_FIX_ROUNDS = 1000 };

/**
 * Mend the faults of a text for which only one change can be meant, one kind after the other, until none is left of
 * these, for TUTTI_MAX_FIX_ROUNDS rounds: wrong counts, a first rule that is not for 0 bytes, numbers that are ignored,
 * byte order marks and carriage returns, collectives that MPICH misses, and others that have edits (tutti_findings).
 * @param path  for messages
 */
void tutti_tuning_fix(const char *text, size_t length, const char *path, const tutti_library_version *version,
                      tutti_fixed *fixed);

void tutti_fixed_free(tutti_fixed *fixed);

/* ---- what becomes of a call ---- */

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
  tutti_places places; /**< of the machine, for methods of Tutti that need a torus or nodes, and name none; may be 0 */
} tutti_explained_call;

/** A step of the look-up. */
typedef struct tutti_explained_step {
  int line, column; /**< in the file; 0: not of the file */
  char *text;       /**< owned */
} tutti_explained_step;

/** An answer. Begin with {0}, end with tutti_explanation_free(). */
typedef struct tutti_explanation {
  size_t step_count;
  tutti_explained_step *steps;
  char algorithm[TUTTI_METHOD_LENGTH]; /**< the library's name: "segmented_ring", with its parameters */
  bool own_choice;                     /**< the library decides itself */
  bool fails;                          /**< the call fails; a step gives the reason */
  bool known;                          /**< the catalogue has what runs: */
  tutti_method method;                 /**< after what the domain of the algorithm forces */
  int selector;      /**< that a file beside the main one names (tutti_selector_name()); 0: none. As a decision the file
                        answers with COLLECTIVE/native under it */
  uint64_t min, max; /**< sizes like rank_bytes, inclusive, with the same look-up; UINT64_MAX: no end */
} tutti_explanation;

void tutti_explanation_free(tutti_explanation *explanation);

/** A tuning file, read to be looked up. */
typedef struct tutti_tuning tutti_tuning;

/**
 * Read a file as a version of a library does. Files with faults are read, too: the library's answer is then what it
 * does with such a file. TUTTI_ERR_IO; TUTTI_ERR_ARGUMENT if a file of Tutti's own cannot be read.
 * End it with tutti_tuning_close().
 */
tutti_status tutti_tuning_open(const char *path, const tutti_library_version *version, tutti_tuning **tuning,
                               tutti_error *error);

/** A decision without a file, which must live as long: what a library chooses, a method. */
tutti_tuning *tutti_tuning_of_decision(const tutti_decision *decision);

void tutti_tuning_close(tutti_tuning *tuning);

/**
 * A tuning file as a decision function: it answers with the method that a version of a library would run, its own
 * choice where the file has none, and has no answer where the call fails or the catalogue lacks the algorithm. It
 * answers for all collectives; its member collective is TUTTI_COLL_COUNT. A file of Tutti's own is the decision in it.
 * Errors as tutti_tuning_open().
 */
tutti_status tutti_decision_tuning(const char *path, const tutti_library_version *version, tutti_decision *decision,
                                   tutti_error *error);

/** Explain a call. TUTTI_ERR_ARGUMENT unless ranks >= 1. */
tutti_status tutti_explain(const tutti_tuning *tuning, const tutti_explained_call *call, tutti_explanation *explanation,
                           tutti_error *error);

/**
 * The rules of a file for one collective: steps as in target.h, with method -1 where the library chooses itself, and
 * where the call would fail. End it with tutti_step_table_free().
 * @param ranks_per_node  of the communicators; 0: one
 * @return as tutti_tuning_mend()
 */
tutti_status tutti_tuning_steps(const tutti_tuning *tuning, tutti_collective collective, int ranks_per_node,
                                tutti_step_table *table, tutti_error *error);

/** A point at which the file was measured against the library without it. */
typedef struct tutti_mended_point {
  tutti_collective collective;
  int ranks;
  uint64_t bytes; /**< of the message, or of one rank's block */
  bool own;       /**< the library shall choose itself */
  bool lost;      /**< because the file is slower there: smaller sizes of the same rule count for themselves only */
  bool won;       /**< the file stays because it is faster there: where the next size is far away, for this size only */
} tutti_mended_point;

/** From how many times its size on the next size is far away: nothing is known between the two. */
enum { TUTTI_FAR_SIZE = 4 };

/**
 * Write a file anew, with the library's own choice where @p points say so. A point covers the messages up to the next
 * size that was measured with as many ranks, the smallest also smaller ones. But if a rule lost at that next size, no
 * size in between keeps the rule, nor if a point has won and the rule continues for TUTTI_FAR_SIZE times its size
 * without another point. The points cover the communicators up to the next measured number of ranks, the smallest
 * again also smaller ones. A point that has won does not cover calls that the file serves by another algorithm. Sizes
 * are compared in the unit of the library: of an allgather those of all blocks together. Without such a point of the
 * collective the file answers as before, for operations that commute and are built in, and communicators of this many
 * ranks a node (0: one); rules under which a call fails are left out.
 * @param unjudged  receives the number of rules that stay for placements of ranks without a point
 * @return TUTTI_ERR_UNSUPPORTED naming a rule that the catalogue lacks, or its target cannot express;
 *         TUTTI_ERR_IO
 */
tutti_status tutti_tuning_mend(const tutti_tuning *tuning, const tutti_mended_point *points, size_t count,
                               int ranks_per_node, const char *comment, FILE *stream, size_t *unjudged,
                               tutti_error *error);

/**
 * Mark in a map which methods of a version of a library are its own choice, as tutti_explain() decides it, and native;
 * choose the best anew. Where the version's own choice is not known (Open MPI from 5.0 on), native alone.
 */
tutti_status tutti_untuned_mark(const tutti_library_version *version, tutti_decision_map *map, tutti_error *error);

/**
 * Whether a library makes its own choice under @p settings, those of a tutti_environment. Not if they name a tuning
 * file or an algorithm: then native is not its own choice.
 */
bool tutti_untuned_under(const tutti_library *library, const char *settings);

/** The nearest larger (or smaller) message that is served otherwise; false in *found without one. Its first size is in
 *bytes, its method in @p other, without steps. */
tutti_status tutti_explain_next(const tutti_tuning *tuning, const tutti_explained_call *call, bool larger, bool *found,
                                uint64_t *bytes, tutti_explanation *other, tutti_error *error);

/** The same for the next larger communicator, of at most @p max ranks. */
tutti_status tutti_explain_ranks(const tutti_tuning *tuning, const tutti_explained_call *call, int max, bool *found,
                                 int *ranks, tutti_explanation *other, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
