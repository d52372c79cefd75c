#include "analysis/symbol.h"

#include "base/splitmix64.h"

/* Words are hashed as polynomials modulo the Mersenne prime 2^61 - 1 (Karp and Rabin 1987): concatenation shifts the
   left word by the length of the right one. */
#define PRIME ((UINT64_C(1) << 61) - 1)
#define BASE  UINT64_C(0x1d8af066f0a5d3b7)

static uint64_t reduce(unsigned __int128 value)
{
  uint64_t folded = (uint64_t)(value & PRIME) + (uint64_t)(value >> 61);
  return folded >= PRIME ? folded - PRIME : folded;
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
  return reduce((unsigned __int128)a * b);
}

tutti_symbol tutti_symbol_letter(int rank, uint64_t index)
{
  uint64_t hash = reduce(tutti_splitmix64(tutti_splitmix64((uint64_t)rank + 1) + index));
  return (tutti_symbol){hash ? hash : 1, BASE};
}

tutti_symbol tutti_symbol_commutative_letter(int rank, uint64_t index)
{
  return (tutti_symbol){tutti_symbol_letter(rank, index).hash, 1};
}

tutti_symbol tutti_symbol_concatenate(tutti_symbol left, tutti_symbol right)
{
  if (left.hash == 0 || right.hash == 0)
    return (tutti_symbol){0, 0};
  uint64_t hash = reduce((unsigned __int128)multiply(left.hash, right.scale) + right.hash);
  return (tutti_symbol){hash ? hash : 1, multiply(left.scale, right.scale)};
}

bool tutti_symbol_equal(tutti_symbol a, tutti_symbol b)
{
  return a.hash == b.hash && a.scale == b.scale;
}
