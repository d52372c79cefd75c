/* Tuning while a program runs: which of a few candidates serves the next call of one collective, on one communicator,
   of one class of sizes. No MPI: the caller runs the calls and exchanges the times.

   Only the number of the call decides when a candidate is tried: ranks that see the same calls in the same order pick
   the same without a message. A block of calls tries each candidate that is left once, at places from a hash of the
   number of the block, so that no rhythm of the program always meets the same one; all other calls run the favorite. A
   round is 2, 2, 4, 8 or 16 blocks, so that 2, 4, 8, 16, 32 times of each candidate are known after it. Then the ranks
   exchange their times, the maximum of each, and drop candidates (successive elimination: Even-Dar, Mannor, Mansour
   2006): those that always took more than twice the time of the fastest; those that were slower than it in 4 of 4, 7 of
   8 or 12 of 16 blocks, which happens to equal ones with a probability of 6, 4 and 4 %; and after 32 times all except
   the fastest. The fastest has the smallest mean without the longest eighth of the times, of two and of four times
   without the longest one: it may have waited for a connection, or for a processor.

   The loss is bounded: blocks are so long that the excess time of the candidates is at most a share, `budget`, of the
   time of the favorite in the block. A candidate without known times is expected to take twice the time of the
   favorite: one that takes R times as long costs 2 R - 4 calls more than planned, once. */
#ifndef TUTTI_DECISION_ADAPTATION_H
#define TUTTI_DECISION_ADAPTATION_H

#include <stdbool.h>
#include <stdint.h>

enum { TUTTI_ADAPT_ARMS = 8, TUTTI_ADAPT_TIMES = 32, TUTTI_ADAPT_ROUND = TUTTI_ADAPT_TIMES / 2 };

/* Allowed cost of the candidates, as a share of the time. */
#define TUTTI_ADAPT_BUDGET 0.05

struct tutti_adaptation {
  int arms; /* candidates; number 0 is what runs without adaptation */
  double budget;
  bool alive[TUTTI_ADAPT_ARMS], decided;
  int left, favorite;
  int times_count;                                   /* of each candidate left; a power of two from 2 on, or 0 */
  double times[TUTTI_ADAPT_ARMS][TUTTI_ADAPT_TIMES]; /* seconds */
  uint64_t calls;                                    /* so far */
  /* The round. */
  int block, blocks;           /* which, of how many */
  uint64_t block_begin, width; /* first call of the block, and calls of it */
  int order[TUTTI_ADAPT_ARMS]; /* of the candidates in it */
  int stratum;                 /* of the next trial: the block has one stratum for each candidate */
  uint64_t next;               /* call of the next trial */
  int arm;                     /* that it runs */
  bool open;                   /* the trial runs */
  /* Trial number i has its last arrival and last end in [2 i] and [2 i + 1]. */
  double seen[2 * TUTTI_ADAPT_ARMS * TUTTI_ADAPT_ROUND];
  int seen_arm[TUTTI_ADAPT_ARMS * TUTTI_ADAPT_ROUND];
  int trials;
};

/* Begin with 1 to TUTTI_ADAPT_ARMS candidates. 0 < budget. */
void tutti_adaptation_begin(struct tutti_adaptation *adaptation, int arms, double budget);

/* The candidate that serves the next call. *trial: this is a trial, and tutti_adaptation_end_trial() follows. */
static inline int tutti_adaptation_pick(struct tutti_adaptation *adaptation, bool *trial)
{
  const uint64_t call = adaptation->calls++;
  *trial = adaptation->open = !adaptation->decided && call == adaptation->next;
  return adaptation->open ? adaptation->arm : adaptation->favorite;
}

/* The trial is over: when this rank came and left, in seconds on a clock that all ranks share. True if the round is
   over: then put the maximum over all ranks of each of the `*count` numbers in `seen` in its place and call
   tutti_adaptation_agree(). */
bool tutti_adaptation_end_trial(struct tutti_adaptation *adaptation, double arrival, double end, int *count);

/* Judge, and plan the next round or decide. */
void tutti_adaptation_agree(struct tutti_adaptation *adaptation);

#endif
