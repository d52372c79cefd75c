/**
 * @file claim.h
 * @ingroup experiments
 * Claims: published numbers beside measured ones, and what an experiment comes to.
 *
 * A claim (experiment.h) is one SELECT over the store that gives one number, in the unit of the claim; no row, or NULL,
 * says that it was not measured. So does a number that the query gives of a store in which nothing was measured, too (a
 * count of 0), unless another claim of the experiment finds something. It can read the tables of the store, and these
 * views of them, in which a platform has its newest environment only, rows of another engine than that of the
 * experiment are left out, points are those without an arrival pattern and noise in the first order of start, and times
 * are microseconds:
 *
 *     points      platform flavor library collective method scheme ranks ranks_per_node root bytes total us
 *     bests       the same, of each point the fastest method
 *     builds      platform flavor builder us, and the columns of group_build
 *     sorts       platform flavor us, and the columns of sort_run
 *     ranges      platform flavor us, and the columns of range_run
 *     maps        platform flavor, and the columns of group_map
 *     penalties   platform flavor, and the columns of decision_penalty
 *     parameters  platform flavor, and the columns of parameter
 *
 * Points are of ranks that arrive together, without noise (arrival.h, noise.h).
 * Predictions that `tutti predict --store` kept are points of the flavor "model".
 */
#ifndef TUTTI_CLAIM_H
#define TUTTI_CLAIM_H

#include "tutti/experiment.h"
#include "tutti/store.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tutti_verdict {
  TUTTI_VERDICT_NOT_MEASURED,
  TUTTI_VERDICT_REPRODUCED,
  TUTTI_VERDICT_DIFFERS,
  TUTTI_VERDICT_NOT_REPRODUCIBLE, /**< of experiments only */
  TUTTI_VERDICT_CALIBRATION,      /**< this and the next: of experiments without a claim that is counted only, */
  TUTTI_VERDICT_SELF_CHECK,       /**< by the kind of the first one that is not */
  TUTTI_VERDICT_HOST_TIMING,
  TUTTI_VERDICT_NOT_COMPARABLE,
} tutti_verdict;

enum { TUTTI_VERDICTS = TUTTI_VERDICT_NOT_COMPARABLE + 1 };

/** "not measured", "reproduced", "differs", "not reproducible", or the name of a kind; NULL outside the enumeration. */
const char *tutti_verdict_name(tutti_verdict verdict);

/** "prediction", "formula", "calibration", "self-check", "host-timing", "not-comparable"; NULL outside the enumeration.
 */
const char *tutti_claim_kind_name(tutti_claim_kind kind);

/** Is it a published number that can be reproduced? The others are printed, and are part of no count and no verdict. */
bool tutti_claim_is_counted(tutti_claim_kind kind);

typedef struct tutti_claim_outcome {
  double measured; /**< NaN if it was not */
  tutti_verdict verdict;
} tutti_claim_outcome;

/** What one claim may take: processor time, memory of the query, bytes of a text in it. */
#define TUTTI_CLAIM_SECONDS   10
#define TUTTI_CLAIM_MEGABYTES 256
#define TUTTI_CLAIM_TEXT      20000

/**
 * Does a measured number meet what was published? Numbers are compared with a slack of one part in 10^9. Units: those
 * of the claim. A number that is not finite meets nothing.
 */
bool tutti_claim_holds(const tutti_claim *claim, double measured);

/**
 * Ask the store about the claims of an experiment.
 * @param store     NULL: there is none, and nothing was measured
 * @param outcomes  [claim_count]
 * @param verdict   of the experiment, what is not counted left out: not reproducible if it says so, else differs if a
 *                  claim does, else not measured if a claim was not, or there is none, else reproduced; where none is
 *                  counted the kind of the first, if all of them were measured
 * @return TUTTI_ERR_ARGUMENT with FILE:LINE for what is not one SELECT of one finite number, or takes more than a claim
 *         may; TUTTI_ERR_IO; TUTTI_ERR_MEMORY
 */
tutti_status tutti_claims_evaluate(const tutti_experiment *experiment, tutti_store *store,
                                   tutti_claim_outcome *outcomes, tutti_verdict *verdict, tutti_error *error);

/** How many there are of what. */
typedef struct tutti_claim_counts {
  int claims;                        /**< those that are counted */
  int holding;                       /**< of these */
  int of[TUTTI_CLAIM_KINDS];         /**< by kind */
  int holding_of[TUTTI_CLAIM_KINDS]; /**< by kind */
} tutti_claim_counts;

tutti_claim_counts tutti_claims_count(const tutti_experiment *experiment, const tutti_claim_outcome *outcomes);

/** How many claims, also of those that are not counted, differ although the file does not mark them so. */
int tutti_claims_unexplained(const tutti_experiment *experiment, const tutti_claim_outcome *outcomes);

#ifdef __cplusplus
}
#endif
#endif
