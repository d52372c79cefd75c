/**
 * @file tuning_comparison.h
 * @ingroup experiments
 * An MPI library under two tuning files, or without one and with one, or two installations of MPI, on a real machine:
 * what is won and what is lost.
 *
 * Native collectives are measured in rounds. A round launches the ranks twice, once under each file, in an order that
 * is drawn; so is the order of the points within each launch. Each launch gives one median time a point, and each round
 * one pair of them, which are the data of a two-sided signed rank test with Holm's correction for the number of points
 * (src/decision/results/paired.h), or of verdicts that may say that both are equal (src/decision/results/verdict.h).
 * All pairs are kept in the store, where a later comparison of the same files finds them.
 */
#ifndef TUTTI_TUNING_COMPARISON_H
#define TUTTI_TUNING_COMPARISON_H

#include "tutti/job.h"
#include "tutti/pair_verdict.h"
#include "tutti/tuning.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The outcome of a point. */
typedef enum tutti_outcome {
  TUTTI_UNCLEAR, /**< no difference that is significant */
  TUTTI_WON,     /**< significantly faster after */
  TUTTI_LOST,    /**< significantly slower after */
} tutti_outcome;

/** "unclear", "won", "lost". Static storage. */
const char *tutti_outcome_name(tutti_outcome outcome);

/** One point. Seconds; NaN without pairs. */
typedef struct tutti_compared_point {
  tutti_collective collective;
  int ranks, root;
  uint64_t bytes;       /**< of the message, or of one rank's block */
  int pairs;            /**< with positive times */
  double before, after; /**< medians of the launches' medians */
  double ratio;         /**< after / before: Hodges and Lehmann's estimate */
  double low, high;     /**< its interval at the level; NaN: too few pairs */
  double p, corrected;  /**< of the test, and corrected for the number of points */
  tutti_outcome outcome;
  /** Where verdicts are asked for, which the outcome follows; see struct verdict. @{ */
  double outside, outside_corrected; /**< p of a ratio outside of the margin, and corrected */
  double finds;                      /**< the smallest slow-down that would have been found; NaN: none */
  int enough;                        /**< pairs with which a ratio of 1 is proven to be within; 0: not known */
  tutti_pair_verdict verdict;
  /** @} */
} tutti_compared_point;

/**
 * @name Points
 * Learners put bounds between sizes that were measured, so what lies just inside a rule was measured nowhere; and a
 * rule may win at the powers of two of a sweep and lose at all sizes between these.
 * @{
 */

/** The rules of a file for one collective. */
typedef struct tutti_file_rules {
  tutti_step_table table; /**< without rows: no file, or no rules */
  tutti_tuning *untuned;  /**< the library left alone, of the version that the file is of; NULL: not known */
} tutti_file_rules;

/** A size between two that is no power of two; 0: there is no room. */
uint64_t tutti_size_between(uint64_t low, uint64_t high);

/** Append a sweep, whose arrays are owned by the experiment then. */
void tutti_experiment_add_sweep(tutti_experiment *experiment, const tutti_sweep *sweep);

/**
 * Append a sweep for each number of ranks of @p all, and for the first one of each block of rules between them. Of each
 * rule that serves some of its sizes it has the first and the last one that lie between them, too, those at which the
 * library left alone changes its choice, and so many between that none are TUTTI_FAR_SIZE apart and one is no power of
 * two.
 * @param all    its arrays are freed
 * @param files  before and after
 */
void tutti_experiment_add_edges(tutti_experiment *experiment, tutti_sweep *all, const tutti_file_rules files[2]);

/** @} */

/** Longest digest of a tuning file or an installation in the store, its terminating zero included. */
#define TUTTI_TUNING_DIGEST 33

/** Maximum rounds. */
enum { TUTTI_TUNING_ROUNDS = 200 };

