/* Exchanges of partial results between pairs of ranks, operands kept in the order of the ranks. */
#ifndef TUTTI_ALGORITHMS_ALLREDUCE_EXCHANGE_H
#define TUTTI_ALGORITHMS_ALLREDUCE_EXCHANGE_H

#include "tutti/algorithm.h"

/* The group reduced to a power of two by folding neighbors: of ranks 2 i and 2 i + 1, i < pairs, the even one takes
   part for both. So each rank that takes part acts for a range of ranks.

       P = 6:  (0 1) (2 3) 4 5    places 0 1 2 3 */
struct fold {
  int power;   /* places: the largest power of two up to P */
  int pairs;   /* P - power */
  int place;   /* of the own rank, or of the one that takes part for it */
  int partner; /* the other rank of the own pair, or -1 */
  bool folded; /* another rank takes part for this one */
};

struct fold tutti_fold_neighbors(const tutti_call *call);

/* The partial result of a rank. It begins in TUTTI_INPUT. A reduction leaves its result where its right operand was:
   that of the higher ranks, which is the received one or the own one. So the partial result moves between the output
   and a temporary, and the first move is made such that the last one ends in the output. */
struct partial {
  tutti_builder *builder;
  bool initial;          /* still in TUTTI_INPUT */
  int spare;             /* next place to receive: 0 the output, 1 the temporary */
  tutti_block temporary; /* the elements of the message for which it has space; in TUTTI_INPUT without a temporary */
  tutti_vertex_id ready; /* the vertex that completes the partial result; TUTTI_NO_VERTEX in the beginning */
  tutti_vertex_id sent;  /* a send of what the next exchange overwrites */
};

/* `higher` is the number of exchanges to come with higher ranks; a temporary, if needed, has the elements of `room`. */
struct partial tutti_exchange_begin(tutti_builder *builder, int higher, tutti_block room);

/* The elements of `block`, whose buffer does not count, where the partial result is now. */
tutti_block tutti_exchanged_block(struct partial *partial, tutti_block block);

/* Send the elements `given` of the partial result to a rank that acts for the next lower or next higher ranks, receive
   its elements `kept` and combine them with the own ones. From then on the partial result is that of `kept`. No
   elements, no message. Returns the send. */
tutti_vertex_id tutti_exchange(struct partial *partial, int peer, bool higher, tutti_block given, tutti_block kept);

/* Number of zeros among the lowest log2(power) bits of place: exchanges with a higher place. */
int tutti_higher_places(const struct fold *fold);

#endif
