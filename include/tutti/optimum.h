/**
 * @file optimum.h
 * @ingroup analysis
 * The best schedules there can be on few ranks, by search: broadcast and reduce of a message in a few equal blocks
 * under the round model. In a round each rank sends at most one message and receives at most one, of blocks that it had
 * before the round; a round takes alpha + beta times the largest message of it. So a schedule has a number of rounds,
 * and a volume: the sum of the largest messages, in blocks. An optimum is a pair that no schedule beats in one without
 * losing in the other.
 *
 * All pairs are searched from the fewest rounds, ceil(log2 P), to the least volume, blocks - 1 + ceil(log2 P): the
 * block that leaves the root last leaves in a round by whose end the root has sent all blocks, and then the ranks that
 * have it double at best. Ranks other than the root that hold the same are alike, and so are blocks: a state
 * is looked at once, whatever they are called; and a rank that could receive more new blocks in a round loses nothing
 * by it. A reduce is a broadcast backwards in time.
 */
#ifndef TUTTI_OPTIMUM_H
#define TUTTI_OPTIMUM_H

#include "tutti/algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TUTTI_OPTIMUM_RANKS = 8, TUTTI_OPTIMUM_BLOCKS = 5, TUTTI_OPTIMUM_ROUNDS = 8 };

/** A schedule of a broadcast from rank 0 that is an optimum. */
typedef struct tutti_optimum {
  int ranks, blocks;
  int rounds, volume;
  int sizes[TUTTI_OPTIMUM_ROUNDS]; /**< largest message of each round, in blocks */
  /** Of each round and rank the sender, -1: it receives nothing, and the blocks, a bit each. @{ */
  int8_t from[TUTTI_OPTIMUM_ROUNDS][TUTTI_OPTIMUM_RANKS];
  uint8_t what[TUTTI_OPTIMUM_ROUNDS][TUTTI_OPTIMUM_RANKS];
  /** @} */
} tutti_optimum;

/** All optima of a number of ranks and blocks, by rounds. */
typedef struct tutti_optima {
  int count;
  tutti_optimum items[TUTTI_OPTIMUM_ROUNDS];
  uint64_t states; /**< that were looked at */
  bool proven;     /**< nothing was left out for the limit: there are no others */
} tutti_optima;

/**
 * Search. With more than @p limit states the rest is left out: there may be better ones than those found, and proven is
 * false.
 * @return TUTTI_ERR_ARGUMENT unless 2 <= ranks <= TUTTI_OPTIMUM_RANKS and 1 <= blocks <= TUTTI_OPTIMUM_BLOCKS;
 *         TUTTI_ERR_MEMORY
 */
tutti_status tutti_optima_find(int ranks, int blocks, uint64_t limit, tutti_optima *optima, tutti_error *error);

/**
 * The schedule of call->rank for a broadcast or reduce with root 0; the blocks are as equal as call->count allows. Of a
 * reduce the operation must commute.
 */
tutti_status tutti_optimum_schedule(const tutti_optimum *optimum, tutti_collective collective, const tutti_call *call,
                                    tutti_arena *arena, tutti_schedule *schedule, tutti_error *error);

/** Build the schedules of all ranks for @p count elements and prove them (tutti_verify()). */
tutti_status tutti_optimum_prove(const tutti_optimum *optimum, tutti_collective collective, uint64_t count,
                                 tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