/** The files or installations to compare. */
typedef struct tutti_tuning_comparison_request {
  const tutti_experiment *experiment; /**< sweeps of native methods on a real machine */
  const tutti_run_options *run; /**< database, program, launch, time limit; its report is called between launches */
  const char *files[2];         /**< before, after; NULL: the library left alone, or as an installation says */
  const tutti_installation *installations[2]; /**< before, after; NULL: the library of the experiment. The flavor of the
                                                 first is that of the experiment */
  const char *program_after;                  /**< measuring program of the second, unless it names one */
  double margin; /**< above 0: verdicts, with ratios from 1 / (1 + margin) to 1 + margin as equal; 0: outcomes */
  int rounds; /**< up to TUTTI_TUNING_ROUNDS; 0: four more than one of the points needs to be significant, of `stored`
                 those that the store has, and never more */
  uint64_t seed;                /**< of the orders */
  double level;                 /**< of significance: 0.05 */
  bool stored;                  /**< launch nothing: what the store has ... */
  bool again;                   /**< print no warnings: a request before this one of the same launches did */
  bool unchanged;               /**< measure the points, too, at which the files make no difference */
  const tutti_selection *among; /**< ... of this library, version of Tutti, setting and environment; NULL: of any */
} tutti_tuning_comparison_request;

/** The result. Arrays are owned: tutti_tuning_comparison_free(). */
typedef struct tutti_tuning_comparison {
  size_t count;
  tutti_compared_point *points; /**< by collective, ranks and bytes; after them those at which the files make no
                                   difference, in the same order, which are not measured */
  size_t unchanged;             /**< and how many these are */
  size_t pair_count;
  tutti_result *pairs;                      /**< rows of TUTTI_RESULT_COMPARISON, by point and round */
  char files[2][TUTTI_TUNING_DIGEST];       /**< of the files: "untuned", or 32 digits of the SHA-256 */
  char digests[2][TUTTI_TUNING_DIGEST];     /**< what the store calls the sides: these, and installations
                                               LIBRARY\@DIGEST, "OpenMPI-5.0.7@0123456789ab" */
  char library[TUTTI_PLATFORM_NAME_LENGTH]; /**< the measured one, of installations before; "": nothing was measured */
  int ranks_per_node;                       /**< the same, or 0 */
  int rounds;                               /**< completed rounds */
  size_t measured;                          /**< pairs of this call */
  int signal;                               /**< signal that ended it, or 0 */
} tutti_tuning_comparison;

/**
 * Measure what the store does not have, and judge. What was measured before a failure is stored. A warning is printed,
 * before anything is measured, if the rounds are too few for any point to be significant.
 * @return TUTTI_ERR_ARGUMENT if a file is not one of the library, or the library would drop it or die of it (the
 * message has its first fault); as tutti_experiment_run()
 */
tutti_status tutti_tuning_compare(const tutti_tuning_comparison_request *request, tutti_tuning_comparison *comparison,
                                  tutti_error *error);

void tutti_tuning_comparison_free(tutti_tuning_comparison *comparison);

/** Points counted by their outcome. Changes are in percent of the time before, NaN: none was measured. */
typedef struct tutti_compared_summary {
  int points, won, lost, unclear;
  int unmeasured;           /**< of these points, those without pairs */
  double mean, worst, best; /**< change over all of them: the arithmetic mean, the largest, the smallest */
} tutti_compared_summary;

/**
 * Sum up the points of one collective, or of all (TUTTI_COLL_COUNT); of one outcome only, or of any (-1).
 * @param points  [count]
 */
tutti_compared_summary tutti_compared_sum(const tutti_compared_point *points, size_t count, tutti_collective collective,
                                          int outcome);

/** All pairs that a store has of one file against the library left alone. */
typedef struct tutti_stored_comparison {
  char file[TUTTI_TUNING_DIGEST]; /**< the beginning of its SHA-256 */
  tutti_scheme scheme;
  int ranks_per_node;
  int rounds, least_rounds; /**< pairs of the point that has most; how many one point needs to be won or lost */
  size_t count;
  tutti_compared_point *points; /**< by collective, ranks, root and bytes */
} tutti_stored_comparison;

/** Comparisons; owned: tutti_stored_comparisons_free(). */
typedef struct tutti_stored_comparisons {
  size_t count;
  tutti_stored_comparison *items;
} tutti_stored_comparisons;

/**
 * Read the pairs of an environment and judge them at a level, file by file, all points of a file corrected together.
 * Pairs of two files, and those that are not positive, are left out.
 * @param selection  its collective and scheme are not read
 * @return TUTTI_ERR_ARGUMENT if it spans several environments
 */
tutti_status tutti_stored_comparisons_read(tutti_store *store, const tutti_selection *selection, double level,
                                           tutti_stored_comparisons *comparisons, tutti_error *error);

void tutti_stored_comparisons_free(tutti_stored_comparisons *comparisons);

#ifdef __cplusplus
}
#endif
#endif
