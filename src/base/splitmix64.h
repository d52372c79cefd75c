/* Scrambled bits: neighboring numbers give unrelated ones. */
#ifndef TUTTI_BASE_SPLITMIX64_H
#define TUTTI_BASE_SPLITMIX64_H

#include <stdint.h>

/* The output function of SplitMix64 (Steele, Lea, Flood 2014): a permutation in which every bit of the result hinges on
   every bit of `z`. */
static inline uint64_t tutti_splitmix64(uint64_t z)
{
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* The next number of SplitMix64; the state is the seed. */
static inline uint64_t tutti_splitmix64_next(uint64_t *state)
{
  return tutti_splitmix64(*state += UINT64_C(0x9e3779b97f4a7c15));
}

#endif
