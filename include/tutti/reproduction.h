/**
 * @file reproduction.h
 * @ingroup analysis
 * Proof of classes of reproducibility (reproducible.h) on schedules: their symbolic execution, in which every element
 * holds the hash of its tree of operands. A collision has a probability below 2^-50 per comparison.
 */
#ifndef TUTTI_REPRODUCTION_H
#define TUTTI_REPRODUCTION_H

#include "tutti/reproducible.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Longest text of a counter-example, terminating zero included. */
#define TUTTI_REPRODUCTION_LENGTH 120

/** A proof of classes, number of ranks by number of ranks. */
typedef struct tutti_reproduction {
  unsigned sums;     /**< classes that no case refuted, for an operation with the same bits for x op y and y op x, as
                          IEEE 754 sums and products */
  unsigned any;      /**< the same if y op x may have other bits: a maximum of NaNs or of zeros with signs */
  int ranks;         /**< largest number of ranks with a case; 0: the method served none */
  uint64_t cases;    /**< calls that were executed */
  uint64_t left_out; /**< numbers of ranks that the method serves, but with too many messages to execute all */
  char why[TUTTI_REPRODUCIBLE_CLASSES][TUTTI_REPRODUCTION_LENGTH]; /**< the first counter-example of `sums`, else of
                                                                        `any`; empty without one */
} tutti_reproduction;

/** Before the first number of ranks. */
tutti_reproduction tutti_reproduction_begin(const tutti_method *method);

/**
 * Execute the schedules of a method that reduces on @p ranks ranks: roots 0, the middle and the last one; messages of
 * few elements, about one for each rank, and two; irregular blocks; with segments of two elements if it takes any;
 * several layouts of nodes and levels, all boxes of a torus if it names none. All of that is tried up to 64 ranks, less
 * on more, and nothing more for a class that @p proof has lost: docs/reference/reproducibility.md says what. Refuted
 * classes leave the proof. The order of arrival is decided by tutti_check_races(), for schedules of more than 512
 * vertices of three ranks only.
 * @return the result of tutti_method_schedule() or tutti_verify(); a call outside the domain is no case.
 */
tutti_status tutti_reproduction_prove(const tutti_method *method, int ranks, tutti_reproduction *proof,
                                      tutti_error *error);

/**
 * A hash of the trees of the first element at all ranks, with roots 0, the middle and the last one. Methods that have
 * TUTTI_REPRODUCIBLE_SIZE give all elements of all messages the same bits as each other, for operations with the same
 * bits for x op y and y op x, if their hashes are equal. By our schedule of the algorithm, also of a method of a
 * library.
 * @param ranks_per_node  for methods that need nodes and name none
 * @return TUTTI_ERR_UNSUPPORTED if the method does not serve such a call, or if that takes more than a second: more
 * than 200,000 messages, or a million elements
 */
tutti_status tutti_reproduction_hash(const tutti_method *method, int ranks, int ranks_per_node, uint64_t *hash,
                                     tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
