/* Repeatable random numbers for tests: a test that fails once fails again. */
#ifndef TUTTI_TESTS_RANDOM_H
#define TUTTI_TESTS_RANDOM_H

#include <stdint.h>

/* splitmix64 (Steele, Lea, Flood 2014); the state is the seed. */
static inline uint64_t random_next(uint64_t *state)
{
  uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

/* 0 .. bound - 1. */
static inline uint64_t random_below(uint64_t *state, uint64_t bound)
{
  return random_next(state) % bound;
}

#endif
