/* Peers and distances of Swing and of Bine trees and butterflies (De Sensi, Bonato, Saam, Hoefler 2024, "Swing",
   arXiv 2401.09356; De Sensi et al. 2025, "Bine trees", arXiv 2508.17311).

   In round s rank v exchanges with v + rho(s) if v is even, with v - rho(s) if v is odd, rho(s) being the sum of the
   powers of -2 up to s: 1 -1 3 -5 11 -21. The number of ranks is even, and the peer's parity is the other one.

       P = 8:   0: (0,1) (2,3) (4,5) (6,7)    1: (0,7) (1,2) (3,4) (5,6)    2: (0,3) (1,6) (2,5) (4,7)

   The digits of d in base -2 give the rounds that cover the distance d from an even rank up, or from an odd one down:
   the bits of d's hop code. With P a power of two, hop codes with their bits in reverse are a permutation of the
   ranks in which those that are reached from v in the rounds s, s + 1, ... are an aligned range of P / 2^s: the
   position of a rank. */
#ifndef TUTTI_ALGORITHMS_BINE_H
#define TUTTI_ALGORITHMS_BINE_H

#include "algorithms/catalogue/shared/block_exchange.h"
#include "tutti/tree.h"

/* Rounds among @p size ranks: ceil(log2(size)). */
int tutti_bine_rounds(int size);

/* The rank that v exchanges with in round s; size is even. */
int tutti_bine_peer(int v, int s, int size);

/* The rank at a distance d in 0..size-1 from v: up from an even one, down from an odd one. */
int tutti_bine_at(int v, int d, int size);

/* [size] the hop code of each distance; NULL, and a fault, without memory. size is even, or 1. */
int *tutti_bine_hops(tutti_builder *builder, int size);

/* [size] hop codes with their bits in reverse. */
int *tutti_bine_positions(tutti_builder *builder, int size);

/* The allgather of virtual rank (call->rank - root), its blocks those of virtual ranks; the nearest peers come last.
   False, and a fault, without memory. */
bool tutti_bine_pattern(tutti_builder *builder, const tutti_call *call, int root, struct exchange_pattern *pattern);

/* The number of equal digits at the end of v in base -2, q digits in all: v is reached by the round q - this of the
   distance-halving tree. */
int tutti_bine_equal_digits(int v, int q);

/* The last round used on the way from 0 to v, a power of two of ranks; -1 for 0. */
int tutti_bine_last_hop(int v, int size);

/* The place of the rank of the call in the distance-halving tree. The children are in the order of sending, the
   farthest first, or backwards, as they are ready in a reduction. False, and a fault, without memory. */
bool tutti_bine_tree(tutti_builder *builder, const tutti_call *call, bool backwards, tutti_tree *tree);

/* The 2^k ranks around v, from `first` on upwards modulo size, that exchanges with the peers 0..k-1 reach. */
int tutti_bine_window(int v, int k, int size);

#endif
