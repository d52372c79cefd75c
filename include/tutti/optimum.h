/**
 * @file optimum.h
 * @ingroup analysis
 * The best schedules there can be on few ranks, by search, under the round model. In a round each rank sends at most
 * one message and receives at most one, of what it had before the round; a round takes alpha + beta times the largest
 * message of it. So a schedule has a number of rounds, and a volume: the sum of the largest messages, in blocks. An
 * optimum is a pair that no schedule beats in one without losing in the other. Blocks are of equal size: those in which
 * a broadcast, reduce or allreduce cuts its message, those in which an alltoall cuts what a rank sends to another.
 *
 * Broadcast and reduce: all pairs are searched from the fewest rounds, ceil(log2 P), to the least volume, blocks - 1 +
 * ceil(log2 P): the block that leaves the root last leaves in a round by whose end the root has sent all blocks, and
 * then the ranks that have it double at best. Ranks other than the root that hold the same are alike, and so are
 * blocks: a state is looked at once, whatever they are called; and a rank that could receive more new blocks in a round
 * loses nothing by it. A reduce is a broadcast backwards in time.
 *
 * Allreduce: a message carries at most one partial result of a block: the sum of the operands of some ranks, without
 * any operand twice. Rounds go from ceil(log2 P) until no more can help: each has a block at least, and each block
 * takes 2 (P - 1) messages (certificate.h). For each way to pair senders with receivers in all rounds, up to names of
 * ranks and as many in a round as there can be, all sets of messages that are enough for one block are listed, without
 * those that hold another one; then one is chosen for each block.
 *
 * Alltoall: blocks are passed on as they are. In r rounds no more ranks can be reached by h messages in a row than
 * there are choices of h rounds, and the blocks of a rank take the least sum of that. Schedules in which all ranks send
 * so far ahead in each round meet it: cut blocks are no better than whole ones.
 */
#ifndef TUTTI_OPTIMUM_H
#define TUTTI_OPTIMUM_H

#include "tutti/algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TUTTI_OPTIMUM_RANKS = 8, TUTTI_OPTIMUM_BLOCKS = 5, TUTTI_OPTIMUM_ROUNDS = 8, TUTTI_OPTIMUM_ALLREDUCE_RANKS = 4 };

/** A schedule that is an optimum, of a broadcast from rank 0, an allreduce or an alltoall. */
typedef struct tutti_optimum {
  int ranks, blocks;
  int rounds, volume;
  int sizes[TUTTI_OPTIMUM_ROUNDS]; /**< largest message of each round, in blocks */
  /** Of each round and rank the sender, -1: it receives nothing, and the blocks, a bit each; of an alltoall bit d: the
      blocks for the rank d behind their source, in the order of ranks. @{ */
  int8_t from[TUTTI_OPTIMUM_ROUNDS][TUTTI_OPTIMUM_RANKS];
  uint8_t what[TUTTI_OPTIMUM_ROUNDS][TUTTI_OPTIMUM_RANKS];
  /** @} */
  /** Of an allreduce, whose operands a block that is received sums up: a bit for each rank. */
  uint8_t parts[TUTTI_OPTIMUM_ROUNDS][TUTTI_OPTIMUM_RANKS][TUTTI_OPTIMUM_BLOCKS];
} tutti_optimum;

/** All optima of a number of ranks and blocks, by rounds. */
typedef struct tutti_optima {
  int count;
  tutti_optimum items[TUTTI_OPTIMUM_ROUNDS];
  uint64_t states; /**< that were looked at */
  bool proven;     /**< nothing was left out for the limit: there are no others */
} tutti_optima;

/** How the optima of a collective are known. */
typedef enum tutti_optima_kind {
  TUTTI_OPTIMA_SEARCHED, /**< by tutti_optima_find() */
  TUTTI_OPTIMA_BOUNDED,  /**< bounds of rounds and of volume (certificate.h) can be met at once */
  TUTTI_OPTIMA_UNKNOWN   /**< neither: scans */
} tutti_optima_kind;

tutti_optima_kind tutti_optima_kind_of(tutti_collective collective);

/**
 * Search. With more than @p limit states the rest is left out: there may be better ones than those found, and proven is
 * false.
 * @return TUTTI_ERR_ARGUMENT unless 2 <= ranks <= TUTTI_OPTIMUM_RANKS and 1 <= blocks <= TUTTI_OPTIMUM_BLOCKS, of an
 *         allreduce of more than one block up to TUTTI_OPTIMUM_ALLREDUCE_RANKS ranks; TUTTI_ERR_UNSUPPORTED: a
 *         collective other than these; TUTTI_ERR_MEMORY
 */
tutti_status tutti_optima_find(tutti_collective collective, int ranks, int blocks, uint64_t limit, tutti_optima *optima,
                               tutti_error *error);

/**
 * The schedule of call->rank for the collective of which the optimum is; with root 0; the blocks are as equal as
 * call->count allows. Operations must commute.
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
