/**
 * @file robust.h
 * @ingroup decision
 * One decision map of several: what is measured under several arrival patterns or noises (arrival.h, noise.h), joined
 * so that who chooses by the joint map chooses for robustness. No MPI.
 *
 * The ratio of a method under one pattern is its time over the best time there. At each point the joint map holds for
 * each method the mean of its ratios over all patterns, or the worst of them (the minimax choice), times the mean of
 * the best times over the patterns. So times stay in seconds and points keep their weight, and the penalty of a
 * decision against the joint map says by how much its ratio is above the least that one method can have.
 */
#ifndef TUTTI_ROBUST_H
#define TUTTI_ROBUST_H

#include "tutti/decision.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tutti_robust { TUTTI_ROBUST_MEAN, TUTTI_ROBUST_WORST, TUTTI_ROBUST_COUNT } tutti_robust;

/** "mean", "worst"; NULL outside the enumeration. */
const char *tutti_robust_name(tutti_robust robust);

/** TUTTI_ERR_ARGUMENT names the known ones. */
tutti_status tutti_robust_parse(const char *name, tutti_robust *robust, tutti_error *error);

/**
 * Join @p count maps of one collective. The joint map has the axes and methods of the first one. A method that is not
 * known under every pattern is not known at a point, and neither is any where the best time of a pattern is not known
 * or not positive. The best of each map are its own (tutti_decision_map_choose()); those of the joint map are chosen
 * without native methods.
 * @return TUTTI_ERR_ARGUMENT if there is no map, or they are of several collectives; TUTTI_ERR_MEMORY
 */
tutti_status tutti_decision_map_join(const tutti_decision_map *maps, int count, tutti_robust robust,
                                     tutti_decision_map *joint, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
