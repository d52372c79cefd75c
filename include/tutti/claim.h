/**
 * @file claim.h
 * @ingroup experiments
 * Claims: published numbers beside measured ones, and the verdict on an experiment.
 *
 * A claim (experiment.h) is one SELECT over the store that gives one number, in the unit of the claim; no row, or NULL,
 * means that it was not measured. So does a number that the query also gives for a store without measurements (a count
 * of 0), unless another claim of the experiment finds something. It can read the tables of the store, and these
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
 * Points are of ranks that arrive together, without noise (arrival.h, noise.h); `environment IN own` restricts the view
 * measurements, which has all, in the same way.
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

/** Whether it is a published number that can be reproduced. The others are printed, but do not count. */
bool tutti_claim_is_counted(tutti_claim_kind kind);

typedef struct tutti_claim_outcome {
  double measured; /**< NaN if it was not */
  tutti_verdict verdict;
} tutti_claim_outcome;

/** Limits of one claim: processor time, memory of the query, bytes of a text in it. */
#define TUTTI_CLAIM_SECONDS   10
#define TUTTI_CLAIM_MEGABYTES 256
#define TUTTI_CLAIM_TEXT      20000

/**
 * Whether a measured number agrees with the published one. Numbers are compared with a tolerance of one part in 10^9.
 * Units: those of the claim. A number that is not finite never agrees.
 */
bool tutti_claim_holds(const tutti_claim *claim, double measured);

/**
 * Query the store for the claims of an experiment.
 * @param store     NULL: no store, and nothing was measured
 * @param outcomes  [claim_count]
 * @param verdict   of the experiment, without claims that do not count: not reproducible if the file states it, else
 *         differs if a claim does, else not measured if a claim was not, or without claims, else reproduced; if no
 *         claim counts, the kind of the first, if all of them were measured
 * @return TUTTI_ERR_ARGUMENT with FILE:LINE if a claim is not one SELECT of one finite number, or exceeds its limits;
 *         TUTTI_ERR_IO; TUTTI_ERR_MEMORY
 */
tutti_status tutti_claims_evaluate(const tutti_experiment *experiment, tutti_store *store,
                                   tutti_claim_outcome *outcomes, tutti_verdict *verdict, tutti_error *error);

/** Counts of claims. */
typedef struct tutti_claim_counts {
  int claims;                        /**< those that count */
  int holding;                       /**< of these */
  int of[TUTTI_CLAIM_KINDS];         /**< by kind */
  int holding_of[TUTTI_CLAIM_KINDS]; /**< by kind */
} tutti_claim_counts;

tutti_claim_counts tutti_claims_count(const tutti_experiment *experiment, const tutti_claim_outcome *outcomes);

/** The number of claims, also of those that do not count, that differ although the file does not mark them so. */
int tutti_claims_unexplained(const tutti_experiment *experiment, const tutti_claim_outcome *outcomes);

#ifdef __cplusplus
}
#endif
#endif
