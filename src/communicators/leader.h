/* The contexts that a process leads (Kamal, Mirtaheri, Wagner 2010, section 4): one bit each. No MPI. */
#ifndef TUTTI_COMMUNICATORS_LEADER_H
#define TUTTI_COMMUNICATORS_LEADER_H

#include <stdbool.h>
#include <stdint.h>

/* Bit i is set while the process leads a context of index i. */
typedef uint64_t leader_bits;

/* How many contexts it leads. */
static inline int leader_count(leader_bits bits)
{
  return __builtin_popcountll(bits);
}

/* The least index that is free; -1 if none is. */
static inline int leader_free_index(leader_bits bits)
{
  return ~bits ? __builtin_ctzll(~bits) : -1;
}

static inline leader_bits leader_take(leader_bits bits, int index)
{
  return bits | UINT64_C(1) << index;
}

static inline leader_bits leader_give_back(leader_bits bits, int index)
{
  return bits & ~(UINT64_C(1) << index);
}

#endif
