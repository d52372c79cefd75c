/* Plans: the sets of messages by which one block of an allreduce can be done, where it is fixed who sends to whom. */
#ifndef TUTTI_ALGORITHMS_OPTIMUM_PLANS_H
#define TUTTI_ALGORITHMS_OPTIMUM_PLANS_H

#include "algorithms/analysis/optimum.h"

enum { PLAN_MAX_PAIRS = 17, PLAN_MAX_NAMES = 24, PLAN_MAX = 4096 }; /* of 4 ranks: 9 + 4 * 2; 4! */

/* The partial results that a rank can make, closed under disjoint unions: a bit for each set of ranks. */
struct plan_family {
  uint64_t bits[4];
};

/* Who sends to whom in a round; to itself: it does nothing. */
struct plan_pairs {
  uint8_t to[TUTTI_OPTIMUM_RANKS];
};

struct plan_search {
  int ranks, blocks, rounds, all;          /* all: the set of all ranks */
  struct plan_pairs pairs[PLAN_MAX_PAIRS]; /* of a round, as many pairs as there can be */
  struct plan_pairs names[PLAN_MAX_NAMES]; /* other names of the ranks */
  int pair_count, name_count;
  struct plan_pairs chosen[TUTTI_OPTIMUM_ROUNDS];
  int best, least; /* volume to be less than, and a lower bound */
  /* Messages of the plans by which a block can be done: bit round * ranks + sender. */
  uint64_t plans[PLAN_MAX], used[TUTTI_OPTIMUM_BLOCKS];
  int plan_count, shortest, longest; /* messages */
  struct plan_family families[TUTTI_OPTIMUM_ROUNDS + 1][TUTTI_OPTIMUM_RANKS];
  uint8_t parts[TUTTI_OPTIMUM_ROUNDS][TUTTI_OPTIMUM_RANKS]; /* what each sender sends */
  tutti_optimum *found;
  uint64_t states, limit;
};

/* Count a state; whether there are too many. */
static inline bool plan_is_over(struct plan_search *s)
{
  return ++s->states > s->limit;
}

/* Whether a message is in a plan. */
static inline bool plan_sends(const struct plan_search *s, uint64_t plan, int round, int sender)
{
  return plan >> (round * s->ranks + sender) & 1;
}

/* What each rank has at the beginning. */
void tutti_plans_begin(struct plan_search *search);

/* Whether the messages of a plan are enough, each of them needed; what they carry, in search->parts. */
bool tutti_plan_carries(struct plan_search *search, uint64_t plan);

/* List the plans of at most search->longest messages, without those that hold another one. */
void tutti_plans_list(struct plan_search *search);

#endif
