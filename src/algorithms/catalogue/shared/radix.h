/* Groups of a power of k ranks, and exchanges of the whole message among k of them. */
#ifndef TUTTI_ALGORITHMS_RADIX_H
#define TUTTI_ALGORITHMS_RADIX_H

#include "algorithms/catalogue/builders.h"

/* The largest power of k up to P virtual ranks; the ranks beyond them are folded into k - 1 neighbors each: of the
   first ranks, k neighbors are one virtual rank, the last of them acts for all. So a virtual rank acts for a range of
   ranks, and all of them are in order.

       P = 6, k = 3:   (0 1 2) (3 4) 5  would be 3 virtual ranks: the first two fold 2 and 1 ranks */
struct radix_fold {
  int size, rank, k;
  int power;  /* A: virtual ranks */
  int phases; /* power = k^phases */
  int rest;   /* x = P - A: folded ranks */
  int v;      /* the virtual rank of the own rank */
};

struct radix_fold tutti_radix_fold(const tutti_call *call);

/* The first rank of a virtual rank; P for A. The others up to the next one's, the last of which acts. */
int tutti_radix_first(const struct radix_fold *fold, int v);

static inline int tutti_radix_actor(const struct radix_fold *fold, int v)
{
  return tutti_radix_first(fold, v + 1) - 1;
}

/* The virtual rank whose digit at `place`, a power of k, is another one. */
static inline int tutti_radix_peer(const struct radix_fold *fold, int v, int place, int digit)
{
  return v + (digit - v / place % fold->k) * place;
}

#endif
