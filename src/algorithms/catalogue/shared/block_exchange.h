/* Allgather, reduce-scatter and allreduce from one pattern: senders, receivers and blocks of each round of an
   allgather. The reduce-scatter runs the rounds in reverse with sender and receiver exchanged and adds up where the
   allgather copies; the allreduce is the reduce-scatter, then the allgather, on a message cut into as many blocks as
   ranks. So an algorithm is its pattern, a value without buffers and messages.

   Blocks have positions, 0 to P - 1. Blocks of a round at successive positions are one message, so the order of the
   positions determines the number of messages of a round. */
#ifndef TUTTI_ALGORITHMS_BLOCK_EXCHANGE_H
#define TUTTI_ALGORITHMS_BLOCK_EXCHANGE_H

#include "tutti/algorithm.h"

/* Positions in ascending order. */
struct positions {
  int *at; /* [count] */
  int count;
};

/* A round of one rank. The receiver gets the same positions. */
struct exchange_round {
  int to, from; /* ranks; not read without positions */
  struct positions sent, received;
};

/* Every position but the own one is received once, and sent only after that. */
struct exchange_pattern {
  struct exchange_round *rounds; /* [count] */
  int count;
};

/* Patterns that run at the same time, each on its share of every block. */
struct exchange_plan {
  struct exchange_pattern *patterns; /* [parts] */
  int parts;
  const int *block_at; /* [size] the rank whose block is at a position, or NULL: position and rank are the same */
  int own;             /* position that the rank begins the allgather with */
  int holder;          /* rank that begins with the own block; the rank itself unless a block moves before */
  bool packed;         /* a round is one message, by way of a temporary; else a message for each run of positions */
  bool in_place; /* an allgather receives each block where the output has it, one message each, and copies nothing;
                    positions are ranks */
};

/* `count` rounds of up to `most` positions each way, to be filled in. False, and a fault, without memory. */
bool tutti_exchange_pattern(tutti_builder *builder, struct exchange_pattern *pattern, int count, int most);

/* Replace blocks by their positions. */
void tutti_exchange_reorder(struct exchange_pattern *pattern, const int *position_of);

/* The same order for all rounds, where positions were added in any. */
void tutti_exchange_sort(struct exchange_pattern *pattern);

/* Regular and irregular blocks; irregular ones are sent one by one unless the positions have an order of their own. */
void tutti_build_allgather_by_exchange(tutti_builder *builder, const tutti_call *call,
                                       const struct exchange_plan *plan);

/* Operations that commute. Memory: what is added up, and the largest two successive rounds after the first. */
void tutti_build_reduce_scatter_by_exchange(tutti_builder *builder, const tutti_call *call,
                                            const struct exchange_plan *plan);

/* Operations that commute. Positions mean segments of the message; block_at, own and holder are not read. */
void tutti_build_allreduce_by_exchange(tutti_builder *builder, const tutti_call *call,
                                       const struct exchange_plan *plan);

#endif
