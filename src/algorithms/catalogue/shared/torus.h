/* Ranks on a torus: the parameter torus=, and allgathers that use all of its links at once. */
#ifndef TUTTI_ALGORITHMS_TORUS_H
#define TUTTI_ALGORITHMS_TORUS_H

#include "algorithms/catalogue/shared/block_exchange.h"

struct torus {
  int dimensions;
  int sides[TUTTI_MAX_SIDES]; /* the first one varies fastest with the rank */
  int strides[TUTTI_MAX_SIDES];
  int size;                   /* their product */
};

struct torus tutti_torus(const tutti_call *call);

/* All ranks as the torus of one dimension. */
struct torus tutti_ring(const tutti_call *call);

/* Coordinate of a rank in a dimension, the rank with another one there, and the one so far up (below 0: down). */
int tutti_torus_coordinate(const struct torus *torus, int rank, int dimension);
int tutti_torus_with(const struct torus *torus, int rank, int dimension, int coordinate);
int tutti_torus_shifted(const struct torus *torus, int rank, int dimension, int64_t distance);

/* A way through the torus: the pattern of the allgather of copy number `copy` of 2 d, which begins with dimension copy
   / 2, upwards if it is even, and the positions [size] in which every round's blocks are one range. False, and a fault,
   without memory. */
typedef bool (*torus_way)(tutti_builder *builder, const tutti_call *call, int copy, struct exchange_pattern *pattern,
                          int *positions);

#endif
